#include "app/ctl/redisaccess.h"

#include "app/ctl/flags.h"
#include "app/ctl/session.h"
#include "core/base/reasons/engine.h"
#include "core/base/reasons/start.h"
#include "core/base/reasons/store.h"
#include "core/limits.h"
#include "core/redis/keys.h"
#include "core/redis/namespacekind.h"
#include "core/redis/redisstore.h"

#include <QCoreApplication>
#include <QTimer>
#include <utility>

namespace junban::app {

NamespaceAddress namespaceOf(Flags &flags)
{
    const auto url = flags.text("--redis URL", "The Redis: redis://, rediss://, unix:// or sentinel://. Default redis://127.0.0.1:6379.");
    const auto name = flags.text("--namespace NAME", "The queue in it. Default: default.");
    const Result<redis::Address> address = redis::Address::fromUrl(url.value_or("redis://127.0.0.1:6379"));
    if (!address.ok())
        flags.refuse(reasons::optionWrong("--redis", address.error().reason));
    NamespaceAddress found{address.ok() ? std::optional<redis::Address>(*address) : std::nullopt, name.value_or("default"), url || name};
    if (!redis::RedisStore::validNamespace(found.name))
        flags.refuse(reasons::optionNamespaceExpected("--namespace", limits::namespace_bytes_max));
    return found;
}

int runOnNamespace(Session &session, const NamespaceAddress &address, const std::function<void(const OpenNamespace &open)> &begin)
{
    redis::Link link(*address.redis);
    link.setHome(redis::keyPrefix(address.name));
    bool begun = false;
    const auto up = [&] {
        if (link.state() != redis::LinkState::Up || std::exchange(begun, true))
            return;
        redis::askKind(link, address.name, [&](const Result<redis::NamespaceKind> &kind) {
            if (kind.ok() && *kind == redis::NamespaceKind::Memory)
                QCoreApplication::exit(session.tell(Error{ErrorCode::Conflict, reasons::startNamespaceOfMemory()}));
            else
                begin({link, address.name});
        });
    };
    QObject::connect(&link, &redis::Link::stateChanged, &link, up, Qt::QueuedConnection);
    QTimer::singleShot(limits::command_deadline_ms, &link, [&session, &begun] {
        if (!begun)
            QCoreApplication::exit(session.tell(reasons::redisUnreachable()));
    });
    link.start();
    return QCoreApplication::exec();
}

} // namespace junban::app
