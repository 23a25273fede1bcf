#include "core/engine/messages.h"

#include "core/base/enumof.h"
#include "core/engine/packed.h"
#include "core/limits.h"

#include <QCryptographicHash>

namespace junban::engine {

namespace {

constexpr quint8 messageVersion = 1;
constexpr qint64 answer_ms = static_cast<qint64>(limits::receipt_s * 1000);

} // namespace

QByteArray Messages::hashOf(const QByteArray &key)
{
    return QCryptographicHash::hash(key, QCryptographicHash::Sha1);
}

const AnsweredMessage *Messages::find(const QByteArray &hash, qint64 now_ms) const
{
    const auto found = m_answered.find(hash);
    return found != m_answered.end() && found->second.at_ms + answer_ms > now_ms ? &found->second : nullptr;
}

void Messages::remember(const QByteArray &hash, const AnsweredMessage &message, Writes &writes)
{
    forget(hash, writes);
    m_answered[hash] = message;
    m_byAge.insert({message.at_ms, hash});
    Packer pack(messageVersion);
    pack(message.id.bytes(), message.type, message.state, message.runAt_ms, message.at_ms);
    writes.setField(messagesKey, hash, pack.bytes());
}

void Messages::forget(const QByteArray &hash, Writes &writes)
{
    const auto found = m_answered.find(hash);
    if (found == m_answered.end())
        return;
    m_byAge.erase({found->second.at_ms, hash});
    writes.removeField(messagesKey, hash);
    m_answered.erase(found);
}

void Messages::forgetOld(qint64 now_ms, Writes &writes)
{
    while (!m_byAge.empty() && m_byAge.begin()->first + answer_ms <= now_ms)
        forget(QByteArray(m_byAge.begin()->second), writes);
}

bool Messages::load(const QByteArray &hash, QByteArrayView packed)
{
    Unpacker unpack(packed);
    AnsweredMessage message;
    QByteArray id;
    qint64 type = 0, state = 0;
    unpack(id, type, state, message.runAt_ms, message.at_ms);
    const std::optional<JobId> job = JobId::fromBytes(id);
    const std::optional<OutcomeType> its = enumOf(type, OutcomeType::Failure, OutcomeType::Success);
    const std::optional<JobState> after = enumOf(state, JobState::Cancelled, JobState::Scheduled);
    if (unpack.version() != messageVersion || !unpack.complete() || !job || !its || !after)
        return false;
    message.id = *job;
    message.type = *its;
    message.state = *after;
    m_answered[hash] = message;
    m_byAge.insert({message.at_ms, hash});
    return true;
}

} // namespace junban::engine
