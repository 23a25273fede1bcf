#include "core/base/isotime.h"
#include "tests/support/later.h"
#include "tests/support/modelstore.h"

#include <QCryptographicHash>
#include <QtEndian>
#include <algorithm>

// Effects of a job's end: on its unique key, its group, its dependents, and the jobs in its `then`.
namespace junban::test {

namespace {

// A UUIDv7 with the time of the parent's success, made of the parent's id and the index in its `then`.
JobId derivedId(JobId parent, int place, qint64 now_ms)
{
    QCryptographicHash sha1(QCryptographicHash::Sha1);
    sha1.addData(parent.bytes() + QByteArray::number(place));
    const QByteArray hash = sha1.result();
    QByteArray id(8, 0);
    qToBigEndian(quint64(now_ms) << 16, id.data());
    id[6] = char(0x70 + place / 256 % 16);
    id[7] = char(place % 256);
    id += char(0x80 + quint8(hash[0]) % 64) + hash.sliced(1, 7);
    return *JobId::fromBytes(id);
}

} // namespace

void ModelStore::freeUnique(Entry &entry)
{
    const auto held = m_unique.find(entry.unique);
    if (held == m_unique.end() || held->second != entry.job.id)
        return;
    // The job from which it took the key may still exist.
    const auto ahead = m_jobs.find(entry.ahead);
    if (ahead != m_jobs.end() && !isFinal(ahead->second.job.state) && ahead->second.job.spec.unique->until == UniqueUntil::Finished)
        held->second = entry.ahead;
    else
        m_unique.erase(held);
}

void ModelStore::finalise(Entry &entry, JobState state, const QByteArray &reason)
{
    entry.job.state = state;
    entry.job.finishedAt_ms = now_ms;
    if (!reason.isEmpty())
        entry.job.reason = reason;
    m_becameFinal.append(entry.job.id);
    m_windowsWanted.erase(entry.job.id);
    if (state != JobState::Succeeded) { // otherwise succeed() continues when the result is stored
        freeUnique(entry);
        leaveGroup(entry.job.spec.group, state);
        m_freeing.insert({now_ms, entry.job.id, state});
    }
}

void ModelStore::endUnstarted(Entry &entry, JobState state, const QByteArray &reason, const QByteArray &message)
{
    entry.job.message = message;
    finalise(entry, state, reason);
    tell(entry, reason, "master", 0);
    if (state == JobState::Cancelled) {
        ++m_totals.cancelled;
        return;
    }
    ++m_totals.failed;
    ++m_totalsOf[entry.job.spec.name].failed;
    Outcome outcome;
    outcome.type = OutcomeType::Failure;
    outcome.finishedAt = isoTime(now_ms);
    outcome.message = message;
    keepResult(entry, outcome.packed());
}

void ModelStore::endByDependency(Entry &entry, JobState parent)
{
    endUnstarted(entry, entry.job.spec.onDependencyFailure == OnDependencyFailure::Cancel ? JobState::Cancelled : JobState::Failed,
        "dependency", parent == JobState::Cancelled ? "A job it depends on was cancelled." : "A job it depends on failed.");
}

Finished ModelStore::succeed(Entry &entry, char by, const QByteArray &outcome)
{
    leavePlace(entry);
    finalise(entry, JobState::Succeeded);
    entry.endedLease = entry.lease;
    entry.endedBy = by;
    entry.answer = {JobState::Succeeded, 0};
    entry.job.outcome.clear(); // of an earlier failure
    keepResult(entry, outcome);
    ++m_totalsOf[entry.job.spec.name].succeeded;
    ++m_totals.succeeded;
    freeUnique(entry);
    for (std::size_t i = 0; i < entry.job.spec.then.size(); ++i) {
        const Result<Enqueued> pushed = push(derivedId(entry.job.id, int(i) + 1, now_ms), entry.job.spec.then[i], {});
        if (!pushed.ok())
            tell(entry, "then_refused", "master", 0);
    }
    leaveGroup(entry.job.spec.group, JobState::Succeeded);
    m_freeing.insert({now_ms, entry.job.id, JobState::Succeeded});
    return entry.answer;
}

void ModelStore::followUp()
{
    settleGroups();
    while (!m_freeing.empty()) {
        const auto [at_ms, parent, state] = *m_freeing.begin();
        m_freeing.erase(m_freeing.begin());
        for (auto &[id, entry] : m_jobs) {
            const bool inTrash = entry.job.deletedAt_ms > 0;
            if ((inTrash ? entry.deletedFrom : entry.job.state) != JobState::Depends || !entry.waitsFor.count(parent))
                continue;
            const bool anyEnd = entry.job.spec.onDependencyFailure == OnDependencyFailure::Run || entry.job.spec.dependsOn.isEmpty()
                || (entry.aheadOnly && entry.ahead == parent);
            if (state != JobState::Succeeded && !anyEnd) {
                if (!inTrash)
                    endByDependency(entry, state);
                else if (!entry.brokenBy)
                    entry.brokenBy = state;
                continue;
            }
            entry.waitsFor.erase(parent);
            if (entry.waitsFor.empty() && !inTrash) {
                place(entry, entry.job.runAt_ms);
                tell(entry, "freed", "master", 0);
            }
        }
    }
    if (!m_leftGroups.isEmpty())
        followUp();
}

void ModelStore::leaveGroup(const QByteArray &group, JobState state)
{
    if (group.isEmpty())
        return;
    Batch &batch = m_groups[group];
    --batch.group.pending;
    ++(state == JobState::Succeeded ? batch.group.succeeded : state == JobState::Failed ? batch.group.failed : batch.group.cancelled);
    m_leftGroups.append(group);
}

// A job that had ended in this state goes on, or ends otherwise.
void ModelStore::rejoinGroup(const QByteArray &group, JobState state)
{
    if (group.isEmpty())
        return;
    Group &its = m_groups[group].group;
    ++its.pending;
    --(state == JobState::Succeeded ? its.succeeded : state == JobState::Failed ? its.failed : its.cancelled);
    its.endedAt_ms = 0;
}

// The engine in memory forgets a group that has been idle for long and has no jobs any more; the scripts do not look at its jobs.
void ModelStore::forgetGroups()
{
    const auto isOver = [this](const auto &each) {
        const auto &[name, batch] = each;
        const auto isIts = [&name = name](const auto &job) { return job.second.job.spec.group == name; };
        return batch.idleSince_ms + qint64(limits::group_kept_s * 1000) <= now_ms && std::none_of(m_jobs.begin(), m_jobs.end(), isIts);
    };
    std::erase_if(m_groups, isOver);
}

// At the end of a call, because another job may have joined the group during it.
void ModelStore::settleGroups()
{
    while (!m_leftGroups.isEmpty())
        mayCall(m_groups[m_leftGroups.takeFirst()]);
}

// Enqueues the callback once, when all jobs have ended and the group is closed.
void ModelStore::mayCall(Batch &batch)
{
    const bool empty = batch.group.total == 0 && !(inMemory && batch.opened);
    if (batch.group.pending > 0 || empty)
        return;
    batch.idleSince_ms = now_ms;
    if (batch.group.open)
        return;
    if (batch.group.endedAt_ms == 0)
        batch.group.endedAt_ms = now_ms;
    if (!batch.callback || !batch.group.callback.isNull() || !batch.group.callbackRefused.isEmpty())
        return;
    batch.group.callback = derivedId(batch.callbackId, 1, now_ms);
    if (const auto pushed = push(batch.group.callback, JobSpec(*batch.callback), {}); pushed.ok()) {
        batch.group.callback = pushed->id;
    } else {
        batch.group.callback = {};
        batch.group.callbackRefused = pushed.error().reason;
    }
}

Group ModelStore::groupNow(const Batch &batch) const
{
    Group group = batch.group;
    group.hasCallback = batch.callback.has_value();
    return group;
}

bool ModelStore::isOthers(const Batch &batch, const GroupCaller &caller) const
{
    return caller.onlyOwn && batch.group.pusher != caller.token && tokens.contains(batch.group.pusher);
}

// The group, which is made if it is not there, and is the caller's from then on if it is nobody's.
ModelStore::Batch &ModelStore::useGroup(const QByteArray &name, const GroupCaller &caller)
{
    const bool isNew = m_groups.count(name) == 0;
    Batch &batch = m_groups[name];
    if (isNew) {
        batch.group.group = name;
        batch.group.createdAt_ms = batch.idleSince_ms = now_ms;
    }
    if (!caller.token.isEmpty() && (isNew || (caller.onlyOwn && !isOthers(batch, caller))))
        batch.group.pusher = caller.token;
    return batch;
}

void ModelStore::changeGroup(GroupChange change, Callback<Group> callback)
{
    if (const auto found = m_groups.find(change.group); found != m_groups.end() && isOthers(found->second, change.caller)) {
        later<Group>(std::move(callback), Error{ErrorCode::Forbidden, Reason("test", {}, "another's")});
        return;
    }
    Batch &batch = useGroup(change.group, change.caller);
    if (change.open)
        batch.group.open = *change.open;
    batch.opened = batch.opened || batch.group.open;
    batch.idleSince_ms = now_ms;
    if (change.shared)
        batch.group.shared = *change.shared;
    if (change.callback) {
        batch.callback = change.callback;
        batch.callbackId = change.callbackId;
        batch.group.callbackRefused = {};
    }
    mayCall(batch);
    followUp();
    later<Group>(std::move(callback), groupNow(batch));
}

void ModelStore::group(QByteArray group, GroupCaller caller, Callback<Group> callback)
{
    const auto found = m_groups.find(group);
    if (found == m_groups.end() || (isOthers(found->second, caller) && !found->second.group.shared))
        later<Group>(std::move(callback), Error{ErrorCode::NotFound, Reason("test", {}, "unknown")});
    else
        later<Group>(std::move(callback), groupNow(found->second));
}

} // namespace junban::test
