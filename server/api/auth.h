#pragma once

#include "core/base/changeable.h"
#include "core/operators/sessions.h"
#include "server/api/failedlogins.h"
#include "server/api/proxies.h"
#include "server/api/router.h"
#include "server/http/exchange.h"

#include <QByteArray>
#include <QList>
#include <memory>

namespace junban::api {

// What may change while a master serves.
struct Reach {
    QList<QByteArray> hosts = {};   // further names this master is reached under
    Proxies proxies = {};           // whose word about addresses is believed
};

struct AuthOptions {
    QByteArray consoleToken;        // the desktop window's own for this run; empty: none
    bool insecure = false;          // while there is no token, other machines count as this one
    quint32 owner = ~quint32(0);    // the id of the user that the master runs as
    std::shared_ptr<Changeable<Reach>> reach = std::make_shared<Changeable<Reach>>(); // shared by a master's engines
    std::shared_ptr<FailedLogins> failed = std::make_shared<FailedLogins>(); // shared by a master's engines
    std::shared_ptr<FailedLogins> refused = std::make_shared<FailedLogins>(); // the same; attempts that the audit keeps
};

// Who calls, as far as it is known.
struct Caller {
    QByteArray who = {};                        // Token::createdBy says how it is written
    QHostAddress address = {};                  // where the call came from, before trusted proxies; null over a unix socket
    std::shared_ptr<const Grant> grant = {};    // none: every role, and all jobs

    QByteArray session = {};                    // what its session is kept under; empty: it has none
    qint64 sessionEnds_ms = 0;

    QByteArray place = {};                      // of an open caller: "loopback", "unix", or "open" from other machines

    // Who it is in the audit: `who`, or an open caller's place.
    QByteArray actor() const { return place.isEmpty() ? who : place; }
    // For people: the note of the token with its id, or actor(). At most limits::name_bytes_max.
    QByteArray name() const;
    // What it may do; all roles where there is no grant, none while nobody is known.
    QList<Role> roles() const;
    bool isScoped() const { return grant && !grant->scope.isAll(); }
};

// Whether the caller of a request that takes long may go on: it would outlive the token or the session that it was made with, or the time
// without tokens.
bool mayCallStill(const Tokens &tokens, Sessions &sessions, const Caller &caller);

// Who may call what. Against browsers on other sites: the Host must be one of ours, and neither a change nor a WebSocket, which any page
// may read, may come from another origin.
// While there is no token, callers from this machine hold every role; once there is one, every caller needs one, for a proxy on this
// machine speaks for others. When tokens are lost, the master's own user holds every role over a unix socket, to make a new one. The
// console's own token holds every role, and does not count.
// A browser may have a session instead of a token, in a cookie. As it sends that by itself, a page of another origin must not use it: then
// a change, or a WebSocket, has to say where it comes from, and a read from elsewhere is as one without a session.
class Auth
{
public:
    // `tokens` and `sessions` must outlive it.
    Auth(AuthOptions options, Tokens &tokens, Sessions &sessions)
        : m_options(std::move(options))
        , m_tokens(tokens)
        , m_sessions(sessions)
    {
    }

    struct Refusal {
        Reason reason;
        QList<QPair<QByteArray, QByteArray>> fields = {}; // of the answer
    };
    // Nothing when the call may go on; then `caller` is who calls.
    std::optional<Refusal> check(const http::Request &request, const Route &route, Caller &caller) const;
    // What check() goes by besides the request and the time.
    struct InForce {
        quint64 tokens = 0;
        quint64 reach = 0;
        friend bool operator==(const InForce &, const InForce &) = default;
    };
    InForce inForce() const { return {m_tokens.changes(), m_options.reach->changes()}; }
    // Whether check() would let this caller in again with an equal request, if what is in force has not changed since it did. A caller
    // with a session is checked each time.
    bool goesOn(const Caller &caller) const { return caller.session.isEmpty() && (!caller.grant || m_tokens.goesOn(caller.grant)); }
    // The session that the request is made with, when it has to be read before check() (Sessions::look).
    std::optional<QByteArray> unread(const http::Request &request, const Route &route) const;
    // Whether a person may sign in with this token; then `caller` is who has it.
    std::optional<Refusal> signIn(const QByteArray &token, Caller &caller) const;
    // Before any route is known: whether the Host is ours.
    bool knowsHost(const QByteArray &host) const;

private:
    std::optional<Refusal> identify(const http::Request &request, const Route &route, Caller &caller) const;
    std::optional<Refusal> withSession(const http::Request &request, const QByteArray &text, Caller &caller) const;
    std::optional<Refusal> withoutToken(const http::Request &request, Caller &caller) const;
    Refusal unknown(const Caller &caller) const;

    AuthOptions m_options;
    Tokens &m_tokens;
    Sessions &m_sessions;
};

} // namespace junban::api
