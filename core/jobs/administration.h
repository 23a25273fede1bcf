#pragma once

#include "core/jobs/fsckreport.h"
#include "core/jobs/job.h"
#include "core/msgpack/fieldtable.h"

// Values about a whole namespace, for operators and administrators.
namespace junban {

struct Totals {
    qint64 enqueued = 0, started = 0, succeeded = 0, failed = 0, failures = 0, retried = 0, expired = 0, cancelled = 0;
    qint64 deleted = 0;              // went to the trash
};
struct Rates {
    double enqueued = 0, started = 0, succeeded = 0, failures = 0; // per second
};
// Redis came back without transactions that it had acknowledged.
struct Rollback {
    qint64 seenAt_ms = 0;            // 0: that never happened
    qint64 transactionsLost = 0;     // at least this many
};
// The server that keeps the jobs.
struct ServerNow {
    qint64 startedAt_ms = 0;         // 0: nothing is known of it
    qint64 usedBytes = 0;
    qint64 maxBytes = 0;             // 0: it has no limit of its own
    qint64 backAt_ms = 0;            // when it answered again after it last gave no answer; 0: that never happened
    qint64 away_ms = 0;              // for how long it gave none
    bool restarted = false;          // another process answers since then
};
// A pause in force.
struct Pause {
    QByteArray id, match, reason, by; // `match` empty: all jobs
    qint64 until_ms = 0, since_ms = 0; // `until_ms` 0: until it is resumed
};
// How many ready jobs one constraint holds back.
struct HeldBy {
    QByteArray matcher, title, constraint, kind;
    qint64 jobs = 0;
    qint64 keys = 0;                 // at how many of its keys
    qint64 opensAt_ms = 0;           // when the first of these opens by itself; 0: none does
};
struct HeldNow {
    qint64 jobs = 0;                 // each counted once, however many constraints hold it; at least, unless complete
    QList<HeldBy> by = {};           // those that hold most jobs first, at most limits::held_by_max
    bool complete = true;            // all buckets were looked at, all constraints are listed, and `jobs` is exact
    qint64 reading = 0;              // about how many ready jobs were not read since the last change; none of these counts has them
};
// A breaker that is open at some of its keys.
struct OpenBreaker {
    QByteArray matcher, title, constraint;
    qint64 keys = 0;
    qint64 opensAt_ms = 0;           // when the first of them lets a job try; 0: not by itself
};
// A backlog that is full at some of its keys: a job that is pushed now is refused, drops another, or is answered with one that waits.
struct FullBacklog {
    QByteArray matcher, title, constraint, overflow; // `overflow`: one of overflowWords (core/limits/kinds/kinds.h)
    qint64 keys = 0;
    qint64 jobs = 0;                 // ready ones at these keys
};
// The ready jobs of one priority.
struct PriorityNow {
    int priority = 0;
    qint64 jobs = 0;
    qint64 oldestAt_ms = 0;          // when the oldest of them was made
};
// Names with ready jobs that no worker asks for.
struct UnaskedName {
    QByteArray name;
    qint64 jobs = 0;                 // ready ones
    qint64 askedAt_ms = 0;           // when a worker asked for the name last; 0: none is known
};
struct UnaskedNow {
    qint64 jobs = 0;                 // of all of these names
    QList<UnaskedName> names = {};   // with most jobs first, at most limits::unasked_names_max
    bool complete = true;            // all such names are listed
};
// Something that is stored and cannot be read any more; it is held until an operator mends it.
struct UnreadableNow {
    QByteArray what;                 // "matcher", "schedule", "job", …
    QByteArray id;
    Reason why;
};
struct Overview {
    qint64 now_ms = 0;               // Redis' clock
    std::array<qint64, 9> byState{}; // by JobState's value
    qint64 resultsKept = 0;
    Totals totals;                   // since the namespace was made; they only grow
    Rates rates;
    qint64 oldestReadyAt_ms = 0;     // 0: none is ready
    Rollback rollback;
    QList<Pause> pauses;
    HeldNow held;
    QList<OpenBreaker> breakers;
    QList<FullBacklog> backlogs;
    QList<PriorityNow> priorities;   // in the order in which jobs are claimed; at most limits::overview_priorities_max, the last ones
    UnaskedNow unasked;
    QList<UnreadableNow> unreadable; // at most limits::unreadable_shown_max
    ServerNow server;
    QByteArray version;

    // In these states together.
    template<typename... State>
    qint64 count(State... states) const
    {
        return (byState[static_cast<size_t>(states)] + ...);
    }
};

struct NameRow {
    QByteArray name;
    qint64 ready = 0;
    qint64 failed = 0;               // jobs that are failed now; filled in by a master
    Totals totals = {};
};
struct NamePage {
    QList<NameRow> names;
    QByteArray next;                 // empty: this is the last page
    bool complete = true;            // all failed jobs were counted
};

// A kind of thing that operators watch.
enum class Topic : quint8 { Jobs, Matchers, Schedules, Tokens, Retention, Operations };
inline constexpr std::array<const char *, 6> topicWords = {"jobs", "matchers", "schedules", "tokens", "retention", "operations"};
// What was changed since a revision.
struct News {
    qint64 revision = 0;             // of the last change
    QList<Topic> changed;
};
// What a watcher asks over its WebSocket.
struct SinceBody {
    qint64 since = 0;
};

// Something about the store that an administrator should know before it keeps jobs.
enum class Severity { Warning, RefusedUnlessForced, Refused };
inline constexpr const char *severityWords[] = {"warning", "refused_unless_forced", "refused"};
struct Finding {
    Severity severity = Severity::Warning;
    QByteArray word;                 // never changes, e.g. "evicting"
    Reason reason;                   // its sentence is `message`
};
struct Findings {
    QList<Finding> findings;
};

// A request to check the invariants.
struct FsckBody {
    bool repair = false;
    QByteArray cursor = {};
};

extern const TableOf<Overview> overviewTable;
extern const TableOf<Pause> pauseAnswerTable;
extern const TableOf<NamePage> namePageTable;
extern const TableOf<News> newsTable;
extern const TableOf<SinceBody> sinceBodyTable;
extern const TableOf<Findings> findingsTable;
extern const TableOf<FsckBody> fsckBodyTable;
extern const TableOf<FsckReport> fsckReportTable;

} // namespace junban
