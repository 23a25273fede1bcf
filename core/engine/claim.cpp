#include "core/engine/engine.h"

#include <array>
#include <charconv>

// How jobs are handed to workers: transition 4 (`claim`).
namespace junban::engine {

namespace {

constexpr int reads_max = 500;               // jobs that new matchers have not read yet, in one call; some 0.5 ms

// A lease: the attempt's number and 128 random bits, so that no two leases of a namespace are equal.
QByteArray newLease(int attempt, const std::function<quint64()> &random)
{
    std::array<char, 48> text;
    char *to = std::to_chars(text.data(), text.data() + text.size(), attempt).ptr;
    *to++ = '.';
    for (int half = 0; half < 2; ++half) {
        const quint64 bits = random();
        for (int shift = 60; shift >= 0; shift -= 4)
            *to++ = "0123456789abcdef"[(bits >> shift) & 0xf];
    }
    return QByteArray(text.data(), to - text.data());
}

} // namespace

Decided<QList<Claimed>> Engine::claim(const QList<ClaimRequest> &requests, const Moment &at)
{
    return decided<QList<Claimed>>(at, [&] {
        QList<Claimed> claimed(requests.size());
        QList<QList<QByteArray>> served;
        int reads = reads_max;
        int expiries = limits::script_items_max;
        m_admission.lookAtDue();
        for (qsizetype first = 0; first < requests.size(); ++first) {
            if (served.contains(requests[first].names))
                continue;
            served.append(requests[first].names);
            for (qsizetype i = first; i < requests.size(); ++i) {
                if (requests[i].names != requests[first].names)
                    continue;
                while (expiries > 0 && claimed[i].jobs.size() < requests[i].limit) {
                    JobEntry *best = m_admission.next(requests[i].names, reads);
                    if (!best)
                        break;
                    if (best->special && !mayStart(*best)) {
                        if (--expiries == 0) // whoever asks again finds the rest
                            m_wake.readyNames.append(best->name->name);
                        continue;
                    }
                    claimed[i].jobs.append(start(*best, requests[i], at));
                }
            }
        }
        return claimed;
    });
}

ClaimedJob Engine::start(JobEntry &job, const ClaimRequest &request, const Moment &at)
{
    JobSpec spec = *unpackRecord(job.record); // it was checked when it came or was loaded
    Course &course = job.run();
    ++course.attempt;
    course.lease = newLease(course.attempt, at.random);
    course.lease_ms = request.lease_ms == 0 ? spec.timeout_ms : std::min(request.lease_ms, spec.timeout_ms);
    course.startedAt_ms = m_now_ms;
    course.deadline_ms = m_now_ms + spec.timeout_ms;
    course.worker = request.worker;
    course.holder = request.token;
    course.heard = course.cancelRequested = false;
    course.done = course.total = 0;
    course.progress.clear();
    m_admission.charge(job);
    move(job, JobState::Running, m_now_ms + course.lease_ms);
    count(&Totals::started);
    return {job.id, std::move(spec), course.attempt, course.lease, job.order_ms, course.deadline_ms};
}

} // namespace junban::engine
