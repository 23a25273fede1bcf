#include "core/durabilitylevel.h"

namespace junban {

const char *durabilityWord(DurabilityLevel level)
{
    switch (level) {
    case DurabilityLevel::Default: return "default";
    case DurabilityLevel::Fsync: return "fsync";
    case DurabilityLevel::Replicated: return "replicated";
    }
    return "default";
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
