#pragma once

#include "client/administrationcalls.h"
#include "client/apilink.h"
#include "client/jobcalls.h"
#include "client/pastcalls.h"
#include "client/schedulecalls.h"
#include "client/tokencalls.h"
#include "client/workercalls.h"

#include <QPointer>

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

// A typed client of the master's HTTP API, in MessagePack. It keeps no queue state and repeats nothing by itself.
//
// Threads: one, the one it was made on, which must run an event loop. Callbacks: exactly once each, later, on that thread; a call
// that is cancelled or outlives the client is called back with Cancelled. Ownership: the client owns its requests. Errors: what
// the master's problem documents say, field included; Unreachable when no answer came (refused, deadline, not our protocol);
// Malformed when an answer cannot be understood.
class ApiClient : public ApiLink,
                  public JobCalls,
                  public WorkerCalls,
                  public ScheduleCalls,
                  public PastCalls,
                  public AdministrationCalls,
                  public TokenCalls
{
    Q_OBJECT

public:
    explicit ApiClient(Options options, QObject *parent = nullptr)
        : ApiLink(std::move(options), parent)
        , JobCalls(static_cast<ApiLink &>(*this))
        , WorkerCalls(static_cast<ApiLink &>(*this))
        , ScheduleCalls(static_cast<ApiLink &>(*this))
        , PastCalls(static_cast<ApiLink &>(*this))
        , AdministrationCalls(static_cast<ApiLink &>(*this))
        , TokenCalls(static_cast<ApiLink &>(*this))
    {
    }

    ~ApiClient() override { close(); }

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

private:
    template<typename T>
    CallId checkedCall(const Request &request, Result<T> (*decode)(QByteArrayView), Callback<Checked<T>> callback);
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
