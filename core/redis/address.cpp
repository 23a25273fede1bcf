#include "core/redis/link.h"

#include <QUrlQuery>

namespace junban::redis {

namespace {

Error refused(QByteArray message)
{
    return Error{ErrorCode::InvalidField, std::move(message), "redis"};
}

} // namespace

Result<Address> Address::fromUrl(const QByteArray &text)
{
    const QUrl url(QString::fromUtf8(text), QUrl::StrictMode);
    if (!url.isValid())
        return refused("The Redis address is not a URL.");
    const QUrlQuery query(url);
    const auto number = [](const QString &digits, int &out) {
        bool ok = false;
        out = digits.toInt(&ok);
        return ok && out >= 0;
    };

    Address address;
    address.user = url.userName().toUtf8();
    address.password = url.password().toUtf8();
    if (url.scheme() == u"unix") {
        address.socketPath = url.path().toUtf8();
        if (address.socketPath.isEmpty())
            return refused("The Redis address names no socket.");
        if (query.hasQueryItem(QStringLiteral("db")) && !number(query.queryItemValue(QStringLiteral("db")), address.database))
            return refused("The Redis address has a db that is no number.");
        return address;
    }
    if (url.scheme() != u"redis" && url.scheme() != u"rediss")
        return refused("The Redis address must begin with redis://, rediss:// or unix://.");
    if (url.host().isEmpty())
        return refused("The Redis address names no host.");
    address.host = url.host().toUtf8();
    address.port = static_cast<quint16>(url.port(6379));
    address.tls = url.scheme() == u"rediss";
    const QString database = url.path().mid(1);
    if (!database.isEmpty() && !number(database, address.database))
        return refused("The Redis address has a database that is no number.");
    address.caFile = query.queryItemValue(QStringLiteral("ca"), QUrl::FullyDecoded).toUtf8();
    address.verifyPeer = query.queryItemValue(QStringLiteral("verify")) != u"no";
    return address;
}

QByteArray Address::text() const
{
    if (!socketPath.isEmpty())
        return "unix://" + socketPath;
    return QByteArray(tls ? "rediss://" : "redis://") + host + ':' + QByteArray::number(port) + '/' + QByteArray::number(database);
}

} // namespace junban::redis
