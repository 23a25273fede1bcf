#include "core/redis/trouble.h"

#include "core/base/reasons/store.h"

namespace junban::redis {

namespace {

struct Word {
    const char *word;
    Trouble trouble;
};
constexpr Word words[] = {
    {"LOADING", Trouble::ServerWaits},
    {"BUSY", Trouble::ServerWaits},
    {"CLUSTERDOWN", Trouble::ServerWaits},
    {"NOREPLICAS", Trouble::CallWaits},
    {"TRYAGAIN", Trouble::CallWaits},
    // A slot is moving to another node. A part of the namespace is there already, so no node can run its scripts now; with ASKING the
    // other node would see only half of the jobs. When the slot has moved, Redis answers MOVED.
    {"ASK", Trouble::CallWaits},
    {"READONLY", Trouble::NotPrimary},
    {"MASTERDOWN", Trouble::NotPrimary},
    {"MOVED", Trouble::Moved},
    {"OOM", Trouble::Full},
    {"MISCONF", Trouble::DiskFull},
    {"NOAUTH", Trouble::NotAllowed},
    {"WRONGPASS", Trouble::NotAllowed},
    {"NOPERM", Trouble::NotAllowed},
};

} // namespace

Trouble troubleOf(QByteArrayView error)
{
    const qsizetype space = error.indexOf(' ');
    const QByteArrayView first = space < 0 ? error : error.first(space);
    for (const Word &row : words) {
        if (first == row.word)
            return row.trouble;
    }
    if (error == "ERR Function not found")
        return Trouble::NoFunction;
    return Trouble::Bug;
}

Error errorOf(QByteArrayView error)
{
    switch (troubleOf(error)) {
    case Trouble::Full: return retryAfter(reasons::redisOutOfMemory(), 1);
    case Trouble::NotPrimary:
    case Trouble::DiskFull: return retryAfter(reasons::redisRefusesWrites(error), 1);
    case Trouble::ServerWaits:
    case Trouble::CallWaits:
    case Trouble::Moved: return retryAfter(reasons::redisNotReady(error), 1);
    case Trouble::NotAllowed: return retryAfter(reasons::redisNotPermitted(error), 5);
    case Trouble::NoFunction:
    case Trouble::Bug: break;
    }
    return reasons::redisError(error);
}

bool isNotPermitted(const Error &error)
{
    return error.reason.name == "redis_not_permitted";
}

std::optional<Endpoint> movedTo(QByteArrayView error, const Endpoint &said)
{
    const QByteArray where = error.toByteArray().split(' ').value(2);
    const qsizetype colon = where.lastIndexOf(':');
    bool ok = false;
    const quint16 port = where.mid(colon + 1).toUShort(&ok);
    if (colon < 0 || !ok)
        return {};
    const QByteArray host = where.first(colon);
    return Endpoint{host.isEmpty() || host == "?" ? said.host : host, port};
}

} // namespace junban::redis
