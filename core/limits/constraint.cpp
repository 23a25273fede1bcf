#include "core/limits/constraint.h"

#include "core/calendar/timezone.h"
#include "core/limits.h"
#include "core/msgpack/fields.h"
#include "core/msgpack/msgpackwriter.h"

#include <QDate>
#include <algorithm>
#include <cmath>

namespace junban {

namespace {

constexpr const char *kindWords[] = {"rate", "concurrency", "share", "window", "pause", "breaker", "cooldown", "backlog", "fair", "set"};

void readAmount(Fields &fields, const char *name, qint64 max, Amount &amount)
{
    const auto bytes = fields.value(name);
    if (!bytes)
        return;
    const auto token = payload::Reader(*bytes).next();
    if (token && token->type == payload::Type::String) {
        if (const auto expression = fields.lines(name, limits::matcher_text_bytes_max))
            amount = Amount{1, *expression};
        if (amount.expression.trimmed().isEmpty())
            fields.refuse(name, "The expression is empty.");
    } else if (const auto number = fields.integer(name, 1, max)) {
        amount = Amount{*number, {}};
    }
}

void readZone(Fields &fields, const char *name, QByteArray &tz)
{
    const auto given = fields.text(name, limits::time_zone_bytes_max);
    if (!given)
        return;
    const Result<TimeZone> zone = TimeZone::named(*given, fields.pathOf(name));
    if (zone.ok())
        tz = *given;
    else
        fields.refuse(zone.error());
}

template<typename T, typename U>
void take(const std::optional<T> &given, U &into)
{
    if (given)
        into = U(*given);
}

void read(Fields &fields, RateParameters &rate)
{
    take(fields.integer("limit", 0, limits::constraint_limit_max), rate.limit);
    take(fields.number("period", limits::rate_period_s_min, limits::rate_period_s_max), rate.period_s);
    take(fields.word("algorithm", {"gcra", "sliding", "fixed"}), rate.algorithm);
    const auto burst = fields.integer("burst", 1, limits::constraint_limit_max);
    take(burst, rate.burst);
    readAmount(fields, "cost", limits::constraint_cost_max, rate.cost);
    readZone(fields, "tz", rate.tz);
    if (rate.algorithm != RateAlgorithm::Gcra && burst)
        fields.refuse("burst", "Only the algorithm gcra has a burst.");
    if (rate.algorithm != RateAlgorithm::Fixed && fields.has("tz"))
        fields.refuse("tz", "Only the algorithm fixed has a time zone.");
    if (rate.algorithm == RateAlgorithm::Sliding && rate.limit > limits::rate_sliding_limit_max)
        fields.refuse("limit", "A sliding limit is at most 10,000; gcra takes larger ones.");
}

void read(Fields &fields, ConcurrencyParameters &concurrency)
{
    take(fields.integer("limit", 0, limits::constraint_limit_max), concurrency.limit);
    readAmount(fields, "cost", limits::constraint_cost_max, concurrency.cost);
    if (const auto after = fields.number("reserve_after", 0, limits::constraint_wait_s_max))
        concurrency.reserveAfter_s = after;
}

ShareOf readShare(QByteArrayView map, const QByteArray &path, Fields &outer)
{
    ShareOf share;
    Fields fields(map, path);
    share.min = fields.integer("min", 0, limits::constraint_limit_max);
    share.max = fields.integer("max", 0, limits::constraint_limit_max);
    share.percent = fields.number("percent", 0, 100);
    if (share.percent && (share.min || share.max))
        fields.refuse("percent", "A share is a percentage, or has bounds, not both.");
    if (share.min && share.max && *share.min > *share.max)
        fields.refuse("min", "The smallest share is larger than the largest.");
    const Result<Done> done = fields.finish();
    if (!done.ok())
        outer.refuse(done.error());
    return share;
}

void read(Fields &fields, ShareParameters &share)
{
    take(fields.integer("capacity", 0, limits::constraint_limit_max), share.capacity);
    take(fields.boolean("borrow"), share.borrow);
    if (const auto listed = fields.map("shares", limits::share_keys_max)) {
        share.shares.clear();
        for (const auto &[key, value] : *listed)
            share.shares.append({key, readShare(value, fields.pathOf("shares." + key), fields)});
    }
    if (const auto otherwise = fields.value("default"))
        share.otherwise = readShare(*otherwise, fields.pathOf("default"), fields);
    qint64 promised = 0;
    for (const auto &[key, of] : std::as_const(share.shares))
        promised += of.percent ? qint64(std::floor(double(share.capacity) * *of.percent / 100)) : of.min.value_or(0);
    if (promised > share.capacity)
        fields.refuse("shares", "The shares together are more than the capacity.");
}

bool isDate(QByteArrayView text)
{
    return text.size() == 10 && QDate::fromString(QString::fromLatin1(text), Qt::ISODate).isValid();
}

void readWindows(Fields &fields, const char *name, const QByteArray &tz, QList<ConstraintWindow> &windows)
{
    const auto given = fields.list(name, limits::constraint_windows_max);
    if (!given)
        return;
    windows.clear();
    for (qsizetype i = 0; i < given->size() && fields.ok(); ++i) {
        const QByteArray path = fields.pathOf(QByteArray(name) + '[' + QByteArray::number(i) + ']');
        ConstraintWindow window;
        Fields each((*given)[i], path);
        // The calendar reads what it knows; the zone stands outside, and dates are ours.
        const bool wholeDays = each.has("dates") && !each.has("from") && !each.has("to");
        MsgpackWriter plain;
        plain.array(1).map(1 + (wholeDays ? 2 : each.has("from") + each.has("to")) + each.has("days")).text("tz").text(tz);
        if (wholeDays)
            plain.text("from").text("00:00").text("to").text("24:00");
        for (const char *field : {"from", "to", "days"}) {
            if (const auto bytes = each.value(field))
                plain.text(field).raw(*bytes);
            else if (each.has(field))
                plain.text(field).nil();
        }
        if (const auto dates = each.list("dates", limits::constraint_dates_max)) {
            for (const QByteArrayView packed : *dates) {
                const auto token = payload::Reader(packed).next();
                if (token && token->type == payload::Type::String && isDate(token->bytes))
                    window.dates.append(token->bytes.toByteArray());
                else
                    each.refuse("dates", "A date is written like 2026-12-24.");
            }
        }
        const Result<Done> done = each.finish();
        const Result<QList<Window>> read = windowsFromMsgpack(plain.take(), "window");
        if (!done.ok()) {
            fields.refuse(done.error());
        } else if (!read.ok()) {
            Error error = read.error();
            error.field = path + (error.field.startsWith("window[0]") ? error.field.mid(9) : QByteArray());
            fields.refuse(error);
        } else {
            window.window = read->first();
            windows.append(window);
        }
    }
}

void read(Fields &fields, WindowParameters &window)
{
    readZone(fields, "tz", window.tz);
    take(fields.word("on_close", {"finish", "cancel"}), window.onClose);
    readWindows(fields, "allow", window.tz, window.allow);
    readWindows(fields, "deny", window.tz, window.deny);
    for (QList<ConstraintWindow> *windows : {&window.allow, &window.deny}) {
        for (ConstraintWindow &each : *windows)
            each.window.tz = window.tz;
    }
    if (window.allow.isEmpty() && window.deny.isEmpty())
        fields.refuse("allow", "A window needs 'allow' or 'deny'.");
}

void read(Fields &fields, PauseParameters &pause)
{
    if (const auto until = fields.time("until"))
        pause.until_ms = until;
    take(fields.text("reason", limits::matcher_title_bytes_max), pause.reason);
}

void read(Fields &fields, BreakerParameters &breaker)
{
    take(fields.number("window", 1, limits::constraint_wait_s_max), breaker.window_s);
    take(fields.integer("min_samples", 1, limits::breaker_samples_max), breaker.minSamples);
    take(fields.number("failure_rate", 0.001, 1), breaker.failureRate);
    take(fields.number("open_for", 0.001, limits::constraint_wait_s_max), breaker.openFor_s);
    take(fields.number("factor", 1, limits::backoff_factor_max), breaker.factor);
    take(fields.number("max_open", 0.001, limits::constraint_wait_s_max), breaker.maxOpen_s);
    take(fields.integer("probes", 1, limits::breaker_samples_max), breaker.probes);
    if (breaker.maxOpen_s < breaker.openFor_s)
        fields.refuse("max_open", "This must not be shorter than open_for.");
}

void read(Fields &fields, CooldownParameters &cooldown)
{
    take(fields.number("max", 0.001, limits::constraint_wait_s_max), cooldown.max_s);
}

void read(Fields &fields, BacklogParameters &backlog)
{
    take(fields.integer("max_ready", 0, limits::constraint_limit_max), backlog.maxReady);
    take(fields.word("overflow", {"reject", "drop_oldest", "coalesce"}), backlog.overflow);
}

void read(Fields &fields, FairParameters &fair)
{
    readAmount(fields, "weight", limits::fair_weight_max, fair.weight);
}

void read(Fields &fields, SetParameters &set)
{
    const auto toMilliseconds = [](double seconds) { return qint64(std::llround(seconds * 1000)); };
    if (const auto priority = fields.integer("priority", std::numeric_limits<qint32>::min(), std::numeric_limits<qint32>::max()))
        set.priority = qint32(*priority);
    if (const auto timeout = fields.number("timeout", limits::timeout_s_min, limits::timeout_s_max))
        set.timeout_ms = toMilliseconds(*timeout);
    if (const auto retry = fields.integer("max_retry", 0, limits::max_retry_max))
        set.maxRetry = int(*retry);
    if (const auto packed = fields.value("backoff")) {
        Backoff backoff;
        Fields inner(*packed, fields.pathOf("backoff"));
        if (const auto base = inner.number("base", 0, limits::backoff_base_s_max))
            backoff.base_ms = toMilliseconds(*base);
        take(inner.number("factor", 1, limits::backoff_factor_max), backoff.factor);
        if (const auto max = inner.number("max", 0, limits::backoff_max_s_max))
            backoff.max_ms = toMilliseconds(*max);
        take(inner.number("jitter", 0, limits::backoff_jitter_max), backoff.jitter);
        const Result<Done> done = inner.finish();
        if (!done.ok())
            fields.refuse(done.error());
        set.backoff = backoff;
    }
    if (set == SetParameters{})
        fields.refuse("priority", "'set' needs at least one of priority, timeout, max_retry and backoff.");
}

// Fields without which a kind says nothing.
void requireOf(ConstraintKind kind, Fields &fields)
{
    switch (kind) {
    case ConstraintKind::Rate:
        fields.require("limit");
        fields.require("period");
        return;
    case ConstraintKind::Concurrency: fields.require("limit"); return;
    case ConstraintKind::Share:
        fields.require("capacity");
        fields.require("by");
        return;
    case ConstraintKind::Backlog: fields.require("max_ready"); return;
    case ConstraintKind::Fair: fields.require("by"); return;
    default: return;
    }
}

} // namespace

const char *kindWord(ConstraintKind kind)
{
    return kindWords[size_t(kind)];
}

std::optional<ConstraintKind> kindFromWord(QByteArrayView word)
{
    for (size_t i = 0; i < std::size(kindWords); ++i) {
        if (word == QByteArrayView(kindWords[i]))
            return ConstraintKind(i);
    }
    return {};
}

const char *modeWord(ConstraintMode mode)
{
    static constexpr const char *words[] = {"enforce", "observe", "off"};
    return words[size_t(mode)];
}

Parameters defaultParameters(ConstraintKind kind)
{
    switch (kind) {
    case ConstraintKind::Rate: return RateParameters{};
    case ConstraintKind::Concurrency: return ConcurrencyParameters{};
    case ConstraintKind::Share: return ShareParameters{};
    case ConstraintKind::Window: return WindowParameters{};
    case ConstraintKind::Pause: return PauseParameters{};
    case ConstraintKind::Breaker: return BreakerParameters{};
    case ConstraintKind::Cooldown: return CooldownParameters{};
    case ConstraintKind::Backlog: return BacklogParameters{};
    case ConstraintKind::Fair: return FairParameters{};
    case ConstraintKind::Set: break;
    }
    return SetParameters{};
}

Parameters readParameters(ConstraintKind kind, Fields &fields, const Parameters &base)
{
    Parameters parameters = base.index() == size_t(kind) ? base : defaultParameters(kind);
    std::visit([&](auto &of) { read(fields, of); }, parameters);
    return parameters;
}

const Amount *amountOf(const Parameters &parameters)
{
    if (const auto *rate = std::get_if<RateParameters>(&parameters))
        return &rate->cost;
    if (const auto *concurrency = std::get_if<ConcurrencyParameters>(&parameters))
        return &concurrency->cost;
    if (const auto *fair = std::get_if<FairParameters>(&parameters))
        return &fair->weight;
    return nullptr;
}

Parameters Constraint::parametersFor(const QByteArray &keyText) const
{
    for (const Override &override : overrides) {
        if (override.key == keyText) {
            Fields fields(override.fields, {});
            return readParameters(kind(), fields, parameters);
        }
    }
    return parameters;
}

Result<Constraint> Constraint::fromMsgpack(QByteArrayView map, const QByteArray &path)
{
    Constraint constraint;
    Fields fields(map, path);
    fields.require("kind");
    const auto kind = fields.word("kind",
        {"rate", "concurrency", "share", "window", "pause", "breaker", "cooldown", "backlog", "fair", "set"});
    if (!kind)
        return fields.finish().error();
    requireOf(ConstraintKind(*kind), fields);
    take(fields.text("id", limits::matcher_id_bytes_max * 2), constraint.id);
    if (fields.has("id") && constraint.id.isEmpty())
        fields.refuse("id", "An id is not empty; leave it out and one is made.");
    constraint.parameters = readParameters(ConstraintKind(*kind), fields, defaultParameters(ConstraintKind(*kind)));
    take(fields.word("on_missing", {"share", "exempt"}), constraint.onMissing);
    take(fields.word("mode", {"enforce", "observe", "off"}), constraint.mode);
    constraint.expiresAt_ms = fields.time("expires_at");
    take(fields.integer("revision", 1, std::numeric_limits<qint64>::max()), constraint.revision);
    if (const auto by = fields.list("by", limits::constraint_by_max)) {
        for (const QByteArrayView packed : *by) {
            const auto token = payload::Reader(packed).next();
            if (token && token->type == payload::Type::String && token->bytes.size() <= limits::matcher_text_bytes_max)
                constraint.by.append(token->bytes.toByteArray());
            else
                fields.refuse("by", "'by' is a list of expressions.");
        }
        if (constraint.kind() == ConstraintKind::Set && !constraint.by.isEmpty())
            fields.refuse("by", "'set' has no buckets.");
        if (by->isEmpty() && (constraint.kind() == ConstraintKind::Share || constraint.kind() == ConstraintKind::Fair))
            fields.refuse("by", "This kind needs at least one expression here.");
    }
    if (const auto overrides = fields.map("overrides", limits::constraint_overrides_max)) {
        for (const auto &[key, packed] : *overrides) {
            Fields each(packed, fields.pathOf("overrides." + key));
            const Parameters other = readParameters(constraint.kind(), each, constraint.parameters);
            if (each.has("cost") || each.has("weight")) {
                const Amount *amount = amountOf(other);
                if (amount && !amount->expression.isEmpty())
                    each.refuse(each.has("cost") ? "cost" : "weight", "For one key this is a number.");
            }
            const Result<Done> done = each.finish();
            if (!done.ok())
                fields.refuse(done.error());
            constraint.overrides.append({key, packed.toByteArray()});
        }
        if (constraint.by.isEmpty() && !overrides->isEmpty())
            fields.refuse("overrides", "Without 'by' there is one bucket only, and nothing to override.");
    }
    const Result<Done> done = fields.finish();
    if (!done.ok())
        return done.error();
    return constraint;
}

} // namespace junban
