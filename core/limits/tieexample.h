#pragma once

#include "core/cel/evaluation.h"
#include "core/jobs/job.h"
#include "core/limits.h"
#include "core/limits/matcher.h"

#include <QByteArray>
#include <optional>

namespace junban {

// A job that two matchers match.
struct TieExample {
    JobSpec spec;
    QByteArray pusher;

    QByteArray name() const;       // short enough to be shown
    QByteArrayList fields() const; // those that differ from a job that has its name only, e.g. argument {"k":2}
};

// Looks for a job that two matchers match: first for one that has but a name, then for one made of the values that both expressions
// mention (core/limits/tiefields.h), which are tried together as far as operands of && and || say of them alone. What is found was
// evaluated as classification does it; the same expressions always have the same example. What expressions say in other ways (computed
// keys, arithmetic whose result no constant is near to, much that depends on much) and what is beyond limits::tie_jobs_max jobs has no
// example, though there may be such a job. One of these serves one save: limits::tie_steps_max is what all its searches may cost.
class TieSearch
{
public:
    // The matchers may be one and the same.
    std::optional<TieExample> find(const CompiledMatcher &a, const CompiledMatcher &b);

private:
    cel::Evaluation m_evaluation;
    qint64 m_steps = limits::tie_steps_max;
};

} // namespace junban
