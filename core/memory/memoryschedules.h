#pragma once

#include "core/memory/memorystore.h"
#include "core/store/schedulestore.h"

namespace junban::memory {

// The schedules of the engine in memory. Contract, threads and errors as for ScheduleStore and MemoryStore.
class MemorySchedules : public ScheduleStore
{
public:
    // `jobs` must outlive it.
    explicit MemorySchedules(MemoryStore &jobs) : m_jobs(jobs) {}

    void save(ScheduleSave save, Callback<ScheduleChanged> callback) override;
    void change(ScheduleChange change, Callback<ScheduleChanged> callback) override;
    void get(QByteArray id, Callback<Schedule> callback) override;
    void list(int limit, QByteArray after, Callback<SchedulePage> callback) override;
    void due(int leftOut, Callback<DueSchedules> callback) override;
    void fire(QList<FireItem> items, Callback<FiredAll> callback) override;
    void runByHand(RunByHand run, Callback<FiredAll> callback) override;

private:
    MemoryStore &m_jobs;
};

} // namespace junban::memory
