#pragma once

#include "core/base/clock.h"
#include "core/redis/link.h"
#include "core/redis/scripts.h"
#include "core/store/constraintstore.h"

#include <memory>

namespace junban::redis {

// ConstraintStore in Redis: one script of core/lua for each verb. Contract, threads and errors as for ConstraintStore.
class RedisConstraints : public ConstraintStore
{
public:
    // The parameters are those of the RedisStore of the same namespace. Link and clock must outlive it.
    RedisConstraints(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock);
    ~RedisConstraints() override;

    void setConstraints(QList<ConstraintParameters> parameters, qint64 madeAt, EpochChange change, Callback<qint64> callback) override;
    void unread(WhichJobs which, quint64 cursor, Callback<Unread> callback) override;
    void recharge(qint64 epoch, QList<JobBuckets> jobs, Recharged recharged, Callback<Done> callback) override;
    void stale(Callback<Stale> callback) override;
    void relane(qint64 epoch, QList<LanePiece<JobBuckets>> pieces, Callback<Done> callback) override;
    void explain(JobId id, QList<CarriedBucket> buckets, Callback<JobGates> callback) override;
    void buckets(int constraint, quint64 cursor, Callback<Buckets> callback) override;
    void switchBreaker(int constraint, BreakerSwitch what, quint64 cursor, Callback<Switched> callback) override;
    void held(QList<int> constraints, int buckets_max, Callback<Held> callback) override;
    void started(QList<RateBucket> buckets, Callback<QList<qint64>> callback) override;
    void waiting(Callback<Waiting> callback) override;
    void holds(QList<JobId> ids, Callback<QList<Hold>> callback) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::redis
