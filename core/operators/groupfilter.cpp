#include "core/operators/groupfilter.h"

#include "core/cel/compile.h"
#include "core/limits/jobvariables.h"

#include <algorithm>

namespace junban {

QList<cel::Problem> GroupFilter::setMatch(QByteArrayView text)
{
    const cel::Compiled compiled = cel::compile(text, cel::groupEnvironment(), cel::Mode::Checked, cel::Wanted::Boolean);
    if (compiled.program)
        m_match = compiled.program;
    return compiled.problems;
}

bool GroupFilter::passes(const FailureGroup &group, cel::Evaluation &evaluation) const
{
    if (!isInState(group))
        return false;
    if (!m_match)
        return true;
    const auto meets = [&](QByteArrayView worker) { return evaluation.evaluate(*m_match, cel::GroupBindings(group, worker)).isTrue(); };
    if (group.workers.isEmpty())
        return meets({});
    return std::any_of(group.workers.cbegin(), group.workers.cend(), [&](const auto &worker) { return meets(worker.first); });
}

bool GroupFilter::isInState(const FailureGroup &group) const
{
    switch (state) {
    case GroupState::Open: return !group.resolved && group.mutedUntil_ms == 0;
    case GroupState::Resolved: return group.resolved;
    case GroupState::Muted: return group.mutedUntil_ms != 0;
    case GroupState::All: return true;
    }
    return true;
}

} // namespace junban
