#include "core/jobs/durabilitylevel.h"

namespace junban {

const char *durabilityWord(DurabilityLevel level)
{
    return durabilityWords[static_cast<size_t>(level)];
}

std::optional<DurabilityLevel> durabilityFromWord(QByteArrayView word)
{
    for (const DurabilityLevel level : {DurabilityLevel::Default, DurabilityLevel::Fsync, DurabilityLevel::Replicated}) {
        if (word == durabilityWord(level))
            return level;
    }
    return {};
}

} // namespace junban
