#pragma once

#include "core/jobs/administration.h"

#include <QtGlobal>
#include <atomic>

namespace junban {

// Notices when Redis comes back without transactions that it had acknowledged (docs/decisions/durability.md, "What Redis lost is noticed").
// One for each process. Threads: any.
class RollbackNotice
{
public:
    Rollback rollback() const;
    // `lost`: at least so many transactions. It is logged, too. What several threads notice at about the same time counts as one rollback.
    void noteRollback(qint64 lost, qint64 now_ms);

    // Watches one connection. Its answers come in order, so each transaction number must be higher than the one before. One thread.
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
