#pragma once

#include "core/jobs/jobcalls.h"
#include "core/operators/inspector.h"
#include "server/api/call.h"

// Tokens that are for some jobs only.
namespace junban::api {

// Why the caller may not push this job; the field's path begins with `path`. Nothing when it may.
std::optional<Error> outsideScope(const Caller &caller, const JobSpec &job, const QByteArray &path = {});
// Keeps a claim to the names that the caller's token is for, or says why it cannot be.
std::optional<Error> keepToScope(const Caller &caller, ClaimQuery &claim, const QByteArray &path = {});
// Goes on with these jobs, or the errors in their places. A job that depends on one which the caller's token is not for is refused as if
// that did not exist. The fields' paths begin with `paths`.
using Pushed = QList<Result<JobSpec>>;
void withDependenciesInScope(Inspector &inspector, const Call &call, Pushed jobs, const QList<QByteArray> &paths,
    std::function<void(Pushed)> goOn);
// Goes on when the job is one that the caller's token is for; else there is no such job for it.
void inScope(Inspector &inspector, const Call &call, JobId id, std::function<void()> goOn);

} // namespace junban::api
