#pragma once

#include "client/calls.h"
#include "core/limits/limitanswers.h"
#include "core/limits/limitrequests.h"

namespace junban::client {

using answers::CountOf;
using answers::MatcherPage;
using answers::MatcherPreview;
using answers::MatcherRevisions;
using answers::Pause;
using answers::PauseList;
using answers::PreviewCount;
using answers::PreviewJob;
using answers::PreviewKeys;
using answers::PreviewReplay;
using answers::SavedMatcher;
using answers::TestedTerms;
using junban::PauseQuery;
using junban::PreviewQuery;
using junban::TestedJob;

// The answer to a request with expressions: either the value, or what is wrong with them.
template<typename T>
struct Checked {
    std::optional<T> value = {};
    QList<ExpressionProblem> problems = {};
};

// JobMatchers, and pauses, which are matchers too. A save, a revert and a delete are for one revision; 0: for a matcher that does not
// exist. RevisionMismatch when it is another by now. Expressions that do not compile are an answer, with their positions.
class MatcherCalls : Calls
{
public:
    using Calls::Calls;

    CallId matchers(int limit, const QByteArray &after, Takes<MatcherPage> auto callback)
    {
        return get(QStringLiteral("/v1/matchers"), pageQuery(limit, "after", after), answers::matcherPageTable, std::move(callback));
    }
    CallId matcher(const QByteArray &id, Takes<SavedMatcher> auto callback)
    {
        return get(path(id), answers::savedMatcherTable, std::move(callback));
    }
    CallId saveMatcher(const JobMatcher &matcher, qint64 revision, Takes<Checked<SavedMatcher>> auto callback)
    {
        return check({Method::Put, path(matcher.id), {}, matcher.packed(), 0, onlyAt(revision)}, answers::savedMatcherTable,
            std::move(callback));
    }
    CallId deleteMatcher(const QByteArray &id, qint64 revision, Takes<SavedMatcher> auto callback)
    {
        return remove(path(id), answers::savedMatcherTable, std::move(callback), onlyAt(revision));
    }
    CallId matcherRevisions(const QByteArray &id, Takes<MatcherRevisions> auto callback)
    {
        return get(path(id, "/revisions"), answers::revisionsTable, std::move(callback));
    }
    CallId revertMatcher(const QByteArray &id, qint64 to, qint64 revision, Takes<SavedMatcher> auto callback)
    {
        const QByteArray body = pack(matcherRevertTable, {to});
        return post(path(id, "/revert"), body, answers::savedMatcherTable, std::move(callback), onlyAt(revision));
    }
    CallId previewMatcher(const PreviewQuery &query, Takes<Checked<MatcherPreview>> auto callback)
    {
        const QByteArray body = pack(previewTable, query, Written::Sparse);
        return check({Method::Post, QStringLiteral("/v1/matchers/preview"), {}, body}, answers::matcherPreviewTable, std::move(callback));
    }
    CallId pause(const PauseQuery &query, Takes<Checked<Pause>> auto callback)
    {
        const QByteArray body = pack(pauseTable, query, Written::Sparse);
        return check({Method::Post, QStringLiteral("/v1/pause"), {}, body}, answers::pauseAnswerTable, std::move(callback));
    }
    // `id` empty: all of them.
    CallId resume(const QByteArray &id, Takes<PauseList> auto callback)
    {
        const QByteArray body = pack(resumeTable, {id}, Written::Sparse);
        return post(QStringLiteral("/v1/resume"), body, answers::pauseListTable, std::move(callback));
    }
    CallId pauses(Takes<PauseList> auto callback)
    {
        return get(QStringLiteral("/v1/pauses"), answers::pauseListTable, std::move(callback));
    }

private:
    template<typename T>
    CallId check(const Request &request, const TableOf<T> &table, Takes<Checked<T>> auto callback)
    {
        return m_link.send(request, [&table, callback](const Result<Answer> &answer) mutable { callback(checked(table, answer)); });
    }
    template<typename T>
    static Result<Checked<T>> checked(const TableOf<T> &table, const Result<Answer> &answer)
    {
        if (QList<ExpressionProblem> problems = problemsIn(answer); !problems.isEmpty())
            return Checked<T>{{}, std::move(problems)};
        Result<T> value = ApiLink::read(table, answer);
        if (!value.ok())
            return value.error();
        return Checked<T>{std::move(*value), {}};
    }
    static QList<ExpressionProblem> problemsIn(const Result<Answer> &answer);
    static QString path(const QByteArray &id, const char *verb = "") { return namedPath("/v1/matchers/", id, verb); }
};

} // namespace junban::client
