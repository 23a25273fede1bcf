#include "server/api/answers.h"
#include "server/api/api.h"
#include "server/api/requests.h"

// Edits, hand-offs and the messages that end them, groups.
namespace junban::api {

void Api::editJob(const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    Result<JobEdit> edit = decodeEdit(call.body);
    if (!edit.ok()) {
        call.fail(edit.error());
        return;
    }
    m_changes.edit(*id, std::move(*edit), [call](const Result<Job> &job) {
        if (job.ok())
            call.reply(200, encodeJob(*job));
        else
            call.fail(job.error());
    });
}

void Api::handOff(const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    Result<HandoffItem> item = decodeHandoff(call.body, *id);
    if (!item.ok()) {
        call.fail(item.error());
        return;
    }
    m_changes.handOff(std::move(*item), [call](const Result<StateNow> &now) {
        if (now.ok())
            call.reply(200, encodeState(*now));
        else
            call.fail(now.error());
    });
}

void Api::takeMessage(const Call &call)
{
    const std::optional<QByteArray> key = call.pathName("key");
    if (!key)
        return;
    Result<Outcome> outcome = decodeMessageOutcome(call.body);
    if (!outcome.ok()) {
        call.fail(outcome.error());
        return;
    }
    m_changes.message(*key, std::move(*outcome), [call](const Result<MessageTaken> &taken) {
        if (taken.ok())
            call.reply(200, encodeMessageTaken(*taken));
        else
            call.fail(taken.error());
    });
}

void Api::putGroup(const Call &call)
{
    const std::optional<QByteArray> group = call.pathName("group");
    if (!group)
        return;
    Result<GroupBody> body = decodeGroup(call.body);
    if (!body.ok()) {
        call.fail(body.error());
        return;
    }
    m_changes.changeGroup(*group, body->open, std::move(body->callback), [call](const Result<Group> &now) {
        if (now.ok())
            call.reply(200, encodeJobGroup(*now));
        else
            call.fail(now.error());
    });
}

void Api::getGroup(const Call &call)
{
    const std::optional<QByteArray> group = call.pathName("group");
    if (!group)
        return;
    m_changes.group(*group, [call](const Result<Group> &now) {
        if (now.ok())
            call.reply(200, encodeJobGroup(*now));
        else
            call.fail(now.error());
    });
}

} // namespace junban::api
