#pragma once

#include "core/cel/evaluation.h"
#include "core/cel/problem.h"
#include "core/cel/program.h"
#include "core/jobs/recordvalues.h"

#include <memory>

namespace junban {

// Which groups of failures are wanted. A value; one thread.
class GroupFilter
{
public:
    GroupFilter(GroupState wanted = GroupState::All) : state(wanted) {}

    GroupState state;

    // Sets an expression over cel::groupEnvironment() that must be true for the group, as one of its workers saw it. Returns its problems;
    // if there are any, the filter is unchanged.
    QList<cel::Problem> setMatch(QByteArrayView text);

    // False also when the expression has no value for the group.
    bool passes(const FailureGroup &group, cel::Evaluation &evaluation) const;

private:
    bool isInState(const FailureGroup &group) const;

    std::shared_ptr<const cel::Program> m_match;
};

} // namespace junban
