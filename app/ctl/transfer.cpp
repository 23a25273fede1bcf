// A namespace into a file and back, without a master.
#include "app/ctl/exits.h"
#include "app/ctl/fsck.h"
#include "app/ctl/outputfile.h"
#include "app/ctl/redisaccess.h"
#include "app/ctl/verbs.h"
#include "core/base/reasons/ctl.h"
#include "core/base/reasons/start.h"
#include "core/limits.h"
#include "core/redis/redisimport.h"

#include <QCoreApplication>
#include <QFile>

namespace junban::app {

namespace {

// 1 when the file or the namespace is not what it should be, 2 when something could not be reached.
int refused(Session &session, const Error &error)
{
    const int misused = session.tell(error);
    return error.code == ErrorCode::Malformed || error.code == ErrorCode::Conflict || error.code == ErrorCode::NotFound ? exits::refused
                                                                                                                        : misused;
}

// What was written or read.
struct Transfer {
    qint64 keys = 0;
    qint64 transaction = 0;          // the last one in it
};
constexpr Field transferFields[] = {
    field::integer<&Transfer::keys>("keys"),
    field::integer<&Transfer::transaction>("transaction"),
};
constexpr TableOf<Transfer> transferTable{nullptr, transferFields};

QByteArray movedText(const QByteArray &how, const redis::Moved &moved)
{
    return how + ' ' + number(moved.keys) + " keys, up to transaction " + number(moved.header.transaction);
}

void showMoved(Session &session, const QByteArray &how, const redis::Moved &moved)
{
    session.show({moved.keys, moved.header.transaction}, transferTable, [&](const Transfer &) { return movedText(how, moved) + '\n'; });
}

// Goes on after it said so, if masters are at work: what they change is not in the file, or makes it useless.
void withWarning(Session &session, const OpenNamespace &open, std::function<void()> goOn)
{
    redis::countEngines(open.link, open.name, [&session, goOn = std::move(goOn)](const Result<qint64> &engines) {
        if (engines.ok() && *engines > 0)
            session.note("warning: a master is at work in this namespace, or was in the last " + number(limits::engine_seen_s)
                + " s; stop all of them first");
        goOn();
    });
}

void finishExport(Session &session, OutputFile &to, const Result<redis::Moved> &moved)
{
    const Result<Done> written = moved.ok() ? to.commit() : Result<Done>(moved.error());
    if (!written.ok()) {
        const int status = refused(session, written.error());
        QCoreApplication::exit(to.isStandardOutput() && to.isBroken() ? exits::unwritten : status);
    } else {
        if (to.isStandardOutput())
            session.note(movedText("exported", *moved));
        else
            showMoved(session, "exported", *moved);
        QCoreApplication::exit(exits::done);
    }
}

// What was imported is looked at before anybody builds on it.
void checkImported(Session &session, const OpenNamespace &open)
{
    fsckNamespace(open, Repair::No, [&session](const Result<FsckReport> &report) {
        QCoreApplication::exit(report.ok() ? showFsck(session, *report) : refused(session, report.error()));
    });
}

} // namespace

void exportNamespace(Session &session, Flags &flags)
{
    const QByteArray file = flags.file("Where to write it; - is standard output. A regular file is replaced when all is written, through a "
                                       "symbolic link, too. A device, a fifo or a socket is written into.");
    const NamespaceAddress address = namespaceOf(flags);
    flags.note("Stop the masters of the namespace first. What they change meanwhile makes the file useless, and is noticed.");
    if (flags.ready() && file.isEmpty())
        flags.refuse(reasons::optionRequired("FILE"));
    if (!flags.ready())
        return;
    const Result<std::unique_ptr<OutputFile>> opened = OutputFile::open(file);
    if (!opened.ok()) {
        session.end(session.tell(opened.error()));
        return;
    }
    OutputFile &to = **opened;
    session.end(runOnNamespace(session, address, [&session, &to](const OpenNamespace &open) {
        withWarning(session, open, [&session, &to, open] {
            redis::exportNamespace(open.link, open.name, to.device(),
                [&session, &to](const Result<redis::Moved> &moved) { finishExport(session, to, moved); });
        });
    }));
}

void importNamespace(Session &session, Flags &flags)
{
    const QByteArray file = flags.word("FILE", "What export has written.");
    const NamespaceAddress address = namespaceOf(flags);
    const bool force = flags.on("--force", "Remove what a broken-off import has left.");
    flags.note("The namespace must be empty; fsck looks at it afterwards.");
    if (!flags.ready())
        return;
    QFile from(QString::fromUtf8(file));
    if (!from.open(QIODevice::ReadOnly) || from.isSequential()) { // it is read twice
        const Error why = from.isOpen() ? reasons::inputNotRegular(file) : reasons::inputUnreadable(file, from.errorString().toUtf8());
        session.end(session.tell(why));
        return;
    }
    const redis::Leftovers leftovers = force ? redis::Leftovers::Remove : redis::Leftovers::Keep;
    session.end(runOnNamespace(session, address, [&session, &from, leftovers](const OpenNamespace &open) {
        withWarning(session, open, [&session, &from, leftovers, open] {
            redis::importNamespace(open.link, open.name, from, leftovers, [&session, open](const Result<redis::Moved> &moved) {
                if (!moved.ok()) {
                    QCoreApplication::exit(refused(session, moved.error()));
                    return;
                }
                showMoved(session, "imported", *moved);
                checkImported(session, open);
            });
        });
    }));
}

} // namespace junban::app
