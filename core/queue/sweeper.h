#pragma once

#include "core/base/clock.h"
#include "core/queue/queue.h"
#include "core/store/unreadable.h"
#include "core/store/store.h"

#include <QObject>
#include <QTimer>

namespace junban {

// Does what time demands: expires leases, promotes jobs that fall due, purges jobs whose retention is over. It runs in every master without
// a leader: a sweep is bounded and idempotent, so several masters may sweep. It sweeps when the queue says that something falls due, at
// least every limits::sweep_ms, and again at once when there was more to do than one call may. Threads: the engine's.
class Sweeper : public QObject
{
    Q_OBJECT

public:
    // All three must outlive the sweeper.
    Sweeper(Store &store, Queue &queue, Clock &clock, UnreadableRecords *records = nullptr, QObject *parent = nullptr);

    void start();
    // No sweep begins after this.
    void stop();

private:
    void sweep();
    void swept(const Result<Swept> &result);
    void tellWindows(JobId id);
    // The next sweep is no later than this, on Redis' clock.
    void sweepBy(qint64 at_ms);
    void sweepIn(qint64 left_ms);

    Store &m_store;
    Queue &m_queue;
    Clock &m_clock;
    UnreadableRecords *m_records;
    QTimer m_timer;
    qint64 m_lookedAgain_ms = 0;
    bool m_running = false;
    bool m_sweeping = false;
    qint64 m_due_ms = 0; // the first due time that the queue named while a sweep is under way; 0: none
};

} // namespace junban
