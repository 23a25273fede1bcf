#include "core/journal/enginememory.h"

namespace junban::journal {

EngineMemory::EngineMemory(const engine::Settings &settings)
    : m_settings(settings)
{
}

QList<engine::WantedKey> EngineMemory::begin(qint64 time_ms)
{
    m_engine.reset();
    m_loading = std::make_unique<engine::Loading>(m_settings, time_ms);
    return wanted();
}

// A load gives keys in rounds: a segment's records need the names, and values that stand apart need the records. So the next round begins
// when all of the last one is read.
Result<QList<engine::WantedKey>> EngineMemory::read(const engine::Stored &stored)
{
    if (const Result<Done> taken = m_loading->take(stored); !taken.ok())
        return taken.error();
    return --m_unread > 0 ? QList<engine::WantedKey>() : wanted();
}

Result<Done> EngineMemory::complete()
{
    Result<std::unique_ptr<engine::Engine>> loaded = m_loading->finish();
    m_loading.reset();
    if (!loaded.ok())
        return loaded.error();
    m_engine = std::move(*loaded);
    return Done();
}

void EngineMemory::forget()
{
    m_loading.reset();
    m_engine.reset();
}

QList<engine::WantedKey> EngineMemory::wanted()
{
    QList<engine::WantedKey> keys = m_loading->wanted();
    m_unread = keys.size();
    return keys;
}

} // namespace junban::journal
