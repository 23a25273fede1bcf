#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QCryptographicHash>
#include <QIODevice>
#include <QList>
#include <optional>

namespace junban {

// The header of a file: what it says about its namespace.
struct ArchiveHeader {
    int layout = 0;                // limits::layout_version of the namespace
    QByteArray namespaceName;      // the name of the exported namespace
    qint64 exportedAt_ms = 0;      // on Redis' clock
    qint64 transaction = 0;        // the number of the last transaction in it
};

// A key of the namespace, or further elements of a key whose first elements are in an earlier record.
struct ArchiveRecord {
    enum class Type { String, Hash, Set, SortedSet, List, Stream };
    Type type = Type::String;
    QByteArray key;                // without the namespace's prefix
    qint64 expiresAt_ms = 0;       // 0: never
    // In the order of the types: the value; field, value, field, …; members; member, score, member, …; elements; for each entry of a
    // stream its id, the number of its fields and values, and these.
    QList<QByteArray> elements = {};
};

// Writes a file with a whole namespace: a line with the file's type, then frames. A frame is its length (4 bytes, big endian) and that many
// bytes of MessagePack. The frames are the header, the records, and at the end the number of records and the SHA-256 of everything before.
// So a reader notices when the file was cut or changed.
//
// Threads: one. The device must be open and outlive it. Errors: Internal with the device's error text.
class ArchiveWriter
{
public:
    ArchiveWriter(QIODevice &device, const ArchiveHeader &header);
    void add(const ArchiveRecord &record);
    // Writes the end; nothing may be added after it. An error when the device has failed at any time.
    Result<Done> finish();

private:
    void frame(const QByteArray &value);
    void write(const QByteArray &bytes);

    QIODevice &m_device;
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
    qint64 m_records = 0;
    bool m_failed = false;
};

// Reads such a file. Threads: one. The device must be open and outlive it. Errors: Malformed for another file or a damaged one, Conflict
// for one of a newer version.
class ArchiveReader
{
public:
    explicit ArchiveReader(QIODevice &device) : m_device(device) {}
    Result<ArchiveHeader> header();
    // The next record; nothing at the end. Only then it is certain that the file is complete and unchanged.
    Result<std::optional<ArchiveRecord>> next();

private:
    Result<QByteArray> frame();

    QIODevice &m_device;
    QCryptographicHash m_hash{QCryptographicHash::Sha256}; // of everything before the last frame that was read
    QByteArray m_latest;           // that frame; before the first one, the first line
    qint64 m_records = 0;
};

} // namespace junban
