#include "core/redis/reply.h"

#include <hiredis/hiredis.h>

namespace junban::redis {

Reply::Reply(std::shared_ptr<const redisReply> whole)
    : m_reply(std::move(whole))
{
}

Reply::Kind Reply::kind() const
{
    if (!m_reply)
        return Kind::Nil;
    switch (m_reply->type) {
    case REDIS_REPLY_INTEGER: return Kind::Integer;
    case REDIS_REPLY_STATUS: return Kind::Status;
    case REDIS_REPLY_ERROR: return Kind::Error;
    case REDIS_REPLY_STRING: return Kind::Bulk;
    case REDIS_REPLY_ARRAY: return Kind::Array;
    default: return Kind::Nil;
    }
}

qint64 Reply::integer() const
{
    return kind() == Kind::Integer ? m_reply->integer : view().toByteArray().toLongLong();
}

QByteArrayView Reply::view() const
{
    const Kind what = kind();
    if (what != Kind::Bulk && what != Kind::Status && what != Kind::Error)
        return {};
    return QByteArrayView(m_reply->str, static_cast<qsizetype>(m_reply->len));
}

qsizetype Reply::size() const
{
    return kind() == Kind::Array ? static_cast<qsizetype>(m_reply->elements) : 0;
}

Reply Reply::operator[](qsizetype index) const
{
    if (index < 0 || index >= size())
        return {};
    return Reply(std::shared_ptr<const redisReply>(m_reply, m_reply->element[index]));
}

} // namespace junban::redis
