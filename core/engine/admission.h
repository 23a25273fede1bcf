#pragma once

#include "core/cel/evaluation.h"
#include "core/engine/jobtable.h"
#include "core/engine/lanes.h"
#include "core/limits/matcherset.h"
#include "core/store/store.h"

namespace junban::engine {

// Which ready job starts next under the constraints in force: docs/decisions/enginelimits.md. It reads jobs by the matchers, puts them into
// lanes, and lets the best admissible one start. Names that no matcher can match have no lanes, and cost nothing here.
class Admission
{
public:
    // All must outlive it. `now_ms` is engine time; `wake` gets the names of which jobs may start that could not before.
    Admission(JobTable &jobs, Buckets &buckets, const qint64 &now_ms, Hints &wake);
    Admission(const Admission &) = delete;
    Admission &operator=(const Admission &) = delete;

    // ---- Ready jobs ----

    // A job of a name with lanes has become ready, and stands in NameEntry::ready.
    void enter(JobEntry &job);
    // A ready job is about to leave NameEntry::ready. Its name has lanes, or the job is in one.
    void leave(JobEntry &job);
    // The best job of these names (empty: of all) that may start now; null: there is none. It reads jobs on the way, up to `reads` of them,
    // which it counts down: then there may be one, and `wake` says so.
    JobEntry *next(const QList<QByteArray> &names, int &reads);

    // ---- Attempts ----

    // A ready job starts now.
    void charge(JobEntry &job);
    // The attempt of a running job ends.
    void uncharge(JobEntry &job, AttemptEnd how, qint64 retryAfter_ms = 0);
    // What a running job is charged.
    const Charges &chargesOf(const JobEntry &job) const;
    // For loads: a running job was charged so.
    void restore(JobEntry &job, Charges charges);
    // The next running job that a limit wants to be cancelled by now, which is taken from the order; null: none.
    JobEntry *nextToCancel();
    qint64 nextCancel_ms() const { return m_cancels.empty() ? 0 : m_cancels.begin()->first; }

    // ---- Changes ----

    // The matchers in force from now on. Names that these concern, or did before, are to be given to readAgain().
    void setMatchers(std::shared_ptr<const MatcherSet> matchers) { m_matchers = std::move(matchers); }
    // The matchers have changed for a name: its ready jobs are read again, later or when a claim meets them.
    void readAgain(NameEntry &name);
    // A running job of such a name. Returns whether it is charged otherwise now.
    bool recharge(JobEntry &job);
    // The constraint has other parameters, or time may have opened the bucket.
    void look(ActiveConstraint &constraint);
    void look(Bucket &bucket);
    // Looks at the buckets that time may have opened.
    void lookAtDue();
    // Reads up to so many of the unread jobs. Returns whether there are more.
    bool readOn(int jobs);
    // Ready jobs that the matchers in force have not read.
    qint64 unread() const;

    // ---- Looking ----

    // What a job is charged if it starts, or was charged when it started; by the matchers in force.
    Charges read(const JobEntry &job);

private:
    bool readNext(NameEntry &name);
    JobEntry *admitted(NameEntry &name);
    void place(JobEntry &job, LaneSet &set);
    void leaveLane(JobEntry &job);
    void countReady(const Lane &lane, qint64 by);
    void dropLane(Lane &lane);
    LaneGroup &groupOf(Lane &lane, size_t place);
    void hang(Lane &lane, size_t place);
    void unhang(Lane &lane);
    static void lead(LaneGroup &group);
    bool open(LaneGroup &group);
    void close(LaneGroup &group, const Admitted &now);
    void noteOpening(Bucket &bucket, const Admitted &now);
    void lookAtReopened();
    static void pass(LaneSet &set);
    void settle(NameEntry &name);
    void tell(const NameEntry &name);

    JobTable &m_jobs;
    Buckets &m_buckets;
    const qint64 &m_now_ms;
    Hints &m_wake;
    std::shared_ptr<const MatcherSet> m_matchers;
    cel::Evaluation m_evaluation;
    struct Running {
        JobEntry *job = nullptr;
        Charges charges;
        qint64 cancelsAt_ms = 0;         // when a limit wants it to be cancelled; 0: never
    };
    void keep(JobEntry &job, Charges charges);
    void noteCancel(Running &running);

    std::unordered_map<const JobEntry *, Running> m_running; // running jobs that are charged anywhere
    std::set<std::pair<qint64, JobEntry *>> m_cancels;       // by Running::cancelsAt_ms
    std::map<int, NameEntry *> m_unread;                     // names that may have unread jobs, by number
    std::map<quint64, std::unique_ptr<LaneSet, DeleteLanes>> m_putAside; // by LaneSet::number
    quint64 m_sets = 0;
};

} // namespace junban::engine
