#include "server/api/api.h"
#include "server/api/matcherbodies.h"
#include "server/api/matcherchange.h"

// Constraints at work: their use, what they hold, why a job does not run, and what somebody changes of single keys.
namespace junban::api {

void Api::listConstraints(const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::constraints_page_max, limits::page_rows_default);
    const Result<QByteArray> after = call.name("after");
    if (!limit.ok() || !after.ok()) {
        call.fail(limit.ok() ? after.error() : limit.error());
        return;
    }
    m_matching.inspector.list(*limit, *after, [call](const Result<ConstraintInspector::List> &list) {
        if (list.ok())
            call.reply(200, encodeConstraints(*list));
        else
            call.fail(list.error());
    });
}

void Api::listBuckets(const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("constraint");
    if (!id)
        return;
    bool ok = true;
    const QByteArray cursor = call.query.value("cursor");
    const quint64 from = cursor.isEmpty() ? 0 : cursor.toULongLong(&ok);
    if (!ok) {
        call.fail(Error{ErrorCode::InvalidField, "'cursor' is not one of ours.", "cursor"});
        return;
    }
    m_matching.inspector.buckets(*id, from, [call](const Result<ConstraintInspector::BucketPage> &page) {
        if (page.ok())
            call.reply(200, encodeBuckets(*page));
        else
            call.fail(page.error());
    });
}

void Api::overrideBucket(const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("constraint");
    const std::optional<Expected> expected = id ? revisionOf(call) : std::nullopt;
    if (!expected)
        return;
    const QByteArray key = call.match().parameters.value(1);
    if (const Result<Done> valid = Call::validName("key", key); !valid.ok()) {
        call.fail(valid.error());
        return;
    }
    m_matching.editor.overrideKey({*id, key, call.body}, *expected, editor,
        [call](const Result<MatcherEditor::Saved> &saved) { answerSaved(call, saved); });
}

void Api::tripBreaker(const Call &call)
{
    changeBreaker(call, BreakerState::Open);
}

void Api::resetBreaker(const Call &call)
{
    changeBreaker(call, BreakerState::Closed);
}

void Api::changeBreaker(const Call &call, BreakerState to)
{
    const std::optional<QByteArray> id = call.pathName("constraint");
    if (!id)
        return;
    const TableOf<BreakerQuery> &table = breakerTable(to == BreakerState::Open ? BreakerVerb::Trip : BreakerVerb::Reset);
    const Result<BreakerQuery> body = call.body.isEmpty() ? Result<BreakerQuery>(BreakerQuery{}) : unpackRequest(table, call.body);
    if (!body.ok()) {
        call.fail(body.error());
        return;
    }
    const Breakers::Change change{to, body->key, body->openFor_ms > 0 ? std::optional(body->openFor_ms) : std::nullopt};
    m_matching.breakers.change(*id, change, editor, [call](const Result<Breakers::Changed> &changed) {
        if (changed.ok())
            call.reply(200, encodeBreaker(*changed));
        else
            call.fail(changed.error());
    });
}

void Api::listHeld(const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    if (!limit.ok()) {
        call.fail(limit.error());
        return;
    }
    m_matching.inspector.held(*limit, [call](const Result<ConstraintInspector::Held> &held) {
        if (held.ok())
            call.reply(200, encodeHeld(*held));
        else
            call.fail(held.error());
    });
}

void Api::explainJob(const Call &call)
{
    const std::optional<JobId> id = idOf(call);
    if (!id)
        return;
    m_matching.inspector.explain(*id, [call](const Result<ConstraintInspector::Explained> &explained) {
        if (explained.ok())
            call.reply(200, encodeExplained(*explained));
        else
            call.fail(explained.error());
    });
}

} // namespace junban::api
