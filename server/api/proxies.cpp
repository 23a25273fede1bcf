#include "server/api/proxies.h"

#include "core/base/reasons/api.h"

#include <algorithm>

namespace junban::api {

namespace {

QHostAddress plain(const QHostAddress &address)
{
    bool isV4 = false;
    const quint32 v4 = address.toIPv4Address(&isV4);
    return isV4 ? QHostAddress(v4) : address;
}

// "192.0.2.7", "192.0.2.7:4711", "2001:db8::1", "[2001:db8::1]:4711"; null when it is none.
QHostAddress forwardedAddress(QByteArray text)
{
    text = text.trimmed();
    if (text.startsWith('['))
        text = text.mid(1, text.indexOf(']') - 1);
    else if (text.count(':') == 1)
        text.truncate(text.indexOf(':'));
    return plain(QHostAddress(QString::fromLatin1(text)));
}

} // namespace

Result<Proxies> Proxies::of(const QStringList &texts)
{
    Proxies proxies;
    for (const QString &text : texts) {
        if (text == QStringLiteral("unix")) {
            proxies.m_unix = true;
            continue;
        }
        const QStringList parts = text.split(QLatin1Char('/'));
        const QHostAddress address = plain(QHostAddress(parts.first()));
        const int bits_max = address.protocol() == QAbstractSocket::IPv4Protocol ? 32 : 128;
        bool isNumber = true;
        const int bits = parts.size() == 1 ? bits_max : parts[1].toInt(&isNumber);
        if (address.isNull() || parts.size() > 2 || !isNumber || bits < 0 || bits > bits_max)
            return ofField(reasons::trustedProxyExpected(text.toUtf8()), "trusted-proxy");
        proxies.m_networks.append({address, bits});
    }
    return proxies;
}

bool Proxies::has(const QHostAddress &address) const
{
    return std::any_of(m_networks.begin(), m_networks.end(), [&address](const auto &network) { return address.isInSubnet(network); });
}

bool Proxies::isForwarded(const http::Request &request)
{
    return std::any_of(request.fields.begin(), request.fields.end(),
        [](const auto &field) { return field.first == "x-forwarded-for" || field.first == "forwarded"; });
}

QHostAddress Proxies::clientOf(const http::Request &request) const
{
    QHostAddress client = plain(request.peer.address);
    if (request.peer.user ? !m_unix : !has(client))
        return client;
    QList<QByteArray> hops;
    for (const auto &[name, value] : request.fields) {
        if (name == "x-forwarded-for")
            hops += value.split(',');
    }
    // Each proxy adds the address that it was called from at the end. What stands before the first that is not ours may be invented.
    while (!hops.isEmpty()) {
        const QHostAddress hop = forwardedAddress(hops.takeLast());
        if (hop.isNull())
            break;
        client = hop;
        if (!has(client))
            break;
    }
    return client;
}

} // namespace junban::api
