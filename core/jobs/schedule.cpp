#include "core/jobs/schedule.h"

#include "core/base/reasons/calendar.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/payload.h"

#include <algorithm>

namespace junban {

QByteArray Recurrence::packed() const
{
    MsgpackWriter writer;
    if (cron.isEmpty())
        return writer.array(2).integer(interval.every_ms).integer(interval.anchor_ms).take();
    return writer.array(2).text(cron).text(tz).take();
}

std::optional<Recurrence> Recurrence::unpacked(QByteArrayView bytes)
{
    payload::Reader reader(bytes);
    const auto head = reader.next();
    const auto first = head && head->type == payload::Type::Array && head->count == 2 ? reader.next() : std::nullopt;
    const auto second = first ? reader.next() : std::nullopt;
    const bool fits = second && first->type == second->type && (first->type == payload::Type::String || first->type == payload::Type::Int);
    if (!fits || !reader.atEnd())
        return {};
    Recurrence recurrence;
    if (first->type == payload::Type::String) {
        recurrence.cron = first->bytes.toByteArray();
        recurrence.tz = second->bytes.toByteArray();
    } else {
        recurrence.interval = {first->integer, second->integer};
    }
    return recurrence;
}

Firings::Firings(const Recurrence &recurrence)
{
    if (recurrence.cron.isEmpty()) {
        if (recurrence.interval.every_ms > 0)
            m_interval = recurrence.interval;
        else
            m_why = reasons::intervalDamaged();
        return;
    }
    Result<Cron> cron = Cron::parse(recurrence.cron, "cron");
    Result<TimeZone> zone = TimeZone::named(recurrence.tz, "tz");
    if (!cron.ok() || !zone.ok()) {
        m_why = cron.ok() ? TimeZone::lost(recurrence.tz).reason : reasons::cronNotUnderstood(cron.error().reason);
        return;
    }
    m_cron = std::move(*cron);
    m_zone = std::move(*zone);
}

std::optional<qint64> Firings::after_ms(qint64 at_ms) const
{
    if (m_interval)
        return m_interval->nextAfter_ms(at_ms);
    return m_cron ? m_cron->nextAfter_ms(at_ms, m_zone) : std::nullopt;
}

QList<qint64> Firings::after_ms(qint64 at_ms, int count) const
{
    QList<qint64> times;
    for (std::optional<qint64> next = after_ms(at_ms); next && times.size() < count; next = after_ms(*next))
        times.append(*next);
    return times;
}

QList<qint64> Firings::latest_ms(qint64 from_ms, qint64 until_ms, int count) const
{
    // Looks back from the end, twice as far each time, until the span has `count` firings. So the firings before it are not walked through.
    const QList<qint64> first = after_ms(from_ms, count + 1);
    qint64 span_ms = std::max<qint64>(first.isEmpty() ? 0 : first.last() - from_ms, 60'000);
    for (;; span_ms *= 2) {
        const qint64 begin_ms = std::max(from_ms, until_ms - span_ms);
        QList<qint64> times;
        for (std::optional<qint64> next = after_ms(begin_ms); next && *next <= until_ms; next = after_ms(*next))
            times.append(*next);
        if (times.size() >= count)
            return times.last(count);
        if (begin_ms == from_ms)
            return times;
    }
}

QList<PlannedFiring> planFirings(const Firings &firings, qint64 due_ms, qint64 now_ms, Missed missed, int missedMax, int most)
{
    QList<qint64> dues{due_ms};
    std::optional<qint64> next = firings.after_ms(due_ms);
    while (next && *next <= now_ms && dues.size() < limits::schedule_catch_up_max) {
        dues.append(*next);
        next = firings.after_ms(*next);
    }
    int over = 0;
    const int wanted = missed == Missed::All ? missedMax : 1;
    if (next && *next <= now_ms) {
        // There are too many to count them all, and only the latest of the rest matter. If these are fewer than wanted, they are all.
        dues += firings.latest_ms(dues.last(), now_ms, wanted);
        next = firings.after_ms(dues.last());
    }
    if (dues.size() > wanted) {
        over = std::min(int(dues.size()) - wanted, limits::schedule_catch_up_max);
        dues = dues.last(wanted);
    }
    if (missed == Missed::None && now_ms - dues.last() > qint64(limits::schedule_late_s * 1000))
        return {{due_ms, 0, next.value_or(0), std::min(over + 1, limits::schedule_catch_up_max)}};
    QList<PlannedFiring> plan;
    for (qsizetype i = 0; i < dues.size() && plan.size() < most; ++i) {
        const qint64 following_ms = i + 1 < dues.size() ? dues[i + 1] : next.value_or(0);
        plan.append({i == 0 ? due_ms : dues[i], dues[i], following_ms, i == 0 ? over : 0});
    }
    return plan;
}

} // namespace junban
