#pragma once

#include "core/redis/reply.h"
#include "core/store/paststore.h"

// Make values of core/store/paststore.h from the scripts' replies. Only redispast.cpp uses these.
namespace junban::redis {

GroupsPage groupsOf(const Reply &reply, qint64 period_s);
DistributionPage statisticsOf(const Reply &reply);
SeriesData seriesOf(const Reply &reply, const SeriesRequest &request);
// Whether the range is short enough to be read from the ring of seconds.
bool bySeconds(const SeriesRequest &request);
ResultPage resultsOf(const Reply &reply);
Result<RetentionSettings> retentionOf(const Reply &reply);
Result<RetentionChanged> retentionChangedOf(const Reply &reply);

} // namespace junban::redis
