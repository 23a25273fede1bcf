#pragma once

#include "tests/support/limitmodel.h"

#include <QRandomGenerator>

namespace junban::test {

// Any constraint at all; or, of one that is known, another revision: it keeps its kind and what its past is kept by.
ModelLimit anyLimit(QRandomGenerator &random, const ModelLimit *known, qint64 now_ms);

} // namespace junban::test
