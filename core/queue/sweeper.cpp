#include "core/queue/sweeper.h"

#include <QPointer>
#include <QRandomGenerator>
#include <algorithm>

namespace junban {

Sweeper::Sweeper(Store &store, Queue &queue, Clock &clock, UnreadableRecords *records, QObject *parent)
    : QObject(parent)
    , m_store(store)
    , m_queue(queue)
    , m_clock(clock)
    , m_records(records)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &Sweeper::sweep);
    connect(&queue, &Queue::due, this, &Sweeper::sweepBy);
}

void Sweeper::start()
{
    m_running = true;
    sweep();
}

void Sweeper::stop()
{
    m_running = false;
    m_timer.stop();
}

void Sweeper::sweep()
{
    if (!m_running || m_sweeping)
        return;
    m_sweeping = true;
    m_due_ms = 0;
    m_store.sweep([this, self = QPointer<Sweeper>(this)](const Result<Swept> &result) {
        if (self)
            swept(result);
    });
}

void Sweeper::swept(const Result<Swept> &result)
{
    m_sweeping = false;
    if (!m_running)
        return;
    const qint64 jitter_ms = QRandomGenerator::global()->bounded(limits::sweep_jitter_ms);
    if (!result.ok()) {
        sweepIn(limits::sweep_ms + jitter_ms);
        return;
    }
    m_queue.noteSwept(*result);
    for (const JobId &id : result->windowsWanted)
        tellWindows(id);
    const qint64 now_ms = Clock::monotonic_ms();
    if (now_ms - m_lookedAgain_ms >= limits::sweep_ms) {
        m_lookedAgain_ms = now_ms;
        m_queue.lookAgain();
        m_queue.publishAskedNames();
    }
    if (result->more) {
        sweepIn(0);
        return;
    }
    sweepIn(limits::sweep_ms - jitter_ms);
    if (result->nextDue_ms > 0)
        sweepBy(result->nextDue_ms);
    if (m_due_ms > 0)
        sweepBy(m_due_ms);
}

// Gives the scripts a job's next openings and closings, before those that they have run out: scripts do not know time zones.
void Sweeper::tellWindows(JobId id)
{
    m_store.get(id, [this, id, self = QPointer<Sweeper>(this)](const Result<Job> &job) {
        if (!self)
            return;
        const Reason why = job.ok() ? unreadableWhy(job->spec)
            : job.error().code == ErrorCode::Internal ? job.error().reason : Reason();
        if (m_records && !why.isEmpty())
            m_records->note("job", id.text(), why);
        const QList<qint64> boundaries
            = job.ok() ? windowBoundaries_ms(job->spec.windows, m_clock.now_ms()) : closedBoundaries_ms(m_clock.now_ms());
        m_store.setWindows(id, boundaries, [](const auto &) { /* if it fails, a later sweep asks again */ });
    });
}

void Sweeper::sweepBy(qint64 at_ms)
{
    if (!m_running)
        return;
    if (m_sweeping) {
        m_due_ms = m_due_ms == 0 ? at_ms : std::min(m_due_ms, at_ms);
        return;
    }
    // One millisecond after the due time: a lease is still valid in the millisecond in which it ends.
    const qint64 left_ms = std::max<qint64>(at_ms + 1 - m_clock.now_ms(), limits::sweep_ms_min);
    if (left_ms < limits::sweep_ms && left_ms < m_timer.remainingTime())
        sweepIn(left_ms);
}

void Sweeper::sweepIn(qint64 left_ms)
{
    m_timer.start(static_cast<int>(left_ms));
}

} // namespace junban
