#include "server/api/api.h"
#include "server/api/matcherbodies.h"
#include "server/api/matcherchange.h"

#include <QRandomGenerator>

// JobMatchers: their revisions, and pauses, which are matchers too.
namespace junban::api {

namespace {

QList<QPair<QByteArray, QByteArray>> etag(const JobMatcher &matcher)
{
    return {qMakePair(QByteArray("ETag"), '"' + QByteArray::number(matcher.revision) + '"')};
}

void answer(const Call &call, int status, const JobMatcher &matcher)
{
    call.reply(status, encodeMatcher(matcher), etag(matcher));
}

QList<JobMatcher> pausesOf(const MatcherSet &set)
{
    QList<JobMatcher> pauses;
    for (const auto &compiled : set.matchers()) {
        if (isPause(compiled->matcher()))
            pauses.append(compiled->matcher());
    }
    return pauses;
}

} // namespace

void answerSaved(const Call &call, const Result<MatcherEditor::Saved> &saved)
{
    if (!saved.ok())
        call.fail(saved.error());
    else if (!saved->problems.isEmpty())
        call.reply(422, encodeProblems(saved->problems));
    else
        answer(call, saved->created ? 201 : 200, saved->matcher);
}

std::optional<Expected> revisionOf(const Call &call)
{
    const std::optional<Expected> expected = expectedOf(call);
    if (!expected || expected->what != Expected::What::Any)
        return expected;
    call.problem(428, "precondition_required", "Say which revision is meant: If-Match: \"<revision>\", or If-None-Match: * for a new one.");
    return {};
}

void Api::listMatchers(const Call &call)
{
    const Result<int> limit = call.integer("limit", 1, limits::page_rows_max, limits::page_rows_default);
    const Result<QByteArray> after = call.name("after");
    if (!limit.ok() || !after.ok()) {
        call.fail(limit.ok() ? after.error() : limit.error());
        return;
    }
    m_matching.matchers.refresh([this, call, limit = *limit, after = *after](const Result<Done> &loaded) {
        if (loaded.ok())
            call.reply(200, encodeMatchers(m_matching.matchers.set(), limit, after, m_matching.rereader.left()));
        else
            call.fail(loaded.error());
    });
}

void Api::getMatcher(const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("matcher");
    if (!id)
        return;
    m_matching.matchers.refresh([this, call, id = *id](const Result<Done> &loaded) {
        const JobMatcher *matcher = m_matching.matchers.matcher(id);
        if (!loaded.ok())
            call.fail(loaded.error());
        else if (!matcher)
            call.fail(Error{ErrorCode::NotFound, "There is no such matcher."});
        else
            answer(call, 200, *matcher);
    });
}

void Api::putMatcher(const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("matcher");
    const std::optional<Expected> expected = id ? revisionOf(call) : std::nullopt;
    if (!expected)
        return;
    const Result<JobMatcher> matcher = JobMatcher::fromMsgpack(*id, call.body);
    if (!matcher.ok()) {
        call.fail(matcher.error());
        return;
    }
    m_matching.editor.save(*matcher, *expected, editor, [call](const Result<MatcherEditor::Saved> &saved) { answerSaved(call, saved); });
}

void Api::deleteMatcher(const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("matcher");
    const std::optional<Expected> expected = id ? revisionOf(call) : std::nullopt;
    if (!expected)
        return;
    m_matching.editor.remove(*id, *expected, editor, [call](const Result<JobMatcher> &removed) {
        if (removed.ok())
            answer(call, 200, *removed);
        else
            call.fail(removed.error());
    });
}

void Api::previewMatcher(const Call &call)
{
    const Result<PreviewQuery> body = unpackRequest(previewTable, call.body);
    if (!body.ok()) {
        call.fail(body.error());
        return;
    }
    m_matching.previewer.preview(body->matcher(), body->test, [call](const Result<Previewer::Preview> &preview) {
        if (!preview.ok())
            call.fail(preview.error());
        else if (!preview->problems.isEmpty())
            call.reply(422, encodeProblems(preview->problems));
        else
            call.reply(200, encodePreview(*preview));
    });
}

void Api::listRevisions(const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("matcher");
    if (!id)
        return;
    m_matching.editor.history(*id, [call](const Result<MatcherStore::History> &history) {
        if (!history.ok())
            call.fail(history.error());
        else if (history->revisions.isEmpty())
            call.fail(Error{ErrorCode::NotFound, "There is no such matcher."});
        else
            call.reply(200, encodeHistory(*history));
    });
}

void Api::revertMatcher(const Call &call)
{
    const std::optional<QByteArray> id = call.pathName("matcher");
    const std::optional<Expected> expected = id ? revisionOf(call) : std::nullopt;
    if (!expected)
        return;
    const Result<MatcherRevert> body = unpackRequest(matcherRevertTable, call.body);
    if (!body.ok()) {
        call.fail(body.error());
        return;
    }
    m_matching.editor.revert(
        *id, body->revision, *expected, editor, [call](const Result<MatcherEditor::Saved> &saved) { answerSaved(call, saved); });
}

void Api::pause(const Call &call)
{
    const Result<PauseQuery> body = unpackRequest(pauseTable, call.body);
    if (!body.ok()) {
        call.fail(body.error());
        return;
    }
    const QByteArray id = pause_id_prefix + QByteArray::number(QRandomGenerator::system()->generate64(), 36);
    m_matching.editor.save(pauseMatcher(id, *body), {Expected::What::Missing}, editor, [call](Result<MatcherEditor::Saved> saved) {
        if (!saved.ok() || saved->problems.isEmpty()) {
            if (saved.ok())
                call.reply(201, encodePause(saved->matcher));
            else
                call.fail(saved.error());
            return;
        }
        for (ExpressionProblem &problem : saved->problems)
            problem.field = "match";
        call.reply(422, encodeProblems(saved->problems));
    });
}

void Api::resume(const Call &call)
{
    const Result<ResumeQuery> body = call.body.isEmpty() ? Result<ResumeQuery>(ResumeQuery{}) : unpackRequest(resumeTable, call.body);
    if (!body.ok()) {
        call.fail(body.error());
        return;
    }
    m_matching.matchers.refresh([this, call, id = body->id](const Result<Done> &loaded) {
        if (!loaded.ok()) {
            call.fail(loaded.error());
            return;
        }
        QList<JobMatcher> ends = pausesOf(m_matching.matchers.set());
        if (!id.isEmpty())
            erase_if(ends, [&](const JobMatcher &matcher) { return matcher.id != id; });
        if (ends.isEmpty() && !id.isEmpty())
            call.fail(Error{ErrorCode::NotFound, "There is no such pause.", "id"});
        else
            endPauses(call, ends, {});
    });
}

void Api::endPauses(const Call &call, QList<JobMatcher> left, QList<JobMatcher> ended)
{
    if (left.isEmpty()) {
        call.reply(200, encodePauses(ended));
        return;
    }
    const JobMatcher next = left.takeFirst();
    m_matching.editor.remove(next.id, {}, editor, [this, call, left, ended, next](const Result<JobMatcher> &removed) {
        if (removed.ok())
            endPauses(call, left, ended + QList{next});
        else if (removed.error().code == ErrorCode::NotFound)
            endPauses(call, left, ended); // somebody else ended it
        else
            call.fail(removed.error());
    });
}

void Api::listPauses(const Call &call)
{
    m_matching.matchers.refresh([this, call](const Result<Done> &loaded) {
        if (loaded.ok())
            call.reply(200, encodePauses(pausesOf(m_matching.matchers.set())));
        else
            call.fail(loaded.error());
    });
}

} // namespace junban::api
