#include "ui/limits/constrainttexts.h"

#include "core/base/durations.h"
#include "ui/base/reasontexts.h"
#include "ui/base/payloadtext.h"
#include "ui/base/text.h"

#include <QSet>
#include <algorithm>
#include <limits>
#include <variant>

namespace junban::ui {

KindView viewOf(ConstraintKind kind)
{
    return std::visit([]<typename Of>(const Of &) { return viewOf<Of>(); }, defaultParameters(kind));
}

QString kindName(const QByteArray &word)
{
    if (word == "unreadable")
        return ConstraintTexts::tr("Unreadable", "what cannot be read any more");
    const std::optional<ConstraintKind> kind = kindFromWord(word);
    return kind ? viewOf(*kind).name : shown(word);
}

bool opensBriefly(const QByteArray &kind)
{
    const std::optional<ConstraintKind> known = kindFromWord(kind);
    return known && kindOf(*known).brief;
}

QString holderText(const QByteArray &kind, const QByteArray &title)
{
    return kind == PauseParameters::kind.word ? ConstraintTexts::tr("Pause “%1”", "its reason").arg(shown(title)) : shown(title);
}

QString heldText(const HeldNow &held, const Format &format)
{
    const auto clamped = [](qint64 count) { return int(std::min<qint64>(count, std::numeric_limits<int>::max())); };
    const QString total = held.complete ? ConstraintTexts::tr("%Ln job(s) are held", nullptr, clamped(held.jobs))
                                        : ConstraintTexts::tr("At least %Ln job(s) are held", nullptr, clamped(held.jobs));
    if (held.by.isEmpty())
        return total;
    const HeldBy &first = held.by.first();
    const QString title = holderText(first.kind, first.title.isEmpty() ? first.matcher : first.title);
    if (held.by.size() == 1)
        return ConstraintTexts::tr("%1 by %2", "jobs are held, a JobMatcher").arg(total, title);
    if (first.jobs >= held.jobs) // "most" would say that it is less
        return ConstraintTexts::tr("%1 by %2 and %Ln more limit(s)", "jobs are held, a JobMatcher", int(held.by.size()) - 1)
            .arg(total, title);
    return total + QStringLiteral(" · ")
        + ConstraintTexts::tr("most by %1: %2", "a JobMatcher, a count").arg(title, format.count(first.jobs));
}

QString overflowText(const QByteArray &word)
{
    if (word == overflowWords[size_t(Overflow::DropOldest)])
        return ConstraintTexts::tr("each new job drops the oldest", "a backlog is full");
    if (word == overflowWords[size_t(Overflow::Coalesce)])
        return ConstraintTexts::tr("new jobs join the newest waiting job", "a backlog is full");
    return ConstraintTexts::tr("new jobs are refused", "a backlog is full");
}

QString modeName(ConstraintMode mode)
{
    switch (mode) {
    case ConstraintMode::Enforce: return ConstraintTexts::tr("enforced");
    case ConstraintMode::Observe: return ConstraintTexts::tr("observes only");
    case ConstraintMode::Off: return ConstraintTexts::tr("off");
    }
    return {};
}

QByteArray zoneOf(const Constraint &constraint)
{
    const auto *window = std::get_if<WindowParameters>(&constraint.parameters);
    return window ? window->tz : QByteArray();
}

QString limitText(const Constraint &constraint, const Format &format)
{
    return std::visit([&](const auto &parameters) { return textOf(parameters, format); }, constraint.parameters);
}

QString constraintText(const Constraint &constraint, const Format &format)
{
    QStringList parts{limitText(constraint, format)};
    if (!constraint.by.isEmpty())
        parts.append(ConstraintTexts::tr("for each %1").arg(shown(constraint.by.join(", "))));
    if (constraint.onMissing == OnMissing::Exempt)
        parts.append(ConstraintTexts::tr("not for jobs without a key"));
    if (!constraint.overrides.isEmpty())
        parts.append(ConstraintTexts::tr("%Ln exception(s)", nullptr, int(constraint.overrides.size())));
    if (constraint.mode != ConstraintMode::Enforce)
        parts.append(modeName(constraint.mode));
    if (constraint.expiresAt_ms)
        parts.append(ConstraintTexts::tr("until %1").arg(format.dateTime(*constraint.expiresAt_ms)));
    return parts.join(QStringLiteral(" · "));
}

QString keyText(const QByteArray &key)
{
    return key.isEmpty() ? ConstraintTexts::tr("all that match", "jobs, of the only bucket") : shown(key);
}

QString problemText(const cel::Problem &problem)
{
    return ConstraintTexts::tr("Line %1, column %2: %3")
        .arg(QString::number(problem.line), QString::number(problem.column), reasonText(problem.reason));
}

QString fieldLabel(const QByteArray &field)
{
    static constexpr std::pair<const char *, const char *> labels[] = {
        {"by", QT_TRANSLATE_NOOP("ConstraintTexts", "For each")}, {"overrides", QT_TRANSLATE_NOOP("ConstraintTexts", "Exceptions (JSON)")},
        {"tz", QT_TRANSLATE_NOOP("ConstraintTexts", "Time zone")}, {"cost", QT_TRANSLATE_NOOP("ConstraintTexts", "Cost of a job")},
        {"weight", QT_TRANSLATE_NOOP("ConstraintTexts", "Weight of a key")}, {"dates", QT_TRANSLATE_NOOP("ConstraintTexts", "Dates")},
        {"expression", QT_TRANSLATE_NOOP("ConstraintTexts", "Expression")}};
    QByteArray word = field.mid(field.lastIndexOf('.') + 1);
    word = word.first(word.contains('[') ? word.indexOf('[') : word.size());
    for (const auto &[name, label] : labels) {
        if (word == name)
            return ConstraintTexts::tr(label);
    }
    return shown(field.mid(field.contains("].") ? field.indexOf("].") + 2 : 0));
}

QString constraintFault(const Error &error)
{
    if (!error.field.contains("]."))
        return reasonText(error.reason);
    // The form's word for the field, in the sentence or before it.
    const QString label = fieldLabel(error.field);
    Reason reason = error.reason;
    for (ReasonValue &value : reason.values) {
        if (value.name == "field") {
            value.content = label.toUtf8();
            return reasonText(reason);
        }
    }
    return QStringLiteral("%1: %2").arg(label, reasonText(reason));
}

QList<MatcherRow> matcherRows(const JobMatcher &matcher, const Format &format)
{
    QList<MatcherRow> rows{
        {"title", ConstraintTexts::tr("Title"), shown(matcher.title), {}},
        {"expression", ConstraintTexts::tr("Expression"), QString::fromUtf8(matcher.expression), {}},
        {"note", ConstraintTexts::tr("Note"), QString::fromUtf8(matcher.note), {}},
        {"enabled", ConstraintTexts::tr("Enabled"), matcher.enabled ? ConstraintTexts::tr("yes") : ConstraintTexts::tr("no"), {}},
        {"rank", ConstraintTexts::tr("Rank"), QString::number(matcher.rank), {}},
        {"exempts", ConstraintTexts::tr("Exempts"), shown(matcher.exempts.join(", ")), {}},
        {"mask", ConstraintTexts::tr("Masked fields"), shown(matcher.mask.join(", ")), {}},
    };
    const QList<QByteArray> keys = constraintKeys(matcher);
    for (qsizetype i = 0; i < keys.size(); ++i) {
        Constraint constraint = matcher.constraints[i];
        constraint.revision = 0; // when it was changed does not count as a difference
        rows.append({keys[i], viewOf(constraint.kind()).name, constraintText(constraint, format),
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

std::optional<qint64> capacityOf(const client::LiveConstraint &live)
{
    if (!live.constraint.by.isEmpty() && !std::holds_alternative<ShareParameters>(live.constraint.parameters))
        return {};
    if (const auto *concurrency = std::get_if<ConcurrencyParameters>(&live.constraint.parameters))
        return concurrency->limit;
    constexpr double calm_s = 60; // what has started in a shorter period is another number with each look
    if (const auto *rate = std::get_if<RateParameters>(&live.constraint.parameters); rate && rate->period_s >= calm_s)
        return rate->limit;
    if (const auto *share = std::get_if<ShareParameters>(&live.constraint.parameters))
        return share->capacity;
    if (const auto *backlog = std::get_if<BacklogParameters>(&live.constraint.parameters))
        return backlog->maxReady;
    return {};
}

qint64 takenOf(const client::LiveConstraint &live)
{
    return live.constraint.kind() == ConstraintKind::Backlog ? live.waiting : live.used;
}

std::optional<qint64> clearsIn_ms(const client::LiveConstraint &live)
{
    const auto *rate = std::get_if<RateParameters>(&live.constraint.parameters);
    if (!rate || !live.constraint.by.isEmpty() || rate->limit <= 0 || live.waiting <= rate->limit)
        return {};
    return qint64(double(live.waiting) / double(rate->limit) * rate->period_s * second_ms);
}

} // namespace junban::ui
