#include "core/redis/redissessions.h"

#include "core/redis/keys.h"

#include <QHash>

namespace junban::redis {

namespace {

const QByteArray sessionField = "s:", useField = "u:";

Done nothingOf(const Reply &)
{
    return {};
}

QList<SessionStore::Row> sessionsOf(const Reply &reply)
{
    QHash<QByteArray, SessionStore::Row> rows;
    for (qsizetype i = 0; i + 1 < reply.size(); i += 2) {
        const QByteArray field = reply[i].bytes(), key = field.mid(2);
        if (field.startsWith(sessionField))
            rows[key].record = reply[i + 1].bytes();
        else if (field.startsWith(useField))
            rows[key].usedAt_ms = reply[i + 1].integer();
        else
            continue;
        rows[key].key = key;
    }
    return rows.values();
}

} // namespace

RedisSessions::RedisSessions(Link &commands, const QByteArray &namespaceName)
    : m_link(commands)
    , m_hash(keyPrefix(namespaceName) + key::access)
{
}

RedisSessions::~RedisSessions() = default;

template<typename T, typename Make>
void RedisSessions::send(QList<QByteArray> words, Callback<T> callback, Make make)
{
    m_link.command(std::move(words), [callback = std::move(callback), make = std::move(make), alive = std::weak_ptr(m_life)](
        const Result<Reply> &reply) {
        if (alive.expired())
            return;
        if (reply.ok())
            callback(make(*reply));
        else
            callback(reply.error());
    });
}

void RedisSessions::get(QByteArray key, Callback<Row> callback)
{
    const auto rowOf = [key](const Reply &reply) { return Row{key, reply[0].bytes(), reply[1].integer()}; };
    send({"HMGET", m_hash, sessionField + key, useField + key}, std::move(callback), rowOf);
}

void RedisSessions::list(Callback<QList<Row>> callback)
{
    send({"HGETALL", m_hash}, std::move(callback), sessionsOf);
}

void RedisSessions::save(Row row, Callback<Done> callback)
{
    send({"HSET", m_hash, sessionField + row.key, row.record}, std::move(callback), nothingOf);
}

void RedisSessions::touch(QByteArray key, qint64 at_ms, Callback<Done> callback)
{
    send({"HSET", m_hash, useField + key, QByteArray::number(at_ms)}, std::move(callback), nothingOf);
}

void RedisSessions::remove(QList<QByteArray> keys, Callback<Done> callback)
{
    QList<QByteArray> words{"HDEL", m_hash};
    for (const QByteArray &key : keys)
        words << sessionField + key << useField + key;
    send(std::move(words), std::move(callback), nothingOf);
}

} // namespace junban::redis
