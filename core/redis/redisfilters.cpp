#include "core/redis/redisfilters.h"

#include "core/base/reasons/filters.h"
#include "core/base/reasons/requests.h"
#include "core/lua/schema.h"
#include "core/redis/keys.h"
#include "core/redis/numbers.h"

#include <algorithm>

namespace junban::redis {

namespace {

constexpr int tries_max = 64; // each was lost to another change, which was done

constexpr char what[] = "filter"; // in UnreadableRecords

// KEYS[1] the stream; a key of another type counts as none. ARGV: nothing, and the reply is the stream's entry; or the id of that entry,
// which is empty when there is none, the id of the next one and its words, and the reply says whether it was written.
constexpr char script[] = R"(
local isStream = redis.call('TYPE', KEYS[1]).ok == 'stream'
local entry = isStream and redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', '1')[1] or {}
if #ARGV == 0 then
    return entry
elseif (entry[1] or '') ~= ARGV[1] then
    return 0
elseif not isStream then
    redis.call('DEL', KEYS[1])
end
redis.call('XADD', KEYS[1], 'MAXLEN', '1', ARGV[2], unpack(ARGV, 3))
return 1)";

// None: it cannot be read.
std::optional<SavedFilter> filterOf(const QByteArray &name, const QByteArray &record)
{
    Result<SavedFilter> filter = unpackAs(Decoder::Of::Stored, savedFilterTable, record);
    if (!filter.ok() || filter->name != name)
        return {};
    return std::move(*filter);
}

bool isExpected(const std::optional<SavedFilter> &found, bool isThere, Expected expected)
{
    switch (expected.what) {
    case Expected::What::Any: return true;
    case Expected::What::Missing: return !isThere;
    case Expected::What::Revision: return found && found->revision == expected.revision;
    }
    return false;
}

} // namespace

RedisFilters::RedisFilters(Link &commands, const QByteArray &namespaceName, const Clock &clock, UnreadableRecords &unreadable)
    : m_link(commands)
    , m_clock(clock)
    , m_unreadable(unreadable)
    , m_stream(keyPrefix(namespaceName) + key::filters)
{
}

RedisFilters::~RedisFilters() = default;

void RedisFilters::read(Callback<Kept> callback)
{
    m_link.command({"EVAL", script, "1", m_stream},
        [callback = std::move(callback), alive = std::weak_ptr(m_life)](const Result<Reply> &reply) {
            if (alive.expired())
                return;
            if (!reply.ok()) {
                callback(reply.error());
                return;
            }
            const Reply words = (*reply)[1];
            const QByteArray id = (*reply)[0].bytes();
            Kept kept{id, id.first(std::max<qsizetype>(0, id.indexOf('-'))).toLongLong(), {}};
            for (qsizetype i = 0; i + 1 < words.size(); i += 2) {
                if (!words[i].view().isEmpty()) // the first pair, which write() says more of
                    kept.records.insert(words[i].bytes(), words[i + 1].bytes());
            }
            callback(std::move(kept));
        });
}

void RedisFilters::write(const Kept &kept, Callback<bool> callback)
{
    // An entry must have a pair, so there is one without a name.
    QList<QByteArray> words{"EVAL", script, "1", m_stream, kept.id, number(kept.revision) + "-0", "", ""};
    for (auto record = kept.records.begin(); record != kept.records.end(); ++record)
        words << record.key() << record.value();
    m_link.command(std::move(words), [callback = std::move(callback), alive = std::weak_ptr(m_life)](const Result<Reply> &reply) {
        if (!alive.expired())
            callback(reply.ok() ? Result<bool>(reply->integer() == 1) : reply.error());
    });
}

void RedisFilters::list(Callback<FilterList> callback)
{
    read([this, callback = std::move(callback)](const Result<Kept> &kept) {
        if (!kept.ok()) {
            callback(kept.error());
            return;
        }
        FilterList list;
        for (auto record = kept->records.begin(); record != kept->records.end(); ++record) {
            if (const std::optional<SavedFilter> filter = filterOf(record.key(), record.value())) {
                m_unreadable.drop(what, record.key());
                list.filters.append(*filter);
            } else {
                m_unreadable.note(what, record.key(), reasons::recordDamaged());
            }
        }
        callback(std::move(list));
    });
}

void RedisFilters::change(Change change, Callback<FilterChanged> callback, int tries)
{
    read([this, change = std::move(change), callback = std::move(callback), tries](const Result<Kept> &found) {
        if (!found.ok()) {
            callback(found.error());
            return;
        }
        Kept kept = *found;
        kept.revision = std::max(kept.revision + 1, m_clock.now_ms());
        const Result<FilterChanged> changed = change(kept);
        if (!changed.ok()) {
            callback(changed.error());
            return;
        }
        write(kept, [this, change, callback, tries, changed](const Result<bool> &written) {
            if (!written.ok()) {
                callback(written.error());
            } else if (*written) {
                m_unreadable.drop(what, changed->after ? changed->after->name : changed->before->name);
                callback(changed);
            } else if (tries + 1 < tries_max) {
                this->change(change, callback, tries + 1);
            } else {
                callback(reasons::filterChanged());
            }
        });
    });
}

void RedisFilters::save(SavedFilter filter, Expected expected, Callback<FilterChanged> callback)
{
    change([filter = std::move(filter), expected](Kept &kept) -> Result<FilterChanged> {
        const bool isThere = kept.records.contains(filter.name);
        FilterChanged changed{filterOf(filter.name, kept.records.value(filter.name)), filter};
        if (!isExpected(changed.before, isThere, expected))
            return reasons::filterChanged();
        if (!isThere && kept.records.size() >= limits::filters_max)
            return reasons::filtersTooMany(limits::filters_max);
        changed.after->revision = kept.revision;
        kept.records[filter.name] = pack(savedFilterTable, *changed.after);
        return changed;
    }, std::move(callback));
}

void RedisFilters::remove(QByteArray name, Expected expected, Callback<FilterChanged> callback)
{
    change([name = std::move(name), expected](Kept &kept) -> Result<FilterChanged> {
        if (!kept.records.contains(name))
            return reasons::filterNotFound();
        const std::optional<SavedFilter> before = filterOf(name, kept.records.take(name));
        if (!before)
            return reasons::filterUnreadable(name, reasons::recordDamaged());
        if (!isExpected(before, true, expected))
            return reasons::filterChanged();
        return FilterChanged{before, {}};
    }, std::move(callback));
}

} // namespace junban::redis
