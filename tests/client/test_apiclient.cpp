#include "client/apiclient.h"
#include "core/base/isotime.h"
#include "core/msgpack/msgpackwriter.h"
#include "tests/support/await.h"
#include "tests/support/scriptedmaster.h"
#include "tests/support/testmain.h"

#include <QLocalServer>
#include <QLocalSocket>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace junban;
using namespace junban::client;
using junban::test::await;
using junban::test::ScriptedMaster;

namespace {

const JobId someId = *JobId::fromText("0193f2a1-7c00-7abc-8def-0123456789ab");

QByteArray problem(int status, const char *code, const char *detail, const char *field)
{
    MsgpackWriter writer;
    writer.map(6).text("type").text("about:blank").text("title").text("T").text("status").integer(status);
    return writer.text("code").text(code).text("detail").text(detail).text("field").text(field).take();
}

// A value of a request's body by its path of keys, as bytes.
QByteArray at(const QByteArray &body, QList<QByteArray> keys)
{
    QList<payload::Step> steps;
    for (const QByteArray &key : keys)
        steps.append(payload::Step{.key = key});
    const auto found = payload::find(body, std::span<const payload::Step>(steps.constData(), size_t(steps.size())));
    return found ? found->toByteArray() : QByteArray("nothing");
}

} // namespace

class TestApiClient : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_master = std::make_unique<ScriptedMaster>();
        QVERIFY(m_master->listen());
        m_client = std::make_unique<ApiClient>(ApiClient::Options{.url = m_master->url(), .token = "secret", .deadline_ms = 5'000});
    }

    void aReasonGoesWithChangesAndWithThoseInTheirCallbacks()
    {
        m_master->setHandler([](const ScriptedMaster::Request &) {
            MsgpackWriter writer;
            return ScriptedMaster::Answer{200, writer.map(1).text("state").text("ready").take()};
        });
        int answered = 0;
        {
            const ApiClient::Because because(*m_client, "理由 100%");
            m_client->retryJob(someId, [this, &answered](const Result<StateNow> &) {
                m_client->retryJob(someId, [&answered](const Result<StateNow> &) { ++answered; });
            });
        }
        m_client->retryJob(someId, [&answered](const Result<StateNow> &) { ++answered; });
        QTRY_COMPARE(answered, 2);
        QMultiMap<QByteArray, int> reasons;
        for (const ScriptedMaster::Request &request : m_master->requests())
            reasons.insert(QByteArray::fromPercentEncoding(request.fields.value("junban-reason")), 1);
        QCOMPARE(reasons.count("理由 100%"), 2);
        QCOMPARE(reasons.count(""), 1);
        QVERIFY(m_client->reason().isEmpty());
    }

    void enqueueSendsTheJobAndUnderstandsTheAnswer()
    {
        m_master->setHandler([](const ScriptedMaster::Request &) {
            MsgpackWriter writer;
            writer.map(2).text("id").text(someId.text()).text("state").text("scheduled");
            return ScriptedMaster::Answer{201, writer.take()};
        });
        JobSpec job{.name = "mail.send"};
        job.argument = MsgpackWriter().unsignedInteger(18'446'744'073'709'551'615ULL).take();
        job.priority = -5;
        job.delay_ms = 1'500;
        job.tags = {"a", "b"};
        const auto answer = await<Enqueued>([&](auto callback) { m_client->enqueue(job, callback); });
        QVERIFY(answer.ok());
        QCOMPARE(answer->id, someId);
        QCOMPARE(answer->state, JobState::Scheduled);
        QVERIFY(!answer->duplicate);

        const ScriptedMaster::Request &request = m_master->requests().first();
        QCOMPARE(request.method, QByteArray("POST"));
        QCOMPARE(request.path, QByteArray("/v1/jobs"));
        QCOMPARE(request.fields.value("content-type"), QByteArray("application/vnd.msgpack"));
        QCOMPARE(request.fields.value("authorization"), QByteArray("Bearer secret"));
        QCOMPARE(at(request.body, {"argument"}), job.argument);
        QCOMPARE(at(request.body, {"priority"}), MsgpackWriter().integer(-5).take());
        QCOMPARE(at(request.body, {"delay"}), MsgpackWriter().real(1.5).take());
        QCOMPARE(at(request.body, {"tags"}), MsgpackWriter().array(2).text("a").text("b").take());
        QCOMPARE(at(request.body, {"max_retry"}), QByteArray("nothing"));
    }

    void aPushThatWaitsUnderstandsBothAnswers()
    {
        const QByteArray outcome = MsgpackWriter().map(1).text("type").text("success").take();
        m_master->setHandler([&](const ScriptedMaster::Request &) {
            MsgpackWriter writer;
            writer.map(2).text("id").text(someId.text()).text("outcome").raw(outcome);
            return ScriptedMaster::Answer{200, writer.take()};
        });
        JobSpec job{.name = "n"};
        job.unique = Unique{"k", UniqueUntil::Finished, OnConflict::Replace};
        job.dependsOn = {someId};
        job.expiresIn_ms = 5'000;
        job.group = "g";
        job.then = {JobSpec{.name = "next"}};
        const auto push = [&] {
            return await<Answered>([&](auto callback) { m_client->enqueueAndWait(job, {1'500, "r s"}, callback); });
        };
        auto answer = push();
        QVERIFY(answer.ok() && answer->finished());
        QCOMPARE(answer->outcome, outcome);
        const ScriptedMaster::Request &request = m_master->requests().first();
        QCOMPARE(request.query, QByteArray("wait=1.500&receipt=r%20s"));
        QCOMPARE(at(request.body, {"unique", "on_conflict"}), MsgpackWriter().text("replace").take());
        QCOMPARE(at(request.body, {"depends_on"}), MsgpackWriter().array(1).text(someId.text()).take());
        QCOMPARE(at(request.body, {"expires_in"}), MsgpackWriter().integer(5).take());
        m_master->setHandler([](const ScriptedMaster::Request &) {
            MsgpackWriter writer;
            writer.map(2).text("id").text(someId.text()).text("state").text("depends");
            return ScriptedMaster::Answer{201, writer.take()};
        });
        answer = push();
        QVERIFY(answer.ok() && !answer->finished());
        QCOMPARE(answer->state, JobState::Depends);
    }

    void whatPathsNameIsPercentEncoded()
    {
        m_master->setHandler([](const ScriptedMaster::Request &) {
            MsgpackWriter writer;
            writer.map(4).text("group").text("a/b ?").text("pending").integer(2).text("open").boolean(true);
            return ScriptedMaster::Answer{200, writer.text("callback").text(someId.text()).take()};
        });
        const auto answer = await<Group>([&](auto callback) { m_client->changeGroup("a/b ?", {true, {}}, callback); });
        QVERIFY(answer.ok());
        QCOMPARE(answer->pending, 2);
        QCOMPARE(answer->callback, someId);
        QCOMPARE(m_master->requests().first().method, QByteArray("PUT"));
        QCOMPARE(m_master->requests().first().path, QByteArray("/v1/groups/a%2Fb%20%3F"));
    }

    void aProblemDocumentBecomesAnErrorWithItsField()
    {
        m_master->setHandler([](const ScriptedMaster::Request &) {
            return ScriptedMaster::Answer{400, problem(400, "invalid_field", "priority must be an integer", "priority")};
        });
        const auto answer = await<Enqueued>([&](auto callback) { m_client->enqueue(JobSpec{.name = "x"}, callback); });
        QVERIFY(!answer.ok());
        QCOMPARE(answer.error().code, ErrorCode::InvalidField);
        QCOMPARE(answer.error().message(), QByteArray("priority must be an integer"));
        QCOMPARE(answer.error().field, QByteArray("priority"));
        QCOMPARE(m_client->connection(), Connection::Reachable);
    }

    void tooManyAttemptsAreAMatterOfTheToken()
    {
        m_master->setHandler([](const ScriptedMaster::Request &) {
            return ScriptedMaster::Answer{429, problem(429, "too_many_attempts", "Too many tokens from this address were not known.", "")};
        });
        const auto answer = await<Job>([&](auto callback) { m_client->job(someId, callback); });
        QCOMPARE(answer.error().code, ErrorCode::Unauthorized);
        m_master->setHandler([](const ScriptedMaster::Request &) {
            return ScriptedMaster::Answer{429, problem(429, "backlog_full", "A backlog is full.", "")};
        });
        QCOMPARE(await<Job>([&](auto callback) { m_client->job(someId, callback); }).error().code, ErrorCode::BacklogFull);
    }

    void aMasterOnAUnixSocketIsAskedLikeAnyOther()
    {
        QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("api"));
        ApiClient local({.url = QUrl(QStringLiteral("unix:") + path), .token = "secret", .deadline_ms = 5'000});
        const auto pushed = [&] { return await<Enqueued>([&](auto done) { local.enqueue(JobSpec{.name = "mail.send"}, done); }); };
        QCOMPARE(pushed().error().code, ErrorCode::Unreachable);
        QCOMPARE(local.connection(), Connection::Unreachable);
        QLocalServer server;
        QVERIFY(server.listen(path));
        QByteArray asked, answer;
        connect(&server, &QLocalServer::newConnection, &server, [&] {
            QLocalSocket *socket = server.nextPendingConnection();
            asked.clear();
            connect(socket, &QLocalSocket::readyRead, socket, [&asked, &answer, socket] {
                asked += socket->readAll();
                if (!asked.contains("mail.send"))
                    return;
                socket->write(answer);
                socket->disconnectFromServer();
            });
        });
        const QByteArray body = MsgpackWriter().map(2).text("id").text(someId.text()).text("state").text("ready").take();
        const QByteArray head = "HTTP/1.1 201 Created\r\nContent-Type: application/vnd.msgpack\r\nJunban-Insecure: true\r\n"
                                "Content-Length: ";
        answer = head + QByteArray::number(body.size()) + "\r\n\r\n" + body;
        const Result<Enqueued> enqueued = pushed();
        QVERIFY2(enqueued.ok(), enqueued.ok() ? "" : enqueued.error().message().constData());
        QCOMPARE(enqueued->id, someId);
        QVERIFY(local.isInsecure());
        QVERIFY(asked.startsWith("POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\n"));
        QVERIFY(asked.contains("\r\nAuthorization: Bearer secret\r\n"));
        QCOMPARE(local.connection(), Connection::Reachable);
        for (const QByteArray &wrong : {head + "100\r\n\r\n" + body, answer.first(30), QByteArray("no HTTP\r\n\r\n"), QByteArray()}) {
            answer = wrong;
            QCOMPARE(pushed().error().code, ErrorCode::Unreachable);
        }
    }

    void anErrorWithoutAProblemDocumentKeepsItsStatus_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<ErrorCode>("code");
        QTest::newRow("401") << 401 << ErrorCode::Unauthorized;
        QTest::newRow("403") << 403 << ErrorCode::Forbidden;
        QTest::newRow("404") << 404 << ErrorCode::NotFound;
        QTest::newRow("503") << 503 << ErrorCode::StoreUnavailable;
        QTest::newRow("302") << 302 << ErrorCode::Internal;
    }
    void anErrorWithoutAProblemDocumentKeepsItsStatus()
    {
        QFETCH(int, status);
        QFETCH(ErrorCode, code);
        m_master->setHandler([&](const ScriptedMaster::Request &) {
            const QByteArray elsewhere = m_master->url().toEncoded() + "/elsewhere";
            return ScriptedMaster::Answer{status, "sorry", "text/plain", {{"Location", elsewhere}}};
        });
        const auto answer = await<Job>([&](auto callback) { m_client->job(someId, callback); });
        QVERIFY(!answer.ok());
        QCOMPARE(answer.error().code, code);
        QCOMPARE(answer.error().message(), "HTTP status " + QByteArray::number(status) + ": sorry");
        QCOMPARE(m_master->requests().size(), 1); // no redirect was followed
    }

    void eachItemOfABatchSucceedsOrFailsOnItsOwn()
    {
        m_master->setHandler([](const ScriptedMaster::Request &) {
            MsgpackWriter writer;
            writer.map(1).text("results").array(2);
            writer.map(3).text("id").text(someId.text()).text("state").text("ready").text("duplicate").boolean(true);
            writer.map(1).text("error").raw(problem(422, "idempotency_mismatch", "other fields", "jobs[1]"));
            return ScriptedMaster::Answer{200, writer.take()};
        });
        const auto answer = await<QList<Result<Enqueued>>>(
            [&](auto callback) { m_client->enqueueBatch({JobSpec{.name = "x"}, JobSpec{.name = "y"}}, callback); });
        QVERIFY(answer.ok());
        QCOMPARE(answer->size(), 2);
        QVERIFY(answer->at(0).ok());
        QVERIFY(answer->at(0)->duplicate);
        QCOMPARE(answer->at(1).error().code, ErrorCode::IdempotencyMismatch);
        QCOMPARE(answer->at(1).error().field, QByteArray("jobs[1]"));
    }

    void whatCannotBeReadOfABatchTakesNothingElseWithIt()
    {
        m_master->setHandler([](const ScriptedMaster::Request &request) {
            MsgpackWriter writer;
            writer.map(2).text("results").array(5);
            const auto good = [&] {
                if (request.path == "/v1/heartbeats")
                    writer.map(1).text("lease_expires_at").text("2026-01-02T03:04:05.678Z");
                else
                    writer.map(2).text("id").text(someId.text()).text("state").text("ready");
            };
            good();
            writer.integer(7);                         // no map
            writer.map(1).text("surprise").text("me"); // nothing that is needed
            writer.map(1).text("error").integer(1);    // a problem that is none
            good();
            return ScriptedMaster::Answer{200, writer.text("jobs").array(0).take()};
        });
        const auto words = [](const auto &results) {
            QByteArrayList all;
            for (const auto &result : results)
                all.append(result.ok() ? "ok" : errorWord(result.error().code));
            return all;
        };
        const QByteArrayList wanted{"ok", "malformed", "malformed", "internal", "ok"};
        const auto pushed = await<QList<Result<Enqueued>>>(
            [&](auto callback) { m_client->enqueueBatch({JobSpec{.name = "x"}}, callback); });
        QVERIFY(pushed.ok());
        QCOMPARE(words(*pushed), wanted);
        QCOMPARE(pushed->last()->id, someId);
        const auto beats = await<QList<Result<Heartbeat>>>([&](auto callback) { m_client->heartbeats("w", {{someId, "1.x"}}, callback); });
        QVERIFY(beats.ok());
        QCOMPARE(words(*beats), wanted);
        const auto reported = await<OutcomesReply>([&](auto callback) { m_client->reportAll("w", {}, {}, callback); });
        QVERIFY(reported.ok());
        QCOMPARE(words(reported->results), wanted);
    }

    void whenToComeBackIsReadOfProblemsAlone()
    {
        const auto withDelay = [](MsgpackWriter &writer, double delay_s) {
            writer.map(6).text("type").text("about:blank").text("title").text("T").text("status").integer(429);
            writer.text("code").text("backlog_full").text("detail").text("d").text("retry_after").real(delay_s);
        };
        m_master->setHandler([&](const ScriptedMaster::Request &) {
            MsgpackWriter writer;
            writer.map(2).text("retry_after").integer(9).text("results").array(3);
            writer.map(3).text("id").text(someId.text()).text("state").text("ready").text("retry_after").integer(9);
            withDelay(writer.map(1).text("error"), 1.5);
            withDelay(writer.map(1).text("error"), -1);
            return ScriptedMaster::Answer{200, writer.take(), "application/vnd.msgpack", {{"Retry-After", "9"}}};
        });
        const auto batch = await<QList<Result<Enqueued>>>([&](auto callback) { m_client->enqueueBatch({JobSpec{.name = "x"}}, callback); });
        QVERIFY(batch.ok());
        QVERIFY(batch->at(0).ok());
        QCOMPARE(batch->at(1).error().code, ErrorCode::BacklogFull);
        QCOMPARE(batch->at(1).error().retryAfter_s, 1.5);
        QCOMPARE(batch->at(2).error().retryAfter_s, 0.0); // nobody comes back earlier than now
        m_master->setHandler([&](const ScriptedMaster::Request &) {
            MsgpackWriter writer;
            withDelay(writer, 2.5);
            return ScriptedMaster::Answer{429, writer.take(), "application/vnd.msgpack", {{"Retry-After", "3"}}};
        });
        const auto refused = await<Enqueued>([&](auto callback) { m_client->enqueue(JobSpec{.name = "x"}, callback); });
        QCOMPARE(refused.error().retryAfter_s, 2.5); // exact, where the header has whole seconds
    }

    void aClaimedJobKeepsItsArgumentByteForByte()
    {
        const QByteArray argument = MsgpackWriter().map(1).integer(1).binary(QByteArray("\0\xff", 2)).take();
        m_master->setHandler([&](const ScriptedMaster::Request &) {
            MsgpackWriter writer;
            writer.map(1).text("jobs").array(1).map(11);
            writer.text("id").text(someId.text()).text("name").text("n").text("argument").raw(argument);
            writer.text("priority").integer(7);
            writer.text("attempt").integer(2).text("max_retry").integer(3).text("timeout").real(1.5);
            writer.text("keep_result").boolean(true);
            writer.text("lease").text("2.abc").text("lease_expires_at").text("2026-01-02T03:04:05.678Z");
            writer.text("deadline").text("2026-01-02T03:04:06.000Z");
            return ScriptedMaster::Answer{200, writer.take()};
        });
        const auto answer = await<QList<ClaimedJob>>(
            [&](auto callback) { m_client->claim("w-1", ClaimQuery{.names = {"n"}, .limit = 5, .wait_ms = 2'000}, callback); });
        QVERIFY(answer.ok());
        QCOMPARE(answer->size(), 1);
        const ClaimedJob &job = answer->first();
        QCOMPARE(job.spec.argument, argument);
        QCOMPARE(job.spec.timeout_ms, 1'500);
        QCOMPARE(job.lease, QByteArray("2.abc"));
        QCOMPARE(isoTime(job.leaseExpiresAt_ms), QByteArray("2026-01-02T03:04:05.678Z"));
        QCOMPARE(at(m_master->requests().first().body, {"wait"}), MsgpackWriter().integer(2).take());
    }

    void reportsSayWhatTheSpecificationSays()
    {
        m_master->setHandler([](const ScriptedMaster::Request &) {
            MsgpackWriter writer;
            writer.map(2).text("results").array(1).map(2).text("state").text("scheduled");
            writer.text("run_at").text("2026-01-02T03:04:05.678Z");
            writer.text("jobs").array(0);
            return ScriptedMaster::Answer{200, writer.take()};
        });
        Outcome outcome;
        outcome.type = OutcomeType::Failure;
        outcome.finishedAt = "2026-01-01T00:00:00Z";
        outcome.shouldRetry = true;
        outcome.message = "no";
        const auto answer = await<OutcomesReply>([&](auto callback) {
            m_client->reportAll("w", {FinishItem{someId, "1.x", outcome}}, ClaimQuery{.limit = 2}, callback);
        });
        QVERIFY(answer.ok());
        QCOMPARE(answer->results.first()->state, JobState::Scheduled);
        QVERIFY(answer->results.first()->runAt_ms > 0);
        QVERIFY(answer->jobs.isEmpty());
        const QByteArray body = m_master->requests().first().body;
        const payload::Step path[] = {{.key = QByteArrayView("outcomes")}, {.index = 0}, {.key = QByteArrayView("should_retry")}};
        QCOMPARE(payload::find(body, path).value_or("nothing").toByteArray(), QByteArray("\xc3"));
        QCOMPARE(at(body, {"claim", "limit"}), MsgpackWriter().integer(2).take());
    }

    void aResultIsReadyPendingOrGone()
    {
        ScriptedMaster::Answer say;
        m_master->setHandler([&](const ScriptedMaster::Request &) { return say; });
        const auto ask = [&] { return await<ResultNow>([&](auto callback) { m_client->peekResult(someId, callback); }); };
        say = {200, "\x81\xa4type\xa7success", "application/vnd.msgpack", {{"Junban-Result", "ready"}}};
        auto answer = ask();
        QCOMPARE(answer->status, ResultStatus::Ready);
        QCOMPARE(answer->outcome, say.body);
        say = {202, MsgpackWriter().map(1).text("state").text("running").take(), "application/vnd.msgpack", {}};
        answer = ask();
        QCOMPARE(answer->status, ResultStatus::Pending);
        QCOMPARE(answer->state, JobState::Running);
        say = {200, "\xc0", "application/vnd.msgpack", {{"Junban-Result", "gone"}}};
        QCOMPARE(ask()->status, ResultStatus::Gone);
        QCOMPARE(m_master->requests().first().query, QByteArray("peek=true"));
    }

    void listParametersAreEscaped()
    {
        m_master->setHandler([](const ScriptedMaster::Request &) {
            MsgpackWriter writer;
            writer.map(2).text("jobs").array(0).text("coverage").map(3).text("scanned").integer(3).text("total").integer(9);
            return ScriptedMaster::Answer{200, writer.text("complete").boolean(false).take()};
        });
        JobQuery query;
        query.state = JobState::Failed;
        query.name = "a&b=c+d e%20";
        const auto answer = await<JobPage>([&](auto callback) { m_client->jobs(query, callback); });
        QVERIFY(answer.ok());
        QVERIFY(!answer->coverage.complete);
        QCOMPARE(answer->coverage.total, 9);
        QCOMPARE(m_master->requests().first().query, QByteArray("state=failed&name=a%26b%3Dc%2Bd%20e%2520&limit=50"));
    }

    void silenceEndsAtTheDeadline()
    {
        m_master->setHandler([](const ScriptedMaster::Request &) { return std::nullopt; });
        ApiClient hasty({.url = m_master->url(), .deadline_ms = 50});
        QSignalSpy changed(&hasty, &ApiClient::connectionChanged);
        const auto answer = await<Overview>([&](auto callback) { hasty.overview(callback); });
        QVERIFY(!answer.ok());
        QCOMPARE(answer.error().code, ErrorCode::Unreachable);
        QCOMPARE(hasty.connection(), Connection::Unreachable);
        QCOMPARE(changed.size(), 1);
    }

    void aCancelledCallIsCalledBackOnceAndLater()
    {
        m_master->setHandler([](const ScriptedMaster::Request &) { return std::nullopt; });
        const auto answer = await<Overview>([&](auto callback) {
            const CallId call = m_client->overview(callback);
            m_client->cancel(call);
            m_client->cancel(call);
        });
        QCOMPARE(answer.error().code, ErrorCode::Cancelled);
        QCOMPARE(m_client->connection(), Connection::Unknown); // it says nothing of the master
    }

    void aClosedClientCallsBack()
    {
        m_master->setHandler([](const ScriptedMaster::Request &) { return std::nullopt; });
        int calls = 0;
        m_client->overview([&](Result<Overview> result) {
            ++calls;
            QCOMPARE(result.error().code, ErrorCode::Cancelled);
        });
        m_client.reset();
        QCOMPARE(calls, 1);
    }

    void aClientEndsAllItsCallsWhileItIsWhole()
    {
        m_master->setHandler([](const ScriptedMaster::Request &) { return std::nullopt; });
        QByteArrayList ended;
        const auto expect = [&](const char *call) {
            return [this, &ended, call](const auto &result) {
                const bool cancelled = !result.ok() && result.error().code == ErrorCode::Cancelled;
                // Callbacks of windows ask the client more: it must still be one.
                const bool whole = qstrcmp(m_ending->metaObject()->className(), "junban::client::ApiClient") == 0;
                ended.append(QByteArray(call) + (cancelled ? " cancelled" : " answered") + (whole ? "" : " too late"));
                m_ending->cancel(m_other);
            };
        };
        m_ending = m_client.get();
        m_client->enqueueBatch({JobSpec{.name = "x"}}, expect("enqueueBatch"));
        m_client->claim("w", ClaimQuery{.wait_ms = 60'000}, expect("claim"));
        m_client->previewMatcher({}, expect("previewMatcher"));
        m_client->readiness(expect("readiness"));
        m_client->cancel(m_client->schedules(5, {}, expect("schedules")));
        m_other = m_client->held(5, expect("held"));
        m_client.reset();
        std::sort(ended.begin(), ended.end());
        const QByteArrayList wanted{"claim cancelled", "enqueueBatch cancelled", "held cancelled", "previewMatcher cancelled",
            "readiness cancelled", "schedules cancelled"};
        QCOMPARE(ended, wanted);
        QCoreApplication::processEvents();
        QCOMPARE(ended.size(), 6);
    }

    void aMasterThatComesBackIsReachableAgain()
    {
        const quint16 port = m_master->port();
        m_master->kill();
        auto answer = await<Readiness>([&](auto callback) { m_client->readiness(callback); });
        QVERIFY(!answer.ok());
        QCOMPARE(m_client->connection(), Connection::Unreachable);
        QVERIFY(m_master->listen(port));
        m_master->setHandler([](const ScriptedMaster::Request &) {
            return ScriptedMaster::Answer{503, "redis is away\n", "text/plain"};
        });
        answer = await<Readiness>([&](auto callback) { m_client->readiness(callback); });
        QVERIFY(answer.ok());
        QVERIFY(!answer->ready);
        QVERIFY(answer->why.text.endsWith("redis is away"));
        QCOMPARE(m_client->connection(), Connection::Reachable);
    }

    void nonsenseIsMalformedAndNeverACrash_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("nil") << QByteArray("\xc0");
        QTest::newRow("cut short") << QByteArray("\x82\xa4jobs\x91");
        QTest::newRow("a billion jobs") << QByteArray("\x81\xa4jobs\xdd\xff\xff\xff\xff");
        QTest::newRow("jobs that are none") << MsgpackWriter().map(1).text("jobs").array(1).integer(1).take();
        QTest::newRow("JSON") << QByteArray("{\"jobs\":[]}");
    }
    void nonsenseIsMalformedAndNeverACrash()
    {
        QFETCH(QByteArray, body);
        m_master->setHandler([&](const ScriptedMaster::Request &) { return ScriptedMaster::Answer{200, body}; });
        const auto page = await<JobPage>([&](auto callback) { m_client->jobs({}, callback); });
        QVERIFY(!page.ok());
        QCOMPARE(page.error().code, ErrorCode::Malformed);
        const auto overview = await<Overview>([&](auto callback) { m_client->overview(callback); });
        QVERIFY(!overview.ok());
        const auto job = await<Job>([&](auto callback) { m_client->job(someId, callback); });
        QVERIFY(!job.ok());
    }

    void aWebPageIsNoMaster()
    {
        m_master->setHandler([](const ScriptedMaster::Request &) { return ScriptedMaster::Answer{200, "<html>", "text/html"}; });
        const auto answer = await<Overview>([&](auto callback) { m_client->overview(callback); });
        QCOMPARE(answer.error().code, ErrorCode::Malformed);
        QVERIFY(answer.error().message().contains("text/html"));
    }

private:
    std::unique_ptr<ScriptedMaster> m_master;
    std::unique_ptr<ApiClient> m_client;
    ApiClient *m_ending = nullptr;
    CallId m_other = 0;
};

JUNBAN_TEST(TestApiClient)
#include "test_apiclient.moc"
