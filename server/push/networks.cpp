#include "server/push/networks.h"

#include "core/base/reasons/workers.h"
#include "core/limits.h"

#include <algorithm>

namespace junban::push {

namespace {

// ::ffff:127.0.0.1 is 127.0.0.1.
QHostAddress plain(const QHostAddress &address)
{
    bool isIPv4 = false;
    const quint32 value = address.toIPv4Address(&isIPv4);
    return isIPv4 ? QHostAddress(value) : address;
}

bool isNever(const QHostAddress &address)
{
    static const QHostAddress metadata[] = {
        QHostAddress(QStringLiteral("fd00:ec2::254")), QHostAddress(QStringLiteral("100.100.100.200"))};
    return address.isNull() || address.isLinkLocal() || address.isMulticast() || address.isBroadcast()
        || address.isInSubnet(QHostAddress(QStringLiteral("0.0.0.0")), 8) || address == QHostAddress(QHostAddress::AnyIPv6)
        || std::find(std::begin(metadata), std::end(metadata), address) != std::end(metadata);
}

} // namespace

Networks::Networks()
    : m_networks{{QHostAddress(QStringLiteral("127.0.0.0")), 8}, {QHostAddress(QHostAddress::LocalHostIPv6), 128}}
{
}

Result<Networks> Networks::of(const QStringList &texts)
{
    Networks networks;
    networks.m_networks.clear();
    if (texts.size() > limits::worker_networks_max)
        return ofField(reasons::workerNetworksTooMany(limits::worker_networks_max), "worker-network");
    for (const QString &text : texts) {
        const QHostAddress address(text);
        const QPair<QHostAddress, int> network = address.isNull()
            ? QHostAddress::parseSubnet(text)
            : QPair(address, address.protocol() == QAbstractSocket::IPv4Protocol ? 32 : 128);
        if (network.first.isNull() || network.second < 0)
            return ofField(reasons::workerNetworkExpected(text.toUtf8()), "worker-network");
        networks.m_networks.append(network);
    }
    return networks;
}

bool Networks::allows(const QHostAddress &address) const
{
    const QHostAddress its = plain(address);
    return !isNever(its)
        && std::any_of(m_networks.begin(), m_networks.end(), [&its](const auto &network) { return its.isInSubnet(network); });
}

} // namespace junban::push
