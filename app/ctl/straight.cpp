#include "app/ctl/straight.h"

#include "app/ctl/terminal.h"
#include "core/limits.h"
#include "core/redis/keys.h"
#include "core/redis/redisfsck.h"
#include "core/redis/redisimport.h"
#include "core/redis/redisstore.h"

#include <QCoreApplication>
#include <QFile>
#include <QSaveFile>
#include <QTimer>
#include <cstdio>
#include <utility>

namespace junban::app {

namespace {

// The file, or the namespace, is not what it should be: told apart from what could not be reached.
int refused(const Error &error)
{
    failed(error.message);
    return error.code == ErrorCode::Malformed || error.code == ErrorCode::Conflict || error.code == ErrorCode::NotFound ? 1 : 2;
}

void printMoved(const char *how, const redis::Moved &moved)
{
    std::printf("%s %lld keys, up to transaction %lld\n", how, static_cast<long long>(moved.keys),
        static_cast<long long>(moved.header.transaction));
}

// What was imported is looked at before anybody builds on it.
void checkImported(const Straight &straight)
{
    const auto fsck = std::make_shared<redis::RedisFsck>(straight.link, straight.namespaceName, redis::ScriptClock::Redis);
    fsck->run(Repair::No, [fsck](const Result<FsckReport> &report) {
        QCoreApplication::exit(report.ok() ? printFsck(*report) : refused(report.error()));
    });
}

} // namespace

int failed(const QByteArray &why)
{
    std::fprintf(stderr, "junbanctl: %s\n", forTerminal(why).constData());
    return 2;
}

int straightToRedis(const QCommandLineParser &flags, const std::function<void(const Straight &straight)> &begin)
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
    bool begun = false;
    const auto up = [&] {
        if (link.state() == redis::LinkState::Up && !std::exchange(begun, true))
            begin({link, namespaceName});
    };
    QObject::connect(&link, &redis::Link::stateChanged, &link, up, Qt::QueuedConnection);
    QTimer::singleShot(limits::command_deadline_ms, &link, [&begun] {
        if (!begun)
            QCoreApplication::exit(failed("Redis was not reached"));
    });
    link.start();
    return QCoreApplication::exec();
}

int runExport(const QCommandLineParser &flags, const QString &file)
{
    QSaveFile to(file);
    if (!to.open(QIODevice::WriteOnly) || !to.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner)) // it holds arguments
        return failed("the file cannot be written: " + to.errorString().toUtf8());
    return straightToRedis(flags, [&to](const Straight &straight) {
        redis::exportNamespace(straight.link, straight.namespaceName, to, [&to](const Result<redis::Moved> &moved) {
            if (!moved.ok()) {
                QCoreApplication::exit(refused(moved.error()));
            } else if (!to.commit()) {
                QCoreApplication::exit(failed("the file cannot be written: " + to.errorString().toUtf8()));
            } else {
                printMoved("exported", *moved);
                QCoreApplication::exit(0);
            }
        });
    });
}

int runImport(const QCommandLineParser &flags, const QString &file)
{
    QFile from(file);
    if (!from.open(QIODevice::ReadOnly))
        return failed("the file cannot be read: " + from.errorString().toUtf8());
    const redis::Leftovers leftovers = flags.isSet(QStringLiteral("force")) ? redis::Leftovers::Remove : redis::Leftovers::Keep;
    return straightToRedis(flags, [&from, leftovers](const Straight &straight) {
        redis::importNamespace(straight.link, straight.namespaceName, from, leftovers, [straight](const Result<redis::Moved> &moved) {
            if (!moved.ok()) {
                QCoreApplication::exit(refused(moved.error()));
                return;
            }
            printMoved("imported", *moved);
            checkImported(straight);
        });
    });
}

} // namespace junban::app
