#pragma once

#include "server/api/auth.h"
#include "server/api/handlers.h"
#include "server/api/router.h"
#include "server/http/exchange.h"

#include <QHash>

namespace junban::api {

// The HTTP API of openapi/master.yaml over the parts of an engine: routing, who may, encodings; then a handler (server/api/handlers.h).
// One per engine thread. Threads: that one.
class Api
{
public:
    // The engine's parts must outlive it. Stops the process when document and handlers do not fit each other.
    Api(Queue &queue, Inspector &inspector, Changes &changes, Scheduler &scheduler, Lookback &lookback, Matching matching,
        AuthOptions auth);

    void handle(const http::Exchange &exchange);
    // For ServerOptions::bodyLimit.
    qint64 bodyLimit(const QByteArray &method, const QByteArray &path) const;
    // The operations that have a handler.
    QList<QByteArray> operations() const { return m_handlers.keys(); }
    static QByteArray document();

private:
    void readBody(Call &call);
    void run(const Call &call);

    Parts m_parts;
    Auth m_auth;
    Router m_router;
    QHash<QByteArray, decltype(Operation::handle)> m_handlers; // by operationId
};

} // namespace junban::api
