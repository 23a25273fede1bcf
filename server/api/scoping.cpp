#include "server/api/scoping.h"

#include <utility>

namespace junban::api {

namespace {

Error forbidden(const QByteArray &what, const QByteArray &field)
{
    return Error{ErrorCode::Forbidden, what, field};
}

} // namespace

std::optional<Error> outsideScope(const Caller &caller, const JobSpec &job, const QByteArray &path)
{
    if (!caller.isScoped())
        return {};
    const Scope &scope = caller.grant->scope;
    cel::Evaluation evaluation;
    if (const std::optional<QByteArray> field = scope.outside(job, evaluation)) {
        return field->isEmpty() ? forbidden("The 'match' of this token is not true of the job.", path.chopped(path.endsWith('.')))
                                : forbidden("This token is not for jobs of this name.", path + *field);
    }
    // Jobs of one name share their unique keys, and the match may not be true of the one in place: this caller may neither replace it nor
    // learn of it.
    if (scope.needsJob() && job.unique && job.unique->onConflict != OnConflict::Reject)
        return forbidden("A token with 'match' may use unique keys only with 'on_conflict': 'reject'.", path + "unique.on_conflict");
    // A group and its callback may belong to jobs of any name.
    if (!job.group.isEmpty())
        return forbidden("A token for some jobs may not put jobs into a group.", path + "group");
    for (size_t i = 0; i < job.then.size(); ++i) {
        if (std::optional<Error> error = outsideScope(caller, job.then[i], path + "then[" + QByteArray::number(qulonglong(i)) + "]."))
            return error;
    }
    return {};
}

std::optional<Error> keepToScope(const Caller &caller, ClaimQuery &claim, const QByteArray &path)
{
    if (!caller.isScoped())
        return {};
    const Scope &scope = caller.grant->scope;
    if (scope.needsJob())
        return forbidden("A token with 'match' may not claim jobs.", path);
    for (qsizetype i = 0; i < claim.names.size(); ++i) {
        if (!scope.names().contains(claim.names[i]))
            return forbidden("This token is not for jobs of this name.", path + "names[" + QByteArray::number(i) + ']');
    }
    if (!claim.names.isEmpty())
        return {};
    if (!scope.names().prefixes().isEmpty())
        return forbidden("This token is for patterns of names: the claim must say which names it wants.", path + "names");
    claim.names = scope.names().names();
    return {};
}

void inScope(Inspector &inspector, const Call &call, JobId id, std::function<void()> goOn)
{
    if (!call.caller.isScoped()) {
        goOn();
        return;
    }
    inspector.get(id, [call, goOn = std::move(goOn)](const Result<Job> &job) {
        cel::Evaluation evaluation;
        if (!job.ok())
            call.fail(job.error());
        else if (!call.caller.grant->scope.has(job->spec, evaluation))
            call.fail(Error{ErrorCode::NotFound, "There is no such job.", "id"});
        else
            goOn();
    });
}

} // namespace junban::api
