#include "core/engine/engine.h"

#include <QCryptographicHash>
#include <algorithm>
#include <array>
#include <charconv>

// How jobs are handed to workers: transition 4 (`claim`).
namespace junban::engine {

namespace {

constexpr int reads_max = 500;               // jobs that new matchers have not read yet, in one call; some 0.5 ms

constexpr qsizetype mark_digits = 16;

// What the leases of a request that has an id begin with, so that the same request again finds them.
QByteArray markOf(const QByteArray &request)
{
    return QCryptographicHash::hash(request, QCryptographicHash::Sha256).first(mark_digits / 2).toHex();
}

void writeHex(char *&to, quint64 bits)
{
    for (int shift = 60; shift >= 0; shift -= 4)
        *to++ = "0123456789abcdef"[(bits >> shift) & 0xf];
}

// A lease: the attempt's number and 128 bits, so that no two leases of a namespace are equal. They are random, but for the mark.
QByteArray newLease(int attempt, const QByteArray &request, const std::function<quint64()> &random)
{
    std::array<char, 48> text;
    char *to = std::to_chars(text.data(), text.data() + text.size(), attempt).ptr;
    *to++ = '.';
    if (request.isEmpty())
        writeHex(to, random());
    else
        to = std::copy_n(markOf(request).constData(), mark_digits, to);
    writeHex(to, random());
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
                if (requests[i].isRepeated)
                    claimed[i].jobs = claimedBefore(requests[i].request);
                if (!claimed[i].jobs.isEmpty())
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

// A new leader is asked again so seldom that an index would not be worth it.
QList<ClaimedJob> Engine::claimedBefore(const QByteArray &request) const
{
    QList<ClaimedJob> jobs;
    const QByteArray mark = '.' + markOf(request);
    for (const JobEntry *job : m_jobs.inState(JobState::Running)) {
        const Course &course = *job->course;
        if (course.lease.contains(mark))
            jobs.append({job->id, *unpackRecord(job->record), course.attempt, course.lease, job->order_ms, course.deadline_ms});
    }
    return jobs;
}

ClaimedJob Engine::start(JobEntry &job, const ClaimRequest &request, const Moment &at)
{
    JobSpec spec = *unpackRecord(job.record); // it was checked when it came or was loaded
    Course &course = job.run();
    ++course.attempt;
    course.lease = newLease(course.attempt, request.request, at.random);
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
