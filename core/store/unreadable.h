#pragma once

#include "core/jobs/administration.h"

#include <QByteArray>
#include <QList>

namespace junban {

// What this master met lately that cannot be read, for the overview and the log. Each is logged once while it is remembered. What is not
// met again for a while is forgotten, for it may have been mended. Threads: the engine's.
class UnreadableRecords
{
public:
    void note(const QByteArray &what, const QByteArray &id, const Reason &why);
    // It was read, or it is gone.
    void drop(const QByteArray &what, const QByteArray &id);
    QList<UnreadableNow> all() const;

private:
    struct Met {
        UnreadableNow record;
        qint64 at_ms = 0;              // Clock::monotonic_ms()
    };
    QList<Met> m_met;
};

} // namespace junban
