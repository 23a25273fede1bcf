#pragma once

#include "core/access/auditfile.h"
#include "core/base/clock.h"
#include "core/store/auditstore.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace junban {

// Keeps the audit, in the store and, if there is one, in a file; and reads it from the store. The file has an entry when note() returns.
// The store has it soon after: while it does not answer, or cannot write, entries wait here, and are sent again. Threads: the engine's.
class Auditor : public QObject
{
    Q_OBJECT

public:
    // `file` may be missing. Store and clock must outlive it.
    Auditor(AuditStore &store, const Clock &clock, std::shared_ptr<AuditFile> file, QObject *parent = nullptr);

    // Its time is set here.
    void note(AuditEntry entry);

    // What a page shows: entries at or after `since_ms` (0: of all times) that have these texts (empty: any).
    struct Query {
        qint64 since_ms = 0;
        QByteArray actor = {};     // the actor, or the note of its token
        QByteArray action = {};
        QByteArray target = {};
        int limit = 0;
        QByteArray cursor = {};
    };
    // The newest first. InvalidField for "cursor" when it is not from an answer of this list. With a filter a page may be short of `limit`,
    // or empty, and still have a next one.
    void list(Query query, Callback<AuditPage> callback);

private:
    struct Listing;
    void dropOldest();
    void send();
    void look(const std::shared_ptr<Listing> &listing);
    void looked(const std::shared_ptr<Listing> &listing, const QList<AuditStore::Row> &rows);

    AuditStore &m_store;
    const Clock &m_clock;
    std::shared_ptr<AuditFile> m_file;
    QTimer m_timer;
    QList<AuditEntry> m_waiting;
    qsizetype m_lost = 0;
    QList<std::shared_ptr<Listing>> m_listings; // that wait for what is being sent
    bool m_sending = false;
};

} // namespace junban
