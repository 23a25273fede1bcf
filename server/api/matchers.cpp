#include "core/limits/limitanswers.h"

#include "core/base/reasons/api.h"
#include "core/base/reasons/store.h"
#include "server/api/expectation.h"
#include "server/api/handlers.h"

// JobMatchers and their revisions.
namespace junban::api {

namespace {

answers::SavedMatcher savedMatcher(const CompiledMatcher &compiled)
{
    return {compiled.matcher(), compiled.shownNames()};
}

answers::SavedMatcher savedMatcher(const JobMatcher &matcher)
{
    const MatcherCompilation compilation = CompiledMatcher::compile(matcher);
    return compilation.matcher ? savedMatcher(*compilation.matcher) : answers::SavedMatcher{matcher};
}

answers::MatcherPage matcherPage(const MatcherSet &set, int limit, const QByteArray &after, qint64 reading)
{
    answers::MatcherPage page{{}, reading, {}};
    for (const auto &compiled : set.matchers()) {
        if (compiled->matcher().id <= after)
            continue;
        if (page.matchers.size() == limit) {
            page.next = page.matchers.last().matcher.id;
            break;
        }
        page.matchers.append(savedMatcher(*compiled));
    }
    return page;
}

void answerMatcher(const Call &call, int status, const JobMatcher &matcher)
{
    call.reply(status, pack(answers::savedMatcherTable, savedMatcher(matcher)), etagOf(matcher.revision));
}

// The audit has the matcher as it was, and as it is.
Callback<MatcherEditor::Saved> auditingSaved(const Call &call)
{
    return [call](const Result<MatcherEditor::Saved> &saved) {
        if (saved.ok() && saved->problems.isEmpty()) {
            call.auditBefore(saved->before ? pack(answers::savedMatcherTable, savedMatcher(*saved->before)) : QByteArray());
            call.auditAfter(pack(answers::savedMatcherTable, savedMatcher(saved->matcher)));
        }
        answeringSaved(call)(saved);
    };
}

void listMatchers(const Parts &parts, const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    const Result<QByteArray> after = call.name("after");
    if (!areRead(call, limit, after))
        return;
    const auto page = [&matching = parts.matching, limit = *limit, after = *after](Done) {
        return matcherPage(matching.matchers.set(), limit, after, matching.rereader.left());
    };
    parts.matching.matchers.refresh(answering<Done>(call, answers::matcherPageTable, page));
}

void getMatcher(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("matcher");
    if (!id)
        return;
    parts.matching.matchers.refresh([&matchers = parts.matching.matchers, call, id = *id](const Result<Done> &loaded) {
        const JobMatcher *matcher = matchers.matcher(id);
        if (!loaded.ok())
            call.fail(loaded.error());
        else if (!matcher)
            call.fail(reasons::matcherNotFound());
        else
            answerMatcher(call, 200, *matcher);
    });
}

void putMatcher(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("matcher");
    const std::optional<Expected> expected = id ? revisionOf(call) : std::nullopt;
    if (!expected)
        return;
    if (expected->what == Expected::What::Missing && id->startsWith(pause_id_prefix)) {
        call.fail(ofField(reasons::matcherIdOfPause(pause_id_prefix), "id"));
        return;
    }
    const Result<JobMatcher> matcher = JobMatcher::fromMsgpack(*id, call.body);
    if (areRead(call, matcher))
        parts.matching.editor.save(*matcher, *expected, call.caller.name(), auditingSaved(call));
}

void deleteMatcher(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("matcher");
    const std::optional<Expected> expected = id ? revisionOf(call) : std::nullopt;
    if (!expected)
        return;
    parts.matching.editor.remove(*id, *expected, call.caller.name(), [call](const Result<JobMatcher> &removed) {
        if (removed.ok())
            call.auditBefore(pack(answers::savedMatcherTable, savedMatcher(*removed)));
        if (removed.ok())
            answerMatcher(call, 200, *removed);
        else
            call.fail(removed.error());
    });
}

void listRevisions(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("matcher");
    if (!id)
        return;
    parts.matching.editor.history(*id, [call](const Result<MatcherStore::History> &history) {
        if (!history.ok() || history->last == 0) {
            call.fail(history.ok() ? reasons::matcherNotFound() : history.error());
            return;
        }
        answers::MatcherRevisions revisions{{}, history->deleted};
        for (const JobMatcher &matcher : history->revisions)
            revisions.revisions.append(savedMatcher(matcher));
        call.reply(200, pack(answers::revisionsTable, revisions));
    });
}

void revertMatcher(const Parts &parts, const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("matcher");
    const std::optional<Expected> expected = id ? revisionOf(call) : std::nullopt;
    if (const auto body = expected ? bodyOf(call, matcherRevertTable) : std::nullopt)
        parts.matching.editor.revert(*id, body->revision, *expected, call.caller.name(), auditingSaved(call));
}

constexpr Operation matcherHandlers[] = {
    {"listMatchers", listMatchers}, {"getMatcher", getMatcher}, {"putMatcher", putMatcher}, {"deleteMatcher", deleteMatcher},
    {"listRevisions", listRevisions}, {"revertMatcher", revertMatcher},
};

} // namespace

Callback<MatcherEditor::Saved> answeringSaved(const Call &call)
{
    return [call](const Result<MatcherEditor::Saved> &saved) {
        if (!saved.ok())
            call.fail(saved.error());
        else if (!saved->problems.isEmpty())
            call.reply(422, encodeProblem(saved->problems));
        else
            answerMatcher(call, saved->created ? 201 : 200, saved->matcher);
    };
}

const std::span<const Operation> matcherOperations = matcherHandlers;

} // namespace junban::api
