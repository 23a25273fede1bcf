#pragma once

#include "core/jobs/recordvalues.h"
#include "core/msgpack/fieldtable.h"

// The field tables of the past and of the requests about it.
namespace junban {

extern const TableOf<FailureGroup> failureGroupTable;
extern const TableOf<FailureList> failureListTable;
extern const TableOf<FailurePage> failurePageTable;
extern const TableOf<ResolveBody> resolveTable;
extern const TableOf<MuteBody> muteTable;
extern const TableOf<GroupRetryBody> groupRetryTable;
extern const TableOf<GroupRetried> groupRetriedTable;
extern const TableOf<KeptResult> keptResultTable;
extern const TableOf<ResultPage> resultPageTable;
extern const TableOf<ResultPatch> resultPatchTable;
extern const TableOf<StatsPage> statsPageTable;
extern const TableOf<SeriesData> seriesTable;
extern const TableOf<Retention> retentionTable;
extern const TableOf<RetentionSettings> retentionSettingsTable;

} // namespace junban
