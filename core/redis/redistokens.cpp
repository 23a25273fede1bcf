#include "core/redis/redistokens.h"

#include "core/base/reasons/store.h"
#include "core/redis/caller.h"
#include "core/redis/numbers.h"
#include "core/redis/replies.h"

#include <algorithm>

namespace junban::redis {

namespace {

const QByteArray noEngine = "tokens"; // no hint follows a change of them

Result<Done> changedOf(const Reply &reply)
{
    const QByteArray word = reply[2].bytes();
    if (word == "OK")
        return Done{};
    if (word == "NOT_FOUND")
        return reasons::tokenNotFound();
    if (word == "FULL")
        return reasons::tokensTooMany(limits::tokens_max);
    if (word == "PEPPER")
        return reasons::tokensOtherPepper();
    return reasons::storeAnswered(word);
}

Result<TokenStore::All> tokensOf(const Reply &reply)
{
    TokenStore::All all;
    all.now_ms = reply[0].integer();
    all.version = reply[1].bytes();
    all.changedAt_ms = all.version.first(std::max<qsizetype>(0, all.version.indexOf(' '))).toLongLong();
    all.revoked = all.version.contains(" -");
    all.pepper = reply[2].bytes();
    for (qsizetype i = 0; i + 2 < reply[3].size(); i += 3)
        all.rows.append({reply[3][i].bytes(), reply[3][i + 1].bytes(), reply[3][i + 2].bytes().toLongLong()});
    return all;
}

} // namespace

class RedisTokens::Private : public Caller
{
public:
    Private(Link &commands, const QByteArray &namespaceName, Clock &theClock, ScriptClock scriptClock)
        : Caller(commands, namespaceName, theClock, "tokens")
        , listScript(makeScript("tokens", scriptClock))
        , saveScript(makeScript("save_token", scriptClock))
        , removeScript(makeScript("remove_token", scriptClock))
        , touchScript(makeScript("touch_tokens", scriptClock))
    {
    }

    Script listScript, saveScript, removeScript, touchScript;
};

RedisTokens::RedisTokens(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock)
    : d(std::make_unique<Private>(commands, namespaceName, clock, scriptClock))
{
}

RedisTokens::~RedisTokens() = default;

void RedisTokens::list(QByteArray known, Callback<All> callback)
{
    d->run(d->listScript, {std::move(known)}, std::move(callback), tokensOf);
}

void RedisTokens::save(Save save, Callback<Done> callback)
{
    d->run(d->saveScript, {noEngine, save.id, save.record, save.pepper}, std::move(callback), changedOf);
}

void RedisTokens::remove(QByteArray id, Callback<Done> callback)
{
    d->run(d->removeScript, {noEngine, std::move(id)}, std::move(callback), changedOf);
}

void RedisTokens::touch(QList<QByteArray> ids, Callback<Done> callback)
{
    d->run(d->touchScript, QList<QByteArray>{noEngine} + ids, std::move(callback), changedOf);
}

} // namespace junban::redis
