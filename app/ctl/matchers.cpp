// JobMatchers: the list, one as a file, what it would do, its revisions.
#include "app/ctl/asking.h"
#include "app/ctl/expressions.h"
#include "app/ctl/matcherfile.h"
#include "app/ctl/paging.h"
#include "client/matchercalls.h"
#include "core/base/reasons/ctl.h"
#include "core/base/reasons/start.h"
#include "core/msgpack/msgpackwriter.h"

#include <algorithm>

namespace junban::app {

namespace {

using client::MatcherPage;
using client::MatcherPreview;
using client::MatcherRevisions;
using client::SavedMatcher;

QByteArray kindsText(const JobMatcher &matcher)
{
    QByteArrayList words;
    for (const Constraint &constraint : matcher.constraints) {
        const bool enforced = constraint.mode == ConstraintMode::Enforce;
        words.append(kindWord(constraint.kind()) + (enforced ? QByteArray() : QByteArray(" (") + modeWord(constraint.mode) + ')'));
    }
    return orDash(words.join(", "));
}

constexpr Column<SavedMatcher> matcherColumns[] = {
    {"ID", [](const SavedMatcher &saved) { return saved.matcher.id; }},
    {"REVISION", [](const SavedMatcher &saved) { return number(saved.matcher.revision); }},
    {"ENABLED", [](const SavedMatcher &saved) { return QByteArray(saved.matcher.enabled ? "yes" : "no"); }},
    {"CONSTRAINTS", [](const SavedMatcher &saved) { return kindsText(saved.matcher); }},
    {"EDITED", [](const SavedMatcher &saved) { return timeText(saved.matcher.editedAt_ms); }},
    {"BY", [](const SavedMatcher &saved) { return orDash(saved.matcher.editedBy); }},
    {"TITLE", [](const SavedMatcher &saved) { return saved.matcher.title; }},
};

QByteArray pageText(const MatcherPage &page)
{
    const QByteArray reading = page.reading > 0 ? number(page.reading) + " ready jobs are still to be matched\n" : QByteArray();
    return table(matcherColumns, page.matchers) + reading;
}

bool isPause(const SavedMatcher &saved)
{
    return saved.matcher.id.startsWith(pause_id_prefix);
}

// Documents that `matchers apply` takes.
QByteArray filesText(const QList<SavedMatcher> &all)
{
    QByteArray text;
    for (const SavedMatcher &saved : all)
        text += (text.isEmpty() ? "" : "---\n") + yamlOf(saved.matcher);
    return text;
}

QByteArray matcherIdOf(Flags &flags)
{
    return flags.word("ID", "The matcher.");
}

// One after the other, in the order asked for.
void getSome(Session &session, const QList<QByteArray> &ids, const QList<SavedMatcher> &sofar)
{
    if (sofar.size() == ids.size()) {
        session.print(filesText(sofar));
        session.end(0);
        return;
    }
    session.client().matcher(ids[sofar.size()], [&session, ids, sofar](const Result<SavedMatcher> &saved) {
        if (!saved.ok()) {
            session.fail(saved.error());
            return;
        }
        if (session.json())
            session.show(*saved, answers::savedMatcherTable, [](const SavedMatcher &) { return QByteArray(); });
        if (session.json() && sofar.size() + 1 == ids.size())
            session.end(0);
        else
            getSome(session, ids, sofar + QList<SavedMatcher>{*saved});
    });
}

constexpr Column<SavedMatcher> revisionColumns[] = {
    {"REVISION", [](const SavedMatcher &saved) { return number(saved.matcher.revision); }},
    {"EDITED", [](const SavedMatcher &saved) { return timeText(saved.matcher.editedAt_ms); }},
    {"BY", [](const SavedMatcher &saved) { return orDash(saved.matcher.editedBy); }},
    {"CONSTRAINTS", [](const SavedMatcher &saved) { return kindsText(saved.matcher); }},
    {"TITLE", [](const SavedMatcher &saved) { return saved.matcher.title; }},
};

// Each with what it changed of the one before.
QByteArray revisionsText(const MatcherRevisions &found)
{
    QByteArray text = found.deleted ? "It is deleted; revert brings it back.\n" : "";
    text += table(revisionColumns, found.revisions);
    for (qsizetype i = 0; i + 1 < found.revisions.size(); ++i) {
        const JobMatcher &now = found.revisions[i].matcher, &before = found.revisions[i + 1].matcher;
        const QByteArray changed = lineDifferences(yamlOf(before), yamlOf(now));
        text += "\nrevision " + number(now.revision) + ", after " + number(before.revision) + ":\n"
            + (changed.isEmpty() ? QByteArray("  the same\n") : linesForTerminal(changed));
    }
    return text;
}

// Changes it at the revision that it has now.
using ChangeAt = std::function<void(qint64 revision, Callback<SavedMatcher>)>;
void change(Session &session, const QByteArray &id, const char *what, const ChangeAt &ask)
{
    session.client().matcherRevisions(id, [&session, id, what, ask](const Result<MatcherRevisions> &found) {
        if (!found.ok() || found->revisions.isEmpty()) {
            session.fail(found.ok() ? reasons::matcherIdUnknown(id) : found.error());
            return;
        }
        ask(found->deleted ? 0 : found->revisions.first().matcher.revision, [&session, what](const Result<SavedMatcher> &changed) {
            session.finish(changed, answers::savedMatcherTable, [what](const SavedMatcher &now) {
                return forTerminal(now.matcher.id) + ' ' + what + ", revision " + number(now.matcher.revision) + '\n';
            });
        });
    });
}

constexpr Column<client::PreviewCount> previewColumns[] = {
    {"STATE", [](const client::PreviewCount &count) { return QByteArray(stateWord(count.state)); }},
    {"MATCHED", [](const client::PreviewCount &count) { return number(count.matched); }},
    {"LOOKED AT", [](const client::PreviewCount &count) { return number(count.scanned) + " of " + number(count.total); }},
};
constexpr Column<client::PreviewJob> sampleColumns[] = {
    {"SAMPLE", [](const client::PreviewJob &job) { return job.id.text(); }},
    {"STATE", [](const client::PreviewJob &job) { return QByteArray(stateWord(job.state)); }},
    {"NAME", [](const client::PreviewJob &job) { return job.name; }},
};
constexpr Column<client::CountOf> countColumns[] = {
    {"JOBS", [](const client::CountOf &count) { return number(count.jobs); }},
    {"WHAT", [](const client::CountOf &count) { return orDash(count.what); }},
};

QByteArray countsText(const char *title, const QList<client::CountOf> &counts)
{
    return counts.isEmpty() ? QByteArray() : QByteArray("\n") + title + '\n' + table(countColumns, counts);
}

QByteArray secondsText(double value_s)
{
    return QByteArray::number(value_s, 'g', 3) + " s";
}

QByteArray forecastText(const MatcherPreview &preview)
{
    const auto &rates = preview.arrivals;
    const auto perSecond = [](double rate) { return QByteArray::number(rate, 'g', 3) + "/s"; };
    QByteArray text = "arrivals " + perSecond(rates.perSecond) + ", starts " + perSecond(rates.startsPerSecond) + " in the last "
        + secondsText(preview.replay.seconds) + '\n';
    if (rates.growth > 0)
        text += "the backlog grows by " + perSecond(rates.growth) + '\n';
    if (const auto &drain = preview.drain) {
        text += "the backlog clears in "
            + (drain->after_s > drain->least_s ? secondsText(drain->least_s) + " to " : QByteArray()) + secondsText(drain->after_s)
            + (drain->before_s ? ", instead of " + secondsText(*drain->before_s) : QByteArray(", instead of growing")) + '\n';
    }
    return text;
}

QByteArray previewText(const MatcherPreview &preview)
{
    QByteArray text = table(previewColumns, preview.states);
    if (preview.newlyMatchedCount > 0 || preview.noLongerMatchedCount > 0) // than the saved one
        text += "newly matched " + number(preview.newlyMatchedCount) + ", no longer matched " + number(preview.noLongerMatchedCount) + '\n';
    if (preview.test)
        text += QByteArray("the job ") + (preview.test->matches ? "matches" : "does not match")
            + (preview.test->fault.isEmpty() ? QByteArray() : ": " + forTerminal(preview.test->fault.text)) + '\n';
    const client::PreviewReplay &replay = preview.replay;
    text += "of the last " + number(replay.starts) + " starts " + number(replay.delayed) + " would have waited, "
        + secondsText(replay.meanDelay_s) + " on average, " + secondsText(replay.maxDelay_s) + " at most"
        + (replay.complete ? "" : " (older starts were left out)") + '\n';
    text += forecastText(preview);
    if (!preview.samples.isEmpty())
        text += '\n' + table(sampleColumns, preview.samples);
    for (const client::PreviewKeys &keys : preview.keys) {
        if (!keys.top.isEmpty())
            text += countsText((keys.kind + ": " + number(keys.distinct) + " keys").constData(), keys.top);
    }
    return text + countsText("errors of the expression", preview.faults) + countsText("also under", preview.overlaps);
}

} // namespace

void matchers(Session &session, Flags &flags)
{
    const int limit = rowsOf(flags);
    if (!flags.ready())
        return;
    const Paging<MatcherPage, SavedMatcher> paging{&MatcherPage::matchers, limits::page_rows_max,
        [&session](int rows, const QByteArray &after, auto callback) { session.client().matchers(rows, after, std::move(callback)); }};
    showList(session, paging, limit, answers::matcherPageTable, pageText);
}

void matchersGet(Session &session, Flags &flags)
{
    const QList<QByteArray> ids = flags.wordsIfAny("ID", "The matchers; all but pauses when none is named.");
    flags.note("It prints YAML that 'junbanctl matchers apply' takes unchanged: without revisions, and without what has its default.\n"
               "--json prints what the API answers, which apply takes as well.");
    if (!flags.ready())
        return;
    if (!ids.isEmpty()) {
        getSome(session, ids, {});
        return;
    }
    const Paging<MatcherPage, SavedMatcher> paging{&MatcherPage::matchers, limits::page_rows_max,
        [&session](int rows, const QByteArray &after, auto callback) { session.client().matchers(rows, after, std::move(callback)); }};
    gather<MatcherPage, SavedMatcher>(paging, rows_max, [&session](Result<MatcherPage> page) {
        if (page.ok())
            page->matchers.removeIf(isPause);
        session.finish(page, answers::matcherPageTable, [](const MatcherPage &all) { return filesText(all.matchers); });
    });
}

void matchersPreview(Session &session, Flags &flags)
{
    const QByteArray path = flags.file("One matcher in YAML or JSON; - reads it from standard input.");
    const QList<JobId> tested = flags.jobs("--job ID", "Also say whether it matches this job.");
    if (!flags.ready())
        return;
    const Result<QByteArray> text = contentOf(path);
    const Result<QList<JobMatcher>> read = text.ok() ? matchersOf(*text) : Result<QList<JobMatcher>>(text.error());
    if (!read.ok())
        flags.refuse(text.ok() ? reasons::optionWrong(fileName(path), read.error().reason) : text.error());
    else if (read->size() != 1)
        flags.refuse(reasons::matchersFileOneExpected(fileName(path), read->size()));
    if (!flags.ready())
        return;
    const JobMatcher matcher = read->first();
    const auto preview = [&session, matcher, tested](const Result<SavedMatcher> &saved) {
        if (!saved.ok() && saved.error().code != ErrorCode::NotFound) {
            session.fail(saved.error());
            return;
        }
        client::PreviewQuery query{saved.ok() ? matcher.id : QByteArray(), matcher.expression, matcher.constraints, matcher.exempts};
        if (!tested.isEmpty())
            query.test = client::TestedJob{tested.last()};
        session.client().previewMatcher(query, finishChecked<MatcherPreview>(session, {{"expression", matcher.expression}},
            answers::matcherPreviewTable, previewText));
    };
    session.client().matcher(matcher.id, preview);
}

void matchersRevisions(Session &session, Flags &flags)
{
    const QByteArray id = matcherIdOf(flags);
    if (!flags.ready())
        return;
    session.client().matcherRevisions(id,
        [&session](const Result<MatcherRevisions> &found) { session.finish(found, answers::revisionsTable, revisionsText); });
}

void matchersRevert(Session &session, Flags &flags)
{
    const QByteArray id = matcherIdOf(flags);
    const QByteArray to = flags.word("REVISION", "The one that comes back, as 'junbanctl matchers revisions' lists it.");
    bool isNumber = false;
    const qint64 revision = to.toLongLong(&isNumber);
    if (flags.ready() && (!isNumber || revision < 1))
        flags.refuse(reasons::optionWholeFromExpected("REVISION", 1, to));
    if (!flags.ready())
        return;
    change(session, id, "is as it was", [&session, id, revision](qint64 now, auto done) {
        session.client().revertMatcher(id, revision, now, std::move(done));
    });
}

void matchersDelete(Session &session, Flags &flags)
{
    const QByteArray id = matcherIdOf(flags);
    if (!isAgreed(session, flags, "Delete the matcher " + id))
        return;
    change(session, id, "is deleted; 'matchers revert' brings it back", [&session, id](qint64 now, auto done) {
        session.client().deleteMatcher(id, now, std::move(done));
    });
}

} // namespace junban::app
