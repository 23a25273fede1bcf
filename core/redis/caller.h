#pragma once

#include "core/base/clock.h"
#include "core/redis/keys.h"
#include "core/redis/link.h"

#include <memory>

namespace junban::redis {

// Calls the scripts of one store in one namespace. When it is destroyed, the replies under way are dropped without a callback.
class Caller
{
public:
    // `store` names it in the log. Link and clock must outlive it.
    Caller(Link &commands, const QByteArray &namespaceName, Clock &theClock, const char *store)
        : link(commands)
        , clock(theClock)
        , prefix(keyPrefix(namespaceName))
        , m_store(store)
    {
    }

    // Runs a script. The clock learns from the first part of its reply, and `make` makes a T or a Result<T> from the reply.
    template<typename T, typename Make>
    void run(const Script &script, QList<QByteArray> arguments, Callback<T> callback, Make make)
    {
        link.run(script, {prefix}, std::move(arguments),
            [this, callback = std::move(callback), make = std::move(make), alive = std::weak_ptr(life)](const Result<Reply> &reply) {
                if (alive.expired())
                    return;
                if (!reply.ok()) {
                    if (reply.error().code == ErrorCode::Internal)
                        qCritical("%s: %s", m_store, reply.error().message().constData());
                    callback(reply.error());
                    return;
                }
                clock.learn((*reply)[0].integer());
                callback(Result<T>(make(*reply)));
            });
    }

    Link &link;
    Clock &clock;
    const QByteArray prefix;
    const std::shared_ptr<int> life = std::make_shared<int>(); // expires with the caller

private:
    const char *m_store;
};

} // namespace junban::redis
