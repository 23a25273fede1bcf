#pragma once

#include "core/store.h"

#include <QObject>
#include <map>

namespace junban::test {

// The specification as plain C++: what RedisStore must do, without Redis, scripts, indexes or bounds. The clock is set by hand; results
// and idempotency keys never expire by time here. Callbacks come later, as everywhere.
class ModelStore : public Store
{
public:
    qint64 now_ms = 0;

    void enqueue(QList<EnqueueItem> items, Callback<QList<Result<Enqueued>>> callback) override;
    void finishAndClaim(QList<FinishItem> items, QList<ClaimRequest> claims, Callback<FinishAndClaimReply> callback) override;
    void heartbeat(QList<HeartbeatItem> items, Callback<QList<Result<Heartbeat>>> callback) override;
    void release(QList<ReleaseItem> items, Callback<QList<Result<StateNow>>> callback) override;
    void cancel(QList<CancelItem> items, Callback<QList<Result<StateNow>>> callback) override;
    void retry(QList<JobId> ids, Callback<QList<Result<StateNow>>> callback) override;
    void handOff(HandoffItem item, Callback<StateNow> callback) override;
    void message(MessageItem item, Callback<MessageTaken> callback) override;
    void edit(EditItem item, Callback<StateNow> callback) override;
    void changeGroup(GroupChange change, Callback<Group> callback) override;
    void group(QByteArray group, Callback<Group> callback) override;
    void setWindows(JobId id, QList<qint64> boundaries, Callback<Done> callback) override;
    void sweep(Callback<Swept> callback) override;
    void takeResult(JobId id, QByteArray receipt, Fetch fetch, Callback<ResultNow> callback) override;
    void peekResult(JobId id, Callback<ResultNow> callback) override;
    void get(JobId id, Callback<Job> callback) override;
    void page(PageRequest request, Callback<Page> callback) override;
    void counts(Callback<Counts> callback) override;
    void names(int limit, QByteArray after, Callback<QList<NameCounts>> callback) override;
    void probe(Callback<Done> callback) override;
    void setHintHandler(std::function<void(const Hints &)> handler) override;

private:
    // A job and what is remembered of its attempts.
    struct Entry {
        Job job;                    // leaseExpiresAt_ms, deadline_ms, runAt_ms and progress stay when they no longer show
        QByteArray lease;           // the last one given
        qint64 lease_ms = 0;
        bool heard = false;         // a heartbeat came in this attempt
        bool cancel = false;
        int silent = 0;             // expiries in a row without a sign of life
        QByteArray endedLease;      // the report that ended the last attempt …
        char endedBy = 0;           // … s success, f failure, e expiry, r release
        Finished answer;            // … and what was answered
    };
    struct BadEnd {
        char by;
        QByteArray how;             // in the attempt list
        QByteArray reason;          // if it is the end of the job
        QByteArray outcome;
        QByteArray message;
        bool retry = false;
        qint64 after_ms = 0;
        double jitter = 0;
        int silent = 0;
    };

    Result<Enqueued> enqueueOne(const EnqueueItem &item);
    Claimed claimOne(const ClaimRequest &request);
    Result<Finished> finishOne(const FinishItem &item);
    Result<StateNow> releaseOne(const ReleaseItem &item);
    Result<StateNow> cancelOne(const CancelItem &item);
    Result<Entry *> leased(JobId id, const QByteArray &lease);
    void note(Entry &entry, const QByteArray &how, const QByteArray &message, bool retry, qint64 next_ms);
    void keepResult(const Entry &entry, const QByteArray &outcome);
    Finished succeed(Entry &entry, const QByteArray &outcome);
    Finished endBadly(Entry &entry, const BadEnd &end);
    void finalise(Entry &entry, JobState state);
    Job shown(const Entry &entry) const;
    double orderOf(const Entry &entry) const;

    std::map<JobId, Entry> m_jobs;
    std::map<JobId, QByteArray> m_results;
    std::map<JobId, QPair<QByteArray, QByteArray>> m_receipts;
    std::map<QByteArray, QPair<JobId, QByteArray>> m_keys;
    std::map<JobId, qint64> m_resultsEnd_ms; // only counted by
    QList<QByteArray> m_names;
    std::map<QByteArray, NameCounts> m_totalsOf;
    Counts m_totals;
    quint64 m_leases = 0;
};

} // namespace junban::test
