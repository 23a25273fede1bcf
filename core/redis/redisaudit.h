#pragma once

#include "core/base/clock.h"
#include "core/redis/link.h"
#include "core/redis/scripts.h"
#include "core/store/auditstore.h"

#include <memory>

namespace junban::redis {

// The audit in Redis. Contract, threads and errors as AuditStore says.
class RedisAudit : public AuditStore
{
public:
    // `namespaceName` has passed RedisStore::validNamespace(). Link and clock must outlive it.
    RedisAudit(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock);
    ~RedisAudit() override;

    void append(QList<QByteArray> entries, Callback<Done> callback) override;
    void page(QByteArray before, qint64 since_ms, int limit, Callback<QList<Row>> callback) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::redis
