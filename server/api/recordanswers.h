#pragma once

#include "core/jobs/fsckreport.h"
#include "core/operators/lookback.h"

#include <QByteArray>

// The answers of openapi/master.yaml about the past, as MessagePack.
namespace junban::api {

QByteArray encodeDone();
QByteArray encodeGroup(const FailureGroup &group);
QByteArray encodeGroups(const Lookback::GroupList &list);
QByteArray encodeSums(const Lookback::Sums &sums);
QByteArray encodeGroupPage(const FailureGroup &group, const Lookback::JobList &jobs);
QByteArray encodeGroupRetry(const Lookback::GroupRetry &retry);
QByteArray encodeKeptResult(const KeptResult &result);
QByteArray encodeResults(const Lookback::ResultList &list);
QByteArray encodeStatistics(const StatisticsPage &page);
QByteArray encodeSeries(const SeriesData &data);
QByteArray encodeRetention(const RetentionSettings &settings);
QByteArray encodeFsckReport(const FsckReport &report);
// As a list by state is answered.
QByteArray encodeJobs(const Lookback::JobList &list);

} // namespace junban::api
