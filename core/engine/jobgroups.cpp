#include "core/engine/jobgroups.h"

#include "core/engine/fields.h"
#include "core/engine/segments.h"
#include "core/limits.h"
#include "core/msgpack/reasonfields.h"

namespace junban::engine {

namespace {

constexpr quint8 groupVersion = 1;
constexpr qint64 groupKept_ms = static_cast<qint64>(limits::group_kept_s * 1000);

// `refused`: packed, or empty.
template<typename Archive, typename Group>
    requires std::same_as<std::remove_const_t<Group>, JobGroup>
void fields(Archive &archive, Group &group, QByteArray &refused)
{
    archive(group.token, group.open, group.opened, group.shared, group.succeeded, group.failed, group.cancelled);
    archive(group.madeAt_ms, group.endedAt_ms, group.idleSince_ms, group.callback);
    idField(archive, group.callbackId);
    idField(archive, group.called);
    archive(refused);
}

bool isSoundTime(qint64 time_ms)
{
    return time_ms >= 0 && time_ms <= limits::time_ms_max;
}

bool isSound(const JobGroup &group)
{
    const bool called = !group.called.isNull() || !group.refused.isEmpty();
    const std::optional<std::vector<JobSpec>> callback = unpackPushes(group.callback);
    const bool hasCallback = callback && callback->size() == 1 && !group.callbackId.isNull();
    return group.succeeded >= 0 && group.failed >= 0 && group.cancelled >= 0 && isSoundTime(group.madeAt_ms)
        && isSoundTime(group.endedAt_ms) && isSoundTime(group.idleSince_ms) && (group.callback.isEmpty() ? !called : hasCallback);
}

} // namespace

JobGroup *JobGroups::find(const QByteArray &name)
{
    const auto found = m_groups.find(name);
    return found == m_groups.end() ? nullptr : &found->second;
}

std::pair<JobGroup &, bool> JobGroups::use(const QByteArray &name, qint64 now_ms)
{
    const auto [place, isNew] = m_groups.try_emplace(name);
    JobGroup &group = place->second;
    if (isNew) {
        group.name = name;
        group.madeAt_ms = group.idleSince_ms = now_ms;
        m_idle.insert({now_ms, name});
        changed(group);
    }
    return {group, isNew};
}

void JobGroups::join(JobGroup &group, bool pending)
{
    if (group.jobs++ == 0)
        m_idle.erase({group.idleSince_ms, group.name});
    if (pending)
        ++group.pending;
}

void JobGroups::purged(JobGroup &group)
{
    if (--group.jobs == 0)
        m_idle.insert({group.idleSince_ms, group.name});
}

void JobGroups::rest(JobGroup &group, qint64 now_ms)
{
    const bool indexed = m_idle.erase({group.idleSince_ms, group.name}) > 0;
    group.idleSince_ms = now_ms;
    if (indexed)
        m_idle.insert({now_ms, group.name});
    changed(group);
}

void JobGroups::changed(JobGroup &group)
{
    if (!std::exchange(group.changed, true))
        m_changed.append(&group);
}

void JobGroups::writeChanges(Writes &writes)
{
    for (JobGroup *group : std::as_const(m_changed)) {
        group->changed = false;
        if (!std::exchange(group->stored, true))
            m_keys.add(group->name, writes);
        QByteArray refused = group->refused.isEmpty() ? QByteArray() : pack(reasonWithDetailTable, group->refused);
        Packer packer(groupVersion);
        fields(packer, std::as_const(*group), refused);
        writes.setField(m_keys.keyOf(group->name), group->name, packer.bytes());
    }
    m_changed.clear();
}

void JobGroups::forgetOld(qint64 now_ms, Writes &writes, bool &more)
{
    for (int left = limits::script_items_max; !m_idle.empty() && m_idle.begin()->first + groupKept_ms <= now_ms; --left) {
        if (left == 0) {
            more = true;
            return;
        }
        const QByteArray name = m_idle.begin()->second;
        writes.removeField(m_keys.keyOf(name), name);
        m_keys.remove(name, writes);
        m_changed.removeOne(find(name));
        m_groups.erase(name);
        m_idle.erase(m_idle.begin());
    }
}

bool JobGroups::load(const QByteArray &key, const QByteArray &name, QByteArrayView packed)
{
    Unpacker unpack(packed);
    JobGroup group{name};
    QByteArray refused;
    fields(unpack, group, refused);
    if (!refused.isEmpty()) {
        const Result<Reason> reason = unpackAnswer(reasonWithDetailTable, refused);
        if (!reason.ok())
            return false;
        group.refused = *reason;
    }
    if (unpack.version() != groupVersion || !unpack.complete() || name.isEmpty() || key != m_keys.keyOf(name) || !isSound(group))
        return false;
    group.stored = true;
    m_keys.load(name);
    m_idle.insert({group.idleSince_ms, name});
    return m_groups.emplace(name, std::move(group)).second;
}

} // namespace junban::engine
