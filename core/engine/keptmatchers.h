#pragma once

#include "core/engine/writes.h"
#include "core/limits/matcherset.h"
#include "core/store/matcherstore.h"

#include <map>

namespace junban::engine {

// The matchers as they were saved, with their revisions and the numbers of their constraints. Redis has each matcher as a field, and the
// revisions of each in a hash.
class KeptMatchers
{
public:
    // MatcherStore::Save, checked against what is kept. Errors: RevisionMismatch, NotFound, StoreFull.
    Result<Done> check(const MatcherStore::Save &save) const;
    // Keeps it. Precondition: check() has passed. The answer has the matcher with the numbers of its constraints.
    MatcherStore::Saved keep(const MatcherStore::Save &save, qint64 now_ms, Writes &writes);
    // Another reading of all jobs begins though nothing was saved.
    qint64 beginEpoch(Writes &writes);
    // Forgets the revisions of matchers that were deleted long ago.
    void forgetOld(qint64 now_ms, Writes &writes);

    const KeptMatcher *find(const QByteArray &id) const;
    MatcherStore::Page page(const QByteArray &after, qint64 known) const;
    MatcherStore::History history(const QByteArray &id) const;
    qint64 version() const { return m_version; }
    qint64 epoch() const { return m_epoch; }
    bool isEmpty() const { return m_alive == 0; }
    // All of them, compiled.
    const MatcherSet &set() const { return *m_set; }
    std::shared_ptr<const MatcherSet> share() const { return m_set; }

    // For loads. `load` takes a field of matchersKey, `loadRevision` one of a matcher's revisions, `loaded` compiles them. They return
    // false when something cannot be read.
    bool load(const QByteArray &field, QByteArrayView packed);
    bool loadRevision(const QByteArray &id, const QByteArray &field, QByteArrayView packed);
    bool loaded();
    QList<QByteArray> ids() const;       // also of deleted ones
    // Whether two keep the same.
    friend bool operator==(const KeptMatchers &a, const KeptMatchers &b);

private:
    struct Entry {
        std::optional<KeptMatcher> kept = {};      // none: it was deleted
        qint64 last = 0;                           // its last revision
        qint64 deletedAt_ms = 0;
        std::map<qint64, JobMatcher> revisions = {}; // the newest limits::matcher_revisions_max
    };
    void writeCounters(Writes &writes) const;
    static void write(const QByteArray &id, const Entry &entry, Writes &writes);
    bool compile(const QByteArray &id);

    std::map<QByteArray, Entry> m_matchers;
    std::shared_ptr<const MatcherSet> m_set = std::make_shared<MatcherSet>();
    qint64 m_alive = 0;                  // those that were not deleted
    qint64 m_version = 0, m_epoch = 0;
    int m_lastNumber = 0;                // of a constraint
};

inline constexpr char matchersKey[] = "m";      // hash: matcher → it, its revision and its constraints' numbers
QByteArray revisionsKey(const QByteArray &id);  // "mr:<id>", hash: revision → the matcher as it was

} // namespace junban::engine
