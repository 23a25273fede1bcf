#include "tests/support/modelstore.h"

#include "core/isotime.h"
#include "tests/support/later.h"

#include <algorithm>

namespace junban::test {

namespace {

Error lost()
{
    return Error{ErrorCode::LeaseLost, "lost", "lease"};
}
Error unknown()
{
    return Error{ErrorCode::NotFound, "unknown"};
}
Error conflict()
{
    return Error{ErrorCode::Conflict, "conflict"};
}

template<typename T, typename Item, typename Each>
void laterEach(Callback<QList<Result<T>>> callback, const QList<Item> &items, Each each)
{
    QList<Result<T>> results;
    for (const Item &item : items)
        results.append(each(item));
    later<QList<Result<T>>>(std::move(callback), std::move(results));
}

QByteArray madeByMaster(qint64 at_ms, FailureReason reason, bool retry, const QByteArray &message)
{
    Outcome outcome;
    outcome.type = OutcomeType::Failure;
    outcome.reason = reason;
    outcome.finishedAt = isoTime(at_ms);
    outcome.shouldRetry = retry;
    outcome.message = message;
    return outcome.packed();
}

} // namespace

void ModelStore::note(Entry &entry, const QByteArray &how, const QByteArray &message, bool retry, qint64 next_ms)
{
    entry.job.attempts.append({entry.job.attempt, entry.job.worker, entry.job.startedAt_ms, now_ms, how, message, retry, next_ms});
}

void ModelStore::finalise(Entry &entry, JobState state)
{
    entry.job.state = state;
    entry.job.finishedAt_ms = now_ms;
}

Result<Enqueued> ModelStore::enqueueOne(const EnqueueItem &item)
{
    const auto stateOf = [this](JobId id) { return m_jobs.count(id) ? m_jobs[id].job.state : JobState::Succeeded; };
    const QByteArray key = item.owner + '\0' + item.spec.idempotencyKey;
    if (!item.spec.idempotencyKey.isEmpty() && m_keys.count(key) && m_keys[key].first != item.id) {
        if (m_keys[key].second != item.spec.fingerprint())
            return Error{ErrorCode::IdempotencyMismatch, "mismatch"};
        return Enqueued{m_keys[key].first, stateOf(m_keys[key].first), true};
    }
    if (m_jobs.count(item.id))
        return Enqueued{item.id, stateOf(item.id), false};
    Entry entry;
    entry.job.id = item.id;
    entry.job.spec = item.spec;
    entry.job.createdAt_ms = item.id.created_ms();
    entry.job.runAt_ms = item.spec.runAt_ms.value_or(now_ms + item.spec.delay_ms);
    entry.job.state = entry.job.runAt_ms > now_ms ? JobState::Scheduled : JobState::Ready;
    const JobState state = entry.job.state;
    m_jobs[item.id] = entry;
    if (!item.spec.idempotencyKey.isEmpty())
        m_keys[key] = {item.id, item.spec.fingerprint()};
    if (!m_names.contains(item.spec.name))
        m_names.append(item.spec.name);
    ++m_totalsOf[item.spec.name].enqueuedTotal;
    ++m_totals.enqueuedTotal;
    return Enqueued{item.id, state, false};
}

Claimed ModelStore::claimOne(const ClaimRequest &request)
{
    Claimed claimed;
    while (claimed.jobs.size() < request.limit) {
        Entry *best = nullptr;
        for (auto &[id, entry] : m_jobs) {
            if (entry.job.state != JobState::Ready || (!request.names.isEmpty() && !request.names.contains(entry.job.spec.name)))
                continue;
            if (!best || entry.job.spec.priority < best->job.spec.priority) // ids come in their order
                best = &entry;
        }
        if (!best)
            break;
        Job &job = best->job;
        job.state = JobState::Running;
        ++job.attempt;
        job.worker = request.worker;
        job.startedAt_ms = now_ms;
        job.deadline_ms = now_ms + job.spec.timeout_ms;
        best->lease_ms = request.lease_ms == 0 ? job.spec.timeout_ms : std::min(request.lease_ms, job.spec.timeout_ms);
        job.leaseExpiresAt_ms = now_ms + best->lease_ms;
        best->lease = QByteArray::number(job.attempt) + '.' + QByteArray::number(++m_leases);
        best->heard = false;
        best->cancel = false;
        job.progressDone = job.progressTotal = 0;
        job.progressMessage.clear();
        ++m_totals.startedTotal;
        claimed.jobs.append({job.id, job.spec, job.attempt, best->lease, job.leaseExpiresAt_ms, job.deadline_ms});
    }
    return claimed;
}

void ModelStore::keepResult(const Entry &entry, const QByteArray &outcome)
{
    if (!entry.job.spec.keepResult)
        return;
    m_results[entry.job.id] = outcome;
    m_resultsEnd_ms[entry.job.id] = now_ms + (entry.job.spec.resultTtl_ms + 999) / 1000 * 1000;
}

Finished ModelStore::succeed(Entry &entry, const QByteArray &outcome)
{
    finalise(entry, JobState::Succeeded);
    entry.endedLease = entry.lease;
    entry.endedBy = 's';
    entry.answer = {JobState::Succeeded, 0};
    entry.job.outcome.clear(); // of an earlier failure
    keepResult(entry, outcome);
    ++m_totalsOf[entry.job.spec.name].succeededTotal;
    ++m_totals.succeededTotal;
    return entry.answer;
}

Finished ModelStore::endBadly(Entry &entry, const BadEnd &end)
{
    Job &job = entry.job;
    entry.endedLease = entry.lease;
    entry.endedBy = end.by;
    job.message = end.message;
    if (entry.cancel) {
        note(entry, end.how, end.message, false, 0);
        finalise(entry, JobState::Cancelled);
        job.reason = "cancelled";
        ++m_totals.cancelledTotal;
        return entry.answer = {JobState::Cancelled, 0};
    }
    ++job.failures;
    ++m_totalsOf[job.spec.name].failuresTotal;
    ++m_totals.failuresTotal;
    entry.silent = end.silent;
    job.outcome = end.outcome;
    if (end.retry && job.failures <= job.spec.maxRetry) {
        job.runAt_ms = now_ms + std::max(job.spec.backoff.delay_ms(job.failures, end.jitter), end.after_ms);
        job.state = job.runAt_ms > now_ms ? JobState::Scheduled : JobState::Ready;
        entry.answer = {job.state, job.state == JobState::Ready ? 0 : job.runAt_ms};
        note(entry, end.how, end.message, true, entry.answer.runAt_ms);
        ++m_totals.retriedTotal;
        return entry.answer;
    }
    note(entry, end.how, end.message, end.retry, 0);
    finalise(entry, JobState::Failed);
    job.reason = end.reason;
    keepResult(entry, end.outcome);
    ++m_totalsOf[job.spec.name].failedTotal;
    ++m_totals.failedTotal;
    return entry.answer = {JobState::Failed, 0};
}

Result<ModelStore::Entry *> ModelStore::leased(JobId id, const QByteArray &lease)
{
    const auto found = m_jobs.find(id);
    if (found == m_jobs.end())
        return unknown();
    if (found->second.job.state != JobState::Running || found->second.lease != lease)
        return lost();
    return &found->second;
}

Result<Finished> ModelStore::finishOne(const FinishItem &item)
{
    const auto found = m_jobs.find(item.id);
    if (found == m_jobs.end())
        return unknown();
    Entry &entry = found->second;
    const bool success = item.outcome.type == OutcomeType::Success;
    if (entry.job.state == JobState::Running && entry.lease == item.lease) {
        if (success)
            return succeed(entry, item.outcome.packed());
        BadEnd end{'f', "failure", failureReasonWord(item.outcome.reason), item.outcome.packed(), item.outcome.message};
        end.retry = item.outcome.shouldRetry;
        end.after_ms = item.outcome.retryAfter_ms.value_or(0);
        end.jitter = item.jitter;
        return endBadly(entry, end);
    }
    if (!item.lease.isEmpty() && entry.endedLease == item.lease && entry.endedBy == (success ? 's' : 'f'))
        return entry.answer;
    const bool waits = entry.job.state == JobState::Ready || entry.job.state == JobState::Scheduled;
    if (success && waits && entry.lease == item.lease && entry.endedLease == item.lease && entry.endedBy == 'e')
        return succeed(entry, item.outcome.packed());
    return lost();
}

Result<StateNow> ModelStore::releaseOne(const ReleaseItem &item)
{
    const auto found = m_jobs.find(item.id);
    if (found != m_jobs.end() && found->second.endedBy == 'r' && found->second.endedLease == item.lease)
        return StateNow{found->second.answer.state, false};
    const Result<Entry *> owner = leased(item.id, item.lease);
    if (!owner.ok())
        return owner.error();
    Entry &entry = **owner;
    const int releases = entry.job.releases + (item.untouched ? 0 : 1);
    if (entry.cancel)
        return StateNow{endBadly(entry, {'r', "released", {}, {}, "Released after a cancel was asked for."}).state, false};
    if (releases > limits::releases_max) {
        const QByteArray message = "Released more than 20 times.";
        BadEnd end{'r', "released", "other", madeByMaster(now_ms, FailureReason::Other, true, message), message};
        end.retry = true;
        end.after_ms = item.delay_ms;
        end.jitter = item.jitter;
        return StateNow{endBadly(entry, end).state, false};
    }
    if (!item.untouched)
        note(entry, "released", {}, true, item.delay_ms > 0 ? now_ms + item.delay_ms : 0);
    entry.job.releases = releases;
    entry.silent = 0;
    entry.endedLease = entry.lease;
    entry.endedBy = 'r';
    entry.job.state = item.delay_ms > 0 ? JobState::Scheduled : JobState::Ready;
    entry.job.runAt_ms = now_ms + item.delay_ms;
    entry.answer = {entry.job.state, 0};
    return StateNow{entry.job.state, false};
}

Result<StateNow> ModelStore::cancelOne(const CancelItem &item)
{
    const auto found = m_jobs.find(item.id);
    if (found == m_jobs.end())
        return unknown();
    Entry &entry = found->second;
    if (entry.job.state == JobState::Cancelled)
        return StateNow{JobState::Cancelled, false};
    if (isFinal(entry.job.state))
        return conflict();
    if (entry.job.state == JobState::Running && !item.force) {
        entry.cancel = true;
        return StateNow{JobState::Running, true};
    }
    if (entry.job.state == JobState::Running)
        note(entry, "cancelled", {}, false, 0);
    finalise(entry, JobState::Cancelled);
    entry.job.reason = "cancelled";
    ++m_totals.cancelledTotal;
    return StateNow{JobState::Cancelled, false};
}

void ModelStore::enqueue(QList<EnqueueItem> items, Callback<QList<Result<Enqueued>>> callback)
{
    laterEach<Enqueued>(std::move(callback), items, [this](const EnqueueItem &item) { return enqueueOne(item); });
}

void ModelStore::finishAndClaim(QList<FinishItem> items, QList<ClaimRequest> claims, Callback<FinishAndClaimReply> callback)
{
    FinishAndClaimReply reply;
    for (const FinishItem &item : std::as_const(items))
        reply.finished.append(finishOne(item));
    for (const ClaimRequest &claim : std::as_const(claims))
        reply.claimed.append(claimOne(claim));
    later<FinishAndClaimReply>(std::move(callback), std::move(reply));
}

void ModelStore::heartbeat(QList<HeartbeatItem> items, Callback<QList<Result<Heartbeat>>> callback)
{
    laterEach<Heartbeat>(std::move(callback), items, [this](const HeartbeatItem &item) -> Result<Heartbeat> {
        const Result<Entry *> owner = leased(item.id, item.lease);
        if (!owner.ok())
            return owner.error();
        Entry &entry = **owner;
        entry.heard = true;
        entry.job.leaseExpiresAt_ms = std::min(now_ms + entry.lease_ms, entry.job.deadline_ms);
        if (item.progress) {
            entry.job.progressDone = item.progress->done;
            entry.job.progressTotal = item.progress->total;
            entry.job.progressMessage = item.progress->message;
        }
        return Heartbeat{entry.job.leaseExpiresAt_ms, entry.cancel};
    });
}

void ModelStore::release(QList<ReleaseItem> items, Callback<QList<Result<StateNow>>> callback)
{
    laterEach<StateNow>(std::move(callback), items, [this](const ReleaseItem &item) { return releaseOne(item); });
}

void ModelStore::cancel(QList<CancelItem> items, Callback<QList<Result<StateNow>>> callback)
{
    laterEach<StateNow>(std::move(callback), items, [this](const CancelItem &item) { return cancelOne(item); });
}

void ModelStore::retry(QList<JobId> ids, Callback<QList<Result<StateNow>>> callback)
{
    laterEach<StateNow>(std::move(callback), ids, [this](const JobId &id) -> Result<StateNow> {
        const auto found = m_jobs.find(id);
        if (found == m_jobs.end())
            return unknown();
        Entry &entry = found->second;
        if (entry.job.state != JobState::Failed && entry.job.state != JobState::Cancelled)
            return conflict();
        entry.job.state = JobState::Ready;
        entry.job.failures = entry.job.releases = entry.silent = 0;
        entry.cancel = false;
        entry.job.finishedAt_ms = 0;
        entry.job.reason.clear();
        entry.job.outcome.clear();
        entry.job.message.clear();
        m_results.erase(id);
        m_resultsEnd_ms.erase(id);
        m_receipts.erase(id);
        return StateNow{JobState::Ready, false};
    });
}

void ModelStore::sweep(Callback<Swept> callback)
{
    Swept swept;
    QList<Entry *> expired;
    for (auto &[id, entry] : m_jobs) {
        if (entry.job.state == JobState::Running && std::min(entry.job.leaseExpiresAt_ms, entry.job.deadline_ms) <= now_ms)
            expired.append(&entry);
    }
    for (Entry *entry : std::as_const(expired)) {
        const bool overtime = now_ms >= entry->job.deadline_ms;
        const int silent = !entry->heard && !overtime ? entry->silent + 1 : 0;
        const bool poison = silent >= limits::poison_expiries;
        const bool again = !poison && entry->job.failures + 1 <= entry->job.spec.maxRetry;
        const QByteArray message = overtime ? "The attempt took longer than its timeout." : "The lease ran out without a heartbeat.";
        BadEnd end{'e', "timeout", poison ? "poison" : "timeout", madeByMaster(now_ms, FailureReason::Timeout, again, message), message};
        end.retry = again;
        end.silent = silent;
        const JobState state = endBadly(*entry, end).state;
        if (isFinal(state))
            swept.finished.append(entry->job.id);
        else if (state == JobState::Ready && !swept.readyNames.contains(entry->job.spec.name))
            swept.readyNames.append(entry->job.spec.name);
        ++swept.expired;
        ++m_totals.expiredTotal;
    }
    for (auto &[id, entry] : m_jobs) {
        if (entry.job.state == JobState::Scheduled && entry.job.runAt_ms <= now_ms) {
            entry.job.state = JobState::Ready;
            ++swept.promoted;
            if (!swept.readyNames.contains(entry.job.spec.name))
                swept.readyNames.append(entry.job.spec.name);
        }
    }
    for (auto next = m_jobs.begin(); next != m_jobs.end();) {
        const Job &job = next->second.job;
        const double kept_s = job.state == JobState::Succeeded ? limits::succeeded_kept_s
            : job.state == JobState::Failed                    ? limits::failed_kept_s
                                                               : limits::cancelled_kept_s;
        const bool gone = isFinal(job.state) && job.finishedAt_ms <= now_ms - qint64(kept_s * 1000);
        swept.purged += gone ? 1 : 0;
        const double due = job.state == JobState::Running || job.state == JobState::Scheduled ? orderOf(next->second) : 0;
        if (due > 0 && (swept.nextDue_ms == 0 || due < double(swept.nextDue_ms)))
            swept.nextDue_ms = qint64(due);
        next = gone ? m_jobs.erase(next) : std::next(next);
    }
    later<Swept>(std::move(callback), swept);
}

void ModelStore::takeResult(JobId id, QByteArray receipt, Fetch, Callback<ResultNow> callback)
{
    if (!receipt.isEmpty() && m_receipts.count(id) && m_receipts[id].first == receipt) {
        later<ResultNow>(std::move(callback), ResultNow{ResultStatus::Ready, m_receipts[id].second, {}});
        return;
    }
    if (m_results.count(id)) {
        if (!receipt.isEmpty())
            m_receipts[id] = {receipt, m_results[id]};
        const QByteArray outcome = m_results[id];
        m_results.erase(id);
        m_resultsEnd_ms.erase(id);
        later<ResultNow>(std::move(callback), ResultNow{ResultStatus::Ready, outcome, {}});
        return;
    }
    peekResult(id, std::move(callback));
}

void ModelStore::peekResult(JobId id, Callback<ResultNow> callback)
{
    const auto found = m_jobs.find(id);
    if (m_results.count(id))
        later<ResultNow>(std::move(callback), ResultNow{ResultStatus::Ready, m_results[id], {}});
    else if (found == m_jobs.end() || !found->second.job.spec.keepResult || isFinal(found->second.job.state))
        later<ResultNow>(std::move(callback), ResultNow{});
    else
        later<ResultNow>(std::move(callback), ResultNow{ResultStatus::Pending, {}, found->second.job.state});
}

void ModelStore::probe(Callback<Done> callback)
{
    later<Done>(std::move(callback), Done{});
}

void ModelStore::setHintHandler(std::function<void(const Hints &)>)
{
    // There is only one master here.
}

} // namespace junban::test
