#include "core/engine/keptretention.h"

#include "core/engine/packed.h"
#include "core/limits.h"

namespace junban::engine {

namespace {

constexpr quint8 retentionVersion = 1;
constexpr char nameLetter = 'n';
constexpr qint64 unset = -1;

RetentionOfStates statesOf(const Retention &retention)
{
    return {retention.succeeded, retention.failed, retention.cancelled};
}
Retention retentionOf(const RetentionOfStates &states)
{
    return {states[0], states[1], states[2]};
}

} // namespace

RetentionOfStates KeptRetention::general() const
{
    RetentionOfStates all = m_all;
    for (size_t i = 0; i < all.size(); ++i) {
        all[i].age_ms = all[i].age_ms ? all[i].age_ms : m_defaults[i].age_ms;
        all[i].count = all[i].count ? all[i].count : m_defaults[i].count;
    }
    return all;
}

RetentionSettings KeptRetention::settings() const
{
    RetentionSettings settings{retentionOf(general()), {}};
    for (const auto &[name, states] : m_names)
        settings.names.append({name, retentionOf(states)});
    return settings;
}

const RetentionOfStates *KeptRetention::ofName(const QByteArray &name) const
{
    const auto found = m_names.find(name);
    return found == m_names.end() ? nullptr : &found->second;
}

bool KeptRetention::set(const QByteArray &name, const Retention &retention, Writes &writes)
{
    if (!name.isEmpty() && !ofName(name) && m_names.size() >= limits::retention_names_max)
        return false;
    RetentionOfStates &states = name.isEmpty() ? m_all : m_names[name];
    states = statesOf(retention);
    Packer pack(retentionVersion);
    for (const Kept &kept : states)
        pack(kept.age_ms.value_or(unset), kept.count.value_or(unset));
    writes.setField(retentionKey, nameLetter + name, pack.bytes());
    return true;
}

void KeptRetention::clear(const QByteArray &name, Writes &writes)
{
    if (m_names.erase(name) > 0)
        writes.removeField(retentionKey, nameLetter + name);
}

bool KeptRetention::load(const QByteArray &field, QByteArrayView packed)
{
    Unpacker unpack(packed);
    RetentionOfStates states;
    bool sound = field.startsWith(nameLetter);
    for (Kept &kept : states) {
        qint64 age_ms = 0, count = 0;
        unpack(age_ms, count);
        sound = sound && age_ms >= unset && count >= unset;
        if (age_ms != unset)
            kept.age_ms = age_ms;
        if (count != unset)
            kept.count = count;
    }
    if (field.size() == 1)
        m_all = states;
    else
        m_names[field.mid(1)] = states;
    return sound && unpack.version() == retentionVersion && unpack.complete();
}

} // namespace junban::engine
