#pragma once

#include "core/engine/loading.h"

#include <QTest>
#include <map>
#include <memory>

namespace junban::test {

// What Redis would have after the writes of an engine. A write that does not fit its key's type, as Redis would refuse it, is counted.
class Records
{
public:
    void apply(const engine::Writes &writes)
    {
        for (const engine::Write &write : writes.list())
            apply(write);
    }
    int misfits() const { return m_misfits; }

    engine::Stored read(const engine::WantedKey &wanted) const
    {
        engine::Stored stored{wanted.key, {}};
        if (const auto value = m_values.find(wanted.key); value != m_values.end() && !wanted.hash)
            stored.fields.append({{}, value->second});
        if (const auto hash = m_hashes.find(wanted.key); hash != m_hashes.end() && wanted.hash) {
            for (const auto &[field, value] : hash->second)
                stored.fields.append({field, value});
        }
        return stored;
    }

    // An engine of these records. `unread`, if given, gets the keys that the load did not want.
    Result<std::unique_ptr<engine::Engine>> load(const engine::Settings &settings, qint64 now_ms, QList<QByteArray> *unread = nullptr) const
    {
        engine::Loading loading(settings, now_ms);
        std::set<QByteArray> read;
        for (QList<engine::WantedKey> keys = loading.wanted(); !keys.isEmpty(); keys = loading.wanted()) {
            for (const engine::WantedKey &key : std::as_const(keys)) {
                read.insert(key.key);
                if (const Result<Done> taken = loading.take(this->read(key)); !taken.ok())
                    return taken.error();
            }
        }
        for (const QByteArray &key : keys()) {
            if (unread && read.count(key) == 0)
                unread->append(key);
        }
        return loading.finish();
    }

    QList<QByteArray> keys() const
    {
        QList<QByteArray> all;
        for (const auto &[key, value] : m_values)
            all.append(key);
        for (const auto &[key, fields] : m_hashes)
            all.append(key);
        return all;
    }
    std::map<QByteArray, QByteArray> &hash(const QByteArray &key) { return m_hashes[key]; }
    void remove(const QByteArray &key)
    {
        m_values.erase(key);
        m_hashes.erase(key);
    }

    friend bool operator==(const Records &a, const Records &b) { return a.m_values == b.m_values && a.m_hashes == b.m_hashes; }

private:
    void apply(const engine::Write &write)
    {
        using Kind = engine::Write::Kind;
        const bool ofHash = write.kind == Kind::SetField || write.kind == Kind::RemoveField;
        m_misfits += write.key.isEmpty() || write.field.isEmpty() == ofHash || (ofHash && m_values.count(write.key) > 0)
            || (write.kind == Kind::SetValue && m_hashes.count(write.key) > 0);
        switch (write.kind) {
        case Kind::SetField: m_hashes[write.key][write.field] = write.value; break;
        case Kind::SetValue: m_values[write.key] = write.value; break;
        case Kind::RemoveKey: remove(write.key); break;
        case Kind::RemoveField:
            if (const auto hash = m_hashes.find(write.key); hash != m_hashes.end()) {
                hash->second.erase(write.field);
                if (hash->second.empty())
                    m_hashes.erase(hash);
            }
            break;
        }
    }

    std::map<QByteArray, QByteArray> m_values;
    std::map<QByteArray, std::map<QByteArray, QByteArray>> m_hashes;
    int m_misfits = 0;
};

} // namespace junban::test
