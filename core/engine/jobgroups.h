#pragma once

#include "core/base/reason.h"
#include "core/engine/spread.h"
#include "core/jobs/job.h"

#include <optional>
#include <set>
#include <unordered_map>

namespace junban::engine {

// A group of jobs that are counted together. Times are milliseconds since the epoch.
struct JobGroup {
    QByteArray name;
    QByteArray token = {};               // the id of the token whose it is; empty: nobody's
    bool open = false;                   // more jobs may come, so its callback waits until it is closed
    bool opened = false;                 // it was open once: closed without a job, it has ended
    bool shared = false;                 // other pushers may see it and push into it
    qint64 succeeded = 0, failed = 0, cancelled = 0; // its jobs that have ended, also those that were purged since
    qint64 madeAt_ms = 0;
    qint64 endedAt_ms = 0;               // when its last job ended, or when it was closed after that; 0: jobs are pending, or it is open
    qint64 idleSince_ms = 0;             // when its last job ended, or when it was changed after that; of no meaning while jobs are pending
    QByteArray callback = {};            // packPushes() of the one job that is enqueued when it has ended; empty: none
    JobId callbackId = {};               // that this job's id is made of
    JobId called = {};                   // the job that was enqueued; null: none was
    Reason refused = {};                 // why it could not be enqueued; empty: it was not refused
    // Not in Redis:
    qint64 pending = 0;                  // its jobs that have not ended …
    qint64 jobs = 0;                     // … and those that were not purged, as follows from the jobs themselves
    bool changed = false;                // this call has to write it
    bool stored = false;                 // Redis has it

    // How many of its jobs have ended in this state, which is final.
    qint64 &ended(JobState state) { return state == JobState::Succeeded ? succeeded : state == JobState::Failed ? failed : cancelled; }
    qint64 total() const { return pending + succeeded + failed + cancelled; }

    friend bool operator==(const JobGroup &, const JobGroup &) = default;
};

// All groups, by name. A group is forgotten limits::group_kept_s after it became idle, but not before its jobs were purged: so the group of
// every job is there. Redis has the groups in up to 256 hashes, so that a load reads no key that is too long.
class JobGroups
{
public:
    JobGroups() = default;
    JobGroups(const JobGroups &) = delete;
    JobGroups &operator=(const JobGroups &) = delete;

    JobGroup *find(const QByteArray &name);
    const JobGroup *find(const QByteArray &name) const { return const_cast<JobGroups *>(this)->find(name); }
    // The group, which is made if there is none; then the second is true.
    std::pair<JobGroup &, bool> use(const QByteArray &name, qint64 now_ms);

    // A job came in, or was loaded; and a job was purged.
    void join(JobGroup &group, bool pending);
    void purged(JobGroup &group);
    // None of its jobs is pending, from now on.
    void rest(JobGroup &group, qint64 now_ms);
    void changed(JobGroup &group);
    void writeChanges(Writes &writes);
    // Forgets at most limits::script_items_max groups that were idle for long enough; `more` becomes true if there are others.
    void forgetOld(qint64 now_ms, Writes &writes, bool &more);

    // For loads: a field of one of the keys that have groups. False: it cannot be read.
    bool load(const QByteArray &key, const QByteArray &name, QByteArrayView packed);
    const Spread &keys() const { return m_keys; }

    // Whether two have the same groups, with the same index.
    friend bool operator==(const JobGroups &a, const JobGroups &b) { return a.m_groups == b.m_groups && a.m_idle == b.m_idle; }

private:
    std::unordered_map<QByteArray, JobGroup> m_groups;
    std::set<std::pair<qint64, QByteArray>> m_idle;      // (idleSince_ms, name) of those without jobs
    Spread m_keys{"g:", KeyKind::Groups};
    QList<JobGroup *> m_changed;
};

} // namespace junban::engine
