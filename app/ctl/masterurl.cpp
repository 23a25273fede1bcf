#include "app/ctl/masterurl.h"

#include "core/base/reasons/ctl.h"

#include <QHostAddress>

namespace junban::app {

namespace {

constexpr int port_default = 7717;

Error refusal(const QByteArray &text)
{
    return ofField(reasons::masterUrlExpected(text), "url");
}

bool isIpv6(const QByteArray &text)
{
    QHostAddress address;
    return address.setAddress(QString::fromUtf8(text)) && address.protocol() == QAbstractSocket::IPv6Protocol;
}

// What begins with letters and a colon behind which no port follows.
bool hasScheme(const QByteArray &text)
{
    return text.contains("://") || text.startsWith("unix:") || text.startsWith("http:") || text.startsWith("https:");
}

} // namespace

Result<QUrl> masterUrl(const QByteArray &given)
{
    const QByteArray text = given.trimmed();
    if (text.startsWith('/'))
        return masterUrl("unix:" + text);
    const bool bare = !hasScheme(text);
    const QByteArray whole = !bare ? text : "http://" + (isIpv6(text) ? '[' + text + ']' : text);
    QUrl url(QString::fromUtf8(whole), QUrl::StrictMode);
    if (!url.isValid() || url.hasQuery() || url.hasFragment() || text.isEmpty())
        return refusal(given);
    if (url.scheme() == QStringLiteral("unix")) {
        const bool isPath = url.path().startsWith(QLatin1Char('/')) && url.path().size() > 1 && url.host().isEmpty();
        return isPath ? Result<QUrl>(url) : refusal(given);
    }
    const bool isWeb = url.scheme() == QStringLiteral("http") || url.scheme() == QStringLiteral("https");
    if (!isWeb || url.host().isEmpty() || url.port() == 0)
        return refusal(given);
    if (bare && url.port() < 0)
        url.setPort(port_default);
    return url;
}

} // namespace junban::app
