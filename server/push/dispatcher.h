#pragma once

#include "core/base/clock.h"
#include "core/operators/tokens.h"
#include "core/operators/workers.h"
#include "core/queue/queue.h"
#include "server/push/httpcall.h"

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <functional>
#include <map>

namespace junban::push {

// Gives jobs to the workers that serve HTTP: for each of them it claims as any worker does, calls the worker, and reports what it answered.
// Every engine of every master does so for every worker; the store hands out no more jobs than a worker has slots. Threads: the engine's.
class Dispatcher : public QObject
{
    Q_OBJECT

public:
    // All must outlive it.
    Dispatcher(Queue &queue, Workers &workers, Tokens &tokens, Clock &clock, CallOptions options, QObject *parent = nullptr);
    ~Dispatcher() override;

    void start();
    // Nothing is claimed after this. `idle` is called when no call is under way, later.
    void stop(std::function<void()> idle);

private:
    // A job and its lease: a worker may get a job again before the call of the attempt before has ended.
    using RunKey = std::pair<JobId, QByteArray>;
    struct Run {
        ClaimedJob job;
        QPointer<HttpCall> call;         // null: the worker has accepted the job and reports by itself
        qint64 since_ms = 0;             // Clock::monotonic_ms
        bool cancelSent = false;
    };
    // A worker.
    struct Line {
        WorkerStore::Steered its;
        Queue::WaitId wait = 0;
        bool claiming = false;
        bool resting = false;            // it could not be called a short time ago
        int rest_ms = 0;                 // the last rest
        qint64 healthAt_ms = 0;          // when it is asked next how it is
        std::map<RunKey, Run> runs;
    };
    using Claimed = junban::Claimed;

    void follow();
    void fill(const QByteArray &worker);
    void claimed(const QByteArray &worker, const Result<Claimed> &claimed);
    void fillIn(const QByteArray &worker, int ms);
    void run(const QByteArray &worker, ClaimedJob job);
    void answered(const QByteArray &worker, const RunKey &key, Fate fate, const HttpAnswer &answer, const Reason &trouble);
    void report(const QByteArray &worker, const ClaimedJob &job, const Outcome &outcome);
    void giveBack(const ClaimedJob &job, bool untouched);
    void rest(const QByteArray &worker, const Reason &trouble, std::optional<qint64> wanted_ms);
    void askHealth(const QByteArray &worker);
    void beat();
    void beaten(const QByteArray &worker, const RunKey &key, const Result<Heartbeat> &heartbeat);
    void forwardCancel(const Line &line, const ClaimedJob &job);
    HttpCall *call(const Line &line, CallRequest request, qint64 deadline_ms, HttpCall::Ended ended);
    void ended(const QByteArray &worker, const RunKey &key);
    Line *lineOf(const QByteArray &worker);
    bool mayCall(const Line &line) const;
    void tellIdle();

    Queue &m_queue;
    Workers &m_workers;
    Tokens &m_tokens;
    Clock &m_clock;
    const CallOptions m_options;
    QTimer m_beat;
    std::map<QByteArray, Line> m_lines;
    std::function<void()> m_idle;
    bool m_running = false;
};

} // namespace junban::push
