#include "server/http/knownhead.h"

#include <algorithm>

namespace junban::http {

namespace {

constexpr qsizetype digits_max = 15; // longer numbers are left to the parser

} // namespace

KnownHead::KnownHead(QByteArrayView bytes, Head head, Place place)
    : m_bytes(bytes.toByteArray())
    , m_head(std::move(head))
    , m_place(std::move(place))
{
    const auto field = std::find_if(
        m_head.fields.begin(), m_head.fields.end(), [](const auto &each) { return each.first == "content-length"; });
    if (field != m_head.fields.end())
        m_lengthField = field - m_head.fields.begin();
}

qsizetype KnownHead::take(QByteArrayView bytes, qsizetype head_bytes_max)
{
    if (m_lengthField < 0)
        return bytes.startsWith(m_bytes) ? m_bytes.size() : 0;
    const QByteArrayView known(m_bytes);
    if (!bytes.startsWith(known.first(m_head.lengthAt)))
        return 0;
    const QByteArrayView rest = bytes.sliced(m_head.lengthAt);
    qsizetype digits = 0;
    qint64 length = 0;
    for (; digits < rest.size() && digits <= digits_max && rest[digits] >= '0' && rest[digits] <= '9'; ++digits)
        length = length * 10 + (rest[digits] - '0');
    const QByteArrayView after = known.sliced(m_head.lengthAt + m_head.lengthDigits);
    const qsizetype size = m_head.lengthAt + digits + after.size();
    if (digits == 0 || digits > digits_max || size > head_bytes_max || !rest.sliced(digits).startsWith(after))
        return 0;
    QByteArray &value = m_head.fields[m_lengthField].second;
    if (value != rest.first(digits))
        value = rest.first(digits).toByteArray();
    m_head.length = length;
    return size;
}

} // namespace junban::http
