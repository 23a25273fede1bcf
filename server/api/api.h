#pragma once

#include "server/api/auditing.h"
#include "server/api/auth.h"
#include "server/api/handlers.h"
#include "server/api/router.h"
#include "server/http/exchange.h"

#include <vector>

namespace junban::api {

// The HTTP API of openapi/master.yaml over the parts of an engine: finds the operation, checks who may call it, reads the encoding, and
// calls the handler (server/api/handlers.h). One for each engine thread, and used on that thread only.
class Api
{
public:
    // The engine's parts must outlive it. Ends the process when an operation of the document has no handler, or a handler no operation.
    Api(Queue &queue, Inspector &inspector, Changes &changes, Scheduler &scheduler, Lookback &lookback, Matching matching, Bulk bulk,
        Meter &meter, NewsWaits &news, Tokens &tokens, Sessions &sessions, FilterStore &filters, Workers &workers, Masker &masker,
        Auditor &auditor, const Clock &clock, std::shared_ptr<Times> times, AuthOptions auth);

    // Serves no web console.
    void leaveOutConsole() { m_hasConsole = false; }
    // Marks answers to reads by this count (server/api/call.h), which must outlive it.
    void setUnsavedReads(const quint64 &count) { m_unsavedReads = &count; }
    void handle(const http::Exchange &exchange);
    // Answers it with this error, in the encoding that it wants.
    static void refuse(const http::Exchange &exchange, const Error &error);
    // How a master that does not lead passes it on. What it refuses by itself is not passed on.
    Passed passed(const http::Request &request) const;
    // For ServerOptions::place. handle() needs it of each request that has a route.
    http::Place place(const QByteArray &method, const QByteArray &path) const;
    static QByteArray document();

private:
    // What follows from a head, for further heads that are equal to it (http::Place::memo).
    struct Memo;
    static Memo *memoOf(const http::Request &request);
    void noteTime(const Call &call) const;
    void admit(Call call);
    void readBody(Call &call);
    static bool readSearch(Call &call);
    void run(const Call &call);

    Parts m_parts;
    Auditing m_auditing;
    Auth m_auth;
    Router m_router;
    bool m_hasConsole = true;
    const quint64 *m_unsavedReads = nullptr;
    std::vector<const Operation *> m_operations; // by the index of their route
};

} // namespace junban::api
