#pragma once

#include "core/operators/auditor.h"
#include "server/api/failedlogins.h"

#include <memory>

namespace junban::api {

class Call;

// Which calls the audit keeps: those of operations with `x-audited` in the document that an operator or an admin makes, a sign-in by
// anyone, and refused ones, as many of an address as FailedLogins counts. Threads: the engine's.
class Auditing
{
public:
    // `auditor` must outlive it; `refused` is shared by a master's engines.
    Auditing(Auditor &auditor, std::shared_ptr<FailedLogins> refused) : m_auditor(auditor), m_refused(std::move(refused)) {}

    enum class Attempt { Allowed, Refused };
    // Gives the call its record, if it is to be kept.
    void begin(Call &call, Attempt attempt) const;
    // Reads the field Junban-Reason. False: the call is answered, as it is wrong.
    static bool readReason(Call &call);

private:
    Auditor &m_auditor;
    std::shared_ptr<FailedLogins> m_refused;
};

// The entry of a call that is answered with this status, without what there was before and after.
AuditEntry auditEntryOf(const Call &call, int status);

} // namespace junban::api
