#include "core/memory/besidestores.h"

#include "core/base/reasons/engine.h"
#include "core/memory/memorystore.h"

#include <algorithm>

namespace junban::memory {

namespace {

// Without hints: the engine gives its own.
Callback<QList<Result<StateNow>>> toldOf(Callback<Removed> callback)
{
    return [callback = std::move(callback)](Result<QList<Result<StateNow>>> items) {
        callback(items.ok() ? Result<Removed>(Removed{std::move(*items), {}}) : Result<Removed>(items.error()));
    };
}

} // namespace

void BesideOperations::freeze(FreezeItem, Callback<qint64> callback)
{
    m_later.refuse(std::move(callback), reasons::notInMemoryEngine("operations"));
}

void BesideOperations::freezeState(FreezeStateItem, Callback<FrozenState> callback)
{
    m_later.refuse(std::move(callback), reasons::notInMemoryEngine("operations"));
}

void BesideOperations::save(OperationSave, Callback<Done> callback)
{
    m_later.refuse(std::move(callback), reasons::notInMemoryEngine("operations"));
}

void BesideWorkers::steer(Steer steer, Callback<Done> callback)
{
    if (steer.verb == Verb::Register)
        m_later.refuse(std::move(callback), reasons::notInMemoryEngine("registration"));
    else
        RedisWorkers::steer(std::move(steer), std::move(callback));
}

void BesidePast::changeGroup(QByteArray, FailureGroupChange, Callback<Done> callback)
{
    m_later.refuse(std::move(callback), reasons::notInMemoryEngine("failures"));
}

void BesidePast::results(ResultsRequest request, Callback<ResultPage> callback)
{
    m_jobs.read<ResultPage>(std::move(callback), [this, request = std::move(request)](const engine::Engine &engine) {
        ResultPage page = engine.results(request);
        page.now_ms = m_jobs.now_ms();
        return page;
    });
}

void BesidePast::resultOwner(JobId id, Callback<Job> callback)
{
    m_jobs.read<Job>(std::move(callback), [id](const engine::Engine &engine) { return engine.resultOwner(id); });
}

void BesidePast::result(JobId id, Callback<KeptResult> callback)
{
    m_jobs.read<KeptResult>(std::move(callback), [id](const engine::Engine &engine) { return engine.result(id); });
}

void BesidePast::discardResult(JobId id, Callback<Done> callback)
{
    m_jobs.decide<Done>(
        std::move(callback), [id](engine::Engine &engine, const engine::Moment &at) { return engine.discardResult(id, at); });
}

void BesidePast::extendResult(JobId id, qint64 ttl_ms, Callback<Done> callback)
{
    m_jobs.decide<Done>(std::move(callback),
        [id, ttl_ms](engine::Engine &engine, const engine::Moment &at) { return engine.extendResult(id, ttl_ms, at); });
}

void BesidePast::retention(Callback<RetentionSettings> callback)
{
    m_jobs.read<RetentionSettings>(std::move(callback), [](const engine::Engine &engine) { return engine.retention(); });
}

void BesidePast::setRetention(QByteArray name, Retention retention, Callback<RetentionChanged> callback)
{
    m_jobs.decide<RetentionChanged>(
        std::move(callback), [name = std::move(name), retention](engine::Engine &engine, const engine::Moment &at) {
            return engine.setRetention(name, retention, at);
        });
}

void BesidePast::clearRetention(QByteArray name, Callback<RetentionChanged> callback)
{
    m_jobs.decide<RetentionChanged>(std::move(callback),
        [name = std::move(name)](engine::Engine &engine, const engine::Moment &at) { return engine.clearRetention(name, at); });
}

void BesidePast::jobsOf(SetPageRequest request, Callback<Page> callback)
{
    if (request.set == JobSet::FailedInGroup) {
        RedisPast::jobsOf(std::move(request), std::move(callback));
        return;
    }
    m_jobs.read<Page>(std::move(callback), [this, request = std::move(request)](const engine::Engine &engine) {
        Page page = engine.marked(request);
        page.now_ms = m_jobs.now_ms();
        return page;
    });
}

void BesidePast::track(JobId id, bool tracked, Callback<Done> callback)
{
    m_jobs.decide<Done>(std::move(callback),
        [id, tracked](engine::Engine &engine, const engine::Moment &at) { return engine.track(id, tracked, at); });
}

void BesidePast::remove(QList<JobId> ids, QByteArray by, Callback<Removed> callback)
{
    m_jobs.decide<QList<Result<StateNow>>>(toldOf(std::move(callback)),
        [ids = std::move(ids), by = std::move(by)](engine::Engine &engine, const engine::Moment &at) {
            return engine.moveToTrash(ids, by, at);
        });
}

void BesidePast::restore(QList<JobId> ids, QByteArray by, Callback<Removed> callback)
{
    m_jobs.decide<QList<Result<StateNow>>>(toldOf(std::move(callback)),
        [ids = std::move(ids), by = std::move(by)](engine::Engine &engine, const engine::Moment &at) {
            return engine.restore(ids, by, at);
        });
}

void BesideChanges::lastChanges(Callback<LastChanges> callback)
{
    RedisChanges::lastChanges([this, callback = std::move(callback)](Result<LastChanges> found) {
        if (found.ok())
            callback(numbered(*found));
        else
            callback(found.error());
    });
}

// The numbers of Redis and of the engine's batches have nothing to do with each other, so a change gets a new number when it is seen.
LastChanges BesideChanges::numbered(LastChanges found)
{
    found.at[size_t(Topic::Jobs)] = m_jobs.lastBatch();
    for (const Topic topic : {Topic::Matchers, Topic::Schedules, Topic::Retention})
        found.at[size_t(topic)] = m_jobs.lastChanges().at[size_t(topic)];
    const qint64 next = std::max(m_told.revision() + 1, Clock::machine_ms());
    for (size_t topic = 0; topic < found.at.size(); ++topic) {
        if (found.at[topic] != m_found.at[topic])
            m_told.at[topic] = next;
    }
    m_found = found;
    return m_told;
}

} // namespace junban::memory
