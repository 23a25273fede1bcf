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

// A transition and where it stands among those of the same millisecond: by attempt; then the attempt's start, what happened while it ran,
// its end, and what happened after that.
enum class Place { Start, Meanwhile, End, After };
struct Placed {
    Transition transition;
    int attempt = 0;
    Place place = Place::Meanwhile;
};

void addAttempt(QList<Placed> &history, const Attempt &attempt, const QList<Event> &events)
{
    history.append({{attempt.startedAt_ms, "started", attempt.worker, attempt.worker, attempt.number, {}, 0, {}}, attempt.number,
        Place::Start});
    if (attempt.endedAt_ms == 0)
        return;
    const End end = endOf(attempt, events);
    history.append({{attempt.endedAt_ms, end.what, end.actor, attempt.worker, attempt.number, attempt.message, attempt.nextRunAt_ms, {},
        end.reason}, attempt.number, Place::End});
}

Place placeOf(const Event &event)
{
    if (event.what == "message")
        return Place::Meanwhile; // it ends the attempt, and is stored after that
    if (event.afterEnd || event.what == "retried" || event.what == "deleted" || event.what == "restored")
        return Place::After; // a running job can be none of these
    return event.what == "cancelled" ? Place::End : Place::Meanwhile;
}

// Events are in the order in which they happened, and none goes before the one ahead of it.
void addEvents(QList<Placed> &history, const QList<Event> &events)
{
    qint64 last_ms = 0;
    std::pair<int, Place> last;
    for (const Event &event : events) {
        const std::pair own(event.attempt, placeOf(event));
        last = event.at_ms == last_ms ? std::max(own, last) : own;
        last_ms = event.at_ms;
        history.append({{event.at_ms, event.what, whoOf(event), {}, event.attempt, {}, 0, event.details, reasonOf(event)}, last.first,
            last.second});
    }
}

// Adds the job's end, if no attempt or event has it: after a late success, a replacement, or a failure after a cancel only the job's state
// tells it.
void addEnd(QList<Placed> &history, const Job &job)
{
    if (!isFinal(job.state))
        return;
    const bool told = std::any_of(history.cbegin(), history.cend(),
        [&](const Placed &each) { return each.transition.at_ms == job.finishedAt_ms && isEndIn(each.transition, job.state); });
    if (told)
        return;
    const bool success = job.state == JobState::Succeeded;
    history.append({{job.finishedAt_ms, stateWord(job.state), success ? job.worker : QByteArray("master"),
        success ? job.worker : QByteArray(), job.attempt, success ? QByteArray() : job.reason, 0, {}}, job.attempt, Place::End});
}

} // namespace

QByteArray changedBy(const QByteArray &who, const QByteArray &reason)
{
    return reason.isEmpty() ? who : who + beforeReason + reason;
}

QList<Transition> historyOf(const Job &job)
{
    const QByteArray pusher = job.spec.pusher.isEmpty() ? QByteArray("pusher") : job.spec.pusher;
    QList<Placed> history{{{job.createdAt_ms, "enqueued", pusher, {}, 0, {}, 0, {}}, 0, Place::Start}};
    for (const Attempt &attempt : job.attempts)
        addAttempt(history, attempt, job.events);
    addEvents(history, job.events);
    addEnd(history, job);
    // The enqueue stays first. Its time comes from the clock of a master, which may be a little ahead.
    std::stable_sort(history.begin() + 1, history.end(), [](const Placed &a, const Placed &b) {
        return std::tuple(a.transition.at_ms, a.attempt, a.place) < std::tuple(b.transition.at_ms, b.attempt, b.place);
    });
    QList<Transition> transitions;
    for (Placed &each : history)
        transitions.append(std::move(each.transition));
    return transitions;
}

} // namespace junban
