#pragma once

#include "core/cel/evaluation.h"
#include "core/job.h"

#include <memory>

namespace junban {

// What a list of jobs is narrowed to; a job has to meet all that is given.
class JobFilter
{
public:
    QByteArray name = {};                               // empty: all names
    QByteArray tag = {};                                // empty: with any tags or none

    // An expression over cel::searchEnvironment() that has to be true of the job. Returns what is wrong with it; then nothing has changed.
    QList<cel::Problem> setMatch(QByteArrayView text);

    bool narrows() const { return !name.isEmpty() || !tag.isEmpty() || m_match; }
    bool hasMatch() const { return bool(m_match); }
    // Whether what was pushed is enough to say whether a job passes.
    bool asksForPushedOnly() const { return m_pushedOnly; }
    // `job` has its whole argument if there is a match. Of a job for which the expression has no value, false.
    bool passes(const Job &job, qint64 now_ms, cel::Evaluation &evaluation) const;

private:
    std::shared_ptr<const cel::Program> m_match;
    bool m_pushedOnly = true;
};

// As lists show it: an argument of more than limits::page_record_bytes_max is left out.
Job withoutLongArgument(Job job);

} // namespace junban
