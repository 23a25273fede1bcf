#pragma once

#include "core/access/auditentry.h"

#include <QByteArray>
#include <QList>
#include <optional>

// The lines of an audit file. Each is the JSON of an entry, its number, the hash of the line before it, and as its last member its own
// hash: SHA-256, in hexadecimal, of all bytes of the line before `,"hash":`. So a line that is changed, removed, put in or moved breaks the
// chain.
// Who may write the file can make a whole new chain; only a hash that was noted elsewhere shows that.
namespace junban {

// The last line of a chain.
struct ChainEnd {
    qint64 number = 0;                       // of its lines, from 1; 0: it is empty
    QByteArray hash = QByteArray(64, '0');

    bool operator==(const ChainEnd &) const = default;
};

// The entry as the next line, with its line end; `end` goes on.
QByteArray chainLine(const AuditEntry &entry, ChainEnd &end);

// A line without its line end. `whole`: its hash is that of its text.
struct ChainLine {
    qint64 number = 0;
    QByteArray previous;
    QByteArray hash;
    bool whole = false;
};
// Nothing when it has not the form of a line.
std::optional<ChainLine> readChainLine(QByteArrayView line);

// Follows a chain from its first line that is there.
class ChainCheck
{
public:
    // `wanted`: a hash that one of the lines must have; empty: none.
    explicit ChainCheck(QByteArray wanted = {}) : m_wanted(std::move(wanted)) {}

    // The next line, without its line end; `ended` is false when it had none.
    void take(QByteArrayView line, bool ended = true);

    struct Fault {
        qint64 line = 0;                     // of all that were taken, from 1
        Reason what;
    };
    // The first limits::audit_faults_max; count() has them all.
    const QList<Fault> &faults() const { return m_faults; }
    qint64 count() const { return m_count; }
    qint64 lines() const { return m_lines; }
    // The number of the first line; above 1 when older lines are elsewhere.
    qint64 first() const { return m_first; }
    const ChainEnd &end() const { return m_end; }
    // Which line has the wanted hash; 0: none.
    qint64 found() const { return m_found; }

private:
    void fault(Reason what);
    void follow(const ChainLine &line);

    QByteArray m_wanted;
    QList<Fault> m_faults;
    ChainEnd m_end;
    qint64 m_count = 0;
    qint64 m_lines = 0;
    qint64 m_first = 0;
    qint64 m_found = 0;
    bool m_isUnreadable = false;             // the line before could not be read, so its hash is not known
};

} // namespace junban
