#include "core/base/reasonwording.h"
#include "core/jobs/failuresignature.h"
#include "core/jobs/jobcalls.h"
#include "core/jobs/jobfields.h"
#include "core/limits.h"
#include "core/msgpack/msgpackwriter.h"
#include "server/api/answers.h"

#include "core/msgpack/json.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;

namespace {

constexpr char id[] = "0192f0c1-2222-7333-8444-555555555555";

QByteArray fromText(const QByteArray &text)
{
    const Result<QByteArray> packed = json::toMsgpack(text);
    if (!packed.ok())
        qFatal("%s", packed.error().message().constData());
    return *packed;
}

template<typename T>
QByteArray said(const Result<T> &result)
{
    return result.ok() ? QByteArray("no error") : QByteArray(errorWord(result.error().code)) + ' ' + result.error().field;
}

JobId jobId()
{
    return *JobId::fromText(id);
}

// A report of a failure whose `key` has this value.
QByteArray failureWith(const char *key, const QByteArray &value)
{
    MsgpackWriter writer;
    writer.map(6).text("lease").text("1.x").text("type").text("failure").text("reason").text("other").text("should_retry").boolean(true);
    return writer.text("finished_at").text("2026-01-02T03:04:05Z").text(key).raw(value).take();
}

} // namespace

class TestRequests : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFullBacklogIsTooManyRequests()
    {
        const Error full{ErrorCode::BacklogFull, Reason("test", {}, "The matcher 'mail' allows no more."), {}, limits::backlog_retry_s};
        QCOMPARE(httpStatus(full.code), 429);
        const QByteArray problem = json::fromMsgpack(api::encodeProblem(full));
        QVERIFY2(problem.contains("\"code\":\"backlog_full\"") && problem.contains("\"retry_after\":1"), problem.constData());
        QVERIFY2(problem.contains("'mail'"), problem.constData());
    }

    void aJobHasTheDefaultsOfTheSpecification()
    {
        const Result<JobSpec> spec = decodeJobOf(R"({"name":"n"})");
        QVERIFY(spec.ok());
        JobSpec wanted;
        wanted.name = "n";
        QVERIFY(*spec == wanted);
        QCOMPARE(spec->argument, QByteArray("\xc0"));
    }

    void everyFieldOfAJobArrives()
    {
        const Result<JobSpec> spec = decodeJobOf(R"({"name":"n","argument":[1],"priority":-2147483648,"max_retry":100,"keep_result":true,
            "timeout":1.5,"run_at":"2026-01-02T05:04:05.5+02:00","backoff":{"base":0,"factor":1,"max":2592000,"jitter":1},
            "idempotency_key":"k","tags":["a","b"],"result_ttl":1,"trace":"00-t"})");
        QVERIFY2(spec.ok(), said(spec).constData());
        JobSpec wanted;
        wanted.name = "n";
        wanted.argument = QByteArray::fromHex("9101");
        wanted.priority = std::numeric_limits<qint32>::min();
        wanted.maxRetry = 100;
        wanted.keepResult = true;
        wanted.timeout_ms = 1'500;
        wanted.runAt_ms = 1'767'323'045'500;
        wanted.backoff = {0, 1, 2'592'000'000, 1};
        wanted.idempotencyKey = "k";
        wanted.tags = {"a", "b"};
        wanted.resultTtl_ms = 1'000;
        wanted.trace = "00-t";
        QVERIFY(*spec == wanted);
    }

    void everySpecialFieldOfAJobArrives()
    {
        const Result<JobSpec> spec = decodeJobOf(R"({"name":"n","windows":[{"from":"22:00","to":"06:00","tz":"Asia/Tokyo","days":["sat"]}],
            "unique":{"key":"k","until":"started","on_conflict":"replace"},"depends_on":["0192f0c1-2222-7333-8444-555555555555"],
            "on_dependency_failure":"cancel","expires_in":1.5,"group":"g","then":[{"name":"a","delay":2,"then":[{"name":"b"}]}]})");
        QVERIFY2(spec.ok(), said(spec).constData());
        JobSpec wanted;
        wanted.name = "n";
        wanted.windows = {Window{22 * 60, 6 * 60, "Asia/Tokyo", 1 << 5}};
        wanted.unique = Unique{"k", UniqueUntil::Started, OnConflict::Replace};
        wanted.dependsOn = {jobId()};
        wanted.onDependencyFailure = OnDependencyFailure::Cancel;
        wanted.expiresIn_ms = 1'500;
        wanted.group = "g";
        JobSpec last, next;
        last.name = "b";
        next.name = "a";
        next.delay_ms = 2'000;
        next.then = {last};
        wanted.then = {next};
        QVERIFY(*spec == wanted);
        const Result<JobSpec> unique = decodeJobOf(R"({"name":"n","unique":{}})");
        QVERIFY(unique.ok() && unique->unique == Unique());
    }

    void whatIsWrongInASpecialFieldIsNamed_data()
    {
        QTest::addColumn<QByteArray>("fields");
        QTest::addColumn<QByteArray>("error");
        const auto row = [](const QByteArray &fields, const char *error) {
            QTest::newRow(fields.left(60).constData()) << fields << QByteArray(error);
        };
        row(R"("windows":[{"from":"05:00","to":"06:00"},{"from":"25:00","to":"06:00"}])", "invalid_field windows[1].from");
        row(R"("windows":[{"from":"05:00","to":"06:00","tz":"Nowhere"}])", "invalid_field windows[0].tz");
        row(R"("unique":{"key":""})", "invalid_field unique.key");
        row(R"("unique":{"until":"later"})", "invalid_field unique.until");
        row(R"("unique":{"on_conflict":1})", "invalid_field unique.on_conflict");
        row(R"("depends_on":["x"])", "invalid_field depends_on[0]");
        row(R"("depends_on":["00000000-0000-0000-0000-000000000000"])", "invalid_field depends_on[0]");
        row(R"("depends_on":["0192f0c1-2222-7333-8444-555555555555","0192f0c1-2222-7333-8444-555555555555"])",
            "invalid_field depends_on[1]");
        row(R"("on_dependency_failure":"ignore")", "invalid_field on_dependency_failure");
        row(R"("expires_in":0.5)", "invalid_field expires_in");
        row(R"("group":"")", "invalid_field group");
        row(R"("then":{})", "invalid_field then");
        row(R"("then":[{"name":"a"},{}])", "invalid_field then[1].name");
        row(R"("then":[{"name":"a","idempotency_key":"k"}])", "invalid_field then[0].idempotency_key");
        row(R"("then":[{"name":"a","then":[{"name":"b","backoff":{"base":-1}}]}])", "invalid_field then[0].then[0].backoff.base");
    }
    void whatIsWrongInASpecialFieldIsNamed()
    {
        QFETCH(QByteArray, fields);
        QFETCH(QByteArray, error);
        QCOMPARE(said(decodeJobOf("{\"name\":\"n\"," + fields + '}')), error);
    }

    void jobsAfterJobsAreNestedToABound()
    {
        const auto nested = [](int levels) {
            QByteArray job = R"({"name":"n"})";
            for (int i = 0; i < levels; ++i)
                job = R"({"name":"n","then":[)" + job + "]}";
            return job;
        };
        QCOMPARE(said(decodeJobOf(nested(limits::then_depth_max))), QByteArray("no error"));
        QCOMPARE(said(decodeJobOf(nested(limits::then_depth_max + 1))), QByteArray("too_large then[0].then[0].then[0].then[0].then"));
    }

    void editsHandOffsMessagesAndGroupsAreRead()
    {
        const auto edit = unpackRequest(jobEditTable, fromText(R"({"priority":-1,"tags":[],"argument":null})"));
        QVERIFY(edit.ok() && edit->priority == -1 && edit->tags == QList<QByteArray>() && edit->argument == QByteArray(payload::nil));
        QVERIFY(!edit->runAt_ms && !edit->maxRetry && !edit->timeout_ms);
        QCOMPARE(said(unpackRequest(jobEditTable, fromText("{}"))), QByteArray("invalid_field "));
        QCOMPARE(said(unpackRequest(jobEditTable, fromText(R"({"name":"n"})"))), QByteArray("invalid_field name"));
        const auto handoff = unpackRequest(handoffTable, fromText(R"({"lease":"1.x","key":"k","timeout":2.5})"));
        QVERIFY(handoff.ok() && handoff->key == "k" && handoff->timeout_ms == 2'500);
        QCOMPARE(said(unpackRequest(handoffTable, fromText(R"({"lease":"1.x","key":"k"})"))), QByteArray("invalid_field timeout"));
        const auto message = unpackRequest(messageTable, fromText(R"({"type":"success","finished_at":"2026-01-02T03:04:05Z","result":1})"));
        QVERIFY(message.ok() && message->result == MsgpackWriter().integer(1).take());
        QCOMPARE(said(unpackRequest(messageTable, fromText(R"({"type":"success","lease":"1.x"})"))), QByteArray("invalid_field lease"));
        const auto group = unpackRequest(groupBodyTable, fromText(R"({"open":true,"callback":{"name":"n"}})"));
        QVERIFY(group.ok() && group->open == true && group->callback->name == "n");
        QCOMPARE(said(unpackRequest(groupBodyTable, fromText(R"({"callback":{"name":"n","unique":{}}})"))),
            QByteArray("invalid_field callback.unique"));
    }

    void anArgumentsBytesStayAsTheyCame()
    {
        // Not the shortest forms, and a key twice: nobody's business but the worker's.
        const QByteArray argument = QByteArray::fromHex("df00000002d90161d30000000000000001d90161ca3f800000");
        MsgpackWriter writer;
        const Result<JobSpec> spec = unpackRequest(newJobTable, writer.map(2).text("argument").raw(argument).text("name").text("n").take());
        QVERIFY(spec.ok());
        QCOMPARE(spec->argument.toHex(), argument.toHex());
    }

    void whatIsWrongInAJobIsNamed_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("error");
        const auto row = [](const QByteArray &text, const char *error) {
            QTest::newRow(text.left(60).constData()) << text << QByteArray(error);
        };
        row(R"([])", "invalid_field ");
        row(R"({})", "invalid_field name");
        row(R"({"name":""})", "invalid_field name");
        row(R"({"name":"a\u0007"})", "invalid_field name");
        row(R"({"name":"a\u0085"})", "invalid_field name");
        row(R"({"name":{"$str":"/w=="}})", "invalid_field name");
        row(R"({"name":{"$bin":"YQ=="}})", "invalid_field name");
        row("{\"name\":\"" + QByteArray(200, 'x') + "\"}", "no error");
        row("{\"name\":\"" + QByteArray(201, 'x') + "\"}", "invalid_field name");
        row(R"({"name":"n","prority":1})", "invalid_field prority");
        row(R"({"name":"n","priority":2147483647})", "no error");
        row(R"({"name":"n","priority":2147483648})", "invalid_field priority");
        row(R"({"name":"n","priority":18446744073709551615})", "invalid_field priority");
        row(R"({"name":"n","priority":1.0})", "invalid_field priority");
        row(R"({"name":"n","max_retry":101})", "invalid_field max_retry");
        row(R"({"name":"n","max_retry":-1})", "invalid_field max_retry");
        row(R"({"name":"n","timeout":0.999})", "invalid_field timeout");
        row(R"({"name":"n","timeout":86400})", "no error");
        row(R"({"name":"n","timeout":86400.001})", "invalid_field timeout");
        row(R"({"name":"n","timeout":{"$float":"NaN"}})", "invalid_field timeout");
        row(R"({"name":"n","timeout":{"$float":"Infinity"}})", "invalid_field timeout");
        row(R"({"name":"n","delay":31622400.5})", "invalid_field delay");
        row(R"({"name":"n","delay":1,"run_at":"2026-01-02T03:04:05Z"})", "invalid_field run_at");
        row(R"({"name":"n","run_at":"2026-01-02T03:04:05"})", "invalid_field run_at");
        row(R"({"name":"n","run_at":"2026-13-02T03:04:05Z"})", "invalid_field run_at");
        row(R"({"name":"n","run_at":1767323045})", "invalid_field run_at");
        row(R"({"name":"n","backoff":{"factor":0.5}})", "invalid_field backoff.factor");
        row(R"({"name":"n","backoff":{"base":10,"max":9}})", "invalid_field backoff");
        row(R"({"name":"n","backoff":{"bass":10}})", "invalid_field backoff.bass");
        row(R"({"name":"n","tags":["a",""]})", "invalid_field tags[1]");
        row(R"({"name":"n","tags":["a",1]})", "invalid_field tags[1]");
        row(R"({"name":"n","tags":[1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7]})", "too_large tags");
        row(R"({"name":"n","result_ttl":0})", "invalid_field result_ttl");
        row(R"({"name":"n","keep_result":1})", "invalid_field keep_result");
        row(R"({"name":"n","keep_result":null})", "invalid_field keep_result");
        row(R"({"$map":[["name","n"],["name","n"]]})", "invalid_field name");
        row(R"({"$map":[["name","n"],[1,2]]})", "invalid_field ");
        row("{\"name\":\"n\",\"argument\":" + QByteArray("[").repeated(33) + QByteArray("]").repeated(33) + '}', "too_large argument");
    }
    void whatIsWrongInAJobIsNamed()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, error);
        QCOMPARE(said(decodeJobOf(text)), error);
    }

    void anArgumentHasAGreatestSize()
    {
        const auto job = [](qsizetype bytes) {
            MsgpackWriter writer; // a str32 has a head of five bytes
            return writer.map(2).text("name").text("n").text("argument").text(QByteArray(bytes - 5, 'x')).take();
        };
        QCOMPARE(said(unpackRequest(newJobTable, job(limits::argument_bytes_max))), QByteArray("no error"));
        QCOMPARE(said(unpackRequest(newJobTable, job(limits::argument_bytes_max + 1))), QByteArray("too_large argument"));
    }

    void everyCutOfABodyIsRefusedAndNoneIsReadBeyondItsEnd()
    {
        const QByteArray whole = fromText(R"({"name":"n","argument":{"a":[1,2.5,"x"]},"tags":["a"],
            "backoff":{"base":1},"run_at":"2026-01-02T03:04:05Z"})");
        QVERIFY(unpackRequest(newJobTable, whole).ok());
        for (qsizetype length = 0; length < whole.size(); ++length) {
            const QByteArray cut(whole.constData(), length); // memory of its own: the sanitizers see a read behind it
            QCOMPARE(said(unpackRequest(newJobTable, cut)), QByteArray("malformed "));
        }
        QCOMPARE(said(unpackRequest(newJobTable, whole + '\xc0')), QByteArray("malformed "));
    }

    void anUnknownFieldsNameIsShownShortAndClean()
    {
        MsgpackWriter writer;
        const QByteArray ugly = "\xff\x07" + QByteArray(100'000, 'z');
        const Result<JobSpec> spec = unpackRequest(newJobTable, writer.map(1).text(ugly).nil().take());
        QVERIFY(!spec.ok());
        QVERIFY(spec.error().field.isValidUtf8() && spec.error().field.size() <= limits::shown_bytes_max);
        QVERIFY(spec.error().message().isValidUtf8() && spec.error().message().size() < 300);
    }

    void eachJobOfABatchStandsAlone()
    {
        const auto batch = unpackRequest(batchTable, 
            fromText(R"({"jobs":[{"name":"a"},{"name":"b","priority":"x"},7,{"name":"c","backoff":{"max":-1}}]})"));
        QVERIFY(batch.ok());
        QByteArrayList all;
        for (const Result<JobSpec> &job : batch->jobs)
            all.append(said(job));
        const QByteArrayList wanted{"no error", "invalid_field jobs[1].priority",
            "invalid_field jobs[2]", "invalid_field jobs[3].backoff.max"};
        QCOMPARE(all, wanted);
        QCOMPARE(said(unpackRequest(batchTable, fromText(R"({})"))), QByteArray("invalid_field jobs"));
        QCOMPARE(said(unpackRequest(batchTable, fromText(R"({"jobs":{}})"))), QByteArray("invalid_field jobs"));
        QByteArray many = R"({"jobs":[0)";
        many += QByteArray(",0").repeated(limits::enqueue_batch_max - 1);
        QCOMPARE(said(unpackRequest(batchTable, fromText(many + "]}"))), QByteArray("no error"));
        QCOMPARE(said(unpackRequest(batchTable, fromText(many + ",0]}"))), QByteArray("too_large jobs"));
    }

    void aClaimTakesEveryNameOrTheGivenOnes()
    {
        const auto all = unpackRequest(claimBodyTable, fromText(R"({"worker":"w"})"));
        QVERIFY(all.ok());
        QVERIFY(all->query.names.isEmpty());
        QCOMPARE(all->query.limit, 1);
        QCOMPARE(all->query.lease_ms, 0);
        QCOMPARE(all->query.wait_ms, 0);
        const auto some = unpackRequest(claimBodyTable,
            fromText(R"({"worker":"w","names":["a","b","a"],"limit":100,"wait":0.25,"lease":2.5})"));
        QCOMPARE(some->query.names, (QList<QByteArray>{"a", "b"}));
        QCOMPARE(some->query.lease_ms, 2'500);
        QCOMPARE(some->query.wait_ms, 250);
    }

    void whatIsWrongInAClaimIsNamed_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("error");
        const auto row = [](const char *text, const char *error) { QTest::newRow(text) << QByteArray(text) << QByteArray(error); };
        row(R"({})", "invalid_field worker");
        row(R"({"worker":"w","names":[]})", "invalid_field names");
        row(R"({"worker":"w","names":["a",""]})", "invalid_field names[1]");
        row(R"({"worker":"w","limit":0})", "invalid_field limit");
        row(R"({"worker":"w","limit":101})", "invalid_field limit");
        row(R"({"worker":"w","wait":60.001})", "invalid_field wait");
        row(R"({"worker":"w","lease":0.5})", "invalid_field lease");
    }
    void whatIsWrongInAClaimIsNamed()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, error);
        QCOMPARE(said(unpackRequest(claimBodyTable, fromText(text))), error);
    }

    void aSuccessAndAFailureHaveTheirOwnFields_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("error");
        const auto row = [](const QByteArray &rest, const char *error) {
            QTest::newRow(rest.constData()) << R"({"lease":"1.x","finished_at":"2026-01-02T03:04:05Z")" + rest << QByteArray(error);
        };
        row(R"(,"type":"success","result":null})", "no error");
        row(R"(,"type":"success"})", "invalid_field result");
        row(R"(,"type":"success","result":1,"should_retry":true})", "invalid_field should_retry");
        row(R"(,"type":"success","result":1,"error":1})", "invalid_field error");
        row(R"(,"type":"success","result":1,"reason":"other"})", "invalid_field reason");
        row(R"(,"type":"success","result":1,"message":"m"})", "invalid_field message");
        row(R"(,"type":"success","result":1,"retry_after":1})", "invalid_field retry_after");
        row(R"(,"type":"failure","reason":"timeout","should_retry":false})", "no error");
        row(R"(,"type":"failure","reason":"expired","should_retry":false})", "invalid_field reason");
        row(R"(,"type":"failure","should_retry":false})", "invalid_field reason");
        row(R"(,"type":"failure","reason":"other"})", "invalid_field should_retry");
        row(R"(,"type":"failure","reason":"other","should_retry":true,"result":1})", "invalid_field result");
        row(R"(,"type":"failure","reason":"other","should_retry":true,"retry_after":-1})", "invalid_field retry_after");
        row(R"(,"type":"failure","reason":"other","should_retry":true,"retry_after":0.5})", "no error");
        row(R"(,"type":"done","result":1})", "invalid_field type");
        row(R"(,"result":1})", "invalid_field type");
        row(R"(,"type":"success","result":1,"id":"0192f0c1-2222-7333-8444-555555555555"})", "invalid_field id");
    }
    void aSuccessAndAFailureHaveTheirOwnFields()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, error);
        QCOMPARE(said(unpackRequest(reportTable, fromText(text))), error);
    }

    void aReportDoesNotFailForTheSizeOfItsErrorOrMessage()
    {
        const auto packed = [](const QByteArray &text) { return MsgpackWriter().text(text).take(); };
        const auto fits = unpackRequest(reportTable, failureWith("error", packed(QByteArray(limits::error_bytes_max - 3, 'e'))));
        QVERIFY(fits.ok());
        QCOMPARE(fits->outcome.error.size(), limits::error_bytes_max);
        const auto large = unpackRequest(reportTable, failureWith("error", packed(QByteArray(limits::error_bytes_max - 2, 'e'))));
        QVERIFY(large.ok());
        QCOMPARE(json::fromMsgpack(large->outcome.error), QByteArray(R"({"truncated":true,"size":65537})"));

        const QByteArray whole(limits::message_bytes_max, 'm');
        QCOMPARE(unpackRequest(reportTable, failureWith("message", packed(whole)))->outcome.message, whole);
        for (int shift = 0; shift < 3; ++shift) { // the cuts fall on each byte of a character
            const QByteArray text = QByteArray(shift, 'm') + QByteArray("\xe2\x82\xac").repeated(10'000) + QByteArray(2 - shift, 'n');
            const auto cut = unpackRequest(reportTable, failureWith("message", packed(text)));
            QVERIFY(cut.ok());
            const QByteArray message = cut->outcome.message;
            QVERIFY(message.isValidUtf8() && message.contains("\n    … (cut) …\n") && message.size() <= limits::message_bytes_max);
            QVERIFY(message.size() > limits::message_bytes_max - 8);
            QVERIFY(text.startsWith(message.first(limits::message_bytes_max / 2)) && text.endsWith(message.last(3'000)));
        }
    }

    // The error of a Python trace is its last line, that of a Java trace its first.
    void aTraceThatIsCutKeepsItsErrorAndItsCause()
    {
        const auto cause = [](const QByteArray &text) {
            const auto cut = unpackRequest(reportTable, failureWith("message", MsgpackWriter().text(text).take()));
            return cut.ok() ? normalisedFailure(cut->outcome.message) : QByteArray("refused");
        };
        const QByteArray python = QByteArray("  File \"/app/worker.py\", line 2, in f\n    return g(order)\n").repeated(500);
        QCOMPARE(cause("Traceback (most recent call last):\n" + python + "ValueError: no price"), QByteArray("ValueError: no price"));
        const QByteArray java = QByteArray("\tat com.example.Worker.run(Worker.java:12)\n").repeated(400);
        QCOMPARE(cause("java.lang.Exception: no price\n" + java + "Caused by: java.net.ConnectException: gone\n" + java.left(600)),
            QByteArray("java.lang.Exception: no price (caused by java.net.ConnectException: gone)"));
    }

    void finishedAtIsKeptAsItWasSent()
    {
        const auto reported = [](const QByteArray &at) {
            return unpackRequest(reportTable, fromText(R"({"lease":"1.x","type":"success","finished_at":")" + at + R"(","result":1})"));
        };
        for (const char *at : {"2026-01-02T05:04:05+02:00", "2026-01-02T03:04:05", "20260102T030405,5+01", "2026-W01-1T00:00:00Z"}) {
            const auto item = reported(at);
            QVERIFY2(item.ok(), at);
            QCOMPARE(item->outcome.finishedAt, QByteArray(at));
        }
        for (const char *at : {"", "now", "2026-13-01", "2026-01-02T03:04:05Z and more"})
            QCOMPARE(said(reported(at)), QByteArray("invalid_field finished_at"));
        // Times that the master goes by still have a zone.
        QCOMPARE(said(unpackRequest(newJobTable, fromText(R"({"name":"x","run_at":"2026-01-02T03:04:05"})"))),
            QByteArray("invalid_field run_at"));
    }

    void eachReportOfManyStandsAlone()
    {
        const QByteArray good = R"({"id":"0192f0c1-2222-7333-8444-555555555555","lease":"1.x",
            "type":"success","finished_at":"2026-01-02T03:04:05Z","result":1})";
        const auto body = unpackRequest(outcomesTable, 
            fromText(R"({"claim":{"limit":5,"wait":1},"outcomes":[)" + good + R"(,{"id":"x"},{"lease":""}],"worker":"w"})"));
        QVERIFY2(body.ok(), said(body).constData());
        QCOMPARE(said(body->outcomes[0]), QByteArray("no error"));
        QCOMPARE(said(body->outcomes[1]), QByteArray("invalid_field outcomes[1].id"));
        QCOMPARE(said(body->outcomes[2]), QByteArray("invalid_field outcomes[2].lease"));
        QVERIFY(body->claim);
        QCOMPARE(body->worker, QByteArray("w")); // though it came last
        QCOMPARE(body->claim->limit, 5);
        QCOMPARE(said(unpackRequest(outcomesTable, fromText(R"({"worker":"w"})"))), QByteArray("invalid_field outcomes"));
        QCOMPARE(said(unpackRequest(outcomesTable, fromText(R"({"outcomes":[]})"))), QByteArray("invalid_field worker"));
        QCOMPARE(said(unpackRequest(outcomesTable, fromText(R"({"worker":"w","outcomes":[],"claim":{"worker":"w"}})"))),
            QByteArray("invalid_field claim.worker"));
    }

    void heartbeatsReleasesAndCancelsAreChecked()
    {
        QCOMPARE(said(unpackRequest(heartbeatItemTable, fromText(R"({"lease":"1.x","progress":{"done":1,"total":2}})"))),
            QByteArray("no error"));
        QCOMPARE(said(unpackRequest(heartbeatItemTable, fromText(R"({"lease":"1.x","progress":{"done":1}})"))),
            QByteArray("invalid_field progress.total"));
        QCOMPARE(said(unpackRequest(heartbeatItemTable, fromText(R"({})"))), QByteArray("invalid_field lease"));
        const auto beats = unpackRequest(heartbeatsBodyTable, fromText(
            R"({"worker":"w","leases":[{"lease":"1.x"},{"id":"0192f0c1-2222-7333-8444-555555555555","lease":"1.y"},7]})"));
        QVERIFY2(beats.ok(), said(beats).constData());
        QCOMPARE(said(beats->leases[0]), QByteArray("invalid_field leases[0].id"));
        QCOMPARE(beats->leases[1]->lease, QByteArray("1.y"));
        QCOMPARE(said(beats->leases[2]), QByteArray("invalid_field leases[2]"));
        QCOMPARE(said(unpackRequest(heartbeatsBodyTable, fromText(R"({"worker":"w","leases":{}})"))), QByteArray("invalid_field leases"));
        QCOMPARE(said(unpackRequest(releaseTable, fromText(R"({"lease":"1.x","delay":-1})"))), QByteArray("invalid_field delay"));
        QCOMPARE(said(unpackRequest(cancelTable, fromText("{}"))), QByteArray("no error"));
        QCOMPARE(said(unpackRequest(cancelTable, fromText(R"({"force":1})"))), QByteArray("invalid_field force"));
        QCOMPARE(said(unpackRequest(nothingTable, fromText(R"({"a":1})"))), QByteArray("invalid_field a"));
    }

private:
    static Result<JobSpec> decodeJobOf(const QByteArray &text) { return unpackRequest(newJobTable, fromText(text)); }
};

JUNBAN_TEST(TestRequests)
#include "test_requests.moc"
