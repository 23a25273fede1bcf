#include "core/base/reasons/fields.h"
#include "core/base/reasonwording.h"
#include "tests/support/testmain.h"
#include "ui/base/reasontexts.h"
#include "ui/base/text.h"

#include <QRegularExpression>
#include <QTest>

using namespace junban;
using namespace junban::ui;

namespace {

const Format english(QLocale(QLocale::English, QLocale::UnitedStates), TimesIn::Utc);
const Format japanese(QLocale(QLocale::Japanese, QLocale::Japan), TimesIn::Utc);

bool isJapanese(const QString &text)
{
    static const QRegularExpression kana(QStringLiteral("[\\x{3040}-\\x{30ff}\\x{4e00}-\\x{9fff}]"));
    return text.contains(kana);
}

// Values of each type, of the usual kind and far from it.
QList<ReasonValue::Content> contents(ReasonType type)
{
    switch (type) {
    case ReasonType::Number:
    case ReasonType::Digits:
    case ReasonType::Seconds:
    case ReasonType::Bytes:
        return {qint64(0), qint64(1), std::numeric_limits<qint64>::min(), std::numeric_limits<qint64>::max(), 0.1, -1e300};
    case ReasonType::Time: return {QByteArray("2026-01-02T03:04:05.678Z"), QByteArray("9999-12-31T23:59:59.999Z"), QByteArray("soon")};
    case ReasonType::List:
    case ReasonType::Choice: return {QByteArrayList(), QByteArrayList{"a"}, QByteArrayList{"a", "b", QByteArray(200, 'c')}};
    case ReasonType::Reason: return {reasons::fieldRequired("a").reason, Reason("newer", {}, "Something newer is wrong."), Reason()};
    case ReasonType::Word: return {QByteArray("map"), QByteArray("newer_word")};
    default: return {QByteArray(), QByteArray("a"), QByteArray(200, 'x'), QByteArray("{field} <img src=x> \xe2\x80\xae %1 {max|a|b} 順番")};
    }
}

// The sentences of a reason with one value after the other.
QStringList sentences(const ReasonInfo &info, const Format &format)
{
    std::vector<ReasonValue> usual;
    for (const ReasonParameter &parameter : info.parameters)
        usual.push_back({parameter.name, contents(parameter.type).first()});
    QStringList all{reasonText(reasons::made(info, usual), format)};
    for (size_t i = 0; i < usual.size(); ++i) {
        for (const ReasonValue::Content &content : contents(info.parameters[i].type)) {
            std::vector<ReasonValue> values = usual;
            values[i].content = content;
            all.append(reasonText(reasons::made(info, values), format));
        }
        std::vector<ReasonValue> without = usual;
        without.erase(without.begin() + qsizetype(i));
        all.append(reasonText(reasons::made(info, without), format));
    }
    return all;
}

// What is English in a sentence besides values and words of the API.
QString englishIn(QString text)
{
    static const QRegularExpression kept(QStringLiteral("「[^」]*」|\"[^\"]*\"|[a-z_]+\\(\\)|[a-z]+_[a-z_]+|https?://\\S+|--[a-z-]+"));
    static const QRegularExpression words(QStringLiteral("[a-z]{3,} [a-z]{2,} [a-z]{2,}"));
    return words.match(text.remove(kept)).captured();
}

} // namespace

class TestReasonTexts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyReasonIsWordedInBothLanguagesWhateverItsValuesAre()
    {
        for (const ReasonInfo &info : reasonCatalogue()) {
            for (const QString &text : sentences(info, english)) {
                QVERIFY2(!text.isEmpty() && !text.contains(QChar(0x202e)), info.name);
            }
            for (const QString &text : sentences(info, japanese)) {
                QVERIFY2(isJapanese(text), info.name);
                QVERIFY2(!text.contains(QChar(0x202e)), info.name);
            }
            const QString usual = sentences(info, japanese).first();
            QVERIFY2(englishIn(usual).isEmpty(), qPrintable(QLatin1String(info.name) + QLatin1String(": ") + usual));
        }
    }

    void numbersAndTimesAreWrittenAsTheReaderWritesThem()
    {
        const Reason reason = reasons::secondsOutOfRange("timeout", 1, 86'400, 0.5).reason;
        QCOMPARE(reasonText(reason, english), QStringLiteral("'timeout' must be 1 to 86,400 seconds; it was 0.5."));
        QCOMPARE(reasonText(reason, japanese), QStringLiteral("「timeout」には 1 から 86,400 までの秒数を指定してください。指定された値は 0.5 です。"));
        QCOMPARE(reasonText(reason, Format(QLocale(QLocale::German, QLocale::Germany))),
            QStringLiteral("'timeout' must be 1 to 86.400 seconds; it was 0,5."));
    }

    void aReasonOfANewerMasterKeepsItsEnglishSentence()
    {
        const Reason newer("of_a_newer_master", {{"a", QByteArray("b")}}, "It says\n{a}.");
        QCOMPARE(reasonText(newer, japanese), shown(newer.text));
    }
};

JUNBAN_TEST(TestReasonTexts)
#include "test_reasontexts.moc"
