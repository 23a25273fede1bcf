#include "core/engine/loading.h"

#include "core/base/enumof.h"
#include "core/base/reasons/engine.h"
#include "core/engine/fields.h"
#include "core/jobs/uniquehash.h"

#include <algorithm>

namespace junban::engine {

namespace {

Error unreadable(const QByteArray &key, const QByteArray &field = {})
{
    return reasons::storedFieldUnreadable(field, key);
}

bool isWithin(qint64 number, qint64 most)
{
    return number >= 0 && number <= most;
}

bool isSound(const Course &course)
{
    const qint64 timeout_ms = static_cast<qint64>(limits::timeout_s_max * 1000);
    return course.attempt >= 0 && isWithin(course.failures, limits::max_retry_max + 1) && isWithin(course.releases, limits::releases_max)
        && isWithin(course.silent, limits::poison_expiries) && isWithin(course.lease_ms, timeout_ms)
        && isWithin(course.startedAt_ms, limits::time_ms_max) && isWithin(course.deadline_ms, limits::time_ms_max + timeout_ms)
        && course.ended.by <= EndedBy::Message && course.ended.state >= JobState::Scheduled && course.ended.state <= JobState::Cancelled;
}

// A state as it may stand in Redis.
bool isSound(const JobEntry &job)
{
    switch (job.state) {
    case JobState::Ready: return job.order_ms == 0;
    case JobState::Scheduled: return job.order_ms > 0;
    case JobState::Depends: return job.order_ms > 0 && job.special;
    case JobState::Running: return job.order_ms > 0 && job.course && job.course->attempt > 0 && !job.course->lease.isEmpty(); // I4
    case JobState::Awaiting: return job.order_ms > 0 && job.course && job.course->attempt > 0 && !job.course->handoff.key.isEmpty(); // I4
    case JobState::Succeeded: return job.order_ms > 0;
    case JobState::Failed:
    case JobState::Cancelled: return job.order_ms > 0 && job.course && !job.course->reason.isEmpty(); // I7
    default: return false;
    }
}

bool readState(JobEntry &job, QByteArrayView packed, std::vector<PackedCharge> &charges)
{
    Unpacker unpack(packed);
    stateFields(unpack, job);
    const quint8 version = unpack.version();
    if (version < stateVersion || version > handedChargedStateVersion)
        return false;
    if (version >= handedStateVersion)
        fields(unpack, job.run().handoff);
    if (version == chargedStateVersion || version == handedChargedStateVersion) {
        size_t count = 0;
        unpack(count);
        charges.resize(std::min<size_t>(count, limits::job_buckets_max));
        for (PackedCharge &charge : charges)
            fields(unpack, charge);
    }
    const bool fits = charges.empty() || isInHands(job.state);
    return unpack.complete() && fits && isSound(job) && (!job.course || isSound(*job.course));
}

bool isSoundThen(QByteArrayView packed)
{
    return unpackPushes(packed).has_value();
}

bool readHistory(JobEntry &job, QByteArrayView packed)
{
    Unpacker unpack(packed);
    qsizetype count = 0;
    unpack(count);
    job.history = std::make_unique<QList<HistoryEntry>>();
    for (qsizetype i = 0; i < count && unpack.ok(); ++i) {
        size_t kind = 0;
        unpack(kind);
        HistoryEntry entry = kind == 0 ? HistoryEntry(Attempt()) : HistoryEntry(Event());
        std::visit([&unpack](auto &happened) { fields(unpack, happened); }, entry);
        job.history->append(std::move(entry));
    }
    return unpack.version() == historyVersion && unpack.complete() && count > 0 && count <= limits::attempts_kept_max;
}

bool isSound(const Marks &marks, const JobEntry &job)
{
    const Deletion &deletion = marks.deletion;
    const bool deleted = deletion.at_ms > 0;
    const bool goesOn = deletion.from == JobState::Scheduled || deletion.from == JobState::Ready
        || (deletion.from == JobState::Depends && job.special);
    const JobState now = isFinal(deletion.from) ? deletion.from : JobState::Cancelled;
    return isWithin(marks.trackedAt_ms, limits::time_ms_max) && isWithin(deletion.at_ms, limits::time_ms_max)
        && isWithin(deletion.due_ms, limits::time_ms_max) && isFinal(deletion.dependencyEnd) && (deleted || marks.trackedAt_ms > 0)
        && (!deleted || ((goesOn || isFinal(deletion.from)) && job.state == now));
}

bool readMarks(JobEntry &job, QByteArrayView packed)
{
    Unpacker unpack(packed);
    fields(unpack, job.mark());
    return unpack.version() == marksVersion && unpack.complete() && isSound(*job.marks, job);
}

} // namespace

Loading::Loading(const Settings &settings, qint64 now_ms)
    : m_engine(std::make_unique<Engine>(settings))
    , m_wanted({{segmentsKey, true}, {namesKey, true}, {totalsKey, false}, {matchersKey, true}, {messagesKey, true},
          {retentionKey, true}})
{
    m_engine->m_now_ms = now_ms;
}

Result<Done> Loading::take(const Stored &stored)
{
    if (const auto apart = m_apart.find(stored.key); apart != m_apart.end())
        return takeApart(stored, apart->second);
    if (stored.key == segmentsKey)
        return takeSegments(stored);
    if (stored.key == namesKey)
        return takeNames(stored);
    if (stored.key == totalsKey)
        return takeTotals(stored);
    if (stored.key == matchersKey)
        return takeMatchers(stored);
    if (stored.key == messagesKey)
        return takeMessages(stored);
    if (stored.key == retentionKey)
        return takeRetention(stored);
    if (const auto its = m_ofMatchers.find(stored.key); its != m_ofMatchers.end())
        return takeOfMatcher(stored, its->second);
    if (const auto segment = segmentOfKey(stored.key))
        return takeSegment(stored, *segment);
    if (m_engine->m_groups.keys().isKey(stored.key))
        return takeGroups(stored);
    if (m_engine->m_schedules.keys().isKey(stored.key))
        return takeSchedules(stored);
    return takeIdempotencyKeys(stored);
}

Result<std::unique_ptr<Engine>> Loading::finish()
{
    if (!m_apart.empty())
        return unreadable(m_apart.begin()->first);
    if (const Result<Done> joined = joinGroups(); !joined.ok())
        return joined.error();
    for (const auto &[name, own] : m_engine->m_retention.names()) {
        if (NameEntry *entry = m_engine->m_jobs.findName(name))
            m_engine->m_jobs.gatherEnded(*entry);
    }
    m_engine->readLoaded();
    m_engine->tellAgain();
    return std::move(m_engine);
}

Result<Done> Loading::takeSegments(const Stored &stored)
{
    const Engine &engine = *m_engine;
    for (const Stored::Field &each : stored.fields) {
        const auto is = [&each](KeyKind kind) { return each.value == QByteArray(1, char(kind)); };
        const bool known = is(KeyKind::Jobs) ? segmentOfKey(each.field).has_value()
            : is(KeyKind::Groups)            ? engine.m_groups.keys().isKey(each.field)
            : is(KeyKind::Schedules)         ? engine.m_schedules.keys().isKey(each.field)
                                             : is(KeyKind::IdempotencyKeys);
        if (!known)
            return unreadable(stored.key, each.field);
        m_wanted.append({each.field, true});
    }
    return Done();
}

Result<Done> Loading::takeNames(const Stored &stored)
{
    for (const Stored::Field &each : stored.fields) {
        bool ok = false;
        const int number = each.field.toInt(&ok);
        Unpacker unpack(each.value);
        QByteArray name;
        unpack(name);
        Totals totals;
        fields(unpack, totals);
        if (!ok || number < 0 || unpack.version() != nameVersion || !unpack.complete() || m_engine->m_jobs.hasName(number, name))
            return unreadable(stored.key, each.field);
        m_engine->m_jobs.addName(number, name).totals = totals;
    }
    return Done();
}

Result<Done> Loading::takeTotals(const Stored &stored)
{
    if (stored.fields.isEmpty())
        return Done(); // a new namespace
    Unpacker unpack(stored.fields.first().value);
    fields(unpack, m_engine->m_totals);
    if (unpack.version() != totalsVersion || !unpack.complete())
        return unreadable(stored.key);
    return Done();
}

Result<Done> Loading::takeMessages(const Stored &stored)
{
    for (const Stored::Field &each : stored.fields) {
        if (!m_engine->m_messages.load(each.field, each.value))
            return unreadable(stored.key, each.field.toHex());
    }
    return Done();
}

Result<Done> Loading::takeSegment(const Stored &stored, quint32 segment)
{
    std::map<quint16, Parts> places;
    for (const Stored::Field &each : stored.fields) {
        const auto place = placeOfField(each.field);
        if (!place)
            return unreadable(stored.key, each.field);
        Parts &parts = places[place->first];
        switch (place->second) {
        case RecordLetter: parts.record = each.value; break;
        case StateLetter: parts.state = each.value; break;
        case HistoryLetter: parts.history = each.value; break;
        case OutcomeLetter: parts.outcome = each.value; break;
        case ResultLetter: parts.result = each.value; break;
        case ThenLetter: parts.then = each.value; break;
        case MarksLetter: parts.marks = each.value; break;
        default: return unreadable(stored.key, each.field);
        }
    }
    m_engine->m_segments.restore(segment, int(places.size()));
    for (const auto &[place, parts] : places) {
        if (const Result<Done> taken = takePlace({segment, place}, parts); !taken.ok())
            return taken.error();
    }
    return Done();
}

// A place has a job, with its result if that waits; or the result of a job that was purged.
Result<Done> Loading::takePlace(Slot slot, const Parts &parts)
{
    const std::optional<JobId> id = parts.record && parts.record->size() > JobId::size
        ? JobId::fromBytes(QByteArrayView(*parts.record).first(JobId::size))
        : std::nullopt;
    bool purged = false;
    if (!id)
        return unreadable(segmentKey(slot.segment), fieldOf(slot.place, RecordLetter));
    if (parts.result) {
        if (const Result<Done> taken = takeResult(*id, slot, parts, purged); !taken.ok())
            return taken.error();
    }
    return purged ? Result<Done>(Done()) : takeJob(*id, slot, parts);
}

Result<Done> Loading::takeJob(const JobId &id, Slot slot, const Parts &parts)
{
    const auto bad = [slot](char letter) { return unreadable(segmentKey(slot.segment), fieldOf(slot.place, letter)); };
    const auto [added, isNew] = m_engine->m_jobs.add(id);
    if (!isNew)
        return reasons::storedJobTwice(id.text());
    JobEntry &job = *added;
    job.record = parts.record->sliced(JobId::size);
    const std::optional<JobSpec> spec = unpackRecord(job.record);
    if (!spec)
        return bad(RecordLetter);
    job.slot = slot;
    job.name = m_engine->m_jobs.findName(spec->name);
    if (!job.name)
        return bad(RecordLetter);
    job.priority = spec->priority;
    job.keepResult = spec->keepResult;
    job.createdAt_ms = id.created_ms();
    if (spec->argument.isEmpty()) {
        job.argumentApart = true;
        wantApart(id, slot, ArgumentLetter);
    }
    job.special = Special::of(*spec);
    if (parts.then) {
        if (!job.special)
            job.special = std::make_unique<Special>();
        job.special->then = *parts.then;
        job.special->thenApart = parts.then->isEmpty();
        if (job.special->thenApart)
            wantApart(id, slot, ThenLetter);
        else if (!isSoundThen(*parts.then))
            return bad(ThenLetter);
    }
    std::vector<PackedCharge> charges;
    if (parts.state && (!readState(job, *parts.state, charges) || !restoreCharges(job, charges)))
        return bad(StateLetter);
    if (!job.argumentApart && !takeUniqueKey(job, *spec))
        return bad(StateLetter);
    if (parts.history && !readHistory(job, *parts.history))
        return bad(HistoryLetter);
    if (parts.marks && !readMarks(job, *parts.marks))
        return bad(MarksLetter);
    if (parts.outcome) {
        job.outcome = std::make_unique<QByteArray>(*parts.outcome);
        job.outcomeApart = parts.outcome->isEmpty();
        if (job.outcomeApart)
            wantApart(id, slot, OutcomeLetter);
    }
    job.stored = quint8(RecordPart | (parts.state ? StatePart : 0) | (parts.history ? HistoryPart : 0) | (parts.outcome ? OutcomePart : 0)
        | (parts.then ? ThenPart : 0) | (parts.marks ? MarksPart : 0));
    if (job.state == JobState::Awaiting && m_engine->m_jobs.awaiting(job.course->handoff.key))
        return bad(StateLetter);
    m_engine->m_jobs.enter(job);
    if (isTracked(job))
        m_engine->m_jobs.track(job, job.marks->trackedAt_ms);
    return Done();
}

// Charges a running job as it was when it started. Returns false when a charge is of no constraint in force, or costs less than 1.
bool Loading::restoreCharges(JobEntry &job, const std::vector<PackedCharge> &charges)
{
    Charges restored;
    for (const PackedCharge &charge : charges) {
        ActiveConstraint *constraint = m_engine->m_buckets.find(charge.constraint);
        if (!constraint || charge.cost < 1)
            return false;
        restored.push_back({&m_engine->m_buckets.bucket(*constraint, charge.identity), charge.cost, charge.counted});
    }
    if (!restored.empty())
        m_engine->m_admission.restore(job, std::move(restored));
    return true;
}

// The matchers come before the jobs that are charged by them. Their revisions and the state of their constraints are wanted then.
Result<Done> Loading::takeMatchers(const Stored &stored)
{
    KeptMatchers &matchers = m_engine->m_matchers;
    for (const Stored::Field &each : stored.fields) {
        if (!matchers.load(each.field, each.value))
            return unreadable(stored.key, each.field);
    }
    for (const QByteArray &id : matchers.ids()) {
        m_ofMatchers[revisionsKey(id)] = {id, 0};
        m_wanted.append({revisionsKey(id), true});
        const KeptMatcher *kept = matchers.find(id);
        for (const Constraint &constraint : kept ? kept->matcher.constraints : QList<Constraint>()) {
            const int number = kept->numbers.value(constraint.id);
            if (!limiterKind(constraint.kind()) || number <= 0 || m_engine->m_buckets.find(number))
                return unreadable(stored.key, id);
            m_engine->m_buckets.put(number, constraint, kept->matcher.editedAt_ms);
            m_ofMatchers[constraintKey(number)] = {id, number};
            m_wanted.append({constraintKey(number), true});
        }
    }
    if (!matchers.loaded())
        return unreadable(stored.key);
    return Done();
}

Result<Done> Loading::takeOfMatcher(const Stored &stored, const OfMatcher &its)
{
    if (its.constraint > 0) {
        const QByteArray bad = m_engine->m_buckets.load(*m_engine->m_buckets.find(its.constraint), stored.fields);
        return bad.isEmpty() ? Result<Done>(Done()) : unreadable(stored.key, bad);
    }
    for (const Stored::Field &each : stored.fields) {
        if (!m_engine->m_matchers.loadRevision(its.id, each.field, each.value))
            return unreadable(stored.key, each.field);
    }
    return Done();
}

// The argument can be the key, so the record must be whole. Returns false when a job that has ended, or two, would have the key (I12).
bool Loading::takeUniqueKey(JobEntry &job, const JobSpec &spec)
{
    if (!spec.unique)
        return true;
    Special &special = *job.special;
    special.uniqueKey = uniqueHash(spec);
    if (!special.hasKey)
        return true;
    if (isFinal(job.state) || m_engine->m_jobs.special().holder(special.uniqueKey))
        return false;
    m_engine->m_jobs.special().giveKey(job);
    return true;
}

Result<Done> Loading::takeResult(const JobId &id, Slot slot, const Parts &parts, bool &purged)
{
    if (m_engine->m_results.count(id) > 0)
        return reasons::storedJobTwice(id.text());
    KeptResult &result = m_engine->m_results[id];
    Unpacker unpack(*parts.result);
    result.id = id;
    result.slot = slot;
    fields(unpack, result, result.outcome, purged);
    const quint8 version = unpack.version();
    if (version == sharedResultVersion)
        listField(unpack, result.sharers, [](auto &from, auto &sharer) { from(sharer); });
    const bool fits = version == resultVersion || (version == sharedResultVersion && purged && !result.sharers.isEmpty());
    if (!fits || !unpack.complete())
        return unreadable(segmentKey(slot.segment), fieldOf(slot.place, ResultLetter));
    if (purged)
        result.owner = parts.record->sliced(JobId::size);
    result.apart = result.outcome.isEmpty();
    if (result.apart)
        wantApart(id, slot, ResultLetter);
    m_engine->byEnd(result).insert({result.endsAt_ms, id});
    return Done();
}

void Loading::wantApart(const JobId &id, Slot slot, char letter)
{
    m_apart[apartKey(slot, letter)] = {id, letter};
    m_wanted.append({apartKey(slot, letter), false});
}

Result<Done> Loading::takeApart(const Stored &stored, const Apart &apart)
{
    const QByteArray value = stored.fields.isEmpty() ? QByteArray() : stored.fields.first().value;
    if (value.isEmpty())
        return unreadable(stored.key);
    JobEntry *job = m_engine->m_jobs.find(apart.id);
    if (apart.letter == ArgumentLetter) {
        job->record += value;
        const std::optional<JobSpec> spec = unpackRecord(job->record);
        if (!spec || !takeUniqueKey(*job, *spec))
            return unreadable(segmentKey(job->slot.segment), fieldOf(job->slot.place, StateLetter));
    } else if (apart.letter == OutcomeLetter) {
        *job->outcome = value;
    } else if (apart.letter == ThenLetter) {
        if (!isSoundThen(value))
            return unreadable(stored.key);
        job->special->then = value;
    } else {
        m_engine->m_results.at(apart.id).outcome = value;
    }
    m_apart.erase(stored.key);
    return Done();
}

Result<Done> Loading::takeIdempotencyKeys(const Stored &stored)
{
    for (const Stored::Field &each : stored.fields) {
        if (!m_engine->m_keys.load(each.field, each.value))
            return unreadable(stored.key, each.field.toHex());
    }
    return Done();
}

Result<Done> Loading::takeGroups(const Stored &stored)
{
    if (stored.fields.isEmpty())
        return unreadable(stored.key); // `segs` names it
    for (const Stored::Field &each : stored.fields) {
        if (!m_engine->m_groups.load(stored.key, each.field, each.value))
            return unreadable(stored.key, each.field);
    }
    return Done();
}

Result<Done> Loading::takeRetention(const Stored &stored)
{
    for (const Stored::Field &each : stored.fields) {
        if (!m_engine->m_retention.load(each.field, each.value))
            return unreadable(stored.key, each.field);
    }
    return Done();
}

Result<Done> Loading::takeSchedules(const Stored &stored)
{
    if (stored.fields.isEmpty())
        return unreadable(stored.key); // `segs` names it
    for (const Stored::Field &each : stored.fields) {
        if (!m_engine->m_schedules.load(stored.key, each.field, each.value))
            return unreadable(stored.key, each.field);
    }
    const QByteArray half = m_engine->m_schedules.halfLoaded();
    return half.isEmpty() ? Result<Done>(Done()) : unreadable(stored.key, half);
}

// Counts the jobs of the groups.
Result<Done> Loading::joinGroups()
{
    for (const auto &[id, job] : m_engine->m_jobs.all()) {
        if (!job.special || job.special->group.isEmpty())
            continue;
        JobGroup *group = m_engine->m_groups.find(job.special->group);
        if (!group)
            return unreadable(m_engine->m_groups.keys().keyOf(job.special->group), job.special->group);
        m_engine->m_groups.join(*group, !isFinal(job.state));
    }
    return Done();
}

} // namespace junban::engine
