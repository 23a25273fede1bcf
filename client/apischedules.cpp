// Recurring jobs.
#include "client/apicall.h"
#include "client/apiencode.h"

namespace junban::client {

namespace {

constexpr char all[] = "/v1/schedules/";

QList<QPair<QByteArray, QByteArray>> onlyIf(qint64 revision)
{
    if (revision == 0)
        return {{"If-None-Match", "*"}};
    return {{"If-Match", '"' + QByteArray::number(revision) + '"'}};
}

} // namespace

CallId ApiClient::schedules(int limit, const QByteArray &after, Callback<SchedulePage> callback)
{
    Request request{Method::Get, QStringLiteral("/v1/schedules"), {{QStringLiteral("limit"), QByteArray::number(limit)}}, {}, 0, {}};
    if (!after.isEmpty())
        request.query.append({QStringLiteral("after"), after});
    return call<SchedulePage>(request, [](const Answer &answer) { return decodeSchedules(answer.body); }, std::move(callback));
}

CallId ApiClient::schedule(const QByteArray &id, Callback<Schedule> callback)
{
    return call<Schedule>({Method::Get, namedPath(all, id), {}, {}, 0, {}},
                          [](const Answer &answer) { return decodeSchedule(answer.body); }, std::move(callback));
}

CallId ApiClient::saveSchedule(const QByteArray &id, const ScheduleSpec &spec, qint64 revision, Callback<Schedule> callback)
{
    return call<Schedule>({Method::Put, namedPath(all, id), {}, encodeSchedule(spec), 0, onlyIf(revision)},
                          [](const Answer &answer) { return decodeSchedule(answer.body); }, std::move(callback));
}

CallId ApiClient::putSchedule(const QByteArray &id, const QByteArray &body, Callback<Schedule> callback)
{
    return call<Schedule>({Method::Put, namedPath(all, id), {}, body, 0, {}},
                          [](const Answer &answer) { return decodeSchedule(answer.body); }, std::move(callback));
}

CallId ApiClient::deleteSchedule(const QByteArray &id, qint64 revision, Callback<Schedule> callback)
{
    return call<Schedule>({Method::Delete, namedPath(all, id), {}, {}, 0, onlyIf(revision)},
                          [](const Answer &answer) { return decodeSchedule(answer.body); }, std::move(callback));
}

CallId ApiClient::runSchedule(const QByteArray &id, Callback<Enqueued> callback)
{
    return call<Enqueued>({Method::Post, namedPath(all, id, "/run"), {}, encodeNothing(), 0, {}},
                          [](const Answer &answer) { return decodeEnqueued(answer.body); }, std::move(callback));
}

CallId ApiClient::pauseSchedule(const QByteArray &id, Callback<Schedule> callback)
{
    return call<Schedule>({Method::Post, namedPath(all, id, "/pause"), {}, encodeNothing(), 0, {}},
                          [](const Answer &answer) { return decodeSchedule(answer.body); }, std::move(callback));
}

CallId ApiClient::resumeSchedule(const QByteArray &id, Callback<Schedule> callback)
{
    return call<Schedule>({Method::Post, namedPath(all, id, "/resume"), {}, encodeNothing(), 0, {}},
                          [](const Answer &answer) { return decodeSchedule(answer.body); }, std::move(callback));
}

} // namespace junban::client
