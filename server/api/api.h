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
        Tokens &tokens, AuthOptions auth);

    void handle(const http::Exchange &exchange);
    // For ServerOptions::bodyLimit.
    qint64 bodyLimit(const QByteArray &method, const QByteArray &path) const;
    // The operations that have a handler.
    QList<QByteArray> operations() const { return m_handlers.keys(); }
    static QByteArray document();

private:
    void readBody(Call &call);
    void run(const Call &call);
    // api/matchers.cpp
    void listMatchers(const Call &call);
    void getMatcher(const Call &call);
    void putMatcher(const Call &call);
    void deleteMatcher(const Call &call);
    void previewMatcher(const Call &call);
    void listRevisions(const Call &call);
    void revertMatcher(const Call &call);
    void pause(const Call &call);
    void resume(const Call &call);
    void endPauses(const Call &call, QList<JobMatcher> left, QList<JobMatcher> ended);
    void listPauses(const Call &call);
    // api/constraints.cpp
    void listConstraints(const Call &call);
    void listBuckets(const Call &call);
    void overrideBucket(const Call &call);
    void tripBreaker(const Call &call);
    void resetBreaker(const Call &call);
    void changeBreaker(const Call &call, BreakerState to);
    void listHeld(const Call &call);
    void explainJob(const Call &call);
    Parts m_parts;
    Matching &m_matching = m_parts.matching;
    Auth m_auth;
    Router m_router;
    QHash<QByteArray, std::function<void(const Call &)>> m_handlers; // by operationId
};

} // namespace junban::api
