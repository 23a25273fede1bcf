#include "server/api/auditrecord.h"

#include <utility>

namespace junban::api {

void AuditRecord::answered(int status)
{
    if (std::exchange(m_isDone, true) || !m_auditor)
        return;
    entry.result = status;
    if (status >= 400)
        entry.after.clear(); // it was not done
    m_auditor->note(std::move(entry));
}

} // namespace junban::api
