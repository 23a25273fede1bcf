#include "core/operators/governing.h"

#include "core/queue/changes.h"

namespace junban {

Governed governedBy(const MatcherSet &matchers, const JobSpec &spec, const JobEdit &edit)
{
    cel::Evaluation evaluation;
    const Classification read = matchers.classify(asPushed(edited(spec, edit)), {}, evaluation);
    const auto differs = [](const auto &asked, const auto &set) { return asked && set && *asked != *set; };
    if (differs(edit.priority, read.set.priority))
        return {"priority", read.setBy.priority};
    if (differs(edit.timeout_ms, read.set.timeout_ms))
        return {"timeout", read.setBy.timeout};
    if (differs(edit.maxRetry, read.set.maxRetry))
        return {"max_retry", read.setBy.maxRetry};
    return {};
}

} // namespace junban
