#include "core/jobs/pastfields.h"

#include "core/base/isotime.h"
#include "core/jobs/jobfields.h"
#include "core/msgpack/msgpackwriter.h"

namespace junban {

namespace {

using WorkerCount = QPair<QByteArray, qint64>;
constexpr Field workerCountFields[] = {
    field::text<&WorkerCount::first>("worker"),
    field::integer<&WorkerCount::second>("count"),
};
constexpr TableOf<WorkerCount> workerCountTable{"FailureGroup.workers", workerCountFields};

// The state of a group.
constexpr const char *resolvedWords[] = {"open", "resolved"};

constexpr Field failureGroupFields[] = {
    field::text<&FailureGroup::signature>("signature").needed(),
    field::name<&FailureGroup::name>("name", limits::name_bytes_max),
    field::text<&FailureGroup::reason>("reason"),
    field::text<&FailureGroup::title>("title"),
    field::integer<&FailureGroup::count>("count"),
    field::integer<&FailureGroup::finalCount>("final"),
    field::integer<&FailureGroup::failedNow>("failed"),
    field::time<&FailureGroup::firstAt_ms>("first_seen"),
    field::time<&FailureGroup::lastAt_ms>("last_seen"),
    field::word<&FailureGroup::resolved>("state", resolvedWords),
    field::time<&FailureGroup::resolvedAt_ms>("resolved_at").rare(),
    field::time<&FailureGroup::mutedUntil_ms>("muted_until").rare(),
    field::integer<&FailureGroup::inPeriod>("in_window"),
    field::integer<&FailureGroup::lastHour>("last_hour"),
    field::integer<&FailureGroup::trendStep_s>("trend_step"),
    field::listOf<&FailureGroup::trend, codecs::integer<qint64>>("trend"),
    field::list<&FailureGroup::workers>("workers", workerCountTable),
    field::listOf<&FailureGroup::samples, codecs::jobId>("samples"),
};

constexpr Field failureSumFields[] = {
    field::text<&FailureSum::key>("key"),
    field::integer<&FailureSum::groups>("groups"),
    field::integer<&FailureSum::count>("count"),
    field::integer<&FailureSum::failedNow>("failed"),
    field::integer<&FailureSum::inPeriod>("in_window"),
    field::integer<&FailureSum::lastHour>("last_hour"),
    field::time<&FailureSum::firstAt_ms>("first_seen"),
    field::time<&FailureSum::lastAt_ms>("last_seen"),
    field::integer<&FailureSum::trendStep_s>("trend_step"),
    field::listOf<&FailureSum::trend, codecs::integer<qint64>>("trend"),
};
constexpr TableOf<FailureSum> failureSumTable{"FailureSum", failureSumFields};

constexpr Field failureListFields[] = {
    field::list<&FailureList::groups>("groups", failureGroupTable).needed(),
    field::list<&FailureList::sums>("sums", failureSumTable).needed(),
    field::boolean<&FailureList::complete>("complete"),
    field::text<&FailureList::next>("next").rare(),
};
constexpr Field failurePageFields[] = {
    field::object<&FailurePage::group>("group", failureGroupTable).needed(),
    field::list<&FailurePage::jobs>("jobs", jobRowTable).needed(),
    field::integer<&FailurePage::total>("total"),
    field::text<&FailurePage::next>("next").rare(),
};
constexpr Field resolveFields[] = {field::boolean<&ResolveBody::resolved>("resolved")};
constexpr Field muteFields[] = {
    field::time<&MuteBody::until_ms>("until").rare(),
    field::duration<&MuteBody::for_ms>("for", limits::ahead_s_min, limits::ahead_s_max).rare(),
};
bool checkMute(Decoder &in, const PackedValue &value, const void *, const FieldsSeen &seen)
{
    return onlyOneOf(in, value, seen, "until", "for");
}
constexpr Field groupRetryFields[] = {
    field::integer<&GroupRetryBody::limit>("limit", 1, limits::failure_retry_max),
    field::text<&GroupRetryBody::cursor>("cursor", limits::cursor_bytes_max),
};
constexpr Field groupRetriedFields[] = {
    field::integer<&GroupRetried::retried>("retried"),
    field::integer<&GroupRetried::left>("left"),
    field::text<&GroupRetried::next>("next").rare(),
};

constexpr Field keptResultFields[] = {
    field::jobId<&KeptResult::id>("id").needed(),
    field::name<&KeptResult::name>("name", limits::name_bytes_max).rare(),
    field::integer<&KeptResult::bytes>("bytes"),
    field::time<&KeptResult::finishedAt_ms>("finished_at").rare(),
    field::time<&KeptResult::expiresAt_ms>("expires_at"),
};
constexpr Field resultPageFields[] = {
    field::list<&ResultPage::results>("results", keptResultTable).needed(),
    field::integer<&ResultPage::total>("total"),
    field::integer<&ResultPage::scanned>("scanned"),
    field::text<&ResultPage::next>("next").rare(),
};
constexpr Field resultPatchFields[] = {
    field::duration<&ResultPatch::ttl_ms>("ttl", limits::result_ttl_s_min, limits::result_ttl_s_max).needed(),
};

// --- Charts and statistics -------------------------------------------------------------------------------------------------------------

constexpr Field histogramFields[] = {
    field::real<&HistogramBin::from_s>("from"),
    field::real<&HistogramBin::to_s>("to"),
    field::integer<&HistogramBin::count>("count"),
};
constexpr TableOf<HistogramBin> histogramTable{"Measure.histogram", histogramFields};
constexpr Field measureFields[] = {
    field::integer<&Measure::count>("count"),
    field::real<&Measure::mean_s>("mean"),
    field::real<&Measure::variance_s2>("variance"),
    field::real<&Measure::p50_s>("p50"),
    field::real<&Measure::p95_s>("p95"),
    field::real<&Measure::p99_s>("p99"),
    field::list<&Measure::histogram>("histogram", histogramTable),
};
constexpr TableOf<Measure> measureTable{"Measure", measureFields};
constexpr Field nameStatsFields[] = {
    field::name<&NameStats::name>("name", limits::name_bytes_max),
    field::object<&NameStats::wait>("wait", measureTable),
    field::object<&NameStats::run>("run", measureTable),
    field::integer<&NameStats::failures>("failures"),
    field::integer<&NameStats::retries>("retries"),
    field::integer<&NameStats::expiries>("expiries"),
};
constexpr TableOf<NameStats> nameStatsTable{"Stats.stats", nameStatsFields};
constexpr Field statsPageFields[] = {
    field::text<&StatsPage::day>("day"),
    field::list<&StatsPage::names>("stats", nameStatsTable).needed(),
    field::text<&StatsPage::next>("next").rare(),
};

bool readSeconds(Decoder &in, const PackedValue &value, void *member, const Field &)
{
    qint64 at_ms = 0;
    const bool ok = in.isoTime(value, at_ms);
    *static_cast<qint64 *>(member) = at_ms / 1000;
    return ok;
}
void writeSeconds(MsgpackWriter &out, const void *member, const Field &, Written)
{
    out.text(isoTime(*static_cast<const qint64 *>(member) * 1000));
}
constexpr Codec secondsCodec{readSeconds, writeSeconds, codecs::same<qint64>, "time"};
constexpr Field seriesGapFields[] = {
    field::of<&SeriesGap::from_s, secondsCodec>("from").needed(),
    field::of<&SeriesGap::to_s, secondsCodec>("to").needed(),
};
constexpr TableOf<SeriesGap> seriesGapTable{"Series.gaps", seriesGapFields};
constexpr Field seriesFields[] = {
    field::word<&SeriesData::metric>("metric", metricWords).needed(),
    field::integer<&SeriesData::step_s>("step").needed(),
    field::of<&SeriesData::from_s, secondsCodec>("from"),
    field::listOf<&SeriesData::values, codecs::integer<qint64>>("values"),
    field::list<&SeriesData::gaps>("gaps", seriesGapTable),
};

// --- Retention -------------------------------------------------------------------------------------------------------------------------

constexpr Field keptFields[] = {
    field::duration<&Kept::age_ms>("age", 0, limits::retention_s_max).rare(),
    field::integer<&Kept::count>("count", 0, limits::retention_count_max).rare(),
};
constexpr TableOf<Kept> keptTable{"Kept", keptFields};
constexpr Field retentionFields[] = {
    field::object<&Retention::succeeded>("succeeded", keptTable),
    field::object<&Retention::failed>("failed", keptTable),
    field::object<&Retention::cancelled>("cancelled", keptTable),
};
using NameRetention = QPair<QByteArray, Retention>;
constexpr Field ownRetentionFields[] = {
    field::object<&Retention::succeeded>("succeeded", keptTable).written(),
    field::object<&Retention::failed>("failed", keptTable).written(),
    field::object<&Retention::cancelled>("cancelled", keptTable).written(),
};
constexpr TableOf<Retention> ownRetentionTable{nullptr, ownRetentionFields};
constexpr Field nameRetentionFields[] = {
    field::name<&NameRetention::first>("name", limits::name_bytes_max),
    field::beside<&NameRetention::second>(ownRetentionTable),
};
constexpr TableOf<NameRetention> nameRetentionTable{"RetentionSettings.names", nameRetentionFields};
constexpr Field retentionSettingsFields[] = {
    field::beside<&RetentionSettings::all>(retentionTable),
    field::list<&RetentionSettings::names>("names", nameRetentionTable),
};

} // namespace

constinit const TableOf<FailureGroup> failureGroupTable{"FailureGroup", failureGroupFields};
constinit const TableOf<FailureList> failureListTable{"FailureList", failureListFields};
constinit const TableOf<FailurePage> failurePageTable{"FailurePage", failurePageFields};
constinit const TableOf<ResolveBody> resolveTable{"ResolveBody", resolveFields};
constinit const TableOf<MuteBody> muteTable{"MuteBody", muteFields, checkMute};
constinit const TableOf<GroupRetryBody> groupRetryTable{"GroupRetryBody", groupRetryFields};
constinit const TableOf<GroupRetried> groupRetriedTable{"GroupRetried", groupRetriedFields};
constinit const TableOf<KeptResult> keptResultTable{"KeptResult", keptResultFields};
constinit const TableOf<ResultPage> resultPageTable{"ResultList", resultPageFields};
constinit const TableOf<ResultPatch> resultPatchTable{"ResultPatch", resultPatchFields};
constinit const TableOf<StatsPage> statsPageTable{"Stats", statsPageFields};
constinit const TableOf<SeriesData> seriesTable{"Series", seriesFields};
constinit const TableOf<Retention> retentionTable{"Retention", retentionFields};
constinit const TableOf<RetentionSettings> retentionSettingsTable{"RetentionSettings", retentionSettingsFields};

} // namespace junban
