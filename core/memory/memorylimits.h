#pragma once

#include "core/memory/later.h"
#include "core/memory/memorystore.h"
#include "core/store/constraintstore.h"
#include "core/store/matcherstore.h"

namespace junban::memory {

// The matchers of the engine in memory. Kinds of constraints that it does not have are refused with Conflict (`not_in_memory_engine`).
// Contract, threads and errors as for MatcherStore and MemoryStore.
class MemoryMatchers : public MatcherStore
{
public:
    // `jobs` must outlive it.
    explicit MemoryMatchers(MemoryStore &jobs) : m_jobs(jobs) {}

    void list(QByteArray after, qint64 known, Callback<Page> callback) override;
    void save(Save save, Callback<Saved> callback) override;
    void history(QByteArray id, Callback<History> callback) override;
    // Nothing is to be done: the engine knows the calendar.
    void refresh(qint64 version, ConstraintParameters parameters, Callback<Done> callback) override;

private:
    MemoryStore &m_jobs;
    Later m_later;
};

// Its constraints. The engine reads jobs by itself after an edit, so there is nothing to recharge or to relane. Contract, threads and
// errors as for ConstraintStore and MemoryStore.
class MemoryConstraints : public ConstraintStore
{
public:
    // `jobs` must outlive it.
    explicit MemoryConstraints(MemoryStore &jobs) : m_jobs(jobs) {}

    // Only as a new epoch without parameters, which save() puts into force here.
    void setConstraints(QList<ConstraintParameters> parameters, qint64 madeAt, EpochChange change, Callback<qint64> callback) override;
    void unread(WhichJobs which, quint64 cursor, Callback<Unread> callback) override;
    void recharge(qint64 epoch, QList<JobBuckets> jobs, Recharged recharged, Callback<Done> callback) override;
    void stale(Callback<Stale> callback) override;
    void relane(qint64 epoch, QList<LanePiece<JobBuckets>> pieces, Callback<Done> callback) override;
    void explain(JobId id, QList<CarriedBucket> buckets, Callback<JobGates> callback) override;
    void buckets(int constraint, quint64 cursor, Callback<Buckets> callback) override;
    void switchBreaker(int constraint, BreakerSwitch what, quint64 cursor, Callback<Switched> callback) override;
    void held(QList<int> constraints, int buckets_max, Callback<Held> callback) override;
    void started(QList<RateBucket> buckets, Callback<QList<qint64>> callback) override;
    void waiting(Callback<Waiting> callback) override;
    void holds(QList<JobId> ids, Callback<QList<Hold>> callback) override;

private:
    MemoryStore &m_jobs;
    Later m_later;
};

} // namespace junban::memory
