#pragma once

#include "core/jobs/recordvalues.h"
#include "core/store/store.h"

#include <QObject>
#include <QSet>
#include <map>
#include <set>
#include <tuple>

namespace junban::test {

// The specification in plain C++: the behaviour of RedisStore without Redis, scripts, indexes or bounds. The test sets the clock. Results,
// receipts, idempotency keys and answered messages end by it only with `endsByTime`. Callbacks come later, as everywhere.
// modelstore.cpp has the begin and the end of attempts, modelspecial.cpp and modelends.cpp have special fields of jobs, modeltrash.cpp
// has stars and the trash, modelreads.cpp has the reads.
class ModelStore : public Store
{
public:
    qint64 now_ms = 0;
    QList<QByteArray> tokens;     // those that are not revoked
    QList<AskedNames> asked;      // as publishAskedNames() got it
    bool endsByTime = false;      // Redis ends these by its own clock, which a test does not set
    // As the engine in memory means it: an edit of an argument that is the job's unique key moves the key; a cancel of a job that awaits a
    // message ends the job; windows are known for all times; `replace` waits only for a job in a worker's hands, and a push beside a job
    // that was asked to stop waits for that.
    bool inMemory = false;
    // How long, and how many, jobs are kept that succeeded, failed, were cancelled, unless setRetention() says otherwise.
    std::array<Kept, 3> retention = {{{qint64(limits::succeeded_kept_s * 1000), limits::succeeded_kept_max},
        {qint64(limits::failed_kept_s * 1000), limits::failed_kept_max},
        {qint64(limits::cancelled_kept_s * 1000), limits::cancelled_kept_max}}};
    qint64 keysMax = limits::idempotency_keys_max;

    // As PastStore's. An empty name: for all names.
    void setRetention(const QByteArray &name, const Retention &own);
    void clearRetention(const QByteArray &name) { m_retentions.erase(name); }
    // As PastStore's track(), remove() and restore().
    void track(JobId id, bool tracked, Callback<Done> callback);
    void moveToTrash(QList<JobId> ids, QByteArray by, Callback<QList<Result<StateNow>>> callback);
    void restore(QList<JobId> ids, QByteArray by, Callback<QList<Result<StateNow>>> callback);
    // As PastStore's extendResult(), and with 0 discardResult().
    void editResult(JobId id, qint64 ttl_ms, Callback<Done> callback);
    // The results that wait, by when they expire.
    QList<QPair<qint64, JobId>> resultsByEnd() const;
    // The jobs in the trash, or those that are tracked; those that were marked last come first.
    QList<JobId> marked(bool trash) const;

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
    void publishAskedNames(AskedNames record, Callback<Done> callback) override;
    void probe(Callback<Done> callback) override;
    void setHintHandler(std::function<void(const Hints &)> handler) override;

private:
    // A job and the state of its attempts.
    struct Entry {
        Job job;                    // leaseExpiresAt_ms, deadline_ms, runAt_ms and progress stay when they are no longer shown
        QByteArray lease;           // the last one given
        qint64 lease_ms = 0;
        bool heard = false;         // a heartbeat came in this attempt
        bool cancel = false;
        int silent = 0;             // consecutive expiries without a heartbeat
        QByteArray endedLease;      // the report that ended the last attempt …
        char endedBy = 0;           // … s success, f failure, e expiry, r release, m message, c cancel; h hand-off, ends none
        Finished answer;            // … and what was answered
        // Of special fields:
        QByteArray unique;          // its key with its name; empty: none
        JobId ahead;                // the job with the same unique key that it waits for or waited for
        bool aheadOnly = false;     // `depends_on` does not name that job
        bool expires = false;
        qint64 enteredAt_ms = 0;
        std::set<JobId> waitsFor;
        QList<qint64> boundaries_ms; // of its windows
        qint64 closes_ms = 0;       // ready: when its window closes; 0: never
        bool shared = false;        // coalesced
        QByteArray messageKey;
        QByteArray handedLease;        // the last that was handed off
        qint64 trackedAt_ms = 0;
        JobState deletedFrom = JobState::Ready;
        std::optional<JobState> brokenBy; // in the trash: the first bad end of a job that it waited for
    };
    struct BadEnd {
        char by;
        QByteArray how;             // in the attempt list
        QByteArray reason;          // if the job ends by it
        QByteArray outcome;
        QByteArray message;
        bool retry = false;
        qint64 after_ms = 0;
        double jitter = 0;
        int silent = 0;
    };
    struct Batch {
        Group group;
        JobId callbackId;
        std::optional<JobSpec> callback;
        bool opened = false;        // it was open once
        qint64 idleSince_ms = 0;
    };
    struct Message {
        JobId id;
        char answered = 0;          // s or f: the type of the message that came
        Finished answer = {};
        qint64 at_ms = 0;           // when it came
    };

    static Error unknown();
    static Error conflict();
    Result<Enqueued> enqueueOne(const EnqueueItem &item);
    Result<Finished> finishOne(const FinishItem &item);
    Result<StateNow> releaseOne(const ReleaseItem &item);
    Result<StateNow> cancelOne(const CancelItem &item);
    Result<StateNow> retryOne(const RetryItem &item);
    Result<StateNow> moveToTrashOne(JobId id, const QByteArray &by);
    Result<StateNow> restoreOne(JobId id, const QByteArray &by);
    QList<Claimed> claimAll(const QList<ClaimRequest> &requests);
    QList<Entry *> best(const QList<QByteArray> &names, int count);
    bool mayStart(Entry &entry);
    ClaimedJob start(Entry &entry, const ClaimRequest &request);
    Result<Entry *> leased(JobId id, const QByteArray &lease);
    void note(Entry &entry, const QByteArray &how, const QByteArray &message, bool retry, qint64 next_ms);
    void tell(Entry &entry, const QByteArray &what, const QByteArray &actor, int attempt, const QByteArray &details = {});
    void keepResult(const Entry &entry, const QByteArray &outcome);
    Finished succeed(Entry &entry, char by, const QByteArray &outcome);
    Finished endBadly(Entry &entry, const BadEnd &end);
    void expireLeases(Swept &swept);
    void purge(Swept &swept);
    void remove(JobId id);
    void remember(const QByteArray &key, JobId id, const JobSpec &spec);
    void forget();
    // modelspecial.cpp
    Result<Enqueued> push(JobId id, const JobSpec &spec, const QList<qint64> &boundaries_ms);
    Result<bool> readDependencies(const JobSpec &spec, std::set<JobId> &pending, std::optional<JobState> &bad) const;
    std::optional<Result<Enqueued>> meetUnique(Entry &other, const JobSpec &spec, JobId &after);
    StateNow place(Entry &entry, qint64 due_ms);
    void leavePlace(Entry &entry);
    bool isOpen(Entry &entry, qint64 at_ms, qint64 &until_ms);
    // modelends.cpp
    void finalise(Entry &entry, JobState state, const QByteArray &reason = {});
    void endUnstarted(Entry &entry, JobState state, const QByteArray &reason, const QByteArray &message);
    void endByDependency(Entry &entry, JobState parent);
    void freeUnique(Entry &entry);
    bool moveKey(Entry &entry, const QByteArray &key);
    void followUp();
    void leaveGroup(const QByteArray &group, JobState state);
    void settleGroups();
    void mayCall(Batch &batch);
    Group groupNow(const Batch &batch) const;
    bool isOthers(const Batch &batch, const GroupCaller &caller) const;
    Batch &useGroup(const QByteArray &name, const GroupCaller &caller);
    void rejoinGroup(const QByteArray &group, JobState state);
    void forgetGroups();

    Job shown(const Entry &entry) const;
    double orderOf(const Entry &entry) const;

    std::map<JobId, Entry> m_jobs;
    std::map<JobId, QByteArray> m_results, m_shared;
    std::map<JobId, QPair<QByteArray, QByteArray>> m_receipts;
    std::map<JobId, qint64> m_receiptsEnd_ms;
    struct Key {
        JobId id;
        QByteArray fingerprint;
        qint64 madeAt_ms = 0;
    };
    std::map<QByteArray, Key> m_keys;
    std::map<JobId, JobState> m_gone;        // final states of purged jobs; only with endsByTime
    std::map<JobId, qint64> m_resultsEnd_ms; // otherwise for counts only
    std::map<QByteArray, JobId> m_unique;
    std::map<QByteArray, Batch> m_groups;
    QList<QByteArray> m_leftGroups; // groups of jobs that ended in this call
    std::map<QByteArray, Message> m_messages;
    std::set<std::tuple<qint64, JobId, JobState>> m_freeing; // ended jobs whose dependents must be updated
    std::map<JobId, qint64> m_windowsWanted; // and from which time on
    QSet<QByteArray> m_becameReady; // names, in this call
    QList<JobId> m_becameFinal;
    std::map<QByteArray, std::array<Kept, 3>> m_retentions; // by name; the empty one: for all
    QList<QByteArray> m_names;
    std::map<QByteArray, Totals> m_totalsOf;
    Totals m_totals;
    quint64 m_leases = 0;
};

} // namespace junban::test
