#pragma once

#include "core/redis/reply.h"

#include <optional>

struct redisReadTask;
struct redisReader;

namespace junban::redis {

// Reads replies from the bytes of a connection, with hiredis' reader. Threads: one.
class ReplyReader
{
public:
    ReplyReader();
    ReplyReader(const ReplyReader &) = delete;
    ReplyReader &operator=(const ReplyReader &) = delete;

    void feed(QByteArrayView bytes);
    // The next reply that has come whole; nothing when more bytes are needed, or when they were no replies.
    std::optional<Reply> next();
    // Whether bytes came that are no reply. Nothing can be read after them.
    bool failed() const { return m_failed; }

private:
    static Reply::Whole::Part &placeOf(const redisReadTask *task);
    static void *put(const redisReadTask *task, Reply::Kind kind, qint64 value, size_t count);
    static void *putText(const redisReadTask *task, char *text, size_t size);
    static void *putArray(const redisReadTask *task, int elements);
    static void *putInteger(const redisReadTask *task, long long value);
    static void *putNil(const redisReadTask *task);

    std::unique_ptr<redisReader, void (*)(redisReader *)> m_reader;
    std::shared_ptr<Reply::Whole> m_whole; // the reply that is being read
    bool m_failed = false;
};

} // namespace junban::redis
