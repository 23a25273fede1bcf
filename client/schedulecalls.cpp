#include "client/schedulecalls.h"

#include "client/apicall.h"
#include "core/jobs/jobfields.h"
#include "core/jobs/schedulefields.h"
#include "core/msgpack/mapwriter.h"

namespace junban::client {

namespace {

using Method = ApiLink::Method;

constexpr char all[] = "/v1/schedules/";

QList<QPair<QByteArray, QByteArray>> onlyIf(qint64 revision)
{
    if (revision == 0)
        return {{"If-None-Match", "*"}};
    return {{"If-Match", '"' + QByteArray::number(revision) + '"'}};
}

template<typename Take>
void eachPair(QByteArrayView map, Take take)
{
    Decoder in(Decoder::Of::Answer);
    if (const std::optional<PackedValue> root = in.root(map))
        in.map(*root, [&](QByteArrayView key, const PackedValue &value) {
            take(key, value.raw);
            return true;
        });
}

// What a form shows of a job is written anew; everything else of a template is passed through.
QByteArray jobLike(const JobSpec &job, QByteArrayView body)
{
    static constexpr const char *formFields[] = {"name", "argument", "priority", "max_retry", "timeout", "keep_result", "tags"};
    const auto isFormField = [](QByteArrayView key) {
        return std::any_of(std::begin(formFields), std::end(formFields), [&](const char *name) { return key == name; });
    };
    MapWriter map;
    eachPair(pack(newJobTable, job, Written::Sparse), [&](QByteArrayView key, QByteArrayView value) {
        if (isFormField(key))
            map.raw(key, value);
    });
    eachPair(body, [&](QByteArrayView key, QByteArrayView value) {
        if (!isFormField(key))
            map.raw(key, value);
    });
    return map.take();
}

} // namespace

CallId ScheduleCalls::schedules(int limit, const QByteArray &after, Callback<SchedulePage> callback)
{
    return m_link.call({Method::Get, QStringLiteral("/v1/schedules"), pageQuery(limit, QStringLiteral("after"), after)}, schedulePageTable,
        std::move(callback));
}

CallId ScheduleCalls::schedule(const QByteArray &id, Callback<Schedule> callback)
{
    return m_link.call({Method::Get, namedPath(all, id)}, scheduleTable, std::move(callback));
}

CallId ScheduleCalls::saveSchedule(const QByteArray &id, const ScheduleSpec &spec, qint64 revision, Callback<Schedule> callback)
{
    ScheduleBody body{spec};
    body.spec.jobBody = jobLike(spec.job, spec.jobBody);
    return m_link.call(
        {Method::Put, namedPath(all, id), {}, pack(newScheduleTable, body), 0, onlyIf(revision)}, scheduleTable, std::move(callback));
}

CallId ScheduleCalls::putSchedule(const QByteArray &id, const QByteArray &body, Callback<Schedule> callback)
{
    return m_link.call({Method::Put, namedPath(all, id), {}, body}, scheduleTable, std::move(callback));
}

CallId ScheduleCalls::deleteSchedule(const QByteArray &id, qint64 revision, Callback<Schedule> callback)
{
    return m_link.call({Method::Delete, namedPath(all, id), {}, {}, 0, onlyIf(revision)}, scheduleTable, std::move(callback));
}

CallId ScheduleCalls::runSchedule(const QByteArray &id, Callback<Enqueued> callback)
{
    return m_link.call({Method::Post, namedPath(all, id, "/run"), {}, nothing()}, enqueuedTable, std::move(callback));
}

CallId ScheduleCalls::pauseSchedule(const QByteArray &id, Callback<Schedule> callback)
{
    return m_link.call({Method::Post, namedPath(all, id, "/pause"), {}, nothing()}, scheduleTable, std::move(callback));
}

CallId ScheduleCalls::resumeSchedule(const QByteArray &id, Callback<Schedule> callback)
{
    return m_link.call({Method::Post, namedPath(all, id, "/resume"), {}, nothing()}, scheduleTable, std::move(callback));
}

} // namespace junban::client
