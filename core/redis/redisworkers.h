#pragma once

#include "core/base/clock.h"
#include "core/redis/link.h"
#include "core/redis/scripts.h"
#include "core/store/workerstore.h"

#include <memory>

namespace junban::redis {

// Workers in Redis. Contract, threads and errors as WorkerStore says.
class RedisWorkers : public WorkerStore
{
public:
    // `namespaceName` has passed RedisStore::validNamespace(). Link and clock must outlive it.
    RedisWorkers(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock);
    ~RedisWorkers() override;

    void note(QList<News> news, Callback<Done> callback) override;
    void list(int limit, QByteArray after, Callback<Page> callback) override;
    void steered(QByteArray known, Callback<AllSteered> callback) override;
    void steer(Steer steer, Callback<Done> callback) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::redis
