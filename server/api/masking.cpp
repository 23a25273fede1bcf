#include "server/api/masking.h"

#include "core/base/reasons/api.h"
#include "core/jobs/history.h"
#include "core/jobs/jobfields.h"
#include "server/api/auditing.h"
#include "server/api/scoping.h"

namespace junban::api {

bool isOwn(const Caller &caller, const Job &job)
{
    if (!caller.grant)
        return false;
    const QByteArray token = tokenOf(caller);
    return (hasRole(caller, Role::Pusher) && job.spec.pusher == token)
        || (hasRole(caller, Role::Worker) && job.state == JobState::Running && job.holder == token);
}

bool mayReveal(const Caller &caller)
{
    return hasRole(caller, Role::Operator) || hasRole(caller, Role::Admin);
}

std::optional<bool> revealOf(const Call &call)
{
    const Result<bool> reveal = call.flag("reveal");
    if (!areRead(call, reveal))
        return {};
    if (*reveal && !mayReveal(call.caller)) {
        call.fail(ofField(reasons::revealForbidden(), "reveal"));
        return {};
    }
    return *reveal;
}

void noteReveal(const Parts &parts, const Call &call, JobId id, const char *what)
{
    parts.auditor.note(auditEntryOf(call, 200));
    qInfo("access: %s was shown the hidden values of the %s of job %s", call.caller.who.constData(), what, id.text().constData());
}

void withMasks(const Parts &parts, const Call &call, std::function<void(const Masker &masker)> goOn)
{
    parts.masker.refresh([&masker = parts.masker, call, goOn = std::move(goOn)](const Result<Done> &loaded) {
        if (loaded.ok())
            goOn(masker);
        else
            call.fail(loaded.error());
    });
}

void answerJob(const Parts &parts, const Call &call, Job job, bool reveal)
{
    job.history = historyOf(job);
    if (isOwn(call.caller, job)) {
        call.reply(200, pack(jobTable, job));
        return;
    }
    withMasks(parts, call, [&parts, call, job = std::move(job), reveal](const Masker &masker) {
        Job shown = job;
        masker.hide(shown);
        if (reveal && shown.masked)
            noteReveal(parts, call, job.id, "job");
        call.reply(200, pack(jobTable, reveal ? job : shown));
    });
}

} // namespace junban::api
