#include "tests/support/later.h"
#include "tests/support/modelstore.h"

#include <algorithm>

// Stars and the trash.
namespace junban::test {

void ModelStore::track(JobId id, bool tracked, Callback<Done> callback)
{
    const auto found = m_jobs.find(id);
    if (found == m_jobs.end()) {
        later<Done>(std::move(callback), unknown());
        return;
    }
    if (found->second.job.tracked != tracked)
        found->second.trackedAt_ms = now_ms;
    found->second.job.tracked = tracked;
    later<Done>(std::move(callback), Done{});
}

void ModelStore::moveToTrash(QList<JobId> ids, QByteArray by, Callback<QList<Result<StateNow>>> callback)
{
    QList<Result<StateNow>> answers;
    for (const JobId &id : std::as_const(ids))
        answers.append(moveToTrashOne(id, by));
    followUp();
    later<QList<Result<StateNow>>>(std::move(callback), std::move(answers));
}

void ModelStore::restore(QList<JobId> ids, QByteArray by, Callback<QList<Result<StateNow>>> callback)
{
    QList<Result<StateNow>> answers;
    for (const JobId &id : std::as_const(ids))
        answers.append(restoreOne(id, by));
    followUp();
    later<QList<Result<StateNow>>>(std::move(callback), std::move(answers));
}

Result<StateNow> ModelStore::moveToTrashOne(JobId id, const QByteArray &by)
{
    const auto found = m_jobs.find(id);
    if (found == m_jobs.end())
        return unknown();
    Entry &entry = found->second;
    if (entry.job.deletedAt_ms > 0)
        return StateNow{entry.job.state};
    if (entry.job.state == JobState::Running || entry.job.state == JobState::Awaiting)
        return conflict();
    entry.deletedFrom = entry.job.state;
    entry.brokenBy.reset();
    entry.job.deletedAt_ms = now_ms;
    tell(entry, "deleted", by, entry.job.attempt);
    ++m_totals.deleted;
    if (!isFinal(entry.job.state)) {
        leavePlace(entry);
        finalise(entry, JobState::Cancelled, "deleted");
    }
    return StateNow{entry.job.state};
}

Result<StateNow> ModelStore::restoreOne(JobId id, const QByteArray &by)
{
    const auto found = m_jobs.find(id);
    if (found == m_jobs.end())
        return unknown();
    Entry &entry = found->second;
    if (entry.job.deletedAt_ms == 0)
        return conflict();
    const JobState from = entry.deletedFrom;
    const bool wantsKey = !isFinal(from) && !entry.unique.isEmpty()
        && !(entry.job.spec.unique->until == UniqueUntil::Started && entry.job.attempt > 0);
    if (wantsKey && m_unique.count(entry.unique) && !(from == JobState::Depends && m_unique[entry.unique] == entry.ahead))
        return Error{ErrorCode::Conflict, Reason("test", {}, "unique"), "unique"};
    if (wantsKey)
        m_unique[entry.unique] = id;
    entry.job.deletedAt_ms = 0;
    tell(entry, "restored", by, entry.job.attempt);
    if (isFinal(from))
        return StateNow{from};
    rejoinGroup(entry.job.spec.group, JobState::Cancelled);
    entry.job.finishedAt_ms = 0;
    entry.job.reason.clear();
    if (from != JobState::Depends)
        return place(entry, from == JobState::Scheduled ? entry.job.runAt_ms : 0);
    if (entry.brokenBy) {
        endByDependency(entry, *entry.brokenBy);
        return StateNow{entry.job.state};
    }
    if (entry.waitsFor.empty())
        return place(entry, entry.job.runAt_ms);
    entry.job.state = JobState::Depends;
    entry.enteredAt_ms = now_ms;
    return StateNow{JobState::Depends};
}

QList<JobId> ModelStore::marked(bool trash) const
{
    QList<QPair<qint64, JobId>> rows;
    for (const auto &[id, entry] : m_jobs) {
        if (trash ? entry.job.deletedAt_ms > 0 : entry.job.tracked)
            rows.append({trash ? entry.job.deletedAt_ms : entry.trackedAt_ms, id});
    }
    std::sort(rows.rbegin(), rows.rend());
    QList<JobId> ids;
    for (const auto &row : std::as_const(rows))
        ids.append(row.second);
    return ids;
}

} // namespace junban::test
