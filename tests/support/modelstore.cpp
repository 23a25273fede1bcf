#include "tests/support/modelstore.h"

#include "core/base/isotime.h"
#include "tests/support/backoffdelay.h"
#include "tests/support/later.h"

#include <QCryptographicHash>
#include <algorithm>

namespace junban::test {

namespace {

Error lost()
{
    return Error{ErrorCode::LeaseLost, Reason("test", {}, "lost"), "lease"};
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

Error ModelStore::unknown()
{
    return Error{ErrorCode::NotFound, Reason("test", {}, "unknown")};
}

Error ModelStore::conflict()
{
    return Error{ErrorCode::Conflict, Reason("test", {}, "conflict")};
}

void ModelStore::note(Entry &entry, const QByteArray &how, const QByteArray &message, bool retry, qint64 next_ms)
{
    entry.job.attempts.append({entry.job.attempt, entry.job.worker, entry.job.startedAt_ms, now_ms, how, message, retry, next_ms});
}

void ModelStore::tell(Entry &entry, const QByteArray &what, const QByteArray &actor, int attempt, const QByteArray &details)
{
    entry.job.events.append({now_ms, what, actor, attempt, details});
}

Result<Enqueued> ModelStore::enqueueOne(const EnqueueItem &item)
{
    const auto stateOf = [this](JobId id) {
        return m_jobs.count(id) ? m_jobs[id].job.state : m_gone.count(id) ? m_gone[id] : JobState::Succeeded;
    };
    const QByteArray key = item.owner + '\0' + item.spec.idempotencyKey;
    if (!item.spec.idempotencyKey.isEmpty() && m_keys.count(key)) {
        const Key &known = m_keys[key];
        if (known.id != item.id && known.fingerprint != item.spec.fingerprint())
            return Error{ErrorCode::IdempotencyMismatch, Reason("test", {}, "mismatch")};
        return Enqueued{known.id, stateOf(known.id), known.id != item.id};
    }
    if (m_jobs.count(item.id))
        return Enqueued{item.id, stateOf(item.id), false};
    const Result<Enqueued> pushed = push(item.id, item.spec, windowBoundaries_ms(item.spec.windows, now_ms));
    if (pushed.ok() && pushed->duplicate && !item.owner.isEmpty()) {
        QList<QByteArray> &sharers = m_jobs[pushed->id].job.sharers;
        if (!sharers.contains(item.owner))
            sharers.append(item.owner);
    }
    if (pushed.ok() && !item.spec.idempotencyKey.isEmpty())
        remember(key, pushed->id, item.spec);
    return pushed;
}

void ModelStore::remember(const QByteArray &key, JobId id, const JobSpec &spec)
{
    m_keys[key] = {id, spec.fingerprint(), now_ms};
    if (qint64(m_keys.size()) <= keysMax)
        return;
    const auto age = [](const auto &each) {
        return QPair(each.second.madeAt_ms, QCryptographicHash::hash(each.first, QCryptographicHash::Sha1));
    };
    m_keys.erase(std::min_element(m_keys.begin(), m_keys.end(), [&age](const auto &a, const auto &b) { return age(a) < age(b); }));
}

// Forgets what has ended by the clock.
void ModelStore::forget()
{
    if (!endsByTime)
        return;
    const auto hasEnded = [this](const auto &each) { return each.second <= now_ms; };
    for (const auto &[id, end_ms] : m_resultsEnd_ms) {
        if (end_ms <= now_ms)
            m_results.erase(id);
    }
    for (const auto &[id, end_ms] : m_receiptsEnd_ms) {
        if (end_ms <= now_ms)
            m_receipts.erase(id);
    }
    std::erase_if(m_resultsEnd_ms, hasEnded);
    std::erase_if(m_receiptsEnd_ms, hasEnded);
    std::erase_if(m_keys, [this](const auto &each) { return each.second.madeAt_ms + qint64(limits::idempotency_s * 1000) <= now_ms; });
}

// The best ready jobs of some names.
QList<ModelStore::Entry *> ModelStore::best(const QList<QByteArray> &names, int count)
{
    QList<Entry *> ready;
    for (auto &[id, entry] : m_jobs) {
        if (entry.job.state == JobState::Ready && (names.isEmpty() || names.contains(entry.job.spec.name)))
            ready.append(&entry);
    }
    std::stable_sort(ready.begin(), ready.end(), // ids come in their order
        [](const Entry *a, const Entry *b) { return a->job.spec.priority < b->job.spec.priority; });
    return ready.mid(0, count);
}

// Moves a job that has expired, or whose window has closed, to its place.
bool ModelStore::mayStart(Entry &entry)
{
    entry.closes_ms = 0;
    if (entry.expires && entry.job.attempt == 0 && entry.job.expiresAt_ms <= now_ms) {
        endUnstarted(entry, JobState::Failed, "expired", "It was not started in time.");
        return false;
    }
    qint64 until_ms = 0;
    if (!entry.job.spec.windows.isEmpty() && !isOpen(entry, now_ms, until_ms)) {
        place(entry, now_ms);
        return false;
    }
    if (entry.job.spec.unique && entry.job.spec.unique->until == UniqueUntil::Started)
        freeUnique(entry);
    return true;
}

ClaimedJob ModelStore::start(Entry &entry, const ClaimRequest &request)
{
    Job &job = entry.job;
    job.state = JobState::Running;
    ++job.attempt;
    job.worker = request.worker;
    job.holder = request.token;
    job.startedAt_ms = now_ms;
    job.deadline_ms = now_ms + job.spec.timeout_ms;
    entry.lease_ms = request.lease_ms == 0 ? job.spec.timeout_ms : std::min(request.lease_ms, job.spec.timeout_ms);
    job.leaseExpiresAt_ms = now_ms + entry.lease_ms;
    entry.lease = QByteArray::number(job.attempt) + '.' + QByteArray::number(++m_leases);
    entry.heard = false;
    entry.cancel = false;
    job.progress.done = job.progress.total = 0;
    job.progress.message.clear();
    ++m_totals.started;
    return {job.id, job.spec, job.attempt, entry.lease, job.leaseExpiresAt_ms, job.deadline_ms};
}

// Requests with the same names are served together, in their order: first as many of the best jobs as they want, then as many more as
// jobs could not start.
QList<Claimed> ModelStore::claimAll(const QList<ClaimRequest> &requests)
{
    QList<Claimed> claimed(requests.size());
    QList<QList<QByteArray>> served;
    for (const ClaimRequest &first : requests) {
        if (served.contains(first.names))
            continue;
        served.append(first.names);
        QList<qsizetype> places;
        for (qsizetype i = 0; i < requests.size(); ++i)
            places.append(requests[i].names == first.names ? QList<qsizetype>(requests[i].limit, i) : QList<qsizetype>());
        for (bool full = true; full && !places.isEmpty();) {
            const QList<Entry *> taken = best(first.names, int(places.size()));
            full = taken.size() == places.size();
            for (Entry *entry : taken) {
                if (!mayStart(*entry))
                    continue;
                const qsizetype place = places.takeFirst();
                claimed[place].jobs.append(start(*entry, requests[place]));
            }
        }
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

Finished ModelStore::endBadly(Entry &entry, const BadEnd &end)
{
    Job &job = entry.job;
    entry.endedLease = entry.lease;
    entry.endedBy = end.by;
    job.message = end.message;
    leavePlace(entry);
    if (entry.cancel) {
        note(entry, end.how, end.message, false, 0);
        finalise(entry, JobState::Cancelled, "cancelled");
        ++m_totals.cancelled;
        return entry.answer = {JobState::Cancelled, 0};
    }
    ++job.failures;
    ++m_totalsOf[job.spec.name].failures;
    ++m_totals.failures;
    entry.silent = end.silent;
    job.outcome = end.outcome;
    if (end.retry && job.failures <= job.spec.maxRetry) {
        const StateNow placed = place(entry, now_ms + std::max(backoffDelay_ms(job.spec.backoff, job.failures, end.jitter), end.after_ms));
        entry.answer = {placed.state, placed.runAt_ms};
        note(entry, end.how, end.message, true, entry.answer.runAt_ms);
        ++m_totals.retried;
        return entry.answer;
    }
    note(entry, end.how, end.message, end.retry, 0);
    finalise(entry, JobState::Failed, end.reason);
    keepResult(entry, end.outcome);
    ++m_totalsOf[job.spec.name].failed;
    ++m_totals.failed;
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
            return succeed(entry, 's', item.outcome.packed());
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
        return succeed(entry, 's', item.outcome.packed());
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
    entry.answer = {place(entry, item.delay_ms > 0 ? now_ms + item.delay_ms : 0).state, 0};
    return StateNow{entry.answer.state, false};
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
    const JobState state = entry.job.state;
    const bool inHands = state == JobState::Running || state == JobState::Awaiting;
    if (inHands && !item.force && !(inMemory && state == JobState::Awaiting)) {
        if (!entry.cancel)
            tell(entry, "cancel_requested", item.by, entry.job.attempt);
        entry.cancel = true;
        return StateNow{state, true};
    }
    leavePlace(entry);
    if (inHands) {
        tell(entry, "cancel_requested", item.by, entry.job.attempt);
        note(entry, "cancelled", {}, false, 0);
        entry.endedLease = entry.lease;
        entry.endedBy = 'c';
        entry.answer = {JobState::Cancelled, 0};
    } else {
        tell(entry, "cancelled", item.by, entry.job.attempt);
    }
    finalise(entry, JobState::Cancelled, "cancelled");
    ++m_totals.cancelled;
    return StateNow{JobState::Cancelled, false};
}

Result<StateNow> ModelStore::retryOne(const RetryItem &item)
{
    const JobId id = item.id;
    const auto found = m_jobs.find(id);
    if (found == m_jobs.end())
        return unknown();
    Entry &entry = found->second;
    const JobState state = entry.job.state;
    if ((state != JobState::Failed && state != JobState::Cancelled) || entry.job.deletedAt_ms > 0)
        return conflict();
    if (!entry.unique.isEmpty() && m_unique.count(entry.unique))
        return Error{ErrorCode::Conflict, Reason("test", {}, "unique"), "unique"};
    if (!entry.unique.isEmpty())
        m_unique[entry.unique] = id;
    rejoinGroup(entry.job.spec.group, state);
    entry.job.failures = entry.job.releases = entry.silent = 0;
    entry.cancel = entry.expires = false;
    entry.waitsFor.clear();
    entry.job.finishedAt_ms = entry.job.expiresAt_ms = 0;
    entry.job.reason.clear();
    entry.job.outcome.clear();
    entry.job.message.clear();
    for (std::map<JobId, QByteArray> *results : {&m_results, &m_shared})
        results->erase(id);
    m_resultsEnd_ms.erase(id);
    m_receipts.erase(id);
    m_receiptsEnd_ms.erase(id);
    tell(entry, "retried", item.by, entry.job.attempt);
    return place(entry, 0);
}

void ModelStore::enqueue(QList<EnqueueItem> items, Callback<QList<Result<Enqueued>>> callback)
{
    forget();
    laterEach<Enqueued>(std::move(callback), items, [this](const EnqueueItem &item) { return enqueueOne(item); });
    followUp();
}

void ModelStore::finishAndClaim(QList<FinishItem> items, QList<ClaimRequest> claims, Callback<FinishAndClaimReply> callback)
{
    FinishAndClaimReply reply;
    for (const FinishItem &item : std::as_const(items))
        reply.finished.append(finishOne(item));
    followUp();
    reply.claimed = claimAll(claims);
    followUp();
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
            entry.job.progress.done = item.progress->done;
            entry.job.progress.total = item.progress->total;
            entry.job.progress.message = item.progress->message;
        }
        return Heartbeat{entry.job.leaseExpiresAt_ms, entry.cancel};
    });
}

void ModelStore::release(QList<ReleaseItem> items, Callback<QList<Result<StateNow>>> callback)
{
    laterEach<StateNow>(std::move(callback), items, [this](const ReleaseItem &item) { return releaseOne(item); });
    followUp();
}

void ModelStore::cancel(QList<CancelItem> items, Callback<QList<Result<StateNow>>> callback)
{
    laterEach<StateNow>(std::move(callback), items, [this](const CancelItem &item) { return cancelOne(item); });
    followUp();
}

void ModelStore::retry(QList<RetryItem> items, Callback<QList<Result<StateNow>>> callback)
{
    laterEach<StateNow>(std::move(callback), items, [this](const RetryItem &item) { return retryOne(item); });
}

void ModelStore::expireLeases(Swept &swept)
{
    QList<QPair<qint64, Entry *>> expired;
    const auto gather = [&](JobState state, qint64 Job::*due_ms) {
        expired.clear();
        for (auto &[id, entry] : m_jobs) {
            if (entry.job.state == state && entry.job.*due_ms <= now_ms)
                expired.append({entry.job.*due_ms, &entry});
        }
        std::stable_sort(expired.begin(), expired.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
        swept.expired += int(expired.size());
        m_totals.expired += expired.size();
    };
    gather(JobState::Running, &Job::leaseExpiresAt_ms);
    for (const auto &[at_ms, entry] : std::as_const(expired)) {
        const bool overtime = now_ms >= entry->job.deadline_ms;
        const int silent = !entry->heard && !overtime ? entry->silent + 1 : 0;
        const bool poison = silent >= limits::poison_expiries;
        const bool again = !poison && entry->job.failures + 1 <= entry->job.spec.maxRetry;
        const QByteArray message = overtime ? "The attempt took longer than its timeout." : "The lease ran out without a heartbeat.";
        BadEnd end{'e', "timeout", poison ? "poison" : "timeout", madeByMaster(now_ms, FailureReason::Timeout, again, message), message};
        end.retry = again;
        end.silent = silent;
        endBadly(*entry, end);
    }
    gather(JobState::Awaiting, &Job::deadline_ms);
    for (const auto &[at_ms, entry] : std::as_const(expired)) {
        const bool again = entry->job.failures + 1 <= entry->job.spec.maxRetry;
        const QByteArray message = "No message came in time.";
        BadEnd end{'e', "timeout", "timeout", madeByMaster(now_ms, FailureReason::Timeout, again, message), message};
        end.retry = again;
        endBadly(*entry, end);
    }
}

void ModelStore::purge(Swept &swept)
{
    std::array<std::set<QPair<qint64, JobId>>, 3> finals;
    for (const auto &[id, entry] : m_jobs) {
        if (isFinal(entry.job.state) && entry.job.deletedAt_ms == 0)
            finals[size_t(entry.job.state) - size_t(JobState::Succeeded)].insert({entry.job.finishedAt_ms, id});
    }
    const auto go = [&](JobId id) {
        for (auto &jobs : finals)
            jobs.erase({m_jobs[id].job.finishedAt_ms, id});
        remove(id);
        ++swept.purged;
    };
    const auto tooMany = [&](std::set<QPair<qint64, JobId>> jobs, qint64 most) {
        qint64 left = qint64(jobs.size());
        for (const auto &[at_ms, id] : jobs) {
            if (left > most && !m_jobs[id].job.tracked) {
                go(id);
                --left;
            }
        }
    };
    for (size_t i = 0; i < finals.size(); ++i) {
        const Kept all = m_retentions[""][i];
        for (const auto &[at_ms, id] : std::set(finals[i])) {
            const auto own = m_retentions.find(m_jobs[id].job.spec.name);
            const qint64 general_ms = all.age_ms.value_or(*retention[i].age_ms);
            const qint64 age_ms = own == m_retentions.end() ? general_ms : own->second[i].age_ms.value_or(general_ms);
            if (!m_jobs[id].job.tracked && at_ms + age_ms <= now_ms)
                go(id);
        }
        tooMany(finals[i], all.count.value_or(*retention[i].count));
        for (const auto &[name, own] : m_retentions) {
            std::set<QPair<qint64, JobId>> its;
            for (const auto &job : finals[i]) {
                if (m_jobs[job.second].job.spec.name == name)
                    its.insert(job);
            }
            if (!name.isEmpty() && own[i].count)
                tooMany(its, *own[i].count);
        }
    }
    for (const JobId &id : marked(true)) {
        if (m_jobs[id].job.deletedAt_ms + static_cast<qint64>(limits::trash_s * 1000) <= now_ms) {
            remove(id);
            ++swept.purged;
        }
    }
}

void ModelStore::setRetention(const QByteArray &name, const Retention &own)
{
    m_retentions[name] = {own.succeeded, own.failed, own.cancelled};
}

void ModelStore::remove(JobId id)
{
    if (endsByTime)
        m_gone[id] = m_jobs[id].job.state;
    m_jobs.erase(id);
}

void ModelStore::sweep(Callback<Swept> callback)
{
    Swept swept;
    forget();
    m_becameReady.clear();
    m_becameFinal.clear();
    expireLeases(swept);
    for (auto &[id, entry] : m_jobs) {
        const bool waits = entry.job.state >= JobState::Scheduled && entry.job.state <= JobState::Ready;
        if (waits && entry.expires && entry.job.attempt == 0 && entry.job.expiresAt_ms <= now_ms) {
            leavePlace(entry);
            endUnstarted(entry, JobState::Failed, "expired", "It was not started in time.");
        }
    }
    for (auto &[id, entry] : m_jobs) {
        if (entry.job.state == JobState::Scheduled && entry.job.runAt_ms <= now_ms) {
            ++swept.promoted;
            place(entry, 0);
        }
    }
    for (auto &[id, entry] : m_jobs) {
        if (entry.job.state == JobState::Ready && entry.closes_ms > 0 && entry.closes_ms <= now_ms) {
            leavePlace(entry);
            place(entry, now_ms);
        }
    }
    followUp();
    purge(swept);
    if (inMemory)
        forgetGroups();
    const auto due = [&swept](bool stands, qint64 at_ms) {
        if (stands && (swept.nextDue_ms == 0 || at_ms < swept.nextDue_ms))
            swept.nextDue_ms = at_ms;
    };
    for (const auto &[id, entry] : m_jobs) {
        const JobState state = entry.job.state;
        due(state == JobState::Running || state == JobState::Scheduled || state == JobState::Awaiting, qint64(orderOf(entry)));
        due(!isFinal(state) && entry.expires && entry.job.attempt == 0, entry.job.expiresAt_ms);
        due(state == JobState::Ready && entry.closes_ms > 0, entry.closes_ms);
    }
    swept.readyNames = m_becameReady.values();
    swept.finished = m_becameFinal;
    for (const auto &[id, from_ms] : m_windowsWanted) {
        if (from_ms <= now_ms)
            swept.windowsWanted.append(id);
    }
    later<Swept>(std::move(callback), swept);
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
