#include "core/engine/idempotencykeys.h"

#include "core/base/enumof.h"
#include "core/engine/packed.h"
#include "core/engine/segments.h"

#include <QCryptographicHash>
#include <algorithm>

namespace junban::engine {

namespace {

constexpr quint8 pushVersion = 1;
constexpr qint64 hour_ms = 3'600'000;
constexpr qint64 kept_ms = static_cast<qint64>(limits::idempotency_s * 1000);

QByteArray hourKey(qint64 hour)
{
    return "idem:" + QByteArray::number(hour);
}

} // namespace

QByteArray IdempotencyKeys::hashOf(const QByteArray &owner, const QByteArray &key)
{
    return QCryptographicHash::hash(owner + '\0' + key, QCryptographicHash::Sha1);
}

const RememberedPush *IdempotencyKeys::find(const QByteArray &hash, qint64 now_ms) const
{
    const auto found = m_pushes.find(hash);
    return found != m_pushes.end() && found->second.madeAt_ms + kept_ms > now_ms ? &found->second : nullptr;
}

void IdempotencyKeys::remember(const QByteArray &hash, const RememberedPush &push, Writes &writes)
{
    forget(hash, writes); // one that is too old
    if (m_hours.count(push.madeAt_ms / hour_ms) == 0)
        writes.setField(segmentsKey, hourKey(push.madeAt_ms / hour_ms), QByteArray(1, char(KeyKind::IdempotencyKeys)));
    insert(hash, push);
    write(hash, push, writes);
    if (static_cast<qint64>(m_pushes.size()) > m_most)
        forget(QByteArray(m_byAge.begin()->second), writes);
}

void IdempotencyKeys::jobGone(const JobId &id, JobState state, Writes &writes)
{
    const auto [first, end] = m_hashesOf.equal_range(id);
    for (auto hash = first; hash != end; ++hash) {
        RememberedPush &push = m_pushes.at(hash->second);
        push.gone = state;
        write(hash->second, push, writes);
    }
}

void IdempotencyKeys::forgetOld(qint64 now_ms, Writes &writes)
{
    while (!m_hours.empty() && (m_hours.begin()->first + 1) * hour_ms + kept_ms <= now_ms) {
        const qint64 hour = m_hours.begin()->first;
        Writes single; // the key goes as a whole
        while (m_hours.count(hour) > 0)
            forget(QByteArray(m_byAge.begin()->second), single);
        writes.removeKey(hourKey(hour));
        writes.removeField(segmentsKey, hourKey(hour));
    }
}

bool IdempotencyKeys::load(const QByteArray &hash, QByteArrayView packed)
{
    Unpacker unpack(packed);
    RememberedPush push;
    QByteArray id;
    qint64 gone = 0;
    unpack(id, push.fingerprint, push.madeAt_ms, gone);
    const std::optional<JobId> job = JobId::fromBytes(id);
    const std::optional<JobState> state = enumOf(gone, JobState::Cancelled, JobState::Scheduled);
    if (unpack.version() != pushVersion || !unpack.complete() || !job || !state || m_pushes.count(hash) > 0)
        return false;
    push.id = *job;
    push.gone = *state;
    insert(hash, push);
    return true;
}

void IdempotencyKeys::insert(const QByteArray &hash, const RememberedPush &push)
{
    m_pushes[hash] = push;
    m_hashesOf.emplace(push.id, hash);
    m_byAge.insert({push.madeAt_ms, hash});
    ++m_hours[push.madeAt_ms / hour_ms];
}

void IdempotencyKeys::forget(const QByteArray &hash, Writes &writes)
{
    const auto found = m_pushes.find(hash);
    if (found == m_pushes.end())
        return;
    const qint64 madeAt_ms = found->second.madeAt_ms;
    const auto hour = m_hours.find(madeAt_ms / hour_ms);
    m_byAge.erase({madeAt_ms, hash});
    const auto [first, end] = m_hashesOf.equal_range(found->second.id);
    m_hashesOf.erase(std::find_if(first, end, [&hash](const auto &each) { return each.second == hash; }));
    writes.removeField(hourKey(hour->first), hash);
    if (--hour->second == 0) {
        writes.removeField(segmentsKey, hourKey(hour->first));
        m_hours.erase(hour);
    }
    m_pushes.erase(found);
}

void IdempotencyKeys::write(const QByteArray &hash, const RememberedPush &push, Writes &writes)
{
    Packer pack(pushVersion);
    pack(push.id.bytes(), push.fingerprint, push.madeAt_ms, push.gone);
    writes.setField(hourKey(push.madeAt_ms / hour_ms), hash, pack.bytes());
}

} // namespace junban::engine
