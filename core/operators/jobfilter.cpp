#include "core/operators/jobfilter.h"

#include "core/base/clock.h"
#include "core/cel/compile.h"
#include "core/limits/jobvariables.h"

#include <algorithm>

namespace junban {

QList<cel::Problem> JobFilter::setMatch(QByteArrayView text)
{
    const cel::Compiled compiled = cel::compile(text, cel::searchEnvironment(), cel::Mode::Checked, cel::Wanted::Boolean);
    if (compiled.program) {
        m_match = compiled.program;
        // The names that a matcher may use are exactly the pushed fields.
        m_pushedOnly = bool(cel::compile(text, cel::matcherEnvironment(), cel::Mode::Checked, cel::Wanted::Boolean).program);
    }
    return compiled.problems;
}

JobFilter::Sifted JobFilter::sift(const Page &page, qsizetype room, cel::Evaluation &evaluation) const
{
    const qint64 until_ms = Clock::monotonic_ms() + limits::page_slice_ms;
    Sifted sifted;
    qsizetype &looked = sifted.looked;
    for (; looked < page.jobs.size() && sifted.passed.size() < room; ++looked) {
        if ((m_match || scope) && looked > 0 && Clock::monotonic_ms() >= until_ms)
            break;
        if (passes(page.jobs[looked], page.now_ms, evaluation))
            sifted.passed.append(page.jobs[looked]);
    }
    sifted.all = looked == page.jobs.size();
    if (sifted.all)
        sifted.after = page.last;
    else if (looked > 0)
        sifted.after = {page.orders[looked - 1], page.jobs[looked - 1].id};
    return sifted;
}

bool JobFilter::passes(const Job &job, qint64 now_ms, cel::Evaluation &evaluation) const
{
    if ((state && job.state != *state) || (!name.isEmpty() && job.spec.name != name) || (!tag.isEmpty() && !job.spec.tags.contains(tag)))
        return false;
    if (scope && !scope->has(job.spec, evaluation))
        return false;
    if (!m_match)
        return true;
    if (mask) {
        Job shown = job;
        mask->hide(shown);
        return meetsMatch(shown, now_ms, evaluation);
    }
    return meetsMatch(job, now_ms, evaluation);
}

bool JobFilter::meetsMatch(const Job &job, qint64 now_ms, cel::Evaluation &evaluation) const
{
    return m_pushedOnly ? evaluation.evaluate(*m_match, cel::SpecBindings(job.spec, job.spec.pusher)).isTrue()
                        : evaluation.evaluate(*m_match, cel::JobBindings(job, job.spec.pusher, now_ms)).isTrue();
}

void readRows(Store &store, QList<Job> jobs, Callback<QList<Job>> callback)
{
    QList<JobId> ids;
    for (const Job &job : std::as_const(jobs))
        ids.append(job.id);
    store.rows(std::move(ids), PageDetail::Listed, [jobs = std::move(jobs), callback = std::move(callback)](Result<QList<Job>> rows) {
        if (!rows.ok()) {
            callback(rows.error());
            return;
        }
        auto before = jobs.cbegin(); // the rows come in the same order
        rows->removeIf([&before](const Job &row) {
            while (before->id != row.id)
                ++before;
            return row.state != before->state || (row.deletedAt_ms > 0) != (before->deletedAt_ms > 0);
        });
        callback(std::move(*rows));
    });
}

} // namespace junban
