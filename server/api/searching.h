#pragma once

#include "core/base/reasons/fields.h"
#include "core/limits/limitanswers.h"
#include "server/api/call.h"

namespace junban::api {

// Reads the parameter `match` into a filter; false when it is refused, and the call is answered.
template<typename Filter>
bool readMatch(const Call &call, Filter &filter)
{
    if (!call.query.contains("match"))
        return true;
    if (!call.query["match"].isValidUtf8()) {
        call.fail(reasons::fieldNotUtf8("match"));
        return false;
    }
    QList<ExpressionProblem> problems;
    for (const cel::Problem &problem : filter.setMatch(call.query["match"]))
        problems.append({"match", problem});
    if (!problems.isEmpty())
        call.reply(422, encodeProblem(problems));
    return problems.isEmpty();
}

} // namespace junban::api
