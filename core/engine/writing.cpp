#include "core/engine/engine.h"
#include "core/engine/fields.h"

// What a call has changed, as writes: docs/decisions/engine.md, "What Redis holds".
namespace junban::engine {

namespace {

QByteArray packedHistory(const QList<HistoryEntry> &history)
{
    Packer pack(historyVersion);
    pack(history.size());
    for (const HistoryEntry &entry : history) {
        pack(entry.index());
        std::visit([&pack](const auto &happened) { fields(pack, happened); }, entry);
    }
    return pack.bytes();
}

void packCharges(Packer &pack, const Charges &charges)
{
    pack(charges.size());
    for (const Charge &charge : charges) {
        PackedCharge packed{charge.bucket->constraint->number, charge.bucket->identity, charge.cost, charge.counted};
        fields(pack, std::as_const(packed));
    }
}

QByteArray withId(const JobId &id, const QByteArray &record)
{
    return id.bytes() + record;
}

} // namespace

void Engine::writeChanges()
{
    for (JobEntry *job : std::as_const(m_changed))
        write(*job);
    m_changed.clear();
    m_groups.writeChanges(m_writes);
    m_schedules.writeChanges(m_writes);
    m_buckets.writeChanges();
}

void Engine::write(JobEntry &job)
{
    const QByteArray key = segmentKey(job.slot.segment);
    const quint8 parts = std::exchange(job.changed, quint8(0));
    job.stored = quint8(job.stored | parts);
    if (parts & RecordPart)
        writeRecord(job);
    if (parts & StatePart) {
        const bool handed = job.course && !job.course->handoff.lease.isEmpty();
        const quint8 plain = job.charged ? chargedStateVersion : stateVersion;
        Packer pack(!handed ? plain : job.charged ? handedChargedStateVersion : handedStateVersion);
        stateFields(pack, std::as_const(job));
        if (handed)
            fields(pack, std::as_const(job.course->handoff));
        if (job.charged)
            packCharges(pack, m_admission.chargesOf(job));
        m_writes.setField(key, fieldOf(job.slot.place, StateLetter), pack.bytes());
    }
    if (parts & HistoryPart)
        m_writes.setField(key, fieldOf(job.slot.place, HistoryLetter), packedHistory(*job.history));
    if (parts & OutcomePart)
        writeOutcome(job);
    if (parts & ThenPart)
        writeThen(job);
    if (parts & MarksPart)
        writeMarks(job);
}

void Engine::writeRecord(JobEntry &job)
{
    QByteArray record = job.record;
    const QByteArray argument = record.size() > apart_bytes ? unpackRecord(record)->argument : QByteArray();
    const bool apart = argument.size() > apart_bytes;
    if (apart) {
        m_writes.setValue(apartKey(job.slot, ArgumentLetter), argument);
        record.chop(argument.size());
    } else if (job.argumentApart) {
        m_writes.removeKey(apartKey(job.slot, ArgumentLetter));
    }
    job.argumentApart = apart;
    m_writes.setField(segmentKey(job.slot.segment), fieldOf(job.slot.place, RecordLetter), withId(job.id, record));
}

void Engine::writeOutcome(JobEntry &job)
{
    const QByteArray field = fieldOf(job.slot.place, OutcomeLetter);
    const bool apart = job.outcome && job.outcome->size() > apart_bytes;
    if (apart)
        m_writes.setValue(apartKey(job.slot, OutcomeLetter), *job.outcome);
    else if (job.outcomeApart)
        m_writes.removeKey(apartKey(job.slot, OutcomeLetter));
    job.outcomeApart = apart;
    if (job.outcome) {
        m_writes.setField(segmentKey(job.slot.segment), field, apart ? QByteArray() : *job.outcome);
    } else {
        m_writes.removeField(segmentKey(job.slot.segment), field);
        job.stored = quint8(job.stored & ~OutcomePart);
    }
}

void Engine::writeThen(JobEntry &job)
{
    Special &special = *job.special;
    special.thenApart = special.then.size() > apart_bytes;
    if (special.thenApart)
        m_writes.setValue(apartKey(job.slot, ThenLetter), special.then);
    m_writes.setField(
        segmentKey(job.slot.segment), fieldOf(job.slot.place, ThenLetter), special.thenApart ? QByteArray() : special.then);
}

// A job without a star that is not in the trash has no marks.
void Engine::writeMarks(JobEntry &job)
{
    const QByteArray key = segmentKey(job.slot.segment), field = fieldOf(job.slot.place, MarksLetter);
    if (!isTracked(job) && !isInTrash(job)) {
        job.marks.reset();
        m_writes.removeField(key, field);
        job.stored = quint8(job.stored & ~MarksPart);
        return;
    }
    Packer pack(marksVersion);
    fields(pack, std::as_const(*job.marks));
    m_writes.setField(key, field, pack.bytes());
}

void Engine::writeResult(KeptResult &result)
{
    if (result.outcome.size() > apart_bytes && !std::exchange(result.apart, true))
        m_writes.setValue(apartKey(result.slot, ResultLetter), result.outcome);
    Packer pack(result.sharers.isEmpty() ? resultVersion : sharedResultVersion);
    QByteArray outcome = result.apart ? QByteArray() : result.outcome;
    bool purged = !result.owner.isEmpty();
    fields(pack, std::as_const(result), outcome, purged);
    if (!result.sharers.isEmpty())
        listField(pack, std::as_const(result.sharers), [](auto &to, const auto &sharer) { to(sharer); });
    m_writes.setField(segmentKey(result.slot.segment), fieldOf(result.slot.place, ResultLetter), pack.bytes());
}

void Engine::writeName(NameEntry &name)
{
    Packer pack(nameVersion);
    pack(name.name);
    fields(pack, std::as_const(name.totals));
    m_writes.setField(namesKey, QByteArray::number(name.number), pack.bytes());
}

// Counters of all time, which a load cannot derive from the jobs. Only the sweep writes them, so a fault costs what was counted since.
void Engine::writeTotals()
{
    for (NameEntry *name : std::as_const(m_changedNames)) {
        name->changed = false;
        writeName(*name);
    }
    m_changedNames.clear();
    if (!std::exchange(m_totalsChanged, false))
        return;
    Packer pack(totalsVersion);
    fields(pack, std::as_const(m_totals));
    m_writes.setValue(totalsKey, pack.bytes());
}

// The job is purged. A result that waits stays, with the name of its pusher.
void Engine::removeJob(JobEntry &job)
{
    const QByteArray key = segmentKey(job.slot.segment);
    const auto result = m_results.find(job.id);
    const bool outlived = result != m_results.end() && result->second.slot == job.slot && result->second.endsAt_ms > m_now_ms;
    constexpr std::pair<Part, Letter> changing[] = {
        {StatePart, StateLetter}, {HistoryPart, HistoryLetter}, {OutcomePart, OutcomeLetter}, {ThenPart, ThenLetter},
        {MarksPart, MarksLetter}};
    for (const auto &[part, letter] : changing) {
        if (job.stored & part)
            m_writes.removeField(key, fieldOf(job.slot.place, letter));
    }
    if (job.argumentApart)
        m_writes.removeKey(apartKey(job.slot, ArgumentLetter));
    if (job.outcomeApart)
        m_writes.removeKey(apartKey(job.slot, OutcomeLetter));
    if (job.special && job.special->thenApart)
        m_writes.removeKey(apartKey(job.slot, ThenLetter));
    if (outlived) {
        JobSpec owner = *unpackRecord(job.record);
        owner.argument = payload::nil;
        result->second.owner = packRecord(owner);
        if (job.special)
            result->second.sharers = job.special->sharers;
        m_writes.setField(key, fieldOf(job.slot.place, RecordLetter), withId(job.id, result->second.owner));
        writeResult(result->second);
    } else {
        if (result != m_results.end() && result->second.slot == job.slot)
            dropResult(job.id); // an earlier job with this id, whose result waits, had another place
        m_writes.removeField(key, fieldOf(job.slot.place, RecordLetter));
        m_segments.free(job.slot, m_writes);
    }
    if (job.special && !job.special->group.isEmpty())
        m_groups.purged(*m_groups.find(job.special->group));
    m_changed.removeOne(&job);
    m_jobs.leave(job);
    m_jobs.remove(job);
}

void Engine::removeResultFields(const KeptResult &result)
{
    m_writes.removeField(segmentKey(result.slot.segment), fieldOf(result.slot.place, ResultLetter));
    if (result.apart)
        m_writes.removeKey(apartKey(result.slot, ResultLetter));
    if (!result.owner.isEmpty()) {
        m_writes.removeField(segmentKey(result.slot.segment), fieldOf(result.slot.place, RecordLetter));
        m_segments.free(result.slot, m_writes);
    }
}

} // namespace junban::engine
