#pragma once

#include "core/jobs/job.h"

#include <QByteArray>
#include <QList>
#include <array>
#include <optional>

// What is remembered of the past, as values (docs/decisions/past.md).
namespace junban {

// One measure of many attempts: how long they waited, or ran.
struct Distribution {
    // Bin 0 is under 1 ms, bin k from 2^((k−1)/4) ms on, the last one has no end: four bins an octave, up to a day and a half.
    static constexpr int bins_count = 110;

    qint64 count = 0;
    qint64 sum_ms = 0;
    qint64 squaresLow = 0;         // Σ ms² = squaresLow + squaresHigh·2^36
    qint64 squaresHigh = 0;
    std::array<quint32, bins_count> bins{};

    static int binOf(qint64 value_ms);
    static double binStart_ms(int bin);  // 0 for the first
    static double binEnd_ms(int bin);    // of the last: twice its start

    double mean_s() const;
    double variance_s2() const;
    // `share` in [0,1]; interpolated inside a bin, so at most a bin's width (19 %) off. 0 when nothing was measured.
    double percentile_s(double share) const;
};

// What is kept of one name and one UTC day: waits on the day of the claim, runs on the day of the report.
struct NameDistributions {
    QByteArray name;
    qint64 failures = 0, retries = 0, expiries = 0;
    Distribution wait;             // from when the job became ready to its claim
    Distribution run;              // from the claim to the accepted report

    // What core/lua/pieces/measures.lua packs; nothing counted when `packed` is empty or cut short.
    static NameDistributions fromPacked(QByteArray name, QByteArrayView packed);
};

// The same as operators are told.
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
    QByteArray next;               // the name to go on after; empty: nothing follows
};

// Chart data. The values are what core/lua/pieces/sampling.lua numbers; never renumber. Up to Cancelled they count what happened in each
// step, from ReadyJobs on they are the last size in it.
enum class Metric : quint8 {
    Enqueued, Started, Succeeded, Failed, Failures, Retried, Expired, Cancelled,
    ReadyJobs, ScheduledJobs, RunningJobs, DependsJobs, AwaitingJobs, FailedJobs,
};
inline constexpr int metrics_count = 14;
inline constexpr std::array<const char *, metrics_count> metricWords = {"enqueued", "started", "succeeded", "failed", "failures", "retried",
    "expired", "cancelled", "ready_jobs", "scheduled_jobs", "running_jobs", "depends_jobs", "awaiting_jobs", "failed_jobs"};
const char *metricWord(Metric metric); // "enqueued" … "cancelled", "ready_jobs" … "failed_jobs"
std::optional<Metric> metricFromWord(QByteArrayView word);

struct SeriesData {
    Metric metric = Metric::Enqueued;
    qint64 step_s = 1;
    qint64 from_s = 0;             // when the first step begins, seconds since 1970
    QList<qint64> values;          // oldest first; the last step is still under way
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
    bool resolved = false;         // by an operator; its next failure opens it again
    qint64 resolvedAt_ms = 0;
    qint64 mutedUntil_ms = 0;
    QList<QPair<QByteArray, qint64>> workers; // with their failures, most first; the first failure_workers_max are known
    QList<JobId> samples;          // the newest
    // In the period that was asked for.
    qint64 inPeriod = 0;
    qint64 lastHour = 0;
    qint64 trendStep_s = 0;
    QList<qint64> trend;           // oldest first; the last step is still under way
};

// Groups summed up by name, reason or worker.
enum class SumBy { Name, Reason, Worker };
struct FailureSum {
    QByteArray key;
    qint64 groups = 0;
    qint64 count = 0;
    qint64 failedNow = 0;
    qint64 inPeriod = 0;           // not by worker: trends are not kept so
    qint64 lastHour = 0;
    qint64 firstAt_ms = 0;
    qint64 lastAt_ms = 0;
    QList<qint64> trend;           // empty by worker
    qint64 trendStep_s = 0;
};
// Either groups, the last seen first, or sums, most failures first.
struct FailureList {
    QList<FailureGroup> groups = {};
    QList<FailureSum> sums = {};
    bool complete = true;          // false: the sums are of the limits::page_scan_max last seen groups only
    QByteArray next = {};          // empty: nothing follows
};
// A page of a group's jobs that are failed now, the newest failures first.
struct FailurePage {
    FailureGroup group;
    QList<Job> jobs;
    qint64 total = 0;
    QByteArray next;
};
// Which groups; Open: neither resolved nor muted.
enum class GroupState { All, Open, Resolved, Muted };
inline constexpr std::array<const char *, 4> groupStateWords = {"all", "open", "resolved", "muted"};
struct ResolveBody {
    bool resolved = true;
};
struct MuteBody {
    qint64 until_ms = 0;           // 0: not muted any more
};
struct GroupRetryBody {
    int limit = limits::failure_retry_max;
};
struct GroupRetried {
    qint64 retried = 0;
    qint64 left = 0;               // jobs of the group that are failed still: ask again
};

// How long jobs that ended are kept in one state; nothing: as for all, or the default.
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
    Retention all;                 // everything set
    QList<QPair<QByteArray, Retention>> names; // those with settings of their own
};

// A result that waits for its pusher.
struct KeptResult {
    JobId id;
    QByteArray name;               // empty when the job's record is gone already
    qint64 bytes = 0;
    qint64 finishedAt_ms = 0;      // 0: the record is gone
    qint64 expiresAt_ms = 0;
};

struct ResultPage {
    QList<KeptResult> results;     // the earliest to expire first
    qint64 total = 0;
    bool end = true;
    QByteArray next = {};          // as a master tells it; empty: nothing follows
};
struct ResultPatch {
    qint64 ttl_ms = 0;             // from now
};

} // namespace junban
