#include "core/queue/claimwaits.h"

#include <algorithm>

namespace junban {

QByteArray ClaimWaits::keyOf(const ClaimRequest &request)
{
    QList<QByteArray> names = request.names;
    std::sort(names.begin(), names.end());
    return names.join('\0');
}

QList<QByteArray> ClaimWaits::namesOf(const ClaimRequest &request)
{
    return request.names.isEmpty() ? QList<QByteArray>{QByteArray()} : request.names;
}

void ClaimWaits::add(Wait wait)
{
    const Id id = wait.id;
    Entry entry;
    entry.key = keyOf(wait.request);
    Group &group = m_groups[entry.key];
    if (group.size++ == 0) {
        for (const QByteArray &name : namesOf(wait.request)) {
            QList<QByteArray> &keys = m_keysOfName[name];
            if (!keys.contains(entry.key))
                keys.append(entry.key);
        }
    }
    entry.deadline = m_deadlines.emplace(wait.deadline_ms, id);
    entry.wait = std::move(wait);
    m_waits.emplace(id, std::move(entry));
}

ClaimWaits::Wait ClaimWaits::take(Id id)
{
    const auto found = m_waits.find(id);
    Entry entry = std::move(found->second);
    m_waits.erase(found);
    m_deadlines.erase(entry.deadline);
    Group &group = m_groups[entry.key];
    group.in.erase(id);
    group.resting -= entry.rests ? 1 : 0;
    if (--group.size > 0)
        return std::move(entry.wait);
    m_groups.remove(entry.key);
    for (const QByteArray &name : namesOf(entry.wait.request)) {
        const auto keys = m_keysOfName.find(name);
        if (keys == m_keysOfName.end())
            continue; // the request has a name twice
        keys->removeOne(entry.key);
        if (keys->isEmpty())
            m_keysOfName.erase(keys);
    }
    return std::move(entry.wait);
}

ClaimWaits::Id ClaimWaits::wakeOldest(Group &group)
{
    if (group.in.empty())
        return 0;
    const Id id = *group.in.begin();
    group.in.erase(group.in.begin());
    return id;
}

QList<ClaimWaits::Id> ClaimWaits::wake(const QByteArray &name, qint64 jobs)
{
    QList<QByteArray> keys = m_keysOfName.value(name);
    keys += m_keysOfName.value(QByteArray());
    QList<Id> woken;
    for (qint64 left = jobs; left > 0;) {
        Group *oldest = nullptr;
        for (const QByteArray &key : std::as_const(keys)) {
            Group &group = m_groups[key];
            if (!group.in.empty() && (!oldest || *group.in.begin() < *oldest->in.begin()))
                oldest = &group;
        }
        if (!oldest)
            break;
        const Id id = wakeOldest(*oldest);
        woken.append(id);
        left -= request(id).limit;
    }
    return woken;
}

QList<ClaimWaits::Id> ClaimWaits::wakeOneOfEach()
{
    QList<Id> woken;
    for (Group &group : m_groups) {
        if (const Id id = wakeOldest(group))
            woken.append(id);
    }
    return woken;
}

ClaimWaits::Id ClaimWaits::wakeNextLike(const ClaimRequest &request)
{
    const auto group = m_groups.find(keyOf(request));
    return group == m_groups.end() ? 0 : wakeOldest(*group);
}

void ClaimWaits::back(Id id)
{
    m_groups[m_waits.find(id)->second.key].in.insert(id);
}

void ClaimWaits::rest(Id id)
{
    Entry &entry = m_waits.find(id)->second;
    Group &group = m_groups[entry.key];
    group.in.erase(id);
    group.resting += entry.rests ? 0 : 1;
    entry.rests = true;
}

bool ClaimWaits::isOut(Id id) const
{
    const Entry &entry = m_waits.find(id)->second;
    return !entry.rests && m_groups.constFind(entry.key)->in.count(id) == 0;
}

QList<ClaimWaits::Id> ClaimWaits::overdue(qint64 now_ms) const
{
    QList<Id> ids;
    for (auto next = m_deadlines.begin(); next != m_deadlines.end() && next->first <= now_ms; ++next)
        ids.append(next->second);
    return ids;
}

QList<ClaimWaits::Id> ClaimWaits::all() const
{
    QList<Id> ids;
    for (const auto &[id, entry] : m_waits)
        ids.append(id);
    return ids;
}

QHash<QByteArray, qint64> ClaimWaits::countsByName() const
{
    QHash<QByteArray, qint64> counts;
    for (auto name = m_keysOfName.cbegin(); name != m_keysOfName.cend(); ++name) {
        for (const QByteArray &key : name.value()) {
            const Group &group = *m_groups.constFind(key);
            if (group.size > group.resting)
                counts[name.key()] += group.size - group.resting;
        }
    }
    return counts;
}

} // namespace junban
