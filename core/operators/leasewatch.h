#pragma once

#include "core/store/store.h"

#include <QHash>
#include <memory>

namespace junban {

// Sees which workers let a lease run out: it reads once a second the leases that end next, at most limits::page_rows_default, and looks
// afterwards at what became of them. A lease that was renewed, reported or released did not run out. Threads: the engine's.
class LeaseWatch
{
public:
    // It must outlive this.
    explicit LeaseWatch(Store &store);

    // To be called about every limits::workers_look_ms.
    void look();
    // When the last lease ran out in a worker's hands, on Redis' clock; 0: none did, as far as it saw.
    qint64 ranOutAt_ms(const QByteArray &worker) const { return m_ranOut.value(worker); }

private:
    // The lease of an attempt.
    struct Lease {
        QByteArray worker;
        int attempt = 0;
        qint64 end_ms = 0;
    };
    void take(const Page &page);
    void ask(JobId id, const Lease &lease);
    void note(const Lease &lease);

    Store &m_store;
    bool m_looking = false;
    QHash<JobId, Lease> m_ending;        // those that end soon
    QHash<QByteArray, qint64> m_ranOut;  // by worker
    std::shared_ptr<int> m_life = std::make_shared<int>();
};

} // namespace junban
