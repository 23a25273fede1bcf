#include "core/redis/redisimport.h"

#include "core/base/reasons/store.h"
#include "core/limits.h"
#include "core/lua/schema.h"
#include "core/redis/keys.h"
#include "core/redis/layout.h"

#include <QHash>
#include <QSet>
#include <memory>

namespace junban::redis {

namespace {

using Type = ArchiveRecord::Type;

constexpr char lockedLayout[] = "1000000000"; // newer than any layout, so masters refuse it

// The commands that write one record.
QList<QList<QByteArray>> commandsOf(const ArchiveRecord &record, const QByteArray &key)
{
    QList<QList<QByteArray>> commands;
    if (record.type == Type::Stream) {
        for (qsizetype i = 0; i + 1 < record.elements.size();) {
            const qsizetype words = record.elements[i + 1].toLongLong();
            commands.append(QList<QByteArray>{"XADD", key, record.elements[i]} + record.elements.mid(i + 2, words));
            i += 2 + qMax<qsizetype>(words, 0);
        }
    } else if (record.type == Type::SortedSet) {
        QList<QByteArray> words{"ZADD", key};
        for (qsizetype i = 0; i + 1 < record.elements.size(); i += 2)
            words << record.elements[i + 1] << record.elements[i];
        commands.append(words);
    } else {
        static const QHash<Type, QByteArray> verbs{{Type::String, "SET"}, {Type::Hash, "HSET"}, {Type::Set, "SADD"}, {Type::List, "RPUSH"}};
        commands.append(QList<QByteArray>{verbs[record.type], key} + record.elements);
    }
    if (record.expiresAt_ms > 0)
        commands.append({"PEXPIREAT", key, QByteArray::number(record.expiresAt_ms)});
    return commands;
}

class Import : public std::enable_shared_from_this<Import>
{
public:
    Import(Link &link, const QByteArray &namespaceName, QIODevice &device, Leftovers leftovers, Callback<Moved> callback)
        : m_link(link)
        , m_namespace(namespaceName)
        , m_prefix(keyPrefix(namespaceName))
        , m_device(device)
        , m_leftovers(leftovers)
        , m_callback(std::move(callback))
    {
    }

    void begin()
    {
        const Result<ArchiveHeader> whole = check();
        m_device.seek(0);
        const auto self = shared_from_this();
        QMetaObject::invokeMethod(
            &m_link,
            [self, whole] {
                if (whole.ok())
                    self->lookForMark(*whole);
                else
                    self->end(whole.error());
            },
            Qt::QueuedConnection);
    }

private:
    void end(const Result<Moved> &result)
    {
        if (m_callback)
            std::exchange(m_callback, nullptr)(result);
    }

    // Reads the whole file once, to see that it is complete.
    Result<ArchiveHeader> check()
    {
        ArchiveReader reader(m_device);
        const Result<ArchiveHeader> header = reader.header();
        while (header.ok()) {
            const Result<std::optional<ArchiveRecord>> record = reader.next();
            if (!record.ok())
                return record.error();
            if (!*record)
                break;
        }
        return header;
    }

    template<typename Use>
    void ask(const QList<QByteArray> &words, Use use)
    {
        m_link.command(words, [self = shared_from_this(), use](const Result<Reply> &reply) {
            if (reply.ok())
                use(*reply);
            else
                self->fail(reply.error());
        });
    }

    void lookForMark(const ArchiveHeader &header)
    {
        m_moved.header = header;
        ask({"HGET", m_prefix + key::meta, field_of::meta::importing}, [this](const Reply &mark) {
            if (mark.isNil())
                lookForKeys("0");
            else if (m_leftovers == Leftovers::Remove)
                clear("0", [this] { lock(); });
            else
                end(reasons::importUnderWay());
        });
    }

    void lookForKeys(const QByteArray &cursor)
    {
        ask({"SCAN", cursor, "MATCH", m_prefix + '*', "COUNT", QByteArray::number(limits::export_items_max)}, [this](const Reply &found) {
            if (found[1].size() > 0)
                end(reasons::namespaceNotEmpty());
            else if (found[0].bytes() != "0")
                lookForKeys(found[0].bytes());
            else
                lock();
        });
    }

    // From now on masters refuse the namespace. Of two imports only one gets this lock.
    void lock()
    {
        ask({"HSETNX", m_prefix + key::meta, field_of::meta::layout, lockedLayout}, [this](const Reply &first) {
            if (first.integer() == 0) {
                end(reasons::namespaceNotEmpty());
                return;
            }
            ask({"HSET", m_prefix + key::meta, field_of::meta::importing, "1"}, [this](const Reply &) {
                m_reader = std::make_unique<ArchiveReader>(m_device);
                m_locked = true;
                if (const Result<ArchiveHeader> header = m_reader->header(); header.ok())
                    pump();
                else
                    fail(header.error());
            });
        });
    }

    // Sends the commands in the order of the file, limits::export_commands_max at a time.
    void pump()
    {
        while (m_active < limits::export_commands_max && !m_read && !m_failed) {
            const Result<std::optional<ArchiveRecord>> record = m_reader->next();
            if (!record.ok()) {
                fail(record.error());
                return;
            }
            m_read = !*record;
            if (*record && (*record)->key != key::meta) // the layout is written at the end, and the dataset gets a new id
                write(**record);
        }
        if (m_read && m_active == 0 && !m_failed)
            finish();
    }

    void write(const ArchiveRecord &record)
    {
        if (record.type == Type::String || !m_begun.contains(record.key)) {
            ++m_moved.keys;
            if (record.type != Type::String)
                m_begun.insert(record.key);
        }
        for (const QList<QByteArray> &words : commandsOf(record, m_prefix + record.key)) {
            ++m_active;
            m_link.command(words, [self = shared_from_this()](const Result<Reply> &reply) {
                --self->m_active;
                if (!reply.ok())
                    self->fail(reply.error());
                else
                    self->pump();
            });
        }
    }

    void finish()
    {
        ask({"HSET", m_prefix + key::meta, field_of::meta::layout, QByteArray::number(m_moved.header.layout)}, [this](const Reply &) {
            ask({"HDEL", m_prefix + key::meta, field_of::meta::importing}, [this](const Reply &) {
                upgradeLayout(m_link, m_namespace, ScriptClock::Redis, [self = shared_from_this()](const Result<int> &upgraded) {
                    self->end(upgraded.ok() ? Result<Moved>(self->m_moved) : Result<Moved>(upgraded.error()));
                });
            });
        });
    }

    // Removes what was written.
    void fail(const Error &error)
    {
        if (!m_locked) {
            end(error);
            return;
        }
        if (std::exchange(m_failed, true))
            return; // when it cannot be removed, the mark stays and says so
        clear("0", [this, error] { end(error); });
    }

    // Removes all keys, and at the end the one with the mark.
    template<typename Then>
    void clear(const QByteArray &cursor, Then then)
    {
        const QList<QByteArray> scan{"SCAN", cursor, "MATCH", m_prefix + '*', "COUNT", QByteArray::number(limits::export_items_max)};
        m_link.command(scan, [self = shared_from_this(), then](const Result<Reply> &found) {
            if (!found.ok()) {
                self->end(found.error());
                return;
            }
            QList<QByteArray> words{"UNLINK"};
            for (qsizetype i = 0; i < (*found)[1].size(); ++i) {
                if ((*found)[1][i].bytes() != self->m_prefix + key::meta)
                    words.append((*found)[1][i].bytes());
            }
            const QByteArray next = (*found)[0].bytes();
            if (next == "0")
                words.append(self->m_prefix + key::meta);
            if (words.size() == 1) {
                self->clear(next, then);
                return;
            }
            self->m_link.command(words, [self, next, then](const Result<Reply> &gone) {
                if (!gone.ok())
                    self->end(gone.error());
                else if (next == "0")
                    then();
                else
                    self->clear(next, then);
            });
        });
    }

    Link &m_link;
    const QByteArray m_namespace, m_prefix;
    QIODevice &m_device;
    const Leftovers m_leftovers;
    Callback<Moved> m_callback;
    Moved m_moved;
    std::unique_ptr<ArchiveReader> m_reader;
    QSet<QByteArray> m_begun; // keys that may have further records
    int m_active = 0;
    bool m_read = false, m_failed = false, m_locked = false;
};

} // namespace

void importNamespace(Link &link, const QByteArray &namespaceName, QIODevice &device, Leftovers leftovers, Callback<Moved> callback)
{
    std::make_shared<Import>(link, namespaceName, device, leftovers, std::move(callback))->begin();
}

} // namespace junban::redis
