#pragma once

#include "core/base/clock.h"
#include "core/jobs/jobcalls.h"
#include "core/msgpack/fieldtable.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/operators/auditor.h"
#include "core/operators/breakers.h"
#include "core/operators/constraintinspector.h"
#include "core/operators/inspector.h"
#include "core/operators/lookback.h"
#include "core/operators/masker.h"
#include "core/operators/meter.h"
#include "core/operators/matchereditor.h"
#include "core/operators/operations.h"
#include "core/operators/previewer.h"
#include "core/operators/rereader.h"
#include "core/operators/sessions.h"
#include "core/operators/situation.h"
#include "core/operators/tokens.h"
#include "core/operators/workers.h"
#include "core/queue/changes.h"
#include "core/queue/newswaits.h"
#include "core/queue/queue.h"
#include "core/queue/scheduler.h"
#include "core/store/filterstore.h"
#include "server/api/answers.h"
#include "server/api/call.h"
#include "server/api/times.h"

#include <span>

// The handlers of the API: one file for each theme, with a list of its operations at its end. A handler has no rules of its own: it
// reads the request by its field table, calls a part of the engine, and writes the answer by its table.
namespace junban::api {

// What the API needs of matchers and constraints.
struct Matching {
    Matchers &matchers;
    MatcherEditor &editor;
    Rereader &rereader;
    ConstraintInspector &inspector;
    Previewer &previewer;
    Breakers &breakers;
    Situation &situation;
};

// What it needs of frozen views and operations.
struct Bulk {
    Freezer &freezer;
    Operations &operations;
};

class Auditing;

// The parts of an engine.
struct Parts {
    Queue &queue;
    Inspector &inspector;
    Changes &changes;
    Scheduler &scheduler;
    Lookback &lookback;
    Matching matching;
    Bulk bulk;
    Meter &meter;
    NewsWaits &news;
    Tokens &tokens;
    Sessions &sessions;
    FilterStore &filters;
    Workers &workers;
    Masker &masker;
    Auditor &auditor;
    const Clock &clock;
    std::shared_ptr<Times> times;
    const Auth &auth;
    const Auditing &auditing;
};

// How a master that does not lead its namespace passes a request on to the leader. Again: a second time, too, if the answer is lost; its
// handler makes everything by the request's id, or finds what it did. All that only reads is Again without saying so. Here: not at all.
enum class Passed { Once, Again, Here };

// The gate calls what pushers and workers ask for each job (http::Place::isDirect), QtHttpServer all else.
enum class CalledBy { QtHttpServer, Gate };

struct Operation {
    const char *id;                  // operationId in openapi/master.yaml
    void (*handle)(const Parts &parts, const Call &call);
    CalledBy calledBy = CalledBy::QtHttpServer;
    Passed passed = Passed::Once;
};
constexpr Operation here(const char *id, void (*handle)(const Parts &parts, const Call &call))
{
    return {id, handle, CalledBy::QtHttpServer, Passed::Here};
}
extern const std::span<const Operation> jobOperations;
extern const std::span<const Operation> claimOperations;
extern const std::span<const Operation> reportOperations;
extern const std::span<const Operation> resultOperations;
extern const std::span<const Operation> scheduleOperations;
extern const std::span<const Operation> operationOperations;
extern const std::span<const Operation> pastOperations;
extern const std::span<const Operation> matcherOperations;
extern const std::span<const Operation> previewOperations;
extern const std::span<const Operation> pauseOperations;
extern const std::span<const Operation> constraintOperations;
extern const std::span<const Operation> administrationOperations;
extern const std::span<const Operation> liveOperations;
extern const std::span<const Operation> metricsOperations;
extern const std::span<const Operation> tokenOperations;
extern const std::span<const Operation> sessionOperations;
extern const std::span<const Operation> filterOperations;
extern const std::span<const Operation> auditOperations;
extern const std::span<const Operation> workerOperations;

// For a request that another master has passed on: the id of the first job that it pushes, and the receipt for a result, if its caller
// names none. So the same request again makes no second job and gets the same result. Otherwise null, and what the caller names.
JobId firstIdOf(const Call &call);
Result<QByteArray> receiptOf(const Call &call);

// A claim as the queue takes it; and the return of jobs whose answer surely did not reach the worker (claims.cpp).
ClaimRequest requestOf(const Call &call, const QByteArray &worker, const ClaimQuery &query);
void giveBack(Queue &queue, const QList<ClaimedJob> &jobs);

// Changes of matchers (matchers.cpp): the answer, which is the matcher or what is wrong with its expressions.
Callback<MatcherEditor::Saved> answeringSaved(const Call &call);

// --- Reading requests. When something is wrong, each of these answers with the problem and returns nothing. ----------------------------

// The job's id in the path.
std::optional<JobId> idOf(const Call &call);

enum class Body { Needed, MayBeEmpty };
template<typename T>
std::optional<T> bodyOf(const Call &call, const TableOf<T> &table, T value = {}, Body body = Body::Needed)
{
    const bool empty = body == Body::MayBeEmpty && call.body.isEmpty();
    Result<T> read = unpackRequest(table, empty ? QByteArrayView("\x80") : QByteArrayView(call.body), std::move(value));
    if (read.ok())
        return std::move(*read);
    call.fail(read.error());
    return {};
}
// Changes (administration.cpp): the revision that the query's `since` names; nothing when the caller wants to know the present one alone.
Result<std::optional<qint64>> sinceOf(const Call &call);

// Whether the body is empty or a map without fields, as it must be.
bool hasNoBody(const Call &call);

// Whether all of these could be read.
template<typename... T>
bool areRead(const Call &call, const Result<T> &...results)
{
    const Error *found = nullptr;
    ((found = found || results.ok() ? found : &results.error()), ...);
    if (found)
        call.fail(*found);
    return !found;
}

// --- Answers ----------------------------------------------------------------------------------------------------------------------------

template<typename T>
Callback<T> answering(const Call &call, const TableOf<T> &table, int status = 200)
{
    return [call, &table, status](const Result<T> &result) {
        if (result.ok())
            call.reply(status, pack(table, *result));
        else
            call.fail(result.error());
    };
}
// `make` turns the engine's value into the table's.
template<typename From, typename To, typename Make>
Callback<From> answering(const Call &call, const TableOf<To> &table, Make make)
{
    return [call, &table, make](const Result<From> &result) {
        if (result.ok())
            call.reply(200, pack<To>(table, make(*result)));
        else
            call.fail(result.error());
    };
}
// The only result of a batch of one.
template<typename T>
Callback<QList<Result<T>>> answeringFirst(const Call &call, const TableOf<T> &table)
{
    return [call, &table](const Result<QList<Result<T>>> &results) {
        if (results.ok() && results->first().ok())
            call.reply(200, pack(table, *results->first()));
        else
            call.fail(results.ok() ? results->first().error() : results.error());
    };
}

// {done: true}
Callback<Done> answeringDone(const Call &call);

// Each item, or {error: problem} in its place.
template<typename T>
void writeResults(MsgpackWriter &out, const QList<Result<T>> &results, const TableOf<T> &table)
{
    out.array(results.size());
    for (const Result<T> &result : results) {
        if (result.ok())
            writeFields(out, table, &*result, Written::Whole);
        else
            out.map(1).text("error").raw(encodeProblem(result.error()));
    }
}

} // namespace junban::api
