#pragma once

#include "core/redis/link.h"
#include "core/store/fsck.h"

#include <QList>
#include <functional>

namespace junban::redis {

// A key of the namespace that has another type of Redis than core/lua/schema.lua gives it, as somebody's SET leaves it. What it held is
// gone, and each script that reads it fails.
struct WrongType {
    QByteArray key; // without the namespace's prefix
    QByteArray type;
    QByteArray expected;
};

// Looks for such keys, in steps over all keys of the namespace, and with Repair::Yes deletes them: what they held is derived again by
// fsck, or begins anew. `done` is called once, later, with those found; with none when Redis did not answer. The link must outlive the
// call.
void findWrongTypes(Link &link, const QByteArray &prefix, Repair repair, std::function<void(QList<WrongType>)> done);

} // namespace junban::redis
