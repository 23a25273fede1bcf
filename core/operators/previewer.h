#pragma once

#include "core/base/clock.h"
#include "core/cel/terms.h"
#include "core/limits/limitrequests.h"
#include "core/limits/startreplay.h"
#include "core/operators/matchers.h"
#include "core/store/store.h"

#include <QHash>
#include <QList>
#include <memory>

namespace junban {

// Shows what a matcher would do before it is saved (docs/constraints.md): which jobs it matches now, how they spread over its buckets, and
// for which jobs its expression fails. It changes nothing. It looks at jobs for limits::preview_s_max, ready and running ones first.
// Threads: the engine's. Callbacks that are still due when it is destroyed are dropped. Errors as for Store.
class Previewer
{
public:
    // All must outlive it.
    Previewer(Store &store, Matchers &matchers, Clock &clock);

    struct Row {
        JobId id;
        QByteArray name;
        JobState state = JobState::Ready;
    };
    struct StateCount {
        JobState state = JobState::Ready;
        qint64 matched = 0, scanned = 0, total = 0;
        bool complete = false;     // all jobs in this state that it could match were looked at
    };
    struct Keys {
        ConstraintKind kind = ConstraintKind::Concurrency;
        QHash<QByteArray, qint64> jobs; // by the key's text; at most limits::preview_distinct_max
    };
    struct Fault {
        qint64 jobs = 0;
        JobId sample;
    };
    struct Trial {
        bool matches = false;
        QByteArray fault;          // why the whole expression has no value
        cel::Terms terms;
    };
    struct Preview {
        QList<ExpressionProblem> problems; // not empty: the rest is empty
        cel::NameSet names;
        QList<StateCount> states;
        QList<Row> samples, newlyMatched, noLongerMatched; // at most limits::preview_samples_max each
        qint64 newlyMatchedCount = 0, noLongerMatchedCount = 0;
        QList<Keys> keys;                  // of each constraint, in order
        QHash<QByteArray, Fault> faults;   // by cause (cel::causeWord)
        QHash<QByteArray, qint64> overlaps; // by saved matcher: jobs that both match
        Replayed replay;                   // of the starts of matching jobs in the last limits::preview_replay_s
        bool replayComplete = true;        // false: some of these starts were not looked at
        // In how many seconds the matching ready jobs would have started: at the rate of that time, and with the previewed limits. Nothing:
        // unknown.
        std::optional<double> drainBefore_s, drainAfter_s;
        // Of the matching jobs that were looked at: how many were enqueued per second in that time, and by how much cost per second they
        // exceed what the rates and concurrencies would have let start.
        double arriving = 0, growing = 0;
        std::optional<Trial> trial;        // of the subject
    };
    // The matcher is compared with the saved one of the same id, if there is one. `subject` is a job to try it on. NotFound, with the
    // field's name, when that does not exist.
    void preview(JobMatcher matcher, std::optional<TestedJob> subject, Callback<Preview> callback);

private:
    struct Look;
    using LookPtr = std::shared_ptr<Look>;
    void load(const LookPtr &look);
    void begin(const LookPtr &look);
    void nextState(const LookPtr &look);
    void nextPage(const LookPtr &look);
    void take(Look &look, const Page &page) const;
    void judge(Look &look, const Job &job) const;
    void remember(Look &look, const Job &job, const Classification &matched) const;
    void reckon(Look &look) const;

    Store &m_store;
    Matchers &m_matchers;
    Clock &m_clock;
    std::shared_ptr<int> m_life = std::make_shared<int>();
};

} // namespace junban
