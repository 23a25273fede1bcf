#pragma once

#include "core/operators/breakers.h"
#include "core/operators/constraintinspector.h"
#include "core/operators/inspector.h"
#include "core/operators/lookback.h"
#include "core/operators/matchereditor.h"
#include "core/operators/previewer.h"
#include "core/operators/rereader.h"
#include "core/queue/changes.h"
#include "core/queue/queue.h"
#include "core/queue/scheduler.h"
#include "server/api/auth.h"
#include "server/api/call.h"
#include "server/api/router.h"
#include "server/http/exchange.h"

#include <QHash>

namespace junban::api {

// What the API needs of matchers and constraints.
struct Matching {
    Matchers &matchers;
    MatcherEditor &editor;
    Rereader &rereader;
    ConstraintInspector &inspector;
    Previewer &previewer;
    Breakers &breakers;
};

// The HTTP API of openapi/master.yaml over the queue and the inspector: routing, who may, encodings, and one thin handler for each
// operation. One per engine thread. Threads: that one.
class Api
{
public:
    // The engine's parts must outlive it. Stops the process when document and handlers do not fit each other.
    Api(Queue &queue, Inspector &inspector, Changes &changes, Scheduler &scheduler, Lookback &lookback, Matching matching,
        AuthOptions auth);

    void handle(const http::Exchange &exchange);
    // For ServerOptions::bodyLimit.
    qint64 bodyLimit(const QByteArray &method, const QByteArray &path) const;
    // The operations that have a handler.
    QList<QByteArray> operations() const { return m_handlers.keys(); }
    static QByteArray document();

private:
    using Handler = void (Api::*)(const Call &);

    void readBody(Call &call);
    void run(const Call &call);
    // Takes the id out of the path; answers 404 when it is none.
    std::optional<JobId> idOf(const Call &call) const;

    // api/jobs.cpp
    void enqueueJob(const Call &call);
    void answerWithResult(const Call &call, Enqueued enqueued, const QByteArray &receipt, qint64 wait_ms);
    void enqueueJobs(const Call &call);
    void getResult(const Call &call);
    void cancelJob(const Call &call);
    void retryJob(const Call &call);
    // api/changes.cpp
    void editJob(const Call &call);
    void handOff(const Call &call);
    void takeMessage(const Call &call);
    void putGroup(const Call &call);
    void getGroup(const Call &call);
    // api/claims.cpp
    void claimJobs(const Call &call);
    void reportOutcome(const Call &call);
    void reportOutcomes(const Call &call);
    void heartbeat(const Call &call);
    void heartbeats(const Call &call);
    void release(const Call &call);
    void giveBack(const QList<ClaimedJob> &jobs);
    // api/observe.cpp
    void listJobs(const Call &call);
    void getJob(const Call &call);
    void getOverview(const Call &call);
    void listNames(const Call &call);
    void getDoctor(const Call &call);
    void getHealth(const Call &call);
    void getReadiness(const Call &call);
    void getOpenApi(const Call &call);
    void getDocs(const Call &call);
    // api/upkeep.cpp
    void checkNamespace(const Call &call);
    // api/schedules.cpp
    void listSchedules(const Call &call);
    void getSchedule(const Call &call);
    void putSchedule(const Call &call);
    void deleteSchedule(const Call &call);
    void runSchedule(const Call &call);
    void pauseSchedule(const Call &call);
    void resumeSchedule(const Call &call);
    // api/matchers.cpp
    void listMatchers(const Call &call);
    void getMatcher(const Call &call);
    void putMatcher(const Call &call);
    void deleteMatcher(const Call &call);
    void previewMatcher(const Call &call);
    void listRevisions(const Call &call);
    void revertMatcher(const Call &call);
    void pause(const Call &call);
    void resume(const Call &call);
    void endPauses(const Call &call, QList<JobMatcher> left, QList<JobMatcher> ended);
    void listPauses(const Call &call);
    // api/constraints.cpp
    void listConstraints(const Call &call);
    void listBuckets(const Call &call);
    void overrideBucket(const Call &call);
    void tripBreaker(const Call &call);
    void resetBreaker(const Call &call);
    void changeBreaker(const Call &call, BreakerState to);
    void listHeld(const Call &call);
    void explainJob(const Call &call);
    // api/records.cpp
    std::optional<QByteArray> signatureOf(const Call &call) const;
    void listSet(const Call &call, JobSet set, const Inspector::ListRequest &request);
    void deleteJob(const Call &call);
    void restoreJob(const Call &call);
    void duplicateJob(const Call &call);
    void trackJob(const Call &call);
    void untrackJob(const Call &call);
    void discardResult(const Call &call);
    void extendResult(const Call &call);
    void listFailures(const Call &call);
    void getFailures(const Call &call);
    void changeFailures(const Call &call, const QByteArray &signature, const FailureGroupChange &change);
    void resolveFailures(const Call &call);
    void muteFailures(const Call &call);
    void retryFailures(const Call &call);
    void listResults(const Call &call);
    void getStats(const Call &call);
    void getSeries(const Call &call);
    void getRetention(const Call &call);
    void setRetention(const Call &call);
    void clearNameRetention(const Call &call);

    Queue &m_queue;
    Inspector &m_inspector;
    Changes &m_changes;
    Scheduler &m_scheduler;
    Lookback &m_lookback;
    Matching m_matching;
    Auth m_auth;
    Router m_router;
    QHash<QByteArray, Handler> m_handlers; // by operationId
};

} // namespace junban::api
