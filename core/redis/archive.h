#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QCryptographicHash>
#include <QIODevice>
#include <QList>
#include <optional>

namespace junban {

// What a file says of the namespace it holds.
struct ArchiveHeader {
    int layout = 0;                // limits::layout_version of the namespace
    QByteArray namespaceName;      // as it was called
    qint64 exportedAt_ms = 0;      // on Redis' clock
    qint64 transaction = 0;        // the last one that is in it
};

// A key of the namespace, or the next elements of one that was begun before.
struct ArchiveRecord {
    enum class Type { String, Hash, Set, SortedSet, List, Stream };
    Type type = Type::String;
    QByteArray key;                // without the namespace's prefix
    qint64 expiresAt_ms = 0;       // 0: never
    // By type: the value; field and value in turn; members; member and score in turn; elements; for each entry its id, the number of its
    // fields and values, and these.
    QList<QByteArray> elements = {};
};

// A file with everything of a namespace: a line that says so, then frames, each its length (4 bytes, big endian) and that many bytes of
// MessagePack: the header, the records, and at last how many these were and the SHA-256 of all that stands before. So what was cut,
// changed or is another's file is told from one that is whole.
//
// Threads: one. The device is open and outlives it. Errors: Internal with the device's own words.
class ArchiveWriter
{
public:
    ArchiveWriter(QIODevice &device, const ArchiveHeader &header);
    void add(const ArchiveRecord &record);
    // Nothing may be added after it; says whether all was written.
    Result<Done> finish();

private:
    void frame(const QByteArray &value);
    void write(const QByteArray &bytes);

    QIODevice &m_device;
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
    qint64 m_records = 0;
    bool m_failed = false;
};

// Threads: one. The device is open and outlives it. Errors: Malformed for what is no such file or is damaged, Conflict for a newer one.
class ArchiveReader
{
public:
    explicit ArchiveReader(QIODevice &device) : m_device(device) {}
    Result<ArchiveHeader> header();
    // The next record; nothing at the end, by when all has been found whole.
    Result<std::optional<ArchiveRecord>> next();

private:
    Result<QByteArray> frame();

    QIODevice &m_device;
    QCryptographicHash m_hash{QCryptographicHash::Sha256}; // of what stands before the latest frame
    QByteArray m_latest;           // that frame, or the first line
    qint64 m_records = 0;
};

} // namespace junban
