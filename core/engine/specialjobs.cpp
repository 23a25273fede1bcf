#include "core/engine/specialjobs.h"

#include "core/jobs/uniquehash.h"

namespace junban::engine {

namespace {

QList<JobId> parentsOf(const Special &special)
{
    QList<JobId> parents = special.dependsOn;
    if (!special.ahead.isNull())
        parents.append(special.ahead);
    return parents;
}

} // namespace

std::unique_ptr<Special> Special::of(const JobSpec &spec)
{
    if (!spec.unique && spec.dependsOn.isEmpty() && spec.then.empty() && spec.expiresIn_ms == 0 && spec.group.isEmpty()
        && spec.windows.isEmpty())
        return nullptr;
    auto special = std::make_unique<Special>();
    if (spec.unique) {
        special->uniqueKey = uniqueHash(spec);
        special->until = spec.unique->until;
    }
    special->group = spec.group;
    special->windows = spec.windows;
    special->dependsOn = spec.dependsOn;
    if (!spec.dependsOn.isEmpty())
        special->onDependencyFailure = spec.onDependencyFailure;
    if (!spec.then.empty())
        special->then = packPushes(spec.then);
    return special;
}

void SpecialJobs::enter(const JobEntry &job)
{
    const Special &special = *job.special;
    if (isDependent(job)) {
        for (const JobId &parent : parentsOf(special))
            m_dependents[parent].insert(job.id);
    }
    if (special.expiresAt_ms > 0 && job.state <= JobState::Ready && job.attempt() == 0)
        m_expiring.insert({special.expiresAt_ms, job.id});
    if (special.closesAt_ms > 0 && job.state == JobState::Ready)
        m_closing.insert({special.closesAt_ms, job.id});
}

void SpecialJobs::leave(const JobEntry &job)
{
    const Special &special = *job.special;
    if (isDependent(job)) {
        for (const JobId &parent : parentsOf(special)) {
            const auto dependents = m_dependents.find(parent);
            if (dependents == m_dependents.end())
                continue; // a job that is named twice
            dependents->second.erase(job.id);
            if (dependents->second.empty())
                m_dependents.erase(dependents);
        }
    }
    m_expiring.erase({special.expiresAt_ms, job.id});
    m_closing.erase({special.closesAt_ms, job.id});
}

JobEntry *SpecialJobs::holder(const QByteArray &key) const
{
    const auto found = m_holders.find(key);
    return found == m_holders.end() ? nullptr : found->second;
}

void SpecialJobs::ended(const JobEntry &job)
{
    if (m_dependents.count(job.id) > 0)
        m_ended.insert({{job.order_ms, job.id}, JobId()});
}

std::optional<std::pair<JobId, JobId>> SpecialJobs::nextToTell()
{
    while (!m_ended.empty()) {
        const JobId parent = m_ended.begin()->first.second;
        JobId &told = m_ended.begin()->second;
        if (const auto dependents = m_dependents.find(parent); dependents != m_dependents.end()) {
            const auto next = told.isNull() ? dependents->second.begin() : dependents->second.upper_bound(told);
            if (next != dependents->second.end()) {
                told = *next;
                return std::pair(told, parent);
            }
        }
        m_ended.erase(m_ended.begin());
    }
    return {};
}

QList<JobId> SpecialJobs::parents() const
{
    QList<JobId> parents;
    for (const auto &[parent, dependents] : m_dependents)
        parents.append(parent);
    return parents;
}

std::optional<std::pair<qint64, JobId>> SpecialJobs::firstExpiry() const
{
    return m_expiring.empty() ? std::nullopt : std::optional(*m_expiring.begin());
}


std::optional<std::pair<qint64, JobId>> SpecialJobs::firstClosing() const
{
    return m_closing.empty() ? std::nullopt : std::optional(*m_closing.begin());
}

bool same(const SpecialJobs &a, const SpecialJobs &b)
{
    const bool sameHolders = a.m_holders.size() == b.m_holders.size()
        && std::all_of(a.m_holders.begin(), a.m_holders.end(), [&b](const auto &each) {
               const JobEntry *other = b.holder(each.first);
               return other && other->id == each.second->id;
           });
    return sameHolders && a.m_dependents == b.m_dependents && a.m_expiring == b.m_expiring && a.m_closing == b.m_closing;
}

} // namespace junban::engine
