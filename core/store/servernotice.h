#pragma once

#include "core/jobs/administration.h"

#include <QtGlobal>
#include <mutex>

namespace junban {

// What is known of the server that the store uses: when it started, how full it is, and when it last gave no answer. One for each process.
// Threads: any.
class ServerNotice
{
public:
    ServerNow now() const;
    void noteServer(qint64 startedAt_ms, qint64 usedBytes, qint64 maxBytes);
    // It answers again after having given no answer for so long. `restarted`: another process answers now. It is logged, too.
    void noteReturn(qint64 at_ms, qint64 away_ms, bool restarted);

private:
    mutable std::mutex m_mutex;
    ServerNow m_now;
};

} // namespace junban
