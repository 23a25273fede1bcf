// A namespace into a file and back, without a master.
#include "app/ctl/fsck.h"
#include "app/ctl/redisaccess.h"
#include "app/ctl/verbs.h"
#include "core/redis/redisimport.h"

#include <QCoreApplication>
#include <QFile>
#include <QSaveFile>

namespace junban::app {

namespace {

// 1 when the file or the namespace is not what it should be, 2 when something could not be reached.
int refused(const Error &error)
{
    failed(error.message());
    return error.code == ErrorCode::Malformed || error.code == ErrorCode::Conflict || error.code == ErrorCode::NotFound ? 1 : 2;
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

void showMoved(Session &session, const QByteArray &how, const redis::Moved &moved)
{
    session.show({moved.keys, moved.header.transaction}, transferTable, [&how](const Transfer &done) {
        return how + ' ' + number(done.keys) + " keys, up to transaction " + number(done.transaction) + '\n';
    });
}

// What was imported is looked at before anybody builds on it.
void checkImported(Session &session, const OpenNamespace &open)
{
    fsckNamespace(open, Repair::No, [&session](const Result<FsckReport> &report) {
        QCoreApplication::exit(report.ok() ? showFsck(session, *report) : refused(report.error()));
    });
}

} // namespace

void exportNamespace(Session &session, Flags &flags)
{
    const QByteArray file = flags.word("FILE", "Where to write it; a file that is there is replaced.");
    const NamespaceAddress address = namespaceOf(flags);
    flags.note("Stop the masters of the namespace first.\n\n"
               "Exit codes: 0 done, 1 the namespace is not fit for it, 2 Redis was not reached or the file cannot be written.");
    if (!flags.ready())
        return;
    QSaveFile to(QString::fromUtf8(file));
    if (!to.open(QIODevice::WriteOnly) || !to.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner)) { // it holds arguments
        session.end(failed("the file cannot be written: " + to.errorString().toUtf8()));
        return;
    }
    session.end(runOnNamespace(address, [&session, &to](const OpenNamespace &open) {
        redis::exportNamespace(open.link, open.name, to, [&session, &to](const Result<redis::Moved> &moved) {
            if (!moved.ok()) {
                QCoreApplication::exit(refused(moved.error()));
            } else if (!to.commit()) {
                QCoreApplication::exit(failed("the file cannot be written: " + to.errorString().toUtf8()));
            } else {
                showMoved(session, "exported", *moved);
                QCoreApplication::exit(0);
            }
        });
    }));
}

void importNamespace(Session &session, Flags &flags)
{
    const QByteArray file = flags.word("FILE", "What export has written.");
    const NamespaceAddress address = namespaceOf(flags);
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
    session.end(runOnNamespace(address, [&session, &from, leftovers](const OpenNamespace &open) {
        redis::importNamespace(open.link, open.name, from, leftovers, [&session, open](const Result<redis::Moved> &moved) {
            if (!moved.ok()) {
                QCoreApplication::exit(refused(moved.error()));
                return;
            }
            showMoved(session, "imported", *moved);
            checkImported(session, open);
        });
    }));
}

} // namespace junban::app
