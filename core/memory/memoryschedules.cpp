#include "core/memory/memoryschedules.h"

#include "core/engine/engine.h"

namespace junban::memory {

void MemorySchedules::save(ScheduleSave save, Callback<ScheduleChanged> callback)
{
    const qint64 more_bytes = pushBytes(save.spec.job) + save.spec.jobBody.size() + save.spec.title.size();
    m_jobs.decide<ScheduleChanged>(
        std::move(callback),
        [save = std::move(save)](engine::Engine &engine, const engine::Moment &at) { return engine.saveSchedule(save, at); }, more_bytes);
}

void MemorySchedules::change(ScheduleChange change, Callback<ScheduleChanged> callback)
{
    m_jobs.decide<ScheduleChanged>(std::move(callback),
        [change = std::move(change)](engine::Engine &engine, const engine::Moment &at) { return engine.changeSchedule(change, at); });
}

void MemorySchedules::get(QByteArray id, Callback<Schedule> callback)
{
    m_jobs.read<Schedule>(
        std::move(callback), [id = std::move(id)](const engine::Engine &engine) { return engine.schedule(id); });
}

void MemorySchedules::list(int limit, QByteArray after, Callback<SchedulePage> callback)
{
    m_jobs.read<SchedulePage>(std::move(callback),
        [limit, after = std::move(after)](const engine::Engine &engine) { return engine.schedules(limit, after); });
}

void MemorySchedules::due(int leftOut, Callback<DueSchedules> callback)
{
    m_jobs.read<DueSchedules>(
        std::move(callback), [this, leftOut](const engine::Engine &engine) { return engine.dueSchedules(leftOut, m_jobs.now_ms()); });
}

void MemorySchedules::fire(QList<FireItem> items, Callback<FiredAll> callback)
{
    m_jobs.decide<FiredAll>(std::move(callback),
        [items = std::move(items)](engine::Engine &engine, const engine::Moment &at) { return engine.fireSchedules(items, at); });
}

void MemorySchedules::runByHand(RunByHand run, Callback<FiredAll> callback)
{
    m_jobs.decide<FiredAll>(std::move(callback),
        [run = std::move(run)](engine::Engine &engine, const engine::Moment &at) { return engine.runSchedule(run, at); });
}

} // namespace junban::memory
