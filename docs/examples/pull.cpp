// A worker that asks for jobs, with this project's client. `example_pull http://127.0.0.1:7717 NAME`. As with junbanctl, JUNBAN_TOKEN is
// the token, or JUNBAN_TOKEN_FILE the file with it, and JUNBAN_CA the file with the certificates to believe.
#include "client/apiclient.h"
#include "docs/examples/work.h"

#include <QCoreApplication>
#include <QFile>
#include <QTimer>
#include <csignal>

using namespace junban;

namespace {

volatile std::sig_atomic_t stopping = 0;

class Puller
{
public:
    Puller(client::ApiClient &client, QByteArray name)
        : m_client(client)
        , m_id("pull.cpp-" + QByteArray::number(QCoreApplication::applicationPid()))
        , m_name(std::move(name))
    {
    }

    // Reports, and takes the next job in the same trip. The same again is safe, so it is repeated until it is answered.
    void report(const QList<FinishItem> &done)
    {
        if (stopping && done.isEmpty())
            return QCoreApplication::quit();
        std::optional<ClaimQuery> next;
        if (!stopping) {
            next.emplace().names = {m_name};
            next->wait_ms = 5'000;
        }
        m_client.reportAll(m_id, done, next, [this, done](const Result<OutcomesReply> &reply) {
            if (reply.ok())
                return work(reply->jobs);
            if (reply.error().code != ErrorCode::Unreachable && reply.error().code != ErrorCode::StoreUnavailable)
                qFatal("%s", reply.error().message().constData());
            qWarning("%s", reply.error().message().constData()); // also that its certificate is not believed
            QTimer::singleShot(1'000, &m_client, [this, done] { report(done); });
        });
    }

private:
    void work(const QList<ClaimedJob> &jobs)
    {
        QList<FinishItem> done;
        for (const ClaimedJob &job : jobs)
            done.append({job.id, job.lease, run(job), 0});
        report(done);
    }

    client::ApiClient &m_client;
    const QByteArray m_id, m_name;
};

QByteArray tokenOfEnvironment()
{
    if (!qEnvironmentVariableIsEmpty("JUNBAN_TOKEN") || qEnvironmentVariableIsEmpty("JUNBAN_TOKEN_FILE"))
        return qgetenv("JUNBAN_TOKEN");
    QFile file(qEnvironmentVariable("JUNBAN_TOKEN_FILE"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s: %s", qUtf8Printable(file.fileName()), qUtf8Printable(file.errorString()));
    return file.readAll().trimmed();
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    if (words.size() != 3)
        qFatal("usage: example_pull URL NAME");
    client::ApiClient::Options options{QUrl(words[1])};
    options.token = tokenOfEnvironment();
    if (!qEnvironmentVariableIsEmpty("JUNBAN_CA"))
        options.authorities = QSslCertificate::fromPath(qEnvironmentVariable("JUNBAN_CA"));
    client::ApiClient client(options);
    std::signal(SIGTERM, [](int) { stopping = 1; });
    Puller worker(client, words[2].toUtf8());
    worker.report({});
    return QCoreApplication::exec();
}
