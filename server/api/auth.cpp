#include "server/api/auth.h"

#include <QHostAddress>

namespace junban::api {

namespace {

QByteArray hostName(const QByteArray &host)
{
    if (host.startsWith('['))
        return host.mid(1, host.indexOf(']') - 1);
    const qsizetype colon = host.indexOf(':');
    return (colon < 0 ? host : host.first(colon)).toLower();
}

// Looks at every byte whatever the first difference, so that the time taken tells nothing.
bool same(const QByteArray &a, const QByteArray &b)
{
    int difference = a.size() == b.size() ? 0 : 1;
    for (qsizetype i = 0; i < a.size(); ++i)
        difference |= a[i] ^ (i < b.size() ? b[i] : 0);
    return difference == 0;
}

} // namespace

bool Auth::knowsHost(const QByteArray &host) const
{
    const QByteArray name = hostName(host);
    if (name == "localhost" || m_options.hosts.contains(name))
        return true;
    // An address cannot be rebound by somebody's name server; only names can.
    return !QHostAddress(QString::fromLatin1(name)).isNull();
}

std::optional<Auth::Refusal> Auth::check(const http::Request &request, const Route &route) const
{
    if (request.method != "GET" && request.method != "HEAD") {
        const QByteArray site = request.field("sec-fetch-site");
        if (!site.isEmpty() && site != "same-origin" && site != "none")
            return Refusal{403, "forbidden", "A page of another site may not change anything here."};
        const QByteArray origin = request.field("origin");
        if (!origin.isEmpty() && !origin.endsWith("://" + request.field("host")))
            return Refusal{403, "forbidden", "The request's origin is another site."};
    }
    if (route.roles.isEmpty())
        return {};
    const QByteArray authorization = request.field("authorization");
    if (!authorization.isEmpty()) {
        const QByteArray token = authorization.startsWith("Bearer ") ? authorization.mid(7) : QByteArray();
        if (m_options.consoleToken.isEmpty() || !same(token, m_options.consoleToken))
            return Refusal{401, "unauthorized", "The token is not known."};
        return {};
    }
    if (!request.fromLoopback())
        return Refusal{401, "unauthorized", "A token is needed from other machines."};
    return {};
}

} // namespace junban::api
