#include "core/journal/batch.h"

#include "core/journal/bounds.h"

#include <algorithm>
#include <span>
#include <vector>

namespace junban::journal {

namespace {

using engine::Write;
using WritesOfKey = std::span<const Write *const>; // by their fields, then in the order in which they were made

constexpr qint64 word_overhead_bytes = 40; // of a QByteArray and its block

const QByteArray hset = QByteArrayLiteral("HSET"), hdel = QByteArrayLiteral("HDEL"), set = QByteArrayLiteral("SET"),
                 del = QByteArrayLiteral("DEL"), pxat = QByteArrayLiteral("PXAT");

// A write of the whole key has no field, so these come first; the last of them takes back all that came before it.
const Write *wholeOf(WritesOfKey writes)
{
    const auto field = std::find_if(writes.begin(), writes.end(), [](const Write *write) { return !write->field.isEmpty(); });
    return field == writes.begin() ? nullptr : *std::prev(field);
}

void putWhole(const Write &whole, QList<QByteArray> &words)
{
    if (whole.kind == Write::Kind::RemoveKey)
        words << del << whole.key << QByteArrayLiteral("0");
    else if (whole.expiresAt_ms > 0)
        words << set << whole.key << QByteArrayLiteral("3") << whole.value << pxat << QByteArray::number(whole.expiresAt_ms);
    else
        words << set << whole.key << QByteArrayLiteral("1") << whole.value;
}

// The last writes of the fields, of those that were made after `whole`.
void putFields(WritesOfKey writes, const Write *whole, Write::Kind kind, QList<QByteArray> &words)
{
    const bool sets = kind == Write::Kind::SetField;
    int count = 0;
    qsizetype size = 0; // where the number of the group's words stands
    for (size_t i = 0; i < writes.size(); ++i) {
        const Write &write = *writes[i];
        const bool isLast = i + 1 == writes.size() || writes[i + 1]->field != write.field;
        if (write.kind != kind || !isLast || (whole && &write < whole))
            continue;
        if (count++ % bounds::group_fields_max == 0) {
            words << (sets ? hset : hdel) << write.key << QByteArray();
            size = words.size() - 1;
        }
        words << write.field;
        if (sets)
            words << write.value;
        if (count % bounds::group_fields_max == 0)
            words[size] = QByteArray::number(words.size() - size - 1);
    }
    if (count % bounds::group_fields_max != 0)
        words[size] = QByteArray::number(words.size() - size - 1);
}

} // namespace

QList<QByteArray> wordsOf(const engine::Writes &writes)
{
    std::vector<const Write *> sorted;
    sorted.reserve(size_t(writes.list().size()));
    for (const Write &write : writes.list())
        sorted.push_back(&write);
    std::sort(sorted.begin(), sorted.end(), [](const Write *a, const Write *b) {
        const int key = QByteArrayView(a->key).compare(b->key), field = key != 0 ? key : QByteArrayView(a->field).compare(b->field);
        return field != 0 ? field < 0 : a < b;
    });
    QList<QByteArray> words;
    words.reserve(5 * writes.list().size());
    for (auto first = sorted.begin(); first != sorted.end();) {
        const auto next = std::find_if(first, sorted.end(), [&key = (*first)->key](const Write *write) { return write->key != key; });
        const WritesOfKey ofKey(first, next);
        const Write *const whole = wholeOf(ofKey);
        if (whole)
            putWhole(*whole, words);
        putFields(ofKey, whole, Write::Kind::SetField, words);
        putFields(ofKey, whole, Write::Kind::RemoveField, words);
        first = next;
    }
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
