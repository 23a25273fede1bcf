#pragma once

#include "core/base/clock.h"
#include "core/redis/link.h"
#include "core/redis/scripts.h"
#include "core/store/changestore.h"

#include <memory>

namespace junban::redis {

// The last changes in Redis. Contract, threads and errors as ChangeStore says.
class RedisChanges : public ChangeStore
{
public:
    // `namespaceName` has passed RedisStore::validNamespace(). Link and clock must outlive it.
    RedisChanges(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock);
    ~RedisChanges() override;

    void lastChanges(Callback<LastChanges> callback) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::redis
