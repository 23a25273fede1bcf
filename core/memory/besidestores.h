#pragma once

#include "core/memory/later.h"
#include "core/redis/redischanges.h"
#include "core/redis/redisoperations.h"
#include "core/redis/redispast.h"
#include "core/redis/redisworkers.h"

// The stores beside the engine in memory. Their scripts in Redis know nothing of the engine's jobs. So what the engine has is asked there,
// all other reads are empty, and a change that the engine would have to heed is refused with Conflict (`not_in_memory_engine`). Contracts,
// threads and other errors as for their bases. docs/decisions/engine.md says which stores need nothing of this kind.
namespace junban::memory {

class MemoryStore;

class BesideOperations : public redis::RedisOperations
{
public:
    using redis::RedisOperations::RedisOperations;
    void freeze(FreezeItem item, Callback<qint64> callback) override;
    void freezeState(FreezeStateItem item, Callback<FrozenState> callback) override;
    void save(OperationSave save, Callback<Done> callback) override;

private:
    Later m_later;
};

class BesideWorkers : public redis::RedisWorkers
{
public:
    using redis::RedisWorkers::RedisWorkers;
    // Workers that serve HTTP are refused: the engine does not count their slots.
    void steer(Steer steer, Callback<Done> callback) override;

private:
    Later m_later;
};

// Results, tracked jobs, the trash and the retention are the engine's. Statistics, series and failure groups are empty.
class BesidePast : public redis::RedisPast
{
public:
    // `jobs` must outlive it.
    BesidePast(MemoryStore &jobs, redis::Link &commands, const QByteArray &namespaceName, Clock &clock, redis::ScriptClock scriptClock)
        : RedisPast(commands, namespaceName, clock, scriptClock)
        , m_jobs(jobs)
    {
    }

    void changeGroup(QByteArray signature, FailureGroupChange change, Callback<Done> callback) override;
    void jobsOf(SetPageRequest request, Callback<Page> callback) override;
    void results(ResultsRequest request, Callback<ResultPage> callback) override;
    void resultOwner(JobId id, Callback<Job> callback) override;
    void result(JobId id, Callback<KeptResult> callback) override;
    void discardResult(JobId id, Callback<Done> callback) override;
    void extendResult(JobId id, qint64 ttl_ms, Callback<Done> callback) override;
    void retention(Callback<RetentionSettings> callback) override;
    void setRetention(QByteArray name, Retention retention, Callback<RetentionChanged> callback) override;
    void clearRetention(QByteArray name, Callback<RetentionChanged> callback) override;
    void track(JobId id, bool tracked, Callback<Done> callback) override;
    void remove(QList<JobId> ids, QByteArray by, Callback<Removed> callback) override;
    void restore(QList<JobId> ids, QByteArray by, Callback<Removed> callback) override;

private:
    MemoryStore &m_jobs;
    Later m_later;
};

// Changes in Redis and in memory, numbered by this master. A master that has started again goes on above the numbers of before.
class BesideChanges : public redis::RedisChanges
{
public:
    // `jobs` must outlive it.
    BesideChanges(MemoryStore &jobs, redis::Link &commands, const QByteArray &namespaceName, Clock &clock,
        redis::ScriptClock scriptClock)
        : RedisChanges(commands, namespaceName, clock, scriptClock)
        , m_jobs(jobs)
    {
    }

    void lastChanges(Callback<LastChanges> callback) override;

private:
    LastChanges numbered(LastChanges found);

    MemoryStore &m_jobs;
    LastChanges m_found;       // as the stores said it last
    LastChanges m_told;        // as it was told last
};

} // namespace junban::memory
