#include "core/engine/segments.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace junban::engine {

namespace {

constexpr char placeDigits[] = "0123456789abcdefghijklmnopqrstuv";

int placeDigit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'v' ? c - 'a' + 10 : -1;
}

} // namespace

QByteArray segmentKey(quint32 segment)
{
    std::array<char, 12> text{'s', ':'};
    const char *end = std::to_chars(text.data() + 2, text.data() + text.size(), segment).ptr;
    return QByteArray(text.data(), end - text.data());
}

std::optional<quint32> segmentOfKey(QByteArrayView key)
{
    bool ok = key.startsWith("s:");
    const quint32 segment = ok ? key.sliced(2).toUInt(&ok) : 0;
    return ok && segment > 0 ? std::optional(segment) : std::nullopt;
}

QByteArray fieldOf(quint16 place, char letter)
{
    const char text[] = {placeDigits[place / 32 % 32], placeDigits[place % 32], letter};
    return QByteArray(text, letter == 0 ? 2 : 3);
}

std::optional<std::pair<quint16, char>> placeOfField(QByteArrayView field)
{
    if (field.size() < 2 || field.size() > 3)
        return {};
    const int high = placeDigit(field[0]), low = placeDigit(field[1]);
    const int place = 32 * high + low;
    if (high < 0 || low < 0 || place >= segment_jobs_max)
        return {};
    return std::pair(static_cast<quint16>(place), field.size() == 3 ? field[2] : '\0');
}

QByteArray apartKey(Slot slot, char letter)
{
    return "v:" + QByteArray::number(slot.segment) + '.' + fieldOf(slot.place, letter);
}

Slot Segments::allocate(qsizetype bytes, Writes &writes)
{
    if (m_filling == 0 || m_places == segment_jobs_max || m_bytes >= segment_bytes_max) {
        m_filling = m_segments.empty() ? 1 : m_segments.rbegin()->first + 1;
        m_places = 0;
        m_bytes = 0;
        dropEmpty(writes);
        m_segments[m_filling] = {};
        writes.setField(segmentsKey, segmentKey(m_filling), QByteArray(1, char(KeyKind::Jobs)));
    }
    m_bytes += std::min(bytes, apart_bytes);
    ++m_segments[m_filling].jobs;
    return {m_filling, static_cast<quint16>(m_places++)};
}

void Segments::free(Slot slot, Writes &writes)
{
    const auto segment = m_segments.find(slot.segment);
    if (--segment->second.jobs > 0 || slot.segment == m_filling)
        return;
    m_segments.erase(segment);
    writes.removeKey(segmentKey(slot.segment));
    writes.removeField(segmentsKey, segmentKey(slot.segment));
}

// The segment that was being filled, if all its jobs have gone meanwhile; and such a one of the leader before.
void Segments::dropEmpty(Writes &writes)
{
    for (auto next = m_segments.begin(); next != m_segments.end();) {
        if (next->second.jobs == 0) {
            writes.removeField(segmentsKey, segmentKey(next->first));
            next = m_segments.erase(next);
        } else {
            ++next;
        }
    }
}

std::map<quint32, int> Segments::occupied() const
{
    std::map<quint32, int> taken;
    for (const auto &[number, segment] : m_segments) {
        if (segment.jobs > 0)
            taken[number] = segment.jobs;
    }
    return taken;
}

} // namespace junban::engine
