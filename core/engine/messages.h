#pragma once

#include "core/engine/writes.h"
#include "core/jobs/job.h"

#include <map>
#include <set>

namespace junban::engine {

// How a message was answered that ended an attempt.
struct AnsweredMessage {
    JobId id;                            // the job that awaited it
    OutcomeType type = OutcomeType::Success;
    JobState state = JobState::Ready;    // the answer's state
    qint64 runAt_ms = 0;                 // the answer's time; 0 unless the state is Scheduled
    qint64 at_ms = 0;                    // when it came, on engine time

    friend bool operator==(const AnsweredMessage &, const AnsweredMessage &) = default;
};

// The messages of the last limits::receipt_s, by their keys' hashes: the same message again gets the same answer. Redis has them in one
// hash.
class Messages
{
public:
    // What a key is known by: 20 bytes.
    static QByteArray hashOf(const QByteArray &key);
    // Null when no message came under this key, or it is forgotten.
    const AnsweredMessage *find(const QByteArray &hash, qint64 now_ms) const;
    void remember(const QByteArray &hash, const AnsweredMessage &message, Writes &writes);
    void forget(const QByteArray &hash, Writes &writes);
    void forgetOld(qint64 now_ms, Writes &writes);

    // For loads. Returns false when it cannot be read.
    bool load(const QByteArray &hash, QByteArrayView packed);

    friend bool operator==(const Messages &, const Messages &) = default;

private:
    std::map<QByteArray, AnsweredMessage> m_answered;
    std::set<std::pair<qint64, QByteArray>> m_byAge; // (at_ms, hash)
};

} // namespace junban::engine
