#include "core/jobs/jobfields.h"

#include "core/base/reasons/api.h"
#include "core/base/reasons/requests.h"
#include "core/operators/governing.h"
#include "server/api/handlers.h"
#include "server/api/jobrefusals.h"
#include "server/api/masking.h"
#include "server/api/scoping.h"
#include "server/api/searching.h"
#include "server/http/refusal.h"

// What pushers and operators ask of jobs and of groups of them.
namespace junban::api {

namespace {

// The job is pushed, however the wait ends: an error while waiting for the result is answered as "not finished yet".
void answerWithResult(const Parts &parts, const Call &call, Enqueued enqueued, const QByteArray &receipt, qint64 wait_ms)
{
    const auto answer = [call, enqueued](const Result<ResultNow> &now) mutable {
        if (now.ok() && now->status != ResultStatus::Pending) {
            const QByteArray outcome = now->status == ResultStatus::Ready ? now->outcome : QByteArray(payload::nil);
            call.reply(200, pack(answeredTable, {enqueued.id, outcome, enqueued.duplicate}));
            return;
        }
        if (now.ok())
            enqueued.state = now->state;
        call.reply(enqueued.duplicate ? 200 : 201, pack(enqueuedTable, enqueued));
    };
    const Queue::WaitId wait = parts.queue.takeResult(enqueued.id, receipt, Fetch::Waited, wait_ms, answer);
    call.exchange().onGone([&queue = parts.queue, wait] { queue.giveUp(wait); });
}

// The request's trace context, for a job that names none.
void takeTrace(const Call &call, JobSpec &spec)
{
    const QByteArray trace = call.exchange().request().field("traceparent");
    if (!spec.trace.isEmpty() || !isTraceparent(trace))
        return;
    spec.trace = trace;
    spec.tracedByRequest = true;
}

void enqueueJob(const Parts &parts, const Call &call)
{
    Result<JobSpec> spec = unpackRequest(newJobTable, call.body);
    const Result<qint64> wait_ms = call.duration_ms("wait", limits::result_wait_s_max);
    const Result<QByteArray> receipt = receiptOf(call);
    if (!areRead(call, wait_ms, receipt, spec))
        return;
    markPusher(call.caller, *spec);
    takeTrace(call, *spec);
    if (const std::optional<Error> error = outsideScope(call.caller, *spec)) {
        call.fail(*error);
        return;
    }
    const bool waits = *wait_ms > 0;
    spec->keepResult = spec->keepResult || waits;
    Callback<Enqueued> answer = [&parts, call, waits, wait = *wait_ms, key = *receipt](const Result<Enqueued> &enqueued) {
        if (!enqueued.ok())
            call.fail(enqueued.error());
        else if (waits && call.exchange().alive())
            answerWithResult(parts, call, *enqueued, key, wait);
        else
            call.reply(enqueued->duplicate ? 200 : 201, pack(enqueuedTable, *enqueued));
    };
    Pushed jobs;
    jobs.append(std::move(spec));
    withDependenciesInScope(parts.inspector, call, std::move(jobs), {""},
        [&parts, token = tokenOf(call.caller), id = firstIdOf(call), answer = std::move(answer)](Pushed all) mutable {
            if (all.first().ok())
                parts.queue.enqueue(std::move(*all.first()), std::move(token), id, std::move(answer));
            else
                answer(all.first().error());
        });
}

// An item's error with the field's path in the whole request.
Error within(const char *list, qsizetype index, Error error)
{
    error.field = list + ('[' + QByteArray::number(index) + "].") + error.field;
    return error;
}

// Those that have no error; the others keep their places in the answer.
void pushAll(const Parts &parts, const Call &call, Pushed jobs)
{
    QList<JobSpec> specs;
    QList<Result<Enqueued>> results;
    for (Result<JobSpec> &spec : jobs) {
        results.append(spec.ok() ? Result<Enqueued>(Enqueued{}) : Result<Enqueued>(spec.error()));
        if (spec.ok())
            specs.append(std::move(*spec));
    }
    auto answer = [call, results](Result<QList<Result<Enqueued>>> enqueued) mutable {
        if (!enqueued.ok()) {
            call.fail(enqueued.error());
            return;
        }
        qsizetype next = 0;
        for (qsizetype i = 0; i < results.size(); ++i) {
            if (!results[i].ok())
                continue;
            results[i] = std::move((*enqueued)[next++]);
            if (!results[i].ok() && !results[i].error().field.isEmpty())
                results[i] = within("jobs", i, results[i].error());
        }
        MsgpackWriter out;
        writeResults(out.map(1).text("results"), results, enqueuedTable);
        call.reply(200, out.take());
    };
    parts.queue.enqueueMany(std::move(specs), tokenOf(call.caller), firstIdOf(call), std::move(answer));
}

void enqueueJobs(const Parts &parts, const Call &call)
{
    std::optional<Batch> batch = bodyOf(call, batchTable);
    if (!batch)
        return;
    QList<QByteArray> paths;
    for (Result<JobSpec> &spec : batch->jobs) {
        paths.append("jobs[" + QByteArray::number(paths.size()) + "].");
        if (spec.ok()) {
            markPusher(call.caller, *spec);
            takeTrace(call, *spec);
        }
        if (const std::optional<Error> error = spec.ok() ? outsideScope(call.caller, *spec, paths.last()) : std::nullopt)
            spec = *error;
    }
    withDependenciesInScope(parts.inspector, call, std::move(batch->jobs), paths,
        [&parts, call](Pushed jobs) { pushAll(parts, call, std::move(jobs)); });
}

void cancelJob(const Parts &parts, const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (const auto item = id ? bodyOf(call, cancelTable, {*id, false, call.changedBy()}, Body::MayBeEmpty) : std::nullopt)
        inScope(parts.inspector, call, *id, Use::Change, [&parts, call, item] {
            parts.queue.cancel({*item}, answeringFirstAct(parts, call, item->id, JobAct::Cancel, stateNowTable));
        });
}

void retryJob(const Parts &parts, const Call &call)
{
    if (const std::optional<JobId> id = idOf(call); id && hasNoBody(call))
        inScope(parts.inspector, call, *id, Use::Change, [&parts, call, id] {
            parts.queue.retry({{*id, call.changedBy()}}, answeringFirstAct(parts, call, *id, JobAct::Retry, stateNowTable));
        });
}

void failGoverned(const Call &call, const Governed &governed)
{
    const JobMatcher &matcher = *governed.matcher;
    answers::GovernedRefusal refusal;
    refusal.problem = http::problemOf(reasons::fieldSetByMatcher(governed.field, matcher.id, matcher.title));
    refusal.problem.field = governed.field;
    refusal.matcher = {matcher.id, matcher.title};
    call.reply(refusal.problem.status, pack(answers::governedRefusalTable, refusal));
}

// Calls `change`, or answers which matcher sets one of the fields.
void unlessGoverned(const Parts &parts, const Call &call, JobId id, const JobEdit &edit, const std::function<void()> &change)
{
    parts.matching.matchers.refresh([&parts, call, id, edit, change](const Result<Done> &loaded) {
        if (!loaded.ok()) {
            call.fail(loaded.error());
            return;
        }
        parts.inspector.get(id, [&parts, call, edit, change](const Result<Job> &job) {
            const std::shared_ptr<const MatcherSet> matchers = parts.matching.matchers.share();
            const Governed governed = job.ok() ? governedBy(*matchers, job->spec, edit) : Governed{};
            if (!job.ok())
                call.fail(job.error());
            else if (governed.field)
                failGoverned(call, governed);
            else
                change();
        });
    });
}

void editJob(const Parts &parts, const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    const auto edit = id ? bodyOf(call, jobEditTable) : std::nullopt;
    if (!edit)
        return;
    if (edit->argument && holdsMask(*edit->argument)) {
        call.fail(reasons::argumentMasked("argument"));
        return;
    }
    call.auditAfter(call.body);
    const auto change = [&parts, call, id = *id, edit = *edit] {
        parts.changes.edit(id, edit, call.changedBy(), [&parts, call, id](const Result<Job> &job) {
            if (job.ok() && !job->events.isEmpty() && job->events.last().what == "edited")
                call.auditBefore(job->events.last().details);
            if (job.ok())
                answerJob(parts, call, *job, false);
            else
                refuseJob(parts, call, id, JobAct::Edit, job.error());
        });
    };
    if (edit->priority || edit->timeout_ms || edit->maxRetry)
        unlessGoverned(parts, call, *id, *edit, change);
    else
        change();
}

void getJob(const Parts &parts, const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    const std::optional<bool> reveal = id ? revealOf(call) : std::nullopt;
    if (!reveal)
        return;
    parts.inspector.get(*id, [&parts, call, reveal = *reveal](const Result<Job> &job) {
        if (!job.ok())
            call.fail(job.error());
        else if (!mayUse(call.caller, *job, Use::Show))
            call.fail(noSuchJob());
        else
            answerJob(parts, call, *job, reveal);
    });
}

// Whether the list begins at the other end of its order.
Result<bool> orderOf(const Call &call, bool oneState)
{
    if (!call.query.contains("order") || call.query["order"] == "natural")
        return false;
    if (call.query["order"] != "reversed")
        return reasons::wordExpected("order", {"natural", "reversed"});
    if (!oneState || call.query.contains("tracked") || call.query.contains("trash"))
        return reasons::orderNotReversible("order");
    return true;
}

// What the list shows; nothing when a parameter is wrong.
std::optional<Inspector::ListRequest> listRequestOf(const Call &call)
{
    Inspector::ListRequest request;
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    const Result<QByteArray> name = call.name("name");
    const Result<QByteArray> tag = call.name("tag");
    const Result<QByteArray> cursor = call.name("cursor");
    if (!areRead(call, limit, name, tag, cursor, call.flag("tracked"), call.flag("trash")))
        return {};
    if (call.query.contains("state")) {
        request.state = stateFromWord(call.query["state"]);
        if (!request.state) {
            call.fail(reasons::jobStateExpected("state"));
            return {};
        }
    }
    if (!readMatch(call, request.filter))
        return {};
    if (const Result<bool> reversed = orderOf(call, request.state.has_value()); areRead(call, reversed))
        request.reversed = *reversed;
    else
        return {};
    request.limit = *limit;
    request.filter.name = *name;
    request.filter.tag = *tag;
    request.filter.scope = scopeOf(call.caller);
    request.cursor = *cursor;
    return request;
}

// Lists show nothing that is hidden, whoever asks. An expression of a caller who may not reveal it does not see it either, or it could be
// guessed, letter by letter.
void listWith(const Masker &masker, const Parts &parts, const Call &call, Inspector::ListRequest request)
{
    if (!mayReveal(call.caller))
        request.filter.mask = &masker;
    const auto hidden = answering<JobPage>(call, jobPageTable, [&masker](JobPage page) {
        hideEach(masker, page.jobs);
        return page;
    });
    const auto answer = [&parts, hidden](Result<JobPage> page) {
        if (page.ok())
            parts.matching.inspector.markHeld(std::move(*page), hidden);
        else
            hidden(page);
    };
    const bool trash = *call.flag("trash");
    if (!trash && !*call.flag("tracked")) {
        parts.inspector.list(std::move(request), answer);
        return;
    }
    Lookback::JobsQuery query;
    query.set = trash ? JobSet::Trash : JobSet::Tracked;
    query.filter = request.filter;
    query.filter.state = request.state;
    query.limit = request.limit;
    query.cursor = request.cursor;
    parts.lookback.jobs(std::move(query), answer);
}

void listJobs(const Parts &parts, const Call &call)
{
    if (const std::optional<Inspector::ListRequest> request = listRequestOf(call))
        withMasks(parts, call, [&parts, call, request = *request](const Masker &masker) { listWith(masker, parts, call, request); });
}

void countJobs(const Parts &parts, const Call &call)
{
    if (const std::optional<Inspector::ListRequest> request = listRequestOf(call))
        withMasks(parts, call, [&parts, call, request = *request](const Masker &masker) mutable {
            if (!mayReveal(call.caller))
                request.filter.mask = &masker;
            parts.inspector.count(std::move(request), answering(call, jobCountsTable));
        });
}

void deleteJob(const Parts &parts, const Call &call)
{
    if (const std::optional<JobId> id = idOf(call))
        parts.lookback.remove(*id, call.changedBy(), answeringJobAct(parts, call, *id, JobAct::Delete, stateNowTable));
}

void restoreJob(const Parts &parts, const Call &call)
{
    if (const std::optional<JobId> id = idOf(call); id && hasNoBody(call))
        parts.lookback.restore(*id, call.changedBy(), answeringJobAct(parts, call, *id, JobAct::Restore, stateNowTable));
}

void duplicateJob(const Parts &parts, const Call &call)
{
    if (const std::optional<JobId> id = idOf(call); id && hasNoBody(call))
        parts.lookback.duplicate(*id, tokenOf(call.caller), [call](const Result<Enqueued> &duplicate) {
            if (duplicate.ok())
                call.auditAfter(pack(enqueuedTable, *duplicate));
            answering(call, enqueuedTable, 201)(duplicate);
        });
}

void trackJob(const Parts &parts, const Call &call)
{
    if (const std::optional<JobId> id = idOf(call); id && hasNoBody(call))
        parts.lookback.past().track(*id, true, answeringDone(call));
}

void untrackJob(const Parts &parts, const Call &call)
{
    if (const std::optional<JobId> id = idOf(call))
        parts.lookback.past().track(*id, false, answeringDone(call));
}

void putGroup(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> group = call.pathName("group");
    auto body = group ? bodyOf(call, groupBodyTable, {}, Body::MayBeEmpty) : std::nullopt;
    if (body && body->callback)
        markPusher(call.caller, *body->callback);
    if (body)
        parts.changes.changeGroup(*group, std::move(*body), groupCallerOf(call.caller, Use::Change), answering(call, groupTable));
}

void getGroup(const Parts &parts, const Call &call)
{
    if (const std::optional<QByteArray> group = call.pathName("group"))
        parts.changes.group(*group, groupCallerOf(call.caller, Use::Show), answering(call, groupTable));
}

constexpr Operation jobHandlers[] = {
    {"enqueueJob", enqueueJob, CalledBy::Gate, Passed::Again}, {"enqueueJobs", enqueueJobs, CalledBy::Gate, Passed::Again},
    {"cancelJob", cancelJob}, {"retryJob", retryJob}, {"editJob", editJob},
    {"getJob", getJob}, {"listJobs", listJobs}, {"countJobs", countJobs}, {"searchJobs", listJobs}, {"searchJobCounts", countJobs},
    {"deleteJob", deleteJob}, {"restoreJob", restoreJob},
    {"duplicateJob", duplicateJob}, {"trackJob", trackJob}, {"untrackJob", untrackJob}, {"putGroup", putGroup}, {"getGroup", getGroup},
};

} // namespace

const std::span<const Operation> jobOperations = jobHandlers;

} // namespace junban::api
