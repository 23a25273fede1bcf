#include "ui/base/address.h"

#include <QStringList>
#include <algorithm>

namespace junban::ui {

namespace {

QString decoded(const QString &part)
{
    return QUrl::fromPercentEncoding(part.toUtf8());
}

// As URLSearchParams reads it: a plus is a blank.
QString decodedParameter(QString part)
{
    return decoded(part.replace(QLatin1Char('+'), QLatin1Char(' ')));
}

QString encoded(const QString &part)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(part));
}

} // namespace

QString Address::parameter(const char *key) const
{
    const auto found
        = std::find_if(parameters.begin(), parameters.end(), [key](const auto &each) { return each.first == QLatin1String(key); });
    return found == parameters.end() ? QString() : found->second;
}

void Address::add(const char *key, const QString &value)
{
    if (!value.isEmpty())
        parameters.append({QString::fromLatin1(key), value});
}

Address readAddress(const QUrl &url)
{
    QString text = url.fragment(QUrl::FullyEncoded);
    if (text.startsWith(QLatin1Char('/')))
        text.remove(0, 1);
    const qsizetype mark = text.indexOf(QLatin1Char('?'));
    const QStringList path = (mark < 0 ? text : text.left(mark)).split(QLatin1Char('/'));
    Address address{decoded(path.value(0)), decoded(path.value(1))};
    const QStringList pairs = mark < 0 ? QStringList() : text.mid(mark + 1).split(QLatin1Char('&'), Qt::SkipEmptyParts);
    for (const QString &pair : pairs) {
        const qsizetype equals = pair.indexOf(QLatin1Char('='));
        const QString key = decodedParameter(equals < 0 ? pair : pair.left(equals));
        address.parameters.append({key, equals < 0 ? QString() : decodedParameter(pair.mid(equals + 1))});
    }
    return address;
}

QUrl urlOf(const Address &address, QUrl master)
{
    QString fragment = QLatin1Char('/') + encoded(address.screen.isEmpty() ? QStringLiteral("overview") : address.screen);
    if (!address.id.isEmpty())
        fragment += QLatin1Char('/') + encoded(address.id);
    QChar sign = QLatin1Char('?');
    for (const auto &[key, value] : address.parameters) {
        fragment += sign + encoded(key) + QLatin1Char('=') + encoded(value);
        sign = QLatin1Char('&');
    }
    master.setUserInfo({});
    master.setQuery(QString());
    if (!master.path().endsWith(QLatin1Char('/')))
        master.setPath(master.path() + QLatin1Char('/'));
    master.setFragment(fragment, QUrl::StrictMode);
    return master;
}

QUrl masterOf(QUrl url)
{
    url.setFragment(QString());
    url.setQuery(QString());
    QString path = url.path();
    while (path.endsWith(QLatin1Char('/')))
        path.chop(1);
    url.setPath(path);
    return url;
}

} // namespace junban::ui
