#pragma once

#include "core/redis/link.h"

namespace junban::test {

// Checks the invariants I1–I4, I6, I7, I9, I10, I12 and I17 of docs/semantics.md for every key of the database. Returns the violations;
// empty when there are none. For test databases only: it reads all keys at once.
QByteArray wrongKeys(redis::Link &link, const QByteArray &namespaceName);

} // namespace junban::test
