#pragma once

#include "core/access/auditchain.h"
#include "core/base/result.h"

#include <QMutex>
#include <QString>
#include <memory>

namespace junban {

// A file that entries of the audit are appended to, as a chain (core/access/auditchain.h). One process writes it at a time. Beside it is
// FILE.chain with the number and the hash of the last line: by that the chain goes on in a new file when the old one was moved away, and
// lines that are missing at the end are noticed. Threads: any.
class AuditFile
{
public:
    // Makes the file when it is not there, for its owner alone. A last line that was not written to its end is cut off; that, and lines
    // that are missing, is said in the log and in the file. Errors: InvalidField when it cannot be written, is open to others, is no audit,
    // or is written by another process.
    static Result<std::shared_ptr<AuditFile>> open(const QString &path, qint64 now_ms);
    ~AuditFile();
    AuditFile(const AuditFile &) = delete;
    AuditFile &operator=(const AuditFile &) = delete;

    // It is in the file when this returns, and on the disk after the next sync(). An entry that cannot be written is counted; the count is
    // written as soon as that works again.
    void append(const AuditEntry &entry);
    // Waits for the disk, if there is anything new.
    void sync();
    ChainEnd end() const;
    // "FILE has 12 lines, the last one is HASH": for the log.
    QByteArray summary() const;

private:
    struct Files;
    explicit AuditFile(std::unique_ptr<Files> files);
    bool write(const AuditEntry &entry);
    bool takeUp(const QString &path, qint64 now_ms);

    std::unique_ptr<Files> m_files;
    mutable QMutex m_mutex;
    ChainEnd m_end;
    qint64 m_lost = 0;
    bool m_isDirty = false;
};

} // namespace junban
