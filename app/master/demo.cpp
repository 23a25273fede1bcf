#include "app/master/demo.h"

#include "core/base/clock.h"
#include "core/base/isotime.h"
#include "core/limits/matcher.h"
#include "core/msgpack/json.h"
#include "core/msgpack/msgpackwriter.h"

#include <algorithm>
#include <array>

namespace junban::app {

namespace {

constexpr int workers = 6;
constexpr int push_ms = 1'200;
constexpr qint64 claim_wait_ms = 20'000;
constexpr int again_ms = 2'000;
constexpr qint64 lease_ms = 30'000;
constexpr int dead_ms = 150'000;         // a worker that died is started again, after it is seen to be silent
constexpr int diesOnceIn = 80;           // jobs
constexpr qint64 vendor_s = 240;         // how often the upstream of crawl.page goes away …
constexpr qint64 vendorAway_s = 50;      // … and for how long

struct Kind {
    const char *name;
    qint32 priority;
    int maxRetry;
    bool keepResult;
    int takes_ms;        // on average
    double failureRate;
    std::array<const char *, 3> messages;
};

constexpr Kind kinds[] = {
    {"mail.send", 0, 5, false, 400, 0.08, {"SMTP timeout connecting to mx.example.com", "550 mailbox unavailable", "TLS handshake failed"}},
    {"mail.digest", 5, 2, false, 1'500, 0.02, {"template rendering failed", "no recipients", "template rendering failed"}},
    {"img.resize", 0, 3, true, 2'500, 0.05, {"unsupported colour profile", "out of memory at 12,000 pixels", "file is truncated"}},
    {"report.build", -5, 1, true, 8'000, 0.15, {"query cancelled after 30 s", "column total is missing", "query cancelled after 30 s"}},
    {"crawl.page", 10, 4, false, 900, 0.1, {"HTTP 503 from upstream", "HTTP 404 from upstream", "robots.txt forbids it"}},
    {"billing.charge", -10, 8, true, 600, 0.1, {"card issuer unavailable", "card expired", "3-D Secure timed out"}},
};

struct Setting {
    const char *id;
    const char *json;
};

// Several kinds of limits; one of them only observes.
constexpr Setting matchers[] = {
    {"demo-mail", R"json({"title": "Mail vendor", "note": "40 a minute by contract", "expression": "job.name.startsWith(\"mail.\")",
        "constraints": [{"kind": "rate", "limit": 40, "period": 60, "burst": 5},
                        {"kind": "backlog", "max_ready": 150, "overflow": "drop_oldest"}]})json"},
    {"demo-reports", R"json({"title": "Reports, one of each tenant", "expression": "job.name == \"report.build\"",
        "constraints": [{"kind": "concurrency", "limit": 1, "by": ["job.argument.tenant"]},
                        {"kind": "backlog", "max_ready": 40, "overflow": "drop_oldest"}]})json"},
    {"demo-upstream", R"json({"title": "Pages of the upstream", "expression": "job.name == \"crawl.page\"",
        "constraints": [{"kind": "breaker", "window": 60, "min_samples": 5, "failure_rate": 0.5, "open_for": 20, "probes": 1},
                        {"kind": "cooldown", "max": 30}]})json"},
    {"demo-images", R"json({"title": "Image machines by region", "expression": "job.name == \"img.resize\"",
        "constraints": [{"kind": "share", "capacity": 4, "by": ["job.argument.region"], "borrow": true,
                         "shares": {"jp": {"percent": 50}, "eu": {"percent": 25}}}]})json"},
    {"demo-billing", R"json({"title": "Charges of each tenant", "note": "On trial", "expression": "job.name == \"billing.charge\"",
        "mask": ["argument.card"],
        "constraints": [{"kind": "rate", "limit": 2, "period": 60, "by": ["job.argument.tenant"], "mode": "observe"},
                        {"kind": "fair", "by": ["job.argument.tenant"]}]})json"},
    {"demo-night", R"json({"title": "No digests at night", "expression": "job.name == \"mail.digest\"",
        "constraints": [{"kind": "window", "deny": [{"from": "22:00", "to": "07:00"}], "tz": "Asia/Tokyo", "mode": "observe"}]})json"},
    {"demo-urgent", R"json({"title": "Urgent mail passes", "expression": "job.tags.exists(t, t == \"urgent\")",
        "exempts": ["demo-mail"]})json"},
};

// No worker asks for video.encode.
constexpr Setting schedules[] = {
    {"demo-digest", R"json({"title": "Digest of each minute", "every": 60, "overlap": "skip",
        "job": {"name": "mail.digest", "argument": {"tenant": 40, "region": "jp"}, "tags": ["urgent"]}})json"},
    {"demo-report", R"json({"title": "Nightly report", "cron": "30 2 * * *", "tz": "Asia/Tokyo", "overlap": "skip",
        "job": {"name": "report.build", "argument": {"tenant": 41, "region": "jp"}, "max_retry": 3}})json"},
    {"demo-video", R"json({"title": "Trailers", "every": 300, "overlap": "skip",
        "job": {"name": "video.encode", "argument": {"tenant": 42, "region": "eu"}}})json"},
    {"demo-bills", R"json({"title": "Bills of the month", "cron": "0 9 1 * *", "tz": "Europe/Berlin",
        "job": {"name": "billing.charge", "argument": {"tenant": 43, "region": "eu"}, "priority": -10}})json"},
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
    makeMatchers(0);
    makeSchedules();
    connect(&m_pushing, &QTimer::timeout, this, &Demo::push);
    m_pushing.start(push_ms);
    for (int worker = 0; worker < workers; ++worker)
        claim(worker);
}

// One after the other. What an earlier demonstration made, and an operator may have changed since, stays as it is.
void Demo::makeMatchers(size_t from)
{
    if (from == std::size(matchers))
        return;
    const auto &[id, text] = matchers[from];
    const Result<QByteArray> body = json::toMsgpack(text);
    const Result<JobMatcher> matcher = body.ok() ? JobMatcher::fromMsgpack(id, *body) : body.error();
    Q_ASSERT_X(matcher.ok(), id, matcher.ok() ? "" : matcher.error().message().constData());
    m_client.saveMatcher(*matcher, 0, [this, from](const auto &saved) {
        if (saved.ok() || saved.error().code != ErrorCode::Cancelled)
            makeMatchers(from + 1);
    });
}

void Demo::makeSchedules()
{
    for (const Setting &each : schedules) {
        m_client.schedule(each.id, [this, each](const Result<Schedule> &known) {
            if (!known.ok() && known.error().code == ErrorCode::NotFound)
                m_client.putSchedule(each.id, json::toMsgpack(each.json).value(), [](const auto &) { /* the list shows it */ });
        });
    }
}

JobSpec Demo::someJob()
{
    const Kind &kind = kinds[m_random.bounded(int(std::size(kinds)))];
    JobSpec spec;
    spec.name = kind.name;
    spec.priority = kind.priority;
    spec.maxRetry = kind.maxRetry;
    spec.keepResult = kind.keepResult;
    const QByteArray region = m_random.bounded(3) == 0 ? "eu" : "jp";
    spec.tags = {region};
    if (m_random.bounded(20) == 0)
        spec.tags.append("urgent");
    spec.timeout_ms = lease_ms;
    if (m_random.bounded(10) == 0)
        spec.delay_ms = 1'000 * m_random.bounded(5, 120);
    MsgpackWriter writer;
    const bool pays = spec.name.startsWith("billing.");
    writer.map(pays ? 6 : 5).text("tenant").integer(m_random.bounded(40, 48)).text("trace_id").unsignedInteger(m_random.generate64());
    writer.text("region").text(region);
    if (pays)
        writer.text("card").text("4000 0000 0000 0002");
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
    for (const Kind &kind : kinds)
        query.names.append(kind.name);
    m_claims.claim("demo-" + QByteArray::number(worker + 1), query, [this, worker](const Result<QList<ClaimedJob>> &jobs) {
        if (jobs.ok() && !jobs->isEmpty() && m_random.bounded(diesOnceIn) == 0)
            die(worker);
        else if (jobs.ok() && !jobs->isEmpty())
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

// Its job's lease runs out, and another worker gets the job.
void Demo::die(int worker)
{
    QTimer::singleShot(dead_ms, this, [this, worker] { claim(worker); });
}

Outcome Demo::failureOf(const ClaimedJob &job)
{
    const Kind &kind = kindOf(job.spec.name);
    Outcome outcome;
    outcome.type = OutcomeType::Failure;
    outcome.shouldRetry = m_random.bounded(8) != 0;
    outcome.message = kind.messages[size_t(m_random.bounded(int(kind.messages.size())))];
    outcome.error = MsgpackWriter().map(2).text("code").integer(503).text("host").text("10.0.0.7").take();
    return outcome;
}

void Demo::finish(int worker, const ClaimedJob &job)
{
    const Kind &kind = kindOf(job.spec.name);
    const bool away = job.spec.name == "crawl.page" && Clock::machine_ms() / 1'000 % vendor_s < vendorAway_s;
    FinishItem report{job.id, job.lease, {}};
    if (m_random.generateDouble() < (away ? 0.9 : kind.failureRate))
        report.outcome = failureOf(job);
    else
        report.outcome.result = MsgpackWriter().map(2).text("ok").boolean(true).text("bytes").integer(m_random.bounded(90'000)).take();
    report.outcome.finishedAt = isoTime(Clock::machine_ms());
    m_client.report(report, [this, worker](const auto &) { claim(worker); });
}

} // namespace junban::app
