#include "ui/limits/constrainttexts.h"

#include "ui/base/payloadtext.h"
#include "ui/base/text.h"
#include "ui/limits/windowtexts.h"

#include <QCoreApplication>
#include <QLocale>
#include <QSet>

namespace junban::ui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(ConstraintTexts)
};

QString seconds(double value_s, const Format &format)
{
    return format.duration(qint64(value_s * 1000 + 0.5));
}

QString costText(const Amount &amount)
{
    if (!amount.expression.isEmpty())
        return Texts::tr(", each costs %1").arg(shown(amount.expression));
    return amount.number == 1 ? QString() : Texts::tr(", each costs %1").arg(amount.number);
}

QString text(const RateParameters &rate, const Format &format)
{
    QString text = Texts::tr("%1 per %2", "jobs per duration").arg(format.count(rate.limit), seconds(rate.period_s, format));
    if (rate.algorithm == RateAlgorithm::Gcra && rate.burst > 1)
        text += Texts::tr(", burst %1").arg(format.count(rate.burst));
    else if (rate.algorithm == RateAlgorithm::Sliding)
        text += Texts::tr(", sliding");
    else if (rate.algorithm == RateAlgorithm::Fixed)
        text += Texts::tr(", in fixed windows of %1").arg(shown(rate.tz));
    return text + costText(rate.cost);
}

QString text(const ConcurrencyParameters &concurrency, const Format &format)
{
    QString text = Texts::tr("%1 at a time").arg(format.count(concurrency.limit)) + costText(concurrency.cost);
    if (concurrency.reserveAfter_s)
        text += Texts::tr(", reserves after %1").arg(seconds(*concurrency.reserveAfter_s, format));
    return text;
}

QString shareText(const ShareOf &share)
{
    QStringList parts;
    if (share.percent)
        parts.append(Texts::tr("%1 %", "percent").arg(QLocale().toString(*share.percent)));
    if (share.min)
        parts.append(Texts::tr("at least %1").arg(*share.min));
    if (share.max)
        parts.append(Texts::tr("at most %1").arg(*share.max));
    return parts.isEmpty() ? Texts::tr("any part") : parts.join(QLatin1Char(' '));
}

QString text(const ShareParameters &share, const Format &format)
{
    QStringList parts;
    for (const auto &[key, part] : share.shares)
        parts.append(Texts::tr("%1 %2", "a key and its share").arg(shown(key), shareText(part)));
    parts.append(Texts::tr("others %1").arg(shareText(share.otherwise)));
    return Texts::tr("%1 shared: %2").arg(format.count(share.capacity), parts.join(QStringLiteral(", ")))
        + (share.borrow ? Texts::tr(", may borrow") : QString());
}

QString windowsText(const QList<ConstraintWindow> &windows)
{
    QStringList parts;
    for (const ConstraintWindow &window : windows) {
        QString part = QStringLiteral("%1 %2–%3").arg(daysText(window.window.days), minutesText(window.window.from_min),
                                                      minutesText(window.window.to_min));
        if (!window.dates.isEmpty())
            part += Texts::tr(" on %1").arg(shown(window.dates.join(", ")));
        parts.append(part);
    }
    return parts.join(QStringLiteral("; "));
}

QString text(const WindowParameters &window, const Format &)
{
    QStringList parts;
    if (!window.allow.isEmpty())
        parts.append(Texts::tr("only %1").arg(windowsText(window.allow)));
    if (!window.deny.isEmpty())
        parts.append(Texts::tr("never %1").arg(windowsText(window.deny)));
    parts.append(shown(window.tz));
    if (window.onClose == OnClose::Cancel)
        parts.append(Texts::tr("cancels what runs"));
    return parts.join(QStringLiteral(", "));
}

QString text(const PauseParameters &pause, const Format &format)
{
    QString text = pause.until_ms ? Texts::tr("paused until %1").arg(format.dateTime(*pause.until_ms)) : Texts::tr("paused");
    return pause.reason.isEmpty() ? text : Texts::tr("%1: %2", "paused, and why").arg(text, shown(pause.reason));
}

QString text(const BreakerParameters &breaker, const Format &format)
{
    return Texts::tr("opens at %1 % failures in %2, for %3")
        .arg(QLocale().toString(breaker.failureRate * 100), seconds(breaker.window_s, format), seconds(breaker.openFor_s, format));
}

QString text(const CooldownParameters &cooldown, const Format &format)
{
    return Texts::tr("waits as a failure asks, at most %1").arg(seconds(cooldown.max_s, format));
}

QString text(const BacklogParameters &backlog, const Format &format)
{
    const QString over[] = {Texts::tr("more are refused"), Texts::tr("the oldest are dropped"), Texts::tr("more are coalesced")};
    return Texts::tr("%1 ready at most, %2").arg(format.count(backlog.maxReady), over[size_t(backlog.overflow)]);
}

QString text(const FairParameters &fair, const Format &)
{
    if (!fair.weight.expression.isEmpty())
        return Texts::tr("keys take turns by weight %1").arg(shown(fair.weight.expression));
    return Texts::tr("keys take turns");
}

QString text(const SetParameters &set, const Format &format)
{
    QStringList parts;
    if (set.priority)
        parts.append(Texts::tr("priority %1").arg(*set.priority));
    if (set.timeout_ms)
        parts.append(Texts::tr("timeout %1").arg(format.duration(*set.timeout_ms)));
    if (set.maxRetry)
        parts.append(Texts::tr("retries %1").arg(*set.maxRetry));
    if (set.backoff)
        parts.append(Texts::tr("retry delay %1").arg(format.duration(set.backoff->base_ms)));
    return parts.isEmpty() ? Texts::tr("sets nothing") : parts.join(QStringLiteral(", "));
}

} // namespace

QString kindName(ConstraintKind kind)
{
    switch (kind) {
    case ConstraintKind::Rate: return Texts::tr("Rate");
    case ConstraintKind::Concurrency: return Texts::tr("Concurrency");
    case ConstraintKind::Share: return Texts::tr("Shares");
    case ConstraintKind::Window: return Texts::tr("Time windows");
    case ConstraintKind::Pause: return Texts::tr("Pause");
    case ConstraintKind::Breaker: return Texts::tr("Circuit breaker");
    case ConstraintKind::Cooldown: return Texts::tr("Cooldown");
    case ConstraintKind::Backlog: return Texts::tr("Backlog");
    case ConstraintKind::Fair: return Texts::tr("Fair turns");
    case ConstraintKind::Set: return Texts::tr("Set fields");
    }
    return {};
}

QString kindName(const QByteArray &word)
{
    const std::optional<ConstraintKind> kind = kindFromWord(word);
    return kind ? kindName(*kind) : shown(word);
}

QString kindHelp(ConstraintKind kind)
{
    const QString helps[constraintKinds.size()] = {
        Texts::tr("At most so many jobs start in a period."),
        Texts::tr("At most so many jobs run at the same time."),
        Texts::tr("A capacity of running jobs is divided among keys."),
        Texts::tr("Jobs start only at certain hours."),
        Texts::tr("No job starts until the pause ends."),
        Texts::tr("When too many jobs fail, none starts for a while; then a few are tried."),
        Texts::tr("A failure that asks for a delay holds all jobs of its key for so long."),
        Texts::tr("At most so many jobs may be ready; what comes beyond is refused, dropped or coalesced."),
        Texts::tr("Among jobs of the same priority, keys take turns."),
        Texts::tr("Replaces fields of the jobs."),
    };
    return helps[size_t(kind)];
}

QString modeName(ConstraintMode mode)
{
    switch (mode) {
    case ConstraintMode::Enforce: return Texts::tr("in force");
    case ConstraintMode::Observe: return Texts::tr("observes only");
    case ConstraintMode::Off: return Texts::tr("off");
    }
    return {};
}

QString limitText(const Constraint &constraint, const Format &format)
{
    return std::visit([&](const auto &parameters) { return text(parameters, format); }, constraint.parameters);
}

QString constraintText(const Constraint &constraint, const Format &format)
{
    QStringList parts{limitText(constraint, format)};
    if (!constraint.by.isEmpty())
        parts.append(Texts::tr("for each %1").arg(shown(constraint.by.join(", "))));
    if (constraint.onMissing == OnMissing::Exempt)
        parts.append(Texts::tr("not for jobs without a key"));
    if (!constraint.overrides.isEmpty())
        parts.append(Texts::tr("%n exception(s)", nullptr, int(constraint.overrides.size())));
    if (constraint.mode != ConstraintMode::Enforce)
        parts.append(modeName(constraint.mode));
    if (constraint.expiresAt_ms)
        parts.append(Texts::tr("until %1").arg(format.dateTime(*constraint.expiresAt_ms)));
    return parts.join(QStringLiteral(" · "));
}

QString keyText(const QByteArray &key)
{
    return key.isEmpty() ? Texts::tr("all jobs", "the only bucket") : shown(key);
}

QString problemText(const cel::Problem &problem)
{
    return Texts::tr("Line %1, column %2: %3").arg(QString::number(problem.line), QString::number(problem.column), shown(problem.message));
}

QString constraintFault(const Error &error)
{
    const QByteArray field = error.field.mid(error.field.indexOf("].") + 2);
    return error.field.contains("].") ? QStringLiteral("%1: %2").arg(shown(field), shown(error.message)) : shown(error.message);
}

QList<MatcherRow> matcherRows(const JobMatcher &matcher, const Format &format)
{
    QList<MatcherRow> rows{
        {"title", Texts::tr("Title"), shown(matcher.title), {}},
        {"expression", Texts::tr("Expression"), QString::fromUtf8(matcher.expression), {}},
        {"note", Texts::tr("Note"), QString::fromUtf8(matcher.note), {}},
        {"enabled", Texts::tr("Switched on"), matcher.enabled ? Texts::tr("yes") : Texts::tr("no"), {}},
        {"rank", Texts::tr("Rank"), QString::number(matcher.rank), {}},
        {"exempts", Texts::tr("Exempts"), shown(matcher.exempts.join(", ")), {}},
    };
    const QList<QByteArray> keys = constraintKeys(matcher);
    for (qsizetype i = 0; i < keys.size(); ++i) {
        Constraint constraint = matcher.constraints[i];
        constraint.revision = 0; // when it was changed does not count as a difference
        rows.append({keys[i], kindName(constraint.kind()), constraintText(constraint, format),
                     QString::fromUtf8(payloadJson(constraint.packed(), -1))});
    }
    return rows;
}

QList<QByteArray> constraintKeys(const JobMatcher &matcher)
{
    QList<QByteArray> keys;
    int number = 0;
    for (const Constraint &constraint : matcher.constraints)
        keys.append(constraintRow + (constraint.id.isEmpty() ? "new " + QByteArray::number(++number) : constraint.id));
    return keys;
}

QList<MatcherDifference> differencesOf(const QList<JobMatcher> &matchers, const Format &format)
{
    QList<QByteArray> keys;
    QHash<QByteArray, MatcherDifference> rows;
    for (qsizetype i = 0; i < matchers.size(); ++i) {
        for (const MatcherRow &row : matcherRows(matchers[i], format)) {
            MatcherDifference &all = rows[row.key];
            if (all.key.isEmpty()) {
                keys.append(row.key);
                all = {row.key, row.name, QStringList(matchers.size(), {}), QStringList(matchers.size(), {})};
            }
            all.texts[i] = row.text;
            all.values[i] = row.exact.isEmpty() ? row.text : row.exact;
        }
    }
    QList<MatcherDifference> differences;
    for (const QByteArray &key : std::as_const(keys)) {
        MatcherDifference row = rows.value(key);
        const QSet<QString> texts(row.texts.begin(), row.texts.end()), values(row.values.begin(), row.values.end());
        if (values.size() < 2)
            continue;
        if (texts.size() < values.size()) // the short form hides the difference
            row.texts = row.values;
        differences.append(row);
    }
    return differences;
}

} // namespace junban::ui
