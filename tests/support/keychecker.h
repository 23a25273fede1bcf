#pragma once

#include "core/redis/link.h"

namespace junban::test {

// What is wrong in a namespace, by the invariants I1–I4, I6, I7, I9, I10, I12 and I17 of docs/semantics.md over every key of the
// database; empty when nothing is. For databases of a test: it looks at everything at once.
QByteArray wrongKeys(redis::Link &link, const QByteArray &namespaceName);

} // namespace junban::test
