#include "core/redis/redisaudit.h"

#include "core/redis/caller.h"
#include "core/redis/numbers.h"
#include "core/redis/replies.h"

namespace junban::redis {

namespace {

Done appendedOf(const Reply &)
{
    return {};
}

QList<AuditStore::Row> rowsOf(const Reply &reply)
{
    QList<AuditStore::Row> rows;
    for (qsizetype i = 0; i < reply[1].size(); ++i) {
        const Reply &entry = reply[1][i];
        AuditStore::Row row{entry[0].bytes()};
        row.at_ms = row.id.first(std::max<qsizetype>(0, row.id.indexOf('-'))).toLongLong();
        for (qsizetype field = 0; field + 1 < entry[1].size(); field += 2) {
            if (entry[1][field].bytes() == "entry")
                row.packed = entry[1][field + 1].bytes();
            else
                row.fields.append({entry[1][field].bytes(), entry[1][field + 1].bytes()});
        }
        rows.append(std::move(row));
    }
    return rows;
}

} // namespace

class RedisAudit::Private : public Caller
{
public:
    Private(Link &commands, const QByteArray &namespaceName, Clock &theClock, ScriptClock scriptClock)
        : Caller(commands, namespaceName, theClock, "audit")
        , appendScript(makeScript("append_audit", scriptClock))
        , pageScript(makeScript("page_audit", scriptClock))
    {
    }

    Script appendScript, pageScript;
};

RedisAudit::RedisAudit(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock)
    : d(std::make_unique<Private>(commands, namespaceName, clock, scriptClock))
{
}

RedisAudit::~RedisAudit() = default;

void RedisAudit::append(QList<QByteArray> entries, Callback<Done> callback)
{
    d->run(d->appendScript, QList<QByteArray>{"audit"} + entries, std::move(callback), appendedOf);
}

void RedisAudit::page(QByteArray before, qint64 since_ms, int limit, Callback<QList<Row>> callback)
{
    d->run(d->pageScript, {std::move(before), number(since_ms), number(limit)}, std::move(callback), rowsOf);
}

} // namespace junban::redis
