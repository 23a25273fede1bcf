#include "core/base/reasons/api.h"
#include "core/base/reasons/requests.h"
#include "core/base/text.h"
#include "server/api/handlers.h"

// Who did what.
namespace junban::api {

namespace {

// From when on; 0: from the beginning.
Result<qint64> sinceOf(const Parts &parts, const Call &call)
{
    if (!call.query.contains("last"))
        return call.time_ms("since");
    if (call.query.contains("since"))
        return reasons::fieldExcludes("since", "last");
    const Result<qint64> last_ms = call.duration_ms("last", limits::ahead_s_max);
    return last_ms.ok() ? Result<qint64>(std::max<qint64>(0, parts.clock.now_ms() - *last_ms)) : last_ms;
}

void listAudit(const Parts &parts, const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    const Result<QByteArray> actor = call.name("actor"), action = call.name("action"), cursor = call.name("cursor");
    const QByteArray target = call.query.value("target");
    if (!areRead(call, limit, actor, action, cursor))
        return;
    if (!target.isEmpty() && !isPlainText(target, limits::audit_text_bytes_max)) {
        call.fail(reasons::parameterNotText("target", limits::audit_text_bytes_max));
        return;
    }
    const Result<qint64> since_ms = sinceOf(parts, call);
    if (!areRead(call, since_ms))
        return;
    parts.auditor.list({*since_ms, *actor, *action, target, *limit, *cursor}, answering(call, auditPageTable));
}

constexpr Operation auditHandlers[] = {here("listAudit", listAudit)};

} // namespace

const std::span<const Operation> auditOperations = auditHandlers;

} // namespace junban::api
