#include "ui/operations/operationtexts.h"

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/limits/constrainttexts.h"

#include <algorithm>
#include <limits>

namespace junban::ui {

namespace {

constexpr int shownIds = 3;   // of selected jobs; of more, the first one's beginning and how many others they are
constexpr int idBeginning = 13; // characters; up to the millisecond in which the job was made

int clamped(qint64 count)
{
    return int(std::min<qint64>(count, std::numeric_limits<int>::max()));
}

} // namespace

QString OperationTexts::action(BulkAction action)
{
    switch (action) {
    case BulkAction::Retry: return tr("retry");
    case BulkAction::Cancel: return tr("cancel");
    case BulkAction::Delete: return tr("delete");
    case BulkAction::Restore: return tr("restore");
    case BulkAction::Release: return tr("requeue");
    case BulkAction::Set: return tr("change");
    }
    return {};
}

QString OperationTexts::state(OperationState state)
{
    switch (state) {
    case OperationState::Prepared: return tr("prepared");
    case OperationState::Running: return tr("running");
    case OperationState::Paused: return tr("paused");
    case OperationState::Stopped: return tr("stopped");
    case OperationState::Ended: return tr("done");
    }
    return {};
}

QString OperationTexts::what(const BulkOperation &operation)
{
    const QString text = tr("%1 %Ln job(s)", "an action", clamped(operation.jobs)).arg(action(operation.action));
    return operation.undoes.isEmpty() ? text : tr("%1 (undoes another one)", "an operation").arg(text);
}

QString OperationTexts::jobs(const Selection &selection, const QString &cause, qint64 count, const QString &firstName)
{
    QStringList parts;
    if (selection.trash)
        parts.append(tr("in the trash"));
    if (selection.state)
        parts.append(Look::word(*selection.state));
    if (!selection.signature.isEmpty())
        parts.append(cause.isEmpty() ? tr("of one cause") : tr("failed with: %1", "a cause").arg(cause));
    for (const QByteArray &text : {selection.name, selection.match}) {
        if (!text.isEmpty())
            parts.append(shown(text));
    }
    if (!selection.tag.isEmpty())
        parts.append(tr("tag %1").arg(shown(selection.tag)));
    QStringList ids;
    for (const JobId &id : selection.ids)
        ids.append(QString::fromLatin1(id.text()));
    const QString first = (firstName.isEmpty() ? QString() : firstName + QLatin1Char(' ')) + ids.value(0).left(idBeginning) + QChar(0x2026);
    if (ids.size() > shownIds)
        parts.append(tr("%1 and %Ln other(s)", "a job", clamped(std::max<qint64>(count, 2) - 1)).arg(first));
    else if (!ids.isEmpty())
        parts.append(tr("selected: %1", "IDs of jobs").arg(listed(ids)));
    return parts.join(QStringLiteral(" · "));
}

QString OperationTexts::question(BulkAction action, qint64 jobs)
{
    const int count = clamped(jobs);
    switch (action) {
    case BulkAction::Retry: return tr("Retry %Ln job(s)?", nullptr, count);
    case BulkAction::Cancel: return tr("Cancel %Ln job(s)?", nullptr, count);
    case BulkAction::Delete: return tr("Delete %Ln job(s)?", nullptr, count);
    case BulkAction::Restore: return tr("Restore %Ln job(s)?", nullptr, count);
    case BulkAction::Release: return tr("Requeue %Ln job(s)?", nullptr, count);
    case BulkAction::Set: return tr("Change %Ln job(s)?", nullptr, count);
    }
    return {};
}

QString OperationTexts::button(BulkAction action, qint64 jobs)
{
    const int count = clamped(jobs);
    switch (action) {
    case BulkAction::Retry: return tr("Retry %Ln job(s)", "button", count);
    case BulkAction::Cancel: return tr("Cancel %Ln job(s)", "button", count);
    case BulkAction::Delete: return tr("Delete %Ln job(s)", "button", count);
    case BulkAction::Restore: return tr("Restore %Ln job(s)", "button", count);
    case BulkAction::Release: return tr("Requeue %Ln job(s)", "button", count);
    case BulkAction::Set: return tr("Change %Ln job(s)", "button", count);
    }
    return {};
}

QString OperationTexts::progress(const BulkOperation &operation, const Format &format)
{
    const auto going = [&] {
        switch (operation.action) {
        case BulkAction::Retry: return tr("Retrying: %1 of %2");
        case BulkAction::Cancel: return tr("Cancelling: %1 of %2");
        case BulkAction::Delete: return tr("Deleting: %1 of %2");
        case BulkAction::Restore: return tr("Restoring: %1 of %2");
        case BulkAction::Release: return tr("Requeuing: %1 of %2");
        case BulkAction::Set: return tr("Changing: %1 of %2");
        }
        return QString();
    };
    QString text = going().arg(format.count(operation.done), format.count(operation.jobs));
    if (operation.skipped > 0)
        text += tr(", %1 skipped").arg(format.count(operation.skipped));
    if (operation.state == OperationState::Paused)
        text += tr(" (paused)");
    return text;
}

QString OperationTexts::outcome(const BulkOperation &operation, const Format &format)
{
    const int count = clamped(operation.done);
    const auto ended = [&] {
        switch (operation.action) {
        case BulkAction::Retry: return tr("%Ln job(s) retried", nullptr, count);
        case BulkAction::Cancel: return tr("%Ln job(s) cancelled or, if they ran, asked to stop", nullptr, count);
        case BulkAction::Delete: return tr("%Ln job(s) deleted", nullptr, count);
        case BulkAction::Restore: return tr("%Ln job(s) restored", nullptr, count);
        case BulkAction::Release: return tr("%Ln job(s) requeued", nullptr, count);
        case BulkAction::Set: return tr("%Ln job(s) changed", nullptr, count);
        }
        return QString();
    };
    const OperationProgress reach(operation);
    QString text = ended();
    if (operation.action == BulkAction::Cancel && !operation.undoes.isEmpty())
        text = tr("%Ln job(s) cancelled before they started", nullptr, count);
    if (operation.state == OperationState::Stopped)
        text = tr("Stopped after %1 of %2 jobs: %3", "what came of it").arg(format.count(reach.passed), format.count(reach.all), text);
    if (operation.skipped > 0)
        text += tr("; skipped: %1", "states and counts").arg(skipped(operation, format));
    if (const QString left = unreached(operation); !left.isEmpty())
        text = tr("%1; %2", "what came of an operation, how many jobs it did not reach").arg(text, left);
    return text;
}

QString OperationTexts::unreached(const BulkOperation &operation)
{
    const qint64 jobs = OperationProgress(operation).unreached;
    return jobs > 0 ? tr("%Ln job(s) were not reached", nullptr, clamped(jobs)) : QString();
}

QString OperationTexts::reason(const QByteArray &word)
{
    if (const std::optional<JobState> state = stateFromWord(word))
        return Look::word(*state);
    if (word == "trash")
        return tr("in the trash");
    if (word == "gone")
        return tr("gone");
    if (word == "unique")
        return tr("another job has the unique key");
    if (word == "started")
        return tr("started meanwhile");
    return shown(word);
}

QString OperationTexts::skipped(const BulkOperation &operation, const Format &format)
{
    QStringList parts;
    for (const SkippedWhy &why : operation.skippedBy)
        parts.append(tr("%1 %2", "a count, a reason").arg(format.count(why.jobs), reason(why.reason)));
    return listed(parts);
}

QStringList OperationTexts::preview(const OperationPreview &preview, const Format &format)
{
    QStringList lines;
    for (const JobState state : Look::states()) {
        const qint64 left = preview.excluded.of(state), acted = preview.counts.of(state) - left;
        if (acted > 0)
            lines.append(tr("%1: %2", "a state and a count").arg(Look::word(state), format.count(acted)));
        if (left > 0)
            lines.append(tr("%1: %2, skipped", "a state and a count").arg(Look::word(state), format.count(left)));
    }
    if (const qint64 trash = preview.counts.trash; trash > 0)
        lines.append((preview.excluded.trash > 0 ? tr("In the trash: %1, skipped") : tr("In the trash: %1")).arg(format.count(trash)));
    if (preview.action == BulkAction::Cancel && preview.counts.of(JobState::Running) > 0)
        lines.append(tr("Running jobs are asked to stop. One may still succeed before its worker hears of it."));
    if (preview.action == BulkAction::Cancel)
        lines.append(tr("This cannot be undone. A cancelled job can be retried as long as it is kept."));
    if (preview.action == BulkAction::Release)
        lines.append(
            tr("Other workers may start them at once. If their worker still runs them, they run twice, and its reports are refused."));
    if (preview.counts.gone > 0)
        lines.append(tr("Already gone: %1").arg(format.count(preview.counts.gone)));
    if (!preview.complete)
        lines.append(tr("More jobs match than one operation can have; repeat it for the rest."));
    for (const LimitMet &met : preview.limits) {
        const QString title = shown(met.title.isEmpty() ? met.matcher : met.title);
        const QString share = tr("%1 %", "percent").arg(format.count(std::llround(met.share * 100)));
        if (!met.overflow.isEmpty()) {
            lines.append(tr("%1 of them go into the backlog of “%2”. When %3 jobs are ready, it is full: %4.",
                            "a percentage, a JobMatcher, a count, what comes of new jobs")
                             .arg(share, title, format.count(met.maxReady), overflowText(met.overflow)));
            continue;
        }
        // Of two limits of one JobMatcher, the one that says how many it lets start.
        const auto rated = [&met](const LimitMet &other) { return other.matcher == met.matcher && other.perSecond > 0; };
        if (met.perSecond == 0 && std::any_of(preview.limits.begin(), preview.limits.end(), rated))
            continue;
        const QString rate = format.rate(met.perSecond);
        lines.append(met.perSecond > 0 ? tr("%1 of them meet the limit “%2”, which lets %3 start").arg(share, title, rate)
                                       : tr("%1 of them meet the limit “%2”").arg(share, title));
    }
    lines.removeDuplicates(); // two limits of one JobMatcher
    if (preview.drain_s > 0)
        lines.append(tr("They take at least %1 to start.").arg(format.duration(qint64(preview.drain_s * 1000))));
    lines.append(tr("Jobs that arrive later are not changed."));
    return lines;
}

} // namespace junban::ui
