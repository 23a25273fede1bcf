#pragma once

#include "core/base/clock.h"
#include "core/redis/link.h"
#include "core/redis/scripts.h"
#include "core/store/schedulestore.h"

#include <memory>

namespace junban::redis {

// Recurring jobs in Redis, in the same namespace as RedisStore. Contract, threads and errors as for ScheduleStore.
class RedisSchedules : public ScheduleStore
{
public:
    // `namespaceName` must have passed RedisStore::validNamespace(). Link and clock must outlive it.
    RedisSchedules(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock);
    ~RedisSchedules() override;

    void save(ScheduleSave save, Callback<ScheduleChanged> callback) override;
    void change(ScheduleChange change, Callback<ScheduleChanged> callback) override;
    void get(QByteArray id, Callback<Schedule> callback) override;
    void list(int limit, QByteArray after, Callback<SchedulePage> callback) override;
    void due(int leftOut, Callback<DueSchedules> callback) override;
    void fire(QList<FireItem> items, Callback<FiredAll> callback) override;
    void runByHand(RunByHand run, Callback<FiredAll> callback) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::redis
