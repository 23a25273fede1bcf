#pragma once

#include "core/msgpack/payload.h"

#include <QByteArray>
#include <optional>

namespace junban {

enum class OutcomeType { Success, Failure };
// The specification's two reasons for a failure. The reason why a job failed can be another one (`expired`, `poison`, …): Job::reason.
enum class FailureReason { Other, Timeout };

// A worker's report of one attempt, with exactly the specification's attributes.
struct Outcome {
    OutcomeType type = OutcomeType::Success;
    QByteArray finishedAt;                    // ISO 8601, as the worker sent it; stored, but never used to decide or measure
    QByteArray result = payload::nil;         // success: one MessagePack value, unchanged
    FailureReason reason = FailureReason::Other;
    bool shouldRetry = false;
    QByteArray error = payload::nil;          // failure: one MessagePack value, unchanged
    QByteArray message;                       // failure: UTF-8
    std::optional<qint64> retryAfter_ms = {}; // failure: the retry starts no earlier than this; not part of the outcome object

    // The outcome object that a pusher gets: a MessagePack map of the specification's attributes, with `result` or `error` unchanged.
    QByteArray packed() const;

    friend bool operator==(const Outcome &, const Outcome &) = default;
};

const char *failureReasonWord(FailureReason reason); // "other", "timeout"

} // namespace junban
