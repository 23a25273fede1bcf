#pragma once

#include "core/engine/jobentry.h"

#include <map>
#include <set>
#include <unordered_map>

namespace junban::engine {

// What follows from the special fields of all jobs: who has each unique key, who waits for whom, who expires next, and whose windows close
// next. JobTable keeps all but the first as jobs enter and leave their states.
class SpecialJobs
{
public:
    SpecialJobs() = default;
    SpecialJobs(const SpecialJobs &) = delete;
    SpecialJobs &operator=(const SpecialJobs &) = delete;

    // Precondition: the job has special fields.
    void enter(const JobEntry &job);
    void leave(const JobEntry &job);

    // The job that has a unique key; null: none has.
    JobEntry *holder(const QByteArray &key) const;
    // Gives the job its key, and takes it from the one that has it. Precondition: the job has a unique key.
    void giveKey(JobEntry &job) { m_holders[job.special->uniqueKey] = &job; }
    void freeKey(const QByteArray &key) { m_holders.erase(key); }

    // A job has ended: those that depend on it are to be told.
    void ended(const JobEntry &job);
    // The job goes away, or goes on.
    void forget(const JobEntry &job) { m_ended.erase({job.order_ms, job.id}); }
    bool isToBeTold(const JobEntry &job) const { return m_ended.count({job.order_ms, job.id}) > 0; }
    // The next to be told, and the job that ended: jobs that ended first come first, then dependents by id. Nothing: nobody is to be told.
    std::optional<std::pair<JobId, JobId>> nextToTell();
    bool anyToTell() const { return !m_ended.empty(); }
    // For loads: all jobs that others wait for.
    QList<JobId> parents() const;
    // For loads: a job that is gone has ended, too.
    void gone(const JobId &id) { m_ended.insert({{0, id}, JobId()}); }

    // The first job that expires, and when; nothing: none does.
    std::optional<std::pair<qint64, JobId>> firstExpiry() const;
    // The first ready job whose windows close, and when.
    std::optional<std::pair<qint64, JobId>> firstClosing() const;

    // Whether two have the same, but for how far dependents were told.
    friend bool same(const SpecialJobs &a, const SpecialJobs &b);

private:
    std::unordered_map<QByteArray, JobEntry *> m_holders;    // by unique key
    std::map<JobId, std::set<JobId>> m_dependents;           // of each job that others wait for, ended or not
    std::map<std::pair<qint64, JobId>, JobId> m_ended;       // by end; and which of its dependents was told last
    std::set<std::pair<qint64, JobId>> m_expiring, m_closing;
};

} // namespace junban::engine
