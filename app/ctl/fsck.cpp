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

// Part after part over the master; what was told is printed at once, up to the bound of a whole run.
void look(Session &session, Repair repair, const QByteArray &cursor, FsckReport sofar)
{
    session.client().fsck(repair, cursor, [&session, repair, sofar = std::move(sofar)](const Result<FsckReport> &part) mutable {
        if (!part.ok()) {
            session.end(failed(part.error().message));
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
            session.end(printSums(sofar));
        else
            look(session, repair, part->next, std::move(sofar));
    });
}

} // namespace

int printFsck(const FsckReport &report)
{
    printViolations(report.violations);
    return printSums(report);
}

void fsck(Session &session, Flags &flags)
{
    const Repair repair = flags.on("--repair", "Repair what is found.") ? Repair::Yes : Repair::No;
    const Place place = placeOf(flags);
    flags.note("It asks the master; with --redis or --namespace it goes straight to Redis and needs none. Masters may be at work.\n\n"
               "Exit codes: 0 nothing found, 1 something found, repaired or not, 2 it could not look.");
    if (!flags.ready())
        return;
    if (!place.isGiven) {
        look(session, repair, {}, {});
        return;
    }
    session.end(straightToRedis(place, [repair](const Straight &straight) {
        const auto fsck = std::make_shared<redis::RedisFsck>(straight.link, straight.namespaceName, redis::ScriptClock::Redis);
        fsck->run(repair, [fsck](const Result<FsckReport> &report) {
            QCoreApplication::exit(report.ok() ? printFsck(*report) : failed(report.error().message));
        });
    }));
}

} // namespace junban::app
