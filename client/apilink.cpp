#include "client/apilink.h"

#include "core/base/clock.h"
#include "core/base/reasons/client.h"

#include <QNetworkReply>
#include <QNetworkRequest>
#include <QSslConfiguration>
#include <QTimer>
#include <QUrlQuery>

namespace junban::client {

namespace {

bool isUnix(const QUrl &url)
{
    return url.scheme() == QStringLiteral("unix");
}

QNetworkRequest requestFor(const QUrl &url, const ApiLink::Options &options)
{
    const QByteArray &token = options.token;
    QNetworkRequest request(url);
    QSslConfiguration tls = request.sslConfiguration();
    if (!options.authorities.isEmpty())
        tls.setCaCertificates(options.authorities);
    if (!options.certificate.isEmpty()) {
        tls.setLocalCertificateChain(options.certificate);
        tls.setPrivateKey(options.key);
    }
    tls.setProtocol(QSsl::TlsV1_2OrLater);
    request.setSslConfiguration(tls);
    if (isUnix(options.url))
        request.setAttribute(LocalAccess::socketPath, options.url.path());
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

ApiLink::ApiLink(Options options, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
{
    m_network.setAutoDeleteReplies(false);
}

ApiLink::~ApiLink()
{
    close();
}

void ApiLink::close()
{
    // Callbacks run here; they may not make new calls.
    auto calls = std::move(m_calls);
    m_calls.clear();
    for (auto &[id, call] : calls) {
        call.reply->disconnect(this);
        call.reply->abort();
        delete call.reply;
        call.finish(reasons::clientClosed());
    }
}

QString ApiLink::place() const
{
    return m_options.url.toString(QUrl::RemoveUserInfo);
}

CallId ApiLink::send(const Request &request, Finish finish)
{
    QUrl url = isUnix(m_options.url) ? QUrl(QStringLiteral("http://localhost")) : m_options.url;
    QString path = url.path(QUrl::FullyEncoded);
    while (path.endsWith(QLatin1Char('/')))
        path.chop(1);
    url.setPath(path + request.path, QUrl::TolerantMode);
    QUrlQuery query;
    for (const auto &[key, value] : request.query)
        query.addQueryItem(key, QString::fromLatin1(QUrl::toPercentEncoding(QString::fromUtf8(value))));
    url.setQuery(query);

    QNetworkRequest message = requestFor(url, m_options);
    if (!m_options.reason.isEmpty() && request.method != Method::Get)
        message.setRawHeader("Junban-Reason", m_options.reason.toPercentEncoding(" ,.:;!?()/"));
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
    call.reason = m_options.reason;
    call.startedAt_ms = Clock::monotonic_ms();
    connect(reply, &QNetworkReply::readyRead, this, [this, id] { readSome(id); });
    // Queued, so that no callback runs inside its call, not even when the URL is useless.
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

void ApiLink::readSome(CallId id)
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

void ApiLink::ended(CallId id)
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
    if (answer.ok()) {
        setConnection(Connection::Reachable, {});
        if (std::exchange(m_insecure, answer->insecure) != answer->insecure)
            Q_EMIT insecureChanged();
    }
    if (!answer.ok() && answer.error().code == ErrorCode::Unreachable)
        setConnection(Connection::Unreachable, answer.error());
    const Because because(*this, call.reason);
    call.finish(std::move(answer));
}

// Why nobody answered. What may be wrong with TLS looks from the outside as if the master had ended the connection.
Error ApiLink::unanswered(const QNetworkReply &reply, int status) const
{
    if (const QVariant why = reply.attribute(LocalAccess::failure); why.isValid())
        return {ErrorCode::Unreachable, why.value<Reason>()};
    const QByteArray error = reply.errorString().toUtf8();
    const bool perhapsTls = status == 0 && reply.error() == QNetworkReply::RemoteHostClosedError;
    if (perhapsTls && m_options.url.scheme() == QStringLiteral("http"))
        return reasons::connectionFailedPerhapsTls(error);
    if (perhapsTls && m_options.url.scheme() == QStringLiteral("https") && m_options.certificate.isEmpty())
        return reasons::connectionFailedPerhapsCertificate(error);
    return reasons::connectionFailed(error);
}

// An answer with an error status is an answer too; without any status nobody answered.
Result<ApiLink::Answer> ApiLink::answerOf(Call &call) const
{
    if (call.cancelled)
        return reasons::callCancelled();
    if (call.tooLong)
        return reasons::answerTooLong();
    if (call.late)
        return reasons::noAnswerInTime();
    const int status = call.reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const QNetworkReply::NetworkError error = call.reply->error();
    // Qt's errors below 200 are of the transport; the others it derives from the status.
    const bool cutShort = error != QNetworkReply::NoError && error < QNetworkReply::ContentAccessDenied;
    if (status == 0 || cutShort)
        return unanswered(*call.reply, status);
    Answer answer;
    answer.status = status;
    answer.type = call.reply->header(QNetworkRequest::ContentTypeHeader).toByteArray();
    answer.insecure = !call.reply->rawHeader("Junban-Insecure").isEmpty();
    answer.behindTls = !call.reply->rawHeader("Junban-Behind-TLS").isEmpty();
    answer.resultHeader = call.reply->rawHeader("Junban-Result");
    answer.tag = call.reply->rawHeader("ETag");
    answer.body = std::move(call.body);
    answer.trip_ms = Clock::monotonic_ms() - call.startedAt_ms;
    return answer;
}

void ApiLink::setConnection(Connection connection, Error error)
{
    const bool changed = m_connection != connection || m_connectionError.message() != error.message();
    m_connection = connection;
    m_connectionError = std::move(error);
    if (changed)
        Q_EMIT connectionChanged();
}

void ApiLink::cancel(CallId call)
{
    const auto found = m_calls.find(call);
    if (found == m_calls.end() || found->second.cancelled)
        return;
    found->second.cancelled = true;
    found->second.reply->abort();
}

std::optional<Error> ApiLink::refusalOf(const Result<Answer> &answer)
{
    if (!answer.ok())
        return answer.error();
    if (answer->status < 200 || answer->status > 299)
        return decodeProblem(answer->status, answer->type, answer->body);
    if (answer->status != 204 && !isMessagePack(answer->type))
        return reasons::answerOfNoMaster(answer->type);
    return {};
}

} // namespace junban::client
