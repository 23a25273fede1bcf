// Pushes that wait, edits, hand-offs and messages, groups.
#include "client/apicall.h"
#include "client/apiencode.h"
#include "client/decoding.h"

namespace junban::client {

CallId ApiClient::enqueueAndWait(const JobSpec &job, const ResultQuery &query, Callback<Answered> callback)
{
    Request request{Method::Post, QStringLiteral("/v1/jobs"), {{QStringLiteral("wait"), seconds(query.wait_ms)}}, encodeJob(job),
        query.wait_ms, {}};
    if (!query.receipt.isEmpty())
        request.query.append({QStringLiteral("receipt"), query.receipt});
    return call<Answered>(request, [](const Answer &answer) { return decodeAnswered(answer.body); }, std::move(callback));
}

CallId ApiClient::message(const QByteArray &key, const Outcome &outcome, Callback<MessageTaken> callback)
{
    return call<MessageTaken>({Method::Post, namedPath("/v1/messages/", key), {}, encodeMessage(outcome), 0, {}},
                              [](const Answer &answer) { return decodeMessageTaken(answer.body); }, std::move(callback));
}

CallId ApiClient::group(const QByteArray &group, Callback<Group> callback)
{
    return call<Group>({Method::Get, namedPath("/v1/groups/", group), {}, {}, 0, {}},
                       [](const Answer &answer) { return decodeJobGroup(answer.body); }, std::move(callback));
}

CallId ApiClient::changeGroup(const QByteArray &group, const GroupChange &change, Callback<Group> callback)
{
    return putGroup(group, encodeGroup(change), std::move(callback));
}

CallId ApiClient::putGroup(const QByteArray &group, const QByteArray &body, Callback<Group> callback)
{
    return call<Group>({Method::Put, namedPath("/v1/groups/", group), {}, body, 0, {}},
                       [](const Answer &answer) { return decodeJobGroup(answer.body); }, std::move(callback));
}

CallId ApiClient::handOff(const Lease &lease, const QByteArray &key, qint64 timeout_ms, Callback<StateNow> callback)
{
    return call<StateNow>({Method::Post, jobPath(lease.id, "/handoff"), {}, encodeHandoff(lease, key, timeout_ms), 0, {}},
                          [](const Answer &answer) { return decodeStateNow(answer.body); }, std::move(callback));
}

CallId ApiClient::editJob(JobId id, const JobEdit &edit, Callback<Job> callback)
{
    return call<Job>({Method::Patch, jobPath(id), {}, encodeEdit(edit), 0, {}},
                     [](const Answer &answer) { return decodeJob(answer.body); }, std::move(callback));
}

Result<Answered> decodeAnswered(QByteArrayView body)
{
    Answered answered;
    std::optional<JobId> id;
    std::optional<JobState> state;
    Value(body).eachField([&](QByteArrayView key, const Value &value) {
        if (key == "id") {
            id = value.id();
        } else if (key == "state") {
            state = value.state();
        } else if (key == "duplicate") {
            answered.duplicate = value.boolean();
        } else if (key == "outcome") {
            answered.finished = true;
            answered.outcome = value.bytes().toByteArray();
        }
    });
    if (!id || (!state && !answered.finished))
        return malformed("an enqueued job without id, or with neither state nor outcome");
    answered.id = *id;
    answered.state = state.value_or(JobState::Succeeded);
    return answered;
}

Result<MessageTaken> decodeMessageTaken(QByteArrayView body)
{
    const std::optional<JobId> id = fieldOf(body, "id").id();
    Result<Finished> finished = decodeFinished(body);
    if (!id || !finished.ok())
        return malformed("a message's job without id or state");
    return MessageTaken{*id, *finished};
}

Result<Group> decodeJobGroup(QByteArrayView body)
{
    Group group;
    const bool complete = Value(body).eachField([&](QByteArrayView key, const Value &value) {
        const std::pair<QByteArrayView, qint64 *> counts[] = {{"total", &group.total}, {"pending", &group.pending},
            {"succeeded", &group.succeeded}, {"failed", &group.failed}, {"cancelled", &group.cancelled}};
        for (const auto &[name, count] : counts) {
            if (key == name)
                *count = value.integer();
        }
        if (key == "group")
            group.group = value.text();
        else if (key == "open")
            group.open = value.boolean();
        else if (key == "has_callback")
            group.hasCallback = value.boolean();
        else if (key == "callback")
            group.callback = value.id().value_or(JobId());
        else if (key == "callback_refused")
            group.callbackRefused = value.text();
        else if (key == "created_at")
            group.createdAt_ms = value.time_ms();
        else if (key == "ended_at")
            group.endedAt_ms = value.time_ms();
    });
    if (!complete || group.group.isEmpty())
        return malformed("a group without id");
    return group;
}

} // namespace junban::client
