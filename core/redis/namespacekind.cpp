#include "core/redis/namespacekind.h"

#include "core/lua/schema.h"
#include "core/redis/keys.h"

namespace junban::redis {

namespace {

// Beside what the scripts keep of the namespace in the same hash. A namespace without it is kept by scripts, or is new.
constexpr char kindField[] = "engine";
constexpr char ofMemory[] = "memory";

} // namespace

void askKind(Link &link, const QByteArray &namespaceName, Callback<NamespaceKind> callback)
{
    claimNamespace(link, namespaceName, NamespaceKind::Scripts, std::move(callback)); // which writes nothing
}

void claimNamespace(Link &link, const QByteArray &namespaceName, NamespaceKind mine, Callback<NamespaceKind> callback)
{
    const QByteArray meta = keyPrefix(namespaceName) + key::meta;
    const QList<QByteArray> look{"HMGET", meta, field_of::meta::layout, kindField};
    link.command(look, [&link, meta, mine, callback = std::move(callback)](const Result<Reply> &found) {
        if (!found.ok()) {
            callback(found.error());
            return;
        }
        const bool isNew = (*found)[0].isNil() && (*found)[1].isNil();
        if (!isNew || mine == NamespaceKind::Scripts) {
            callback((*found)[1].view() == ofMemory ? NamespaceKind::Memory : NamespaceKind::Scripts);
            return;
        }
        link.command({"HSET", meta, kindField, ofMemory}, [callback](const Result<Reply> &written) {
            if (written.ok())
                callback(NamespaceKind::Memory);
            else
                callback(written.error());
        });
    });
}

} // namespace junban::redis
