#pragma once

#include "core/redis/redisdurability.h"

#include <QTimer>

namespace junban::memory {

class MemoryStore;

// Waits until what the engine in memory has written is as safe as was asked, over connections of its own: a wait on the journal's
// connection would stop all batches behind it. It looks at the field of `lead` that says which batches Redis has, not at the job. It also
// finds out which batches need not be kept to heal Redis with (step 14 in docs/decisions/journal.md).
//
// Contract, threads and errors as for Durability; StoreUnavailable (`memory_engine_unsure`): Redis lost it and was not healed in time.
class MemoryDurability : public QObject, public Durability
{
    Q_OBJECT

public:
    // `jobs` must outlive it.
    MemoryDurability(MemoryStore &jobs, const redis::Address &address, const QByteArray &namespaceName, QObject *parent = nullptr);

    // From now on it looks once a second which batches are safe.
    void start() { m_timer.start(); }
    void after(DurabilityLevel level, JobId job, Callback<DurabilityLevel> callback) override;

private:
    void cover();

    MemoryStore &m_jobs;
    redis::RedisDurability m_pushes;
    redis::RedisDurability m_ring;   // so that a push does not wait for it
    QTimer m_timer;
    bool m_covering = false;
    qint64 m_covered = 0;            // the last batch that was found to be safe, of the leadership m_id
    QByteArray m_id;
};

} // namespace junban::memory
