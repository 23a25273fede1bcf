#pragma once

#include <QByteArrayView>
#include <array>
#include <optional>

namespace junban {

// How safe a job is when its enqueue is answered (docs/durability.md).
enum class DurabilityLevel : quint8 {
    Default,    // Redis has it in memory; a crash of the machine loses the last two seconds at most (appendfsync everysec)
    Fsync,      // it is on the disk
    Replicated, // another server has it too
};
inline constexpr std::array<const char *, 3> durabilityWords = {"default", "fsync", "replicated"};
const char *durabilityWord(DurabilityLevel level);
std::optional<DurabilityLevel> durabilityFromWord(QByteArrayView word);

} // namespace junban
