#include "core/journal/place.h"

#include <QFile>
#include <QHostAddress>
#include <QSysInfo>
#include <algorithm>

namespace junban::journal {

namespace {

// The boot of the machine, and the network of this process: containers of one machine have different ones.
const QByteArray &machine()
{
    static const QString network = QFile::symLinkTarget(QStringLiteral("/proc/self/ns/net")).section(QLatin1Char('/'), -1);
    static const QByteArray name = QSysInfo::bootUniqueId() + '.' + network.toLatin1();
    return name;
}

} // namespace

QByteArray placeOf(const QByteArray &address)
{
    const QByteArray host = address.first(std::max<qsizetype>(address.lastIndexOf(':'), 0));
    const bool isHere = host == "localhost" || QHostAddress(QString::fromLatin1(host)).isLoopback();
    return isHere ? address + '@' + machine() : address;
}

QByteArray addressHere(const QByteArray &place)
{
    const qsizetype at = place.indexOf('@');
    return at < 0 ? place : place.mid(at + 1) == machine() ? place.first(at) : QByteArray();
}

} // namespace junban::journal
