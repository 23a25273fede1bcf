#include "core/base/isotime.h"
#include "core/base/text.h"
#include "server/api/handlers.h"

// Who did what.
namespace junban::api {

namespace {

void listAudit(const Parts &parts, const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    const Result<QByteArray> actor = call.name("actor"), action = call.name("action"), cursor = call.name("cursor");
    const QByteArray target = call.query.value("target");
    if (!areRead(call, limit, actor, action, cursor))
        return;
    if (!target.isEmpty() && !isPlainText(target, limits::audit_text_bytes_max)) {
        const QByteArray most = QByteArray::number(limits::audit_text_bytes_max);
        call.fail(invalid("target", "must have at most " + most + " bytes and no control characters"));
        return;
    }
    const std::optional<qint64> since_ms = call.query.contains("since") ? fromIsoTime(call.query["since"]) : qint64(0);
    if (!since_ms) {
        call.fail(invalid("since", "must be a time in ISO 8601 with its zone"));
        return;
    }
    parts.auditor.list({std::max<qint64>(0, *since_ms), *actor, *action, target, *limit, *cursor}, answering(call, auditPageTable));
}

constexpr Operation auditHandlers[] = {{"listAudit", listAudit}};

} // namespace

const std::span<const Operation> auditOperations = auditHandlers;

} // namespace junban::api
