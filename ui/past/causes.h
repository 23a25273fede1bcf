#pragma once

#include "core/jobs/recordvalues.h"

namespace junban::ui {

// A row of the failures screen: one group of failures, or the sum of several groups with the same name, reason or worker.
struct Cause {
    bool sum = false;
    QByteArray key;                  // the signature; of a sum: the name, reason or worker
    QByteArray name = {};
    QByteArray reason = {};
    QByteArray title = {};
    qint64 groups = 1;
    qint64 count = 0;
    qint64 final = 0;
    qint64 failed = 0;
    qint64 inPeriod = 0;
    qint64 lastHour = 0;
    qint64 firstAt_ms = 0;
    qint64 lastAt_ms = 0;
    qint64 resolvedAt_ms = 0;        // 0: open
    qint64 mutedUntil_ms = 0;
    qint64 step_ms = 0;
    QList<double> trend = {};
    QList<QPair<QByteArray, qint64>> workers = {};
};

Cause causeOf(const FailureGroup &group);
Cause causeOf(const FailureSum &sum);

} // namespace junban::ui
