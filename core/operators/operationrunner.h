#pragma once

#include "core/base/clock.h"
#include "core/operators/matchers.h"
#include "core/queue/changes.h"
#include "core/store/operationstore.h"

#include <QObject>
#include <QSet>
#include <QTimer>

namespace junban {

// Works on operations, a slice after the other. It runs in every master without a leader: the store gives an operation to one master at a
// time, and to another one when that has not been heard of for limits::operation_lease_s. Threads: the engine's.
class OperationRunner : public QObject
{
    Q_OBJECT

public:
    // All must outlive it.
    OperationRunner(OperationStore &operations, Store &store, Changes &changes, Matchers &matchers, Clock &clock,
        QObject *parent = nullptr);

    void start();
    // This engine begins no slice after this; another master goes on.
    void stop();
    // Takes what nobody works on, now instead of within limits::sweep_ms.
    void look();

private:
    void work(const QByteArray &id, OperateItem item);
    void worked(const QByteArray &id, const Result<Operated> &operated);
    void take(const QByteArray &id, const Operated &given);
    void change(const BulkOperation &operation, const Operated &given);
    void changeJob(const BulkOperation &operation, JobId id, Callback<QByteArray> callback);
    void judge(const BulkOperation &operation, const Operated &given);
    void tell(const QByteArray &id, qint64 position, const QList<Result<QByteArray>> &outcomes);

    OperationStore &m_operations;
    Store &m_store;
    Changes &m_changes;
    Matchers &m_matchers;
    Clock &m_clock;
    QTimer m_timer;
    QSet<QByteArray> m_working;
    bool m_running = false;
};

} // namespace junban
