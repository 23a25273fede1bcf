// What operators ask.
#include "client/apicall.h"
#include "client/apiencode.h"
#include "core/msgpack/mapwriter.h"

namespace junban::client {

CallId ApiClient::peekResult(JobId id, Callback<ResultNow> callback)
{
    Request request{Method::Get, jobPath(id, "/result"), {{QStringLiteral("peek"), "true"}}, {}, 0, {}};
    return call<ResultNow>(request, [](const Answer &answer) {
        return decodeResult(answer.status, answer.resultHeader, answer.body);
    }, std::move(callback));
}

CallId ApiClient::jobs(const JobQuery &query, Callback<JobPage> callback)
{
    Request request{Method::Get, QStringLiteral("/v1/jobs"), {}, {}, 0, {}};
    if (query.state)
        request.query.append({QStringLiteral("state"), stateWord(*query.state)});
    if (!query.name.isEmpty())
        request.query.append({QStringLiteral("name"), query.name});
    if (!query.tag.isEmpty())
        request.query.append({QStringLiteral("tag"), query.tag});
    if (!query.match.isEmpty())
        request.query.append({QStringLiteral("match"), query.match});
    if (!query.cursor.isEmpty())
        request.query.append({QStringLiteral("cursor"), query.cursor});
    if (query.of != JobsOf::States)
        request.query.append({query.of == JobsOf::Trash ? QStringLiteral("trash") : QStringLiteral("tracked"), "true"});
    request.query.append({QStringLiteral("limit"), QByteArray::number(query.limit)});
    return call<JobPage>(request, [](const Answer &answer) { return decodeJobPage(answer.body); }, std::move(callback));
}

CallId ApiClient::job(JobId id, Callback<Job> callback)
{
    return call<Job>({Method::Get, jobPath(id), {}, {}, 0, {}}, [](const Answer &answer) { return decodeJob(answer.body); },
                     std::move(callback));
}

CallId ApiClient::cancelJob(JobId id, CancelMode mode, Callback<StateNow> callback)
{
    return call<StateNow>({Method::Post, jobPath(id, "/cancel"), {}, encodeCancel(mode), 0, {}},
                          [](const Answer &answer) { return decodeStateNow(answer.body); }, std::move(callback));
}

CallId ApiClient::retryJob(JobId id, Callback<StateNow> callback)
{
    return call<StateNow>({Method::Post, jobPath(id, "/retry"), {}, encodeNothing(), 0, {}},
                          [](const Answer &answer) { return decodeStateNow(answer.body); }, std::move(callback));
}

CallId ApiClient::overview(Callback<Overview> callback)
{
    return call<Overview>({Method::Get, QStringLiteral("/v1/overview"), {}, {}, 0, {}},
                          [](const Answer &answer) { return decodeOverview(answer.body); }, std::move(callback));
}

CallId ApiClient::doctor(Callback<QList<Finding>> callback)
{
    return call<QList<Finding>>({Method::Get, QStringLiteral("/v1/doctor"), {}, {}, 0, {}},
                                [](const Answer &answer) { return decodeFindings(answer.body); }, std::move(callback));
}

CallId ApiClient::fsck(Repair repair, const QByteArray &cursor, Callback<FsckReport> callback)
{
    MapWriter body;
    body.key("repair").boolean(repair == Repair::Yes);
    if (!cursor.isEmpty())
        body.key("cursor").text(cursor);
    return call<FsckReport>({Method::Post, QStringLiteral("/v1/fsck"), {}, body.take(), 0, {}},
                            [](const Answer &answer) { return decodeFsckReport(answer.body); }, std::move(callback));
}

CallId ApiClient::names(int limit, const QByteArray &after, Callback<NamePage> callback)
{
    Request request{Method::Get, QStringLiteral("/v1/names"), {{QStringLiteral("limit"), QByteArray::number(limit)}}, {}, 0, {}};
    if (!after.isEmpty())
        request.query.append({QStringLiteral("after"), after});
    return call<NamePage>(request, [](const Answer &answer) { return decodeNames(answer.body); }, std::move(callback));
}

CallId ApiClient::readiness(Callback<Readiness> callback)
{
    const Request request{Method::Get, QStringLiteral("/readyz"), {}, {}, 0, {}};
    return send(request, [callback = std::move(callback)](Result<Answer> answer) {
        if (!answer.ok()) {
            callback(answer.error());
        } else if (answer->status == 200) {
            callback(Readiness{true, answer->body.trimmed(), answer->trip_ms});
        } else if (answer->status == 503) {
            const Error problem = decodeProblem(answer->status, answer->type, answer->body);
            callback(Readiness{false, problem.message, answer->trip_ms});
        } else {
            callback(decodeProblem(answer->status, answer->type, answer->body));
        }
    });
}

} // namespace junban::client
