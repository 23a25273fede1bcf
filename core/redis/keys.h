#pragma once

#include <QByteArray>

namespace junban::redis {

// The prefix of all keys of a namespace. Because of the braces they are in one hash slot: in a cluster a namespace is on one node.
inline QByteArray keyPrefix(const QByteArray &namespaceName)
{
    return "jq:{" + namespaceName + "}:";
}

} // namespace junban::redis
