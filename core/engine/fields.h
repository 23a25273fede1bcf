#pragma once

#include "core/engine/jobentry.h"
#include "core/engine/packed.h"

// The layout of what the engine has in Redis: for each packed value its version and its fields, listed once for both directions. A field
// that is added goes to the end and raises the version; a loader knows all versions.
namespace junban::engine {

// The letters of a job's fields in its segment, and of the values with keys of their own. The record's field has none.
enum Letter : char {
    RecordLetter = 0,
    StateLetter = 's',
    HistoryLetter = 'h',
    OutcomeLetter = 'o',
    ResultLetter = 'r',
    ThenLetter = 't',
    MarksLetter = 'm',
    ArgumentLetter = 'a', // only of a value with a key of its own
};

// Of a state: that of a job that was never handed off, and with hand-off and charges what comes behind that.
inline constexpr quint8 stateVersion = 1, chargedStateVersion = 2, handedStateVersion = 3, handedChargedStateVersion = 4;
inline constexpr quint8 historyVersion = 1, marksVersion = 1, nameVersion = 1, totalsVersion = 1;
// Of a result: that of a job that nobody shared, or that is there still; and with the sharers behind that.
inline constexpr quint8 resultVersion = 1, sharedResultVersion = 2;

// A job's id; null: an empty text.
template<typename Archive, typename Id>
    requires std::same_as<std::remove_const_t<Id>, JobId>
void idField(Archive &archive, Id &id)
{
    QByteArray bytes = id.isNull() ? QByteArray() : id.bytes();
    archive(bytes);
    if constexpr (Archive::unpacks) {
        if (!bytes.isEmpty() && bytes.size() != JobId::size)
            archive.refuse();
        id = JobId::fromBytes(bytes).value_or(JobId());
    }
}

// A list, whose elements `each` packs or unpacks.
template<typename Archive, typename List, typename Each>
void listField(Archive &archive, List &list, Each each)
{
    qsizetype count = list.size();
    archive(count);
    if constexpr (Archive::unpacks) {
        for (qsizetype i = 0; i < count && archive.ok(); ++i)
            each(archive, list.emplaceBack());
    } else {
        for (const auto &element : list)
            each(archive, element);
    }
}

template<typename Archive, typename Report>
    requires std::same_as<std::remove_const_t<Report>, LastReport>
void fields(Archive &archive, Report &report)
{
    archive(report.lease, report.by, report.state, report.runAt_ms);
}

template<typename Archive, typename Run>
    requires std::same_as<std::remove_const_t<Run>, Course>
void fields(Archive &archive, Run &course)
{
    archive(course.attempt, course.failures, course.releases, course.silent, course.heard, course.cancelRequested);
    archive(course.lease, course.lease_ms, course.startedAt_ms, course.deadline_ms, course.worker, course.holder);
    archive(course.done, course.total, course.progress, course.reason, course.message);
    fields(archive, course.ended);
}

// What changes of a special job. Its `then` is a field of its own, and the rest is in the record.
template<typename Archive, typename Fields>
    requires std::same_as<std::remove_const_t<Fields>, Special>
void fields(Archive &archive, Fields &special)
{
    archive(special.expiresAt_ms, special.closesAt_ms, special.dueAt_ms, special.hasKey, special.shared);
    idField(archive, special.ahead);
    listField(archive, special.ended, [](auto &to, auto &id) { idField(to, id); });
    listField(archive, special.sharers, [](auto &to, auto &sharer) { to(sharer); });
}

// The field `<place>s`: what changes of a job. Its order_ms and createdAt_ms are kept as distances from the time in its id.
template<typename Archive, typename Entry>
    requires std::same_as<std::remove_const_t<Entry>, JobEntry>
void stateFields(Archive &archive, Entry &job)
{
    const qint64 made_ms = job.id.created_ms();
    qint64 created_ms = job.createdAt_ms - made_ms, order_ms = job.order_ms == 0 ? 0 : job.order_ms - made_ms;
    bool ordered = job.order_ms != 0, ran = job.course != nullptr;
    archive(job.state, created_ms, ordered, order_ms, ran);
    if constexpr (Archive::unpacks) {
        const auto isFar = [](qint64 distance_ms) { return distance_ms > limits::time_ms_max || distance_ms < -limits::time_ms_max; };
        if (isFar(created_ms) || isFar(order_ms))
            archive.refuse();
        job.createdAt_ms = archive.ok() ? created_ms + made_ms : 0;
        job.order_ms = archive.ok() && ordered ? order_ms + made_ms : 0;
        if (ran)
            job.run();
    }
    if (ran)
        fields(archive, *job.course);
    if (job.special)
        fields(archive, *job.special);
}

// Behind the state of a job that was handed off (versions 3 and 4).
template<typename Archive, typename Its>
    requires std::same_as<std::remove_const_t<Its>, Handoff>
void fields(Archive &archive, Its &handoff)
{
    archive(handoff.lease, handoff.key);
}

// Behind that, for a job that is charged in buckets (versions 2 and 4): how many these are, and each of them.
struct PackedCharge {
    int constraint = 0;                  // its number
    QByteArray identity = {};            // Bucket::identity
    qint64 cost = 1;
    bool counted = false;
};

template<typename Archive, typename Its>
    requires std::same_as<std::remove_const_t<Its>, PackedCharge>
void fields(Archive &archive, Its &charge)
{
    archive(charge.constraint, charge.identity, charge.cost, charge.counted);
}

template<typename Archive, typename Run>
    requires std::same_as<std::remove_const_t<Run>, Attempt>
void fields(Archive &archive, Run &attempt)
{
    archive(attempt.number, attempt.worker, attempt.startedAt_ms, attempt.endedAt_ms, attempt.ended, attempt.message, attempt.shouldRetry,
        attempt.nextRunAt_ms);
}

template<typename Archive, typename Happened>
    requires std::same_as<std::remove_const_t<Happened>, Event>
void fields(Archive &archive, Happened &event)
{
    archive(event.at_ms, event.what, event.actor, event.attempt, event.details);
}

// The field `<place>m`.
template<typename Archive, typename Its>
    requires std::same_as<std::remove_const_t<Its>, Marks>
void fields(Archive &archive, Its &marks)
{
    archive(marks.trackedAt_ms, marks.deletion.at_ms, marks.deletion.from, marks.deletion.due_ms, marks.deletion.dependencyEnd);
}

// The field `<place>r`. The outcome is empty when it stands apart; `purged` says that the record beside it is the owner's.
template<typename Archive, typename Waiting>
    requires std::same_as<std::remove_const_t<Waiting>, KeptResult>
void fields(Archive &archive, Waiting &result, QByteArray &outcome, bool &purged)
{
    archive(result.endsAt_ms, result.taken, result.receipt, purged, outcome);
}

template<typename Archive, typename Sums>
    requires std::same_as<std::remove_const_t<Sums>, Totals>
void fields(Archive &archive, Sums &totals)
{
    archive(totals.enqueued, totals.started, totals.succeeded, totals.failed, totals.failures, totals.retried, totals.expired,
        totals.cancelled, totals.deleted);
}

} // namespace junban::engine
