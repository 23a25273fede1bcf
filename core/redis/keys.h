#pragma once

#include <QByteArray>

namespace junban::redis {

// What every key of a namespace begins with. The braces make it one hash slot: in a cluster a namespace lives on one node.
inline QByteArray keyPrefix(const QByteArray &namespaceName)
{
    return "jq:{" + namespaceName + "}:";
}

} // namespace junban::redis
