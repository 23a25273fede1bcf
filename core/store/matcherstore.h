#pragma once

#include "core/base/expected.h"
#include "core/limits/matcher.h"
#include "core/store/constraintstore.h"

#include <QHash>

namespace junban {

// A matcher as it is kept; its constraints have their numbers in this namespace.
struct KeptMatcher {
    JobMatcher matcher;
    QHash<QByteArray, int> numbers; // by the constraint's id
};

// Threads, callbacks and errors as Store's.
class MatcherStore
{
public:
    MatcherStore() = default;
    MatcherStore(const MatcherStore &) = delete;
    MatcherStore &operator=(const MatcherStore &) = delete;
    virtual ~MatcherStore() = default;

    struct Page {
        qint64 version = 0;        // grows with every save
        qint64 epoch = 0;          // grows with those that change which buckets jobs carry
        QList<KeptMatcher> matchers; // by id, after the one asked for
        bool end = true;
    };
    // No rows when the version is still `known` (−1: none is).
    virtual void list(QByteArray after, qint64 known, Callback<Page> callback) = 0;

    struct Save {
        qint64 version = 0;        // at which it was thought out; RevisionMismatch (field "version") when another save came between
        Expected expected = {};    // RevisionMismatch; NotFound
        QByteArray id;
        qint64 revision = 0;       // the new one: one more than the last that was kept, of a deleted matcher too
        std::optional<JobMatcher> matcher = {}; // none: deletes it
        QByteArray who;            // becomes its editedBy
        EpochChange change = EpochChange::Keep;
        QList<QByteArray> parameters = {}; // of its constraints, in order, as packForScripts()
    };
    struct Saved {
        qint64 version = 0;
        qint64 epoch = 0;
        KeptMatcher kept;          // Save::matcher, with its revision and when it was edited
    };
    virtual void save(Save save, Callback<Saved> callback) = 0;

    struct History {
        QList<JobMatcher> revisions; // newest first, at most limits::matcher_revisions_max
        qint64 last = 0;           // the last revision there was; 0: none
        bool deleted = false;
    };
    virtual void history(QByteArray id, Callback<History> callback) = 0;

    // Gives the scripts a constraint's next boundaries. RevisionMismatch when there was a save after `version`.
    virtual void refresh(qint64 version, ConstraintParameters parameters, Callback<Done> callback) = 0;
};

} // namespace junban
