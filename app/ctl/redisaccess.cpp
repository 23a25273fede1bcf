#include "app/ctl/redisaccess.h"

#include "app/ctl/flags.h"
#include "app/ctl/terminal.h"
#include "core/limits.h"
#include "core/redis/keys.h"
#include "core/redis/redisstore.h"

#include <QCoreApplication>
#include <QTimer>
#include <cstdio>
#include <utility>

namespace junban::app {

int failed(const QByteArray &why)
{
    std::fprintf(stderr, "junbanctl: %s\n", forTerminal(why).constData());
    return 2;
}

NamespaceAddress namespaceOf(Flags &flags)
{
    const auto url = flags.text("--redis URL", "The Redis: redis://, rediss://, unix:// or sentinel://. Default redis://127.0.0.1:6379.");
    const auto name = flags.text("--namespace NAME", "The queue in it. Default: default.");
    const Result<redis::Address> address = redis::Address::fromUrl(url.value_or("redis://127.0.0.1:6379"));
    if (!address.ok())
        flags.refuse("--redis", address.error().message());
    NamespaceAddress found{address.ok() ? std::optional<redis::Address>(*address) : std::nullopt, name.value_or("default"), url || name};
    if (!redis::RedisStore::validNamespace(found.name))
        flags.refuse("--namespace", "is no name of a namespace: " + redis::RedisStore::namespaceRule());
    return found;
}

int runOnNamespace(const NamespaceAddress &address, const std::function<void(const OpenNamespace &open)> &begin)
{
    redis::Link link(*address.redis);
    link.setHome(redis::keyPrefix(address.name));
    bool begun = false;
    const auto up = [&] {
        if (link.state() == redis::LinkState::Up && !std::exchange(begun, true))
            begin({link, address.name});
    };
    QObject::connect(&link, &redis::Link::stateChanged, &link, up, Qt::QueuedConnection);
    QTimer::singleShot(limits::command_deadline_ms, &link, [&begun] {
        if (!begun)
            QCoreApplication::exit(failed("Redis was not reached"));
    });
    link.start();
    return QCoreApplication::exec();
}

} // namespace junban::app
