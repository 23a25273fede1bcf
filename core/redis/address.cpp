#include "core/redis/address.h"

#include "core/base/reasons/store.h"

#include <QFile>
#include <QUrl>
#include <QUrlQuery>

namespace junban::redis {

namespace {

constexpr quint16 sentinelPort = 26379;
constexpr qint64 passwordBytes_max = 4096;

Error refused(Error error)
{
    return ofField(std::move(error), "redis");
}

bool readNumber(const QString &digits, int &out)
{
    bool ok = false;
    out = digits.toInt(&ok);
    return ok && out >= 0;
}

// host, host:port, [v6] or [v6]:port.
std::optional<Endpoint> endpointOf(const QByteArray &text, quint16 port)
{
    const QUrl url(QStringLiteral("redis://") + QString::fromUtf8(text), QUrl::StrictMode);
    if (!url.isValid() || url.host().isEmpty() || url.authority().contains(QLatin1Char('@')))
        return {};
    return Endpoint{url.host().toUtf8(), quint16(url.port(port))};
}

// Takes the list of hosts out of a URL and puts one host in its place, as QUrl does not accept a list.
QList<QByteArray> takeHosts(QByteArray &text)
{
    const qsizetype begin = text.indexOf("://") + 3;
    qsizetype end = begin;
    while (end < text.size() && text[end] != '/' && text[end] != '?')
        ++end;
    const qsizetype user = text.lastIndexOf('@', end - 1);
    const qsizetype from = user >= begin ? user + 1 : begin;
    const QList<QByteArray> hosts = text.mid(from, end - from).split(',');
    text.replace(from, end - from, "host");
    return hosts;
}

// From a file, which is not seen in the list of processes as an address is. Nothing when none is given.
std::optional<Error> readPassword(const QString &path, QByteArray &password)
{
    if (path.isEmpty())
        return {};
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return refused(reasons::redisPasswordFileUnreadable(path.toUtf8(), file.errorString().toUtf8()));
    if (file.permissions() & (QFile::ReadOther | QFile::WriteOther))
        return refused(reasons::redisPasswordFileOpen(path.toUtf8()));
    password = file.read(passwordBytes_max).trimmed();
    if (password.isEmpty())
        return refused(reasons::redisPasswordFileEmpty(path.toUtf8()));
    return {};
}

std::optional<Error> readQuery(const QUrlQuery &query, Address &address)
{
    const auto value = [&query](const char *name) {
        return query.queryItemValue(QString::fromLatin1(name), QUrl::FullyDecoded);
    };
    if (query.hasQueryItem(QStringLiteral("db")) && !readNumber(value("db"), address.database))
        return refused(reasons::redisAddressDb());
    address.caFile = value("ca").toUtf8();
    address.verifyPeer = value("verify") != u"no";
    address.sentinelUser = value("sentinel-user").toUtf8();
    address.sentinelPassword = value("sentinel-password").toUtf8();
    const std::optional<Error> error = readPassword(value("sentinel-password-file"), address.sentinelPassword);
    return error ? error : readPassword(value("password-file"), address.password);
}

} // namespace

QByteArray Endpoint::text() const
{
    if (!socketPath.isEmpty())
        return "unix://" + socketPath;
    const QByteArray name = host.contains(':') ? '[' + host + ']' : host;
    return name + ':' + QByteArray::number(port);
}

Address Address::ofSocket(const QByteArray &path)
{
    Address address;
    address.endpoints = {Endpoint{{}, 0, path}};
    return address;
}

Result<Address> Address::fromUrl(const QByteArray &given)
{
    QByteArray text = given;
    const bool socket = text.startsWith("unix:");
    const bool sentinel = text.startsWith("sentinel://") || text.startsWith("sentinels://");
    const bool tls = text.startsWith("rediss://") || text.startsWith("sentinels://");
    if (!socket && !sentinel && !tls && !text.startsWith("redis://"))
        return refused(reasons::redisAddressScheme());
    const QList<QByteArray> hosts = socket ? QList<QByteArray>() : takeHosts(text);
    const QUrl url(QString::fromUtf8(text), QUrl::StrictMode);
    if (!url.isValid())
        return refused(reasons::redisAddressInvalid());

    Address address;
    address.user = url.userName(QUrl::FullyDecoded).toUtf8();
    address.password = url.password(QUrl::FullyDecoded).toUtf8();
    if (const std::optional<Error> error = readQuery(QUrlQuery(url), address))
        return *error;
    address.tls = tls;
    address.endpoints.clear();
    if (socket) {
        address.endpoints.append(Endpoint{{}, 0, url.path().toUtf8()});
        if (url.path().isEmpty())
            return refused(reasons::redisAddressWithoutPath());
        return address;
    }
    for (const QByteArray &host : hosts) {
        const std::optional<Endpoint> endpoint = endpointOf(host, sentinel ? sentinelPort : 6379);
        if (!endpoint)
            return refused(reasons::redisAddressHost(host));
        address.endpoints.append(*endpoint);
    }
    const QString path = url.path().mid(1);
    if (sentinel && path.isEmpty())
        return refused(reasons::redisAddressWithoutPrimary());
    if (sentinel)
        address.sentinelName = path.toUtf8();
    else if (!path.isEmpty() && !readNumber(path, address.database))
        return refused(reasons::redisAddressDatabase());
    return address;
}

QByteArray Address::text() const
{
    if (!endpoints.first().socketPath.isEmpty())
        return endpoints.first().text();
    QByteArray text = sentinelName.isEmpty() ? "redis" : "sentinel";
    text += tls ? "s://" : "://";
    for (qsizetype i = 0; i < endpoints.size(); ++i)
        text += (i > 0 ? "," : "") + endpoints[i].text();
    return text + '/' + (sentinelName.isEmpty() ? QByteArray::number(database) : sentinelName);
}

} // namespace junban::redis
