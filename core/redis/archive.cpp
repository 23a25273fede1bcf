#include "core/redis/archive.h"

#include "core/base/reasons/store.h"
#include "core/limits.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/payload.h"

#include <QtEndian>

namespace junban {

namespace {

constexpr char kindOfFile[] = "junban export ";
constexpr char firstLine[] = "junban export 1\n";
constexpr qsizetype firstLineBytes = sizeof firstLine - 1;
constexpr int types = 6;

std::optional<QByteArray> nextBytes(payload::Reader &reader)
{
    const std::optional<payload::Token> token = reader.next();
    if (!token || (token->type != payload::Type::Binary && token->type != payload::Type::String))
        return std::nullopt;
    return token->bytes.toByteArray();
}

std::optional<qint64> nextInteger(payload::Reader &reader)
{
    const std::optional<payload::Token> token = reader.next();
    return token && token->type == payload::Type::Int ? std::optional(token->integer) : std::nullopt;
}

std::optional<quint32> nextArray(payload::Reader &reader)
{
    const std::optional<payload::Token> token = reader.next();
    return token && token->type == payload::Type::Array ? std::optional(token->count) : std::nullopt;
}

} // namespace

ArchiveWriter::ArchiveWriter(QIODevice &device, const ArchiveHeader &header)
    : m_device(device)
{
    write(firstLine);
    MsgpackWriter writer;
    writer.array(4).integer(header.layout).text(header.namespaceName).integer(header.exportedAt_ms).integer(header.transaction);
    frame(writer.take());
}

void ArchiveWriter::add(const ArchiveRecord &record)
{
    MsgpackWriter writer;
    writer.array(4).integer(int(record.type)).binary(record.key).integer(record.expiresAt_ms).array(record.elements.size());
    for (const QByteArray &element : record.elements)
        writer.binary(element);
    frame(writer.take());
    ++m_records;
}

Result<Done> ArchiveWriter::finish()
{
    MsgpackWriter writer;
    frame(writer.array(2).integer(m_records).binary(m_hash.result()).take());
    if (m_failed)
        return reasons::archiveNotWritten(m_device.errorString().toUtf8());
    return Done{};
}

void ArchiveWriter::frame(const QByteArray &value)
{
    QByteArray length(4, '\0');
    qToBigEndian(quint32(value.size()), length.data());
    write(length + value);
}

void ArchiveWriter::write(const QByteArray &bytes)
{
    m_hash.addData(bytes);
    m_failed = m_failed || m_device.write(bytes) != bytes.size();
}

Result<ArchiveHeader> ArchiveReader::header()
{
    const QByteArray first = m_device.read(firstLineBytes);
    if (first != firstLine) {
        if (first.startsWith(kindOfFile) && first.size() == firstLineBytes)
            return reasons::archiveNewer();
        return reasons::archiveUnknown();
    }
    m_latest = first;
    const Result<QByteArray> value = frame();
    if (!value.ok())
        return value.error();
    payload::Reader reader(*value);
    const auto fields = nextArray(reader);
    const auto layout = nextInteger(reader);
    const auto name = nextBytes(reader);
    const auto at_ms = nextInteger(reader);
    const auto transaction = nextInteger(reader);
    if (fields != 4U || !layout || !name || !at_ms || !transaction)
        return reasons::archiveHeaderDamaged();
    if (*layout > limits::layout_version)
        return reasons::archiveNewer();
    return ArchiveHeader{int(*layout), *name, *at_ms, *transaction};
}

Result<std::optional<ArchiveRecord>> ArchiveReader::next()
{
    const Result<QByteArray> value = frame();
    if (!value.ok())
        return value.error();
    payload::Reader reader(*value);
    const auto fields = nextArray(reader);
    const auto first = nextInteger(reader);
    const auto key = nextBytes(reader);
    if (fields == 2U) {
        if (first != m_records || key != m_hash.result() || !m_device.atEnd())
            return reasons::archiveChanged();
        return std::optional<ArchiveRecord>();
    }
    const auto expires_ms = nextInteger(reader);
    const auto count = nextArray(reader);
    if (fields != 4U || !first || *first < 0 || *first >= types || !key || !expires_ms || !count)
        return reasons::archiveRecordDamaged();
    ArchiveRecord record{ArchiveRecord::Type(*first), *key, *expires_ms, {}};
    for (quint32 i = 0; i < *count; ++i) {
        std::optional<QByteArray> element = nextBytes(reader);
        if (!element)
            return reasons::archiveRecordDamaged();
        record.elements.append(std::move(*element));
    }
    ++m_records;
    return std::optional(std::move(record));
}

Result<QByteArray> ArchiveReader::frame()
{
    m_hash.addData(m_latest);
    const QByteArray length = m_device.read(4);
    const qint64 size = length.size() == 4 ? qint64(qFromBigEndian<quint32>(length.constData())) : -1;
    if (size < 0 || size > limits::reply_bytes_max)
        return size < 0 ? reasons::archiveEndsEarly() : reasons::archiveRecordTooLong();
    const QByteArray value = m_device.read(size);
    if (value.size() != size)
        return reasons::archiveEndsEarly();
    m_latest = length + value;
    return value;
}

} // namespace junban
