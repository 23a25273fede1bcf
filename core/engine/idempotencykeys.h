#pragma once

#include "core/engine/writes.h"
#include "core/jobs/job.h"

#include <map>
#include <set>
#include <unordered_map>

namespace junban::engine {

// What is known of a push that had an idempotency key.
struct RememberedPush {
    JobId id;                            // the job that it made
    QByteArray fingerprint;              // JobSpec::fingerprint(), 16 bytes
    qint64 madeAt_ms = 0;                // when it was pushed, on engine time
    JobState gone = JobState::Ready;     // the final state of a job that was purged; otherwise Ready, which says nothing

    friend bool operator==(const RememberedPush &, const RememberedPush &) = default;
};

struct HashOfId {
    size_t operator()(const JobId &id) const { return qHash(id); }
};

// The idempotency keys of the last limits::idempotency_s (transition 2, `repeat-enqueue`). Redis has those of one hour in one hash, which
// goes as a whole.
class IdempotencyKeys
{
public:
    // `most`: when there are more, the oldest ones are forgotten; 1 or more.
    explicit IdempotencyKeys(qint64 most) : m_most(most) {}

    // A key of one token's, as it is stored: 20 bytes.
    static QByteArray hashOf(const QByteArray &owner, const QByteArray &key);
    // Null when it is not known, or no longer.
    const RememberedPush *find(const QByteArray &hash, qint64 now_ms) const;
    void remember(const QByteArray &hash, const RememberedPush &push, Writes &writes);
    // The job is purged: a repeated push is still answered with its final state.
    void jobGone(const JobId &id, JobState state, Writes &writes);
    // Forgets the hours that are over.
    void forgetOld(qint64 now_ms, Writes &writes);

    // For loads: a field of the key of an hour. Returns false when it cannot be read.
    bool load(const QByteArray &hash, QByteArrayView packed);
    const std::unordered_map<QByteArray, RememberedPush> &all() const { return m_pushes; }

private:
    void insert(const QByteArray &hash, const RememberedPush &push);
    void forget(const QByteArray &hash, Writes &writes);
    static void write(const QByteArray &hash, const RememberedPush &push, Writes &writes);

    qint64 m_most;
    std::unordered_map<QByteArray, RememberedPush> m_pushes;     // by hash
    std::unordered_multimap<JobId, QByteArray, HashOfId> m_hashesOf; // by job; several pushes may have got one by its unique key
    std::set<std::pair<qint64, QByteArray>> m_byAge;             // (madeAt_ms, hash)
    std::map<qint64, qint64> m_hours;                            // hour since the epoch → keys
};

} // namespace junban::engine
