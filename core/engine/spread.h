#pragma once

#include "core/engine/segments.h"

#include <array>

namespace junban::engine {

// Values by name that are spread over up to 256 hashes in Redis, by a checksum of their names, so that a load reads no key that is too
// long. It counts the names in each hash: `segs` names those that there are.
class Spread
{
public:
    // The keys are "<prefix>00" to "<prefix>ff".
    Spread(const char *prefix, KeyKind kind) : m_prefix(prefix), m_kind(kind) {}

    QByteArray keyOf(const QByteArray &name) const { return m_prefix + QByteArray(1, char(numberOf(name))).toHex(); }
    bool isKey(QByteArrayView key) const
    {
        const qsizetype front = m_prefix.size();
        return key.size() == front + 2 && key.startsWith(m_prefix)
            && QByteArray::fromHex(key.sliced(front).toByteArray()).toHex() == key.sliced(front);
    }
    // A name comes in or goes, with all its fields.
    void add(const QByteArray &name, Writes &writes)
    {
        if (m_names[numberOf(name)]++ == 0)
            writes.setField(segmentsKey, keyOf(name), QByteArray(1, char(m_kind)));
    }
    void remove(const QByteArray &name, Writes &writes)
    {
        if (--m_names[numberOf(name)] == 0)
            writes.removeField(segmentsKey, keyOf(name));
    }
    // For loads: Redis has this name.
    void load(const QByteArray &name) { ++m_names[numberOf(name)]; }

private:
    static quint8 numberOf(const QByteArray &name) { return static_cast<quint8>(qChecksum(name)); }

    QByteArray m_prefix;
    KeyKind m_kind;
    std::array<qint64, 256> m_names = {};
};

} // namespace junban::engine
