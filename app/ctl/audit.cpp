// Who did what: the audit of a master, and the file that it appends it to.
#include "app/ctl/verbs.h"

#include "core/base/reasons/ctl.h"
#include "core/access/auditchain.h"
#include "core/limits.h"
#include "core/msgpack/json.h"

#include <QFile>

namespace junban::app {

namespace {

QByteArray actorText(const AuditEntry &entry)
{
    return entry.note.isEmpty() ? entry.actor : entry.note + " (" + entry.actor + ')';
}

QByteArray changeText(const AuditEntry &entry)
{
    const auto text = [](const QByteArray &value) { return value.isEmpty() ? QByteArray() : json::fromMsgpack(value); };
    const QByteArray before = text(entry.before), after = text(entry.after);
    return before.isEmpty() || after.isEmpty() ? before + after : before + " -> " + after;
}

constexpr Column<AuditEntry> auditColumns[] = {
    {"time", [](const AuditEntry &entry) { return timeText(entry.at_ms); }},
    {"actor", actorText},
    {"address", [](const AuditEntry &entry) { return entry.address; }},
    {"action", [](const AuditEntry &entry) { return entry.action; }},
    {"target", [](const AuditEntry &entry) { return entry.target; }},
    {"result", [](const AuditEntry &entry) { return entry.result == 0 ? QByteArray("-") : QByteArray::number(entry.result); }},
    {"reason", [](const AuditEntry &entry) { return entry.reason; }},
    {"change", changeText},
};

// What a check of files found, and where their chain ends.
struct CheckedFile {
    qint64 lines = 0;
    qint64 first = 0;
    qint64 last = 0;
    QByteArray hash = {};
    qint64 faults = 0;
    qint64 found = 0;              // the line with the hash of --last
};
constexpr Field checkedFields[] = {
    field::integer<&CheckedFile::lines>("lines"), field::integer<&CheckedFile::first>("first"), field::integer<&CheckedFile::last>("last"),
    field::text<&CheckedFile::hash>("hash"), field::integer<&CheckedFile::faults>("faults"),
    field::integer<&CheckedFile::found>("found").rare(),
};
constexpr TableOf<CheckedFile> checkedTable{nullptr, checkedFields};

// Takes every line of a file; refused when it cannot be read. Lines that are longer than any of ours come in parts, none of which is a line
// of an audit.
bool check(const QByteArray &path, ChainCheck &chain, Flags &flags)
{
    QFile file(path == "-" ? QString() : QString::fromUtf8(path));
    const bool opened = path == "-" ? file.open(0, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    if (!opened)
        flags.refuse(reasons::inputUnreadable(fileName(path), file.errorString().toUtf8()));
    while (opened && !file.atEnd()) {
        constexpr qint64 line_bytes_max = 1024 * 1024;
        const QByteArray line = file.readLine(line_bytes_max);
        if (line.isEmpty())
            break;
        const bool ended = line.endsWith('\n');
        chain.take(ended ? QByteArrayView(line).chopped(1) : QByteArrayView(line), ended);
    }
    return opened;
}

// How far the master that writes the file says that it goes.
qint64 keptNumber(const QByteArray &path)
{
    QFile file(QString::fromUtf8(path) + QStringLiteral(".chain"));
    return file.open(QIODevice::ReadOnly) ? file.read(200).trimmed().split(' ').value(0).toLongLong() : 0;
}

CheckedFile checkedOf(const ChainCheck &chain)
{
    return {chain.lines(), chain.first(), chain.end().number, chain.end().hash, chain.count(), chain.found()};
}

} // namespace

void audit(Session &session, Flags &flags)
{
    client::AuditQuery query;
    query.since_ms = flags.time_ms("--since TIME", "Only what was done from then on, like 2027-01-02T03:04:05Z.").value_or(0);
    query.last_ms = flags.seconds_ms("--last SECONDS", "Only what was done in the last so many", {0, limits::ahead_s_max}).value_or(0);
    flags.refuseBoth(query.since_ms > 0 && query.last_ms > 0, "--since", "--last");
    query.actor = flags.text("--actor ACTOR", "Only by this one: a token's id or note, console, loopback.").value_or(QByteArray());
    query.action = flags.text("--action ACTION", "Only this operation, like putMatcher.").value_or(QByteArray());
    query.target = flags.text("--target ID", "Only what was done to this job, matcher, schedule or token.").value_or(QByteArray());
    query.limit = flags.whole("--limit N", "How many entries at most.", {1, limits::page_rows_max, limits::page_rows_default})
                      .value_or(limits::page_rows_default);
    query.cursor = flags.text("--cursor CURSOR", "Where the page begins: 'next' of the page before.").value_or(QByteArray());
    if (!flags.ready())
        return;
    session.client().audit(query, [&session](const Result<AuditPage> &page) {
        session.finish(page, auditPageTable, [](const AuditPage &shown) {
            return table(auditColumns, shown.entries) + (shown.next.isEmpty() ? QByteArray() : "more: --cursor " + shown.next + '\n');
        });
    });
}

void auditVerify(Session &session, Flags &flags)
{
    const QList<QByteArray> paths
        = flags.words("FILE", "What --audit-file names; - is standard input. Older ones that were moved away come first.");
    const QByteArray wanted
        = flags.text("--last HASH", "A hash that was noted earlier, which one of the lines must have.").value_or(QByteArray());
    flags.note("A changed line, and one that was removed, put in or moved, is told with its number among all lines that were read.\n"
               "Lines that are missing at the end are found by the file's .chain, or by a hash that was noted elsewhere: --last.");
    if (!flags.ready())
        return;
    const qint64 kept = paths.isEmpty() || paths.last() == "-" ? 0 : keptNumber(paths.last());
    ChainCheck chain(wanted);
    for (const QByteArray &path : paths) {
        if (!check(path, chain, flags))
            return;
    }
    CheckedFile checked = checkedOf(chain);
    QByteArray text;
    for (const ChainCheck::Fault &fault : chain.faults())
        text += fault.what.text + '\n';
    if (kept > checked.last) {
        ++checked.faults;
        text += QByteArray::number(kept - checked.last) + " lines are missing at the end: the last one had the number "
            + QByteArray::number(kept) + '\n';
    }
    if (!wanted.isEmpty() && checked.found == 0) {
        ++checked.faults;
        text += "no line has the hash of --last: lines are missing, or were changed\n";
    }
    session.show(checked, checkedTable, [&](const CheckedFile &sums) {
        return text + QByteArray::number(sums.lines) + " lines, numbers " + QByteArray::number(sums.first) + " to "
            + QByteArray::number(sums.last) + ", " + QByteArray::number(sums.faults) + " faults; the last hash is " + sums.hash + '\n';
    });
    session.end(checked.faults > 0 ? 1 : 0);
}

void auditLast(Session &session, Flags &flags)
{
    const QByteArray path = flags.word("FILE", "What --audit-file names; - is standard input.");
    flags.note("Note the hash somewhere else, and 'audit verify FILE --last HASH' finds out later whether lines up to it are missing.");
    if (!flags.ready())
        return;
    ChainCheck chain;
    if (!check(path, chain, flags))
        return;
    session.show(checkedOf(chain), checkedTable, [](const CheckedFile &sums) { return sums.hash + '\n'; });
    session.end(0);
}

} // namespace junban::app
