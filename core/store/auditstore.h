#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QList>
#include <QPair>

namespace junban {

// The audit in the store: entries that C++ packed, and some that scripts wrote. About limits::audit_entries_max are kept, the newest.
// Threads, callbacks and errors as for Store.
class AuditStore
{
public:
    AuditStore() = default;
    AuditStore(const AuditStore &) = delete;
    AuditStore &operator=(const AuditStore &) = delete;
    virtual ~AuditStore() = default;

    // At most limits::script_items_max. An entry may be there twice when the connection broke before the answer.
    virtual void append(QList<QByteArray> entries, Callback<Done> callback) = 0;

    struct Row {
        QByteArray id;                       // where it is; later ones are greater
        qint64 at_ms = 0;                    // when it was stored
        QByteArray packed = {};              // empty: a script wrote it
        QList<QPair<QByteArray, QByteArray>> fields = {}; // of one that a script wrote
    };
    // The newest `limit` rows before the row `before` (empty: of all), none stored before `since_ms`; the newest first.
    virtual void page(QByteArray before, qint64 since_ms, int limit, Callback<QList<Row>> callback) = 0;
};

} // namespace junban
