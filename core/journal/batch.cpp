#include "core/journal/batch.h"

#include "core/journal/bounds.h"

#include <QHash>
#include <algorithm>
#include <optional>
#include <vector>

namespace junban::journal {

namespace {

using engine::Write;

constexpr qint64 word_overhead_bytes = 40; // of a QByteArray and its block

// What is left to do with one key.
struct KeyWrites {
    QByteArray key;
    bool removed = false;              // before all else
    std::optional<Write> value = {};   // the whole value, of a key that is no hash
    std::vector<Write> fields = {};    // in the order of their first write
    QHash<QByteArray, size_t> placeOf = {};

    void add(const Write &write)
    {
        switch (write.kind) {
        case Write::Kind::RemoveKey:
        case Write::Kind::SetValue:
            removed = write.kind == Write::Kind::RemoveKey;
            value = removed ? std::nullopt : std::optional(write);
            fields.clear();
            placeOf.clear();
            return;
        case Write::Kind::SetField:
        case Write::Kind::RemoveField:
            if (const auto known = placeOf.constFind(write.field); known != placeOf.constEnd()) {
                fields[*known] = write;
            } else {
                placeOf.insert(write.field, fields.size());
                fields.push_back(write);
            }
        }
    }

    void put(QList<QByteArray> &words) const
    {
        if (removed)
            words << "DEL" << key << "0";
        if (value && value->expiresAt_ms > 0)
            words << "SET" << key << "3" << value->value << "PXAT" << QByteArray::number(value->expiresAt_ms);
        else if (value)
            words << "SET" << key << "1" << value->value;
        putFields(words, Write::Kind::SetField);
        putFields(words, Write::Kind::RemoveField);
    }

    void putFields(QList<QByteArray> &words, Write::Kind kind) const
    {
        const bool sets = kind == Write::Kind::SetField;
        QList<QByteArray> group;
        const auto end = [&] {
            if (!group.isEmpty())
                words << (sets ? "HSET" : "HDEL") << key << QByteArray::number(group.size()) << group;
            group.clear();
        };
        int count = 0;
        for (const Write &write : fields) {
            if (write.kind != kind)
                continue;
            group << write.field;
            if (sets)
                group << write.value;
            if (++count % bounds::group_fields_max == 0)
                end();
        }
        end();
    }
};

} // namespace

QList<QByteArray> wordsOf(const engine::Writes &writes)
{
    std::vector<KeyWrites> keys;
    QHash<QByteArray, size_t> placeOf;
    for (const Write &write : writes.list()) {
        const auto known = placeOf.constFind(write.key);
        const size_t place = known == placeOf.constEnd() ? keys.size() : *known;
        if (place == keys.size()) {
            placeOf.insert(write.key, place);
            keys.push_back({write.key});
        }
        keys[place].add(write);
    }
    QList<QByteArray> words;
    for (const KeyWrites &key : keys)
        key.put(words);
    return words;
}

qint64 bytesOf(const QList<QByteArray> &words)
{
    qint64 bytes = 0;
    for (const QByteArray &word : words)
        bytes += word.size() + word_overhead_bytes;
    return bytes;
}

} // namespace junban::journal
