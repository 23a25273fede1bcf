#pragma once

#include "client/apitypes.h"
#include "core/jobs/recordvalues.h"

// What the API says of the past, as values (openapi/master.yaml). Groups, results and retention are those of core/jobs/recordvalues.h.
// Times are milliseconds since the epoch, 0 when absent.
namespace junban::client {

enum class Window { Hour, ThreeHours, Day, ThreeDays, Week };
enum class GroupState { All, Open, Resolved, Muted };
enum class SumBy { Name, Reason, Worker };

struct FailuresQuery {
    Window window = Window::Day;
    GroupState state = GroupState::All;
    int limit = limits::page_rows_default;
    QByteArray cursor = {};          // `next` of the page before
};
struct FailureGroupPage {
    QList<FailureGroup> groups;      // the last seen first
    QByteArray next;                 // empty: nothing follows
};

// Groups summed up by name, reason or worker.
struct FailureSum {
    QByteArray key;
    qint64 groups = 0;
    qint64 count = 0;
    qint64 failedNow = 0;
    qint64 inWindow = 0;
    qint64 lastHour = 0;
    qint64 firstAt_ms = 0;
    qint64 lastAt_ms = 0;
    qint64 trendStep_s = 0;
    QList<qint64> trend;             // empty by worker
};
struct FailureSums {
    QList<FailureSum> sums;          // most failures first
    bool complete = true;            // false: of the latest groups only
};

struct FailurePage {
    FailureGroup group;
    QList<Job> jobs;                 // failed now, the newest failures first
    qint64 total = 0;
    QByteArray next;
};
struct GroupRetried {
    qint64 retried = 0;
    qint64 left = 0;                 // failed still: ask again
};

struct ResultPage {
    QList<KeptResult> results;       // those that expire first first
    qint64 total = 0;
    QByteArray next;
};

struct HistogramBin {
    double from_s = 0;
    double to_s = 0;
    qint64 count = 0;
};
struct Measure {
    qint64 count = 0;
    double mean_s = 0, variance_s2 = 0, p50_s = 0, p95_s = 0, p99_s = 0;
    QList<HistogramBin> histogram;   // without the empty bins
};
struct NameStats {
    QByteArray name;
    Measure wait;                    // from ready to the claim
    Measure run;                     // from the claim to the report
    qint64 failures = 0, retries = 0, expiries = 0;
};
struct StatsPage {
    QByteArray day;                  // "2026-01-31", UTC
    QList<NameStats> names;
    QByteArray next;
};
struct StatsQuery {
    QByteArray name = {};            // empty: all names
    QByteArray day = {};             // empty: today
    int limit = limits::page_rows_default;
    QByteArray after = {};
};

} // namespace junban::client
