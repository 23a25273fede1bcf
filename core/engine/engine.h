#pragma once

#include "core/engine/admission.h"
#include "core/engine/jobgroups.h"
#include "core/engine/jobtable.h"
#include "core/engine/keptmatchers.h"
#include "core/engine/keptretention.h"
#include "core/engine/keptschedules.h"
#include "core/engine/messages.h"
#include "core/store/changestore.h"
#include "core/store/paststore.h"
#include "core/store/schedulestore.h"

#include <functional>

// The queue in memory. An engine decides what happens to jobs: a call takes the time and a source of random bits, changes the state, and
// returns its answer, the writes to Redis that the change implies, and whom to wake. It has no event loop, no socket, no clock and no
// random generator, so a test can run it from a seed and stop it between any two calls. docs/decisions/engine.md says why it is so.
//
// The transitions are those of docs/semantics.md, "Transitions", one file for each theme:
//   enqueue.cpp    1 (`enqueue`), 2 (`repeat-enqueue`)
//   claim.cpp      4 (`claim`)
//   reports.cpp    8 (`success`), 9 (`failure-retried`), 10 (`failure-final`), 12 (`late-success`), 13 (`repeat-report`), 14 (`lost-lease`)
//   leases.cpp     5 (`heartbeat`), 6 (`progress`), 7 (`release`), 24 (`end-cancelled`)
//   handoffs.cpp   15 (`hand-off`), and 8 to 10 of jobs that await a message
//   special.cpp    21 (`free-dependents`), 22 (`expire-job`), 23 (`close-window`), 27 (`replace`): unique keys, dependencies, `then`,
//                  expiry, windows
//   groups.cpp     groups of jobs and their callbacks
//   operators.cpp  16 (`cancel-waiting`), 17 (`cancel-running`), 18 (`retry`), 19 (`edit`)
//   trash.cpp      25 (`delete`), 26 (`restore`): stars and the trash
//   schedules.cpp  the schedules, whose firings make jobs
//   retention.cpp  20 (`purge`): how long jobs that ended are kept
//   sweep.cpp      3 (`promote`), 11 (`expire-lease`)
//   results.cpp    the results that wait for their pushers
//   limits.cpp     matchers and their constraints; admission.h says which job may start
// steps.cpp has what transitions share, reads.cpp what changes nothing, writing.cpp turns changed jobs into writes, loading.cpp makes an
// engine of what Redis has.
namespace junban::engine {

// When a call happens and where it takes random bits from.
struct Moment {
    qint64 now_ms = 0;                          // milliseconds since the epoch, on Redis' clock as far as it is known
    const std::function<quint64()> &random;     // 64 random bits at each call
    const std::function<bool(const QByteArray &id)> *isToken = nullptr; // whether there is a token with this id; null: there is none

    // 0 or more, less than 1.
    double fraction() const { return double(random() >> 11) / double(1ULL << 53); }
};

// What a call has decided. Nobody may learn of the answer or be woken before the writes are in Redis.
template<typename Answer>
struct Decided {
    Answer answer;
    Writes writes;
    Hints wake;                                 // names with jobs that became ready, jobs that ended, and when a bucket opens
};

struct Settings {
    // How long jobs that ended are kept where operators have not set it: until their age or their number is beyond this.
    RetentionOfStates retention = {{{static_cast<qint64>(limits::succeeded_kept_s * 1000), limits::succeeded_kept_max},
        {static_cast<qint64>(limits::failed_kept_s * 1000), limits::failed_kept_max},
        {static_cast<qint64>(limits::cancelled_kept_s * 1000), limits::cancelled_kept_max}}};
    qint64 idempotencyKeys = limits::idempotency_keys_max; // 1 or more
};

// Lists of items are answered in their order; each item succeeds or fails by itself. Not safe for use by several threads.
class Engine
{
public:
    explicit Engine(const Settings &settings = {});
    Engine(const Engine &) = delete;
    Engine &operator=(const Engine &) = delete;

    // Errors of an item: IdempotencyMismatch; Conflict (`unique_key_taken`); InvalidField for a dependency that is not there; Forbidden
    // (`group_of_another`).
    Decided<QList<Result<Enqueued>>> enqueue(const QList<EnqueueItem> &items, const Moment &at);
    // Requests with the same names are served one after the other, in the place of the first of them.
    Decided<QList<Claimed>> claim(const QList<ClaimRequest> &requests, const Moment &at);
    // Errors of an item: NotFound, LeaseLost.
    Decided<QList<Result<Finished>>> finish(const QList<FinishItem> &items, const Moment &at);
    // Errors of an item: NotFound, LeaseLost.
    Decided<QList<Result<Heartbeat>>> heartbeat(const QList<HeartbeatItem> &items, const Moment &at);
    // Errors of an item: NotFound, LeaseLost.
    Decided<QList<Result<StateNow>>> release(const QList<ReleaseItem> &items, const Moment &at);
    // Errors: NotFound, LeaseLost; Conflict (`message_key_taken`): another job awaits a message under this key.
    Decided<Result<StateNow>> handOff(const HandoffItem &item, const Moment &at);
    // Error: NotFound (`message_key_not_found`): no job awaits it, nor is it the same message again.
    Decided<Result<MessageTaken>> takeMessage(const MessageItem &item, const Moment &at);
    // Errors of an item: NotFound, Conflict.
    Decided<QList<Result<StateNow>>> cancel(const QList<CancelItem> &items, const Moment &at);
    // Errors of an item: NotFound, Conflict.
    Decided<QList<Result<StateNow>>> retry(const QList<RetryItem> &items, const Moment &at);
    // Errors: NotFound, Conflict; RevisionMismatch (`job_changed`): it is not as `before` any more; InvalidField (`max_retry`).
    Decided<Result<StateNow>> edit(const EditItem &item, const Moment &at);
    // Gives a job a star, which keeps it from the purge, or takes its star. Errors: NotFound; Conflict: limits::tracked_max jobs have one.
    Decided<Result<Done>> track(const JobId &id, bool tracked, const Moment &at);
    // Errors of an item: NotFound; Conflict: it is in a worker's hands.
    Decided<QList<Result<StateNow>>> moveToTrash(const QList<JobId> &ids, const QByteArray &by, const Moment &at);
    // Errors of an item: NotFound; Conflict: it is not in the trash, or another job has its unique key (`unique_key_taken`).
    Decided<QList<Result<StateNow>>> restore(const QList<JobId> &ids, const QByteArray &by, const Moment &at);
    // Makes or changes a group. Error: Forbidden (`group_of_another`).
    Decided<Result<Group>> changeGroup(const GroupChange &change, const Moment &at);
    // Makes or changes a schedule. Errors: RevisionMismatch; StoreFull: there are limits::schedules_max.
    Decided<Result<ScheduleChanged>> saveSchedule(const ScheduleSave &save, const Moment &at);
    // Errors: NotFound, RevisionMismatch; Conflict: the recurrence is another one by now.
    Decided<Result<ScheduleChanged>> changeSchedule(const ScheduleChange &change, const Moment &at);
    // As ScheduleStore's fire() and runByHand(), but their hints are with the call's.
    Decided<FiredAll> fireSchedules(const QList<FireItem> &items, const Moment &at);
    Decided<Result<FiredAll>> runSchedule(const RunByHand &run, const Moment &at);
    // As PastStore's. An error: Conflict, limits::retention_names_max names have settings.
    Decided<Result<RetentionChanged>> setRetention(const QByteArray &name, const Retention &retention, const Moment &at);
    Decided<RetentionChanged> clearRetention(const QByteArray &name, const Moment &at);
    // Does what is due, at most limits::script_items_max jobs of each kind; Swept::more says that there was more.
    Decided<Swept> sweep(const Moment &at);
    // Gives the result to its pusher, once; a repeat with the same receipt gets it again for limits::receipt_s.
    Decided<ResultNow> takeResult(const JobId &id, const QByteArray &receipt, Fetch fetch, const Moment &at);

    // For operators, of a result that waits for its pusher. Error: NotFound, also once it was taken.
    Decided<Result<Done>> discardResult(const JobId &id, const Moment &at);
    Decided<Result<Done>> extendResult(const JobId &id, qint64 ttl_ms, const Moment &at);

    // ---- Matchers ----

    // What this engine does not have of a matcher, in the words of its fields; empty: it takes it.
    static QByteArray lacks(const JobMatcher &matcher);
    // Errors: RevisionMismatch, NotFound, StoreFull. Precondition: nothing is lacking of the matcher. From the answer on no job starts in
    // violation of it. Jobs that are not read yet are read by readOn().
    Decided<Result<MatcherStore::Saved>> saveMatcher(const MatcherStore::Save &save, const Moment &at);
    // As ConstraintStore's, all buckets at once.
    Decided<Result<ConstraintStore::Switched>> switchBreaker(int constraint, const BreakerSwitch &what, const Moment &at);
    // Begins another reading of all jobs; the answer is its epoch.
    Decided<qint64> readAllAgain(const Moment &at);
    // Reads up to so many ready jobs; the answer is how many are left.
    Decided<qint64> readOn(int jobs, const Moment &at);
    qint64 unread() const { return m_admission.unread(); }
    const KeptMatchers &matchers() const { return m_matchers; }

    // As ConstraintStore's. They change nothing that anybody sees; reading a job may make a bucket. Without JobGates::asked and `ahead`.
    Result<JobGates> explain(const JobId &id);
    QList<ConstraintStore::Hold> holds(const QList<JobId> &ids);
    ConstraintStore::Held held(const QList<int> &constraints, int buckets_max) const;
    ConstraintStore::Buckets buckets(int constraint, quint64 cursor) const;
    QList<qint64> started(const QList<RateBucket> &buckets) const;

    // When the next lease, scheduled job, expiry or closing of windows falls due, or a bucket may open; 0: never.
    qint64 nextDue_ms() const;
    // What was changed when, besides jobs. A later change of a kind has a greater number, also after a load.
    const LastChanges &lastChanges() const { return m_lastChanges; }
    // The time of the last call; it never goes back.
    qint64 now_ms() const { return m_now_ms; }

    // Error: NotFound, also of another token's group that is not shared.
    Result<Group> group(const QByteArray &name, const GroupCaller &caller, const Moment &at) const;
    RetentionSettings retention() const { return m_retention.settings(); }
    // As ScheduleStore's get(), list() and due().
    Result<Schedule> schedule(const QByteArray &id) const;
    SchedulePage schedules(int limit, const QByteArray &after) const;
    DueSchedules dueSchedules(int leftOut, qint64 now_ms) const;
    ResultNow peekResult(const JobId &id) const;
    // As PastStore's; a page without its now_ms.
    ResultPage results(const ResultsRequest &request) const;
    Result<junban::KeptResult> result(const JobId &id) const;
    Result<Job> resultOwner(const JobId &id) const;
    Result<Job> job(const JobId &id) const;
    // Without what a master adds, and what constraints do.
    Overview counts() const;
    // Names in the order of their first enqueue, after `after`; from the first if there is no such name.
    QList<NameRow> names(int limit, const QByteArray &after) const;
    // As Store's; without Page::now_ms.
    Page page(const PageRequest &request) const;
    // Tracked jobs or those in the trash, as PastStore's jobsOf(); without Page::now_ms.
    Page marked(const SetPageRequest &request) const;
    QList<Job> rows(const QList<JobId> &ids, PageDetail detail) const;

private:
    friend class Loading;
    friend QByteArray difference(const Engine &a, const Engine &b);

    // What ends an attempt badly.
    struct BadEnd {
        EndedBy by = EndedBy::Failure;
        QByteArray how;                  // in the history: "failure", "timeout" or "released"
        QByteArray reason;               // the job's, if it ends by this
        QByteArray outcome;              // the outcome object
        QByteArray message;
        bool retry = false;              // a retry is wanted
        qint64 after_ms = 0;             // it comes no earlier than this
        double jitter = 0;               // 0 to 1
        int silent = 0;                  // the new count of silent leases
    };

    template<typename Answer, typename Decide>
    Decided<Answer> decided(const Moment &at, Decide decide);
    template<typename Answer, typename Item, typename Decide>
    Decided<QList<Result<Answer>>> eachDecided(const QList<Item> &items, const Moment &at, Decide decide);

    Result<Enqueued> enqueueOne(const EnqueueItem &item);
    Result<Enqueued> push(JobEntry &job, const JobSpec &spec);
    void bring(JobEntry &job, const JobSpec &spec, const JobId &ahead);
    NameEntry &nameOf(const QByteArray &name);
    QList<ClaimedJob> claimedBefore(const QByteArray &request) const;
    ClaimedJob start(JobEntry &job, const ClaimRequest &request, const Moment &at);
    Result<Finished> finishOne(const FinishItem &item);
    static BadEnd reported(EndedBy by, const Outcome &outcome, double jitter);
    Finished succeed(JobEntry &job, EndedBy by, const QByteArray &outcome);
    Finished endBadly(JobEntry &job, const BadEnd &end);
    Result<Heartbeat> heartbeatOne(const HeartbeatItem &item);
    Result<StateNow> releaseOne(const ReleaseItem &item);
    Result<StateNow> cancelOne(const CancelItem &item);
    void cancelNow(JobEntry &job, const QByteArray &by, const QByteArray &reason);
    Result<StateNow> retryOne(const RetryItem &item);
    Result<StateNow> editOne(const EditItem &item);
    void replaceSpec(JobEntry &job, const JobSpec &spec);
    Result<StateNow> handOffOne(const HandoffItem &item);
    Result<MessageTaken> takeMessageOne(const MessageItem &item);
    Result<Done> trackOne(const JobId &id, bool tracked);
    Result<StateNow> moveToTrashOne(const JobId &id, const QByteArray &by);
    Result<StateNow> restoreOne(const JobId &id, const QByteArray &by);
    bool restoreKey(JobEntry &job);
    void waitAgain(JobEntry &job, JobState bad);
    void expire(JobEntry &job, double jitter);
    int expireAttempts(JobState state, const Moment &at, bool &more);
    int promote(bool &more);
    int purge(bool &more);
    int purgeOld(JobState state, qint64 age_ms, bool &more);
    int purgeFrom(const TimedJobs &jobs, const Kept &kept, bool &more);
    bool purgeOne(JobEntry &job, int &purged, bool &more);
    int purgeTrash(bool &more);
    void forgetResults(bool &more);
    void cancelClosed(bool &more);
    void requestCancel(JobEntry &job, const QByteArray &actor, const QByteArray &details);

    void readLoaded();
    void readAgain(const std::function<bool(const QByteArray &name)> &concerned);
    Charges chargesOf(const JobEntry &job, bool &unread);
    std::map<const Bucket *, QList<JobId>> holders() const;

    Result<JobEntry *> leased(const JobId &id, const QByteArray &lease);
    void enter(JobEntry &job);
    void leave(JobEntry &job);
    void move(JobEntry &job, JobState state, qint64 order_ms, qint64 closesAt_ms = 0);
    void place(JobEntry &job, qint64 due_ms);
    struct Opening {
        qint64 at_ms = 0;
        qint64 closesAt_ms = 0;          // of one that has come; 0: never
    };
    Opening openingFrom(const JobEntry &job, qint64 due_ms) const;
    void closeWindows(bool &more);
    void note(JobEntry &job, const QByteArray &how, const QByteArray &message, bool retry, qint64 nextRunAt_ms);
    void tell(JobEntry &job, const QByteArray &what, const QByteArray &actor, const QByteArray &details = {});
    void addHistory(JobEntry &job, HistoryEntry entry);
    void setOutcome(JobEntry &job, const QByteArray &outcome);
    void count(qint64 Totals::*counter);
    void countOf(NameEntry &name, qint64 Totals::*counter);
    void changed(JobEntry &job, Part part);
    void changed(Topic topic);

    std::optional<Result<Enqueued>> meetHolder(const JobSpec &spec, JobId &ahead);
    void coalesce(JobEntry &job, const JobSpec &spec);
    void share(JobEntry &job, const QByteArray &token);
    void giveKey(JobEntry &job);
    void freeKey(JobEntry &job);
    bool takeKeyAgain(JobEntry &job);
    bool moveKey(JobEntry &job, const JobSpec &spec);
    void addSpecial(JobEntry &job, const JobSpec &spec, const JobId &ahead, qint64 due_ms);
    std::optional<JobState> badEndAmong(const JobSpec &spec) const;
    QList<JobId> waitsFor(const JobEntry &job) const;
    void followEnd(JobEntry &job);
    void pushFollowing(JobEntry &job);
    Result<Enqueued> pushDerived(const JobId &parent, int place, const JobSpec &spec);
    Result<Enqueued> pushAs(const JobId &id, const JobSpec &spec);
    void followUp(bool &more);
    void tellDependents(bool &more);
    void tellOfEnd(JobEntry &job, const JobId &parent);
    void noteDependencyEnd(JobEntry &job, JobState parent);
    void tellAgain();
    bool mayStart(JobEntry &job);
    void expireJobs(bool &more);
    void expireUnstarted(JobEntry &job);
    void endByDependency(JobEntry &job, JobState parent);
    void endUnstarted(JobEntry &job, JobState state, const QByteArray &reason, const QByteArray &message);

    bool mayJoinGroup(const JobSpec &spec) const;
    JobGroup &useGroup(const QByteArray &name, const GroupCaller &caller);
    void joinGroup(const JobSpec &spec);
    void leaveGroup(const JobEntry &job);
    void rejoinGroup(const JobEntry &job);
    void settleGroups();
    void settle(JobGroup &group);

    Fired fireOne(const FireItem &item, qint64 &nextDue_ms);
    std::optional<Fired> firedBefore(const KeptSchedule &kept, const JobId &job) const;
    JobEntry *lastOf(const KeptSchedule &kept);
    Result<Fired> makeScheduled(KeptSchedule &kept, const JobId &id, Overlap overlap, ScheduleRun &run, qint64 &nextDue_ms);
    Schedule shownSchedule(const KeptSchedule &kept, bool withRuns) const;

    void keepResult(const JobEntry &job, const QByteArray &outcome);
    void dropResult(const JobId &id);
    const KeptResult *waiting(const JobId &id) const;
    using ResultsByEnd = std::set<std::pair<qint64, JobId>>;
    ResultsByEnd &byEnd(const KeptResult &result);
    std::pair<qint64, JobId> lastEnded() const;
    qint64 resultsWaiting() const;
    junban::KeptResult shown(const KeptResult &result) const;
    Job listed(const JobEntry &job, PageDetail detail) const;
    void showSpecial(Job &shown, const JobEntry &job) const;
    QList<const JobEntry *> after(const PageRequest &request) const;
    void fill(Page &page, const QList<const JobEntry *> &jobs, int limit, PageDetail detail, double (*order)(const JobEntry &)) const;

    void writeChanges();
    void write(JobEntry &job);
    void writeRecord(JobEntry &job);
    void writeOutcome(JobEntry &job);
    void writeThen(JobEntry &job);
    void writeMarks(JobEntry &job);
    void writeResult(KeptResult &result);
    void writeName(NameEntry &name);
    void writeTotals();
    void removeJob(JobEntry &job);
    void removeResultFields(const KeptResult &result);

    Settings m_settings;
    qint64 m_now_ms = 0;
    JobTable m_jobs;
    KeptMatchers m_matchers;
    Buckets m_buckets;
    Admission m_admission;
    Segments m_segments;
    IdempotencyKeys m_keys;
    Messages m_messages;
    JobGroups m_groups;
    KeptSchedules m_schedules;
    KeptRetention m_retention;
    std::unordered_map<JobId, KeptResult, HashOfId> m_results;
    ResultsByEnd m_waitingResults, m_takenResults;
    LastChanges m_lastChanges;           // not in Redis
    Totals m_totals;
    bool m_totalsChanged = false;        // they, or those of some names, were not written since
    QList<NameEntry *> m_changedNames;
    // Of the present call:
    Writes m_writes;
    Hints m_wake;
    QList<JobEntry *> m_changed;         // jobs with changed Parts, each once
    QList<QByteArray> m_leftGroups;      // groups of jobs that have ended
    const std::function<bool(const QByteArray &id)> *m_isToken = nullptr;
};

template<typename Answer, typename Decide>
Decided<Answer> Engine::decided(const Moment &at, Decide decide)
{
    m_now_ms = std::max(m_now_ms, at.now_ms);
    m_isToken = at.isToken;
    Answer answer = decide();
    bool more = false; // the sweep does the rest
    followUp(more);
    writeChanges();
    return {std::move(answer), std::exchange(m_writes, {}), std::exchange(m_wake, {})};
}

template<typename Answer, typename Item, typename Decide>
Decided<QList<Result<Answer>>> Engine::eachDecided(const QList<Item> &items, const Moment &at, Decide decide)
{
    return decided<QList<Result<Answer>>>(at, [&] {
        QList<Result<Answer>> answers;
        answers.reserve(items.size());
        for (const Item &item : items)
            answers.append(decide(item));
        return answers;
    });
}

} // namespace junban::engine
