#include "core/limits.h"
#include "server/api/api.h"
#include "server/api/call.h"
#include "server/api/router.h"
#include "server/http/exchangestate.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::api;

namespace {

http::Request request(
    QList<QPair<QByteArray, QByteArray>> fields, const QByteArray &method = "GET", const QByteArray &path = "/v1/overview")
{
    http::Request made;
    made.method = method;
    made.path = path;
    made.fields = std::move(fields);
    made.peer.address = QHostAddress(QHostAddress::LocalHost);
    return made;
}

QByteArray word(Wanted wanted)
{
    constexpr const char *words[] = {"msgpack", "json", "any", "neither"};
    return words[size_t(wanted)];
}

} // namespace

class TestRouter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        Result<Router> router = Router::fromDocument(Api::document());
        QVERIFY(router.ok());
        m_router = std::move(*router);
    }

    void aPathAndAMethodFindTheirOperation_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("found");
        const auto row = [](const char *method, const char *path, const char *found) {
            QTest::addRow("%s %s", method, path) << QByteArray(method) << QByteArray(path) << QByteArray(found);
        };
        row("POST", "/v1/jobs", "enqueueJob");
        row("GET", "/v1/jobs", "listJobs");
        row("HEAD", "/v1/jobs", "listJobs");
        row("PUT", "/v1/jobs", "allow GET, POST");
        row("POST", "/v1/jobs/batch", "enqueueJobs");
        row("GET", "/v1/jobs/batch", "getJob batch");
        row("PUT", "/v1/jobs/batch", "allow POST, GET, PATCH, DELETE");
        row("PUT", "/v1/jobs/counts", "allow GET, POST, PATCH, DELETE"); // each method once
        row("POST", "/v1/schedules/preview", "previewSchedule");
        row("PUT", "/v1/schedules/preview", "putSchedule preview"); // what it is called is its owner's choice
        row("DELETE", "/v1/matchers/preview", "deleteMatcher preview");
        row("GET", "/v1/jobs/x", "getJob x");
        row("GET", "/v1/jobs/a%2fb", "getJob a/b");
        row("GET", "/v1/jobs/x/result", "getResult x");
        row("DELETE", "/v1/jobs/x/outcome", "allow POST");
        row("GET", "/v1/jobs/x/nothing", "nothing");
        row("GET", "/v1/jobs/x/result/y", "nothing");
        row("GET", "/v1/jobs/", "getJob ");
        row("GET", "/v1//jobs", "nothing");
        row("GET", "/v1/Jobs", "nothing");
        row("GET", "/", "nothing");
        row("GET", "*", "nothing");
        row("GET", "", "nothing");
    }
    void aPathAndAMethodFindTheirOperation()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, found);
        const Match match = m_router.match(method, path);
        QByteArray seen = match.allow.isEmpty() ? QByteArray("nothing") : "allow " + match.allow;
        if (match.route)
            seen = match.route->operation + (match.parameters.isEmpty() ? QByteArray() : ' ' + match.parameters.join(','));
        QCOMPARE(seen, found);
    }

    void bodiesOfBatchesMayBeLarger()
    {
        QCOMPARE(m_router.match("POST", "/v1/jobs").route->body_bytes_max, limits::http_body_bytes_max);
        QCOMPARE(m_router.match("POST", "/v1/jobs/batch").route->body_bytes_max, limits::http_batch_body_bytes_max);
    }

    void theQueryIsReadStrictly()
    {
        const QList<QByteArray> allowed = {"name", "limit"};
        const auto both = parseQuery("name=a%2Bb+c&limit=5", allowed);
        QVERIFY(both.ok());
        QCOMPARE(both->value("name"), QByteArray("a+b c"));
        QCOMPARE(both->value("limit"), QByteArray("5"));
        QCOMPARE(parseQuery("nme=1", allowed).error().field, QByteArray("nme"));
        QCOMPARE(parseQuery("name=1&name=2", allowed).error().field, QByteArray("name"));
        QCOMPARE(parseQuery("name=%ff", allowed).error().field, QByteArray("name"));
        QCOMPARE(parseQuery("%ff%07=1", allowed).error().field, QByteArray("\xef\xbf\xbd\xef\xbf\xbd"));
        QVERIFY(!parseQuery("name=1&", allowed).ok());
    }

    void theAnswersEncodingFollowsAcceptThenTheBody_data()
    {
        QTest::addColumn<QByteArray>("accept");
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("encoding");
        const auto row = [](const char *accept, const char *type, const char *encoding) {
            QTest::addRow("%s | %s", accept, type) << QByteArray(accept) << QByteArray(type) << QByteArray(encoding);
        };
        row("", "", "any");
        row("", "application/json", "json");
        row("", "application/json; charset=utf-8", "json");
        row("", "APPLICATION/JSON", "json");
        row("", "application/x-msgpack", "msgpack");
        row("application/json", "application/msgpack", "json");
        row("application/vnd.msgpack", "application/json", "msgpack");
        row("application/msgpack;q=0.5, application/json;q=0.4", "", "msgpack");
        row("application/msgpack;q=0.4, application/json;q=0.5", "", "json");
        row("text/html, */*;q=0.1", "", "any");
        row("*/*", "", "any");
        row("*/*", "application/msgpack", "msgpack");
        row("application/json, application/msgpack;q=1", "", "json");
        row("*/*", "application/json", "json");
        row("application/json, text/plain, */*", "", "json");
        row("application/json, application/vnd.msgpack", "application/msgpack", "json");
        row("application/json ; q=0.1, */*", "", "msgpack");
        row("application/*", "application/json", "json");
        row("application/json;q=0", "", "neither");
        row("application/json;q=0, */*", "application/json", "msgpack");
        row("application/vnd.msgpack;q=0, */*", "", "json");
        row("*/*;q=0", "", "neither");
        row("image/png", "application/json", "neither");
    }
    void theAnswersEncodingFollowsAcceptThenTheBody()
    {
        QFETCH(QByteArray, accept);
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, encoding);
        QList<QPair<QByteArray, QByteArray>> fields;
        if (!accept.isEmpty())
            fields.append(qMakePair(QByteArray("accept"), accept));
        if (!type.isEmpty())
            fields.append(qMakePair(QByteArray("content-type"), type));
        QCOMPARE(word(wantedEncoding(request(fields))), encoding);
    }

    void whereNothingIsSaidTheAnswerIsJson_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("type");
        QTest::addRow("success") << 200 << QByteArray("application/json");
        QTest::addRow("problem") << 409 << QByteArray("application/problem+json");
    }
    void whereNothingIsSaidTheAnswerIsJson()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, type);
        const auto typeFor = [&](Wanted wanted) {
            Answer answer;
            const http::Exchange exchange(std::make_shared<http::ExchangeState>(http::Request(), &answer, 0));
            Call call(exchange, m_router.match("GET", "/v1/jobs/x"), wanted);
            call.reply(status, "\x80");
            return answer.type;
        };
        QCOMPARE(typeFor(Wanted::Any), type);
        QCOMPARE(typeFor(Wanted::Msgpack), QByteArray("application/vnd.msgpack"));
        QCOMPARE(typeFor(Wanted::Json), type);
    }

private:
    struct Answer : http::AnswerSink {
        bool answer(quint64, http::Response response) override
        {
            type = response.contentType;
            return true;
        }
        void dropped(quint64) override {}
        QByteArray type;
    };

    Router m_router;
};

JUNBAN_TEST(TestRouter)
#include "test_router.moc"
