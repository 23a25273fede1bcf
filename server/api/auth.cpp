#include "server/api/auth.h"

#include "core/base/clock.h"
#include "core/base/reasons/api.h"
#include "core/base/text.h"
#include "core/limits.h"
#include "server/api/sessioncookie.h"
#include "server/http/handshake.h"

#include <QHostAddress>
#include <algorithm>
#include <arpa/inet.h>

namespace junban::api {

namespace {

constexpr char tokenProtocol[] = "junban.token.";

QByteArray hostName(const QByteArray &host)
{
    if (host.startsWith('['))
        return host.mid(1, host.indexOf(']') - 1);
    const qsizetype colon = host.indexOf(':');
    return (colon < 0 ? host : host.first(colon)).toLower();
}

// Nearly every request has an address as its Host, which the C library reads much faster than QHostAddress. That one knows further ways to
// write an address.
bool isAddress(const QByteArray &name)
{
    in6_addr address{};
    return inet_pton(AF_INET, name.constData(), &address) == 1 || inet_pton(AF_INET6, name.constData(), &address) == 1
        || !QHostAddress(QString::fromLatin1(name)).isNull();
}

// Whether one of the roles may call it. An admin may do what an operator may.
bool holds(const QList<Role> &roles, const QList<QByteArray> &needed)
{
    return std::any_of(roles.begin(), roles.end(), [&needed](Role role) {
        return needed.contains(roleWords[size_t(role)]) || (role == Role::Admin && needed.contains("operator"));
    });
}

// An admin may call what an operator may.
QByteArrayList listed(QByteArrayList roles)
{
    if (roles.contains("operator"))
        roles.append("admin");
    return roles;
}

bool changesNothing(const http::Request &request, const Route &route)
{
    return !route.isSocket && (request.method == "GET" || request.method == "HEAD");
}

// Whether a browser says that a page of another origin sends it.
bool isFromElsewhere(const http::Request &request)
{
    const QByteArray site = request.field("sec-fetch-site");
    return !site.isEmpty() && site != "same-origin" && site != "none";
}

// A page of another site may not change anything here. What it reads, its browser keeps from it, except for what a WebSocket says.
std::optional<Auth::Refusal> foreign(const http::Request &request, const Route &route)
{
    if (changesNothing(request, route))
        return {};
    if (isFromElsewhere(request))
        return Auth::Refusal{reasons::pageOfAnotherSite().reason};
    const QByteArray origin = request.field("origin");
    if (!origin.isEmpty() && !origin.endsWith("://" + request.field("host")))
        return Auth::Refusal{reasons::originOfAnotherSite().reason};
    return {};
}

// The token that the request was made with: nothing when it has none, empty when that can be no token. A browser's WebSocket cannot send
// Authorization: its page names the token as a subprotocol.
std::optional<QByteArray> tokenIn(const http::Request &request, const Route &route)
{
    const QByteArray authorization = request.field("authorization");
    if (!authorization.isEmpty()) {
        const bool isBearer = authorization.first(std::min<qsizetype>(7, authorization.size())).toLower() == "bearer ";
        return isBearer ? authorization.mid(7).trimmed() : QByteArray();
    }
    for (const QByteArray &protocol : route.isSocket ? http::listedIn(request, "sec-websocket-protocol") : QList<QByteArray>()) {
        if (protocol.startsWith(tokenProtocol))
            return protocol.mid(qsizetype(qstrlen(tokenProtocol)));
    }
    return {};
}

// A page of another origin has no use of the session.
std::optional<QByteArray> sessionIn(const http::Request &request, const QByteArray &mark)
{
    return isFromElsewhere(request) ? std::nullopt : sessioncookie::in(request, mark);
}

} // namespace

QByteArray Caller::name() const
{
    if (!grant || grant->token.spec.note.isEmpty())
        return actor();
    return shown(grant->token.spec.note, limits::name_bytes_max - who.size() - 3) + " (" + who + ')';
}

QList<Role> Caller::roles() const
{
    static const QList<Role> all{Role::Pusher, Role::Worker, Role::Viewer, Role::Operator, Role::Admin};
    return who.isEmpty() ? QList<Role>() : grant ? grant->token.spec.roles : all;
}

bool mayCallStill(const Tokens &tokens, Sessions &sessions, const Caller &caller)
{
    if (!caller.session.isEmpty())
        return sessions.isInForce(caller.session);
    if (caller.grant)
        return tokens.isInForce(caller.grant->token.id);
    return caller.place.isEmpty() || !tokens.needed() || tokens.lost();
}

bool Auth::knowsHost(const QByteArray &host) const
{
    // An address cannot be rebound by somebody's name server; only names can.
    const QByteArray name = hostName(host);
    return name == "localhost" || isAddress(name) || m_options.reach->now().hosts.contains(name);
}

std::optional<Auth::Refusal> Auth::check(const http::Request &request, const Route &route, Caller &caller) const
{
    caller.address = m_options.reach->now().proxies.clientOf(request);
    if (const std::optional<Refusal> refusal = foreign(request, route))
        return refusal;
    if (route.roles.isEmpty())
        return {};
    if (const std::optional<Refusal> refusal = identify(request, route, caller))
        return refusal;
    if (caller.grant && !holds(caller.grant->token.spec.roles, route.roles))
        return Refusal{reasons::roleNeeded(listed(route.roles)).reason};
    if (caller.isScoped() && !route.scoped)
        return Refusal{reasons::tokenForAllNeeded().reason};
    return {};
}

std::optional<Auth::Refusal> Auth::identify(const http::Request &request, const Route &route, Caller &caller) const
{
    const std::optional<QByteArray> text = tokenIn(request, route);
    if (!text) {
        const std::optional<QByteArray> session = sessionIn(request, m_sessions.mark());
        if (session && !changesNothing(request, route) && request.field("origin").isEmpty() && request.field("sec-fetch-site").isEmpty())
            return Refusal{reasons::originMissing().reason};
        return session ? withSession(request, *session, caller) : withoutToken(request, caller);
    }
    if (!m_options.consoleToken.isEmpty() && sameSecret(*text, m_options.consoleToken)) {
        caller.who = "console";
        return {};
    }
    caller.grant = m_tokens.find(*text);
    if (!caller.grant)
        return unknown(caller);
    caller.who = caller.grant->token.id;
    return {};
}

std::optional<QByteArray> Auth::unread(const http::Request &request, const Route &route) const
{
    if (route.roles.isEmpty() || tokenIn(request, route))
        return {};
    std::optional<QByteArray> session = sessionIn(request, m_sessions.mark());
    if (session && m_sessions.isFresh(*session))
        session.reset();
    return session;
}

// While there is no token, or none any more, nobody needs a session either.
std::optional<Auth::Refusal> Auth::withSession(const http::Request &request, const QByteArray &text, Caller &caller) const
{
    const std::optional<Sessions::Found> found = m_tokens.needed() ? m_sessions.find(text) : std::nullopt;
    if (!found) {
        std::optional<Refusal> refusal = withoutToken(request, caller);
        if (refusal && m_tokens.needed() && !m_tokens.lost())
            refusal = Refusal{reasons::sessionEnded().reason, refusal->fields};
        return refusal;
    }
    caller.grant = found->grant;
    caller.who = found->grant->token.id;
    caller.session = found->key;
    caller.sessionEnds_ms = found->session.endsAt_ms;
    return {};
}

std::optional<Auth::Refusal> Auth::signIn(const QByteArray &token, Caller &caller) const
{
    caller.grant = m_tokens.find(token);
    if (!caller.grant)
        return unknown(caller);
    caller.who = caller.grant->token.id;
    caller.grant = grantOfPerson(caller.grant);
    if (caller.grant->token.spec.roles.isEmpty())
        return Refusal{reasons::sessionRoleNeeded().reason};
    return {};
}

std::optional<Auth::Refusal> Auth::withoutToken(const http::Request &request, Caller &caller) const
{
    const QList<QPair<QByteArray, QByteArray>> bearer{{"WWW-Authenticate", "Bearer"}};
    const bool forwarded = Proxies::isForwarded(request);
    const bool isOwner = !forwarded && request.peer.user && (*request.peer.user == m_options.owner || *request.peer.user == 0);
    if (m_tokens.lost() && !isOwner)
        return Refusal{reasons::tokensLost().reason, bearer};
    if (m_tokens.needed() && !m_tokens.lost())
        return Refusal{reasons::tokenNeeded().reason, bearer};
    if (!m_options.insecure && !request.peer.isHere())
        return Refusal{reasons::tokenNeededFromAfar().reason, bearer};
    if (!m_options.insecure && forwarded)
        return Refusal{reasons::tokenNeededThroughProxy().reason, bearer};
    caller.who = openCaller;
    caller.place = request.peer.user ? "unix" : request.peer.isHere() && !forwarded ? "loopback" : openCaller;
    return {};
}

// A token that is known always passes, however many others failed from its address: behind a proxy all have the same one.
Auth::Refusal Auth::unknown(const Caller &caller) const
{
    const qint64 wait_ms = m_options.failed->add(caller.address, Clock::monotonic_ms());
    const qint64 wait_s = (wait_ms + 999) / 1000;
    if (wait_s > 0)
        return Refusal{reasons::tokenGuessesTooMany(wait_s), {{"Retry-After", QByteArray::number(wait_s)}}};
    return Refusal{reasons::tokenUnknown().reason, {{"WWW-Authenticate", "Bearer error=\"invalid_token\""}}};
}

} // namespace junban::api
