#include "core/memory/memorylimits.h"

#include "core/base/reasons/engine.h"
#include "core/engine/engine.h"

namespace junban::memory {

void MemoryMatchers::list(QByteArray after, qint64 known, Callback<Page> callback)
{
    m_jobs.read<Page>(std::move(callback),
        [after = std::move(after), known](engine::Engine &engine) { return engine.matchers().page(after, known); });
}

void MemoryMatchers::save(Save save, Callback<Saved> callback)
{
    const QByteArray lacking = save.matcher ? engine::Engine::lacks(*save.matcher) : QByteArray();
    if (lacking.isEmpty())
        m_jobs.decide<Saved>(std::move(callback),
            [save = std::move(save)](engine::Engine &engine, const engine::Moment &at) { return engine.saveMatcher(save, at); });
    else
        m_later.refuse(std::move(callback), reasons::notInMemoryEngine(lacking));
}

void MemoryMatchers::history(QByteArray id, Callback<History> callback)
{
    m_jobs.read<History>(
        std::move(callback), [id = std::move(id)](engine::Engine &engine) { return engine.matchers().history(id); });
}

void MemoryMatchers::refresh(qint64, ConstraintParameters, Callback<Done> callback)
{
    m_later.tell<Done>(std::move(callback), Done{});
}

void MemoryConstraints::setConstraints(QList<ConstraintParameters>, qint64, EpochChange, Callback<qint64> callback)
{
    m_jobs.decide<qint64>(
        std::move(callback), [](engine::Engine &engine, const engine::Moment &at) { return engine.readAllAgain(at); });
}

void MemoryConstraints::unread(WhichJobs, quint64, Callback<Unread> callback)
{
    m_jobs.read<Unread>(
        std::move(callback), [](engine::Engine &engine) { return Unread{engine.matchers().epoch(), {}, 0, true}; });
}

void MemoryConstraints::recharge(qint64, QList<JobBuckets>, Recharged, Callback<Done> callback)
{
    m_later.tell<Done>(std::move(callback), Done{});
}

void MemoryConstraints::stale(Callback<Stale> callback)
{
    m_jobs.read<Stale>(std::move(callback), [](engine::Engine &engine) {
        return Stale{engine.matchers().epoch(), {}, engine.unread(), engine.matchers().epoch()};
    });
}

void MemoryConstraints::relane(qint64, QList<LanePiece<JobBuckets>>, Callback<Done> callback)
{
    m_later.tell<Done>(std::move(callback), Done{});
}

void MemoryConstraints::explain(JobId id, QList<CarriedBucket>, Callback<JobGates> callback)
{
    m_jobs.read<JobGates>(std::move(callback), [this, id](engine::Engine &engine) {
        Result<JobGates> gates = engine.explain(id);
        if (gates.ok()) {
            gates->now_ms = m_jobs.now_ms();
            gates->asked = m_jobs.asked();
        }
        return gates;
    });
}

void MemoryConstraints::buckets(int constraint, quint64 cursor, Callback<Buckets> callback)
{
    m_jobs.read<Buckets>(
        std::move(callback), [constraint, cursor](engine::Engine &engine) { return engine.buckets(constraint, cursor); });
}

void MemoryConstraints::switchBreaker(int constraint, BreakerSwitch what, quint64, Callback<Switched> callback)
{
    m_jobs.decide<Switched>(
        std::move(callback), [constraint, what = std::move(what)](engine::Engine &engine, const engine::Moment &at) {
            return engine.switchBreaker(constraint, what, at);
        });
}

void MemoryConstraints::held(QList<int> constraints, int buckets_max, Callback<Held> callback)
{
    m_jobs.read<Held>(std::move(callback), [constraints = std::move(constraints), buckets_max](engine::Engine &engine) {
        return engine.held(constraints, buckets_max);
    });
}

void MemoryConstraints::started(QList<RateBucket> buckets, Callback<QList<qint64>> callback)
{
    m_jobs.read<QList<qint64>>(
        std::move(callback), [buckets = std::move(buckets)](engine::Engine &engine) { return engine.started(buckets); });
}

void MemoryConstraints::waiting(Callback<Waiting> callback)
{
    m_jobs.read<Waiting>(std::move(callback), [this](engine::Engine &engine) {
        Waiting waiting;
        waiting.now_ms = m_jobs.now_ms();
        const QList<NameRow> names = engine.names(limits::ready_names_max, {});
        for (const NameRow &row : names) {
            if (row.ready > 0)
                waiting.names.append({row.name, row.ready, 0});
        }
        waiting.complete = names.size() < limits::ready_names_max;
        waiting.asked = m_jobs.asked();
        return waiting;
    });
}

void MemoryConstraints::holds(QList<JobId> ids, Callback<QList<Hold>> callback)
{
    m_jobs.read<QList<Hold>>(
        std::move(callback), [ids = std::move(ids)](engine::Engine &engine) { return engine.holds(ids); });
}

} // namespace junban::memory
