#pragma once

#include "client/calls.h"
#include "core/access/auditentry.h"
#include "core/base/isotime.h"

namespace junban::client {

// Which entries a page of the audit has; what is empty or 0 does not narrow it.
struct AuditQuery {
    qint64 since_ms = 0;             // since then …
    qint64 last_ms = 0;              // … or within the last so many, by the master's clock; 0: all
    QByteArray actor = {};
    QByteArray action = {};
    QByteArray target = {};
    int limit = limits::page_rows_default;
    QByteArray cursor = {};
};

// Who did what.
class AuditCalls : Calls
{
public:
    using Calls::Calls;

    CallId audit(const AuditQuery &asked, Takes<AuditPage> auto callback)
    {
        Query query = pageQuery(asked.limit, "cursor", asked.cursor);
        if (asked.since_ms > 0)
            query.append({QStringLiteral("since"), isoTime(asked.since_ms)});
        if (asked.last_ms > 0)
            query.append({QStringLiteral("last"), seconds(asked.last_ms)});
        if (!asked.actor.isEmpty())
            query.append({QStringLiteral("actor"), asked.actor});
        if (!asked.action.isEmpty())
            query.append({QStringLiteral("action"), asked.action});
        if (!asked.target.isEmpty())
            query.append({QStringLiteral("target"), asked.target});
        return get(QStringLiteral("/v1/audit"), query, auditPageTable, std::move(callback));
    }
};

} // namespace junban::client
