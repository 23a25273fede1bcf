#pragma once

#include "core/limits/constraint.h"

#include <QByteArray>
#include <QList>

namespace junban {

// A start that happened, and for each limit that is tried and applies to it: the limit's index, the key and the cost.
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
    QList<qint64> startedAt_ms = {}; // of each start under these limits
};

// How many of these moments are in each of `count` steps of equal length up to `end_ms`, the oldest step first. Others are left out.
QList<qint64> inSteps(const QList<qint64> &moments_ms, qint64 end_ms, qint64 step_ms, qsizetype count);

// Replays the starts in their order, as if these limits had been in force and a worker had taken each job as soon as they admitted it.
// Only rates and concurrency are replayed; kinds that depend on the clock, on failures or on people are left out.
Replayed replay(QList<PastStart> starts, const QList<Constraint> &constraints);

// How much comes steadily, per second: the median of what came in each minute since the first in which anything did. A burst, however
// large, is no rate.
double steadyRate(QList<qint64> minutes);

} // namespace junban
