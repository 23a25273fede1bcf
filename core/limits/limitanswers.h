#pragma once

#include "core/cel/terms.h"
#include "core/jobs/administration.h"
#include "core/limits/matcher.h"
#include "core/msgpack/problem.h"

#include <optional>

// What a master answers about matchers and constraints, for master and client alike. Times are milliseconds since the epoch, 0 when absent.
namespace junban::answers {

struct SavedMatcher {
    JobMatcher matcher;
    MatchableNames names = {};
};
struct MatcherPage {
    QList<SavedMatcher> matchers;
    qint64 reading = 0;            // ready jobs that the matchers in force have not read yet
    QByteArray next;
};
struct MatcherRevisions {
    QList<SavedMatcher> revisions; // the newest first
    bool deleted = false;
};

struct LiveConstraint {
    Constraint constraint;
    QByteArray matcher;
    QByteArray matcherTitle;
    bool enabled = true;
    QByteArray editedBy;
    qint64 editedAt_ms = 0;
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
struct BucketPage {
    QList<Bucket> buckets;
    QByteArray next;
};
struct BreakerChanged {
    qint64 buckets = 0;
    qint64 opensAt_ms = 0;
};
struct Held {
    QByteArray matcher, title, constraint, kind, key; // `title`: the matcher's
    qint64 jobs = 0;
    std::optional<qint64> used = {}, limit = {};
    qint64 oldestAt_ms = 0;
    qint64 opensAt_ms = 0;
    Reason why = {};               // unreadable: what cannot be read
};
struct HeldList {
    QList<Held> held;
    bool complete = true;
};

enum class GateStatus { Pass, Holding, Observed };
struct Gate {
    QByteArray gate = {};          // "state", "due", "rate", "position", …
    GateStatus status = GateStatus::Pass;
    QByteArray matcher = {}, title = {}, constraint = {}, kind = {}, key = {};
    std::optional<qint64> cost = {}, used = {}, limit = {}, waiting = {};
    double period_s = 0;           // rate: so much may start in this time
    qint64 opensAt_ms = 0;
    qint64 askedAt_ms = 0;         // workers: when one last asked for jobs of this name; 0: none that the masters know of
    QByteArray reason = {};        // pause: why, in an operator's words
    Reason why = {};               // unreadable: what cannot be read; state: what is waited for
    QList<JobId> holders = {};
    QByteArray editedBy = {};
    qint64 editedAt_ms = 0;
};
struct Explanation {
    JobState state = JobState::Ready;
    bool wouldRun = false;
    QList<Gate> gates = {};
    std::optional<qint64> position = {};
    qint64 estimate_ms = 0;
};

using junban::Pause;
struct PauseList {
    QList<Pause> pauses;
};

// A problem document about expressions: where each of them is wrong.
struct ExpressionRefusal {
    Problem problem;
    QList<ExpressionProblem> errors;
};

// A problem document about a field of a job that a `set` constraint governs: the matcher that has it.
struct GoverningMatcher {
    QByteArray id;
    QByteArray title;
};
struct GovernedRefusal {
    Problem problem;
    GoverningMatcher matcher;
};

// What a matcher would do.
struct PreviewJob {
    JobId id;
    QByteArray name;
    JobState state = JobState::Ready;
};
struct PreviewCount {
    JobState state = JobState::Ready;
    qint64 matched = 0, scanned = 0, total = 0;
    bool complete = true;          // all jobs of the state that it could match were looked at
};
struct CountOf {
    QByteArray what;               // a key, a cause, a matcher
    qint64 jobs = 0;
    JobId sample = {};             // of a cause
};
struct PreviewKeys {
    QByteArray kind;
    qint64 distinct = 0;
    QList<CountOf> top;            // those with most jobs
};
struct PreviewReplay {
    qint64 starts = 0, delayed = 0;
    double meanDelay_s = 0, maxDelay_s = 0; // of those delayed
    double seconds = 0;                     // for so long there were starts, or one minute
    bool complete = true;                   // all starts of the last 15 minutes were looked at
    QList<qint64> asItWas = {}, limited = {}; // starts in each step of `step_s`, the oldest first, as they were and under the limits
    double step_s = 30;
};
struct PreviewArrivals {
    double perSecond = 0, startsPerSecond = 0, growth = 0; // jobs a second
};
struct PreviewDrain {
    std::optional<double> before_s = {};    // none: it does not become smaller
    double after_s = 0, least_s = 0;
    QByteArray limit;                       // of another matcher, if that sets the least
};
// What an expression makes of one job.
struct TestedTerms {
    bool matches = false;
    Reason fault;                  // why the expression as a whole has no value
    QList<cel::Term> terms;
    bool complete = true;
};
struct MatcherPreview {
    MatchableNames names;
    QList<PreviewCount> states;
    QList<PreviewJob> samples, newlyMatched, noLongerMatched;
    qint64 newlyMatchedCount = 0, noLongerMatchedCount = 0;
    QList<PreviewKeys> keys;       // of each constraint, in order
    QList<CountOf> faults, overlaps;
    PreviewReplay replay;
    PreviewArrivals arrivals;
    std::optional<PreviewDrain> drain;
    std::optional<TestedTerms> test;
};

extern const TableOf<SavedMatcher> savedMatcherTable;
extern const TableOf<MatcherPage> matcherPageTable;
extern const TableOf<MatcherRevisions> revisionsTable;
extern const TableOf<ConstraintPage> constraintPageTable;
extern const TableOf<BucketPage> bucketPageTable;
extern const TableOf<BreakerChanged> breakerChangedTable;
extern const TableOf<HeldList> heldTable;
extern const TableOf<Explanation> explanationTable;
using junban::pauseAnswerTable;
extern const TableOf<PauseList> pauseListTable;
extern const TableOf<ExpressionRefusal> expressionRefusalTable;
extern const TableOf<GovernedRefusal> governedRefusalTable;
extern const TableOf<MatcherPreview> matcherPreviewTable;

} // namespace junban::answers
