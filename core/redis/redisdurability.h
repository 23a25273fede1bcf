#pragma once

#include "core/base/nextpass.h"
#include "core/redis/link.h"
#include "core/redis/replication.h"
#include "core/store/durability.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QTimer>
#include <vector>

namespace junban::redis {

// Looks after jobs until they are as safe as was asked for, on a connection of its own, one batch at a time for all who ask meanwhile.
//
// `replicated` is reached when a server that still is the primary afterwards has the job, its append-only file is written so far (or it
// keeps none), and every server that may take its place has acknowledged it. Each of them must be named: those that WAIT counts may be
// others. After a failover this connection and the one that enqueued may have reached different servers, so the jobs are looked for here.
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
    using BatchPtr = std::shared_ptr<Batch>;
    void learn();
    void flush();
    void answerLate();
    void send(const BatchPtr &batch);
    void writeALittle();
    void waitForReplicas(const BatchPtr &batch);
    void look(const BatchPtr &batch);
    void judge(const BatchPtr &batch);
    void end(const BatchPtr &batch);
    void noteReplicas(const ReplicationState &state);
    QList<QByteArray> mustHave(const ReplicationState &state, const Successors &successors) const;

    Link m_link;
    QByteArray m_prefix;
    NextPass m_pass;
    QTimer m_again;
    std::vector<Waiting> m_waiting;
    bool m_started = false;
    bool m_busy = false;
    bool m_learnt = false;
    bool m_missing = false;        // a server that may take over did not follow when it was last looked: no use in waiting
    bool m_fsyncAlways = false;    // a reply comes after the fsync
    bool m_waitaof = false;
    QByteArray m_history;          // of the primary that had m_replicas
    // It has been seen with no rewrite of its append-only file. One that was a replica a moment ago may still be making its first; until
    // that one is done a restart would read what it had before.
    bool m_fileBegun = false;
    QHash<QByteArray, QElapsedTimer> m_replicas; // by address, with the time since it left; used where an operator chooses the next primary
};

} // namespace junban::redis
