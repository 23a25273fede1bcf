#pragma once

#include "core/jobs/outcome.h"

namespace junban::engine {

// The outcome object of a failure that no worker has reported.
QByteArray madeOutcome(qint64 at_ms, FailureReason reason, bool shouldRetry, const QByteArray &message);

} // namespace junban::engine
