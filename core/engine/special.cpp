#include "core/base/reasons/store.h"
#include "core/engine/engine.h"
#include "core/engine/madeoutcome.h"
#include "core/jobs/uniquehash.h"
#include "core/msgpack/msgpackwriter.h"

#include <QCryptographicHash>
#include <QtEndian>
#include <algorithm>

// Jobs that are unique, wait for others, are followed by others, expire, or have windows: transitions 21 (`free-dependents`),
// 22 (`expire-job`), 23 (`close-window`) and 27 (`replace`), and 2 (`repeat-enqueue`) for a unique key.
namespace junban::engine {

namespace {

// The id (a UUIDv7) of a job that follows another: the same for the same parent, place and millisecond.
JobId followingId(const JobId &parent, int place, qint64 now_ms)
{
    const QByteArray hash = QCryptographicHash::hash(parent.bytes() + QByteArray::number(place), QCryptographicHash::Sha1);
    QByteArray id(8, 0);
    qToBigEndian(static_cast<quint64>(now_ms) << 16, id.data());
    id[6] = char(0x70 + place / 256 % 16);
    id[7] = char(place % 256);
    id += char(0x80 + static_cast<quint8>(hash[0]) % 64) + hash.sliced(1, 7);
    return *JobId::fromBytes(id);
}

bool hasEndedBadly(const JobEntry &job)
{
    return isFinal(job.state) && job.state != JobState::Succeeded;
}

// Whether the bad end of a job that this one waits for matters to it.
bool heeds(const Special &special, const JobId &parent)
{
    return special.onDependencyFailure != OnDependencyFailure::Run && special.dependsOn.contains(parent);
}

} // namespace

// ---- Unique keys

// What becomes of a push whose unique key another job has. Returns the answer if the job is not made; otherwise sets the job that it has
// to wait for, if any.
std::optional<Result<Enqueued>> Engine::meetHolder(const JobSpec &spec, JobId &ahead)
{
    JobEntry *holder = m_jobs.special().holder(uniqueHash(spec));
    if (!holder)
        return {};
    if (holder->state == JobState::Running && holder->course->cancelRequested) { // it does not stand for a new push
        ahead = holder->id;
        return {};
    }
    switch (spec.unique->onConflict) {
    case OnConflict::Reject:
        return ofField(reasons::uniqueKeyTaken(), "unique");
    case OnConflict::Coalesce:
        coalesce(*holder, spec);
        return Enqueued{holder->id, holder->state, true};
    case OnConflict::Replace:
        break;
    }
    if (isInHands(holder->state)) {
        ahead = holder->id;
        return {};
    }
    if (const JobEntry *before = m_jobs.find(holder->special->ahead); before && !isFinal(before->state))
        ahead = before->id;
    tell(*holder, "replaced", "pusher");
    holder->run().reason = "replaced";
    move(*holder, JobState::Cancelled, m_now_ms); // transition 27 (`replace`)
    count(&Totals::cancelled);
    return {};
}

// The job stands for another push, too: its result is kept if either push asks for it.
void Engine::coalesce(JobEntry &job, const JobSpec &spec)
{
    job.special->shared = true;
    changed(job, StatePart);
    if (!spec.keepResult || job.keepResult)
        return;
    JobSpec kept = *unpackRecord(job.record);
    kept.keepResult = job.keepResult = true;
    job.record = packRecord(kept);
    changed(job, RecordPart);
}

void Engine::share(JobEntry &job, const QByteArray &token)
{
    if (!job.special || token.isEmpty() || job.special->sharers.contains(token))
        return;
    job.special->sharers.append(token);
    changed(job, StatePart);
}

void Engine::giveKey(JobEntry &job)
{
    if (JobEntry *holder = m_jobs.special().holder(job.special->uniqueKey)) {
        holder->special->hasKey = false;
        changed(*holder, StatePart);
    }
    job.special->hasKey = true;
    m_jobs.special().giveKey(job);
    changed(job, StatePart);
}

// The key goes back to the job ahead, which had it before, unless that has ended or needs it no longer.
void Engine::freeKey(JobEntry &job)
{
    if (!job.special->hasKey)
        return;
    JobEntry *ahead = m_jobs.find(job.special->ahead);
    if (ahead && !isFinal(ahead->state) && ahead->special->until == UniqueUntil::Finished) {
        giveKey(*ahead);
        return;
    }
    job.special->hasKey = false;
    m_jobs.special().freeKey(job.special->uniqueKey);
    changed(job, StatePart);
}

// For a retry, which also forgets `expires_in`. Returns whether it may go on: another living job may have the key.
bool Engine::takeKeyAgain(JobEntry &job)
{
    Special &special = *job.special;
    if (!special.uniqueKey.isEmpty()) {
        if (m_jobs.special().holder(special.uniqueKey))
            return false;
        giveKey(job);
    }
    special.expiresAt_ms = 0;
    return true;
}

// For an edit: the job's argument may be its key. Returns whether it may go on: another living job may have the new key.
bool Engine::moveKey(JobEntry &job, const JobSpec &spec)
{
    Special &special = *job.special;
    const QByteArray key = spec.unique ? uniqueHash(spec) : QByteArray();
    if (key == special.uniqueKey)
        return true;
    const bool has = special.hasKey;
    if (has && m_jobs.special().holder(key))
        return false;
    freeKey(job);
    special.uniqueKey = key;
    if (has)
        giveKey(job);
    return true;
}

// ---- Waiting for other jobs

void Engine::addSpecial(JobEntry &job, const JobSpec &spec, const JobId &ahead, qint64 due_ms)
{
    Special &special = *job.special;
    special.expiresAt_ms = spec.expiresIn_ms > 0 ? m_now_ms + spec.expiresIn_ms : 0;
    special.ahead = ahead;
    if (spec.unique)
        giveKey(job);
    if (!spec.group.isEmpty())
        joinGroup(spec);
    if (!special.then.isEmpty())
        changed(job, ThenPart);
    if (waitsFor(job).isEmpty())
        return;
    for (const JobId &id : spec.dependsOn) {
        const JobEntry &parent = *m_jobs.find(id);
        if (isFinal(parent.state) && !special.ended.contains(id))
            special.ended.append(id);
    }
    special.dueAt_ms = due_ms;
    special.closesAt_ms = 0;
    job.state = JobState::Depends;
    job.order_ms = m_now_ms;
}

// The first bad end, as far as it matters to the job, of those that it depends on.
std::optional<JobState> Engine::badEndAmong(const JobSpec &spec) const
{
    if (spec.onDependencyFailure == OnDependencyFailure::Run)
        return {};
    for (const JobId &id : spec.dependsOn) {
        if (const JobEntry *parent = m_jobs.find(id); parent && hasEndedBadly(*parent))
            return parent->state;
    }
    return {};
}

// The jobs that a job waits for, each once: those that have not ended, and those of whose bad end it was not told yet.
QList<JobId> Engine::waitsFor(const JobEntry &job) const
{
    const Special &special = *job.special;
    QList<JobId> waited;
    for (const JobId &id : special.dependsOn + QList<JobId>{special.ahead}) {
        const JobEntry *parent = m_jobs.find(id); // one that is gone has ended
        const bool ended = !parent || special.ended.contains(id)
            || (isFinal(parent->state) && !(hasEndedBadly(*parent) && heeds(special, id)));
        if (!ended && !waited.contains(id))
            waited.append(id);
    }
    return waited;
}

// What follows from a job's end, besides that its dependents are told.
void Engine::followEnd(JobEntry &job)
{
    if (!job.special)
        return;
    freeKey(job);
    if (job.state == JobState::Succeeded && !job.special->then.isEmpty())
        pushFollowing(job);
    leaveGroup(job);
}

void Engine::pushFollowing(JobEntry &job)
{
    const std::vector<JobSpec> specs = *unpackPushes(job.special->then); // checked when it came or was loaded
    for (size_t i = 0; i < specs.size(); ++i) {
        const Result<Enqueued> pushed = pushDerived(job.id, int(i) + 1, specs[i]);
        if (!pushed.ok()) {
            MsgpackWriter details;
            details.map(2).text("index").integer(qint64(i)).text("why").text(pushed.error().reason.name);
            addHistory(job, Event{m_now_ms, "then_refused", "master", 0, details.take()});
        }
    }
}

// Pushes a job that follows from another one, or from a group's end.
Result<Enqueued> Engine::pushDerived(const JobId &parent, int place, const JobSpec &spec)
{
    return pushAs(followingId(parent, place, m_now_ms), spec);
}

// Pushes a job that nobody but the master pushes. A repeated call finds the job.
Result<Enqueued> Engine::pushAs(const JobId &id, const JobSpec &spec)
{
    const auto [job, isNew] = m_jobs.add(id);
    if (!isNew)
        return Enqueued{job->id, job->state, true};
    const Result<Enqueued> pushed = push(*job, spec);
    if (!pushed.ok() || pushed->duplicate)
        m_jobs.remove(*job); // it has not come in
    return pushed;
}

// Does what follows from the ends of jobs in this call, and from those that earlier calls left over: groups call back, and dependents are
// told.
void Engine::followUp(bool &more)
{
    do {
        settleGroups();
        tellDependents(more);
    } while (!m_leftGroups.isEmpty());
}

// Transition 21 (`free-dependents`), for at most limits::script_items_max of them.
void Engine::tellDependents(bool &more)
{
    SpecialJobs &jobs = m_jobs.special();
    for (int told = 0; jobs.anyToTell(); ++told) {
        if (told == limits::script_items_max) {
            more = true;
            return;
        }
        if (const auto next = jobs.nextToTell())
            tellOfEnd(*m_jobs.find(next->first), next->second);
    }
}

void Engine::tellOfEnd(JobEntry &job, const JobId &parent)
{
    Special &special = *job.special;
    const JobEntry *ended = m_jobs.find(parent);
    if (special.ended.contains(parent))
        return; // a load tells again
    if (ended && hasEndedBadly(*ended) && heeds(special, parent)) {
        if (isInTrash(job))
            noteDependencyEnd(job, ended->state);
        else
            endByDependency(job, ended->state);
        return;
    }
    special.ended.append(parent);
    changed(job, StatePart);
    if (!isInTrash(job) && waitsFor(job).isEmpty()) {
        special.ended.clear();
        place(job, special.dueAt_ms);
        tell(job, "freed", "master");
    }
}

// A job in the trash ends by this when it is restored.
void Engine::noteDependencyEnd(JobEntry &job, JobState parent)
{
    Deletion &deletion = job.marks->deletion;
    if (deletion.dependencyEnd != JobState::Succeeded)
        return;
    deletion.dependencyEnd = parent;
    changed(job, MarksPart);
}

// A loaded engine does not know how far dependents were told: they are told again.
void Engine::tellAgain()
{
    SpecialJobs &jobs = m_jobs.special();
    for (const JobId &id : jobs.parents()) {
        if (const JobEntry *parent = m_jobs.find(id); !parent)
            jobs.gone(id);
        else if (isFinal(parent->state))
            jobs.ended(*parent);
    }
}

// ---- Jobs that end before they have started

// Whether a job that is the next one may start. One that has expired ends instead, and one whose windows have closed waits for the next
// opening.
bool Engine::mayStart(JobEntry &job)
{
    const Special &special = *job.special;
    if (special.expiresAt_ms > 0 && special.expiresAt_ms <= m_now_ms && job.attempt() == 0) {
        expireUnstarted(job);
        return false;
    }
    if (special.closesAt_ms > 0 && special.closesAt_ms <= m_now_ms) {
        place(job, 0);
        return false;
    }
    if (special.until == UniqueUntil::Started)
        freeKey(job);
    return true;
}

// Transition 23 (`close-window`).
void Engine::closeWindows(bool &more)
{
    for (int closed = 0;; ++closed) {
        const auto first = m_jobs.special().firstClosing();
        if (!first || first->first > m_now_ms)
            return;
        if (closed == limits::script_items_max) {
            more = true;
            return;
        }
        place(*m_jobs.find(first->second), 0);
    }
}

// Transition 22 (`expire-job`).
void Engine::expireUnstarted(JobEntry &job)
{
    endUnstarted(job, JobState::Failed, "expired", "It was not started in time.");
}

void Engine::endByDependency(JobEntry &job, JobState parent)
{
    const bool cancel = job.special->onDependencyFailure == OnDependencyFailure::Cancel;
    endUnstarted(job, cancel ? JobState::Cancelled : JobState::Failed, "dependency",
        parent == JobState::Cancelled ? "A job it depends on was cancelled." : "A job it depends on failed.");
}

void Engine::endUnstarted(JobEntry &job, JobState state, const QByteArray &reason, const QByteArray &message)
{
    Course &course = job.run();
    course.reason = reason;
    course.message = message;
    move(job, state, m_now_ms);
    tell(job, reason, "master");
    if (state == JobState::Cancelled) {
        count(&Totals::cancelled);
        return;
    }
    keepResult(job, madeOutcome(m_now_ms, FailureReason::Other, false, message));
    countOf(*job.name, &Totals::failed);
}

} // namespace junban::engine
