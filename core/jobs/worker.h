#pragma once

#include "core/jobs/jobid.h"
#include "core/msgpack/fieldtable.h"

#include <array>

// Workers as masters know them: those that ask for jobs, and those that serve HTTP and are called.
namespace junban {

// What a worker says of itself when it asks.
struct WorkerTold {
    QList<QByteArray> names = {};    // empty: jobs of all names
    QList<QByteArray> labels = {};
    QByteArray version = {};

    friend bool operator==(const WorkerTold &, const WorkerTold &) = default;
};

enum class WorkerEncoding { Msgpack, Json };
inline constexpr std::array<const char *, 2> workerEncodingWords = {"msgpack", "json"};

// How a worker that serves HTTP is called (openapi/worker.yaml).
struct WorkerRegistration {
    QByteArray url = {};             // http or https, without user, query and fragment
    QList<QByteArray> names = {};
    int slots = 1;                  // jobs it may have at once
    QList<QByteArray> labels = {};
    QByteArray version = {};
    QByteArray secret = {};          // signs what the master sends; empty: nothing is signed
    WorkerEncoding encoding = WorkerEncoding::Msgpack;
    qint64 lease_ms = 0;             // 0: each job's timeout

    friend bool operator==(const WorkerRegistration &, const WorkerRegistration &) = default;
};

enum class WorkerKind { Pull, Served };
enum class WorkerState { Up, Draining, Lost, Late, Unreachable };
inline constexpr std::array<const char *, 2> workerKindWords = {"pull", "served"};
inline constexpr std::array<const char *, 5> workerStateWords = {"up", "draining", "lost", "late", "unreachable"};

// A worker as operators see it.
struct Worker {
    QByteArray worker;
    WorkerKind kind = WorkerKind::Pull;
    WorkerState state = WorkerState::Up;
    WorkerTold told = {};
    qint64 firstSeen_ms = 0;
    qint64 lastContact_ms = 0;
    qint64 running = 0;
    QList<JobId> jobs = {};          // some of these, at most limits::worker_jobs_shown
    qint64 succeeded = 0;
    qint64 failed = 0;               // attempts that it reported so, and those that ended without its report
    std::optional<qint64> p50_ms = {}; // of the last attempts, at most limits::worker_runs_kept
    std::optional<qint64> p95_ms = {};
    QByteArray url = {};
    std::optional<int> slots = {};
    bool isSigned = false;
    Reason trouble = {};             // why it could not be called
    qint64 troubleAt_ms = 0;
};
struct WorkerPage {
    QList<Worker> workers = {};      // by name
    QByteArray next = {};            // empty: this is the last page
    bool complete = true;            // all running jobs were counted
};

extern const TableOf<WorkerTold> workerToldTable;
extern const TableOf<WorkerRegistration> newWorkerTable;
extern const TableOf<WorkerRegistration> workerSeenTable; // without the secret
extern const TableOf<Worker> workerTable;
extern const TableOf<WorkerPage> workerPageTable;

} // namespace junban
