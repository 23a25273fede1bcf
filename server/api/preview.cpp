#include "core/limits/limitanswers.h"
#include "server/api/handlers.h"

#include <algorithm>

// What a matcher would do, before it is saved.
namespace junban::api {

namespace {

QList<answers::PreviewJob> jobsOf(const QList<Previewer::Row> &rows)
{
    QList<answers::PreviewJob> jobs;
    for (const Previewer::Row &row : rows)
        jobs.append({row.id, row.name, row.state});
    return jobs;
}

// Most jobs first; of the same number, by key.
QList<answers::CountOf> byCount(const QHash<QByteArray, qint64> &counts)
{
    QList<answers::CountOf> sorted;
    for (auto each = counts.cbegin(); each != counts.cend(); ++each)
        sorted.append({each.key(), each.value()});
    std::sort(sorted.begin(), sorted.end(),
        [](const auto &a, const auto &b) { return a.jobs != b.jobs ? a.jobs > b.jobs : a.what < b.what; });
    return sorted;
}

QList<answers::CountOf> faultsOf(const QHash<QByteArray, Previewer::Fault> &faults)
{
    QList<answers::CountOf> sorted;
    for (auto each = faults.cbegin(); each != faults.cend(); ++each)
        sorted.append({each.key(), each->jobs, each->sample});
    std::sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) { return a.what < b.what; });
    return sorted;
}

answers::PreviewReplay replayOf(const Previewer::Preview &preview)
{
    const Replayed &replay = preview.replay;
    const double mean_s = replay.delayed > 0 ? double(replay.delaySum_ms) / double(replay.delayed) / 1000 : 0;
    return {replay.starts, replay.delayed, mean_s, double(replay.delayMost_ms) / 1000, preview.replayComplete};
}

answers::MatcherPreview previewOf(const Previewer::Preview &preview)
{
    answers::MatcherPreview shown;
    shown.names = shownNames(preview.names);
    for (const Previewer::StateCount &count : preview.states)
        shown.states.append({count.state, count.matched, count.scanned, count.total, count.complete});
    shown.samples = jobsOf(preview.samples);
    shown.newlyMatched = jobsOf(preview.newlyMatched);
    shown.noLongerMatched = jobsOf(preview.noLongerMatched);
    shown.newlyMatchedCount = preview.newlyMatchedCount;
    shown.noLongerMatchedCount = preview.noLongerMatchedCount;
    for (const Previewer::Keys &keys : preview.keys)
        shown.keys.append({kindWord(keys.kind), keys.jobs.size(), byCount(keys.jobs).mid(0, limits::preview_keys_max)});
    shown.faults = faultsOf(preview.faults);
    shown.overlaps = byCount(preview.overlaps);
    shown.replay = replayOf(preview);
    shown.arrivals = {preview.arriving, preview.growing};
    if (preview.drainBefore_s)
        shown.drain = {*preview.drainBefore_s, *preview.drainAfter_s};
    if (const auto &trial = preview.trial)
        shown.test = {trial->matches, trial->fault, trial->terms.terms, trial->terms.complete};
    return shown;
}

void previewMatcher(const Parts &parts, const Call &call)
{
    const std::optional<PreviewQuery> query = bodyOf(call, previewTable);
    if (!query)
        return;
    parts.matching.previewer.preview(query->matcher(), query->test, [call](const Result<Previewer::Preview> &preview) {
        if (!preview.ok())
            call.fail(preview.error());
        else if (!preview->problems.isEmpty())
            call.reply(422, encodeProblem(preview->problems));
        else
            call.reply(200, pack(answers::matcherPreviewTable, previewOf(*preview)));
    });
}

constexpr Operation previewHandlers[] = {{"previewMatcher", previewMatcher}};

} // namespace

const std::span<const Operation> previewOperations = previewHandlers;

} // namespace junban::api
