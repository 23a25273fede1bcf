#pragma once

#include "core/redis/link.h"
#include "core/store/sessionstore.h"

#include <memory>

namespace junban::redis {

// Sessions in Redis, as fields of the hash `access` beside what holds of all tokens: `s:KEY` has the sealed record, `u:KEY` when
// it was used last, in ms. Plain commands, for no script has anything to decide here. Contract, threads and errors as SessionStore says.
class RedisSessions : public SessionStore
{
public:
    // `namespaceName` has passed RedisStore::validNamespace(). The link must outlive it.
    RedisSessions(Link &commands, const QByteArray &namespaceName);
    ~RedisSessions() override;

    void get(QByteArray key, Callback<Row> callback) override;
    void list(Callback<QList<Row>> callback) override;
    void save(Row row, Callback<Done> callback) override;
    void touch(QByteArray key, qint64 at_ms, Callback<Done> callback) override;
    void remove(QList<QByteArray> keys, Callback<Done> callback) override;

private:
    template<typename T, typename Make>
    void send(QList<QByteArray> words, Callback<T> callback, Make make);

    Link &m_link;
    const QByteArray m_hash;
    const std::shared_ptr<int> m_life = std::make_shared<int>(); // expires with the store: replies under way are dropped then
};

} // namespace junban::redis
