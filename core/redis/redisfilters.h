#pragma once

#include "core/base/clock.h"
#include "core/redis/link.h"
#include "core/store/filterstore.h"
#include "core/store/unreadable.h"

#include <QMap>
#include <functional>
#include <memory>

namespace junban::redis {

// Saved filters in Redis: a stream whose only entry has all of them, as names and records. A change replaces the entry that it has read: of
// two changes of the same entry only one is done, and the other looks again. The id is the revision of what was saved. Contract, threads
// and errors as FilterStore says. Only master code reads the key, so the script stands here and not in core/lua.
class RedisFilters : public FilterStore
{
public:
    // `namespaceName` has passed RedisStore::validNamespace(). The others must outlive it.
    RedisFilters(Link &commands, const QByteArray &namespaceName, const Clock &clock, UnreadableRecords &unreadable);
    ~RedisFilters() override;

    void list(Callback<FilterList> callback) override;
    void save(SavedFilter filter, Expected expected, Callback<FilterChanged> callback) override;
    void remove(QByteArray name, Expected expected, Callback<FilterChanged> callback) override;

private:
    struct Kept {
        QByteArray id;                        // of the entry that was read; empty: there was none
        qint64 revision = 0;                  // of the last change; 0: there was none
        QMap<QByteArray, QByteArray> records; // packed, by name; also those that cannot be read
    };
    // Changes the records, whose next revision they have, or says why not.
    using Change = std::function<Result<FilterChanged>(Kept &kept)>;

    void read(Callback<Kept> callback);
    void change(Change change, Callback<FilterChanged> callback, int tries = 0);
    void write(const Kept &kept, Callback<bool> callback);

    Link &m_link;
    const Clock &m_clock;
    UnreadableRecords &m_unreadable;
    const QByteArray m_stream;
    const std::shared_ptr<int> m_life = std::make_shared<int>(); // expires with the store: replies under way are dropped then
};

} // namespace junban::redis
