#pragma once

#include "client/apirecords.h"
#include "client/apitypes.h"
#include "client/schedules.h"
#include "core/jobs/fsckreport.h"

#include <QNetworkAccessManager>
#include <QObject>
#include <QPointer>
#include <QUrl>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>

QT_BEGIN_NAMESPACE
class QNetworkReply;
class QTimer;
QT_END_NAMESPACE

// core/limits/limitrequests.h, core/limits/limitanswers.h
namespace junban {
struct BreakerQuery;
struct JobMatcher;
struct PauseQuery;
struct PreviewQuery;
}
namespace junban::answers {
struct BreakerChanged;
struct BucketPage;
struct ConstraintPage;
struct Explanation;
struct HeldList;
struct MatcherPage;
struct MatcherRevisions;
struct Pause;
struct SavedMatcher;
}

namespace junban::client {

using answers::BreakerChanged;
using answers::BucketPage;
using answers::ConstraintPage;
using answers::Explanation;
using answers::HeldList;
using answers::MatcherPage;
using answers::MatcherRevisions;
using answers::Pause;
using answers::SavedMatcher;

// client/matchers.h
template<typename T>
struct Checked;
struct MatcherPreview;

// Names one call under way; 0 is none.
using CallId = quint64;

enum class Connection { Unknown, Reachable, Unreachable };

// A typed client of the master's HTTP API, in MessagePack. It keeps no queue state and repeats nothing by itself.
//
// Threads: one, the one it was made on, which must run an event loop. Callbacks: exactly once each, later, on that thread; a call
// that is cancelled or outlives the client is called back with Cancelled. Ownership: the client owns its requests. Errors: what
// the master's problem documents say, field included; Unreachable when no answer came (refused, deadline, not our protocol);
// Malformed when an answer cannot be understood.
class ApiClient : public QObject
{
    Q_OBJECT

public:
    struct Options {
        QUrl url;                                    // "http://127.0.0.1:7717"; a path before /v1 is kept
        QByteArray token = {};                       // bearer token; empty: none is sent
        int deadline_ms = limits::client_deadline_ms; // for an answer, on top of what the call itself waits for
    };
    explicit ApiClient(Options options, QObject *parent = nullptr);
    ~ApiClient() override;

    QUrl url() const { return m_options.url; }
    bool hasToken() const { return !m_options.token.isEmpty(); }

    // Whether the last call that ended got an answer, of whatever status.
    Connection connection() const { return m_connection; }
    Error connectionError() const { return m_connectionError; }

    // Pushers
    CallId enqueue(const JobSpec &job, Callback<Enqueued> callback);
    // With follow-ups as MessagePack maps, which go as they are.
    CallId enqueue(const JobSpec &job, const QList<QByteArray> &then, Callback<Enqueued> callback);
    CallId enqueueBatch(const QList<JobSpec> &jobs, Callback<QList<Result<Enqueued>>> callback);
    // Enqueues with keep_result and waits for the result for up to `query.wait_ms`.
    CallId enqueueAndWait(const JobSpec &job, const ResultQuery &query, Callback<Answered> callback);
    CallId result(JobId id, const ResultQuery &query, Callback<ResultNow> callback);
    // Finishes the job that was handed off under the key.
    CallId message(const QByteArray &key, const Outcome &outcome, Callback<MessageTaken> callback);
    CallId group(const QByteArray &group, Callback<Group> callback);
    CallId changeGroup(const QByteArray &group, const GroupChange &change, Callback<Group> callback);
    // The body of a PUT as it is.
    CallId putGroup(const QByteArray &group, const QByteArray &body, Callback<Group> callback);

    // Workers
    CallId claim(const QByteArray &worker, const ClaimQuery &query, Callback<QList<ClaimedJob>> callback);
    CallId report(const Report &report, Callback<Finished> callback);
    // `next`: also claim, in the same round trip.
    CallId reportAll(const QByteArray &worker, const QList<Report> &reports, const std::optional<ClaimQuery> &next,
                     Callback<OutcomesReply> callback);
    CallId heartbeat(const Lease &lease, const std::optional<Progress> &progress, Callback<Heartbeat> callback);
    CallId heartbeats(const QByteArray &worker, const QList<Lease> &leases, Callback<QList<Result<Heartbeat>>> callback);
    CallId release(const Lease &lease, qint64 delay_ms, Callback<StateNow> callback);
    CallId handOff(const Lease &lease, const QByteArray &key, qint64 timeout_ms, Callback<StateNow> callback);

    // Operators
    CallId jobs(const JobQuery &query, Callback<JobPage> callback);
    CallId job(JobId id, Callback<Job> callback);
    CallId peekResult(JobId id, Callback<ResultNow> callback);
    CallId cancelJob(JobId id, CancelMode mode, Callback<StateNow> callback);
    CallId retryJob(JobId id, Callback<StateNow> callback);
    CallId editJob(JobId id, const JobEdit &edit, Callback<Job> callback);
    CallId overview(Callback<Overview> callback);
    CallId doctor(Callback<QList<Finding>> callback);
    // A part of a look for broken invariants; `next` of the answer is the cursor of the next part.
    CallId fsck(Repair repair, const QByteArray &cursor, Callback<FsckReport> callback);
    CallId names(int limit, const QByteArray &after, Callback<NamePage> callback);
    // Recurring jobs. A save is for one revision; 0: for a schedule that does not exist yet. Conflict when it is another by now.
    CallId schedules(int limit, const QByteArray &after, Callback<SchedulePage> callback);
    CallId schedule(const QByteArray &id, Callback<Schedule> callback);
    CallId saveSchedule(const QByteArray &id, const ScheduleSpec &spec, qint64 revision, Callback<Schedule> callback);
    // The body of a PUT as it is, whatever stood there before.
    CallId putSchedule(const QByteArray &id, const QByteArray &body, Callback<Schedule> callback);
    CallId deleteSchedule(const QByteArray &id, qint64 revision, Callback<Schedule> callback);
    CallId runSchedule(const QByteArray &id, Callback<Enqueued> callback);
    CallId pauseSchedule(const QByteArray &id, Callback<Schedule> callback);
    CallId resumeSchedule(const QByteArray &id, Callback<Schedule> callback);
    CallId readiness(Callback<Readiness> callback);
    // Failures in groups
    CallId failures(const FailuresQuery &query, Callback<FailureGroupPage> callback);
    CallId failureSums(Window window, GroupState state, SumBy by, Callback<FailureSums> callback);
    CallId failureGroup(const QByteArray &signature, Window window, int limit, const QByteArray &cursor, Callback<FailurePage> callback);
    CallId resolveFailures(const QByteArray &signature, bool resolved, Callback<FailureGroup> callback);
    // 0: not muted any more.
    CallId muteFailures(const QByteArray &signature, qint64 until_ms, Callback<FailureGroup> callback);
    // At most limits::failure_retry_max jobs; call again while some are left.
    CallId retryFailures(const QByteArray &signature, int limit, Callback<GroupRetried> callback);
    // Results that wait
    CallId results(int limit, const QByteArray &cursor, Callback<ResultPage> callback);
    CallId discardResult(JobId id, Callback<Done> callback);
    CallId extendResult(JobId id, qint64 ttl_ms, Callback<KeptResult> callback);
    // Charts and statistics
    CallId stats(const StatsQuery &query, Callback<StatsPage> callback);
    CallId series(Metric metric, qint64 range_s, Callback<SeriesData> callback);
    // Retention; `name` empty: for all.
    CallId retention(Callback<RetentionSettings> callback);
    CallId setRetention(const QByteArray &name, const Retention &retention, Callback<RetentionSettings> callback);
    CallId clearRetention(const QByteArray &name, Callback<RetentionSettings> callback);
    // Stars, the trash, the same again
    CallId track(JobId id, bool tracked, Callback<Done> callback);
    CallId deleteJob(JobId id, Callback<StateNow> callback);
    CallId restoreJob(JobId id, Callback<StateNow> callback);
    CallId duplicateJob(JobId id, Callback<Enqueued> callback);

    // JobMatchers and what they hold (client/matchers.h). A save, a revert and a delete are for one revision; 0: for a matcher that does
    // not exist. RevisionMismatch when it is another by now. Expressions that do not compile are an answer, with their positions.
    CallId matchers(int limit, const QByteArray &after, Callback<MatcherPage> callback);
    CallId matcher(const QByteArray &id, Callback<SavedMatcher> callback);
    CallId saveMatcher(const JobMatcher &matcher, qint64 revision, Callback<Checked<SavedMatcher>> callback);
    CallId deleteMatcher(const QByteArray &id, qint64 revision, Callback<SavedMatcher> callback);
    CallId matcherRevisions(const QByteArray &id, Callback<MatcherRevisions> callback);
    CallId revertMatcher(const QByteArray &id, qint64 to, qint64 revision, Callback<SavedMatcher> callback);
    CallId previewMatcher(const PreviewQuery &query, Callback<Checked<MatcherPreview>> callback);
    CallId constraints(int limit, const QByteArray &after, Callback<ConstraintPage> callback);
    CallId buckets(const QByteArray &constraint, const QByteArray &cursor, Callback<BucketPage> callback);
    // Other parameters for one key, as a packed map (empty: none any more), as an edit of the constraint's matcher, whose revision this is.
    CallId overrideBucket(const QByteArray &constraint, const QByteArray &key, const QByteArray &fields, qint64 revision,
        Callback<SavedMatcher> callback);
    CallId changeBreaker(const QByteArray &constraint, const BreakerQuery &query, Callback<BreakerChanged> callback);
    CallId held(int limit, Callback<HeldList> callback);
    CallId explain(JobId id, Callback<Explanation> callback);
    CallId pause(const PauseQuery &query, Callback<Checked<Pause>> callback);
    // `id` empty: all of them.
    CallId resume(const QByteArray &id, Callback<QList<Pause>> callback);
    CallId pauses(Callback<QList<Pause>> callback);

    // Ends a call: it is called back with Cancelled, later. Does nothing when it has ended already.
    void cancel(CallId call);

Q_SIGNALS:
    void connectionChanged();

private:
    enum class Method { Get, Post, Put, Patch, Delete };
    struct Answer {
        int status = 0;
        QByteArray type;         // Content-Type
        QByteArray resultHeader; // Junban-Result
        QByteArray body;
        qint64 trip_ms = 0;
    };
    using Finish = std::function<void(Result<Answer>)>;
    struct Call {
        QNetworkReply *reply = nullptr;
        QTimer *deadline = nullptr;
        Finish finish;
        QByteArray body;
        qint64 startedAt_ms = 0;
        bool cancelled = false;
        bool late = false;
        bool tooLong = false;
    };
    struct Request {
        Method method = Method::Get;
        QString path;            // percent-encoded
        QList<QPair<QString, QByteArray>> query = {};
        QByteArray body = {};
        qint64 wait_ms = 0;      // the call's own waiting, on top of the deadline
        QList<QPair<QByteArray, QByteArray>> fields = {};
    };

    CallId send(const Request &request, Finish finish);
    template<typename T>
    CallId call(const Request &request, std::function<Result<T>(const Answer &)> decode, Callback<T> callback);
    template<typename T>
    CallId checkedCall(const Request &request, Result<T> (*decode)(QByteArrayView), Callback<Checked<T>> callback);
    void readSome(CallId id);
    void ended(CallId id);
    Result<Answer> answerOf(Call &call) const;
    void setConnection(Connection connection, Error error);

    Options m_options;
    QNetworkAccessManager m_network;
    std::unordered_map<CallId, Call> m_calls;
    CallId m_lastCall = 0;
    Connection m_connection = Connection::Unknown;
    Error m_connectionError;
};

// A callback that is not called any more once `context` is gone: for callbacks that touch a widget.
template<typename T, typename F>
Callback<T> guarded(QObject *context, F function)
{
    return [guard = QPointer<QObject>(context), function = std::move(function)](Result<T> result) mutable {
        if (guard)
            function(std::move(result));
    };
}

} // namespace junban::client
