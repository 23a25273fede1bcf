#pragma once

#include <QByteArray>
#include <QList>

// What the engine has stored in Redis: the writes that a call implies, and the records from which an engine is loaded again. Both are the
// same keys, fields and values. docs/decisions/engine.md has the layout.
namespace junban::engine {

// One change of one key. It is absolute: carrying it out twice, or again after later ones were lost, gives the same. The values of each
// kind are those of the wire to Redis; never renumber.
struct Write {
    enum class Kind : quint8 {
        SetField = 1,    // HSET key field value
        RemoveField = 2, // HDEL key field
        SetValue = 3,    // SET key value; with PXAT expiresAt_ms if that is > 0
        RemoveKey = 4,   // DEL key; also of a hash with all its fields
    };
    Kind kind = Kind::SetField;
    QByteArray key;          // without the namespace's prefix: "s:12"; 1 to 64 bytes of ASCII
    QByteArray field = {};   // SetField, RemoveField: 1 to 255 bytes, binary; otherwise empty
    QByteArray value = {};   // SetField, SetValue: binary, up to some MiB; otherwise empty
    qint64 expiresAt_ms = 0; // SetValue: milliseconds since the epoch on Redis' clock; 0: never

    friend bool operator==(const Write &, const Write &) = default;
};

// The writes of one call, in the order in which they are carried out: all of them or none. A pass of the event loop appends those of its
// calls; of several writes to one field the last one counts, so the journal may leave out the earlier ones.
class Writes
{
public:
    void setField(QByteArray key, QByteArray field, QByteArray value)
    {
        add({Write::Kind::SetField, std::move(key), std::move(field), std::move(value)});
    }
    void removeField(QByteArray key, QByteArray field) { add({Write::Kind::RemoveField, std::move(key), std::move(field)}); }
    void setValue(QByteArray key, QByteArray value, qint64 expiresAt_ms = 0)
    {
        add({Write::Kind::SetValue, std::move(key), {}, std::move(value), expiresAt_ms});
    }
    void removeKey(QByteArray key) { add({Write::Kind::RemoveKey, std::move(key)}); }
    void append(Writes more)
    {
        m_list.append(std::move(more.m_list));
        m_bytes += more.m_bytes;
    }

    const QList<Write> &list() const { return m_list; }
    bool isEmpty() const { return m_list.isEmpty(); }
    // How many keys, fields and values' bytes they have together: about what they take on the wire.
    qint64 bytes() const { return m_bytes; }

private:
    void add(Write write)
    {
        m_bytes += write.key.size() + write.field.size() + write.value.size();
        m_list.append(std::move(write));
    }

    QList<Write> m_list;
    qint64 m_bytes = 0;
};

// What Redis holds under one key, as a load reads it: HGETALL of a hash, or GET of a value.
struct Stored {
    struct Field {
        QByteArray field;    // empty: `value` is the whole value of a key that is no hash
        QByteArray value;
    };
    QByteArray key;          // without the namespace's prefix
    QList<Field> fields;     // in any order; empty: the key is not there
};

// A key that a load has to read next.
struct WantedKey {
    QByteArray key;          // without the namespace's prefix
    bool hash = true;        // HGETALL; otherwise GET
};

// Keys that every namespace has, the same for all. The other keys are fields of `segmentsKey`, so no load needs SCAN: field = the key
// ("s:12", "idem:489123", "g:7f", "sched:7f"), value = its kind, one byte. Values above `apart_bytes` (v:12.0aa, v:12.0ar) are named by
// the record beside them.
inline constexpr char segmentsKey[] = "segs"; // hash
inline constexpr char namesKey[] = "names";   // hash: number of a job's name → the name and its totals
inline constexpr char messagesKey[] = "messages"; // hash: hash of a message's key → how the message was answered
inline constexpr char totalsKey[] = "totals"; // value: what was counted since the namespace was made

} // namespace junban::engine
