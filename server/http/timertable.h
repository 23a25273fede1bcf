#pragma once

#include <QAbstractEventDispatcher>
#include <QHash>
#include <QList>
#include <map>
#include <optional>
#include <utility>

namespace junban {

// The timers of one event dispatcher, in the order in which they fall due. Threads: that of the dispatcher.
class TimerTable
{
public:
    void add(int id, qint64 interval_ms, Qt::TimerType type, QObject *object);
    bool remove(int id);
    bool removeAll(QObject *object);
    QList<QAbstractEventDispatcher::TimerInfo> timersOf(QObject *object) const;
    std::optional<qint64> remaining_ms(int id) const;

    // How long until the first timer is due: 0 when one is due now, nothing when there is no timer.
    std::optional<qint64> wait_ms() const;
    // Sends an event for each timer that is due now, one for each timer; returns how many.
    int fire();

private:
    struct Timer {
        qint64 interval_ns = 0;
        qint64 due_ns = 0;
        Qt::TimerType type = Qt::PreciseTimer;
        QObject *object = nullptr;
        bool firing = false;       // inside its own event
    };
    static qint64 now_ns();

    QHash<int, Timer> m_timers;    // by id
    std::map<std::pair<qint64, int>, int> m_order; // by (due, id)
};

} // namespace junban
