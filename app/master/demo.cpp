#include "app/master/demo.h"

#include "core/base/clock.h"
#include "core/base/isotime.h"
#include "core/msgpack/msgpackwriter.h"

#include <algorithm>

namespace junban::app {

namespace {

constexpr int workers = 6;
constexpr int push_ms = 900;
constexpr qint64 claim_wait_ms = 20'000;
constexpr int again_ms = 2'000;

struct Kind {
    const char *name;
    qint32 priority;
    int maxRetry;
    bool keepResult;
    int takes_ms;        // on average
    double failureRate;
    const char *message;
};

constexpr Kind kinds[] = {
    {"mail.send", 0, 5, false, 400, 0.08, "SMTP timeout connecting to mx.example.com"},
    {"mail.digest", 5, 2, false, 1'500, 0.02, "template rendering failed"},
    {"img.resize", 0, 3, true, 2'500, 0.05, "unsupported colour profile"},
    {"report.build", -5, 1, true, 8'000, 0.15, "query cancelled after 30 s"},
    {"crawl.page", 10, 4, false, 900, 0.2, "HTTP 503 from upstream"},
    {"billing.charge", -10, 8, true, 600, 0.1, "card issuer unavailable"},
};

const Kind &kindOf(const QByteArray &name)
{
    const auto *found = std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind &kind) { return name == kind.name; });
    return found == std::end(kinds) ? kinds[0] : *found;
}

} // namespace

Demo::Demo(client::ApiClient::Options options, QObject *parent)
    : QObject(parent)
    , m_claims(options)
    , m_client(options)
    , m_random(QRandomGenerator::securelySeeded())
{
    connect(&m_pushing, &QTimer::timeout, this, &Demo::push);
    m_pushing.start(push_ms);
    for (int worker = 0; worker < workers; ++worker)
        claim(worker);
}

JobSpec Demo::someJob()
{
    const Kind &kind = kinds[m_random.bounded(int(std::size(kinds)))];
    JobSpec spec;
    spec.name = kind.name;
    spec.priority = kind.priority;
    spec.maxRetry = kind.maxRetry;
    spec.keepResult = kind.keepResult;
    spec.tags = {m_random.bounded(3) == 0 ? "eu" : "jp"};
    if (m_random.bounded(10) == 0)
        spec.delay_ms = 1'000 * m_random.bounded(5, 120);
    MsgpackWriter writer;
    writer.map(4).text("tenant").integer(m_random.bounded(40, 48)).text("trace_id").unsignedInteger(m_random.generate64());
    writer.text("to").text("user" + QByteArray::number(m_random.bounded(1'000)) + "@example.com");
    writer.text("options").map(2).text("size").array(2).integer(640).integer(480).text("dry_run").boolean(false);
    spec.argument = writer.take();
    return spec;
}

void Demo::push()
{
    QList<JobSpec> jobs;
    for (int i = m_random.bounded(3); i >= 0; --i)
        jobs.append(someJob());
    m_client.enqueueBatch(jobs, [](const auto &) { /* the next round pushes anyway */ });
}

void Demo::claim(int worker)
{
    ClaimQuery query;
    query.wait_ms = claim_wait_ms;
    m_claims.claim("demo-" + QByteArray::number(worker + 1), query, [this, worker](const Result<QList<ClaimedJob>> &jobs) {
        if (jobs.ok() && !jobs->isEmpty())
            run(worker, jobs->first());
        else
            QTimer::singleShot(jobs.ok() ? 0 : again_ms, this, [this, worker] { claim(worker); });
    });
}

void Demo::run(int worker, const ClaimedJob &job)
{
    const int takes_ms = int(kindOf(job.spec.name).takes_ms * (0.4 + 1.4 * m_random.generateDouble()));
    if (takes_ms > 2'000) {
        QTimer::singleShot(takes_ms / 2, this, [this, job] {
            const Progress half{5, 10, "half done"};
            m_client.heartbeat({job.id, job.lease, half}, [](const auto &) { /* if the lease is lost, the report fails */ });
        });
    }
    QTimer::singleShot(takes_ms, this, [this, worker, job] { finish(worker, job); });
}

void Demo::finish(int worker, const ClaimedJob &job)
{
    const Kind &kind = kindOf(job.spec.name);
    FinishItem report{job.id, job.lease, {}};
    report.outcome.finishedAt = isoTime(Clock::machine_ms());
    if (m_random.generateDouble() < kind.failureRate) {
        report.outcome.type = OutcomeType::Failure;
        report.outcome.shouldRetry = m_random.bounded(8) != 0;
        report.outcome.message = kind.message;
        report.outcome.error = MsgpackWriter().map(2).text("code").integer(503).text("host").text("10.0.0.7").take();
    } else {
        report.outcome.result = MsgpackWriter().map(2).text("ok").boolean(true).text("bytes").integer(m_random.bounded(90'000)).take();
    }
    m_client.report(report, [this, worker](const auto &) { claim(worker); });
}

} // namespace junban::app
