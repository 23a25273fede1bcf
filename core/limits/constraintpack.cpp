#include "core/limits/constraint.h"

#include "core/base/isotime.h"
#include "core/msgpack/mapwriter.h"

namespace junban {

namespace {

void write(MapWriter &map, const char *name, const Amount &amount)
{
    if (!amount.expression.isEmpty())
        map.text(name, amount.expression);
    else if (amount.number != 1)
        map.integer(name, amount.number);
}

void write(MapWriter &map, const RateParameters &rate)
{
    static constexpr const char *words[] = {"gcra", "sliding", "fixed"};
    map.integer("limit", rate.limit).number("period", rate.period_s).text("algorithm", words[size_t(rate.algorithm)]);
    if (rate.algorithm == RateAlgorithm::Gcra)
        map.integer("burst", rate.burst);
    if (rate.algorithm == RateAlgorithm::Fixed)
        map.text("tz", rate.tz);
    write(map, "cost", rate.cost);
}

void write(MapWriter &map, const ConcurrencyParameters &concurrency)
{
    map.integer("limit", concurrency.limit);
    write(map, "cost", concurrency.cost);
    if (concurrency.reserveAfter_s)
        map.number("reserve_after", *concurrency.reserveAfter_s);
}

QByteArray packed(const ShareOf &share)
{
    MapWriter map;
    if (share.min)
        map.integer("min", *share.min);
    if (share.max)
        map.integer("max", *share.max);
    if (share.percent)
        map.number("percent", *share.percent);
    return map.take();
}

void write(MapWriter &map, const ShareParameters &share)
{
    map.integer("capacity", share.capacity).boolean("borrow", share.borrow);
    MapWriter shares;
    for (const auto &[key, of] : share.shares)
        shares.raw(key.constData(), packed(of));
    map.raw("shares", shares.take());
    if (share.otherwise != ShareOf{})
        map.raw("default", packed(share.otherwise));
}

// The calendar's own words for hours and days, without the zone, and ours for dates.
QByteArray packed(const QList<ConstraintWindow> &windows)
{
    MsgpackWriter list;
    list.array(windows.size());
    for (const ConstraintWindow &window : windows) {
        const QByteArray plain = windowsToMsgpack({window.window});
        MapWriter map;
        for (const char *field : {"from", "to", "days"}) {
            const payload::Step path[] = {{{}, 0}, {QByteArrayView(field), -1}};
            if (const auto value = payload::find(plain, path))
                map.raw(field, value->toByteArray());
        }
        if (!window.dates.isEmpty()) {
            MsgpackWriter dates;
            dates.array(window.dates.size());
            for (const QByteArray &date : window.dates)
                dates.text(date);
            map.raw("dates", dates.take());
        }
        list.raw(map.take());
    }
    return list.take();
}

void write(MapWriter &map, const WindowParameters &window)
{
    if (!window.allow.isEmpty())
        map.raw("allow", packed(window.allow));
    if (!window.deny.isEmpty())
        map.raw("deny", packed(window.deny));
    map.text("tz", window.tz).text("on_close", window.onClose == OnClose::Finish ? "finish" : "cancel");
}

void write(MapWriter &map, const PauseParameters &pause)
{
    if (pause.until_ms)
        map.text("until", isoTime(*pause.until_ms));
    map.text("reason", pause.reason);
}

void write(MapWriter &map, const BreakerParameters &breaker)
{
    map.number("window", breaker.window_s).integer("min_samples", breaker.minSamples).number("failure_rate", breaker.failureRate);
    map.number("open_for", breaker.openFor_s).number("factor", breaker.factor).number("max_open", breaker.maxOpen_s);
    map.integer("probes", breaker.probes);
}

void write(MapWriter &map, const CooldownParameters &cooldown)
{
    map.number("max", cooldown.max_s);
}

void write(MapWriter &map, const BacklogParameters &backlog)
{
    static constexpr const char *words[] = {"reject", "drop_oldest", "coalesce"};
    map.integer("max_ready", backlog.maxReady).text("overflow", words[size_t(backlog.overflow)]);
}

void write(MapWriter &map, const FairParameters &fair)
{
    write(map, "weight", fair.weight);
}

void write(MapWriter &map, const SetParameters &set)
{
    if (set.priority)
        map.integer("priority", *set.priority);
    if (set.timeout_ms)
        map.number("timeout", double(*set.timeout_ms) / 1000);
    if (set.maxRetry)
        map.integer("max_retry", *set.maxRetry);
    if (set.backoff) {
        MapWriter backoff;
        backoff.number("base", double(set.backoff->base_ms) / 1000).number("factor", set.backoff->factor);
        backoff.number("max", double(set.backoff->max_ms) / 1000).number("jitter", set.backoff->jitter);
        map.raw("backoff", backoff.take());
    }
}

} // namespace

QByteArray Constraint::packed() const
{
    MapWriter map;
    if (!id.isEmpty())
        map.text("id", id);
    map.text("kind", kindWord(kind()));
    std::visit([&](const auto &of) { write(map, of); }, parameters);
    if (!by.isEmpty()) {
        MsgpackWriter list;
        list.array(by.size());
        for (const QByteArray &expression : by)
            list.text(expression);
        map.raw("by", list.take());
    }
    if (!by.isEmpty() || onMissing == OnMissing::Exempt)
        map.text("on_missing", onMissing == OnMissing::Share ? "share" : "exempt");
    if (!overrides.isEmpty()) {
        MapWriter keys;
        for (const Override &override : overrides)
            keys.raw(override.key.constData(), override.fields);
        map.raw("overrides", keys.take());
    }
    map.text("mode", modeWord(mode));
    if (expiresAt_ms)
        map.text("expires_at", isoTime(*expiresAt_ms));
    if (revision > 0)
        map.integer("revision", revision);
    return map.take();
}

} // namespace junban
