#pragma once

#include "core/jobs/fsckreport.h"
#include "core/operators/lookback.h"
#include "server/api/call.h"

// The bodies and query parameters of openapi/master.yaml that are about the past. What is wrong comes back as an Error with its field.
namespace junban::api {

Result<qint64> decodeResultPatch(QByteArrayView body); // ttl in ms
Result<bool> decodeResolve(QByteArrayView body);
Result<qint64> decodeMute(QByteArrayView body);        // until; 0: heard again at once
Result<int> decodeGroupRetry(QByteArrayView body);
Result<Retention> decodeRetention(QByteArrayView body);
// A look for broken invariants; all of it may be left out.
struct LookRequest {
    Repair repair = Repair::No;
    QByteArray cursor = {};
};
Result<LookRequest> decodeLook(QByteArrayView body);

Result<qint64> windowOf(const Call &call);             // seconds
Result<Lookback::GroupState> groupStateOf(const Call &call);
// Nothing: by signature.
Result<std::optional<Lookback::SumBy>> sumByOf(const Call &call);
Result<std::optional<qint64>> dayOf(const Call &call); // days since 1970
Result<qint64> rangeOf(const Call &call);              // seconds
Result<Metric> metricOf(const Call &call);

} // namespace junban::api
