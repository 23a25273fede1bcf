#include "core/base/reasons/fields.h"
#include "core/base/reasonwording.h"
#include "core/msgpack/problem.h"
#include "core/msgpack/reasonfields.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;

namespace {

// A value of the type, as far from the usual ones as possible.
ReasonValue::Content extremeContent(ReasonType type)
{
    switch (type) {
    case ReasonType::Field: return QByteArray("jobs[3].a.b");
    case ReasonType::Number:
    case ReasonType::Digits: return std::numeric_limits<qint64>::min();
    case ReasonType::Seconds: return 0.25;
    case ReasonType::Bytes: return std::numeric_limits<qint64>::max();
    case ReasonType::Time: return QByteArray("2026-01-02T03:04:05.678Z");
    case ReasonType::List:
    case ReasonType::Choice: return QByteArrayList{"a", "", "b\"c"};
    case ReasonType::Reason: return reasons::fieldRequired("inner").reason;
    default: return QByteArray("{field} <b>順番</b> {max|one|many} %1");
    }
}

Reason extreme(const ReasonInfo &info)
{
    std::vector<ReasonValue> values;
    for (const ReasonParameter &parameter : info.parameters)
        values.push_back({parameter.name, extremeContent(parameter.type)});
    return reasons::made(info, values);
}

} // namespace

class TestReasons : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sentencesHaveTheirValuesAsEnglishWritesThem()
    {
        QCOMPARE(reasons::secondsOutOfRange("timeout", 1, 86'400, 0).message(),
            QByteArray("'timeout' must be 1 to 86,400 seconds; it was 0."));
        QCOMPARE(reasons::secondsOutOfRange("a", 0.5, 1, -1'234'567).message(),
            QByteArray("'a' must be 0.5 to 1 second; it was -1,234,567."));
        QCOMPARE(reasons::numberOutOfRange("p", -100, 999, 2.5).message(), QByteArray("'p' must be -100 to 999; it was 2.5."));
        QCOMPARE(reasons::textTooLong("n", 200, 1'000).message(), QByteArray("'n' must have at most 200 bytes; it has 1,000."));
        QCOMPARE(reasons::valueTooLarge("n", 256 * 1024, 300'000).message(), QByteArray("'n' must have at most 256 KiB; it has 300,000."));
        QCOMPARE(reasons::arrayTooLong("n", 1, 2).message(), QByteArray("'n' must have at most 1 element; it has 2."));
        QCOMPARE(reasons::mapExpected("", "nil").message(), QByteArray("The request must be a map, not nil."));
    }

    void aRefusalHasItsCodeItsFieldAndItsValues()
    {
        const Error error = reasons::secondsOutOfRange("timeout", 1, 86'400, 0);
        QCOMPARE(error.code, ErrorCode::InvalidField);
        QCOMPARE(error.field, QByteArray("timeout"));
        QCOMPARE(error.reason.name, QByteArray("seconds_out_of_range"));
        QCOMPARE(std::get<qint64>(valueOf(error.reason, "max")->content), 86'400);
        QCOMPARE(reasons::valueTooLarge("a", 1, 2).code, ErrorCode::TooLarge);
    }

    void textsOfOthersAreShortAndUtf8()
    {
        const Error error = reasons::fieldUnknown("a\xff\n" + QByteArray(1'000, 'b'));
        const QByteArray field = std::get<QByteArray>(valueOf(error.reason, "field")->content);
        QVERIFY(field.isValidUtf8() && !field.contains('\n') && field.size() <= 200);
    }

    void everyReasonFillsItsSentenceAndComesBackFromTheWire()
    {
        QVERIFY(reasonCatalogue().size() > 20);
        QByteArrayView before;
        for (const ReasonInfo &info : reasonCatalogue()) {
            QVERIFY2(before < QByteArrayView(info.name), info.name);
            before = info.name;
            QCOMPARE(reasonInfo(info.name), &info);
            const Reason reason = extreme(info);
            for (const ReasonParameter &parameter : info.parameters)
                QVERIFY2(!reason.text.contains("{" + QByteArray(parameter.name) + "}") || parameter.name == QByteArray("field"), info.name);
            Problem problem;
            problem.reason = reason;
            const Result<Problem> back = unpackAnswer(problemTable, pack(problemTable, problem));
            QVERIFY2(back.ok(), info.name);
            QVERIFY2(back->reason == reason, info.name);
        }
    }

    void aReasonThatIsNotKnownKeepsItsEnglishSentence()
    {
        const Reason newer("of_a_newer_master", {{"a", QByteArray("b")}}, "It says {a}.");
        const ReasonWording wording{englishSentence, [](QByteArrayView text) { return text.toByteArray(); },
            [](const ReasonValue::Content &) { return QByteArray("?"); }, [](qint64) { return QByteArray("?"); }};
        QCOMPARE(worded(newer, wording), QByteArray("It says {a}."));
    }

    void aSentenceOfAValueIsNeverFilledAgain()
    {
        QCOMPARE(reasons::fieldRequired("{field}").message(), QByteArray("'{field}' is required."));
    }
};

JUNBAN_TEST(TestReasons)
#include "test_reasons.moc"
