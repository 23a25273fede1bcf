#pragma once

#include "core/base/clock.h"
#include "core/queue/queue.h"
#include "core/store/store.h"

#include <QObject>
#include <QTimer>

namespace junban {

// Does what time brings: leases that ran out, jobs that fall due, records whose retention passed. It runs in every master, with
// no leader: a sweep is bounded and idempotent, so several only look more often. It looks when the queue says that something
// falls due, at least once in limits::sweep_ms, and again at once while a bound was met. Threads: the engine's.
class Sweeper : public QObject
{
    Q_OBJECT

public:
    // All three must outlive the sweeper.
    Sweeper(Store &store, Queue &queue, Clock &clock, QObject *parent = nullptr);

    void start();
    // No sweep begins after this.
    void stop();

private:
    void sweep();
    void swept(const Result<Swept> &result);
    void tellWindows(JobId id);
    // The next sweep comes no later than this.
    void sweepBy(qint64 at_ms);
    void sweepIn(qint64 left_ms);

    Store &m_store;
    Queue &m_queue;
    Clock &m_clock;
    QTimer m_timer;
    qint64 m_lookedAgain_ms = 0;
    bool m_running = false;
    bool m_sweeping = false;
    qint64 m_due_ms = 0; // while a sweep is under way: what falls due meanwhile; 0: nothing
};

} // namespace junban
