#pragma once

#include "core/access/token.h"
#include "core/base/result.h"
#include "core/cel/evaluation.h"
#include "core/cel/names.h"
#include "core/jobs/job.h"

#include <memory>

namespace junban {

// The jobs that a token is for: those whose name one of its patterns has, and for which its expression is true. Threads: any; what it
// evaluates with is the caller's.
class Scope
{
public:
    // Errors: InvalidField, "names[1]" or "match".
    static Result<Scope> of(const TokenSpec &spec);

    bool isAll() const { return m_names.isAny() && !m_match; }
    const cel::NameSet &names() const { return m_names; }
    bool needsJob() const { return m_match != nullptr; } // the name alone does not say it
    bool has(const JobSpec &job, cel::Evaluation &evaluation) const { return !outside(job, evaluation); }
    // What is outside: "name", or "" when another field is; nothing when the job is inside.
    std::optional<QByteArray> outside(const JobSpec &job, cel::Evaluation &evaluation) const;

private:
    cel::NameSet m_names = cel::NameSet::any();
    std::shared_ptr<const cel::Program> m_match;
};

} // namespace junban
