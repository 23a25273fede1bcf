#pragma once

#include "core/jobs/recordvalues.h"
#include "server/api/call.h"

// The query parameters of openapi/master.yaml that are about the past. An error has the parameter's name.
namespace junban::api {

Result<qint64> periodOf(const Call &call);             // seconds
Result<GroupState> groupStateOf(const Call &call);
// Nothing: grouped by signature.
Result<std::optional<SumBy>> sumByOf(const Call &call);
Result<std::optional<qint64>> dayOf(const Call &call); // days since 1970
Result<qint64> rangeOf(const Call &call);              // seconds
// `until`, in seconds since the epoch; 0: it is not given.
Result<qint64> untilOf(const Call &call);
Result<Metric> metricOf(const Call &call);

} // namespace junban::api
