#include "app/ctl/straight.h"
#include "app/ctl/terminal.h"
#include "app/ctl/verbs.h"
#include "core/limits.h"
#include "core/redis/redisfsck.h"

#include <QCoreApplication>
#include <algorithm>
#include <cstdio>

namespace junban::app {

namespace {

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

int printFsck(const FsckReport &report)
{
    printViolations(report.violations);
    return printSums(report);
}

int runFsck(const QCommandLineParser &flags)
{
    return straightToRedis(flags, [&flags](const Straight &straight) {
        const auto fsck = std::make_shared<redis::RedisFsck>(straight.link, straight.namespaceName, redis::ScriptClock::Redis);
        const Repair repair = flags.isSet(QStringLiteral("repair")) ? Repair::Yes : Repair::No;
        fsck->run(repair, [fsck](const Result<FsckReport> &report) {
            QCoreApplication::exit(report.ok() ? printFsck(*report) : failed(report.error().message));
        });
    });
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
