#pragma once

#include <QByteArrayView>
#include <array>
#include <optional>

namespace junban {

// What a job has survived once its enqueue is answered (docs/operating.md).
enum class DurabilityLevel : quint8 {
    Default,    // the script ran: all but the last two seconds survive a crash (appendfsync everysec)
    Fsync,      // it is on the disk
    Replicated, // another server has it too
};
inline constexpr std::array<const char *, 3> durabilityWords = {"default", "fsync", "replicated"};
const char *durabilityWord(DurabilityLevel level);
std::optional<DurabilityLevel> durabilityFromWord(QByteArrayView word);

} // namespace junban
