#pragma once

#include "core/base/clock.h"
#include "core/operators/matchers.h"
#include "core/operators/rereader.h"

#include <QHash>
#include <QObject>
#include <QTimer>

namespace junban {

// Changes of matchers (docs/constraints.md, "Changing them"): checked, kept with their revision, and in force when they are answered. It
// also makes the changes that time brings, in every master with no leader: a constraint whose `expires_at` came is as it was before, and
// the scripts get the next boundaries of what follows a calendar.
// Threads: the engine's. Callbacks that are pending when it is destroyed are dropped.
class MatcherEditor : public QObject
{
    Q_OBJECT

public:
    // All must outlive it.
    MatcherEditor(MatcherStore &store, Matchers &matchers, Rereader &rereader, Clock &clock, QObject *parent = nullptr);

    void start();
    // No change begins here by itself after this.
    void stop();

    struct Saved {
        JobMatcher matcher;
        bool created = false;
        QList<ExpressionProblem> problems = {}; // not empty: nothing was saved
    };
    // Errors: RevisionMismatch, NotFound; InvalidField (constraint ids; `rank` when another `set` of the same rank wants otherwise).
    void save(JobMatcher matcher, Expected expected, QByteArray who, Callback<Saved> callback);
    // The answer is the matcher as it was.
    void remove(QByteArray id, Expected expected, QByteArray who, Callback<JobMatcher> callback);
    // As a new revision. NotFound (field "revision") when that revision is not kept.
    void revert(QByteArray id, qint64 revision, Expected expected, QByteArray who, Callback<Saved> callback);
    // Other parameters for one key of a constraint, as an edit of its matcher: those given replace the constraint's, none takes them away.
    // NotFound; InvalidField with the parameter's name.
    struct KeyOverride {
        QByteArray constraint;
        QByteArray key;            // as operators see it
        QByteArray fields;         // a packed map
    };
    void overrideKey(KeyOverride change, Expected expected, QByteArray who, Callback<Saved> callback);
    void history(QByteArray id, Callback<MatcherStore::History> callback);

Q_SIGNALS:
    // A change of its own is in force: jobs that were held may start.
    void changed();

private:
    struct Change;
    using ChangePtr = std::shared_ptr<Change>;
    void attempt(const ChangePtr &change);
    void check(const ChangePtr &change);
    void keep(const ChangePtr &change, qint64 revision);
    void kept(const ChangePtr &change, const Result<MatcherStore::Saved> &saved);
    void upkeep();
    void expire(const JobMatcher &matcher, qint64 now_ms);
    void giveBoundaries(const Matchers::Place &place, qint64 now_ms);

    MatcherStore &m_store;
    Matchers &m_matchers;
    Rereader &m_rereader;
    Clock &m_clock;
    QTimer m_timer;
    QHash<QByteArray, qint64> m_boundariesDue_ms; // by constraint and its revision: when the scripts need the next ones
};

} // namespace junban
