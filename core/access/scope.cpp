#include "core/access/scope.h"

#include "core/base/reasons/requests.h"
#include "core/cel/compile.h"
#include "core/limits.h"
#include "core/limits/jobvariables.h"

namespace junban {

static_assert(limits::token_names_max < limits::matcher_names_max, "a set of more names gives up telling them apart");

namespace {

// A name, or the beginning of names and a star.
cel::NameSet namesOf(const QByteArray &pattern)
{
    return pattern.endsWith('*') ? cel::NameSet::withPrefix(pattern.chopped(1)) : cel::NameSet::only(pattern);
}

} // namespace

Result<Scope> Scope::of(const TokenSpec &spec)
{
    Scope scope;
    if (!spec.names.isEmpty())
        scope.m_names = cel::NameSet::none();
    for (const QByteArray &pattern : spec.names) {
        const qsizetype star = pattern.indexOf('*');
        if (star >= 0 && star < pattern.size() - 1)
            return reasons::tokenPatternStar("names[" + QByteArray::number(&pattern - spec.names.data()) + ']');
        scope.m_names = scope.m_names.united(namesOf(pattern));
    }
    if (spec.match.isEmpty())
        return scope;
    const cel::Compiled compiled = cel::compile(spec.match, cel::matcherEnvironment(), cel::Mode::Checked, cel::Wanted::Boolean);
    if (!compiled.program)
        return reasons::tokenMatchWrong("match", compiled.problems.first().reason);
    scope.m_match = compiled.program;
    return scope;
}

std::optional<QByteArray> Scope::outside(const JobSpec &job, cel::Evaluation &evaluation) const
{
    if (!m_names.contains(job.name))
        return "name";
    if (m_match && !evaluation.evaluate(*m_match, cel::SpecBindings(job, job.pusher)).isTrue())
        return "";
    return {};
}

} // namespace junban
