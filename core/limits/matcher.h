#pragma once

#include "core/base/result.h"
#include "core/cel/compile.h"
#include "core/cel/names.h"
#include "core/cel/program.h"
#include "core/limits/constraint.h"
#include "core/limits/mask.h"

#include <QByteArray>
#include <QList>
#include <functional>
#include <memory>
#include <optional>

namespace junban {

// A pause is a matcher with one constraint whose id begins like this. It is deleted when the constraint has expired.
inline constexpr char pause_id_prefix[] = "pause-";

// A predicate over jobs and the constraints attached to it (docs/constraints.md), as a value. Its expressions are text; CompiledMatcher
// compiles them.
struct JobMatcher {
    QByteArray id;                  // letters, digits, '.', '_', '-'
    QByteArray title;
    QByteArray expression;
    QByteArray note;
    bool enabled = true;
    int rank = 0;                   // of several `set` or `fair` the highest wins
    QList<QByteArray> exempts;      // ids of constraints that do not apply to its jobs, or of matchers for all of theirs
    QList<QByteArray> mask;         // places of values that are hidden (core/limits/mask.h)
    QList<Constraint> constraints;
    qint64 revision = 0;            // 0: not saved yet
    qint64 editedAt_ms = 0;
    QByteArray editedBy;
    // Why it cannot be read any more; empty: it can. Such a matcher is closed: its jobs are held. What could be read of it,
    // or of its last revision that can be read, is in the other fields.
    Reason unreadable = {};

    // `id` comes from the path of the request. Errors: InvalidField with the path of the field. Expressions are not compiled.
    static Result<JobMatcher> fromMsgpack(const QByteArray &id, QByteArrayView map);
    // The same for what a store has kept: it is read as far as it can be, and says why the rest cannot.
    static JobMatcher fromStore(const QByteArray &id, QByteArrayView map);
    // The same map again, with id, revision and who edited it.
    QByteArray packed() const;
    friend bool operator==(const JobMatcher &, const JobMatcher &) = default;
};

// Gives ids to constraints that came without one: the id that the constraint of the same kind and position had in the previous revision,
// so that its buckets stay, or else a new one: "<matcher>.<kind><number>", which no constraint of another matcher has (`ofOthers` says).
void giveConstraintIds(JobMatcher &matcher, const JobMatcher *previous, const std::function<bool(const QByteArray &id)> &ofOthers = {});

// Whether jobs must be classified again when one revision follows the other (null: there is none). Limits, modes and overrides do not
// change which buckets a job is in.
bool needsNewEpoch(const JobMatcher *previous, const JobMatcher *next);

// The names that a matcher's jobs can have, as the API tells them.
struct MatchableNames {
    QByteArray word;               // "never", "names", "prefixes", "any"
    QList<QByteArray> names;       // the first ones
    QList<QByteArray> prefixes;
};
extern const TableOf<MatchableNames> matchableNamesTable;
extern const TableOf<JobMatcher> ownMatcherTable; // without what the master adds
extern const TableOf<JobMatcher> matcherTable;
namespace codecs {
extern const Codec constraints;      // QList<Constraint>
extern const Codec exempts;          // QList<QByteArray>: ids of constraints or matchers
} // namespace codecs
bool isMatcherId(QByteArrayView text);

// What is wrong with an expression, and with which one: field is "expression", "constraints[0].by[1]" or "constraints[0].cost".
struct ExpressionProblem {
    QByteArray field;
    cel::Problem problem;
};

class CompiledMatcher;
struct MatcherCompilation {
    std::shared_ptr<const CompiledMatcher> matcher; // null when there are problems
    QList<ExpressionProblem> problems;
};

// A matcher with its expressions compiled. Immutable, shared between threads.
class CompiledMatcher
{
public:
    static MatcherCompilation compile(JobMatcher matcher, cel::Mode mode = cel::Mode::Checked);
    // A matcher as it was stored. When it cannot be compiled any more it is closed (`unreadable` says why): its predicate is the expression
    // as far as it makes sense, and a job for which that fails counts as matched. Without any expression it matches no job.
    static std::shared_ptr<const CompiledMatcher> compileStored(JobMatcher matcher);
    bool closed() const { return !m_matcher.unreadable.isEmpty(); }

    // Programs of one constraint; amount is null when it is a number.
    struct Programs {
        QList<std::shared_ptr<const cel::Program>> by;
        std::shared_ptr<const cel::Program> amount;
    };
    const JobMatcher &matcher() const { return m_matcher; }
    const cel::Program &predicate() const { return *m_predicate; }
    const Programs &programs(qsizetype constraint) const { return m_programs[constraint]; }
    // The names its jobs can have; none when it is disabled.
    const cel::NameSet &names() const { return m_names; }
    MatchableNames shownNames() const;
    // The places that it hides; the first step is "argument", "result" or "error".
    const QList<MaskPath> &mask() const { return m_mask; }

private:
    CompiledMatcher() = default;

    JobMatcher m_matcher;
    std::shared_ptr<const cel::Program> m_predicate;
    QList<Programs> m_programs;
    cel::NameSet m_names;
    QList<MaskPath> m_mask;
};

} // namespace junban
