#include "core/queue/resultwaits.h"

#include "core/base/clock.h"

#include <algorithm>

namespace junban {

void ResultWaits::add(Id id, JobId job, QByteArray receipt, Fetch fetch, qint64 deadline_ms, Answer answer)
{
    Watched &watched = m_jobs[job];
    if (fetch == Fetch::Waited)
        watched.fetch = fetch;
    if (watched.waits.empty() && !m_stopped)
        m_turn.push_back(job);
    watched.waits.push_back({id, std::move(receipt), std::move(answer), m_deadlines.emplace(deadline_ms, id)});
    m_jobOf.insert(id, job);
    look(job);
}

ResultWaits::Answer ResultWaits::take(Id id)
{
    const auto job = m_jobOf.constFind(id);
    if (job == m_jobOf.cend())
        return {};
    const auto watched = m_jobs.find(*job);
    auto &waits = watched->waits;
    const auto wait = std::find_if(waits.begin(), waits.end(), [id](const Wait &candidate) { return candidate.id == id; });
    Answer answer = std::move(wait->answer);
    m_deadlines.erase(wait->deadline);
    waits.erase(wait);
    if (waits.empty() && !watched->looking)
        m_jobs.erase(watched);
    m_jobOf.remove(id);
    return answer;
}

void ResultWaits::look(JobId job)
{
    Watched &watched = m_jobs[job];
    if (watched.looking) {
        watched.again = true;
        return;
    }
    watched.looking = true;
    watched.again = false;
    const auto answer = [this, job, alive = std::weak_ptr(m_alive)](const Result<ResultNow> &now) {
        if (!alive.expired())
            looked(job, now);
    };
    m_look(job, watched.waits.front().receipt, watched.fetch, answer);
}

void ResultWaits::looked(JobId job, const Result<ResultNow> &now)
{
    Watched &watched = m_jobs[job];
    watched.looking = false;
    if (watched.waits.empty()) { // all were given up
        m_jobs.remove(job);
        return;
    }
    if (!now.ok() || now->status != ResultStatus::Pending || m_stopped) {
        answerAll(job, now);
        return;
    }
    watched.state = now->state;
    watched.fetch = Fetch::Waited;
    const bool again = watched.again;
    expire(Clock::monotonic_ms());
    if (again && m_jobs.contains(job))
        look(job);
}

void ResultWaits::answerAll(JobId job, const Result<ResultNow> &now)
{
    const Watched watched = m_jobs.take(job);
    for (const Wait &wait : watched.waits) {
        m_deadlines.erase(wait.deadline);
        m_jobOf.remove(wait.id);
    }
    for (const Wait &wait : watched.waits)
        wait.answer(now);
}

void ResultWaits::noteFinal(JobId job)
{
    if (m_jobs.contains(job))
        look(job);
}

void ResultWaits::lookAgain()
{
    for (qsizetype turns = std::min<qsizetype>(limits::result_looks_max, qsizetype(m_turn.size())); turns > 0; --turns) {
        const JobId job = m_turn.front();
        m_turn.pop_front();
        const auto watched = m_jobs.constFind(job);
        if (watched == m_jobs.cend() || watched->waits.empty())
            continue;
        m_turn.push_back(job);
        look(job);
    }
}

void ResultWaits::expire(qint64 now_ms)
{
    QList<Id> overdue;
    for (auto next = m_deadlines.begin(); next != m_deadlines.end() && next->first <= now_ms; ++next) {
        if (!m_jobs[m_jobOf[next->second]].looking)
            overdue.append(next->second);
    }
    for (const Id id : std::as_const(overdue)) {
        const JobState state = m_jobs[m_jobOf[id]].state;
        if (const Answer answer = take(id))
            answer(ResultNow{ResultStatus::Pending, {}, state});
    }
}

void ResultWaits::stop()
{
    m_stopped = true;
    const QList<JobId> jobs = m_jobs.keys();
    for (const JobId &job : jobs) {
        if (!m_jobs[job].looking)
            answerAll(job, ResultNow{ResultStatus::Pending, {}, m_jobs[job].state});
    }
}

} // namespace junban
