#pragma once

#include "core/base/result.h"
#include "core/jobs/job.h"
#include "core/limits/limitrequests.h"

#include <QByteArray>
#include <QList>
#include <optional>

// JobMatchers, constraints and what they hold, as the HTTP API says them. Times are milliseconds since the epoch, 0 when absent.
namespace junban::client {

using junban::MatchableNames;
struct SavedMatcher {
    JobMatcher matcher;
    MatchableNames names;
};
struct MatcherPage {
    QList<SavedMatcher> matchers;
    qint64 reading = 0;            // ready jobs that the matchers in force have not read yet
    QByteArray next;
};
struct MatcherRevisions {
    QList<JobMatcher> revisions;   // the newest first
    bool deleted = false;
};

// What is wrong with an expression, where it stands: "expression", "constraints[0].by[1]", "match".
struct FieldProblem {
    QByteArray field;
    cel::Problem problem;          // without offset
};
// An answer to expressions: either the value, or what is wrong with them.
template<typename T>
struct Checked {
    std::optional<T> value = {};
    QList<FieldProblem> problems = {};
};

struct LiveConstraint {
    Constraint constraint;
    QByteArray matcher;
    QByteArray matcherTitle;
    bool enabled = true;
    qint64 buckets = 0, used = 0, waiting = 0, wouldHold = 0, closed = 0;
    qint64 opensAt_ms = 0;
    bool complete = true;          // the sums are over all of its buckets
};
struct ConstraintPage {
    QList<LiveConstraint> constraints;
    QByteArray next;
};
struct Bucket {
    QByteArray key;
    qint64 used = 0;
    std::optional<qint64> limit = {};
    qint64 waiting = 0, wouldHold = 0;
    bool open = true;
    qint64 opensAt_ms = 0;
    bool overridden = false;
    QList<JobId> holders;
    QByteArray breaker;            // of a breaker: "closed", "open" or "half_open"
};
using junban::BreakerQuery;
using junban::BreakerVerb;
struct BreakerChanged {
    qint64 buckets = 0;
    qint64 opensAt_ms = 0;
};
struct BucketPage {
    QList<Bucket> buckets;
    QByteArray next;
};
struct Held {
    QByteArray matcher, constraint, kind, key;
    qint64 jobs = 0;
    std::optional<qint64> used = {}, limit = {};
    qint64 oldestAt_ms = 0;
    qint64 opensAt_ms = 0;
};
struct HeldList {
    QList<Held> held;
    bool complete = true;
};

enum class GateStatus { Pass, Holding, Observed };
struct Gate {
    QByteArray gate;               // "state", "due", "rate", "position", …
    GateStatus status = GateStatus::Pass;
    QByteArray matcher, constraint, kind, key;
    std::optional<qint64> cost = {}, used = {}, limit = {}, waiting = {};
    qint64 opensAt_ms = 0;
    qint64 askedAt_ms = 0;         // workers: when one last asked for jobs of this name; 0: none that the masters know of
    QByteArray reason;
    QList<JobId> holders;
    QByteArray editedBy;
    qint64 editedAt_ms = 0;
};
struct Explanation {
    JobState state = JobState::Ready;
    bool wouldRun = false;
    QList<Gate> gates;
    std::optional<qint64> position = {};
    qint64 estimate_ms = 0;
};

using junban::PauseQuery;
struct Pause {
    QByteArray id, match, reason, by;
    qint64 until_ms = 0, since_ms = 0;
};

using junban::PreviewQuery;
using junban::TestedJob;
struct PreviewJob {
    JobId id;
    QByteArray name;
    JobState state = JobState::Ready;
};
struct PreviewCount {
    JobState state = JobState::Ready;
    qint64 matched = 0, scanned = 0, total = 0;
    bool complete = true;
};
struct CountOf {
    QByteArray what;               // a key, a cause, a matcher
    qint64 jobs = 0;
    JobId sample = {};
};
struct PreviewKeys {
    QByteArray kind;
    qint64 distinct = 0;
    QList<CountOf> top;
};
struct PreviewReplay {
    qint64 starts = 0, delayed = 0;
    double meanDelay_s = 0, maxDelay_s = 0;
    bool complete = true;
};
// What one operand of the && and || makes of the tested job.
struct TermRead {
    QByteArray text, type, value;
    QByteArray expected;           // the type it is compared with, where that is another
};
struct TestedTerm {
    int line = 1, column = 1, length = 0;
    QByteArray text;
    bool holds = false;
    QByteArray fault;              // not empty: why it has no value
    QList<TermRead> reads;
};
struct TestedTerms {
    bool matches = false;
    QByteArray fault;              // of the expression as a whole
    QList<TestedTerm> terms;
    bool complete = true;
};
struct MatcherPreview {
    MatchableNames names;
    QList<PreviewCount> states;
    QList<PreviewJob> samples, newlyMatched, noLongerMatched;
    qint64 newlyMatchedCount = 0, noLongerMatchedCount = 0;
    QList<PreviewKeys> keys;       // of each constraint, in order
    QList<CountOf> faults, overlaps;
    std::optional<PreviewReplay> replay = {};
    std::optional<double> drainBefore_s = {}, drainAfter_s = {};
    double arriving = 0, growing = 0; // a second
    std::optional<TestedTerms> test = {};
};

Result<SavedMatcher> decodeMatcher(QByteArrayView body);
Result<MatcherPage> decodeMatchers(QByteArrayView body);
Result<MatcherRevisions> decodeRevisions(QByteArrayView body);
Result<ConstraintPage> decodeConstraints(QByteArrayView body);
Result<BucketPage> decodeBuckets(QByteArrayView body);
Result<BreakerChanged> decodeBreaker(QByteArrayView body);
Result<HeldList> decodeHeld(QByteArrayView body);
Result<Explanation> decodeExplanation(QByteArrayView body);
Result<Pause> decodePause(QByteArrayView body);
Result<QList<Pause>> decodePauses(QByteArrayView body);
Result<MatcherPreview> decodePreview(QByteArrayView body);
// The `errors` of a problem document; none when it has none.
QList<FieldProblem> decodeProblems(QByteArrayView body);

} // namespace junban::client
