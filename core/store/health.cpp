#include "core/store/health.h"

namespace junban {

const char *severityWord(Severity severity)
{
    switch (severity) {
    case Severity::Warning: return "warning";
    case Severity::RefusedUnlessForced: return "refused_unless_forced";
    case Severity::Refused: return "refused";
    }
    return "warning";
}

} // namespace junban
