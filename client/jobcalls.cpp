#include "client/jobcalls.h"

#include "client/apicall.h"
#include "core/jobs/jobfields.h"
#include "core/msgpack/msgpackwriter.h"

namespace junban::client {

namespace {

using Method = ApiLink::Method;
using Answer = ApiLink::Answer;
using Request = ApiLink::Request;

QByteArray sparse(const JobSpec &job)
{
    return pack(newJobTable, job, Written::Sparse);
}

// The same with jobs that follow it, as they are; it has none of its own then.
QByteArray withFollowers(const JobSpec &job, const QList<QByteArray> &then)
{
    const QByteArray map = sparse(job);
    if (then.isEmpty())
        return map;
    Q_ASSERT(job.then.empty());
    payload::Reader reader(map);
    const quint32 pairs = reader.next()->count;
    MsgpackWriter whole;
    whole.map(pairs + 1).raw(QByteArrayView(map).sliced(reader.offset())).text("then").array(then.size());
    for (const QByteArray &next : then)
        whole.raw(next);
    return whole.take();
}

Result<ResultNow> readResult(const Answer &answer)
{
    if (answer.status == 202) {
        const Result<StateNow> now = unpackAnswer(stateNowTable, answer.body);
        if (!now.ok())
            return now.error();
        return ResultNow{ResultStatus::Pending, {}, now->state};
    }
    if (answer.resultHeader == "gone" || answer.body == payload::nil)
        return ResultNow{};
    return ResultNow{ResultStatus::Ready, answer.body, JobState::Succeeded};
}

// With the outcome, or the job as it was enqueued.
Result<Answered> readAnswered(const Answer &answer)
{
    Result<Answered> answered = unpackAnswer(answeredTable, answer.body);
    if (answered.ok())
        return answered;
    const Result<Enqueued> enqueued = unpackAnswer(enqueuedTable, answer.body);
    if (!enqueued.ok())
        return enqueued.error();
    return Answered{enqueued->id, {}, enqueued->duplicate, enqueued->state};
}

} // namespace

CallId JobCalls::enqueue(const JobSpec &job, Callback<Enqueued> callback)
{
    return enqueue(job, {}, std::move(callback));
}

CallId JobCalls::enqueue(const JobSpec &job, const QList<QByteArray> &then, Callback<Enqueued> callback)
{
    return m_link.call({Method::Post, QStringLiteral("/v1/jobs"), {}, withFollowers(job, then)}, enqueuedTable, std::move(callback));
}

CallId JobCalls::enqueueBatch(const QList<JobSpec> &jobs, Callback<QList<Result<Enqueued>>> callback)
{
    const Batch batch{{jobs.begin(), jobs.end()}};
    return m_link.call<QList<Result<Enqueued>>>(
        {Method::Post, QStringLiteral("/v1/jobs/batch"), {}, pack(batchTable, batch, Written::Sparse)},
        [](const Answer &answer) { return resultsOf(enqueuedTable, answer.body); }, std::move(callback));
}

CallId JobCalls::enqueueAndWait(const JobSpec &job, const ResultQuery &query, Callback<Answered> callback)
{
    Request request{
        Method::Post, QStringLiteral("/v1/jobs"), {{QStringLiteral("wait"), seconds(query.wait_ms)}}, sparse(job), query.wait_ms};
    if (!query.receipt.isEmpty())
        request.query.append({QStringLiteral("receipt"), query.receipt});
    return m_link.call<Answered>(request, readAnswered, std::move(callback));
}

CallId JobCalls::result(JobId id, const ResultQuery &query, Callback<ResultNow> callback)
{
    Request request{Method::Get, jobPath(id, "/result"), {}, {}, query.wait_ms};
    if (query.wait_ms > 0)
        request.query.append({QStringLiteral("wait"), seconds(query.wait_ms)});
    if (!query.receipt.isEmpty())
        request.query.append({QStringLiteral("receipt"), query.receipt});
    return m_link.call<ResultNow>(request, readResult, std::move(callback));
}

CallId JobCalls::peekResult(JobId id, Callback<ResultNow> callback)
{
    return m_link.call<ResultNow>(
        {Method::Get, jobPath(id, "/result"), {{QStringLiteral("peek"), "true"}}}, readResult, std::move(callback));
}

CallId JobCalls::jobs(const JobQuery &query, Callback<JobPage> callback)
{
    Request request{Method::Get, QStringLiteral("/v1/jobs")};
    if (query.state)
        request.query.append({QStringLiteral("state"), stateWord(*query.state)});
    const QPair<QString, QByteArray> given[] = {{QStringLiteral("name"), query.name}, {QStringLiteral("tag"), query.tag},
        {QStringLiteral("match"), query.match}, {QStringLiteral("cursor"), query.cursor}};
    for (const auto &parameter : given) {
        if (!parameter.second.isEmpty())
            request.query.append(parameter);
    }
    if (query.of != JobsOf::States)
        request.query.append({query.of == JobsOf::Trash ? QStringLiteral("trash") : QStringLiteral("tracked"), "true"});
    request.query.append({QStringLiteral("limit"), QByteArray::number(query.limit)});
    return m_link.call(request, jobPageTable, std::move(callback));
}

CallId JobCalls::job(JobId id, Callback<Job> callback)
{
    return m_link.call({Method::Get, jobPath(id)}, jobTable, std::move(callback));
}

CallId JobCalls::cancelJob(JobId id, CancelMode mode, Callback<StateNow> callback)
{
    const QByteArray body = pack(cancelTable, {id, mode == CancelMode::Force}, Written::Sparse);
    return m_link.call({Method::Post, jobPath(id, "/cancel"), {}, body}, stateNowTable, std::move(callback));
}

CallId JobCalls::retryJob(JobId id, Callback<StateNow> callback)
{
    return m_link.call({Method::Post, jobPath(id, "/retry"), {}, nothing()}, stateNowTable, std::move(callback));
}

CallId JobCalls::editJob(JobId id, const JobEdit &edit, Callback<Job> callback)
{
    return m_link.call({Method::Patch, jobPath(id), {}, pack(jobEditTable, edit)}, jobTable, std::move(callback));
}

CallId JobCalls::track(JobId id, bool tracked, Callback<Done> callback)
{
    return m_link.call<Done>({tracked ? Method::Put : Method::Delete, jobPath(id, "/tracked")}, readDone, std::move(callback));
}

CallId JobCalls::deleteJob(JobId id, Callback<StateNow> callback)
{
    return m_link.call({Method::Delete, jobPath(id)}, stateNowTable, std::move(callback));
}

CallId JobCalls::restoreJob(JobId id, Callback<StateNow> callback)
{
    return m_link.call({Method::Post, jobPath(id, "/restore"), {}, nothing()}, stateNowTable, std::move(callback));
}

CallId JobCalls::duplicateJob(JobId id, Callback<Enqueued> callback)
{
    return m_link.call({Method::Post, jobPath(id, "/duplicate"), {}, nothing()}, enqueuedTable, std::move(callback));
}

CallId JobCalls::group(const QByteArray &group, Callback<Group> callback)
{
    return m_link.call({Method::Get, namedPath("/v1/groups/", group)}, groupTable, std::move(callback));
}

CallId JobCalls::changeGroup(const QByteArray &group, const GroupBody &change, Callback<Group> callback)
{
    return putGroup(group, pack(groupBodyTable, change, Written::Sparse), std::move(callback));
}

CallId JobCalls::putGroup(const QByteArray &group, const QByteArray &body, Callback<Group> callback)
{
    return m_link.call({Method::Put, namedPath("/v1/groups/", group), {}, body}, groupTable, std::move(callback));
}

} // namespace junban::client
