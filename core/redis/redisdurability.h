#pragma once

#include "core/durability.h"
#include "core/nextpass.h"
#include "core/redis/link.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QTimer>
#include <vector>

namespace junban::redis {

// WAIT and WAITAOF on a connection of its own, one for all who ask meanwhile. A connection waits for what it wrote itself, so each batch
// writes a little first, after the jobs it waits for. It looks for those jobs there too: after a failover this connection and the one
// that enqueued them may have reached different servers.
class RedisDurability : public QObject, public Durability
{
    Q_OBJECT

public:
    RedisDurability(Address address, const QByteArray &namespaceName, QObject *parent = nullptr);
    ~RedisDurability() override;

    // Connects when it is first asked.
    void after(DurabilityLevel level, JobId job, Callback<DurabilityLevel> callback) override;

private:
    struct Waiting {
        DurabilityLevel level;
        JobId job;
        Callback<DurabilityLevel> callback;
        qint64 since_ms;
        bool present = false;
    };
    struct Batch;
    void learn();
    std::optional<qint64> replicasNeeded(const QByteArray &info);
    void flush();
    void send(const std::shared_ptr<Batch> &batch);
    void end(const std::shared_ptr<Batch> &batch);

    Link m_link;
    QByteArray m_prefix;
    NextPass m_pass;
    QTimer m_again;
    std::vector<Waiting> m_waiting;
    bool m_started = false;
    bool m_busy = false;
    bool m_learnt = false;
    bool m_fsyncAlways = false;    // a reply comes after the fsync
    bool m_waitaof = false;
    QByteArray m_history;          // of the primary whose replicas were counted
    QHash<QByteArray, QElapsedTimer> m_replicas; // by address, with the time since it left
};

} // namespace junban::redis
