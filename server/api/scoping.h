#pragma once

#include "core/jobs/jobcalls.h"
#include "core/operators/inspector.h"
#include "server/api/call.h"
#include "server/api/handlers.h"

// Tokens that are for some jobs only, and callers who have only their own.
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
// The id of the caller's token; empty when none was needed.
QByteArray tokenOf(const Caller &caller);
// The jobs that the caller's token is for; null: all.
std::shared_ptr<const Scope> scopeOf(const Caller &caller);
bool hasRole(const Caller &caller, Role role);
// What is done with a job or a group. Callers who are not operators may do it with their own alone (docs/decisions/access.md).
enum class Use {
    Show,    // a pusher what its token pushed; a worker what its token has leased; a viewer everything
    Collect, // the result; also that of a job which was answered to a push with this token
    Change,
};
// Whether the job is there for the caller: it is one that the token is for and, where that is needed, its own.
bool mayUse(const Caller &caller, const Job &job, Use use);
// Goes on when mayUse(); else there is no such job for the caller.
void inScope(Inspector &inspector, const Call &call, JobId id, Use use, std::function<void()> goOn);
// The job that a result is of. One that is gone before its result is as PastStore::resultOwner has it: then `isGone`.
void findJobOfResult(const Parts &parts, JobId id, std::function<void(const Result<Job> &job, bool isGone)> callback);
// inScope() for a result, which may outlive its job.
void inScopeOfResult(const Parts &parts, const Call &call, JobId id, std::function<void(bool isGone)> goOn);
Error noSuchJob();
// Makes the caller the pusher of a job and of those in its `then`, which may be put into groups that the caller may use.
void markPusher(const Caller &caller, JobSpec &job);
GroupCaller groupCallerOf(const Caller &caller, Use use);

} // namespace junban::api
