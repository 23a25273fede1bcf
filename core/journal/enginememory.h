#pragma once

#include "core/engine/loading.h"
#include "core/journal/protocol.h"

#include <memory>

namespace junban::journal {

// The engine as the memory of the protocol: a load makes it of what Redis has, and it goes when another master leads. Threads: one, that of
// the protocol.
class EngineMemory : public Memory
{
public:
    explicit EngineMemory(const engine::Settings &settings = {});

    // Null while nothing is loaded: before the first load, during each, and after forget(). A pointer is good until the next call of the
    // protocol.
    engine::Engine *engine() const { return m_engine.get(); }

    QList<engine::WantedKey> begin(qint64 time_ms) override;
    Result<QList<engine::WantedKey>> read(const engine::Stored &stored) override;
    Result<Done> complete() override;
    void forget() override;

private:
    QList<engine::WantedKey> wanted();

    engine::Settings m_settings;
    std::unique_ptr<engine::Loading> m_loading;
    std::unique_ptr<engine::Engine> m_engine;
    qsizetype m_unread = 0;      // of the keys that were wanted
};

} // namespace junban::journal
