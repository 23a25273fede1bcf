#include "core/base/reasons/cel.h"
#include "core/jobs/administration.h"
#include "core/jobs/schedulefields.h"
#include "core/limits/limitanswers.h"
#include "core/limits/limitrequests.h"
#include "core/msgpack/json.h"
#include "server/api/handlers.h"
#include "server/http/exchangestate.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::api;

namespace {

struct LastAnswer final : http::AnswerSink {
    bool answer(quint64, http::Response given) override
    {
        response = std::move(given);
        return true;
    }
    void dropped(quint64) override {}

    std::optional<http::Response> response;
};

} // namespace

// What handlers read bodies and write problems with.
class TestHandlers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_answer.response.reset(); }

    void aBodyThatMayBeEmptyIsAsOneWithoutFields()
    {
        const auto cancel = bodyOf(callWith({}), cancelTable, {}, Body::MayBeEmpty);
        QVERIFY(cancel && !cancel->force);
        const auto group = bodyOf(callWith({}), groupBodyTable, {}, Body::MayBeEmpty);
        QVERIFY(group && !group->open && !group->callback);
        const auto fsck = bodyOf(callWith({}), fsckBodyTable, {}, Body::MayBeEmpty);
        QVERIFY(fsck && !fsck->repair && fsck->cursor.isEmpty());
        const auto run = bodyOf(callWith({}), runScheduleTable, {}, Body::MayBeEmpty);
        QVERIFY(run && !run->overlap);
        const auto resumed = bodyOf(callWith({}), resumeTable, {}, Body::MayBeEmpty);
        QVERIFY(resumed && resumed->id.isEmpty());
        const auto tripped = bodyOf(callWith({}), breakerTable(BreakerVerb::Trip), {}, Body::MayBeEmpty);
        QVERIFY(tripped && !tripped->key && tripped->openFor_ms == 0);
        QVERIFY(hasNoBody(callWith({})));
        QVERIFY(!m_answer.response);
    }

    void aBodyThatMayBeEmptyIsReadWhereItIsThere()
    {
        const auto cancel = bodyOf(callWith(R"({"force":true})"), cancelTable, {}, Body::MayBeEmpty);
        QVERIFY(cancel && cancel->force);
        const auto group = bodyOf(callWith(R"({"open":true})"), groupBodyTable, {}, Body::MayBeEmpty);
        QVERIFY(group && group->open == true);
        QVERIFY(!m_answer.response);
        QVERIFY(!bodyOf(callWith(R"({"force":1})"), cancelTable, {}, Body::MayBeEmpty));
        QCOMPARE(answered(), QByteArray("400 invalid_field force"));
        QVERIFY(!bodyOf(callWith("null"), groupBodyTable, {}, Body::MayBeEmpty));
        QCOMPARE(answered(), QByteArray("400 invalid_field "));
        QVERIFY(!hasNoBody(callWith(R"({"force":true})")));
        QCOMPARE(answered(), QByteArray("400 invalid_field force"));
    }

    void aBodyThatIsNeededIsNotEmpty()
    {
        QVERIFY(!bodyOf(callWith({}), groupBodyTable));
        QCOMPARE(answered(), QByteArray("400 malformed "));
    }

    void whatIsWrongWithExpressionsSaysWhere()
    {
        const QList<ExpressionProblem> problems{
            {"constraints[0].by[1]", {2, 3, 17, 4, reasons::expressionUnknownVariable("x")}},
            {"expression", {1, 1, 0, 0, reasons::expressionEmpty()}}};
        QCOMPARE(json::fromMsgpack(encodeProblem(problems)),
            QByteArray(R"({"type":"about:blank","title":"Unprocessable Content","status":422,"code":"invalid_expression",)"
                       R"("detail":"There is no variable 'x'.","reason":"expression_unknown_variable","values":{"name":"x"},)"
                       R"("field":"constraints[0].by[1]","errors":[)"
                       R"({"field":"constraints[0].by[1]","line":2,"column":3,"length":4,"message":"There is no variable 'x'.",)"
                       R"("reason":"expression_unknown_variable","values":{"name":"x"}},)"
                       R"({"field":"expression","line":1,"column":1,"length":0,"message":"The expression is empty.",)"
                       R"("reason":"expression_empty","values":{}}]})"));
    }

private:
    Call callWith(const QByteArray &json)
    {
        Call call(http::Exchange(std::make_shared<http::ExchangeState>(http::Request(), &m_answer, 0)), {}, Wanted::Msgpack);
        if (!json.isEmpty())
            call.body = *json::toMsgpack(json);
        return call;
    }
    // The last problem's status, code and field.
    QByteArray answered()
    {
        const Result<Problem> problem = unpackAnswer(problemTable, m_answer.response.value_or(http::Response()).body);
        return problem.ok() ? QByteArray::number(problem->status) + ' ' + problem->code + ' ' + problem->field : "no problem";
    }

    LastAnswer m_answer;
};

JUNBAN_TEST(TestHandlers)
#include "test_handlers.moc"
