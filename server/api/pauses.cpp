#include "core/limits/limitanswers.h"

#include "core/base/reasons/api.h"
#include "core/operators/pauses.h"
#include "server/api/handlers.h"

#include <QRandomGenerator>

// Pauses, which are matchers with one constraint each.
namespace junban::api {

namespace {

// It ends when its constraint expires, which is also what the constraint says.
JobMatcher pauseMatcher(const PauseQuery &pause)
{
    JobMatcher matcher;
    matcher.id = pause_id_prefix + QByteArray::number(QRandomGenerator::system()->generate64(), 36);
    matcher.title = pause.reason;
    matcher.expression = pause.match.isEmpty() ? QByteArray("true") : pause.match;
    Constraint constraint;
    constraint.parameters = PauseParameters{pause.until_ms, pause.for_ms, pause.reason};
    constraint.expiresAt_ms = pause.until_ms;
    constraint.expiresIn_ms = pause.for_ms;
    matcher.constraints.append(constraint);
    return matcher;
}

answers::PauseList pauseList(const QList<JobMatcher> &matchers)
{
    answers::PauseList list;
    for (const JobMatcher &matcher : matchers)
        list.pauses.append(pauseOf(matcher));
    return list;
}

void pause(const Parts &parts, const Call &call)
{
    const std::optional<PauseQuery> query = bodyOf(call, pauseTable);
    if (!query)
        return;
    if (query->until_ms && *query->until_ms <= parts.clock.now_ms()) {
        call.fail(mustLieAhead("until"));
        return;
    }
    const auto answer = [call](Result<MatcherEditor::Saved> saved) {
        if (!saved.ok()) {
            call.fail(saved.error());
        } else if (saved->problems.isEmpty()) {
            call.auditTarget(saved->matcher.id);
            call.auditAfter(pack(answers::pauseAnswerTable, pauseOf(saved->matcher)));
            call.reply(201, pack(answers::pauseAnswerTable, pauseOf(saved->matcher)));
        } else {
            for (ExpressionProblem &problem : saved->problems)
                problem.field = "match";
            call.reply(422, encodeProblem(saved->problems));
        }
    };
    parts.matching.editor.save(pauseMatcher(*query), {Expected::What::Missing}, call.caller.name(), answer);
}

// Removes those that are left, one after the other; the answer lists `ended`.
void endPauses(const Parts &parts, const Call &call, QList<JobMatcher> left, QList<JobMatcher> ended)
{
    if (left.isEmpty()) {
        call.auditTarget(ended.size() == 1 ? ended.first().id : QByteArray());
        call.auditBefore(pack(answers::pauseListTable, pauseList(ended)));
        call.reply(200, pack(answers::pauseListTable, pauseList(ended)));
        return;
    }
    const JobMatcher next = left.takeFirst();
    parts.matching.editor.remove(next.id, {}, call.caller.name(), [&parts, call, left, ended, next](const Result<JobMatcher> &removed) {
        if (removed.ok())
            endPauses(parts, call, left, ended + QList{next});
        else if (removed.error().code == ErrorCode::NotFound)
            endPauses(parts, call, left, ended); // somebody else ended it
        else
            call.fail(removed.error());
    });
}

void resume(const Parts &parts, const Call &call)
{
    const std::optional<ResumeQuery> query = bodyOf(call, resumeTable, {}, Body::MayBeEmpty);
    if (!query)
        return;
    parts.matching.matchers.refresh([&parts, call, id = query->id](const Result<Done> &loaded) {
        if (!loaded.ok()) {
            call.fail(loaded.error());
            return;
        }
        QList<JobMatcher> ends = pausesIn(parts.matching.matchers.set());
        if (!id.isEmpty())
            erase_if(ends, [&](const JobMatcher &matcher) { return matcher.id != id; });
        if (ends.isEmpty() && !id.isEmpty())
            call.fail(ofField(reasons::pauseNotFound(), "id"));
        else
            endPauses(parts, call, ends, {});
    });
}

void listPauses(const Parts &parts, const Call &call)
{
    const auto pauses = [&matchers = parts.matching.matchers](Done) { return pauseList(pausesIn(matchers.set())); };
    parts.matching.matchers.refresh(answering<Done>(call, answers::pauseListTable, pauses));
}

constexpr Operation pauseHandlers[] = {{"pause", pause}, {"resume", resume}, {"listPauses", listPauses}};

} // namespace

const std::span<const Operation> pauseOperations = pauseHandlers;

} // namespace junban::api
