#pragma once

#include "core/base/clock.h"
#include "core/operators/failuretally.h"
#include "core/operators/leasewatch.h"
#include "core/store/workerstore.h"

#include <QHash>
#include <QObject>
#include <QTimer>

namespace junban {

// The workers: what this engine hears of them, which it writes to the store about once a second, and those that are registered or
// draining, which it knows by heart. Changes of other engines are seen a second later. Threads: the engine's.
class Workers : public QObject
{
    Q_OBJECT

public:
    // The store must outlive it.
    explicit Workers(WorkerStore &store, QObject *parent = nullptr);

    // Optional; both must outlive it. Without them a worker is never late, and what timed out in its hands does not count.
    void setWatches(LeaseWatch *leases, FailureTally *failures);

    void start();
    // Nothing begins here after this; what was heard is written.
    void stop();

    // The worker has asked for jobs, renewed a lease, or answered.
    void heard(const QByteArray &worker);
    void heard(const QByteArray &worker, const WorkerTold &told);
    // An attempt of the worker was reported.
    void ended(const QByteArray &worker, bool success, qint64 ran_ms);
    // It could not be called.
    void failed(const QByteArray &worker, const Reason &trouble);

    // The worker, if it is registered or draining; null otherwise.
    const WorkerStore::Steered *steered(const QByteArray &worker) const;
    bool isDraining(const QByteArray &worker) const;
    QList<WorkerStore::Steered> served() const;

    // Errors as WorkerStore's.
    void list(int limit, QByteArray after, Callback<WorkerPage> callback);
    void steer(WorkerStore::Steer steer, Callback<Done> callback);

Q_SIGNALS:
    // Workers were registered, changed, deleted, drained or resumed.
    void changed();
    // An attempt of the worker was reported to this engine.
    void freed(const QByteArray &worker);

private:
    WorkerStore::News &newsOf(const QByteArray &worker);
    void look();
    void write();
    void refresh(std::function<void()> then);

    void judge(Worker &worker, qint64 now_ms) const;

    WorkerStore &m_store;
    LeaseWatch *m_leases = nullptr;
    FailureTally *m_failures = nullptr;
    QTimer m_timer;
    QHash<QByteArray, WorkerStore::News> m_news;
    QHash<QByteArray, WorkerTold> m_told;    // as it was written last
    QHash<QByteArray, WorkerStore::Steered> m_steered;
    QByteArray m_version;
    bool m_running = false;
};

} // namespace junban
