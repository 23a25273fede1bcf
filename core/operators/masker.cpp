#include "core/operators/masker.h"

#include "core/jobs/jobfields.h"
#include "core/limits/jobvariables.h"

namespace junban {

namespace {

// The paths that begin with this step, without it.
QList<MaskPath> under(const QList<MaskPath> &paths, QByteArrayView step)
{
    QList<MaskPath> rests;
    for (const MaskPath &path : paths) {
        if (path.first() == step)
            rests.append(path.mid(1));
    }
    return rests;
}

} // namespace

QList<MaskPath> Masker::pathsFor(const JobSpec &spec) const
{
    const MatcherSet &set = m_matchers.set();
    const QList<qsizetype> candidates = set.candidates(spec.name);
    QList<MaskPath> paths;
    std::optional<JobSpec> pushed;
    for (const qsizetype at : candidates) {
        const CompiledMatcher &matcher = *set.matchers()[at];
        if (matcher.mask().isEmpty())
            continue;
        if (!pushed)
            pushed = asPushed(spec);
        const cel::SpecBindings bindings(*pushed, pushed->pusher);
        const cel::Value value = m_evaluation.evaluate(matcher.predicate(), bindings);
        if (value.isTrue() || value.isError())
            paths += matcher.mask();
    }
    return paths;
}

bool Masker::hide(JobSpec &spec) const
{
    bool hidden = maskValue(spec.argument, m_keys->now(), under(pathsFor(spec), "argument"));
    for (JobSpec &next : spec.then)
        hidden = hide(next) || hidden;
    return hidden;
}

bool Masker::hideOutcome(const JobSpec *spec, QByteArray &outcome) const
{
    return !outcome.isEmpty() && maskValue(outcome, m_keys->now(), spec ? pathsFor(*spec) : QList<MaskPath>(), false);
}

void Masker::hide(Job &job) const
{
    const KeyMask keys = m_keys->now();
    const QList<MaskPath> paths = pathsFor(job.spec);
    bool hidden = maskValue(job.spec.argument, keys, under(paths, "argument"));
    for (JobSpec &next : job.spec.then)
        hidden = hide(next) || hidden;
    hidden = (!job.outcome.isEmpty() && maskValue(job.outcome, keys, paths, false)) || hidden;
    const auto hideDetails = [&](QByteArray &details) {
        hidden = (!details.isEmpty() && maskValue(details, keys, paths, false)) || hidden;
    };
    for (Event &event : job.events)
        hideDetails(event.details);
    for (Transition &transition : job.history)
        hideDetails(transition.details);
    job.masked = hidden;
}

bool Masker::hide(Schedule &schedule) const
{
    const Result<JobSpec> job = unpackAnswer(newJobTable, schedule.spec.jobBody);
    if (!job.ok())
        return maskValue(schedule.spec.jobBody, m_keys->now(), {{}});
    QList<MaskPath> paths;
    const auto add = [&](const auto &self, const JobSpec &spec, const MaskPath &at) -> void {
        for (const MaskPath &path : under(pathsFor(spec), "argument"))
            paths.append(at + MaskPath{"argument"} + path);
        for (size_t i = 0; i < spec.then.size(); ++i)
            self(self, spec.then[i], at + MaskPath{"then", QByteArray::number(qulonglong(i))});
    };
    add(add, *job, {});
    return maskValue(schedule.spec.jobBody, m_keys->now(), paths, false);
}

} // namespace junban
