#pragma once

#include "core/jobs/job.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <array>
#include <optional>

// The values of the past: statistics, series, failure groups, retention, results (docs/decisions/past.md).
namespace junban {

// The distribution of a time over many attempts: how long they waited, or how long they ran.
struct Distribution {
    // Bin 0 is below 1 ms; bin k begins at 2^((k−1)/4) ms, so each power of two has four bins; the last one begins at a day and a half and
    // has no end.
    static constexpr int bins_count = 110;

    qint64 count = 0;
    qint64 sum_ms = 0;
    qint64 squaresLow = 0;         // Σ ms² = squaresLow + squaresHigh·2^36
    qint64 squaresHigh = 0;
    std::array<quint32, bins_count> bins{};

    static int binOf(qint64 value_ms);
    static double binStart_ms(int bin);  // 0 for the first bin
    static double binEnd_ms(int bin);    // for the last bin twice its start

    double mean_s() const;
    double variance_s2() const;
    // `share` is in [0,1]. Interpolated within a bin, so the error is at most the width of a bin (19 %). 0 when nothing was measured.
    double percentile_s(double share) const;
};

// Statistics of one name and one UTC day. A wait belongs to the day of the claim, a run to the day of the report.
struct NameDistributions {
    QByteArray name;
    qint64 failures = 0, retries = 0, expiries = 0;
    Distribution wait;             // from when the job became ready to its claim
    Distribution run;              // from the claim to the accepted report

    // Reads what core/lua/pieces/measures.lua packs. All counts are 0 when `packed` is empty or too short.
    static NameDistributions fromPacked(QByteArray name, QByteArrayView packed);
};

// How long jobs of all names and days waited and ran.
struct WholeDistributions {
    struct Times {
        qint64 sum_ms = 0;
        std::array<qint64, Distribution::bins_count> bins{};
    };
    Times wait, run;

    // Reads what core/lua/pieces/measures.lua packs.
    static WholeDistributions fromPacked(QByteArrayView packed);
};

// Statistics as the API has them.
struct HistogramBin {
    double from_s = 0;
    double to_s = 0;
    qint64 count = 0;
};
struct Measure {
    qint64 count = 0;
    double mean_s = 0, variance_s2 = 0, p50_s = 0, p95_s = 0, p99_s = 0;
    QList<HistogramBin> histogram; // without the empty bins

    static Measure of(const Distribution &distribution);
};
struct NameStats {
    QByteArray name;
    Measure wait;
    Measure run;
    qint64 failures = 0, retries = 0, expiries = 0;
};
struct StatsPage {
    QByteArray day;                // "2026-01-31", UTC
    QList<NameStats> names;
    QByteArray next;               // the name after which the next page begins; empty: this is the last page
};

// A series of a chart. core/lua/pieces/sampling.lua has the same numbers; never renumber. The metrics up to Cancelled count what happened
// in a step; from ReadyJobs on they are a number of jobs, the last one of the step.
enum class Metric : quint8 {
    Enqueued, Started, Succeeded, Failed, Failures, Retried, Expired, Cancelled,
    ReadyJobs, ScheduledJobs, RunningJobs, DependsJobs, AwaitingJobs, FailedJobs,
};
inline constexpr int metrics_count = 14;
inline constexpr std::array<const char *, metrics_count> metricWords = {"enqueued", "started", "succeeded", "failed", "failures", "retried",
    "expired", "cancelled", "ready_jobs", "scheduled_jobs", "running_jobs", "depends_jobs", "awaiting_jobs", "failed_jobs"};
const char *metricWord(Metric metric); // "enqueued" … "cancelled", "ready_jobs" … "failed_jobs"
std::optional<Metric> metricFromWord(QByteArrayView word);
// Those that are kept by name, too, in the order of core/lua/pieces/sampling.lua.
inline constexpr std::array<Metric, 4> nameMetrics = {Metric::Enqueued, Metric::Succeeded, Metric::Failed, Metric::Failures};

// Steps in which no master counted.
struct SeriesGap {
    qint64 from_s = 0, to_s = 0;   // seconds since the epoch
};
struct SeriesRequest {
    Metric metric = Metric::Enqueued;
    qint64 range_s = 3'600;
    QByteArray name = {};          // empty: all names together; else one of nameMetrics is meant
    qint64 until_s = 0;            // when the range ends, in seconds since the epoch; 0: now
};
struct SeriesData {
    Metric metric = Metric::Enqueued;
    qint64 step_s = 1;
    qint64 from_s = 0;             // when the first step begins, in seconds since the epoch
    QList<qint64> values;          // oldest first; the last step is still under way
    QList<SeriesGap> gaps;         // oldest first
};

// Failures of one cause: the same name, reason and normalised message.
struct FailureGroup {
    QByteArray signature;          // 32 hexadecimal digits
    QByteArray name;
    QByteArray reason;             // "other", "timeout", "poison", …
    QByteArray title;              // the normalised message
    qint64 count = 0;              // failures
    qint64 finalCount = 0;         // those that ended their job
    qint64 failedNow = 0;          // jobs that are failed now
    qint64 firstAt_ms = 0;
    qint64 lastAt_ms = 0;
    bool resolved = false;         // by an operator; the next failure opens it again
    qint64 resolvedAt_ms = 0;
    qint64 mutedUntil_ms = 0;
    QList<QPair<QByteArray, qint64>> workers; // and their failures, most first; only of limits::failure_workers_max workers
    QList<JobId> samples;          // the newest jobs
    // In the period that was asked for.
    qint64 inPeriod = 0;
    qint64 lastHour = 0;
    qint64 trendStep_s = 0;
    QList<qint64> trend;           // oldest first; the last step is still under way
    // Of its workers, over all groups; filled in for the sums by worker only.
    struct WorkerTrend {
        qint64 inPeriod = 0, lastHour = 0;
        QList<qint64> trend = {};
    };
    QHash<QByteArray, WorkerTrend> workerTrends;
};

// The sums of groups by name, reason or worker.
enum class SumBy { Name, Reason, Worker };
struct FailureSum {
    QByteArray key;
    qint64 groups = 0;
    qint64 count = 0;
    qint64 failedNow = 0;
    qint64 inPeriod = 0;           // 0 for sums by worker, as trends are not stored by worker
    qint64 lastHour = 0;
    qint64 firstAt_ms = 0;
    qint64 lastAt_ms = 0;
    QList<qint64> trend;           // empty for sums by worker
    qint64 trendStep_s = 0;
};
// Either groups, those that failed last first, or sums, those with most failures first.
struct FailureList {
    QList<FailureGroup> groups = {};
    QList<FailureSum> sums = {};
    bool complete = true;          // false: the sums are of the limits::page_scan_max groups that failed last
    QByteArray next = {};          // empty: this is the last page
};
// A group and a page of its jobs that are failed now, the newest failures first.
struct FailurePage {
    FailureGroup group;
    QList<Job> jobs;
    qint64 total = 0;
    QByteArray next;
};
// Which groups are wanted. Open: those that are neither resolved nor muted.
enum class GroupState { All, Open, Resolved, Muted };
inline constexpr std::array<const char *, 4> groupStateWords = {"all", "open", "resolved", "muted"};
struct ResolveBody {
    bool resolved = true;
};
struct MuteBody {
    qint64 until_ms = 0;           // until then …
    std::optional<qint64> for_ms = {}; // … or for so long; neither: no longer muted
};
struct GroupRetryBody {
    int limit = limits::failure_retry_max;
    QByteArray cursor = {};        // `next` of the answer before
};
struct GroupRetried {
    qint64 retried = 0;
    qint64 left = 0;               // jobs of the group that were failed before the first request and have not been tried yet
    QByteArray next = {};          // goes on with these; empty: none is left
};

// How long, and how many, ended jobs are kept in one state. Nothing: as for all names or, for all names, the default.
struct Kept {
    std::optional<qint64> age_ms = {};
    std::optional<qint64> count = {};
    friend bool operator==(const Kept &, const Kept &) = default;
};
struct Retention {
    Kept succeeded, failed, cancelled;
    friend bool operator==(const Retention &, const Retention &) = default;
};
struct RetentionSettings {
    Retention all;                 // every field is given
    QList<QPair<QByteArray, Retention>> names; // names with their own settings
};

// A result that waits for its pusher.
struct KeptResult {
    JobId id;
    QByteArray name;               // empty when the job has been purged
    qint64 bytes = 0;
    qint64 finishedAt_ms = 0;      // 0: the job has been purged
    qint64 expiresAt_ms = 0;
};

struct ResultPage {
    QList<KeptResult> results;     // sorted by when they expire
    qint64 total = 0;              // whatever the filter
    qint64 scanned = 0;            // results looked at for this page
    bool end = true;
    qint64 now_ms = 0;             // when it was read, on Redis' clock
    QByteArray next = {};          // as a master tells it; empty: nothing follows
};
struct ResultPatch {
    qint64 ttl_ms = 0;             // from now
};

} // namespace junban
