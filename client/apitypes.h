#pragma once

#include "core/base/result.h"
#include "core/jobs/job.h"

#include <QByteArray>
#include <QList>
#include <array>
#include <optional>

// What the HTTP API says and hears, as values (openapi/master.yaml). Times are milliseconds since the epoch, 0 when absent.
namespace junban::client {

struct Enqueued {
    JobId id;
    JobState state = JobState::Ready;
    bool duplicate = false;          // an earlier job with the same idempotency key
    std::optional<DurabilityLevel> durability = {}; // reached, when more than the default was asked for
};

struct ClaimQuery {
    QList<QByteArray> names = {};    // empty: all names
    int limit = 1;
    qint64 wait_ms = 0;              // how long the master may wait for a job
    qint64 lease_ms = 0;             // 0: each job's timeout
};

// The right to report an attempt.
struct Lease {
    JobId id;
    QByteArray lease;
};

struct Report {
    Lease lease;
    Outcome outcome;
};

struct Finished {
    JobState state = JobState::Succeeded;
    qint64 runAt_ms = 0;             // scheduled: when it will be tried again
};

struct OutcomesReply {
    QList<Result<Finished>> results; // one for each report, in order
    QList<ClaimedJob> jobs;
};

struct Heartbeat {
    qint64 leaseExpiresAt_ms = 0;
    bool cancel = false;             // someone wants the job stopped
};

struct StateNow {
    JobState state = JobState::Ready;
    bool cancelRequested = false;    // flagged; its worker will hear it
};

enum class CancelMode { Ask, Force };

// A push that waited for its result.
struct Answered {
    JobId id;
    bool duplicate = false;
    bool finished = false;           // in time
    QByteArray outcome;              // finished: the outcome object, MessagePack; nil when there is none for us
    JobState state = JobState::Ready; // not finished
};

// What an operator edits of a job. What is not given stays as it is.
struct JobEdit {
    std::optional<qint32> priority = {};
    std::optional<qint64> runAt_ms = {};
    std::optional<QByteArray> argument = {};
    std::optional<QList<QByteArray>> tags = {};
    std::optional<int> maxRetry = {};
    std::optional<qint64> timeout_ms = {};

    bool isEmpty() const { return !priority && !runAt_ms && !argument && !tags && !maxRetry && !timeout_ms; }
    friend bool operator==(const JobEdit &, const JobEdit &) = default;
};

struct MessageTaken {
    JobId id;
    Finished finished;
};

struct GroupChange {
    std::optional<bool> open = {};
    std::optional<JobSpec> callback = {};
};
struct Group {
    QByteArray group;
    qint64 total = 0, pending = 0, succeeded = 0, failed = 0, cancelled = 0;
    bool open = false;
    bool hasCallback = false;
    JobId callback;                  // null: not enqueued yet
    QByteArray callbackRefused;      // why it was not enqueued when its time came
    qint64 createdAt_ms = 0;
    qint64 endedAt_ms = 0;
};

struct ResultQuery {
    qint64 wait_ms = 0;              // how long the master may wait for the job to finish
    QByteArray receipt = {};         // the caller's own random string: a repeat with it gets the same object again
};
enum class ResultStatus { Ready, Pending, Gone };
struct ResultNow {
    ResultStatus status = ResultStatus::Gone;
    QByteArray outcome;              // Ready: the outcome object, MessagePack
    JobState state = JobState::Ready; // Pending
};

enum class JobsOf { States, Tracked, Trash };
struct JobQuery {
    std::optional<JobState> state = {}; // none: all states
    QByteArray name = {};            // empty: all names
    QByteArray tag = {};             // empty: with any tags or none
    int limit = limits::page_rows_default;
    QByteArray cursor = {};          // `next` of the page before
    JobsOf of = JobsOf::States;
    QByteArray match = {};           // an expression (docs/matchers.md); empty: all jobs
};
struct Coverage {
    qint64 scanned = 0;              // jobs looked at for this page
    qint64 total = 0;                // jobs in the states asked for, whatever the filter
    bool complete = true;            // false: the work bound was met before the page was full
};
struct JobPage {
    QList<Job> jobs;                 // long arguments are left out: argument_bytes says how long they are
    QByteArray next;                 // empty: nothing follows
    Coverage coverage;
};

struct Totals {
    qint64 enqueued = 0, started = 0, succeeded = 0, failed = 0, failures = 0, retried = 0, expired = 0, cancelled = 0;
};
struct Rates {
    double enqueued = 0, started = 0, succeeded = 0, failures = 0; // per second
};
// Redis came back with less than it had answered.
struct Rollback {
    qint64 seenAt_ms = 0;            // 0: it did not
    qint64 transactionsLost = 0;     // at least so many
};
struct Overview {
    qint64 now_ms = 0;               // the master's, that is Redis', clock
    std::array<qint64, 9> byState{}; // by JobState's value
    qint64 resultsKept = 0;
    Totals totals;                   // since the namespace was made
    Rates rates;
    qint64 oldestReadyAt_ms = 0;     // 0: none is ready
    QByteArray version;
    Rollback rollback;

    qint64 count(JobState state) const { return byState[static_cast<size_t>(state)]; }
};

// What the doctor of the master found (GET /v1/doctor).
struct Finding {
    QByteArray severity;             // "warning", "refused_unless_forced", "refused"
    QByteArray word;
    QByteArray message;
};

struct NameRow {
    QByteArray name;
    qint64 ready = 0;
    std::optional<qint64> scheduled = {}; // not every master says so
    std::optional<qint64> running = {};
    Totals totals;
};
struct NamePage {
    QList<NameRow> names;
    QByteArray next;                 // empty: nothing follows
};

// What /readyz says: whether a script ran in Redis just now.
struct Readiness {
    bool ready = false;
    QByteArray detail;
    qint64 trip_ms = 0;              // how long the answer took
};

} // namespace junban::client
