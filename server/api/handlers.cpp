#include "server/api/handlers.h"

#include "core/base/reasons/store.h"

namespace junban::api {

std::optional<JobId> idOf(const Call &call)
{
    const std::optional<JobId> id = JobId::fromText(call.match().parameters.value(0));
    if (!id)
        call.fail(ofField(reasons::jobNotFound(), "id"));
    return id;
}

JobId firstIdOf(const Call &call)
{
    return JobId::fromBytes(call.exchange().request().id).value_or(JobId());
}

Result<QByteArray> receiptOf(const Call &call)
{
    Result<QByteArray> receipt = call.name("receipt");
    const QByteArray &id = call.exchange().request().id;
    return receipt.ok() && receipt->isEmpty() && !id.isEmpty() ? Result<QByteArray>(id.toHex()) : receipt;
}

bool hasNoBody(const Call &call)
{
    return bodyOf(call, nothingTable, {}, Body::MayBeEmpty).has_value();
}

Callback<Done> answeringDone(const Call &call)
{
    return [call](const Result<Done> &done) {
        if (done.ok())
            call.reply(200, MsgpackWriter().map(1).text("done").boolean(true).take());
        else
            call.fail(done.error());
    };
}

} // namespace junban::api
