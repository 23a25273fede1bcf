#include "app/junbanctl/fsck.h"

#include "app/junbanctl/terminal.h"
#include "app/junbanctl/verbs.h"
#include "core/limits.h"
#include "core/redis/keys.h"
#include "core/redis/redisfsck.h"
#include "core/redis/redisstore.h"

#include <QCoreApplication>
#include <QTimer>
#include <algorithm>
#include <cstdio>

namespace junban::app {

namespace {

int failed(const QByteArray &why)
{
    std::fprintf(stderr, "junbanctl: %s\n", why.constData());
    return 2;
}

void printViolations(const QList<Violation> &violations)
{
    for (const Violation &violation : violations) {
        std::printf("%-4s %s: %s%s\n", violation.invariant.constData(), forTerminal(violation.key).constData(),
            forTerminal(violation.text).constData(), violation.repaired ? " (repaired)" : "");
    }
}

// The last lines; returns the exit code.
int printSums(const FsckReport &report)
{
    const qint64 more = report.found - report.violations.size();
    if (more > 0)
        std::printf("and %lld more\n", static_cast<long long>(more));
    std::printf("%lld checked, %lld found, %lld repaired\n", static_cast<long long>(report.checked), static_cast<long long>(report.found),
        static_cast<long long>(report.repaired));
    return report.found > 0 ? 1 : 0;
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
                printViolations(report->violations);
            QCoreApplication::exit(report.ok() ? printSums(*report) : failed(report.error().message));
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

void Verbs::fsck()
{
    look({}, {});
}

// Part after part over the master; what was told is printed at once, up to the bound of a whole run.
void Verbs::look(const QByteArray &cursor, FsckReport sofar)
{
    const Repair repair = m_flags.isSet(QStringLiteral("repair")) ? Repair::Yes : Repair::No;
    m_client.fsck(repair, cursor, [this, sofar = std::move(sofar)](const Result<FsckReport> &part) mutable {
        if (!part.ok()) {
            Q_EMIT ended(failed(forTerminal(part.error().message)));
            return;
        }
        sofar.checked += part->checked;
        sofar.found += part->found;
        sofar.repaired += part->repaired;
        const QList<Violation> told = part->violations.first(
            std::min(part->violations.size(), qMax<qsizetype>(0, limits::fsck_violations_max - sofar.violations.size())));
        printViolations(told);
        sofar.violations += told;
        if (part->next.isEmpty())
            Q_EMIT ended(printSums(sofar));
        else
            look(part->next, std::move(sofar));
    });
}

} // namespace junban::app
