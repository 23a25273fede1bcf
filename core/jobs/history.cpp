#include "core/jobs/history.h"

#include "core/jobs/jobcalls.h"

#include <algorithm>
#include <tuple>

namespace junban {

namespace {

// How an attempt ended, and who ended it, and why.
struct End {
    const char *what;
    QByteArray actor;
    QByteArray reason = {};
};

constexpr char beforeReason = '\n';

QByteArray whoOf(const Event &event)
{
    const qsizetype end = event.actor.indexOf(beforeReason);
    return end < 0 ? event.actor : event.actor.first(end);
}

QByteArray reasonOf(const Event &event)
{
    const qsizetype end = event.actor.indexOf(beforeReason);
    return end < 0 ? QByteArray() : event.actor.sliced(end + 1);
}

End endOf(const Attempt &attempt, const QList<Event> &events)
{
    if (attempt.ended == "success")
        return {"succeeded", attempt.worker};
    if (attempt.ended == "failure")
        return {"failed", attempt.worker};
    if (attempt.ended == "timeout")
        return {"timed_out", "master"};
    if (attempt.ended == "released")
        return {"released", attempt.worker};
    const auto asked = std::find_if(events.crbegin(), events.crend(),
        [&](const Event &event) { return event.what == "cancel_requested" && event.attempt == attempt.number; });
    return asked == events.crend() ? End{"cancelled", anOperator} : End{"cancelled", whoOf(*asked), reasonOf(*asked)};
}

bool isEndIn(const Transition &transition, JobState state)
{
    switch (state) {
    case JobState::Succeeded: return transition.what == "succeeded";
    case JobState::Failed:
        return transition.what == "failed" || transition.what == "timed_out" || transition.what == "expired"
            || transition.what == "dependency";
    case JobState::Cancelled: return transition.what == "cancelled" || transition.what == "dependency";
    default: return false;
    }
}

// The order of transitions of one attempt in the same millisecond: its start, its events, its end, and a retry last.
int rank(const Transition &transition)
{
    if (transition.what == "started")
        return 0;
    if (transition.what == "retried")
        return 3;
    for (const char *end : {"succeeded", "failed", "timed_out", "cancelled", "released"}) {
        if (transition.what == end)
            return 2;
    }
    return 1;
}

void addAttempt(QList<Transition> &history, const Attempt &attempt, const QList<Event> &events)
{
    history.append({attempt.startedAt_ms, "started", attempt.worker, attempt.worker, attempt.number, {}, 0, {}});
    if (attempt.endedAt_ms == 0)
        return;
    const End end = endOf(attempt, events);
    history.append({attempt.endedAt_ms, end.what, end.actor, attempt.worker, attempt.number, attempt.message, attempt.nextRunAt_ms, {},
        end.reason});
}

// Adds the job's end, if no attempt or event has it: after a late success, a replacement, or a failure after a cancel only the job's state
// tells it.
void addEnd(QList<Transition> &history, const Job &job)
{
    if (!isFinal(job.state))
        return;
    const bool told = std::any_of(history.cbegin(), history.cend(),
        [&](const Transition &transition) { return transition.at_ms == job.finishedAt_ms && isEndIn(transition, job.state); });
    if (told)
        return;
    const bool success = job.state == JobState::Succeeded;
    history.append({job.finishedAt_ms, stateWord(job.state), success ? job.worker : QByteArray("master"),
        success ? job.worker : QByteArray(), job.attempt, success ? QByteArray() : job.reason, 0, {}});
}

} // namespace

QByteArray changedBy(const QByteArray &who, const QByteArray &reason)
{
    return reason.isEmpty() ? who : who + beforeReason + reason;
}

QList<Transition> historyOf(const Job &job)
{
    const QByteArray pusher = job.spec.pusher.isEmpty() ? QByteArray("pusher") : job.spec.pusher;
    QList<Transition> history{{job.createdAt_ms, "enqueued", pusher, {}, 0, {}, 0, {}}};
    for (const Attempt &attempt : job.attempts)
        addAttempt(history, attempt, job.events);
    for (const Event &event : job.events)
        history.append({event.at_ms, event.what, whoOf(event), {}, event.attempt, {}, 0, event.details, reasonOf(event)});
    addEnd(history, job);
    // The enqueue stays first. Its time comes from the clock of a master, which may be a little ahead.
    std::stable_sort(history.begin() + 1, history.end(), [](const Transition &a, const Transition &b) {
        return std::tuple(a.at_ms, a.attempt, rank(a)) < std::tuple(b.at_ms, b.attempt, rank(b));
    });
    return history;
}

} // namespace junban
