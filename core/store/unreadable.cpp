#include "core/store/unreadable.h"

#include "core/base/clock.h"
#include "core/limits.h"

#include <algorithm>

namespace junban {

void UnreadableRecords::note(const QByteArray &what, const QByteArray &id, const Reason &why)
{
    const qint64 now_ms = Clock::monotonic_ms();
    m_met.removeIf([now_ms](const Met &met) { return now_ms - met.at_ms > limits::unreadable_kept_ms; });
    const auto known = std::find_if(m_met.begin(), m_met.end(),
        [&](const Met &met) { return met.record.what == what && met.record.id == id; });
    if (known != m_met.end()) {
        known->at_ms = now_ms;
        known->record.why = why;
        return;
    }
    if (m_met.size() >= limits::unreadable_shown_max)
        return;
    m_met.append({{what, id, why}, now_ms});
    qWarning("%s '%s' cannot be read and is held: %s", what.constData(), id.constData(), why.text.constData());
}

void UnreadableRecords::drop(const QByteArray &what, const QByteArray &id)
{
    m_met.removeIf([&](const Met &met) { return met.record.what == what && met.record.id == id; });
}

QList<UnreadableNow> UnreadableRecords::all() const
{
    const qint64 now_ms = Clock::monotonic_ms();
    QList<UnreadableNow> all;
    for (const Met &met : m_met) {
        if (now_ms - met.at_ms <= limits::unreadable_kept_ms)
            all.append(met.record);
    }
    return all;
}

} // namespace junban
