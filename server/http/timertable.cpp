#include "server/http/timertable.h"

#include <QCoreApplication>
#include <QTimerEvent>
#include <QVarLengthArray>
#include <algorithm>
#include <ctime>
#include <limits>

namespace junban {

qint64 TimerTable::now_ns()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return qint64(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

void TimerTable::add(int id, qint64 interval_ms, Qt::TimerType type, QObject *object)
{
    // Longer intervals (centuries) are cut, so that the nanoseconds do not overflow.
    constexpr qint64 interval_ms_max = std::numeric_limits<qint64>::max() / 4 / 1'000'000;
    Timer timer;
    timer.interval_ns = std::clamp<qint64>(interval_ms, 0, interval_ms_max) * 1'000'000;
    timer.due_ns = now_ns() + timer.interval_ns;
    timer.type = type;
    timer.object = object;
    remove(id);
    m_order.emplace(std::pair(timer.due_ns, id), id);
    m_timers.insert(id, timer);
}

bool TimerTable::remove(int id)
{
    const auto found = m_timers.constFind(id);
    if (found == m_timers.cend())
        return false;
    m_order.erase(std::pair(found->due_ns, id));
    m_timers.erase(found);
    return true;
}

bool TimerTable::removeAll(QObject *object)
{
    QList<int> ids;
    for (auto timer = m_timers.cbegin(); timer != m_timers.cend(); ++timer) {
        if (timer->object == object)
            ids.append(timer.key());
    }
    for (const int id : ids)
        remove(id);
    return !ids.isEmpty();
}

QList<QAbstractEventDispatcher::TimerInfo> TimerTable::timersOf(QObject *object) const
{
    QList<QAbstractEventDispatcher::TimerInfo> infos;
    for (auto timer = m_timers.cbegin(); timer != m_timers.cend(); ++timer) {
        if (timer->object == object)
            infos.append({timer.key(), static_cast<int>(timer->interval_ns / 1'000'000), timer->type});
    }
    return infos;
}

static qint64 millisecondsUp(qint64 ns)
{
    return ns <= 0 ? 0 : (ns + 999'999) / 1'000'000;
}

std::optional<qint64> TimerTable::remaining_ms(int id) const
{
    const auto found = m_timers.constFind(id);
    if (found == m_timers.cend())
        return {};
    return millisecondsUp(found->due_ns - now_ns());
}

std::optional<qint64> TimerTable::wait_ms() const
{
    if (m_order.empty())
        return {};
    return millisecondsUp(m_order.begin()->first.first - now_ns());
}

int TimerTable::fire()
{
    if (m_order.empty())
        return 0;
    const qint64 now = now_ns();
    // First the due timers are collected: a timer that is started or falls due while others run waits for the next turn.
    QVarLengthArray<std::pair<qint64, int>, 16> due;
    for (auto next = m_order.begin(); next != m_order.end() && next->first.first <= now; ++next)
        due.append(next->first);
    int fired = 0;
    for (const auto &[due_ns, id] : due) {
        auto found = m_timers.find(id);
        if (found == m_timers.end() || found->due_ns != due_ns || found->firing)
            continue;
        m_order.erase(std::pair(due_ns, id));
        // The next time keeps the interval's rhythm, but a late timer does not make up for intervals that it has missed.
        found->due_ns = std::max(due_ns + found->interval_ns, found->interval_ns > 0 ? now + 1 : now);
        m_order.emplace(std::pair(found->due_ns, id), id);
        found->firing = true;
        QObject *object = found->object;
        QTimerEvent event(id);
        QCoreApplication::sendEvent(object, &event);
        ++fired;
        // It may have removed itself, and another timer may have its id now.
        found = m_timers.find(id);
        if (found != m_timers.end() && found->object == object)
            found->firing = false;
    }
    return fired;
}

} // namespace junban
