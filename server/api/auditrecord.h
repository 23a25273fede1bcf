#pragma once

#include "core/operators/auditor.h"

#include <QPointer>

namespace junban::api {

// What the audit keeps of one call, written when it is answered. Copies of a call share it. A call that is never answered gets 500, from
// the exchange; so does its entry.
class AuditRecord
{
public:
    AuditRecord(Auditor &auditor, AuditEntry first) : entry(std::move(first)), m_auditor(&auditor) {}
    ~AuditRecord() { answered(500); }
    AuditRecord(const AuditRecord &) = delete;
    AuditRecord &operator=(const AuditRecord &) = delete;

    // Only the first answer counts.
    void answered(int status);
    void leaveOut() { m_isDone = true; }

    AuditEntry entry;

private:
    QPointer<Auditor> m_auditor;
    bool m_isDone = false;
};

} // namespace junban::api
