#include "client/apiclient.h"

#include "client/apicall.h"
#include "client/apidecode.h"
#include "client/apiencode.h"
#include "core/base/clock.h"

#include <QNetworkReply>
#include <QNetworkRequest>
#include <QTimer>
#include <QUrlQuery>

namespace junban::client {

namespace {

QNetworkRequest requestFor(const QUrl &url, const QByteArray &token)
{
    QNetworkRequest request(url);
    request.setRawHeader("Accept", QByteArray(messagePack) + ", text/plain;q=0.5");
    request.setRawHeader("Accept-Encoding", "identity");
    request.setRawHeader("User-Agent", "junban/" JUNBAN_VERSION);
    if (!token.isEmpty())
        request.setRawHeader("Authorization", "Bearer " + token);
    // A redirect would hand the token to whom it names; cookies are the browser console's.
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    return request;
}

} // namespace

ApiClient::ApiClient(Options options, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
{
    m_network.setAutoDeleteReplies(false);
}

ApiClient::~ApiClient()
{
    // Callbacks are called from here, and may not start anything new.
    auto calls = std::move(m_calls);
    m_calls.clear();
    for (auto &[id, call] : calls) {
        call.reply->disconnect(this);
        call.reply->abort();
        delete call.reply;
        call.finish(Error{ErrorCode::Cancelled, "The client was closed.", {}, 0});
    }
}

CallId ApiClient::send(const Request &request, Finish finish)
{
    QUrl url = m_options.url;
    QString path = url.path(QUrl::FullyEncoded);
    while (path.endsWith(QLatin1Char('/')))
        path.chop(1);
    url.setPath(path + request.path, QUrl::TolerantMode);
    QUrlQuery query;
    for (const auto &[key, value] : request.query)
        query.addQueryItem(key, QString::fromLatin1(QUrl::toPercentEncoding(QString::fromUtf8(value))));
    url.setQuery(query);

    QNetworkRequest message = requestFor(url, m_options.token);
    for (const auto &[name, value] : request.fields)
        message.setRawHeader(name, value);
    QNetworkReply *reply = nullptr;
    if (!request.body.isEmpty())
        message.setHeader(QNetworkRequest::ContentTypeHeader, QLatin1String(messagePack));
    switch (request.method) {
    case Method::Get: reply = m_network.get(message); break;
    case Method::Post: reply = m_network.post(message, request.body); break;
    case Method::Put: reply = m_network.put(message, request.body); break;
    case Method::Patch: reply = m_network.sendCustomRequest(message, "PATCH", request.body); break;
    case Method::Delete: reply = m_network.deleteResource(message); break;
    }

    const CallId id = ++m_lastCall;
    auto *deadline = new QTimer(reply);
    deadline->setSingleShot(true);
    Call &call = m_calls[id];
    call.reply = reply;
    call.deadline = deadline;
    call.finish = std::move(finish);
    call.startedAt_ms = Clock::monotonic_ms();
    connect(reply, &QNetworkReply::readyRead, this, [this, id] { readSome(id); });
    // Queued, so that no callback is ever called from inside a call, not even for a URL that cannot be asked.
    connect(reply, &QNetworkReply::finished, this, [this, id] { ended(id); }, Qt::QueuedConnection);
    connect(deadline, &QTimer::timeout, this, [this, id] {
        const auto found = m_calls.find(id);
        if (found == m_calls.end())
            return;
        found->second.late = true;
        found->second.reply->abort();
    });
    deadline->start(int(std::min<qint64>(m_options.deadline_ms + request.wait_ms, std::numeric_limits<int>::max())));
    return id;
}

void ApiClient::readSome(CallId id)
{
    const auto found = m_calls.find(id);
    if (found == m_calls.end() || found->second.tooLong)
        return;
    Call &call = found->second;
    call.body += call.reply->readAll();
    if (call.body.size() > limits::client_answer_bytes_max) {
        call.tooLong = true;
        call.reply->abort();
    }
}

void ApiClient::ended(CallId id)
{
    const auto found = m_calls.find(id);
    if (found == m_calls.end())
        return;
    Call call = std::move(found->second);
    m_calls.erase(found);
    call.deadline->stop();
    call.body += call.reply->isOpen() ? call.reply->readAll() : QByteArray();
    Result<Answer> answer = answerOf(call);
    call.reply->deleteLater();
    if (answer.ok())
        setConnection(Connection::Reachable, {});
    else if (answer.error().code == ErrorCode::Unreachable)
        setConnection(Connection::Unreachable, answer.error());
    call.finish(std::move(answer));
}

// What came of a call. An answer with an error status is an answer; no status at all means that nobody answered.
Result<ApiClient::Answer> ApiClient::answerOf(Call &call) const
{
    if (call.cancelled)
        return Error{ErrorCode::Cancelled, "The call was cancelled.", {}, 0};
    if (call.tooLong)
        return Error{ErrorCode::TooLarge, "The answer is longer than this client takes.", {}, 0};
    if (call.late)
        return Error{ErrorCode::Unreachable, "No answer came in time.", {}, 0};
    const int status = call.reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const QNetworkReply::NetworkError error = call.reply->error();
    // Below 200 are Qt's errors of the transport; from there on, those it makes of a status.
    const bool cutShort = error != QNetworkReply::NoError && error < QNetworkReply::ContentAccessDenied;
    if (status == 0 || cutShort)
        return Error{ErrorCode::Unreachable, call.reply->errorString().toUtf8(), {}, 0};
    Answer answer;
    answer.status = status;
    answer.type = call.reply->header(QNetworkRequest::ContentTypeHeader).toByteArray();
    answer.resultHeader = call.reply->rawHeader("Junban-Result");
    answer.body = std::move(call.body);
    answer.trip_ms = Clock::monotonic_ms() - call.startedAt_ms;
    return answer;
}

void ApiClient::setConnection(Connection connection, Error error)
{
    const bool changed = m_connection != connection || m_connectionError.message != error.message;
    m_connection = connection;
    m_connectionError = std::move(error);
    if (changed)
        Q_EMIT connectionChanged();
}

void ApiClient::cancel(CallId call)
{
    const auto found = m_calls.find(call);
    if (found == m_calls.end() || found->second.cancelled)
        return;
    found->second.cancelled = true;
    found->second.reply->abort();
}

CallId ApiClient::enqueue(const JobSpec &job, Callback<Enqueued> callback)
{
    return enqueue(job, {}, std::move(callback));
}

CallId ApiClient::enqueue(const JobSpec &job, const QList<QByteArray> &then, Callback<Enqueued> callback)
{
    return call<Enqueued>({Method::Post, QStringLiteral("/v1/jobs"), {}, encodeJob(job, then), 0, {}},
                          [](const Answer &answer) { return decodeEnqueued(answer.body); }, std::move(callback));
}

CallId ApiClient::enqueueBatch(const QList<JobSpec> &jobs, Callback<QList<Result<Enqueued>>> callback)
{
    return call<QList<Result<Enqueued>>>({Method::Post, QStringLiteral("/v1/jobs/batch"), {}, encodeBatch(jobs), 0, {}},
                                         [](const Answer &answer) { return decodeBatch(answer.body); }, std::move(callback));
}

CallId ApiClient::result(JobId id, const ResultQuery &query, Callback<ResultNow> callback)
{
    Request request{Method::Get, jobPath(id, "/result"), {}, {}, query.wait_ms, {}};
    if (query.wait_ms > 0)
        request.query.append({QStringLiteral("wait"), seconds(query.wait_ms)});
    if (!query.receipt.isEmpty())
        request.query.append({QStringLiteral("receipt"), query.receipt});
    return call<ResultNow>(request, [](const Answer &answer) {
        return decodeResult(answer.status, answer.resultHeader, answer.body);
    }, std::move(callback));
}

CallId ApiClient::claim(const QByteArray &worker, const ClaimQuery &query, Callback<QList<ClaimedJob>> callback)
{
    return call<QList<ClaimedJob>>({Method::Post, QStringLiteral("/v1/claims"), {}, encodeClaim(worker, query), query.wait_ms, {}},
                                   [](const Answer &answer) { return decodeClaimed(answer.body); }, std::move(callback));
}

CallId ApiClient::report(const Report &report, Callback<Finished> callback)
{
    return call<Finished>({Method::Post, jobPath(report.lease.id, "/outcome"), {}, encodeReport(report), 0, {}},
                          [](const Answer &answer) { return decodeFinished(answer.body); }, std::move(callback));
}

CallId ApiClient::reportAll(const QByteArray &worker, const QList<Report> &reports, const std::optional<ClaimQuery> &next,
                            Callback<OutcomesReply> callback)
{
    const qint64 wait_ms = next ? next->wait_ms : 0;
    return call<OutcomesReply>({Method::Post, QStringLiteral("/v1/outcomes"), {}, encodeReports(worker, reports, next), wait_ms, {}},
                               [](const Answer &answer) { return decodeOutcomes(answer.body); }, std::move(callback));
}

CallId ApiClient::heartbeat(const Lease &lease, const std::optional<Progress> &progress, Callback<Heartbeat> callback)
{
    return call<Heartbeat>({Method::Post, jobPath(lease.id, "/heartbeat"), {}, encodeHeartbeat(lease, progress), 0, {}},
                           [](const Answer &answer) { return decodeHeartbeat(answer.body); }, std::move(callback));
}

CallId ApiClient::heartbeats(const QByteArray &worker, const QList<Lease> &leases, Callback<QList<Result<Heartbeat>>> callback)
{
    const Request request{Method::Post, QStringLiteral("/v1/heartbeats"), {}, encodeHeartbeats(worker, leases), 0, {}};
    return call<QList<Result<Heartbeat>>>(request, [](const Answer &answer) { return decodeHeartbeats(answer.body); },
                                          std::move(callback));
}

CallId ApiClient::release(const Lease &lease, qint64 delay_ms, Callback<StateNow> callback)
{
    return call<StateNow>({Method::Post, jobPath(lease.id, "/release"), {}, encodeRelease(lease, delay_ms), 0, {}},
                          [](const Answer &answer) { return decodeStateNow(answer.body); }, std::move(callback));
}

} // namespace junban::client
