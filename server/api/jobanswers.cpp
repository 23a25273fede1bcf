#include "core/jobs/history.h"
#include "core/jobs/jobfields.h"
#include "server/api/answers.h"
#include "server/api/mapbuilder.h"

// One job as it was pushed and as it stands, and the batch it is counted in.
namespace junban::api {

QByteArray encodeJob(const Job &job)
{
    Job told = job;
    told.history = historyOf(job);
    return pack(jobTable, told);
}

QByteArray encodeJobRow(const Job &job)
{
    return pack(jobRowTable, job);
}

QByteArray encodeList(const Inspector::List &list)
{
    MapBuilder coverage;
    coverage.integer("scanned", list.scanned);
    coverage.integer("total", list.total);
    coverage.boolean("complete", list.complete);
    MapBuilder map;
    map.key("jobs").raw(encodeAll(list.jobs, encodeJobRow));
    map.textIf("next", list.next);
    map.key("coverage").raw(coverage.take());
    return map.take();
}

QByteArray encodeAnswered(const Enqueued &enqueued, QByteArrayView outcome)
{
    MapBuilder map;
    map.text("id", enqueued.id.text());
    map.key("outcome").raw(outcome);
    if (enqueued.duplicate)
        map.boolean("duplicate", true);
    return map.take();
}

QByteArray encodeMessageTaken(const MessageTaken &taken)
{
    MapBuilder map;
    map.text("id", taken.id.text());
    map.text("state", stateWord(taken.finished.state));
    map.timeIf("run_at", taken.finished.runAt_ms);
    return map.take();
}

QByteArray encodeJobGroup(const Group &group)
{
    MapBuilder map;
    map.text("group", group.group);
    map.integer("total", group.total);
    map.integer("pending", group.pending);
    map.integer("succeeded", group.succeeded);
    map.integer("failed", group.failed);
    map.integer("cancelled", group.cancelled);
    map.boolean("open", group.open);
    map.boolean("has_callback", group.hasCallback);
    if (!group.callback.isNull())
        map.text("callback", group.callback.text());
    map.textIf("callback_refused", group.callbackRefused);
    map.text("created_at", isoTime(group.createdAt_ms));
    map.timeIf("ended_at", group.endedAt_ms);
    return map.take();
}

} // namespace junban::api
