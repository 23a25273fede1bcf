#pragma once

#include "core/jobs/administration.h"

#include <QtGlobal>
#include <atomic>

namespace junban {

// What a process has seen of a namespace's history: that Redis once came back with less of it than had been answered
// (docs/decisions/durability.md, "What Redis lost is noticed").
// Threads: any.
class RollbackNotice
{
public:
    Rollback rollback() const;
    // Says so in the log too. What several threads notice at about the same time is one rollback.
    void noteRollback(qint64 lost, qint64 now_ms);

    // For one connection, whose answers come in order: each transaction number must be higher than the one before.
    class Thread
    {
    public:
        explicit Thread(RollbackNotice *history = nullptr) : m_history(history) {}
        void note(qint64 transaction);

    private:
        RollbackNotice *m_history;
        qint64 m_last = 0;
    };

private:
    std::atomic<qint64> m_seenAt_ms = 0;
    std::atomic<qint64> m_lost = 0;
};

} // namespace junban
