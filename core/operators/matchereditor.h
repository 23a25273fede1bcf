#pragma once

#include "core/base/clock.h"
#include "core/operators/matchers.h"
#include "core/operators/rereader.h"

#include <QHash>
#include <QObject>
#include <QTimer>

namespace junban {

// Changes of matchers (docs/constraints.md, "Changing them"). They are checked, stored as a new revision, and apply when they are answered.
// It also makes the changes that time demands, in every master without a leader: a constraint whose `expires_at` has passed becomes what it
// was before, and constraints with a calendar get their next openings and closings.
// Threads: the engine's. Callbacks that are still due when it is destroyed are dropped.
class MatcherEditor : public QObject
{
    Q_OBJECT

public:
    // All must outlive it.
    MatcherEditor(MatcherStore &store, ConstraintStore &constraints, Matchers &matchers, Rereader &rereader, Clock &clock,
                  QObject *parent = nullptr);

    void start();
    // It makes no change by itself after this.
    void stop();

    struct Saved {
        JobMatcher matcher;
        bool created = false;
        std::optional<JobMatcher> before = {};  // as it was; none: it is new, or nothing was saved
        QList<ExpressionProblem> problems = {}; // not empty: nothing was saved
    };
    // Errors: RevisionMismatch, NotFound; InvalidField (constraint ids; `rank` when another `set` of the same rank sets other values).
    void save(JobMatcher matcher, Expected expected, QByteArray who, Callback<Saved> callback);
    // The answer is the matcher as it was.
    void remove(QByteArray id, Expected expected, QByteArray who, Callback<JobMatcher> callback);
    // Saves an old revision as a new one. NotFound (field "revision") when the old one is not kept.
    void revert(QByteArray id, qint64 revision, Expected expected, QByteArray who, Callback<Saved> callback);
    // Sets the parameters that a constraint has for one key, by an edit of its matcher. The parameters given replace the constraint's own;
    // an empty map removes the override. NotFound; InvalidField with the parameter's name.
    struct KeyOverride {
        QByteArray constraint;
        QByteArray key;            // the key's text as operators see it
        QByteArray fields;         // a MessagePack map of parameters
    };
    void overrideKey(KeyOverride change, Expected expected, QByteArray who, Callback<Saved> callback);
    // The revisions of a matcher, newest first, also of a deleted one.
    void history(QByteArray id, Callback<MatcherStore::History> callback);

Q_SIGNALS:
    // A change made here applies now: jobs that were held may start.
    void changed();

private:
    struct Change;
    using ChangePtr = std::shared_ptr<Change>;
    void attempt(const ChangePtr &change);
    std::optional<Error> timeIsOver(const Change &change) const;
    void check(const ChangePtr &change);
    void keep(const ChangePtr &change, qint64 revision);
    void kept(const ChangePtr &change, const Result<MatcherStore::Saved> &saved);
    void upkeep();
    void followClosed(qint64 now_ms);
    void readAllAgain(const QList<QByteArray> &closed);
    void followed(const QList<QByteArray> &closed);
    void expire(const JobMatcher &matcher, qint64 now_ms);
    void giveBoundaries(const Matchers::Place &place, qint64 now_ms);

    MatcherStore &m_store;
    ConstraintStore &m_constraints;
    Matchers &m_matchers;
    Rereader &m_rereader;
    Clock &m_clock;
    QTimer m_timer;
    // The closed matchers, by id, by which all jobs were read last; nothing: it is not known.
    std::optional<QList<QByteArray>> m_closed;
    qint64 m_closedVersion = -1;
    bool m_following = false;
    qint64 m_forgottenAt_ms = 0;
    QHash<QByteArray, qint64> m_boundariesDue_ms; // by constraint and revision: when the scripts need its next boundaries
};

} // namespace junban
