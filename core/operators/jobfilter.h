#pragma once

#include "core/access/scope.h"
#include "core/cel/evaluation.h"
#include "core/store/store.h"

#include <memory>

namespace junban {

// What a list of jobs is narrowed to; a job has to meet all that is given.
class JobFilter
{
public:
    std::optional<JobState> state = {};                 // none: all states
    QByteArray name = {};                               // empty: all names
    QByteArray tag = {};                                // empty: with any tags or none

    std::shared_ptr<const Scope> scope = {};            // the caller's token's; none: all jobs

    // An expression over cel::searchEnvironment() that has to be true of the job. Returns what is wrong with it; then nothing has changed.
    QList<cel::Problem> setMatch(QByteArrayView text);

    // Of a list that is narrowed most rows may fall through: so many are read at a time, whatever is wanted. With 500 a search was a
    // seventh quicker, and jobs waited twice as long beside it.
    static constexpr int together = 200;
    bool narrows() const { return state || !name.isEmpty() || !tag.isEmpty() || m_match || scope; }
    // What has to be read of a job to say whether it passes.
    PageDetail detail() const
    {
        if (m_match && !m_pushedOnly)
            return PageDetail::Whole;
        return m_match || (scope && scope->needsJob()) ? PageDetail::Pushed : PageDetail::Listed;
    }

    // A page's jobs that pass, in order: until `room` of them do, or for limits::page_slice_ms and at least one job.
    struct Sifted {
        QList<Job> passed;
        qsizetype looked = 0;                           // so many jobs of the page were looked at
        bool all = true;                                // all of them
        std::optional<QPair<double, JobId>> after = {}; // the last row that needs no look any more
    };
    Sifted sift(const Page &page, qsizetype room, cel::Evaluation &evaluation) const;

private:
    // Of a job for which the expression has no value, false.
    bool passes(const Job &job, qint64 now_ms, cel::Evaluation &evaluation) const;

    std::shared_ptr<const cel::Program> m_match;
    bool m_pushedOnly = true;
};

// Jobs that were read for a filter, as lists show them; without those that have gone from their state or the trash meanwhile.
void readRows(Store &store, QList<Job> jobs, Callback<QList<Job>> callback);

} // namespace junban
