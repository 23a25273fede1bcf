#pragma once

#include "core/base/expected.h"
#include "core/limits/matcher.h"
#include "core/store/constraintstore.h"

#include <QHash>

namespace junban {

// A matcher as it is stored, with the numbers that its constraints have in this namespace.
struct KeptMatcher {
    JobMatcher matcher;
    QHash<QByteArray, int> numbers; // by the constraint's id
};

// The matchers in the store. Threads, callbacks and errors as for Store.
class MatcherStore
{
public:
    MatcherStore() = default;
    MatcherStore(const MatcherStore &) = delete;
    MatcherStore &operator=(const MatcherStore &) = delete;
    virtual ~MatcherStore() = default;

    struct Page {
        qint64 version = 0;        // grows with every save
        qint64 epoch = 0;          // grows with each save that changes which buckets jobs carry
        QList<KeptMatcher> matchers; // sorted by id
        bool end = true;
    };
    // The matchers whose id is greater than `after` (empty: from the first). No rows when the version is still `known` (−1: none is
    // known).
    virtual void list(QByteArray after, qint64 known, Callback<Page> callback) = 0;

    struct Save {
        qint64 version = 0;        // the version it is based on; RevisionMismatch (field "version") when another save came first
        Expected expected = {};    // RevisionMismatch; NotFound
        QByteArray id;
        qint64 revision = 0;       // the new revision: one more than the last one of this id, even if that was deleted
        std::optional<JobMatcher> matcher = {}; // none: deletes it
        QByteArray who;            // stored as its editedBy
        EpochChange change = EpochChange::Keep;
        QList<QByteArray> parameters = {}; // of its constraints, in order, as packForScripts()
    };
    struct Saved {
        qint64 version = 0;
        qint64 epoch = 0;
        KeptMatcher kept;          // Save::matcher with its revision and the time of the edit
    };
    virtual void save(Save save, Callback<Saved> callback) = 0;

    struct History {
        QList<JobMatcher> revisions; // newest first, at most limits::matcher_revisions_max
        qint64 last = 0;           // the number of the last revision; 0: there was none
        bool deleted = false;
    };
    virtual void history(QByteArray id, Callback<History> callback) = 0;

    // Stores a constraint's next openings and closings for the scripts. RevisionMismatch when there was a save after `version`.
    virtual void refresh(qint64 version, ConstraintParameters parameters, Callback<Done> callback) = 0;
};

} // namespace junban
