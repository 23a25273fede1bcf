// The verbs that go straight to Redis, without a master; fsck may.
#include "app/ctl/straight.h"

#include "app/ctl/terminal.h"
#include "app/ctl/verbs.h"
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

Place placeOf(Flags &flags)
{
    const auto url = flags.text("--redis URL", "The Redis: redis://, rediss://, unix:// or sentinel://. Default redis://127.0.0.1:6379.");
    const auto name = flags.text("--namespace NAME", "The queue in it. Default: default.");
    const Result<redis::Address> address = redis::Address::fromUrl(url.value_or("redis://127.0.0.1:6379"));
    if (!address.ok())
        flags.refuse("--redis", address.error().message);
    Place place{address.ok() ? std::optional<redis::Address>(*address) : std::nullopt, name.value_or("default"), url || name};
    if (!redis::RedisStore::validNamespace(place.namespaceName))
        flags.refuse("--namespace", "is no name of a namespace: 1 to 64 letters, digits, '.', '_' or '-'");
    return place;
}

int straightToRedis(const Place &place, const std::function<void(const Straight &straight)> &begin)
{
    redis::Link link(*place.address);
    link.setHome(redis::keyPrefix(place.namespaceName));
    bool begun = false;
    const auto up = [&] {
        if (link.state() == redis::LinkState::Up && !std::exchange(begun, true))
            begin({link, place.namespaceName});
    };
    QObject::connect(&link, &redis::Link::stateChanged, &link, up, Qt::QueuedConnection);
    QTimer::singleShot(limits::command_deadline_ms, &link, [&begun] {
        if (!begun)
            QCoreApplication::exit(failed("Redis was not reached"));
    });
    link.start();
    return QCoreApplication::exec();
}

void exportNamespace(Session &session, Flags &flags)
{
    const QByteArray file = flags.word("FILE", "Where to write it; a file that is there is replaced.");
    const Place place = placeOf(flags);
    flags.note("Stop the masters of the namespace first.\n\n"
               "Exit codes: 0 done, 1 the namespace is not fit for it, 2 Redis was not reached or the file cannot be written.");
    if (!flags.ready())
        return;
    QSaveFile to(QString::fromUtf8(file));
    if (!to.open(QIODevice::WriteOnly) || !to.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner)) { // it holds arguments
        session.end(failed("the file cannot be written: " + to.errorString().toUtf8()));
        return;
    }
    session.end(straightToRedis(place, [&to](const Straight &straight) {
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
    }));
}

void importNamespace(Session &session, Flags &flags)
{
    const QByteArray file = flags.word("FILE", "What export has written.");
    const Place place = placeOf(flags);
    const bool force = flags.on("--force", "Remove what a broken-off import has left.");
    flags.note("The namespace must be empty; fsck looks at it afterwards.\n\n"
               "Exit codes: 0 done, 1 the file or the namespace is not fit for it or fsck found something, 2 Redis was not\n"
               "reached or the file cannot be read.");
    if (!flags.ready())
        return;
    QFile from(QString::fromUtf8(file));
    if (!from.open(QIODevice::ReadOnly)) {
        session.end(failed("the file cannot be read: " + from.errorString().toUtf8()));
        return;
    }
    const redis::Leftovers leftovers = force ? redis::Leftovers::Remove : redis::Leftovers::Keep;
    session.end(straightToRedis(place, [&from, leftovers](const Straight &straight) {
        redis::importNamespace(straight.link, straight.namespaceName, from, leftovers, [straight](const Result<redis::Moved> &moved) {
            if (!moved.ok()) {
                QCoreApplication::exit(refused(moved.error()));
                return;
            }
            printMoved("imported", *moved);
            checkImported(straight);
        });
    }));
}

} // namespace junban::app
