#include "core/jobfilter.h"

#include "core/cel/jobvariables.h"
#include "core/payload.h"

namespace junban {

QList<cel::Problem> JobFilter::setMatch(QByteArrayView text)
{
    const cel::Compiled compiled = cel::compile(text, cel::searchEnvironment(), cel::Mode::Checked, cel::Wanted::Boolean);
    if (compiled.program) {
        m_match = compiled.program;
        // A matcher may name just that.
        m_pushedOnly = bool(cel::compile(text, cel::matcherEnvironment(), cel::Mode::Checked, cel::Wanted::Boolean).program);
    }
    return compiled.problems;
}

bool JobFilter::passes(const Job &job, qint64 now_ms, cel::Evaluation &evaluation) const
{
    if ((!name.isEmpty() && job.spec.name != name) || (!tag.isEmpty() && !job.spec.tags.contains(tag)))
        return false;
    if (!m_match)
        return true;
    return m_pushedOnly ? evaluation.evaluate(*m_match, cel::SpecBindings(job.spec, {})).isTrue()
                        : evaluation.evaluate(*m_match, cel::JobBindings(job, {}, now_ms)).isTrue();
}

Job withoutLongArgument(Job job)
{
    if (job.spec.argument.size() > limits::page_record_bytes_max)
        job.spec.argument = payload::nil;
    return job;
}

} // namespace junban
