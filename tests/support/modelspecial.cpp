#include "tests/support/later.h"
#include "tests/support/modelstore.h"

#include <algorithm>

// New jobs, the places where jobs wait, and edits.
namespace junban::test {

namespace {

QByteArray uniqueKey(const JobSpec &spec)
{
    if (!spec.unique)
        return {};
    return spec.name + (spec.unique->key.isEmpty() ? "\nargument " + spec.argument.toHex() : "\nkey " + spec.unique->key);
}

} // namespace

Result<bool> ModelStore::readDependencies(const JobSpec &spec, std::set<JobId> &pending, std::optional<JobState> &bad) const
{
    for (qsizetype i = 0; i < spec.dependsOn.size(); ++i) {
        const auto parent = m_jobs.find(spec.dependsOn[i]);
        if (parent == m_jobs.end())
            return Error{ErrorCode::InvalidField, Reason("test", {}, "unknown"), "depends_on[" + QByteArray::number(i) + ']'};
        const JobState state = parent->second.job.state;
        if (!isFinal(state))
            pending.insert(spec.dependsOn[i]);
        else if (state != JobState::Succeeded && spec.onDependencyFailure != OnDependencyFailure::Run && !bad)
            bad = state;
    }
    return true;
}

// Resolves a conflict with the job that holds the unique key. Returns an answer, or the job that the new one has to wait for.
std::optional<Result<Enqueued>> ModelStore::meetUnique(Entry &other, const JobSpec &spec, JobId &after)
{
    const bool inHands = other.job.state == JobState::Running || other.job.state == JobState::Awaiting;
    if (inMemory && other.cancel && other.job.state == JobState::Running) {
        after = other.job.id;
        return {};
    }
    if (spec.unique->onConflict == OnConflict::Reject)
        return Error{ErrorCode::Conflict, Reason("test", {}, "unique"), "unique"};
    if (spec.unique->onConflict == OnConflict::Coalesce) {
        other.job.spec.keepResult = other.job.spec.keepResult || spec.keepResult;
        other.shared = true;
        return Enqueued{other.job.id, other.job.state, true};
    }
    if (inMemory ? inHands : other.job.attempt > 0) {
        after = other.job.id;
        return {};
    }
    const auto ahead = m_jobs.find(other.ahead);
    if (ahead != m_jobs.end() && !isFinal(ahead->second.job.state))
        after = other.ahead;
    leavePlace(other);
    tell(other, "replaced", "pusher", other.job.attempt);
    finalise(other, JobState::Cancelled, "replaced");
    ++m_totals.cancelled;
    return {};
}

Result<Enqueued> ModelStore::push(JobId id, const JobSpec &spec, const QList<qint64> &boundaries_ms)
{
    Entry entry;
    std::optional<JobState> bad;
    if (const auto group = m_groups.find(spec.group);
        group != m_groups.end() && isOthers(group->second, spec.groupCaller) && !group->second.group.shared)
        return Error{ErrorCode::Forbidden, Reason("test", {}, "another's"), "group"};
    if (const auto known = readDependencies(spec, entry.waitsFor, bad); !known.ok())
        return known.error();
    entry.unique = uniqueKey(spec);
    if (!entry.unique.isEmpty() && m_unique.count(entry.unique)) {
        const JobId other = m_unique[entry.unique];
        if (const auto answer = meetUnique(m_jobs[other], spec, entry.ahead))
            return *answer;
        const bool dependsOnReplaced = entry.ahead != other && entry.waitsFor.erase(other) > 0;
        if (dependsOnReplaced && spec.onDependencyFailure != OnDependencyFailure::Run && !bad)
            bad = JobState::Cancelled;
        if (!entry.ahead.isNull())
            entry.aheadOnly = entry.waitsFor.insert(entry.ahead).second;
    }
    entry.job.id = id;
    entry.job.spec = spec;
    entry.job.createdAt_ms = std::min(id.created_ms(), now_ms); // a master's clock may be ahead
    entry.enteredAt_ms = now_ms;
    entry.job.runAt_ms = spec.runAt_ms.value_or(spec.delay_ms > 0 ? now_ms + spec.delay_ms : 0);
    entry.expires = spec.expiresIn_ms > 0;
    entry.job.expiresAt_ms = entry.expires ? now_ms + spec.expiresIn_ms : 0;
    entry.boundaries_ms = boundaries_ms;
    if (!entry.unique.isEmpty())
        m_unique[entry.unique] = id;
    if (!spec.group.isEmpty()) {
        Batch &batch = useGroup(spec.group, spec.groupCaller);
        ++batch.group.total;
        ++batch.group.pending;
        batch.group.endedAt_ms = 0;
    }
    Entry &placed = m_jobs[id] = entry;
    if (bad) {
        placed.waitsFor.clear();
        endByDependency(placed, *bad);
    } else if (!entry.waitsFor.empty()) {
        placed.job.state = JobState::Depends;
    } else {
        place(placed, entry.job.runAt_ms);
    }
    if (!m_names.contains(spec.name))
        m_names.append(spec.name);
    ++m_totalsOf[spec.name].enqueued;
    ++m_totals.enqueued;
    return Enqueued{id, placed.job.state, false};
}

// Windows are stored as openings and closings in turn, up to some time. Sets when they close (0: never), or when they open or must be
// computed again.
bool ModelStore::isOpen(Entry &entry, qint64 at_ms, qint64 &until_ms)
{
    if (inMemory) {
        const QList<Window> &windows = entry.job.spec.windows;
        until_ms = boundaries_ms(windows, at_ms, 1).value(0);
        return junban::isOpen(windows, at_ms);
    }
    qsizetype passed = 0;
    while (passed < entry.boundaries_ms.size() && entry.boundaries_ms[passed] <= at_ms)
        ++passed;
    const qsizetype left = entry.boundaries_ms.size() - passed;
    const bool open = passed % 2 == 1;
    const bool endless = open && left == 0 && entry.boundaries_ms.size() < limits::window_boundaries_kept;
    if (left < 4 && !endless) {
        const qint64 asked_ms = std::max(now_ms, at_ms - limits::window_ahead_ms);
        const auto [wanted, first] = m_windowsWanted.try_emplace(entry.job.id, asked_ms);
        wanted->second = std::min(wanted->second, asked_ms);
    }
    until_ms = left > 0 ? entry.boundaries_ms[passed] : 0;
    if (left == 0 && !endless) {
        until_ms = at_ms > now_ms ? at_ms : at_ms + limits::window_wait_ms;
        return false;
    }
    return open;
}

StateNow ModelStore::place(Entry &entry, qint64 due_ms)
{
    if (!entry.job.spec.windows.isEmpty()) {
        qint64 until_ms = 0;
        if (!isOpen(entry, std::max(due_ms, now_ms), until_ms))
            due_ms = until_ms;
        else if (due_ms <= now_ms)
            entry.closes_ms = until_ms;
    }
    entry.job.runAt_ms = due_ms;
    if (due_ms > now_ms) {
        entry.job.state = JobState::Scheduled;
        return {JobState::Scheduled, false, due_ms};
    }
    entry.job.state = JobState::Ready;
    m_becameReady.insert(entry.job.spec.name);
    return {JobState::Ready, false, 0};
}

void ModelStore::leavePlace(Entry &entry)
{
    entry.closes_ms = 0;
    if (entry.job.state == JobState::Awaiting)
        m_messages.erase(entry.messageKey);
}

void ModelStore::handOff(HandoffItem item, Callback<StateNow> callback)
{
    const auto answer = [&]() -> Result<StateNow> {
        const auto found = m_jobs.find(item.id);
        if (found != m_jobs.end() && !item.lease.isEmpty() && found->second.handedLease == item.lease)
            return StateNow{JobState::Awaiting};
        const Result<Entry *> owner = leased(item.id, item.lease);
        if (!owner.ok())
            return owner.error();
        if (m_messages.count(item.key) && m_messages[item.key].answered == 0)
            return Error{ErrorCode::Conflict, Reason("test", {}, "used"), "key"};
        Entry &entry = **owner;
        entry.job.state = JobState::Awaiting;
        entry.job.deadline_ms = now_ms + item.timeout_ms;
        entry.messageKey = item.key;
        entry.handedLease = item.lease;
        entry.endedLease = item.lease;
        entry.endedBy = 'h';
        entry.answer = {JobState::Awaiting, 0};
        m_messages[item.key] = {item.id};
        tell(entry, "handed_off", entry.job.worker, entry.job.attempt);
        return StateNow{JobState::Awaiting};
    };
    later<StateNow>(std::move(callback), answer());
}

void ModelStore::message(MessageItem item, Callback<MessageTaken> callback)
{
    const bool success = item.outcome.type == OutcomeType::Success;
    const auto answer = [&]() -> Result<MessageTaken> {
        const auto found = m_messages.find(item.key);
        const char type = success ? 's' : 'f';
        if (endsByTime && found != m_messages.end() && found->second.answered != 0
            && found->second.at_ms + static_cast<qint64>(limits::receipt_s * 1000) <= now_ms)
            return Error{ErrorCode::NotFound, Reason("test", {}, "no such key")};
        if (found == m_messages.end() || (found->second.answered != 0 && found->second.answered != type))
            return Error{ErrorCode::NotFound, Reason("test", {}, "no such key")};
        if (found->second.answered == type)
            return MessageTaken{found->second.id, found->second.answer};
        Entry &entry = m_jobs[found->second.id];
        BadEnd end{'m', "failure", failureReasonWord(item.outcome.reason), item.outcome.packed(), item.outcome.message};
        end.retry = item.outcome.shouldRetry;
        end.after_ms = item.outcome.retryAfter_ms.value_or(0);
        end.jitter = item.jitter;
        const Finished finished = success ? succeed(entry, 'm', item.outcome.packed()) : endBadly(entry, end);
        tell(entry, "message", "pusher", entry.job.attempt);
        m_messages[item.key] = {entry.job.id, type, finished, now_ms};
        return MessageTaken{entry.job.id, finished};
    }();
    followUp();
    later<MessageTaken>(std::move(callback), answer);
}

bool ModelStore::moveKey(Entry &entry, const QByteArray &key)
{
    const auto held = m_unique.find(entry.unique);
    const bool has = held != m_unique.end() && held->second == entry.job.id;
    if (has && key != entry.unique) {
        if (m_unique.count(key))
            return false;
        freeUnique(entry);
        m_unique[key] = entry.job.id;
    }
    entry.unique = key;
    return true;
}

void ModelStore::edit(EditItem item, Callback<StateNow> callback)
{
    const auto answer = [&]() -> Result<StateNow> {
        const auto found = m_jobs.find(item.id);
        if (found == m_jobs.end())
            return Error{ErrorCode::NotFound, Reason("test", {}, "unknown")};
        Entry &entry = found->second;
        const JobState state = entry.job.state;
        const bool waits = state == JobState::Ready || state == JobState::Scheduled;
        if (!waits && (state != JobState::Failed || item.runAt_ms || entry.job.deletedAt_ms > 0))
            return Error{ErrorCode::Conflict, Reason("test", {}, "conflict")};
        const QByteArray now = packRecord(entry.job.spec), after = packRecord(item.after);
        if (now != packRecord(item.before) && now != after)
            return Error{ErrorCode::RevisionMismatch, Reason("test", {}, "changed")};
        if (entry.job.failures > item.after.maxRetry + (waits ? 0 : 1))
            return Error{ErrorCode::InvalidField, Reason("test", {}, "failed often"), "max_retry"};
        if (inMemory && now != after && !moveKey(entry, uniqueKey(item.after)))
            return Error{ErrorCode::Conflict, Reason("test", {}, "unique"), "argument"};
        const qint64 due_ms = state == JobState::Scheduled ? entry.job.runAt_ms : 0;
        const std::vector<JobSpec> then = entry.job.spec.then;
        entry.job.spec = item.after;
        entry.job.spec.then = then;
        StateNow is{state, false, 0};
        if (waits) {
            leavePlace(entry);
            is = place(entry, item.runAt_ms.value_or(due_ms));
        }
        if (now != after || (item.runAt_ms && (is.state != state || is.runAt_ms != due_ms)))
            tell(entry, "edited", item.by, entry.job.attempt, item.oldValues);
        return is;
    };
    later<StateNow>(std::move(callback), answer());
}

void ModelStore::setWindows(JobId id, QList<qint64> boundaries, Callback<Done> callback)
{
    m_windowsWanted.erase(id);
    const auto found = m_jobs.find(id);
    if (found != m_jobs.end() && !found->second.job.spec.windows.isEmpty() && !isFinal(found->second.job.state)) {
        Entry &entry = found->second;
        entry.boundaries_ms = boundaries;
        const JobState state = entry.job.state;
        if (state == JobState::Scheduled || state == JobState::Ready) {
            leavePlace(entry);
            place(entry, state == JobState::Scheduled ? entry.job.runAt_ms : 0);
        }
    }
    later<Done>(std::move(callback), Done{});
}

} // namespace junban::test
