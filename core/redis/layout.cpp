#include "core/redis/layout.h"

#include "core/redis/keys.h"
#include "core/redis/reply.h"

#include <memory>

namespace junban::redis {

void upgradeLayout(Link &link, const QByteArray &namespaceName, ScriptClock clock, Callback<int> callback)
{
    const auto script = std::make_shared<Script>(makeScript("upgrade", clock)); // must live until the answer comes
    const auto upgraded = [script, callback = std::move(callback)](const Result<Reply> &reply) {
        if (reply.ok())
            callback(int((*reply)[1].integer()));
        else
            callback(reply.error());
    };
    link.run(*script, {keyPrefix(namespaceName)}, {}, upgraded);
}

} // namespace junban::redis
