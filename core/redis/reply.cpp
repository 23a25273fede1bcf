#include "core/redis/reply.h"

#include <charconv>

namespace junban::redis {

qint64 Reply::integer() const
{
    if (kind() == Kind::Integer)
        return part().value;
    const QByteArrayView text = view();
    qint64 number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

QByteArrayView Reply::view() const
{
    const Kind what = kind();
    if (what != Kind::Bulk && what != Kind::Status && what != Kind::Error)
        return {};
    return QByteArrayView(m_whole->bytes.data() + part().value, qsizetype(part().count));
}

Reply Reply::operator[](qsizetype index) const
{
    if (index < 0 || index >= size())
        return {};
    return Reply(m_whole, size_t(part().value + index));
}

} // namespace junban::redis
