#pragma once

#include "core/jobs/durabilitylevel.h"
#include "core/redis/link.h"
#include "core/store/health.h"

#include <QList>

namespace junban::redis {

// Examines whether a Redis is fit to keep jobs (docs/redis.md), and to give the durability that the master was asked for. `link` must
// outlive the call. A setting that it is not permitted to read is not judged, which is a warning. The words of the findings:
//   * refused: "not_permitted" "replica" "newer_layout" "too_old" "evicting"
//   * refused unless forced: "not_durable"
//   * warnings: "less_permitted" "config_hidden" "no_fsync" "fsync_impossible" "not_fenced" "replica_missing" "no_successor"
//     "small_pubsub_buffer" "no_maxmemory" "memory_near" "evicted" "aof_fails" "snapshots_fail" "slow"
void examine(Link &link, const QByteArray &namespaceName, DurabilityLevel asked, Callback<Findings> callback);

// The same behind the interface that the other rooms use, of a running master: also which matchers and schedules cannot be read any more
// (warnings: "unreadable_matcher" "unreadable_schedule"). The link must outlive it.
class RedisDoctor : public Doctor
{
public:
    RedisDoctor(Link &link, QByteArray namespaceName, DurabilityLevel asked);
    void examine(Callback<Findings> callback) override;

private:
    Link &m_link;
    QByteArray m_namespace;
    DurabilityLevel m_asked;
};

} // namespace junban::redis
