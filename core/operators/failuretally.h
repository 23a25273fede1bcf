#pragma once

#include "core/store/paststore.h"

#include <QHash>
#include <memory>

namespace junban {

// What the groups of failures say of names and workers. It reads them only when it is asked, and at most every limits::situation_ms,
// however many operators ask; at most limits::page_scan_max of them, those that failed last. Threads: the engine's. Callbacks that
// are still due when it is destroyed are dropped. Errors as for PastStore.
class FailureTally
{
public:
    // It must outlive this.
    explicit FailureTally(PastStore &past);

    struct Sums {
        QHash<QByteArray, qint64> failedNow; // jobs that are failed now, by name
        // Attempts whose end came in the hands of a worker without its report, by worker; of each group only limits::failure_workers_max.
        QHash<QByteArray, qint64> timedOut;
        bool complete = true;                // all groups were read
    };
    void sums(Callback<Sums> callback);

private:
    void next();
    void take(const GroupsPage &page);
    void tell(const Result<Sums> &sums);

    PastStore &m_past;
    Sums m_sums;                         // as they were read last
    qint64 m_readAt_ms = -limits::situation_ms; // Clock::monotonic_ms()
    QList<Callback<Sums>> m_waiting;     // for the reading under way
    Sums m_reading;
    GroupsRequest m_request;
    qsizetype m_read = 0;
    std::shared_ptr<int> m_life = std::make_shared<int>();
};

} // namespace junban
