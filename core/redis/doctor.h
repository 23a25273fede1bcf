#pragma once

#include "core/redis/link.h"
#include "core/store/health.h"

#include <QList>

namespace junban::redis {

// Asks a Redis whether it is fit to keep jobs (docs/operating.md). `link` must outlive the call. What it must not ask it cannot judge,
// and says so as a warning. The words: refused "replica" "newer_layout" "too_old" "evicting", refused unless forced "not_durable", warned
// of "config_hidden" "no_fsync" "not_fenced" "replica_missing" "small_pubsub_buffer" "no_maxmemory" "memory_near" "evicted" "aof_fails"
// "snapshots_fail" "slow".
void examine(Link &link, const QByteArray &namespaceName, Callback<Findings> callback);

// The same for those who know no Redis. The link outlives it.
class RedisDoctor : public Doctor
{
public:
    RedisDoctor(Link &link, QByteArray namespaceName);
    void examine(Callback<Findings> callback) override;

private:
    Link &m_link;
    QByteArray m_namespace;
};

} // namespace junban::redis
