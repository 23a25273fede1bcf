#include "core/operators/leasewatch.h"

#include "core/base/durations.h"
#include "core/limits.h"

#include <QSet>
#include <utility>

namespace junban {

namespace {

constexpr qint64 soon_ms = 3 * limits::workers_look_ms; // a lease that ends within this time is remembered
constexpr int asked_max = 20;                           // jobs that are looked at one by one in a second

} // namespace

LeaseWatch::LeaseWatch(Store &store)
    : m_store(store)
{
}

void LeaseWatch::look()
{
    if (std::exchange(m_looking, true))
        return;
    m_store.page({.state = JobState::Running}, [this, alive = std::weak_ptr(m_life)](const Result<Page> &page) {
        if (alive.expired())
            return;
        m_looking = false;
        if (page.ok())
            take(*page);
    });
}

void LeaseWatch::take(const Page &page)
{
    QHash<JobId, Lease> ending;
    for (const Job &job : page.jobs) {
        const Lease lease{job.worker, job.attempt, job.leaseExpiresAt_ms};
        if (lease.end_ms < page.now_ms)
            note(lease); // no sweep has ended it yet
        else if (lease.end_ms < page.now_ms + soon_ms)
            ending.insert(job.id, lease);
    }
    QSet<QByteArray> asked; // one lease is enough to know of a worker
    for (auto each = m_ending.cbegin(); each != m_ending.cend(); ++each) {
        const Lease &lease = each.value();
        if (lease.end_ms >= page.now_ms || lease.end_ms <= ranOutAt_ms(lease.worker) || asked.contains(lease.worker))
            continue;
        if (asked.size() == asked_max)
            break;
        asked.insert(lease.worker);
        ask(each.key(), lease);
    }
    m_ending = std::move(ending);
    m_ranOut.removeIf([&page](const auto &each) { return page.now_ms - each.value() > qint64(limits::worker_kept_s * second_ms); });
}

void LeaseWatch::ask(JobId id, const Lease &lease)
{
    m_store.get(id, [this, lease, alive = std::weak_ptr(m_life)](const Result<Job> &job) {
        if (alive.expired() || !job.ok())
            return;
        for (const Attempt &attempt : job->attempts) {
            if (attempt.number == lease.attempt && attempt.ended == "timeout")
                note(lease);
        }
    });
}

void LeaseWatch::note(const Lease &lease)
{
    qint64 &at_ms = m_ranOut[lease.worker];
    at_ms = std::max(at_ms, lease.end_ms);
}

} // namespace junban
