#pragma once

#include "tests/support/limitmodel.h"

#include <QRandomGenerator>
#include <functional>

namespace junban::test {

// A random constraint; or another revision of a given one, which keeps the kind and the fields that its stored state depends on.
ModelLimit anyLimit(QRandomGenerator &random, const ModelLimit *known, qint64 now_ms);

using Rule = std::function<QList<CarriedBucket>(const JobSpec &)>;

// A random rule that gives jobs buckets of the constraints 1 to 6, by their names and by the number in their arguments. With a previous
// rule some jobs may keep their buckets.
Rule anyRule(QRandomGenerator &random, const Rule &before);

} // namespace junban::test
