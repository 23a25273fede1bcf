#pragma once

#include "core/base/clock.h"
#include "core/redis/link.h"
#include "core/redis/scripts.h"
#include "core/store/tokenstore.h"

#include <memory>

namespace junban::redis {

// Tokens in Redis. Contract, threads and errors as TokenStore says.
class RedisTokens : public TokenStore
{
public:
    // `namespaceName` has passed RedisStore::validNamespace(). Link and clock must outlive it.
    RedisTokens(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock);
    ~RedisTokens() override;

    void list(QByteArray known, Callback<All> callback) override;
    void save(Save save, Callback<Done> callback) override;
    void remove(QByteArray id, Callback<Done> callback) override;
    void touch(QList<QByteArray> ids, Callback<Done> callback) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::redis
