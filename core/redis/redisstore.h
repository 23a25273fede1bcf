#pragma once

#include "core/base/clock.h"
#include "core/limits/classifier.h"
#include "core/redis/link.h"
#include "core/redis/scripts.h"
#include "core/store/rollback.h"
#include "core/store/store.h"
#include "core/store/unreadable.h"

#include <memory>

namespace junban::redis {

// The queue in Redis: one script of core/lua for each verb. Contract, threads and errors as for Store.
class RedisStore : public Store
{
public:
    // `namespaceName` must have passed validNamespace(). `hints` is a second link for the hints of other masters, or null; it is subscribed
    // here, so it must not be started yet. Links and clock must outlive the store.
    RedisStore(Link &commands, Link *hints, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock);
    ~RedisStore() override;

    // `notice` is told when a reply shows that Redis has lost transactions; it must outlive the store.
    // Optional: is told of jobs that no worker can be given. It must outlive this.
    void setUnreadableRecords(UnreadableRecords *records);
    void setRollbackNotice(RollbackNotice *notice);

    // Whether the name is 1 to 64 letters, digits, '.', '_' or '-'. It becomes part of every key.
    static bool validNamespace(const QByteArray &name);

    // The classifier says which buckets jobs carry; it must outlive the store. Without one jobs carry none, and the namespace must not
    // have matchers.
    void setClassifier(Classifier *classifier);

    void enqueue(QList<EnqueueItem> items, Callback<QList<Result<Enqueued>>> callback) override;
    void finishAndClaim(QList<FinishItem> items, QList<ClaimRequest> claims, Callback<FinishAndClaimReply> callback) override;
    void heartbeat(QList<HeartbeatItem> items, Callback<QList<Result<Heartbeat>>> callback) override;
    void release(QList<ReleaseItem> items, Callback<QList<Result<StateNow>>> callback) override;
    void cancel(QList<CancelItem> items, Callback<QList<Result<StateNow>>> callback) override;
    void retry(QList<RetryItem> items, Callback<QList<Result<StateNow>>> callback) override;
    void handOff(HandoffItem item, Callback<StateNow> callback) override;
    void message(MessageItem item, Callback<MessageTaken> callback) override;
    void edit(EditItem item, Callback<StateNow> callback) override;
    void changeGroup(GroupChange change, Callback<Group> callback) override;
    void group(QByteArray group, GroupCaller caller, Callback<Group> callback) override;
    void setWindows(JobId id, QList<qint64> boundaries, Callback<Done> callback) override;
    void sweep(Callback<Swept> callback) override;
    void takeResult(JobId id, QByteArray receipt, Fetch fetch, Callback<ResultNow> callback) override;
    void peekResult(JobId id, Callback<ResultNow> callback) override;
    void get(JobId id, Callback<Job> callback) override;
    void page(PageRequest request, Callback<Page> callback) override;
    void rows(QList<JobId> ids, PageDetail detail, Callback<QList<Job>> callback) override;
    void counts(Callback<Overview> callback) override;
    void names(int limit, QByteArray after, Callback<QList<NameRow>> callback) override;
    void publishAskedNames(AskedNames names, Callback<Done> callback) override;
    void probe(Callback<Done> callback) override;
    void setHintHandler(std::function<void(const Hints &)> handler) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::redis
