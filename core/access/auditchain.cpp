#include "core/access/auditchain.h"

#include "core/base/reasons/access.h"
#include "core/limits.h"
#include "core/msgpack/json.h"

#include <QCryptographicHash>
#include <algorithm>

namespace junban {

namespace {

constexpr qsizetype hash_bytes = 64; // in hexadecimal
constexpr QByteArrayView numberMark = ",\"n\":";
constexpr QByteArrayView previousMark = ",\"previous\":\"";
constexpr QByteArrayView hashMark = ",\"hash\":\"";
constexpr QByteArrayView close = "\"}";

QByteArray hashOf(QByteArrayView text)
{
    return QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex();
}

bool isHash(QByteArrayView text)
{
    return text.size() == hash_bytes
        && std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

} // namespace

QByteArray chainLine(const AuditEntry &entry, ChainEnd &end)
{
    QByteArray line = json::fromMsgpack(pack(auditEntryTable, entry));
    line.chop(1); // its closing brace
    line += numberMark.toByteArray() + QByteArray::number(++end.number) + previousMark.toByteArray() + end.hash + '"';
    end.hash = hashOf(line);
    return line + hashMark.toByteArray() + end.hash + close.toByteArray() + '\n';
}

std::optional<ChainLine> readChainLine(QByteArrayView line)
{
    const qsizetype tail = hashMark.size() + hash_bytes + close.size();
    const qsizetype middle = previousMark.size() + hash_bytes + 1;
    if (line.size() < tail + middle || !line.endsWith(close))
        return {};
    const QByteArrayView text = line.chopped(tail);
    const QByteArrayView before = text.chopped(middle);
    const qsizetype at = before.lastIndexOf(numberMark);
    bool ok = false;
    ChainLine read;
    read.number = at < 0 ? 0 : before.sliced(at + numberMark.size()).toLongLong(&ok);
    read.previous = text.sliced(before.size() + previousMark.size(), hash_bytes).toByteArray();
    read.hash = line.sliced(text.size() + hashMark.size(), hash_bytes).toByteArray();
    const bool marked = text.sliced(before.size()).startsWith(previousMark) && line.sliced(text.size()).startsWith(hashMark);
    if (!ok || !marked || !line.startsWith('{') || !isHash(read.previous) || !isHash(read.hash))
        return {};
    read.whole = hashOf(text) == read.hash;
    return read;
}

void ChainCheck::take(QByteArrayView line, bool ended)
{
    ++m_lines;
    if (!ended)
        fault(reasons::auditLineCut(m_lines));
    const std::optional<ChainLine> read = readChainLine(line);
    if (!read) {
        if (ended)
            fault(reasons::auditLineNoEntry(m_lines));
        if (m_first > 0)
            ++m_end.number;
        m_isUnreadable = true;
        return;
    }
    if (!read->whole)
        fault(reasons::auditLineChanged(m_lines));
    else if (read->hash == m_wanted)
        m_found = m_lines;
    follow(*read);
}

void ChainCheck::follow(const ChainLine &line)
{
    const bool isFirst = m_first == 0;
    if (isFirst) {
        m_first = line.number;
        if (line.number < 1 || (line.number == 1) != (line.previous == ChainEnd().hash))
            fault(reasons::auditLineNumberMisfit(m_lines));
    } else if (line.number <= m_end.number) {
        fault(reasons::auditLineOutOfOrder(m_lines, line.number, m_end.number));
        return; // the next one may go on from the one before
    } else if (line.number > m_end.number + 1) {
        fault(reasons::auditLinesMissing(m_lines, line.number - m_end.number - 1));
    } else if (!m_isUnreadable && line.previous != m_end.hash) {
        fault(reasons::auditLineNoFollower(m_lines));
    }
    m_isUnreadable = false;
    m_end = {line.number, line.hash};
}

void ChainCheck::fault(Reason what)
{
    if (++m_count <= limits::audit_faults_max)
        m_faults.append({m_lines, std::move(what)});
}

} // namespace junban
