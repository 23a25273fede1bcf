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
// Goes on when the job is one that the caller's token is for; else there is no such job for it.
void inScope(Inspector &inspector, const Call &call, JobId id, std::function<void()> goOn);

} // namespace junban::api
