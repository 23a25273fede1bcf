#pragma once

#include "core/base/reason.h"
#include "core/base/result.h"
#include "core/jobs/worker.h"

namespace junban {

// What is kept of workers. Threads, callbacks and errors as Store's.
class WorkerStore
{
public:
    WorkerStore() = default;
    WorkerStore(const WorkerStore &) = delete;
    WorkerStore &operator=(const WorkerStore &) = delete;
    virtual ~WorkerStore() = default;

    // What an engine heard of a worker since it last wrote.
    struct News {
        QByteArray worker;
        bool heard = false;              // it was heard of
        std::optional<WorkerTold> told = {};
        qint64 succeeded = 0;
        qint64 failed = 0;
        QList<qint64> runs_ms = {};      // how long these attempts took, at most limits::worker_runs_kept
        Reason trouble = {};             // why it could not be called
    };
    // At most limits::script_items_max. A worker beyond limits::workers_max is not kept.
    virtual void note(QList<News> news, Callback<Done> callback) = 0;

    struct Page {
        QList<Worker> workers;           // by name; without a state
        bool end = true;                 // this is the last page
        bool complete = true;            // all running jobs were counted
        qint64 now_ms = 0;
    };
    virtual void list(int limit, QByteArray after, Callback<Page> callback) = 0;

    // A worker that is registered or draining.
    struct Steered {
        QByteArray worker;
        std::optional<WorkerRegistration> registration = {};
        QByteArray token = {};           // the id of the token that registered it; empty: none was needed
        bool draining = false;
    };
    struct AllSteered {
        QByteArray version;              // another after every change; never empty
        QList<Steered> workers;          // in no order
    };
    // No workers when the version is still `known` (empty: none is).
    virtual void steered(QByteArray known, Callback<AllSteered> callback) = 0;

    enum class Verb { Register, Delete, Drain, Resume };
    struct Steer {
        QByteArray worker;
        Verb verb = Verb::Drain;
        WorkerRegistration registration = {}; // Register only
        QByteArray token = {};           // of the caller
        bool any = false;                // the caller may change what another token registered
    };
    // NotFound; Conflict when another token registered it, or there are too many.
    virtual void steer(Steer steer, Callback<Done> callback) = 0;
};

} // namespace junban
