#include "server/api/matcherbodies.h"

#include "server/api/answers.h"
#include "server/api/mapbuilder.h"

#include <algorithm>

namespace junban::api {

namespace {

QByteArray encodeRow(const Previewer::Row &row)
{
    MapBuilder map;
    map.text("id", row.id.text());
    map.text("name", row.name);
    map.text("state", stateWord(row.state));
    return map.take();
}

QByteArray encodeStateCount(const Previewer::StateCount &count)
{
    MapBuilder map;
    map.text("state", stateWord(count.state));
    map.integer("matched", count.matched);
    map.integer("scanned", count.scanned);
    map.integer("total", count.total);
    map.boolean("complete", count.complete);
    return map.take();
}

// What has most comes first; the same number by its key.
QList<QPair<QByteArray, qint64>> byCount(const QHash<QByteArray, qint64> &counts)
{
    QList<QPair<QByteArray, qint64>> sorted;
    for (auto each = counts.cbegin(); each != counts.cend(); ++each)
        sorted.append({each.key(), each.value()});
    std::sort(sorted.begin(), sorted.end(),
        [](const auto &a, const auto &b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
    return sorted;
}

// {<name>: key, jobs: count} of each.
QByteArray encodeCounts(const char *name, const QList<QPair<QByteArray, qint64>> &counts)
{
    return encodeAll(counts, [name](const QPair<QByteArray, qint64> &count) {
        MapBuilder map;
        map.text(name, count.first);
        map.integer("jobs", count.second);
        return map.take();
    });
}

QByteArray encodeKeys(const Previewer::Keys &keys)
{
    QList<QPair<QByteArray, qint64>> top = byCount(keys.jobs);
    top.resize(std::min<qsizetype>(top.size(), limits::preview_keys_max));
    MapBuilder map;
    map.text("kind", kindWord(keys.kind));
    map.integer("distinct", keys.jobs.size());
    map.key("top").raw(encodeCounts("key", top));
    return map.take();
}

QByteArray encodeFaults(const QHash<QByteArray, Previewer::Fault> &faults)
{
    QList<QByteArray> causes = faults.keys();
    std::sort(causes.begin(), causes.end());
    return encodeAll(causes, [&](const QByteArray &cause) {
        MapBuilder map;
        map.text("cause", cause);
        map.integer("jobs", faults[cause].jobs);
        map.text("sample", faults[cause].sample.text());
        return map.take();
    });
}

QByteArray encodeRead(const cel::TermRead &read)
{
    MapBuilder map;
    map.text("text", read.text);
    map.text("type", read.type);
    map.text("value", read.value);
    map.textIf("expected", read.expected);
    return map.take();
}

QByteArray encodeTerm(const cel::Term &term)
{
    MapBuilder map;
    map.integer("line", term.place.line);
    map.integer("column", term.place.column);
    map.integer("length", term.place.length);
    map.text("text", term.text);
    if (term.place.message.isEmpty())
        map.boolean("result", term.holds);
    else
        map.text("result", term.place.message);
    map.key("reads").raw(encodeAll(term.reads, encodeRead));
    return map.take();
}

QByteArray encodeTrial(const Previewer::Trial &trial)
{
    MapBuilder map;
    map.boolean("matches", trial.matches);
    map.textIf("fault", trial.fault);
    map.key("terms").raw(encodeAll(trial.terms.terms, encodeTerm));
    map.boolean("complete", trial.terms.complete);
    return map.take();
}

QByteArray encodeReplay(const Previewer::Preview &preview)
{
    const Replayed &replay = preview.replay;
    MapBuilder map;
    map.integer("starts", replay.starts);
    map.integer("delayed", replay.delayed);
    map.real("mean_delay", replay.delayed > 0 ? double(replay.delaySum_ms) / double(replay.delayed) / 1000 : 0);
    map.real("max_delay", double(replay.delayMost_ms) / 1000);
    map.boolean("complete", preview.replayComplete);
    return map.take();
}

} // namespace

QByteArray encodePreview(const Previewer::Preview &preview)
{
    MapBuilder map;
    map.key("names").raw(encodeNames(preview.names));
    map.key("states").raw(encodeAll(preview.states, encodeStateCount));
    map.key("samples").raw(encodeAll(preview.samples, encodeRow));
    map.key("newly_matched").raw(encodeAll(preview.newlyMatched, encodeRow));
    map.key("no_longer_matched").raw(encodeAll(preview.noLongerMatched, encodeRow));
    map.integer("newly_matched_count", preview.newlyMatchedCount);
    map.integer("no_longer_matched_count", preview.noLongerMatchedCount);
    map.key("keys").raw(encodeAll(preview.keys, encodeKeys));
    map.key("faults").raw(encodeFaults(preview.faults));
    map.key("overlaps").raw(encodeCounts("matcher", byCount(preview.overlaps)));
    map.key("replay").raw(encodeReplay(preview));
    MapBuilder arrivals;
    arrivals.real("per_second", preview.arriving);
    arrivals.real("growth", preview.growing);
    map.key("arrivals").raw(arrivals.take());
    if (preview.drainBefore_s) {
        MapBuilder drain;
        drain.real("before", *preview.drainBefore_s);
        drain.real("after", *preview.drainAfter_s);
        map.key("drain").raw(drain.take());
    }
    if (preview.trial)
        map.key("test").raw(encodeTrial(*preview.trial));
    return map.take();
}

} // namespace junban::api
