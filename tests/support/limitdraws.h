#pragma once

#include "tests/support/limitmodel.h"

#include <QRandomGenerator>
#include <functional>

namespace junban::test {

// Any constraint at all; or, of one that is known, another revision: it keeps its kind and what its past is kept by.
ModelLimit anyLimit(QRandomGenerator &random, const ModelLimit *known, qint64 now_ms);

using Rule = std::function<QList<CarriedBucket>(const JobSpec &)>;

// Any rule by which jobs, read by their names and the number that is their argument, carry buckets of constraints 1 to 6. Some of them may
// carry what they did by the rule before, if there is one.
Rule anyRule(QRandomGenerator &random, const Rule &before);

} // namespace junban::test
