#include "server/api/scoping.h"

#include "core/base/reasons/api.h"
#include "core/base/reasons/store.h"

#include <QHash>
#include <memory>
#include <utility>

namespace junban::api {

namespace {

// Looks up the jobs that others depend on, one after the other, each once.
class DependencyLookUp : public std::enable_shared_from_this<DependencyLookUp>
{
public:
    DependencyLookUp(Inspector &inspector, const Call &call, Pushed jobs, std::function<void(Pushed)> goOn)
        : m_inspector(inspector)
        , m_call(call)
        , m_jobs(std::move(jobs))
        , m_goOn(std::move(goOn))
    {
    }

    void gather(qsizetype at, const JobSpec &job, const QByteArray &path)
    {
        for (qsizetype i = 0; i < job.dependsOn.size(); ++i)
            m_asked.append({at, job.dependsOn[i], path + "depends_on[" + QByteArray::number(i) + ']'});
        for (size_t i = 0; i < job.then.size(); ++i)
            gather(at, job.then[i], path + "then[" + QByteArray::number(qulonglong(i)) + "].");
    }
    void goOn()
    {
        for (; m_next < m_asked.size(); ++m_next) {
            const Asked &asked = m_asked[m_next];
            if (!m_jobs[asked.at].ok())
                continue;
            const auto known = m_known.constFind(asked.id);
            if (known == m_known.cend()) {
                m_inspector.get(asked.id, [self = shared_from_this(), id = asked.id](const Result<Job> &job) { self->learn(id, job); });
                return;
            }
            if (known->has_value())
                m_jobs[asked.at] = Error{(*known)->code, (*known)->reason, asked.path, (*known)->retryAfter_s};
        }
        m_goOn(std::move(m_jobs));
    }

private:
    struct Asked {
        qsizetype at;
        JobId id;
        QByteArray path;
    };
    void learn(JobId id, const Result<Job> &job)
    {
        const Error unknown = reasons::dependencyUnknown();
        if (job.ok() && mayUse(m_call.caller, *job, Use::Show))
            m_known.insert(id, std::nullopt);
        else
            m_known.insert(id, job.ok() || job.error().code == ErrorCode::NotFound ? unknown : job.error());
        goOn();
    }

    Inspector &m_inspector;
    const Call m_call;
    Pushed m_jobs;
    const std::function<void(Pushed)> m_goOn;
    QList<Asked> m_asked;
    QHash<JobId, std::optional<Error>> m_known; // with why it cannot be depended on
    qsizetype m_next = 0;
};

bool hasOnlyOwn(const Caller &caller, Use use)
{
    return !hasRole(caller, Role::Operator) && !hasRole(caller, Role::Admin) && (use != Use::Show || !hasRole(caller, Role::Viewer));
}

} // namespace

std::optional<Error> outsideScope(const Caller &caller, const JobSpec &job, const QByteArray &path)
{
    if (!caller.isScoped())
        return {};
    const Scope &scope = caller.grant->scope;
    cel::Evaluation evaluation;
    if (const std::optional<QByteArray> field = scope.outside(job, evaluation)) {
        return field->isEmpty() ? ofField(reasons::scopeMatchUntrue(), path.chopped(path.endsWith('.')))
                                : ofField(reasons::scopeOtherName(), path + *field);
    }
    // Jobs of one name share their unique keys, and the match may not be true of the one in place: this caller may neither replace it nor
    // learn of it.
    if (scope.needsJob() && job.unique && job.unique->onConflict != OnConflict::Reject)
        return ofField(reasons::scopeUniqueRejects(), path + "unique.on_conflict");
    // A group and its callback may belong to jobs of any name.
    if (!job.group.isEmpty())
        return ofField(reasons::scopeWithoutGroup(), path + "group");
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
        return ofField(reasons::scopeClaimsNothing(), path);
    for (qsizetype i = 0; i < claim.names.size(); ++i) {
        if (!scope.names().contains(claim.names[i]))
            return ofField(reasons::scopeOtherName(), path + "names[" + QByteArray::number(i) + ']');
    }
    if (!claim.names.isEmpty())
        return {};
    if (!scope.names().prefixes().isEmpty())
        return ofField(reasons::scopeClaimsNames(), path + "names");
    claim.names = scope.names().names();
    return {};
}

void withDependenciesInScope(Inspector &inspector, const Call &call, Pushed jobs, const QList<QByteArray> &paths,
    std::function<void(Pushed)> goOn)
{
    if (!call.caller.isScoped() && !hasOnlyOwn(call.caller, Use::Show)) {
        goOn(std::move(jobs));
        return;
    }
    const auto lookUp = std::make_shared<DependencyLookUp>(inspector, call, jobs, std::move(goOn));
    for (qsizetype i = 0; i < jobs.size(); ++i) {
        if (jobs[i].ok())
            lookUp->gather(i, *jobs[i], paths[i]);
    }
    lookUp->goOn();
}

QByteArray tokenOf(const Caller &caller)
{
    return caller.grant ? caller.grant->token.id : QByteArray();
}

void markPusher(const Caller &caller, JobSpec &job)
{
    setPusher(job, tokenOf(caller));
    if (hasOnlyOwn(caller, Use::Change))
        keepToOwnGroups(job);
}

GroupCaller groupCallerOf(const Caller &caller, Use use)
{
    return {tokenOf(caller), hasOnlyOwn(caller, use)};
}

std::shared_ptr<const Scope> scopeOf(const Caller &caller)
{
    return caller.isScoped() ? std::shared_ptr<const Scope>(caller.grant, &caller.grant->scope) : nullptr;
}

bool hasRole(const Caller &caller, Role role)
{
    return !caller.grant || caller.grant->token.spec.roles.contains(role);
}

bool mayUse(const Caller &caller, const Job &job, Use use)
{
    if (!caller.grant)
        return true;
    if (caller.isScoped()) {
        cel::Evaluation evaluation;
        if (!caller.grant->scope.has(job.spec, evaluation))
            return false;
    }
    if (!hasOnlyOwn(caller, use))
        return true;
    const QByteArray token = tokenOf(caller);
    if (hasRole(caller, Role::Pusher) && (job.spec.pusher == token || (use == Use::Collect && job.sharers.contains(token))))
        return true;
    return use == Use::Show && hasRole(caller, Role::Worker) && job.state == JobState::Running && job.holder == token;
}

void inScope(Inspector &inspector, const Call &call, JobId id, Use use, std::function<void()> goOn)
{
    if (!call.caller.isScoped() && !hasOnlyOwn(call.caller, use)) {
        goOn();
        return;
    }
    inspector.get(id, [call, use, goOn = std::move(goOn)](const Result<Job> &job) {
        if (!job.ok())
            call.fail(job.error());
        else if (!mayUse(call.caller, *job, use))
            call.fail(noSuchJob());
        else
            goOn();
    });
}

void findJobOfResult(const Parts &parts, JobId id, std::function<void(const Result<Job> &, bool)> callback)
{
    parts.inspector.get(id, [&parts, id, callback = std::move(callback)](const Result<Job> &job) {
        if (job.ok() || job.error().code != ErrorCode::NotFound)
            callback(job, false);
        else
            parts.lookback.past().resultOwner(id, [callback](const Result<Job> &left) { callback(left, left.ok()); });
    });
}

void inScopeOfResult(const Parts &parts, const Call &call, JobId id, std::function<void(bool)> goOn)
{
    if (!call.caller.isScoped() && !hasOnlyOwn(call.caller, Use::Collect)) {
        goOn(false);
        return;
    }
    findJobOfResult(parts, id, [call, goOn = std::move(goOn)](const Result<Job> &job, bool isGone) {
        if (!job.ok())
            call.fail(job.error());
        else if (!mayUse(call.caller, *job, Use::Collect))
            call.fail(noSuchJob());
        else
            goOn(isGone);
    });
}

Error noSuchJob()
{
    return reasons::jobNotFound();
}

} // namespace junban::api
