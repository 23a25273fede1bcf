// A worker that serves HTTP (openapi/worker.yaml), with this project's server. It runs one job at a time.
// `JUNBAN_SECRET=SECRET example_served PORT`
#include "core/access/token.h"
#include "core/jobs/jobfields.h"
#include "docs/examples/work.h"
#include "server/http/epolldispatcher.h"
#include "server/http/httpserver.h"

#include <QCoreApplication>
#include <QMessageAuthenticationCode>

using namespace junban;

namespace {

bool isMasters(const http::Request &request, const QByteArray &secret)
{
    const QByteArray sentAt = request.field("junban-time");
    const QByteArray text = request.method + '\n' + request.path + '\n' + sentAt + '\n' + request.body;
    const QByteArray code = QMessageAuthenticationCode::hash(text, secret, QCryptographicHash::Sha256).toHex();
    return sameSecret(request.field("junban-signature"), code) && qAbs(Clock::machine_ms() / 1'000 - sentAt.toLongLong()) < 300;
}

http::Response answerOf(const http::Request &request, const QByteArray &secret)
{
    if (request.path == "/v1/health")
        return {200, "application/json", "{}"};
    if (!isMasters(request, secret))
        return {401, "application/json", "{}"};
    if (request.path != "/v1/run")
        return {404, "application/json", "{}"}; // this worker cannot stop a job
    const bool isJson = request.field("content-type") == "application/json";
    const Result<QByteArray> body = isJson ? json::toMsgpack(request.body) : Result<QByteArray>(request.body);
    const Result<ClaimedJob> job = body.ok() ? unpackAnswer(claimedJobTable, *body) : Result<ClaimedJob>(body.error());
    if (!job.ok())
        return {400, "application/json", "{}"};
    const QByteArray outcome = pack(messageTable, run(*job), Written::Sparse);
    return isJson ? http::Response{200, "application/json", json::fromMsgpack(outcome)}
                  : http::Response{200, "application/vnd.msgpack", outcome};
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication::setEventDispatcher(new EpollDispatcher);
    QCoreApplication app(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    const QByteArray secret = qgetenv("JUNBAN_SECRET");
    if (words.size() != 2 || secret.isEmpty())
        qFatal("usage: JUNBAN_SECRET=SECRET example_served PORT");
    http::HttpServer server({}, [secret](const http::Exchange &exchange) { exchange.reply(answerOf(exchange.request(), secret)); });
    if (const Result<quint16> port = server.listen(QHostAddress::LocalHost, words[1].toUShort()); !port.ok())
        qFatal("%s", port.error().message().constData());
    return QCoreApplication::exec();
}
