#pragma once

#include "core/base/reason.h"
#include "core/redis/link.h"
#include "core/store/fsck.h"

#include <QList>
#include <functional>

namespace junban::redis {

// A key of the namespace that fails each script which reads it: one of another type of Redis than core/lua/schema.lua gives it, as
// somebody's SET leaves it, a counter that holds no whole number, a number of a name that is none, a lane whose name cannot be one, a
// bucket or a state of a job with a number that is none, or a remembered claim that cannot be read.
struct DamagedKey {
    QByteArray key; // without the namespace's prefix
    Reason damage;
};

// Looks for such keys, in steps over all keys of the namespace, and with Repair::Yes deletes them or their damaged fields: fsck derives
// again what they held, or it begins anew. A state comes from the list that has the job. A counter goes on from a number that is greater
// than each number in use. `done` is called once, later, with those found; with none when Redis did not answer. The link must outlive the
// call.
void findDamagedKeys(Link &link, const QByteArray &prefix, Repair repair, std::function<void(QList<DamagedKey>)> done);

} // namespace junban::redis
