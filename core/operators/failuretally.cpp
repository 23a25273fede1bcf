#include "core/operators/failuretally.h"

#include "core/base/clock.h"

#include <utility>

namespace junban {

namespace {

constexpr int groups_read = 100; // in one script call

// Whether a group's failures are the ends that the sweep gave to attempts of workers that said nothing (transition 11, `expire-lease`). It
// gives no other messages to running jobs.
bool isSilence(const FailureGroup &group)
{
    return (group.reason == "timeout" || group.reason == "poison")
        && (group.title == "The lease ran out without a heartbeat." || group.title == "The attempt took longer than its timeout.");
}

} // namespace

FailureTally::FailureTally(PastStore &past)
    : m_past(past)
{
    m_request.limit = groups_read;
}

void FailureTally::sums(Callback<Sums> callback)
{
    if (m_waiting.isEmpty() && Clock::monotonic_ms() - m_readAt_ms < limits::situation_ms) {
        callback(m_sums);
        return;
    }
    m_waiting.append(std::move(callback));
    if (m_waiting.size() > 1)
        return;
    m_reading = {};
    m_read = 0;
    m_request.after = {};
    next();
}

void FailureTally::next()
{
    m_past.groups(m_request, [this, alive = std::weak_ptr(m_life)](const Result<GroupsPage> &page) {
        if (alive.expired())
            return;
        if (page.ok())
            take(*page);
        else
            tell(page.error());
    });
}

void FailureTally::take(const GroupsPage &page)
{
    for (const FailureGroup &group : page.groups) {
        if (group.failedNow > 0)
            m_reading.failedNow[group.name] += group.failedNow;
        for (const auto &[worker, times] : group.workers) {
            if (isSilence(group))
                m_reading.timedOut[worker] += times;
        }
        m_request.after = {group.lastAt_ms, group.signature};
    }
    m_read += page.groups.size();
    if (!page.end && m_read < limits::page_scan_max) {
        next();
        return;
    }
    m_reading.complete = page.end;
    m_sums = std::exchange(m_reading, {});
    m_readAt_ms = Clock::monotonic_ms();
    tell(m_sums);
}

void FailureTally::tell(const Result<Sums> &sums)
{
    for (const Callback<Sums> &callback : std::exchange(m_waiting, {}))
        callback(sums);
}

} // namespace junban
