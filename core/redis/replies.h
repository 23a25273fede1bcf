#pragma once

#include "core/base/expected.h"
#include "core/redis/reply.h"
#include "core/store/constraintstore.h"
#include "core/store/store.h"

// Make values from the scripts' replies. Only the files of this room use these.
namespace junban::redis {

// The error for a word that a script answers instead of an item: LEASE_LOST, NOT_FOUND, CONFLICT, UNIQUE, …
Error errorOfWord(QByteArrayView word);

// The error for the word "BACKLOG_FULL <constraint> <key>".
Error backlogFull(QByteArrayView word, const Classifier &classifier);
// The expected revision as an argument of a script: '' for any, '0' for none.
QByteArray expectation(const Expected &expected);
// Calls take(at, record) for each record of lists as pieces/bulk.lua gives them; `at` counts from 0.
template<typename Take>
void eachRecord(const Reply &lists, Take take)
{
    qsizetype at = 0;
    for (qsizetype list = 0; list < lists.size(); ++list) {
        const Reply records = lists[list];
        for (qsizetype i = 0; i < records.size(); ++i)
            take(at++, records[i]);
    }
}

Result<Enqueued> enqueuedOf(const Reply &item);
Result<Finished> finishedOf(const Reply &item);
// A job that a claim took, and that no worker can be given: it goes back at once.
struct Unusable {
    JobId id;
    QByteArray lease;
    Reason why;
    bool windowed = false;         // the zone of its windows is gone, so its stored openings must not be used
};
Claimed claimedOf(const Reply &jobs, QList<Unusable> &unusable);
Result<Heartbeat> heartbeatOf(const Reply &item);
Result<StateNow> stateNowOf(const Reply &item);
Result<StateNow> placedOf(const Reply &item);
Result<MessageTaken> messageTakenOf(const Reply &item);
Result<Group> groupOf(const Reply &item);
Swept sweptOf(const Reply &reply);
Result<ResultNow> resultNowOf(const Reply &reply);
Result<Job> jobOf(JobId id, const Reply &reply);
Result<Job> resultOwnerOf(JobId id, const Reply &reply);
Page pageOf(const Reply &reply, JobState state);
Page pushedPageOf(const Reply &reply, JobState state);
// The last row of the page before as arguments of the scripts of pages: whether there is one, its order, its id.
template<typename Order, typename Id>
QList<QByteArray> afterWords(const std::optional<QPair<Order, Id>> &after)
{
    if (!after)
        return {"0", QByteArray(), QByteArray()};
    const QByteArray order = QByteArray::number(double(after->first), 'g', 17);
    if constexpr (std::is_same_v<Id, JobId>)
        return {"1", order, after->second.bytes()};
    else
        return {"1", order, after->second};
}
// How many bytes of each record page.lua and page_of.lua read; 0: all.
QByteArray cutAt(PageDetail detail);
Overview countsOf(const Reply &reply);
QList<NameRow> namesOf(const Reply &reply);
// Hints from the last part of a reply, and from a message of another engine. A message of `ownEngine` gives none.
Hints hintsOf(const Reply &told);
Hints hintsOf(QByteArrayView message, QByteArrayView ownEngine);

} // namespace junban::redis
