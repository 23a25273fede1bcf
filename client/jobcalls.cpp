#include "client/jobcalls.h"

#include "core/msgpack/msgpackwriter.h"

namespace junban::client {

namespace {

QByteArray sparse(const JobSpec &job)
{
    return pack(newJobTable, job, Written::Sparse);
}

Result<ResultNow> readResult(const ApiLink::Answer &answer)
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

// With the outcome, or without it when the wait was over before.
Result<Answered> readAnswered(const ApiLink::Answer &answer)
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

// With jobs that follow it; it has none of its own when some are given.
QByteArray JobCalls::withFollowers(const JobSpec &job, const QList<QByteArray> &then)
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

CallId JobCalls::enqueueBatch(const QList<JobSpec> &jobs, Callback<QList<Result<Enqueued>>> callback)
{
    const Batch batch{{jobs.begin(), jobs.end()}};
    return m_link.call<QList<Result<Enqueued>>>(
        {Method::Post, QStringLiteral("/v1/jobs/batch"), {}, pack(batchTable, batch, Written::Sparse)},
        [](const ApiLink::Answer &answer) { return resultsOf(enqueuedTable, answer.body); }, std::move(callback));
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
    if (query.waited)
        request.query.append({QStringLiteral("waited"), "true"});
    return m_link.call<ResultNow>(request, readResult, std::move(callback));
}

CallId JobCalls::peekResult(JobId id, Callback<ResultNow> callback, Reveal reveal, qint64 wait_ms)
{
    Query query = revealQuery(reveal);
    query.append({QStringLiteral("peek"), "true"});
    if (wait_ms > 0)
        query.append({QStringLiteral("wait"), seconds(wait_ms)});
    return m_link.call<ResultNow>({Method::Get, jobPath(id, "/result"), query, {}, wait_ms}, readResult, std::move(callback));
}

JobCalls::Query JobCalls::revealQuery(Reveal reveal)
{
    return reveal == Reveal::Yes ? Query{{QStringLiteral("reveal"), "true"}} : Query();
}

JobCalls::Query JobCalls::filterQuery(const JobQuery &query)
{
    Query asked;
    if (query.state)
        asked.append({QStringLiteral("state"), stateWord(*query.state)});
    const QPair<QString, QByteArray> given[] = {{QStringLiteral("name"), query.name}, {QStringLiteral("tag"), query.tag},
        {QStringLiteral("match"), query.match}, {QStringLiteral("cursor"), query.cursor}};
    for (const auto &parameter : given) {
        if (!parameter.second.isEmpty())
            asked.append(parameter);
    }
    return asked;
}

JobCalls::Query JobCalls::listQuery(const JobQuery &query)
{
    Query asked = filterQuery(query);
    if (query.reversed)
        asked.append({QStringLiteral("order"), "reversed"});
    if (query.of != JobsOf::States)
        asked.append({query.of == JobsOf::Trash ? QStringLiteral("trash") : QStringLiteral("tracked"), "true"});
    asked.append({QStringLiteral("limit"), QByteArray::number(query.limit)});
    return asked;
}

} // namespace junban::client
