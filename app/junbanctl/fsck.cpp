#include "app/junbanctl/fsck.h"

#include "app/junbanctl/terminal.h"
#include "core/limits.h"
#include "core/redis/keys.h"
#include "core/redis/redisfsck.h"
#include "core/redis/redisstore.h"

#include <QCoreApplication>
#include <QTimer>
#include <cstdio>

namespace junban::app {

namespace {

int failed(const QByteArray &why)
{
    std::fprintf(stderr, "junbanctl: %s\n", why.constData());
    return 2;
}

void print(const FsckReport &report)
{
    for (const Violation &violation : report.violations) {
        std::printf("%-4s %s: %s%s\n", violation.invariant.constData(), forTerminal(violation.key).constData(),
            forTerminal(violation.text).constData(), violation.repaired ? " (repaired)" : "");
    }
    const qint64 more = report.found - report.violations.size();
    if (more > 0)
        std::printf("and %lld more\n", static_cast<long long>(more));
    std::printf("%lld checked, %lld found, %lld repaired\n", static_cast<long long>(report.checked), static_cast<long long>(report.found),
        static_cast<long long>(report.repaired));
}

} // namespace

int runFsck(const QCommandLineParser &flags)
{
    const auto value = [&flags](const char *name, const char *otherwise) {
        const QString key = QString::fromLatin1(name);
        return flags.isSet(key) ? flags.value(key).toUtf8() : QByteArray(otherwise);
    };
    const Result<redis::Address> address = redis::Address::fromUrl(value("redis", "redis://127.0.0.1:6379"));
    if (!address.ok())
        return failed(address.error().message);
    const QByteArray namespaceName = value("namespace", "default");
    if (!redis::RedisStore::validNamespace(namespaceName))
        return failed("this is no name of a namespace");
    redis::Link link(*address);
    link.setHome(redis::keyPrefix(namespaceName));
    redis::RedisFsck fsck(link, namespaceName, redis::ScriptClock::Redis);
    bool begun = false;
    const auto begin = [&] {
        if (link.state() != redis::LinkState::Up || std::exchange(begun, true))
            return;
        fsck.run(flags.isSet(QStringLiteral("repair")) ? Repair::Yes : Repair::No, [](const Result<FsckReport> &report) {
            if (report.ok())
                print(*report);
            QCoreApplication::exit(!report.ok() ? failed(report.error().message) : report->found > 0 ? 1 : 0);
        });
    };
    QObject::connect(&link, &redis::Link::stateChanged, &link, begin, Qt::QueuedConnection);
    QTimer::singleShot(limits::command_deadline_ms, &link, [&begun] {
        if (!begun)
            QCoreApplication::exit(failed("Redis was not reached"));
    });
    link.start();
    return QCoreApplication::exec();
}

} // namespace junban::app
