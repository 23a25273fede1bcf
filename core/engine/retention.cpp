#include "core/base/reasons/store.h"
#include "core/engine/engine.h"

// How long jobs that ended are kept: transition 20 (`purge`).
namespace junban::engine {

namespace {

constexpr int steps_max = 10 * limits::script_items_max; // over jobs that stay, in one call for each state

} // namespace

Decided<Result<RetentionChanged>> Engine::setRetention(const QByteArray &name, const Retention &retention, const Moment &at)
{
    return decided<Result<RetentionChanged>>(at, [&]() -> Result<RetentionChanged> {
        RetentionChanged answer{{}, m_retention.settings()};
        if (!m_retention.set(name, retention, m_writes))
            return reasons::retentionNamesTooMany(limits::retention_names_max);
        if (NameEntry *entry = m_jobs.findName(name); entry && !entry->ended)
            m_jobs.gatherEnded(*entry);
        m_jobs.lookAgain(); // jobs that were passed over may have to go now
        changed(Topic::Retention);
        answer.settings = m_retention.settings();
        return answer;
    });
}

Decided<RetentionChanged> Engine::clearRetention(const QByteArray &name, const Moment &at)
{
    return decided<RetentionChanged>(at, [&] {
        RetentionChanged answer{{}, m_retention.settings()};
        m_retention.clear(name, m_writes);
        if (NameEntry *entry = m_jobs.findName(name))
            entry->ended.reset();
        m_jobs.lookAgain();
        changed(Topic::Retention);
        answer.settings = m_retention.settings();
        return answer;
    });
}

// Removes the jobs that ended which are too old, and then those that are too many, at most so many of each kind.
int Engine::purge(bool &more)
{
    more = m_jobs.gatherOn(steps_max) || more;
    int purged = 0;
    const RetentionOfStates general = m_retention.general();
    const auto ofNames = [&](const std::function<Kept(const Kept &own)> &part) {
        for (const auto &[name, own] : m_retention.names()) {
            const NameEntry *entry = m_jobs.findName(name);
            for (size_t i = 0; entry && entry->ended && i < own.size(); ++i)
                purged += purgeFrom((*entry->ended)[i], part(own[i]), more);
        }
    };
    for (size_t i = 0; i < general.size(); ++i)
        purged += purgeOld(endedStates[i], *general[i].age_ms, more);
    ofNames([](const Kept &own) { return Kept{own.age_ms, {}}; });
    for (size_t i = 0; i < general.size(); ++i)
        purged += purgeFrom(m_jobs.inState(endedStates[i]), {{}, general[i].count}, more);
    ofNames([](const Kept &own) { return Kept{{}, own.count}; });
    return purged;
}

// Of the jobs whose names have no age of their own. Those that stay for another reason are passed over once, and not again at each sweep.
int Engine::purgeOld(JobState state, qint64 age_ms, bool &more)
{
    int purged = 0;
    for (int steps = 0; JobEntry *oldest = m_jobs.nextToLookAt(state); ++steps) {
        const RetentionOfStates *own = oldest->name->ended ? m_retention.ofName(oldest->name->name) : nullptr;
        const bool stays = isTracked(*oldest) || (own && (*own)[endedIndex(state)].age_ms);
        if (!stays && oldest->order_ms + age_ms > m_now_ms)
            break;
        if (steps == steps_max || (!stays && !purgeOne(*oldest, purged, more))) {
            more = true;
            break;
        }
        if (stays)
            m_jobs.lookedAt(*oldest);
    }
    return purged;
}

// Of the jobs in an index, the oldest first. A job with a star stays: at most limits::tracked_max have one.
int Engine::purgeFrom(const TimedJobs &jobs, const Kept &kept, bool &more)
{
    int purged = 0;
    for (auto next = jobs.begin(); next != jobs.end();) {
        JobEntry &oldest = **next++;
        const bool isOld = kept.age_ms && oldest.order_ms + *kept.age_ms <= m_now_ms;
        if (!isOld && !(kept.count && qint64(jobs.size()) > *kept.count))
            break;
        if (!isTracked(oldest) && !purgeOne(oldest, purged, more))
            break;
    }
    return purged;
}

// Returns false when this has to wait for the next call.
bool Engine::purgeOne(JobEntry &job, int &purged, bool &more)
{
    if (purged == limits::script_items_max || m_jobs.special().isToBeTold(job)) {
        more = true;
        return false;
    }
    m_keys.jobGone(job.id, job.state, m_writes);
    removeJob(job);
    ++purged;
    return true;
}

} // namespace junban::engine
