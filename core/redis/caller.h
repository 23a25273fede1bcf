#pragma once

#include "core/base/clock.h"
#include "core/redis/keys.h"
#include "core/redis/link.h"
#include "core/redis/mending.h"

#include <memory>

namespace junban::redis {

// Calls the scripts of one store in one namespace. When it is destroyed, the replies under way are dropped without a callback.
class Caller
{
public:
    // `store` names it in the log. Link and clock must outlive it.
    Caller(Link &commands, const QByteArray &namespaceName, Clock &theClock, const char *store, Mends mends = Mends::KeysAlone)
        : link(commands)
        , clock(theClock)
        , prefix(keyPrefix(namespaceName))
        , m_store(store)
        , m_mending(commands, namespaceName, mends)
    {
    }

    // Runs a script. The clock learns from the first part of its reply, and `make` makes a T or a Result<T> from the reply. When the script
    // fails because of a damaged record, that is mended and the script runs once more.
    template<typename T, typename Make>
    void run(const Script &script, QList<QByteArray> arguments, Callback<T> callback, Make make)
    {
        attempt(script, std::move(arguments), std::move(callback), std::move(make), true);
    }

    // Sends a command that only reads. When it fails because of a damaged record, that is mended and the command is sent once more.
    void read(const QList<QByteArray> &words, std::function<void(const Result<Reply> &)> callback)
    {
        link.command(words, [this, words, callback = std::move(callback), alive = std::weak_ptr(life)](const Result<Reply> &reply) {
            if (alive.expired())
                return;
            if (reply.ok() || reply.error().code != ErrorCode::Internal || !m_mending.mayHelp()) {
                callback(reply);
                return;
            }
            qCritical("%s: %s", m_store, reply.error().message().constData());
            m_mending.look([this, words, callback](qint64) { link.command(words, callback); });
        });
    }

    Link &link;
    Clock &clock;
    const QByteArray prefix;
    const std::shared_ptr<int> life = std::make_shared<int>(); // expires with the caller

private:
    template<typename T, typename Make>
    void attempt(const Script &script, QList<QByteArray> arguments, Callback<T> callback, Make make, bool mayMend)
    {
        link.run(script, {prefix}, arguments,
            [this, &script, arguments, callback = std::move(callback), make = std::move(make), mayMend, sent_ms = Clock::monotonic_ms(),
                alive = std::weak_ptr(life)](const Result<Reply> &reply) {
                if (alive.expired())
                    return;
                const bool failed = !reply.ok() && reply.error().code == ErrorCode::Internal;
                if (failed)
                    qCritical("%s: %s", m_store, reply.error().message().constData());
                if (failed && mayMend && m_mending.mayHelp()) {
                    m_mending.look([this, &script, arguments, callback, make, error = reply.error()](qint64 touched) {
                        if (touched > 0)
                            attempt(script, arguments, callback, make, false);
                        else
                            callback(error);
                    });
                    return;
                }
                if (!reply.ok()) {
                    callback(reply.error());
                    return;
                }
                clock.learn((*reply)[0].integer(), sent_ms);
                Result<T> made(make(*reply));
                const bool damaged = !made.ok() && made.error().code == ErrorCode::Internal;
                if (damaged && mayMend && m_mending.mendsAnswers() && m_mending.mayHelp()) {
                    m_mending.look([this, &script, arguments, callback, make](qint64) {
                        attempt(script, arguments, callback, make, false);
                    });
                    return;
                }
                callback(std::move(made));
            });
    }

    const char *m_store;
    Mending m_mending;
};

} // namespace junban::redis
