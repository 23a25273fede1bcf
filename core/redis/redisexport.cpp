#include "core/redis/redisexport.h"

#include "core/base/reasons/store.h"
#include "core/limits.h"
#include "core/lua/schema.h"
#include "core/redis/keys.h"

#include <QHash>
#include <QSet>
#include <algorithm>
#include <iterator>
#include <memory>

namespace junban::redis {

namespace {

using Type = ArchiveRecord::Type;

constexpr int entriesAtOnce = limits::script_items_max; // of a stream: an import needs a command for each

// Whether an export leaves the key out (`moves` in core/lua/schema.lua): it is about running masters, or soon gone.
bool leftOut(const QByteArray &name)
{
    return std::any_of(std::begin(families), std::end(families), [&name](const Family &family) {
        const QByteArrayView stored(family.name);
        return !family.moves && (stored.endsWith(':') ? name.startsWith(stored) : name == stored);
    });
}

class Export : public std::enable_shared_from_this<Export>
{
public:
    Export(Link &link, const QByteArray &namespaceName, QIODevice &device, Callback<Moved> callback)
        : m_link(link)
        , m_prefix(keyPrefix(namespaceName))
        , m_device(device)
        , m_callback(std::move(callback))
    {
        m_moved.header.namespaceName = namespaceName;
    }

    void begin()
    {
        ask({"HGET", m_prefix + key::meta, field_of::meta::layout}, [this](const Reply &layout) {
            m_moved.header.layout = int(layout.integer());
            if (layout.isNil())
                end(reasons::namespaceNotFound());
            else if (m_moved.header.layout > limits::layout_version)
                end(reasons::namespaceNewerLayout());
            else
                ask({"TIME"}, [this](const Reply &time) {
                    m_moved.header.exportedAt_ms = time[0].integer() * 1000 + time[1].integer() / 1000;
                    ask({"GET", m_prefix + key::transaction}, [this](const Reply &transaction) {
                        m_moved.header.transaction = transaction.integer();
                        m_writer = std::make_unique<ArchiveWriter>(m_device, m_moved.header);
                        scan();
                    });
                });
        });
    }

private:
    void end(const Result<Moved> &result)
    {
        if (m_callback)
            std::exchange(m_callback, nullptr)(result);
    }

    template<typename Use>
    void ask(const QList<QByteArray> &words, Use use)
    {
        m_link.command(words, [self = shared_from_this(), use](const Result<Reply> &reply) mutable {
            if (!self->m_callback)
                return; // the export has failed already
            if (reply.ok())
                use(*reply);
            else
                self->end(reply.error());
        });
    }

    void scan()
    {
        ask({"SCAN", m_cursor, "MATCH", m_prefix + '*', "COUNT", QByteArray::number(limits::export_items_max)}, [this](const Reply &found) {
            m_cursor = found[0].bytes();
            for (qsizetype i = 0; i < found[1].size(); ++i) {
                const QByteArray name = found[1][i].bytes().sliced(m_prefix.size());
                if (!leftOut(name) && !m_seen.contains(name)) { // SCAN may return a key twice
                    m_seen.insert(name);
                    m_names.append(name);
                }
            }
            pump();
        });
    }

    // Reads limits::export_commands_max keys at once, each to its end.
    void pump()
    {
        while (m_active < limits::export_commands_max && !m_names.isEmpty()) {
            ++m_active;
            beginKey(m_names.takeLast());
        }
        if (m_active > 0)
            return;
        if (m_cursor != "0")
            scan();
        else
            checkUnchanged();
    }

    void endKey()
    {
        --m_active;
        pump();
    }

    void beginKey(const QByteArray &name)
    {
        ask({"PTTL", m_prefix + name}, [this, name](const Reply &ttl) {
            ArchiveRecord record;
            record.key = name;
            record.expiresAt_ms = ttl.integer() > 0 ? m_moved.header.exportedAt_ms + ttl.integer() : 0;
            ask({"TYPE", m_prefix + name}, [this, record](const Reply &type) mutable {
                static const QHash<QByteArray, Type> types{{"string", Type::String}, {"hash", Type::Hash}, {"set", Type::Set},
                    {"zset", Type::SortedSet}, {"list", Type::List}, {"stream", Type::Stream}};
                if (!types.contains(type.bytes())) { // the key has just expired
                    endKey();
                    return;
                }
                m_moved.keys += record.key == key::meta ? 0 : 1; // every namespace has this one, so it does not count
                record.type = types[type.bytes()];
                readKey(record, "0");
            });
        });
    }

    QList<QByteArray> question(const ArchiveRecord &record, const QByteArray &from) const
    {
        const QByteArray key = m_prefix + record.key, items = QByteArray::number(limits::export_items_max);
        switch (record.type) {
        case Type::String: return {"GET", key};
        case Type::Hash: return {"HSCAN", key, from, "COUNT", items};
        case Type::Set: return {"SSCAN", key, from, "COUNT", items};
        case Type::SortedSet: return {"ZSCAN", key, from, "COUNT", items};
        case Type::List: return {"LRANGE", key, from, QByteArray::number(from.toLongLong() + limits::export_items_max - 1)};
        case Type::Stream:
            return {"XRANGE", key, from == "0" ? QByteArray("-") : '(' + from, "+", "COUNT", QByteArray::number(entriesAtOnce)};
        }
        return {};
    }

    // Reads the next elements of a key, from a cursor on.
    void readKey(const ArchiveRecord &record, const QByteArray &from)
    {
        ask(question(record, from), [this, record = record, from](const Reply &reply) mutable {
            QByteArray next = "0";
            if (record.type == Type::String) {
                record.elements = {reply.bytes()};
            } else if (record.type == Type::List) {
                record.elements = bytesOf(reply);
                if (reply.size() == limits::export_items_max)
                    next = QByteArray::number(from.toLongLong() + reply.size());
            } else if (record.type == Type::Stream) {
                record.elements = entriesOf(reply);
                if (reply.size() == entriesAtOnce)
                    next = reply[reply.size() - 1][0].bytes();
            } else {
                next = reply[0].bytes();
                record.elements = bytesOf(reply[1]);
            }
            if (!record.elements.isEmpty())
                m_writer->add(record);
            if (next == "0")
                endKey();
            else
                readKey(record, next);
        });
    }

    static QList<QByteArray> bytesOf(const Reply &reply)
    {
        QList<QByteArray> all;
        for (qsizetype i = 0; i < reply.size(); ++i)
            all.append(reply[i].bytes());
        return all;
    }
    static QList<QByteArray> entriesOf(const Reply &reply)
    {
        QList<QByteArray> all;
        for (qsizetype i = 0; i < reply.size(); ++i)
            all << reply[i][0].bytes() << QByteArray::number(reply[i][1].size()) << bytesOf(reply[i][1]);
        return all;
    }

    // Every change of a namespace increases its transaction number.
    void checkUnchanged()
    {
        ask({"GET", m_prefix + key::transaction}, [this](const Reply &transaction) {
            if (transaction.integer() != m_moved.header.transaction) {
                end(reasons::namespaceChanged());
                return;
            }
            const Result<Done> written = m_writer->finish();
            end(written.ok() ? Result<Moved>(m_moved) : Result<Moved>(written.error()));
        });
    }

    Link &m_link;
    const QByteArray m_prefix;
    QIODevice &m_device;
    Callback<Moved> m_callback;
    Moved m_moved;
    std::unique_ptr<ArchiveWriter> m_writer;
    QByteArray m_cursor = "0";
    QSet<QByteArray> m_seen;
    QList<QByteArray> m_names;
    int m_active = 0;
};

} // namespace

void countEngines(Link &link, const QByteArray &namespaceName, Callback<qint64> callback)
{
    link.command({"TIME"}, [&link, namespaceName, callback = std::move(callback)](const Result<Reply> &time) mutable {
        if (!time.ok()) {
            callback(time.error());
            return;
        }
        const QByteArray since = QByteArray::number(((*time)[0].integer() - limits::engine_seen_s) * 1'000);
        const QList<QByteArray> count{"ZCOUNT", keyPrefix(namespaceName) + key::engines, since, "+inf"};
        link.command(count, [callback = std::move(callback)](const Result<Reply> &engines) {
            callback(engines.ok() ? Result<qint64>(engines->integer()) : Result<qint64>(engines.error()));
        });
    });
}

void exportNamespace(Link &link, const QByteArray &namespaceName, QIODevice &device, Callback<Moved> callback)
{
    std::make_shared<Export>(link, namespaceName, device, std::move(callback))->begin();
}

} // namespace junban::redis
