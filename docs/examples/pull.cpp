// A worker that asks for jobs, with this project's client. `example_pull http://127.0.0.1:7717 NAME [TOKEN]`
#include "client/apiclient.h"
#include "docs/examples/work.h"

#include <QCoreApplication>
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
                qFatal("%s", reply.error().message.constData());
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

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    if (words.size() < 3)
        qFatal("usage: example_pull URL NAME [TOKEN]");
    client::ApiClient::Options options{QUrl(words[1])};
    options.token = words.value(3).toUtf8();
    client::ApiClient client(options);
    std::signal(SIGTERM, [](int) { stopping = 1; });
    Puller worker(client, words[2].toUtf8());
    worker.report({});
    return QCoreApplication::exec();
}
