#include "app/ctl/fsck.h"

#include "app/ctl/verbs.h"
#include "core/limits.h"
#include "core/redis/redisfsck.h"

#include <QCoreApplication>
#include <algorithm>
#include <memory>

namespace junban::app {

namespace {

QByteArray violationsText(const QList<Violation> &violations)
{
    QByteArray text;
    for (const Violation &violation : violations) {
        text += forTerminal(violation.invariant).leftJustified(4) + ' ' + forTerminal(violation.key) + ": "
            + forTerminal(violation.reason.text) + (violation.repaired ? " (repaired)" : "") + '\n';
    }
    return text;
}

// The last lines.
QByteArray sumsText(const FsckReport &report)
{
    const qint64 more = report.found - report.violations.size();
    return (more > 0 ? "and " + number(more) + " more\n" : QByteArray()) + number(report.checked) + " checked, " + number(report.found)
        + " found, " + number(report.repaired) + " repaired\n";
}

int exitCodeOf(const FsckReport &report)
{
    return report.found > 0 ? 1 : 0;
}

// Part after part over the master, up to the bound of a whole run. As text each part is printed at once.
void look(Session &session, Repair repair, const QByteArray &cursor, FsckReport sofar)
{
    session.client().fsck(repair, cursor, [&session, repair, sofar = std::move(sofar)](const Result<FsckReport> &part) mutable {
        if (!part.ok()) {
            session.end(session.tell(part.error()));
            return;
        }
        sofar.checked += part->checked;
        sofar.found += part->found;
        sofar.repaired += part->repaired;
        const QList<Violation> told = part->violations.first(
            std::min(part->violations.size(), qMax<qsizetype>(0, limits::fsck_violations_max - sofar.violations.size())));
        sofar.violations += told;
        if (!session.json())
            session.print(violationsText(told));
        if (!part->next.isEmpty()) {
            look(session, repair, part->next, std::move(sofar));
            return;
        }
        session.show(sofar, fsckReportTable, sumsText);
        session.end(exitCodeOf(sofar));
    });
}

} // namespace

void fsckNamespace(const OpenNamespace &open, Repair repair, const Callback<FsckReport> &callback)
{
    const auto fsck = std::make_shared<redis::RedisFsck>(open.link, open.name, redis::ScriptClock::Redis);
    fsck->run(repair, [fsck, callback](const Result<FsckReport> &report) { callback(report); });
}

int showFsck(Session &session, const FsckReport &report)
{
    session.show(report, fsckReportTable, [](const FsckReport &found) { return violationsText(found.violations) + sumsText(found); });
    return exitCodeOf(report);
}

void fsck(Session &session, Flags &flags)
{
    const Repair repair = flags.on("--repair", "Repair what is found.") ? Repair::Yes : Repair::No;
    const NamespaceAddress address = namespaceOf(flags);
    flags.note("It asks the master; with --redis or --namespace it goes straight to Redis and needs none. Masters may be at work.");
    if (!flags.ready())
        return;
    if (!address.isGiven) {
        look(session, repair, {}, {});
        return;
    }
    session.end(runOnNamespace(session, address, [&session, repair](const OpenNamespace &open) {
        fsckNamespace(open, repair, [&session](const Result<FsckReport> &report) {
            QCoreApplication::exit(report.ok() ? showFsck(session, *report) : session.tell(report.error()));
        });
    }));
}

} // namespace junban::app
