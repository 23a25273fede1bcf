#pragma once

#include "core/access/token.h"
#include "core/msgpack/fieldtable.h"

#include <QByteArray>
#include <QList>

namespace junban {

// One operation of an operator or an admin, or an attempt at one, as the audit keeps it. It has no argument of a job, no result and no
// token.
struct AuditEntry {
    qint64 at_ms = 0;
    QByteArray actor = {};         // a token's id, or what Caller::who says; "unknown" when nobody was; "master", "fsck"
    QByteArray note = {};          // of the token
    QByteArray address = {};
    QList<Role> roles = {};
    QByteArray action = {};        // an operationId of openapi/master.yaml, or what a script did
    QByteArray target = {};        // the id of what was changed
    QByteArray reason = {};
    QByteArray before = {};        // a MessagePack map of what is not as before; empty: nothing is known
    QByteArray after = {};
    int result = 0;                // the status of the answer; 0: there was no request
};
struct AuditPage {
    QList<AuditEntry> entries = {}; // the newest first
    QByteArray next = {};           // where the next page begins; empty: this is the last one
};

extern const TableOf<AuditEntry> auditEntryTable;
extern const TableOf<AuditPage> auditPageTable;

// Makes an entry fit to be kept: arguments and results are taken out of `before` and `after`, and so are fields that are the same in both;
// every text that looks like a token is covered; and all is cut to its bounds.
AuditEntry fitForAudit(AuditEntry entry);

// A map without the values of `argument`, `result` and `error`, at any depth. `value` is one complete MessagePack value.
QByteArray withoutPayloads(QByteArrayView value);

} // namespace junban
