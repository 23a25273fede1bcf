#include "core/base/reasons/store.h"
#include "core/engine/engine.h"

// Groups of jobs: who may use them, how they count their jobs, and their callbacks.
namespace junban::engine {

namespace {

// A group that was made without a token, or whose token is revoked, is nobody's.
bool isOthers(const JobGroup &group, const GroupCaller &caller, const std::function<bool(const QByteArray &id)> *isToken)
{
    return caller.onlyOwn && group.token != caller.token && isToken && (*isToken)(group.token);
}

Group shownGroup(const JobGroup &group)
{
    Group shown;
    shown.group = group.name;
    shown.total = group.total();
    shown.pending = group.pending;
    shown.succeeded = group.succeeded;
    shown.failed = group.failed;
    shown.cancelled = group.cancelled;
    shown.open = group.open;
    shown.hasCallback = !group.callback.isEmpty();
    shown.callback = group.called;
    shown.callbackRefused = group.refused;
    shown.pusher = group.token;
    shown.shared = group.shared;
    shown.createdAt_ms = group.madeAt_ms;
    shown.endedAt_ms = group.endedAt_ms;
    return shown;
}

} // namespace

Decided<Result<Group>> Engine::changeGroup(const GroupChange &change, const Moment &at)
{
    JobGroup *changed = nullptr;
    Decided<Result<Group>> decided = this->decided<Result<Group>>(at, [&]() -> Result<Group> {
        if (const JobGroup *known = m_groups.find(change.group); known && isOthers(*known, change.caller, m_isToken))
            return ofField(reasons::groupOfAnother(), "group");
        JobGroup &group = useGroup(change.group, change.caller);
        group.open = change.open.value_or(group.open);
        group.opened = group.opened || group.open;
        group.shared = change.shared.value_or(group.shared);
        if (change.callback) {
            group.callback = packPushes({*change.callback});
            group.callbackId = change.callbackId;
            group.refused = {};
        }
        if (group.pending == 0)
            m_groups.rest(group, m_now_ms);
        m_groups.changed(group);
        m_leftGroups.append(group.name);
        changed = &group;
        return Group();
    });
    if (changed)
        decided.answer = shownGroup(*changed); // as it is after its callback
    return decided;
}

Result<Group> Engine::group(const QByteArray &name, const GroupCaller &caller, const Moment &at) const
{
    const JobGroup *group = m_groups.find(name);
    if (!group || (isOthers(*group, caller, at.isToken) && !group->shared))
        return reasons::groupNotFound();
    return shownGroup(*group);
}

bool Engine::mayJoinGroup(const JobSpec &spec) const
{
    const JobGroup *group = spec.group.isEmpty() ? nullptr : m_groups.find(spec.group);
    return !group || group->shared || !isOthers(*group, spec.groupCaller, m_isToken);
}

// The group, which is made if there is none. It becomes the caller's if it is new; and if it is nobody's and the caller has only its own.
JobGroup &Engine::useGroup(const QByteArray &name, const GroupCaller &caller)
{
    const auto [group, isNew] = m_groups.use(name, m_now_ms);
    const bool takes = isNew || (caller.onlyOwn && !isOthers(group, caller, m_isToken));
    if (takes && !caller.token.isEmpty() && group.token != caller.token) {
        group.token = caller.token;
        m_groups.changed(group);
    }
    return group;
}

// A new job comes in.
void Engine::joinGroup(const JobSpec &spec)
{
    JobGroup &group = useGroup(spec.group, spec.groupCaller);
    m_groups.join(group, true);
    if (std::exchange(group.endedAt_ms, 0) > 0)
        m_groups.changed(group);
}

// A job has ended. Callbacks wait until the end of the call, because another job may join the group before that: one that replaces the job
// that has ended, for example.
void Engine::leaveGroup(const JobEntry &job)
{
    if (job.special->group.isEmpty())
        return;
    JobGroup &group = *m_groups.find(job.special->group);
    --group.pending;
    ++group.ended(job.state);
    m_groups.changed(group);
    m_leftGroups.append(group.name);
}

// A job that had ended goes on, or ends otherwise.
void Engine::rejoinGroup(const JobEntry &job)
{
    if (!job.special || job.special->group.isEmpty())
        return;
    JobGroup &group = *m_groups.find(job.special->group);
    ++group.pending;
    --group.ended(job.state);
    group.endedAt_ms = 0;
    m_groups.changed(group);
}

void Engine::settleGroups()
{
    while (!m_leftGroups.isEmpty()) // a callback may end a job of another group
        settle(*m_groups.find(m_leftGroups.takeFirst()));
}

// Enqueues the callback of a group, once, when it is closed and its last job has ended. A group that was opened and got no job has ended
// when it is closed.
void Engine::settle(JobGroup &group)
{
    if (group.pending > 0 || (group.total() == 0 && !group.opened))
        return;
    m_groups.rest(group, m_now_ms);
    if (group.open)
        return;
    if (group.endedAt_ms == 0)
        group.endedAt_ms = m_now_ms;
    if (group.callback.isEmpty() || !group.called.isNull() || !group.refused.isEmpty())
        return;
    const Result<Enqueued> pushed = pushDerived(group.callbackId, 1, unpackPushes(group.callback)->front());
    if (pushed.ok())
        group.called = pushed->id; // by its unique key it may be a job that was there before
    else
        group.refused = pushed.error().reason;
}

} // namespace junban::engine
