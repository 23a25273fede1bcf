#include "server/api/jobrefusals.h"

#include "core/base/reasons/api.h"

namespace junban::api {

namespace {

// What is possible, in the order of JobAct.
constexpr Error (*possible[])(QByteArrayView job, QByteArrayView state)
    = {reasons::jobNotRetried, reasons::jobNotCancelled, reasons::jobNotEdited, reasons::jobNotDeleted, reasons::jobNotRestored};

Error whyNot(const Job &job, JobAct act)
{
    if (job.deletedAt_ms > 0 && act != JobAct::Restore)
        return reasons::jobInTrash(job.id.text());
    return possible[size_t(act)](job.id.text(), stateWord(job.state));
}

} // namespace

void refuseJob(const Parts &parts, const Call &call, JobId id, JobAct act, const Error &error)
{
    if (error.code == ErrorCode::NotFound) {
        call.fail(ofField(reasons::jobNotThere(id.text()), error.field));
        return;
    }
    const bool isOfState = error.code == ErrorCode::Conflict && error.field.isEmpty() && error.reason.name != "not_in_memory_engine";
    if (!isOfState) {
        call.fail(error);
        return;
    }
    parts.inspector.get(id, [call, act, error](const Result<Job> &job) {
        call.fail(job.ok() ? whyNot(*job, act) : error);
    });
}

} // namespace junban::api
