#include "ui/base/look.h"

#include "ui/base/palettes.h"
#include "ui/base/text.h"

namespace junban::ui {

namespace {

struct Pair {
    QRgb light, dark;
};

Pair colors(JobState state)
{
    switch (state) {
    case JobState::Scheduled: return {0x855400, 0xe3b05a};
    case JobState::Depends: return {0x6b5741, 0xccb59e};
    case JobState::Ready: return {0x0b5cad, 0x7ab8f5};
    case JobState::Running: return {0x006a63, 0x58d3c7};
    case JobState::Awaiting: return {0x6b3fa0, 0xc6a3f2};
    case JobState::Succeeded: return {0x1b6b2d, 0x76d18a};
    case JobState::Failed: return {0xb3261e, 0xff9a91};
    case JobState::Cancelled: return {0x565d69, 0xaab2bf};
    }
    return {0x000000, 0xffffff};
}

QColor pick(QRgb light, QRgb dark, const QPalette &palette)
{
    return QColor::fromRgb(isDark(palette) ? dark : light);
}

} // namespace

QString Look::word(JobState state)
{
    switch (state) {
    case JobState::Scheduled: return tr("scheduled");
    case JobState::Depends: return tr("depends");
    case JobState::Ready: return tr("ready");
    case JobState::Running: return tr("running");
    case JobState::Awaiting: return tr("awaiting");
    case JobState::Succeeded: return tr("succeeded");
    case JobState::Failed: return tr("failed");
    case JobState::Cancelled: return tr("cancelled");
    }
    return {};
}

QString Look::title(JobState state)
{
    const QString text = word(state);
    return text.left(1).toUpper() + text.mid(1);
}

Icon Look::iconOf(JobState state)
{
    switch (state) {
    case JobState::Scheduled: return Icon::Clock;
    case JobState::Depends: return Icon::Chain;
    case JobState::Ready: return Icon::Circle;
    case JobState::Running: return Icon::Play;
    case JobState::Awaiting: return Icon::Hourglass;
    case JobState::Succeeded: return Icon::Check;
    case JobState::Failed: return Icon::Cross;
    case JobState::Cancelled: return Icon::Minus;
    }
    return Icon::Circle;
}

QColor Look::color(JobState state, const QPalette &palette)
{
    const Pair pair = colors(state);
    return pick(pair.light, pair.dark, palette);
}

QColor Look::amber(const QPalette &palette) { return pick(0x855400, 0xe3b05a, palette); }
QColor Look::red(const QPalette &palette) { return pick(0xb3261e, 0xff9a91, palette); }
QColor Look::green(const QPalette &palette) { return pick(0x1b6b2d, 0x76d18a, palette); }

QIcon Look::icon(JobState state)
{
    const Pair pair = colors(state);
    return tintedIcon(iconOf(state), QColor::fromRgb(pair.light), QColor::fromRgb(pair.dark));
}

QIcon Look::icon(Icon icon)
{
    return tintedIcon(icon, {}, {});
}

int Look::attemptsPossible(const Job &job)
{
    if (isFinal(job.state))
        return std::max(job.attempt, job.spec.maxRetry + 1);
    const bool runs = job.state == JobState::Running || job.state == JobState::Awaiting;
    return job.attempt + std::max(runs ? 0 : 1, job.spec.maxRetry + (runs ? 0 : 1) - job.failures);
}

QList<JobState> Look::states()
{
    return {JobState::Scheduled, JobState::Depends, JobState::Ready, JobState::Running, JobState::Awaiting, JobState::Succeeded,
            JobState::Failed, JobState::Cancelled};
}

QString Look::actor(const QByteArray &actor)
{
    const std::pair<const char *, QString> known[] = {
        {"console", tr("desktop window", "who did it")}, {"loopback", tr("local API", "who did it")},
        {"unix", tr("local socket", "who did it")},      {"open", tr("network, no token", "who did it")},
        {"unknown", tr("unknown", "who did it")},        {"master", tr("master", "who did it")},
        {"pusher", tr("pusher", "who did it")},          {"operator", tr("operator", "who did it")},
        {"schedule", tr("schedule", "who did it")}};
    for (const auto &[word, text] : known) {
        if (actor == word)
            return text;
    }
    return shown(actor);
}

QString Look::reason(const QByteArray &word)
{
    if (word == "other")
        return tr("worker error");
    if (word == "timeout")
        return tr("timed out");
    if (word == "poison")
        return tr("its workers kept disappearing");
    if (word == "cancelled")
        return tr("cancelled on request");
    if (word == "expired")
        return tr("not started in time");
    if (word == "dependency")
        return tr("a job it depends on did not succeed");
    if (word == "dropped")
        return tr("dropped from a full backlog");
    if (word == "refused")
        return tr("could not be enqueued");
    return shown(word);
}

QString Look::message(const QByteArray &message)
{
    // Those of core/lua.
    static constexpr const char *written[] = {
        QT_TRANSLATE_NOOP("Look", "The attempt took longer than its timeout."),
        QT_TRANSLATE_NOOP("Look", "The lease ran out without a heartbeat."),
        QT_TRANSLATE_NOOP("Look", "No message came in time."),
        QT_TRANSLATE_NOOP("Look", "It was not started in time."),
        QT_TRANSLATE_NOOP("Look", "Newer jobs took its place in a full backlog."),
        QT_TRANSLATE_NOOP("Look", "Released after a cancel was asked for."),
    };
    const bool isWritten = std::find(std::begin(written), std::end(written), message) != std::end(written);
    return isWritten ? tr(message.constData()) : shownFirstLine(message);
}

QString Look::messageLines(const QByteArray &message)
{
    return message.contains('\n') ? shownLines(message) : Look::message(message);
}

int characterWidth(const QFontMetrics &metrics)
{
    return std::min(metrics.averageCharWidth(), metrics.horizontalAdvance(QLatin1Char('0')));
}

} // namespace junban::ui
