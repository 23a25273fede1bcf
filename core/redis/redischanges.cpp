#include "core/redis/redischanges.h"

#include "core/redis/caller.h"

namespace junban::redis {

namespace {

// The script gives them in the order of Topic.
Result<LastChanges> lastChangesOf(const Reply &reply)
{
    LastChanges last;
    for (size_t topic = 0; topic < last.at.size(); ++topic)
        last.at[topic] = reply[1][qsizetype(topic)].integer();
    return last;
}

} // namespace

class RedisChanges::Private : public Caller
{
public:
    Private(Link &commands, const QByteArray &namespaceName, Clock &theClock, ScriptClock scriptClock)
        : Caller(commands, namespaceName, theClock, "changes")
        , changedScript(makeScript("changed", scriptClock))
    {
    }

    Script changedScript;
};

RedisChanges::RedisChanges(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock)
    : d(std::make_unique<Private>(commands, namespaceName, clock, scriptClock))
{
}

RedisChanges::~RedisChanges() = default;

void RedisChanges::lastChanges(Callback<LastChanges> callback)
{
    d->run(d->changedScript, {}, std::move(callback), lastChangesOf);
}

} // namespace junban::redis
