#pragma once

#include "core/limits/matcher.h"

#include <optional>

// What is asked of a master about matchers and constraints, besides matchers themselves; for master and client alike.
namespace junban {

struct MatcherRevert {
    qint64 revision = 0;           // the one that comes back
};
extern const TableOf<MatcherRevert> matcherRevertTable;

// What is done to a breaker by hand.
enum class BreakerVerb { Trip, Reset };
struct BreakerQuery {
    BreakerVerb verb = BreakerVerb::Trip;
    std::optional<QByteArray> key = {};    // as buckets show it; nothing: all of them
    qint64 openFor_ms = 0;                 // Trip: for so long; 0: by its parameters
};
const TableOf<BreakerQuery> &breakerTable(BreakerVerb verb);

struct PauseQuery {
    QByteArray match = {};         // empty: everything
    std::optional<qint64> until_ms = {}; // until then …
    std::optional<qint64> for_ms = {};   // … or for so long; neither: until it is resumed
    QByteArray reason = {};
};
extern const TableOf<PauseQuery> pauseTable;
struct ResumeQuery {
    QByteArray id = {};            // empty: all pauses
};
extern const TableOf<ResumeQuery> resumeTable;

// A job to try an expression on: one that is there, or one as it could be pushed.
struct TestedJob {
    std::optional<JobId> id = {};
    JobSpec spec = {};             // without id: its name, argument, priority, max_retry, keep_result, timeout and tags
};
struct PreviewQuery {
    QByteArray id = {};            // of the saved one to compare with; empty: none
    QByteArray expression = {};
    QList<Constraint> constraints = {};
    QList<QByteArray> exempts = {};
    std::optional<TestedJob> test = {};

    // With an id that no saved matcher has, when it has none.
    JobMatcher matcher() const;
};
extern const TableOf<PreviewQuery> previewTable;

} // namespace junban
