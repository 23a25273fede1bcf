#pragma once

#include "core/base/result.h"
#include "core/queue/changes.h"
#include "core/store/store.h"
#include "core/msgpack/decoder.h"

#include <QByteArray>

// The bodies of openapi/master.yaml, from MessagePack. What is wrong comes back as an Error with the field's path; nothing is guessed
// and no unknown field is passed over. Defaults and bounds are those of core/limits.h. One file of server/requests/ for each theme.
namespace junban::api {

Result<JobSpec> decodeJob(QByteArrayView body);

// Each job succeeds or fails on its own; the whole fails when the body is not a batch.
Result<QList<Result<JobSpec>>> decodeBatch(QByteArrayView body);

Result<JobEdit> decodeEdit(QByteArrayView body);

struct GroupBody {
    std::optional<bool> open;
    std::optional<JobSpec> callback;
};
// The body may be empty.
Result<GroupBody> decodeGroup(QByteArrayView body);

struct ClaimBody {
    ClaimRequest request;
    qint64 wait_ms = 0;
};
Result<ClaimBody> decodeClaim(QByteArrayView body);

Result<FinishItem> decodeOutcome(QByteArrayView body, JobId id);

// A report without a lease: a message finishes a job that was handed off.
Result<Outcome> decodeMessageOutcome(QByteArrayView body);

struct OutcomesBody {
    QList<Result<FinishItem>> items;
    std::optional<ClaimBody> claim;
};
Result<OutcomesBody> decodeOutcomes(QByteArrayView body);

Result<HeartbeatItem> decodeHeartbeat(QByteArrayView body, JobId id);
Result<QList<HeartbeatItem>> decodeHeartbeats(QByteArrayView body);
Result<ReleaseItem> decodeRelease(QByteArrayView body, JobId id);
Result<HandoffItem> decodeHandoff(QByteArrayView body, JobId id);
// The body may be empty.
Result<CancelItem> decodeCancel(QByteArrayView body, JobId id);
Result<Done> decodeNothing(QByteArrayView body);

} // namespace junban::api
