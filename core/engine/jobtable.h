#pragma once

#include "core/engine/idempotencykeys.h"
#include "core/engine/specialjobs.h"

#include <array>
#include <optional>
#include <unordered_map>

namespace junban::engine {

// Jobs by the time at which an operator marked them.
using MarkedJobs = std::set<std::pair<qint64, JobId>>;

// All jobs, each in the one index that its state says (invariant I1): ready jobs by name and priority, the others by the time that matters
// in their state; or, if it was deleted, in the trash. What is here follows from the jobs themselves, so Redis does not have it.
class JobTable
{
public:
    JobTable();
    JobTable(const JobTable &) = delete;
    JobTable &operator=(const JobTable &) = delete;

    JobEntry *find(const JobId &id);
    const JobEntry *find(const JobId &id) const { return const_cast<JobTable *>(this)->find(id); }
    // A new job, which is in no index yet; or the one that has this id already, and false.
    std::pair<JobEntry *, bool> add(const JobId &id);
    // Precondition: the job is in no index but that of the tracked ones.
    void remove(const JobEntry &job);

    // Puts a job into, or takes it from, its index. In between its state, priority, order_ms, attempt and deletion may change. The jobs
    // that depend on it are to be told when it enters a final state. The head of a name with lanes is not touched.
    void enter(JobEntry &job);
    void leave(JobEntry &job);
    // Gives the job a star, since this time; 0: takes its star.
    void track(JobEntry &job, qint64 at_ms);
    const MarkedJobs &tracked() const { return m_tracked; }
    const MarkedJobs &trash() const { return m_trash; }
    // The job of a name that a claim looks at first; null: none.
    void setHead(NameEntry &name, JobEntry *head);

    // The name's entry, which is made if there is none; then `isNew` becomes true.
    NameEntry &name(const QByteArray &name, bool &isNew);
    NameEntry *findName(const QByteArray &name);
    const NameEntry *findName(const QByteArray &name) const { return const_cast<JobTable *>(this)->findName(name); }
    // For loads. Precondition: neither the number nor the name has an entry.
    NameEntry &addName(int number, const QByteArray &name);
    bool hasName(int number, const QByteArray &name) const { return m_byNumber.count(number) > 0 || m_names.count(name) > 0; }
    // The name whose head comes first among these names; empty: among all. Null: none has one.
    NameEntry *best(const QList<QByteArray> &names);
    // Jobs of any other state than Ready, by order_ms. Those in the trash are not among them.
    const TimedJobs &inState(JobState state) const { return m_byState[size_t(state)]; }
    // The job that awaits a message under the key with this hash; null: none does.
    JobEntry *awaiting(const QByteArray &key) const;
    qint64 count(JobState state) const;

    // For the purge, which passes over jobs that stay although others of their state do not: the first job of a final state that it has to
    // look at, null when there is none; this one is to be passed over until lookAgain(), or until something takes it to its place again.
    JobEntry *nextToLookAt(JobState state) const;
    void lookedAt(const JobEntry &job);
    void lookAgain();
    // Indexes a name's jobs that have ended, from now on and, by gatherOn(), those that are there; this takes so many jobs of any name at a
    // time, and returns whether there are more.
    void gatherEnded(NameEntry &name);
    bool gatherOn(int jobs);

    SpecialJobs &special() { return m_special; }
    const SpecialJobs &special() const { return m_special; }

    const std::unordered_map<JobId, JobEntry, HashOfId> &all() const { return m_jobs; }
    const std::map<int, NameEntry *> &names() const { return m_byNumber; }

private:
    void lookFrom(TimedJobs::iterator place);

    struct ByHead {
        bool operator()(const NameEntry *a, const NameEntry *b) const { return ByPriority()(a->head, b->head); }
    };

    std::unordered_map<JobId, JobEntry, HashOfId> m_jobs;
    std::array<TimedJobs, 9> m_byState;                // by JobState's value
    MarkedJobs m_trash, m_tracked;
    std::unordered_map<QByteArray, JobEntry *> m_awaiting; // by Handoff::key
    std::unordered_map<QByteArray, NameEntry> m_names;
    std::map<int, NameEntry *> m_byNumber;
    std::set<NameEntry *, ByHead> m_heads;             // names that have a head, by this
    qint64 m_ready = 0;
    std::array<TimedJobs::iterator, 3> m_nextToLookAt; // by endedIndex(); those before it are passed over
    // Where the next gatherOn() goes on; nothing: all are gathered.
    struct Gathering {
        size_t index = 0;
        qint64 order_ms = 0;
        JobId id = {};
    };
    std::optional<Gathering> m_gathering;
    SpecialJobs m_special;
};

} // namespace junban::engine
