#include "core/operators/pauses.h"

namespace junban {

QList<JobMatcher> pausesIn(const MatcherSet &set)
{
    QList<JobMatcher> pauses;
    for (const auto &compiled : set.matchers()) {
        const JobMatcher &matcher = compiled->matcher();
        if (matcher.id.startsWith(pause_id_prefix) && matcher.constraints.size() == 1
            && matcher.constraints.first().kind() == ConstraintKind::Pause)
            pauses.append(matcher);
    }
    return pauses;
}

Pause pauseOf(const JobMatcher &matcher)
{
    const auto &pause = std::get<PauseParameters>(matcher.constraints.first().parameters);
    return {matcher.id, matcher.expression == "true" ? QByteArray() : matcher.expression, pause.reason, matcher.editedBy,
        pause.until_ms.value_or(0), matcher.editedAt_ms};
}

} // namespace junban
