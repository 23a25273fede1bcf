#pragma once

#include "client/apirecords.h"

#include <QByteArrayView>

// The answers about the past, from MessagePack. Errors: Malformed when the bytes are no such answer.
namespace junban::client {

Result<Done> decodeDone(QByteArrayView body);
Result<FailureGroup> decodeGroup(QByteArrayView body);
Result<FailureGroupPage> decodeGroupPage(QByteArrayView body);
Result<FailureSums> decodeSums(QByteArrayView body);
Result<FailurePage> decodeFailurePage(QByteArrayView body);
Result<GroupRetried> decodeGroupRetried(QByteArrayView body);
Result<KeptResult> decodeKeptResult(QByteArrayView body);
Result<ResultPage> decodeResultPage(QByteArrayView body);
Result<StatsPage> decodeStats(QByteArrayView body);
Result<SeriesData> decodeSeries(QByteArrayView body);
Result<RetentionSettings> decodeRetention(QByteArrayView body);

} // namespace junban::client
