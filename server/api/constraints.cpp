#include "server/api.h"
#include "server/expectation.h"
#include "server/matcherbodies.h"

// Constraints at work: their use, what they hold, and why a job does not run.
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
