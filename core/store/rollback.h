#pragma once

#include "core/jobs/administration.h"

#include <QtGlobal>
#include <atomic>

namespace junban {

// Whether a process has seen Redis come back with less than it had answered (docs/decisions/durability.md, "What Redis lost is noticed").
// Threads: any.
class RollbackNotice
{
public:
    Rollback rollback() const;
    // Says so in the log too. What several threads notice at about the same time is one rollback.
    void noteRollback(qint64 lost, qint64 now_ms);

    // Watches one connection. Its answers come in order, so each transaction number must be higher than the one before.
    class Watch
    {
    public:
        explicit Watch(RollbackNotice *notice = nullptr) : m_notice(notice) {}
        void note(qint64 transaction);

    private:
        RollbackNotice *m_notice;
        qint64 m_last = 0;
    };

private:
    std::atomic<qint64> m_seenAt_ms = 0;
    std::atomic<qint64> m_lost = 0;
};

} // namespace junban
