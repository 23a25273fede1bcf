#include "tests/support/later.h"
#include "tests/support/modelstore.h"

#include <algorithm>

namespace junban::test {

Job ModelStore::shown(const Entry &entry) const
{
    Job job = entry.job;
    job.argument_bytes = job.spec.argument.size();
    if (job.state != JobState::Scheduled)
        job.runAt_ms = 0;
    const bool inHands = job.state == JobState::Running || job.state == JobState::Awaiting;
    if (job.state != JobState::Running) {
        job.leaseExpiresAt_ms = 0;
        job.holder.clear();
    }
    if (!inHands)
        job.deadline_ms = 0;
    job.cancelRequested = inHands && entry.cancel;
    job.dependenciesLeft = int(entry.waitsFor.size());
    job.resultKept = m_results.count(job.id) > 0;
    const bool listed = !job.attempts.isEmpty() && job.attempts.last().number == job.attempt;
    if (job.attempt > 0 && !listed && (inHands || job.state == JobState::Succeeded)) {
        Attempt last{job.attempt, job.worker, job.startedAt_ms, 0, {}, {}, false, 0};
        if (job.state == JobState::Succeeded) {
            last.endedAt_ms = job.finishedAt_ms;
            last.ended = "success";
        }
        job.attempts.append(last);
    }
    return job;
}

void ModelStore::get(JobId id, Callback<Job> callback)
{
    forget();
    const auto found = m_jobs.find(id);
    if (found == m_jobs.end())
        later<Job>(std::move(callback), Error{ErrorCode::NotFound, Reason("test", {}, "unknown")});
    else
        later<Job>(std::move(callback), shown(found->second));
}

double ModelStore::orderOf(const Entry &entry) const
{
    switch (entry.job.state) {
    case JobState::Ready: return entry.job.spec.priority;
    case JobState::Scheduled: return double(entry.job.runAt_ms);
    case JobState::Running: return double(entry.job.leaseExpiresAt_ms);
    case JobState::Awaiting: return double(entry.job.deadline_ms);
    case JobState::Depends: return double(entry.enteredAt_ms);
    default: return double(entry.job.finishedAt_ms);
    }
}

void ModelStore::page(PageRequest request, Callback<Page> callback)
{
    QList<QPair<double, JobId>> rows;
    for (const auto &[id, entry] : m_jobs) {
        const bool named = request.name.isEmpty() || entry.job.spec.name == request.name;
        if (entry.job.state == request.state && entry.job.deletedAt_ms == 0 && named)
            rows.append({orderOf(entry), id});
    }
    std::sort(rows.begin(), rows.end());
    const bool fromEnd = isFinal(request.state) != request.reversed;
    if (fromEnd)
        std::reverse(rows.begin(), rows.end());
    Page page;
    page.now_ms = now_ms;
    page.total = rows.size();
    for (const auto &row : std::as_const(rows)) {
        const bool beyond = !request.after || (fromEnd ? row < *request.after : *request.after < row);
        if (!beyond)
            continue;
        if (page.jobs.size() == request.limit) {
            page.end = false;
            break;
        }
        Job job = shown(m_jobs[row.second]);
        job.attempts.clear();
        page.jobs.append(job);
        page.orders.append(row.first);
        page.last = row;
    }
    later<Page>(std::move(callback), page);
}

void ModelStore::rows(QList<JobId> ids, PageDetail, Callback<QList<Job>> callback)
{
    QList<Job> jobs;
    for (const JobId &id : std::as_const(ids)) {
        if (const auto found = m_jobs.find(id); found != m_jobs.end()) {
            jobs.append(shown(found->second));
            jobs.last().attempts.clear();
        }
    }
    later<QList<Job>>(std::move(callback), jobs);
}

void ModelStore::counts(Callback<Overview> callback)
{
    Overview counts;
    counts.totals = m_totals;
    counts.now_ms = now_ms;
    for (const auto &[id, end_ms] : m_resultsEnd_ms)
        counts.resultsKept += end_ms > now_ms ? 1 : 0;
    for (const auto &[id, entry] : m_jobs)
        counts.byState[size_t(entry.job.state)] += entry.job.deletedAt_ms == 0 ? 1 : 0;
    later<Overview>(std::move(callback), counts);
}

void ModelStore::names(int limit, QByteArray after, Callback<QList<NameRow>> callback)
{
    QList<NameRow> list;
    for (qsizetype i = after.isEmpty() ? 0 : m_names.indexOf(after) + 1; i < m_names.size() && list.size() < limit; ++i) {
        NameRow row{.name = m_names[i], .totals = m_totalsOf[m_names[i]]};
        for (const auto &[id, entry] : m_jobs)
            row.ready += entry.job.state == JobState::Ready && entry.job.spec.name == m_names[i] ? 1 : 0;
        list.append(row);
    }
    later<QList<NameRow>>(std::move(callback), list);
}

void ModelStore::publishAskedNames(AskedNames record, Callback<Done> callback)
{
    asked.append(std::move(record));
    later<Done>(std::move(callback), Done{});
}

void ModelStore::takeResult(JobId id, QByteArray receipt, Fetch fetch, Callback<ResultNow> callback)
{
    forget();
    const auto ready = [&](const QByteArray &outcome) {
        later<ResultNow>(std::move(callback), ResultNow{ResultStatus::Ready, outcome, {}});
    };
    if (!receipt.isEmpty() && m_receipts.count(id) && m_receipts[id].first == receipt) {
        ready(m_receipts[id].second);
    } else if (m_results.count(id)) {
        const QByteArray outcome = m_results[id];
        const bool shared = m_jobs.count(id) && m_jobs[id].shared;
        if (shared && fetch == Fetch::Waited) {
            ready(outcome);
            return;
        }
        if (!receipt.isEmpty()) {
            m_receipts[id] = {receipt, outcome};
            m_receiptsEnd_ms[id] = now_ms + qint64(limits::receipt_s * 1000);
        }
        if (shared)
            m_shared[id] = outcome;
        m_results.erase(id);
        m_resultsEnd_ms.erase(id);
        ready(outcome);
    } else if (fetch == Fetch::Waited && m_shared.count(id)) {
        ready(m_shared[id]);
    } else {
        peekResult(id, std::move(callback));
    }
}

void ModelStore::editResult(JobId id, qint64 ttl_ms, Callback<Done> callback)
{
    forget();
    if (m_results.count(id) == 0) {
        later<Done>(std::move(callback), unknown());
        return;
    }
    m_resultsEnd_ms[id] = now_ms + ttl_ms;
    if (ttl_ms == 0) {
        m_results.erase(id);
        m_resultsEnd_ms.erase(id);
    }
    later<Done>(std::move(callback), Done{});
}

QList<QPair<qint64, JobId>> ModelStore::resultsByEnd() const
{
    QList<QPair<qint64, JobId>> rows;
    for (const auto &[id, end_ms] : m_resultsEnd_ms) {
        if (end_ms > now_ms)
            rows.append({end_ms, id});
    }
    std::sort(rows.begin(), rows.end());
    return rows;
}

void ModelStore::peekResult(JobId id, Callback<ResultNow> callback)
{
    forget();
    const auto found = m_jobs.find(id);
    if (m_results.count(id))
        later<ResultNow>(std::move(callback), ResultNow{ResultStatus::Ready, m_results[id], {}});
    else if (found == m_jobs.end() || !found->second.job.spec.keepResult || isFinal(found->second.job.state))
        later<ResultNow>(std::move(callback), ResultNow{});
    else
        later<ResultNow>(std::move(callback), ResultNow{ResultStatus::Pending, {}, found->second.job.state});
}

} // namespace junban::test
