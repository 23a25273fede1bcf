#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QList>

namespace junban {

// Tokens as they are kept, which only a holder of the pepper can read or make (core/access/tokenrecord.h). Threads, callbacks and errors
// as Store's.
class TokenStore
{
public:
    TokenStore() = default;
    TokenStore(const TokenStore &) = delete;
    TokenStore &operator=(const TokenStore &) = delete;
    virtual ~TokenStore() = default;

    struct Row {
        QByteArray id;
        QByteArray record;
        qint64 lastUsedAt_ms = 0;
    };
    struct All {
        QByteArray version;        // another after every change; never empty
        QByteArray pepper;         // the mark of the pepper that they were made with; empty while there are none
        QList<Row> rows;           // in no order
        qint64 changedAt_ms = 0;   // when the last of them was made or revoked; 0: not known
        bool revoked = false;      // whether that was the end of one
        qint64 now_ms = 0;
    };
    // No rows when the version is still `known` (empty: none is).
    virtual void list(QByteArray known, Callback<All> callback) = 0;

    struct Save {
        QByteArray id;
        QByteArray record;
        QByteArray pepper;         // its mark; Conflict when other tokens were made with another one
    };
    // Conflict when there are as many as there may be.
    virtual void save(Save save, Callback<Done> callback) = 0;
    // NotFound.
    virtual void remove(QByteArray id, Callback<Done> callback) = 0;
    // They were just used. Kept to the minute; those that are gone are left alone.
    virtual void touch(QList<QByteArray> ids, Callback<Done> callback) = 0;
};

} // namespace junban
