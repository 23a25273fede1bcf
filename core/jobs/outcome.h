#pragma once

#include "core/msgpack/payload.h"

#include <QByteArray>
#include <optional>

namespace junban {

enum class OutcomeType { Success, Failure };
// The specification's two reasons of a failure. Why a job ended otherwise (expired, poison, …) is the job's own reason.
enum class FailureReason { Other, Timeout };

// What a worker reports of one attempt, with exactly the specification's attributes.
struct Outcome {
    OutcomeType type = OutcomeType::Success;
    QByteArray finishedAt;                    // ISO 8601 as the worker sent it; kept, never used to decide or measure
    QByteArray result = payload::nil;         // success: one MessagePack value, unchanged
    FailureReason reason = FailureReason::Other;
    bool shouldRetry = false;
    QByteArray error = payload::nil;          // failure: one MessagePack value, unchanged
    QByteArray message;                       // failure: UTF-8
    std::optional<qint64> retryAfter_ms = {}; // failure: not before; wins over the backoff when later; not part of the object

    // The outcome object a pusher gets: a MessagePack map of the specification's attributes, `result` and `error` spliced in.
    QByteArray packed() const;

    friend bool operator==(const Outcome &, const Outcome &) = default;
};

const char *failureReasonWord(FailureReason reason); // "other", "timeout"

} // namespace junban
