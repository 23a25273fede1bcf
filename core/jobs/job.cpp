#include "core/jobs/job.h"

#include "core/base/reasons/requests.h"


namespace junban {

const char *stateWord(JobState state)
{
    switch (state) {
    case JobState::Scheduled: return "scheduled";
    case JobState::Depends: return "depends";
    case JobState::Ready: return "ready";
    case JobState::Running: return "running";
    case JobState::Awaiting: return "awaiting";
    case JobState::Succeeded: return "succeeded";
    case JobState::Failed: return "failed";
    case JobState::Cancelled: return "cancelled";
    }
    return "ready";
}

std::optional<JobState> stateFromWord(QByteArrayView word)
{
    for (int value = 1; value <= 8; ++value) {
        const auto state = static_cast<JobState>(value);
        if (word == stateWord(state))
            return state;
    }
    return {};
}

std::optional<Error> neverStarts(const JobSpec &spec, qint64 now_ms, const QByteArray &within)
{
    if (spec.runAt_ms && *spec.runAt_ms > now_ms + qint64(limits::delay_s_max * 1000))
        return reasons::timeTooFar(within + "run_at", limits::delay_s_max / 86'400);
    // What is enqueued later counts its `expires_in` from then.
    if (within.isEmpty() && spec.expiresIn_ms > 0 && spec.runAt_ms && *spec.runAt_ms - now_ms >= spec.expiresIn_ms)
        return reasons::expiryBeforeStart("expires_in", "run_at");
    for (size_t i = 0; i < spec.then.size(); ++i) {
        if (auto error = neverStarts(spec.then[i], now_ms, within + "then[" + QByteArray::number(qsizetype(i)) + "]."))
            return error;
    }
    return {};
}

void setPusher(JobSpec &spec, const QByteArray &token)
{
    spec.pusher = spec.groupCaller.token = token;
    for (JobSpec &next : spec.then)
        setPusher(next, token);
}

void keepToOwnGroups(JobSpec &spec)
{
    spec.groupCaller.onlyOwn = true;
    for (JobSpec &next : spec.then)
        keepToOwnGroups(next);
}

qint64 pushBytes(const JobSpec &spec)
{
    qint64 bytes = spec.argument.size() + 256 + 32 * spec.dependsOn.size();
    for (const JobSpec &next : spec.then)
        bytes += pushBytes(next);
    return bytes;
}

} // namespace junban
