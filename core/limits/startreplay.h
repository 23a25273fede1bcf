#pragma once

#include "core/limits/constraint.h"

#include <QByteArray>
#include <QList>

namespace junban {

// A start that happened, and what it carries of the limits that are tried: an index into them, its key and its cost.
struct PastStart {
    struct Carried {
        qsizetype constraint = 0;
        QByteArray key;            // as text
        qint64 cost = 1;
    };
    qint64 at_ms = 0;
    qint64 ran_ms = 0;
    QList<Carried> carried = {};
};

struct Replayed {
    qint64 starts = 0;
    qint64 delayed = 0;            // would have started later
    qint64 delaySum_ms = 0;
    qint64 delayMost_ms = 0;
};

// The starts again, in their order, as if these limits had been in force and every worker had taken the job as soon as they let it. Rates
// and concurrency count; what follows the clock, failures or people is left out.
Replayed replay(QList<PastStart> starts, const QList<Constraint> &constraints);

} // namespace junban
