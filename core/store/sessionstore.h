#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QList>

namespace junban {

// Sessions as they are kept, which only a holder of the pepper can read or make (core/access/session.h). Threads, callbacks and errors as
// Store's, but no call is repeated: after an error it may have been done or not.
class SessionStore
{
public:
    SessionStore() = default;
    SessionStore(const SessionStore &) = delete;
    SessionStore &operator=(const SessionStore &) = delete;
    virtual ~SessionStore() = default;

    struct Row {
        QByteArray key;
        QByteArray record;         // empty: there is none
        qint64 usedAt_ms = 0;      // 0: not since it was made
    };
    virtual void get(QByteArray key, Callback<Row> callback) = 0;
    // In no order.
    virtual void list(Callback<QList<Row>> callback) = 0;
    virtual void save(Row row, Callback<Done> callback) = 0;
    // Notes when it was used. One that is gone does not come back by it.
    virtual void touch(QByteArray key, qint64 at_ms, Callback<Done> callback) = 0;
    // Those that are not there are left out.
    virtual void remove(QList<QByteArray> keys, Callback<Done> callback) = 0;
};

} // namespace junban
