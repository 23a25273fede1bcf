#pragma once

#include "core/access/scope.h"
#include "core/cel/evaluation.h"
#include "core/operators/masker.h"
#include "core/store/store.h"

#include <memory>

namespace junban {

// Which jobs of a list are wanted. A job passes when it meets every condition that is set. A value; one thread.
class JobFilter
{
public:
    std::optional<JobState> state = {};                 // none: all states
    QByteArray name = {};                               // empty: all names
    QByteArray tag = {};                                // empty: any tags, or none

    std::shared_ptr<const Scope> scope = {};            // the jobs the caller's token is for; none: all jobs

    const Masker *mask = nullptr;                       // the expression sees what it leaves of a job; none: all. It must outlive this

    // Sets an expression over cel::searchEnvironment() that must be true for the job. Returns its problems; if there are any, the filter is
    // unchanged.
    QList<cel::Problem> setMatch(QByteArrayView text);

    // Rows that are read at a time for a filtered list, whatever its limit, as most may not pass. With 500 a search took a seventh less
    // time, but other requests waited twice as long.
    static constexpr int together = 200;
    bool narrows() const { return state || !name.isEmpty() || !tag.isEmpty() || m_match || scope; }
    // How much of a job must be read to decide whether it passes.
    PageDetail detail() const
    {
        if (m_match && !m_pushedOnly)
            return PageDetail::Whole;
        return m_match || (scope && scope->needsJob()) ? PageDetail::Pushed : PageDetail::Listed;
    }

    // The jobs of a page that pass, in order. It stops when `room` jobs have passed, or after limits::page_slice_ms (and at least one job).
    struct Sifted {
        QList<Job> passed;
        qsizetype looked = 0;                           // how many jobs of the page were looked at
        bool all = true;                                // whether these were all
        std::optional<QPair<double, JobId>> after = {}; // the (order, id) of the last row that was looked at
    };
    Sifted sift(const Page &page, qsizetype room, cel::Evaluation &evaluation) const;

private:
    // False also when the expression has no value for the job.
    bool passes(const Job &job, qint64 now_ms, cel::Evaluation &evaluation) const;
    bool meetsMatch(const Job &job, qint64 now_ms, cel::Evaluation &evaluation) const;

    std::shared_ptr<const cel::Program> m_match;
    bool m_pushedOnly = true;
};

// Reads jobs that passed a filter again, as lists show them. Jobs that have left their state or the trash since are left out.
void readRows(Store &store, QList<Job> jobs, Callback<QList<Job>> callback);

} // namespace junban
