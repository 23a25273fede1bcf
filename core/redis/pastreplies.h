#pragma once

#include "core/redis/reply.h"
#include "core/store/paststore.h"

// How the scripts' replies become values of core/store/paststore.h; only redispast.cpp uses these. Each names the script whose contract it
// reads.
namespace junban::redis {

GroupsPage groupsOf(const Reply &reply, qint64 period_s);
DistributionPage statisticsOf(const Reply &reply);
SeriesData seriesOf(const Reply &reply, Metric metric, qint64 range_s);
// Whether a range is read from the ring of seconds.
bool bySeconds(qint64 range_s);
ResultPage resultsOf(const Reply &reply);
Result<RetentionSettings> retentionOf(const Reply &reply);

} // namespace junban::redis
