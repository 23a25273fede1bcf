#include "server/api/jobrefusals.h"

namespace junban::api {

namespace {

// What is possible, in the order of JobAct.
constexpr const char *possible[] = {
    "only failed and cancelled jobs can be retried",
    "only jobs that have not ended can be cancelled",
    "only ready, scheduled and failed jobs can be edited, and a failed one has no 'run_at'",
    "a job that runs or waits for a message cannot be deleted; cancel it first",
    "only jobs in the trash can be restored",
};

QByteArray whyNot(const Job &job, JobAct act)
{
    const QByteArray id = "Job " + job.id.text();
    if (job.deletedAt_ms > 0 && act != JobAct::Restore)
        return id + " is in the trash; restore it first.";
    return id + " is " + stateWord(job.state) + "; " + possible[size_t(act)] + '.';
}

} // namespace

void refuseJob(const Parts &parts, const Call &call, JobId id, JobAct act, const Error &error)
{
    if (error.code == ErrorCode::NotFound) {
        call.fail({error.code, "There is no job " + id.text() + "; it may have been purged.", error.field});
        return;
    }
    if (error.code != ErrorCode::Conflict || !error.field.isEmpty()) {
        call.fail(error);
        return;
    }
    parts.inspector.get(id, [call, act, error](const Result<Job> &job) {
        call.fail(job.ok() ? Error{error.code, whyNot(*job, act), error.field} : error);
    });
}

} // namespace junban::api
