#include "core/redis/replyreader.h"

#include <hiredis/hiredis.h>

namespace junban::redis {

namespace {

constexpr size_t usual_parts = 32;
constexpr size_t usual_bytes = 512;

Reply::Kind kindOf(int type)
{
    return type == REDIS_REPLY_STATUS ? Reply::Kind::Status : type == REDIS_REPLY_ERROR ? Reply::Kind::Error : Reply::Kind::Bulk;
}

} // namespace

ReplyReader::ReplyReader()
    : m_reader(nullptr, &redisReaderFree)
{
    static redisReplyObjectFunctions functions{putText, putArray, putInteger, putNil, [](void *) {}};
    m_reader.reset(redisReaderCreateWithFunctions(&functions));
    m_reader->privdata = this;
}

void ReplyReader::feed(QByteArrayView bytes)
{
    redisReaderFeed(m_reader.get(), bytes.data(), size_t(bytes.size()));
}

std::optional<Reply> ReplyReader::next()
{
    if (!m_whole) {
        m_whole = std::make_shared<Reply::Whole>();
        m_whole->parts.reserve(usual_parts);
        m_whole->bytes.reserve(usual_bytes);
        m_whole->parts.emplace_back();
    }
    void *raw = nullptr;
    m_failed = m_failed || redisReaderGetReply(m_reader.get(), &raw) != REDIS_OK;
    if (m_failed || !raw)
        return {};
    return Reply(std::exchange(m_whole, nullptr));
}

// hiredis keeps for each array what putArray() returned: the place of its first element, which is never 0.
Reply::Whole::Part &ReplyReader::placeOf(const redisReadTask *task)
{
    std::vector<Reply::Whole::Part> &parts = static_cast<ReplyReader *>(task->privdata)->m_whole->parts;
    return task->parent ? parts[reinterpret_cast<size_t>(task->parent->obj) + size_t(task->idx)] : parts[0];
}

void *ReplyReader::put(const redisReadTask *task, Reply::Kind kind, qint64 value, size_t count)
{
    placeOf(task) = {kind, quint32(count), value};
    return task->privdata; // anything but null, which would be an error
}

void *ReplyReader::putText(const redisReadTask *task, char *text, size_t size)
{
    std::string &bytes = static_cast<ReplyReader *>(task->privdata)->m_whole->bytes;
    const size_t begin = bytes.size();
    bytes.append(text, size);
    return put(task, kindOf(task->type), qint64(begin), size);
}

void *ReplyReader::putArray(const redisReadTask *task, int elements)
{
    std::vector<Reply::Whole::Part> &parts = static_cast<ReplyReader *>(task->privdata)->m_whole->parts;
    const size_t first = parts.size();
    parts.resize(first + size_t(elements));
    put(task, Reply::Kind::Array, qint64(first), size_t(elements));
    return reinterpret_cast<void *>(first);
}

void *ReplyReader::putInteger(const redisReadTask *task, long long value)
{
    return put(task, Reply::Kind::Integer, value, 0);
}

void *ReplyReader::putNil(const redisReadTask *task)
{
    return put(task, Reply::Kind::Nil, 0, 0);
}

} // namespace junban::redis
