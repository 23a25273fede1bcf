#pragma once

#include "core/base/result.h"
#include "core/jobs/job.h"
#include "core/limits/limitanswers.h"
#include "core/limits/limitrequests.h"

#include <QByteArray>
#include <QList>
#include <optional>

// JobMatchers, constraints and what they hold, as the HTTP API says them. Times are milliseconds since the epoch, 0 when absent.
namespace junban::client {

using answers::BreakerChanged;
using answers::Bucket;
using answers::BucketPage;
using answers::ConstraintPage;
using answers::Explanation;
using answers::Gate;
using answers::GateStatus;
using answers::Held;
using answers::HeldList;
using answers::LiveConstraint;
using answers::MatcherPage;
using answers::MatcherRevisions;
using answers::Pause;
using answers::SavedMatcher;
using junban::BreakerQuery;
using junban::BreakerVerb;
using junban::MatchableNames;
using junban::PauseQuery;
using junban::PreviewQuery;
using junban::TestedJob;

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

Result<MatcherPreview> decodePreview(QByteArrayView body);
// The `errors` of a problem document; none when it has none.
QList<FieldProblem> decodeProblems(QByteArrayView body);

} // namespace junban::client
