#pragma once

#include "core/limits/matcher.h"

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
    QByteArray gate = {};          // "state", "due", "rate", "position", …
    GateStatus status = GateStatus::Pass;
    QByteArray matcher = {}, constraint = {}, kind = {}, key = {};
    std::optional<qint64> cost = {}, used = {}, limit = {}, waiting = {};
    qint64 opensAt_ms = 0;
    qint64 askedAt_ms = 0;         // workers: when one last asked for jobs of this name; 0: none that the masters know of
    QByteArray reason = {};
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

struct Pause {
    QByteArray id, match, reason, by;
    qint64 until_ms = 0, since_ms = 0;
};
struct PauseList {
    QList<Pause> pauses;
};

extern const TableOf<SavedMatcher> savedMatcherTable;
extern const TableOf<MatcherPage> matcherPageTable;
extern const TableOf<MatcherRevisions> revisionsTable;
extern const TableOf<ConstraintPage> constraintPageTable;
extern const TableOf<BucketPage> bucketPageTable;
extern const TableOf<BreakerChanged> breakerChangedTable;
extern const TableOf<HeldList> heldTable;
extern const TableOf<Explanation> explanationTable;
extern const TableOf<Pause> pauseAnswerTable;
extern const TableOf<PauseList> pauseListTable;

} // namespace junban::answers
