#pragma once

#include "core/cel/environment.h"
#include "core/cel/program.h"
#include "core/jobs/job.h"
#include "core/jobs/recordvalues.h"

#include <vector>

namespace junban::cel {

// The variables of a job. The first ones never change, so a matcher may use them; an operator's search may use them all.
enum class JobVariable : qint32 {
    Name, Argument, Priority, MaxRetry, KeepResult, Timeout, Tags, Pusher,
    Id, State, Attempt, Failures, EnqueuedAt, RunAt, StartedAt, FinishedAt, Age, Worker, Reason, Message, HeldBy, Now,
};

// What a matcher may name: job.name, job.argument (or job.parameter), job.priority, job.max_retry, job.keep_result, job.timeout,
// job.tags and job.pusher. What changes while a job waits is refused, with the reason.
Environment matcherEnvironment();
// What an operator's search may name: all of JobVariable but held_by, which must be asked for each job.
Environment searchEnvironment();
// What a search of the groups of failures may name: what all jobs of a group share (job.name, job.reason, job.message), and job.worker.
Environment groupEnvironment();

// A job as it is pushed. It views `spec` and `pusher`, which must outlive it.
class SpecBindings : public Bindings
{
public:
    SpecBindings(const JobSpec &spec, QByteArrayView pusher);
    Value variable(qint32 slot) const override;

private:
    const JobSpec &m_spec;
    QByteArrayView m_pusher;
    std::vector<Value> m_tags;
};

// A job in its present state, for a search at `now_ms`. What it does not have yet, e.g. a worker, is unbound: has() is false.
class JobBindings : public Bindings
{
public:
    JobBindings(const Job &job, QByteArrayView pusher, qint64 now_ms);
    Value variable(qint32 slot) const override;

private:
    const Job &m_job;
    SpecBindings m_spec;
    QByteArray m_id;
    qint64 m_now_ms;
};

// A group of failures as one of its workers saw it (empty: nobody knows which); job.message is its title. It views both.
class GroupBindings : public Bindings
{
public:
    GroupBindings(const FailureGroup &group, QByteArrayView worker) : m_group(group), m_worker(worker) {}
    Value variable(qint32 slot) const override;

private:
    const FailureGroup &m_group;
    QByteArrayView m_worker;
};

} // namespace junban::cel
