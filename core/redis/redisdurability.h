#pragma once

#include "core/base/clock.h"
#include "core/base/nextpass.h"
#include "core/redis/link.h"
#include "core/redis/replication.h"
#include "core/store/durability.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QTimer>
#include <functional>
#include <vector>

namespace junban::redis {

// What has to be in Redis: a question, and whether Redis' answer to it says that it is there.
struct Sought {
    QList<QByteArray> question;
    std::function<bool(const Reply &)> isThere;
    bool mayReturn = false;        // it is written again when Redis loses it, so it is looked for again
};

// Checks jobs until they are as safe as was asked, over its own connection. One batch is checked at a time; requests that come meanwhile
// are the next batch.
//
// `replicated` is reached when the primary has the job and is still the primary afterwards, when it has written its append-only file so far
// (or has none), and when every server that may take its place has acknowledged the job. Each of these servers is checked by its address,
// because WAIT may count other ones. After a failover this connection and the one that enqueued may be to different servers, so this one
// looks for the jobs itself.
class RedisDurability : public QObject, public Durability
{
    Q_OBJECT

public:
    RedisDurability(Address address, const QByteArray &namespaceName, QObject *parent = nullptr);
    ~RedisDurability() override;

    // The first call connects.
    void after(DurabilityLevel level, JobId job, Callback<DurabilityLevel> callback) override;
    // The same for anything else. StoreUnavailable: it is not in Redis.
    void after(DurabilityLevel level, Sought sought, Callback<DurabilityLevel> callback);
    // Whether no crash of one server can lose it: it is on the disk, and every server that may take over has it, if there is one. It is not
    // known of a Redis that syncs its file now and then and has no WAITAOF.
    void whetherCovered(Sought sought, Callback<bool> callback);

private:
    enum class Wanted { Level, Coverage };
    struct Waiting {
        Wanted wanted;
        DurabilityLevel level;
        Sought sought;
        Callback<DurabilityLevel> callback; // of Coverage: Default when it is not covered
        qint64 since_ms = Clock::monotonic_ms();
        bool present = false;
        bool missed = false;       // it was looked for, and was not there
    };
    bool canSync() const { return m_fsyncAlways || m_waitaof; }
    void await(Waiting waiting);
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
    bool m_missing = false;        // at the last check a server that may take over did not follow, so waiting is useless
    bool m_fsyncAlways = false;    // a reply comes after the fsync
    bool m_waitaof = false;
    QByteArray m_history;          // ReplicationState::history of the primary that m_replicas are about
    // The primary has been seen without a rewrite of its append-only file under way. One that has just been a replica may still be writing
    // its first file; until that is complete, a restart would load the data it had before.
    bool m_fileBegun = false;
    QHash<QByteArray, QElapsedTimer> m_replicas; // by address: the time since it left; used when an operator chooses the next primary
};

} // namespace junban::redis
