#include "core/jobs/worker.h"
#include "server/api/handlers.h"
#include "server/api/scoping.h"

// Workers: those that were heard of, and those that are registered to be called.
namespace junban::api {

namespace {

void listWorkers(const Parts &parts, const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    const Result<QByteArray> after = call.name("after");
    if (areRead(call, limit, after))
        parts.workers.list(*limit, *after, answering(call, workerPageTable));
}

// What a worker may change of itself is what its own token registered; operators may change all.
WorkerStore::Steer steerBy(const Caller &caller, const QByteArray &worker, WorkerStore::Verb verb)
{
    return {worker, verb, {}, tokenOf(caller), hasRole(caller, Role::Operator) || hasRole(caller, Role::Admin)};
}

void registerWorker(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> worker = call.pathName("worker");
    std::optional<WorkerRegistration> registration = worker ? bodyOf(call, newWorkerTable) : std::nullopt;
    if (!registration)
        return;
    ClaimQuery claim{registration->names};
    if (const std::optional<Error> error = keepToScope(call.caller, claim)) {
        call.fail(*error);
        return;
    }
    registration->names = claim.names;
    WorkerStore::Steer steer = steerBy(call.caller, *worker, WorkerStore::Verb::Register);
    steer.registration = std::move(*registration);
    call.auditAfter(pack(workerSeenTable, steer.registration));
    parts.workers.steer(std::move(steer), answeringDone(call));
}

void steer(const Parts &parts, const Call &call, WorkerStore::Verb verb)
{
    const std::optional<QByteArray> worker = call.pathName("worker");
    if (worker && hasNoBody(call))
        parts.workers.steer(steerBy(call.caller, *worker, verb), answeringDone(call));
}

void deleteWorker(const Parts &parts, const Call &call)
{
    steer(parts, call, WorkerStore::Verb::Delete);
}

void drainWorker(const Parts &parts, const Call &call)
{
    steer(parts, call, WorkerStore::Verb::Drain);
}

void resumeWorker(const Parts &parts, const Call &call)
{
    steer(parts, call, WorkerStore::Verb::Resume);
}

constexpr Operation workerHandlers[] = {{"listWorkers", listWorkers}, {"registerWorker", registerWorker}, {"deleteWorker", deleteWorker},
    {"drainWorker", drainWorker}, {"resumeWorker", resumeWorker}};

} // namespace

const std::span<const Operation> workerOperations = workerHandlers;

} // namespace junban::api
