#pragma once

#include "core/base/clock.h"
#include "core/redis/link.h"
#include "core/redis/scripts.h"
#include "core/store/paststore.h"

#include <memory>

namespace junban::redis {

// PastStore in Redis: one script of core/lua for each verb. Contract, threads and errors as for PastStore.
class RedisPast : public PastStore
{
public:
    // `namespaceName` must have passed RedisStore::validNamespace(). Link and clock must outlive it.
    RedisPast(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock);
    ~RedisPast() override;

    void groups(GroupsRequest request, Callback<GroupsPage> callback) override;
    void group(QByteArray signature, qint64 period_s, Callback<FailureGroup> callback) override;
    void changeGroup(QByteArray signature, FailureGroupChange change, Callback<Done> callback) override;
    void jobsOf(SetPageRequest request, Callback<Page> callback) override;
    void statistics(StatisticsRequest request, Callback<DistributionPage> callback) override;
    void measured(Callback<WholeDistributions> callback) override;
    void series(SeriesRequest request, Callback<SeriesData> callback) override;
    void results(ResultsRequest request, Callback<ResultPage> callback) override;
    void resultOwner(JobId id, Callback<Job> callback) override;
    void result(JobId id, Callback<KeptResult> callback) override;
    void discardResult(JobId id, Callback<Done> callback) override;
    void extendResult(JobId id, qint64 ttl_ms, Callback<Done> callback) override;
    void retention(Callback<RetentionSettings> callback) override;
    void setRetention(QByteArray name, Retention retention, Callback<RetentionChanged> callback) override;
    void clearRetention(QByteArray name, Callback<RetentionChanged> callback) override;
    void track(JobId id, bool tracked, Callback<Done> callback) override;
    void remove(QList<JobId> ids, QByteArray by, Callback<Removed> callback) override;
    void restore(QList<JobId> ids, QByteArray by, Callback<Removed> callback) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::redis
