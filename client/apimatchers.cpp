// JobMatchers, constraints, explanations and pauses.
#include "client/apicall.h"
#include "client/apiclient.h"
#include "client/matchers.h"
#include "core/msgpack/mapwriter.h"

namespace junban::client {

namespace {

constexpr char allPath[] = "/v1/matchers/";

QList<QPair<QByteArray, QByteArray>> onlyAt(qint64 revision)
{
    if (revision == 0)
        return {{"If-None-Match", "*"}};
    return {{"If-Match", '"' + QByteArray::number(revision) + '"'}};
}

template<const auto &table>
constexpr auto by = [](const auto &answer) { return unpackAnswer(table, answer.body); };

Result<SavedMatcher> asSaved(QByteArrayView body)
{
    return unpackAnswer(answers::savedMatcherTable, body);
}

Result<Pause> asPause(QByteArrayView body)
{
    return unpackAnswer(answers::pauseAnswerTable, body);
}

Result<QList<Pause>> asPauses(QByteArrayView body)
{
    Result<answers::PauseList> list = unpackAnswer(answers::pauseListTable, body);
    return list.ok() ? Result<QList<Pause>>(std::move(list->pauses)) : Result<QList<Pause>>(list.error());
}

} // namespace

// What is wrong with expressions is an answer of its own, not a failure of the call.
template<typename T>
CallId ApiClient::checkedCall(const Request &request, Result<T> (*decode)(QByteArrayView), Callback<Checked<T>> callback)
{
    return send(request, [decode, callback = std::move(callback)](Result<Answer> answer) {
        if (!answer.ok()) {
            callback(answer.error());
            return;
        }
        if (answer->status == 422) {
            const QList<FieldProblem> problems = decodeProblems(answer->body);
            if (!problems.isEmpty()) {
                callback(Checked<T>{{}, problems});
                return;
            }
        }
        if (answer->status < 200 || answer->status > 299 || !isMessagePack(answer->type)) {
            callback(decodeProblem(answer->status, answer->type, answer->body));
            return;
        }
        Result<T> value = decode(answer->body);
        if (value.ok())
            callback(Checked<T>{std::move(value).value(), {}});
        else
            callback(value.error());
    });
}

CallId ApiClient::matchers(int limit, const QByteArray &after, Callback<MatcherPage> callback)
{
    Request request{Method::Get, QStringLiteral("/v1/matchers"), {{QStringLiteral("limit"), QByteArray::number(limit)}}, {}, 0, {}};
    if (!after.isEmpty())
        request.query.append({QStringLiteral("after"), after});
    return call<MatcherPage>(request, by<answers::matcherPageTable>, std::move(callback));
}

CallId ApiClient::matcher(const QByteArray &id, Callback<SavedMatcher> callback)
{
    return call<SavedMatcher>({Method::Get, namedPath(allPath, id), {}, {}, 0, {}}, by<answers::savedMatcherTable>, std::move(callback));
}

CallId ApiClient::saveMatcher(const JobMatcher &matcher, qint64 revision, Callback<Checked<SavedMatcher>> callback)
{
    return checkedCall<SavedMatcher>({Method::Put, namedPath(allPath, matcher.id), {}, matcher.packed(), 0, onlyAt(revision)}, asSaved,
                                     std::move(callback));
}

CallId ApiClient::deleteMatcher(const QByteArray &id, qint64 revision, Callback<SavedMatcher> callback)
{
    return call<SavedMatcher>({Method::Delete, namedPath(allPath, id), {}, {}, 0, onlyAt(revision)},
                              by<answers::savedMatcherTable>, std::move(callback));
}

CallId ApiClient::matcherRevisions(const QByteArray &id, Callback<MatcherRevisions> callback)
{
    return call<MatcherRevisions>({Method::Get, namedPath(allPath, id, "/revisions"), {}, {}, 0, {}},
                                  by<answers::revisionsTable>, std::move(callback));
}

CallId ApiClient::revertMatcher(const QByteArray &id, qint64 to, qint64 revision, Callback<SavedMatcher> callback)
{
    return call<SavedMatcher>({Method::Post, namedPath(allPath, id, "/revert"), {},
                               pack(matcherRevertTable, {to}), 0, onlyAt(revision)},
                              by<answers::savedMatcherTable>, std::move(callback));
}

CallId ApiClient::previewMatcher(const PreviewQuery &query, Callback<Checked<MatcherPreview>> callback)
{
    const QByteArray body = pack(previewTable, query, Written::Sparse);
    return checkedCall<MatcherPreview>({Method::Post, QStringLiteral("/v1/matchers/preview"), {}, body, 0, {}},
                                       decodePreview, std::move(callback));
}

CallId ApiClient::constraints(int limit, const QByteArray &after, Callback<ConstraintPage> callback)
{
    Request request{Method::Get, QStringLiteral("/v1/constraints"), {{QStringLiteral("limit"), QByteArray::number(limit)}}, {}, 0, {}};
    if (!after.isEmpty())
        request.query.append({QStringLiteral("after"), after});
    return call<ConstraintPage>(request, by<answers::constraintPageTable>, std::move(callback));
}

CallId ApiClient::buckets(const QByteArray &constraint, const QByteArray &cursor, Callback<BucketPage> callback)
{
    Request request{Method::Get, namedPath("/v1/constraints/", constraint, "/buckets"), {}, {}, 0, {}};
    if (!cursor.isEmpty())
        request.query.append({QStringLiteral("cursor"), cursor});
    return call<BucketPage>(request, by<answers::bucketPageTable>, std::move(callback));
}

CallId ApiClient::overrideBucket(
    const QByteArray &constraint, const QByteArray &key, const QByteArray &fields, qint64 revision, Callback<SavedMatcher> callback)
{
    const QByteArray verb = "/buckets/" + QUrl::toPercentEncoding(QString::fromUtf8(key));
    return call<SavedMatcher>({Method::Put, namedPath("/v1/constraints/", constraint, verb.constData()), {}, fields, 0, onlyAt(revision)},
                              by<answers::savedMatcherTable>, std::move(callback));
}

CallId ApiClient::changeBreaker(const QByteArray &constraint, const BreakerQuery &query, Callback<BreakerChanged> callback)
{
    const char *verb = query.verb == BreakerVerb::Trip ? "/trip" : "/reset";
    const QByteArray body = pack(breakerTable(query.verb), query, Written::Sparse);
    return call<BreakerChanged>({Method::Post, namedPath("/v1/constraints/", constraint, verb), {}, body, 0, {}},
                                by<answers::breakerChangedTable>, std::move(callback));
}

CallId ApiClient::held(int limit, Callback<HeldList> callback)
{
    const Request request{Method::Get, QStringLiteral("/v1/held"), {{QStringLiteral("limit"), QByteArray::number(limit)}}, {}, 0, {}};
    return call<HeldList>(request, by<answers::heldTable>, std::move(callback));
}

CallId ApiClient::explain(JobId id, Callback<Explanation> callback)
{
    return call<Explanation>({Method::Get, jobPath(id, "/explain"), {}, {}, 0, {}}, by<answers::explanationTable>, std::move(callback));
}

CallId ApiClient::pause(const PauseQuery &query, Callback<Checked<Pause>> callback)
{
    return checkedCall<Pause>({Method::Post, QStringLiteral("/v1/pause"), {}, pack(pauseTable, query, Written::Sparse), 0, {}}, asPause,
                              std::move(callback));
}

CallId ApiClient::resume(const QByteArray &id, Callback<QList<Pause>> callback)
{
    return call<QList<Pause>>({Method::Post, QStringLiteral("/v1/resume"), {}, pack(resumeTable, {id}, Written::Sparse), 0, {}},
                              [](const Answer &answer) { return asPauses(answer.body); }, std::move(callback));
}

CallId ApiClient::pauses(Callback<QList<Pause>> callback)
{
    return call<QList<Pause>>({Method::Get, QStringLiteral("/v1/pauses"), {}, {}, 0, {}},
                              [](const Answer &answer) { return asPauses(answer.body); }, std::move(callback));
}

} // namespace junban::client
