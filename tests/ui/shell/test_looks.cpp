#include "core/msgpack/msgpackwriter.h"
#include "tests/support/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/base/format.h"
#include "ui/base/look.h"
#include "ui/base/palettes.h"
#include "ui/base/payloadtext.h"
#include "ui/base/preferences.h"
#include "ui/base/text.h"
#include "ui/inspector/jobinspector.h"
#include "ui/jobs/jobactions.h"
#include "ui/jobs/jobspage.h"
#include "ui/shell/windowstyle.h"
#include "ui/widgets/payloadmodel.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMetaEnum>
#include <QRadioButton>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QStyleOptionButton>
#include <QSvgRenderer>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <algorithm>

using namespace junban;
using namespace junban::ui;
using junban::test::WindowFixture;

namespace {

QString preview(MsgpackWriter &writer, qsizetype characters = 200)
{
    return payloadPreview(writer.take(), characters);
}

QByteArray jsonOf(MsgpackWriter &writer)
{
    return payloadJson(writer.take(), -1);
}

// What is the same in every language: names, numbers, keys, and data of the jobs in the fixture.
bool maySoundEnglish(const QString &text)
{
    static const QRegularExpression allowed(QStringLiteral(
        "^(|[^A-Za-z]*|Junban.*|Redis|ID|UTC|API|Qt .*|.*127\\.0\\.0\\.1.*|job\\.\\d+|curl [\\s\\S]*|int|map|str|[0-9a-f-]{36}|w-1"
        "|.*MessagePack.*"
        "|qt_.*|number|[-0-9:. ]+ UTC)$"));
    return allowed.match(text).hasMatch();
}

// Text with a word in Latin letters and none in the language.
bool isUntranslated(QString text)
{
    text.remove(QLatin1Char('&'));
    static const QRegularExpression word(QStringLiteral("[A-Za-z]{2,}"));
    static const QRegularExpression japanese(QStringLiteral("[\\x{3040}-\\x{30ff}\\x{4e00}-\\x{9fff}]"));
    return word.match(text).hasMatch() && !japanese.match(text).hasMatch() && !maySoundEnglish(text);
}

} // namespace

class TestLooks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hiddenCharactersAreShown_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("text");
        QTest::newRow("plain") << QByteArray("mail.send") << QStringLiteral("mail.send");
        QTest::newRow("Japanese") << QByteArray("請求書") << QStringLiteral("請求書");
        QTest::newRow("line end") << QByteArray("a\r\nb\t") << QStringLiteral("a↵b⇥");
        QTest::newRow("escape") << QByteArray("\x1b]8;;http://x\x07") << QStringLiteral("\\x1b]8;;http://x\\x07");
        QTest::newRow("C1") << QByteArray("\xc2\x9b" "1m") << QStringLiteral("\\x9b1m");
        QTest::newRow("bidi") << QByteArray("a\xe2\x80\xae" "fdp.exe") << QStringLiteral("a\\u202efdp.exe");
        QTest::newRow("isolate") << QByteArray("\xe2\x81\xa6x") << QStringLiteral("\\u2066x");
        QTest::newRow("zero width") << QByteArray("a\xe2\x80\x8b" "b") << QStringLiteral("a\\u200bb");
        QTest::newRow("no UTF-8") << QByteArray("ok\xff") << QStringLiteral("ok\\xff");
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << QStringLiteral("a\\x00b");
        QTest::newRow("beyond the first plane") << QByteArray("\xf0\x9f\x98\x80") << QString::fromUtf8("\xf0\x9f\x98\x80");
    }
    void hiddenCharactersAreShown()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, text);
        QCOMPARE(shown(bytes), text);
    }

    void tooltipsNeverTakeDataForMarkup()
    {
        QCOMPARE(plainTip(QStringLiteral("<b>&")), QStringLiteral("<qt>&lt;b&gt;&amp;</qt>"));
        QCOMPARE(plainTip({}), QString());
    }

    void boxesToCheckAreSeenInTheDarkLook()
    {
        WindowStyle style;
        const QPalette dark = darkPalette();
        QCheckBox box(QStringLiteral("box"));
        QRadioButton radio(QStringLiteral("radio"));
        for (QAbstractButton *button : {static_cast<QAbstractButton *>(&box), static_cast<QAbstractButton *>(&radio)}) {
            button->setStyle(&style);
            button->setPalette(dark);
            button->setAutoFillBackground(true);
            button->resize(button->sizeHint());
            QStyleOptionButton option;
            option.initFrom(button);
            const bool isBox = button == &box;
            const auto part = isBox ? QStyle::SE_CheckBoxIndicator : QStyle::SE_RadioButtonIndicator;
            const QRect frame = style.subElementRect(part, &option, button);
            const QImage image = button->grab().toImage();
            double best = 0;
            for (int x = frame.left(); x <= frame.left() + 1; ++x)
                best = std::max(best, contrast(image.pixelColor(x, frame.center().y()), dark.color(QPalette::Window)));
            QVERIFY2(best >= 3, qPrintable(QStringLiteral("%1: %2").arg(button->text()).arg(best)));
        }
    }

    void numbersOfSixtyFourBitsAreExact()
    {
        MsgpackWriter writer;
        writer.array(4).unsignedInteger(18'446'744'073'709'551'615ULL).integer(std::numeric_limits<qint64>::min());
        writer.integer(9'007'199'254'740'993).integer(-1);
        const QByteArray bytes = writer.take();
        QCOMPARE(payloadPreview(bytes, 200), QStringLiteral("[18446744073709551615, -9223372036854775808, 9007199254740993, -1]"));
        QCOMPARE(payloadJson(bytes, -1), QByteArray("[18446744073709551615,-9223372036854775808,9007199254740993,-1]"));
    }

    void everyKindOfValueHasAReversibleJson()
    {
        QCOMPARE(jsonOf(MsgpackWriter().map(1).text("a").binary("\x01\x02")), QByteArray(R"({"a":{"$bin":"AQI="}})"));
        QCOMPARE(jsonOf(MsgpackWriter().extension(5, "x")), QByteArray(R"({"$ext":[5,"eA=="]})"));
        QCOMPARE(jsonOf(MsgpackWriter().map(1).integer(1).nil()), QByteArray(R"({"$map":[[1,null]]})"));
        QCOMPARE(jsonOf(MsgpackWriter().map(1).text("$bin").nil()), QByteArray(R"({"$map":[["$bin",null]]})"));
        QCOMPARE(jsonOf(MsgpackWriter().map(2).text("a").nil().text("a").boolean(true)), QByteArray(R"({"$map":[["a",null],["a",true]]})"));
        QCOMPARE(jsonOf(MsgpackWriter().real(qQNaN())), QByteArray(R"({"$float":"NaN"})"));
        QCOMPARE(jsonOf(MsgpackWriter().text("\xff")), QByteArray(R"({"$str":"/w=="})"));
        QCOMPARE(jsonOf(MsgpackWriter().text("<日本>\n")), QByteArray("\"<日本>\\n\""));
        QCOMPARE(payloadJson("\xdd\xff\xff\xff\xff", -1), QByteArray());
    }

    void previewsAreShortAndSayThatTheyAre()
    {
        QCOMPARE(preview(MsgpackWriter().map(2).text("to").text("a\nb").text("n").integer(1)), QStringLiteral("{to: \"a↵b\", n: 1}"));
        MsgpackWriter large;
        large.array(100'000);
        for (int i = 0; i < 100'000; ++i)
            large.integer(i);
        const QString text = preview(large, 40);
        QCOMPARE(text.size(), 40);
        QVERIFY(text.endsWith(QChar(0x2026)));
        QVERIFY(payloadPreview("\x92\x01", 40).endsWith(QChar(0x2026)));
    }

    void typesAreNamedAsTheyAreEncoded_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("value");
        QTest::newRow("fixint") << QByteArray("\x07") << QStringLiteral("int") << QStringLiteral("7");
        QTest::newRow("uint8") << QByteArray("\xcc\x07") << QStringLiteral("uint8") << QStringLiteral("7");
        QTest::newRow("int16") << QByteArray("\xd1\xff\x00", 3) << QStringLiteral("int16") << QStringLiteral("-256");
        QTest::newRow("float32") << QByteArray("\xca\x3d\xcc\xcc\xcd") << QStringLiteral("float32") << QStringLiteral("0.1");
        QTest::newRow("float64") << QByteArray("\xcb\x40\0\0\0\0\0\0\0", 9) << QStringLiteral("float64") << QStringLiteral("2.0");
        QTest::newRow("bin") << QByteArray("\xc4\x02\x00\xff", 4) << QStringLiteral("bin") << QStringLiteral("00ff");
        QTest::newRow("timestamp") << QByteArray("\xd6\xff\x00\x00\x00\x01", 6) << QStringLiteral("timestamp")
                                   << QStringLiteral("1970-01-01T00:00:01.000000000Z");
        QTest::newRow("ext") << QByteArray("\xd4\x05\xab") << QStringLiteral("ext 5") << QStringLiteral("ab");
        QTest::newRow("nil") << QByteArray("\xc0") << QStringLiteral("nil") << QStringLiteral("nil");
    }
    void typesAreNamedAsTheyAreEncoded()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, type);
        QFETCH(QString, value);
        QCOMPARE(payloadType(bytes), type);
        QCOMPARE(payloadScalar(bytes, 100), value);
    }

    void aValueIsLookedIntoPieceByPiece()
    {
        MsgpackWriter writer;
        writer.map(2).text("list").array(1'000);
        for (int i = 0; i < 1'000; ++i)
            writer.integer(i);
        writer.array(1).nil().text("odd key");
        PayloadModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        tester.setUseFetchMore(false);
        model.setBytes(writer.take());
        const QModelIndex root = model.index(0, 0);
        QVERIFY(model.hasChildren(root));
        QCOMPARE(model.rowCount(root), 0);
        model.fetchMore(root);
        QCOMPARE(model.rowCount(root), 2);
        const QModelIndex list = model.index(0, 0, root);
        QCOMPARE(list.data().toString(), QStringLiteral("list"));
        for (int rows = PayloadModel::elementsAtOnce; model.canFetchMore(list); rows += PayloadModel::elementsAtOnce) {
            model.fetchMore(list);
            QCOMPARE(model.rowCount(list), std::min(rows, 1'000));
        }
        QCOMPARE(model.index(999, PayloadModel::Value, list).data().toString(), QStringLiteral("999"));
        QCOMPARE(model.index(1, PayloadModel::Key, root).data().toString(), QStringLiteral("[nil] (array)"));
        // The same bytes again leave everything open.
        const QPersistentModelIndex open(list);
        model.setBytes(QByteArray(model.bytes()));
        QVERIFY(open.isValid());
    }

    void brokenBytesAreATreeWithoutThem_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("cut short") << QByteArray("\x92\x01");
        QTest::newRow("a billion elements") << QByteArray("\xdd\xff\xff\xff\xff");
    }
    void brokenBytesAreATreeWithoutThem()
    {
        QFETCH(QByteArray, bytes);
        PayloadModel model;
        model.setBytes(bytes);
        QCOMPARE(model.rowCount(), 0);
    }

    void durationsAndTimesAreWrittenOut()
    {
        const Format format(QLocale(QStringLiteral("en")), TimesIn::Utc);
        QCOMPARE(format.rate(0.05), QStringLiteral("3.0/min"));
        QCOMPARE(format.rate(0.2), QStringLiteral("0.2/s"));
        QCOMPARE(format.duration(412), QStringLiteral("412 ms"));
        QCOMPARE(format.duration(3'240), QStringLiteral("3.2 s"));
        QCOMPARE(format.duration(11'948), QStringLiteral("12 s"));
        QCOMPARE(format.duration(59'600), QStringLiteral("1 m 00 s"));
        QCOMPARE(format.duration(62'000), QStringLiteral("1 m 02 s"));
        QCOMPARE(format.duration(3'599'900), QStringLiteral("1 h 00 m"));
        QCOMPARE(format.duration(7'620'000), QStringLiteral("2 h 07 m"));
        QCOMPARE(format.duration(100 * 3'600'000LL), QStringLiteral("4 d 4 h"));
        QCOMPARE(format.age(67'000), QStringLiteral("1 m 00 s"));
        QCOMPARE(format.span(30'000), QStringLiteral("30 s"));
        QCOMPARE(format.span(60'000), QStringLiteral("1 m"));
        QCOMPARE(format.span(90'000), QStringLiteral("1 m 30 s"));
        QCOMPARE(format.span(3'600'000), QStringLiteral("1 h"));
        QCOMPARE(format.span(25 * 3'600'000LL), QStringLiteral("1 d 1 h"));
        QCOMPARE(format.span(86'400'000), QStringLiteral("1 d"));
        QCOMPARE(format.count(12'480), QStringLiteral("12,480"));
        QCOMPARE(format.shortCount(2'100'000), QStringLiteral("2.10M"));
        QCOMPARE(format.tinyCount(999), QStringLiteral("999"));
        QCOMPARE(format.tinyCount(9'999), QStringLiteral("9,999"));
        QCOMPARE(format.tinyCount(12'480), QStringLiteral("12k"));
        const Format japanese(QLocale(QStringLiteral("ja")), TimesIn::Utc);
        QCOMPARE(japanese.tinyCount(9'999), QStringLiteral("9,999"));
        QCOMPARE(japanese.tinyCount(12'480), QStringLiteral("1.2万"));
        QCOMPARE(japanese.shortCount(12'480), QStringLiteral("12,480"));
        QCOMPARE(japanese.shortCount(955'125), QStringLiteral("95.5万"));
        QCOMPARE(japanese.shortCount(21'000'000), QStringLiteral("2,100万"));
        QCOMPARE(japanese.shortCount(213'000'000), QStringLiteral("2.13億"));
        QCOMPARE(format.dateTime(1'767'322'800'412), QStringLiteral("2026-01-02 03:00:00.412 UTC"));
        QCOMPARE(format.dateTime(0), QString());
    }

    // A system may have Japanese messages and English or no names of days.
    void numbersAndDaysAreInTheLanguageOfTheTexts()
    {
        const auto day = [](const QStringList &languages) {
            const Format format(Preferences::localeOfTexts(languages), TimesIn::Utc);
            constexpr qint64 monday_ms = 1'767'578'400'000;
            return format.timeIn("UTC", monday_ms, monday_ms);
        };
        QCOMPARE(day({QStringLiteral("ja"), QStringLiteral("ja-Jpan-JP")}), QStringLiteral("月 02:00:00 UTC"));
        QCOMPARE(day({QStringLiteral("fr-FR"), QStringLiteral("ja-JP"), QStringLiteral("en")}), QStringLiteral("月 02:00:00 UTC"));
        QCOMPARE(day({QStringLiteral("en-GB"), QStringLiteral("ja")}), QStringLiteral("Mon 02:00:00 UTC"));
        QCOMPARE(day({QStringLiteral("de-DE")}), QStringLiteral("Mon 02:00:00 UTC")); // all texts are English then
        QCOMPARE(day({QStringLiteral("C")}), QStringLiteral("Mon 02:00:00 UTC"));
        QCOMPARE(Format(Preferences::localeOfTexts({}), TimesIn::Utc).count(12'480), QStringLiteral("12,480"));
        QTemporaryDir folder;
        const Preferences preferences(folder.filePath(QStringLiteral("console.ini")));
        QCOMPARE(preferences.locale(), Preferences::localeOfTexts(QLocale::system().uiLanguages()));
    }

    void everyTimeHasItsZone()
    {
        const Format utc(QLocale(QStringLiteral("en")), TimesIn::Utc);
        constexpr qint64 at_ms = 1'767'578'400'000; // Monday
        QCOMPARE(utc.time(at_ms), QStringLiteral("02:00:00 UTC"));
        QCOMPARE(utc.timeToday(at_ms, at_ms), QStringLiteral("02:00:00 UTC"));
        QCOMPARE(utc.timeToday(at_ms, at_ms + 86'400'000), QStringLiteral("2026-01-05 02:00:00 UTC"));
        QCOMPARE(utc.timeInColumn(at_ms, at_ms), QStringLiteral("02:00:00")); // the title has the zone
        QCOMPARE(utc.columnTitle(QStringLiteral("Ended"), at_ms), QStringLiteral("Ended (UTC)"));
        QCOMPARE(utc.timeIn("UTC", at_ms, at_ms), QStringLiteral("Mon 02:00:00 UTC"));
        QCOMPARE(utc.timeIn("Asia/Tokyo", at_ms, at_ms), QStringLiteral("Mon 11:00:00 Asia/Tokyo = 02:00:00 UTC"));
        constexpr qint64 early_ms = at_ms - 4 * 3'600'000;
        QCOMPARE(utc.timeIn("Asia/Tokyo", early_ms, at_ms), QStringLiteral("Mon 07:00:00 Asia/Tokyo = 2026-01-04 22:00:00 UTC"));
        QCOMPARE(utc.timeIn("Europe/Berlin", early_ms, at_ms), QStringLiteral("2026-01-04 Sun 23:00:00 Europe/Berlin = 22:00:00 UTC"));
        QCOMPARE(utc.timeIn("Nowhere/Land", at_ms, at_ms), QStringLiteral("02:00:00 UTC"));
        qputenv("TZ", "Asia/Tokyo");
        const auto back = qScopeGuard([] {
            qunsetenv("TZ");
            tzset();
        });
        tzset();
        const Format local(QLocale(QStringLiteral("en")), TimesIn::Local);
        QCOMPARE(local.time(at_ms), QStringLiteral("11:00:00 UTC+9"));
        QCOMPARE(local.timeIn("Asia/Tokyo", at_ms, at_ms), QStringLiteral("Mon 11:00:00 Asia/Tokyo"));
    }

    void theLastAttemptIsNeverBeforeTheFirst()
    {
        const auto possible = [](JobState state, int attempt, int failures, int maxRetry) {
            Job job;
            job.state = state;
            job.attempt = attempt;
            job.failures = failures;
            job.spec.maxRetry = maxRetry;
            return Look::attemptsPossible(job);
        };
        QCOMPARE(possible(JobState::Ready, 0, 0, 4), 5);
        QCOMPARE(possible(JobState::Running, 1, 0, 4), 5);
        QCOMPARE(possible(JobState::Scheduled, 2, 2, 4), 5);
        QCOMPARE(possible(JobState::Failed, 5, 5, 4), 5);
        QCOMPARE(possible(JobState::Failed, 1, 1, 4), 5); // it said that it should not be retried
        QCOMPARE(possible(JobState::Running, 2, 0, 0), 2); // an operator's retry
        QCOMPARE(possible(JobState::Ready, 1, 0, 0), 2);
        QCOMPARE(possible(JobState::Succeeded, 2, 0, 0), 2);
        QCOMPARE(possible(JobState::Running, 3, 0, 2), 5);
    }

    void countsInSentencesAreWrittenAsOthers()
    {
        for (const char *language : {"en", "ja"}) {
            QFile file(QStringLiteral(JUNBAN_SOURCE "/resources/i18n/junban_%1.ts").arg(QLatin1String(language)));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY(!QRegularExpression(QStringLiteral("%n\\b")).match(QString::fromUtf8(file.readAll())).hasMatch()); // not grouped: 5016
        }
    }

    void statesCanBeReadInBothPalettes()
    {
        for (const QPalette &palette : {lightPalette(), darkPalette()}) {
            for (const QPalette::ColorRole role : {QPalette::Base, QPalette::AlternateBase, QPalette::Window}) {
                const QColor ground = palette.color(role);
                for (const JobState state : Look::states())
                    QVERIFY2(contrast(Look::color(state, palette), ground) >= 4.5, qPrintable(Look::word(state)));
                QVERIFY(contrast(Look::amber(palette), ground) >= 4.5);
                QVERIFY(contrast(palette.color(QPalette::Text), ground) >= 7);
                QVERIFY(contrast(palette.color(QPalette::PlaceholderText), ground) >= 4.5);
                QVERIFY(contrast(palette.color(QPalette::Link), ground) >= 4.5);
            }
            QVERIFY(contrast(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >= 4.5);
            const QPalette tinted = tintedSelection(palette);
            QVERIFY(contrast(palette.color(QPalette::Active, QPalette::Text), tinted.color(QPalette::Active, QPalette::Highlight)) >= 4.5);
            QVERIFY(contrast(Look::red(palette), tinted.color(QPalette::Active, QPalette::Highlight)) >= 4.5);
            QVERIFY(contrast(palette.color(QPalette::ButtonText), palette.color(QPalette::Button)) >= 4.5);
        }
    }

    void everyStateHasItsOwnWordAndIcon()
    {
        QSet<QString> words;
        QSet<Icon> icons;
        for (const JobState state : Look::states()) {
            words.insert(Look::word(state));
            icons.insert(Look::iconOf(state));
            QVERIFY(!Look::icon(state).pixmap(QSize(32, 32)).isNull());
        }
        QCOMPARE(words.size(), Look::states().size());
        QCOMPARE(icons.size(), Look::states().size());
    }

    // At twice the dots, as on a fine screen.
    void everyIconIsDrawnInThePalettesColours_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void everyIconIsDrawnInThePalettesColours()
    {
        QFETCH(bool, dark);
        const QPalette before = QGuiApplication::palette();
        const auto restore = qScopeGuard([&] { QGuiApplication::setPalette(before); });
        QGuiApplication::setPalette(dark ? darkPalette() : lightPalette());
        const std::pair<QIcon::Mode, QColor> modes[] = {
            {QIcon::Normal, QGuiApplication::palette().color(QPalette::Active, QPalette::WindowText)},
            {QIcon::Disabled, QGuiApplication::palette().color(QPalette::Disabled, QPalette::WindowText)},
            {QIcon::Selected, QGuiApplication::palette().color(QPalette::Active, QPalette::WindowText)}};
        const QMetaEnum names = QMetaEnum::fromType<Icon>();
        QSet<QByteArray> drawn;
        for (int i = 0; i < names.keyCount(); ++i) {
            for (const auto &[mode, color] : modes) {
                const QPixmap pixmap = Look::icon(Icon(names.value(i))).pixmap(QSize(16, 16), 2, mode);
                QCOMPARE(pixmap.size(), QSize(32, 32));
                const QImage image = pixmap.toImage().convertToFormat(QImage::Format_ARGB32);
                int full = 0;
                for (int y = 0; y < image.height(); ++y) {
                    for (int x = 0; x < image.width(); ++x) {
                        const QColor dot = image.pixelColor(x, y);
                        if (dot.alpha() < 255)
                            continue;
                        ++full;
                        for (const int off : {dot.red() - color.red(), dot.green() - color.green(), dot.blue() - color.blue()})
                            QVERIFY2(std::abs(off) <= 2, names.key(i)); // lines that overlap round twice
                        QVERIFY2(x > 0 && y > 0 && x < 31 && y < 31, names.key(i)); // nothing is cut off
                    }
                }
                QVERIFY2(full >= 20, names.key(i));
                if (mode == QIcon::Normal)
                    drawn.insert(QByteArray(reinterpret_cast<const char *>(image.constBits()), image.sizeInBytes()));
            }
        }
        QCOMPARE(drawn.size(), names.keyCount()); // no two are the same
    }

    void everyIconsFileIsNamed()
    {
        QSet<QString> files, wanted{QStringLiteral("junban.svg")};
        for (const QString &file : QDir(QStringLiteral(":/icons")).entryList())
            files.insert(file);
        const QMetaEnum names = QMetaEnum::fromType<Icon>();
        for (int i = 0; i < names.keyCount(); ++i)
            wanted.insert(QString::fromLatin1(names.key(i)).toLower() + QLatin1String(".svg"));
        QCOMPARE(files, wanted);
        for (const QString &file : wanted)
            QVERIFY2(QSvgRenderer(QLatin1String(":/icons/") + file).isValid(), qPrintable(file));
        QVERIFY(!QIcon(QStringLiteral(":/icons/junban.svg")).pixmap(QSize(64, 64)).isNull());
    }

    void everyTextIsTranslated()
    {
        QFile file(QStringLiteral(JUNBAN_SOURCE "/resources/i18n/junban_ja.ts"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QXmlStreamReader reader(&file);
        int translations = 0;
        while (!reader.atEnd()) {
            if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("translation")) {
                QVERIFY2(!reader.attributes().hasAttribute(QLatin1String("type")), "a translation is unfinished or obsolete");
                ++translations;
            }
        }
        QVERIFY(!reader.hasError());
        QVERIFY(translations > 250);
    }

    // What the tools cannot know: texts that never went through tr().
    void nothingInTheJapaneseWindowSpeaksEnglish()
    {
        WindowFixture fixture("ja");
        Job job = WindowFixture::job(1, JobState::Running);
        job.worker = "w-1";
        fixture.jobs = {job, WindowFixture::job(2, JobState::Failed)};
        QVERIFY(fixture.openLive());
        MainWindow &window = fixture.window();
        window.showScreen(MainWindow::Screen::Jobs);
        window.openJob(job.id);
        QTRY_VERIFY(window.inspector()->job().has_value());
        QTRY_COMPARE(window.jobsPage()->list().model().rowCount(), 2);
        QStringList english;
        const auto look = [&](const QString &text, const QObject *where) {
            if (isUntranslated(text))
                english.append(QLatin1String(where->metaObject()->className()) + QLatin1String(": ") + text);
        };
        for (const QLabel *label : window.findChildren<QLabel *>())
            look(label->text(), label);
        for (const QAbstractButton *button : window.findChildren<QAbstractButton *>()) {
            look(button->text(), button);
            look(button->accessibleName(), button);
            look(button->toolTip(), button);
        }
        for (const QLineEdit *edit : window.findChildren<QLineEdit *>()) {
            look(edit->placeholderText(), edit);
            look(edit->accessibleName(), edit);
        }
        for (const QAction *action : window.findChildren<QAction *>())
            look(action->text(), action);
        for (const QMenu *menu : window.findChildren<QMenu *>())
            look(menu->title(), menu);
        for (const QTabBar *tabs : window.findChildren<QTabBar *>()) {
            for (int tab = 0; tab < tabs->count(); ++tab)
                look(tabs->tabText(tab), tabs);
        }
        for (const QHeaderView *header : window.findChildren<QHeaderView *>()) {
            for (int section = 0; header->orientation() == Qt::Horizontal && header->model() && section < header->count(); ++section)
                look(header->model()->headerData(section, Qt::Horizontal).toString(), header);
        }
        QCOMPARE(english.join(QLatin1Char('\n')), QString());
    }

    void whatHasNoTextHasANameForThoseWhoHear()
    {
        WindowFixture fixture;
        fixture.jobs = {WindowFixture::job(1)};
        QVERIFY(fixture.openLive());
        MainWindow &window = fixture.window();
        window.showScreen(MainWindow::Screen::Jobs);
        QStringList unnamed;
        const auto look = [&](const QWidget *widget) {
            // Qt's own pieces of a table and of an input line take no focus and speak through these.
            const QLatin1String name(widget->metaObject()->className());
            const bool qts = name == QLatin1String("QTableCornerButton") || name == QLatin1String("QLineEditIconButton");
            if (widget->accessibleName().isEmpty() && !widget->isHidden() && !qts)
                unnamed.append(name);
        };
        for (const QAbstractButton *button : window.findChildren<QAbstractButton *>()) {
            if (button->text().isEmpty() && button->toolTip().isEmpty())
                look(button);
            // An icon alone says nothing, whatever its tooltip.
            if (button->text().isEmpty() && !button->icon().isNull() && button->focusPolicy() != Qt::NoFocus)
                look(button);
        }
        for (const QLineEdit *edit : window.findChildren<QLineEdit *>())
            look(edit);
        for (const QAbstractItemView *view : window.findChildren<QAbstractItemView *>()) {
            if (!qobject_cast<const QHeaderView *>(view))
                look(view);
        }
        QCOMPARE(unnamed.join(QLatin1Char('\n')), QString());
    }

    void noTwoActionsHaveOneKey()
    {
        WindowFixture fixture;
        QVERIFY(fixture.openLive());
        QHash<QKeySequence, QString> seen;
        for (const QAction *action : fixture.window().findChildren<QAction *>()) {
            for (const QKeySequence &key : action->shortcuts()) {
                QVERIFY2(!seen.contains(key), qPrintable(key.toString() + QLatin1String(": ") + action->text()));
                seen.insert(key, action->text());
            }
        }
        QVERIFY(seen.size() >= 10);
    }

    void noTwoEntriesOfAMenuHaveOneLetter_data()
    {
        QTest::addColumn<QByteArray>("language");
        QTest::newRow("English") << QByteArray("en");
        QTest::newRow("Japanese") << QByteArray("ja");
    }

    void noTwoEntriesOfAMenuHaveOneLetter()
    {
        QFETCH(QByteArray, language);
        WindowFixture fixture(language.constData());
        QVERIFY(fixture.openLive());
        QStringList clashes;
        const auto check = [&clashes](const QList<QAction *> &entries) {
            QHash<QKeySequence, QString> seen;
            for (const QAction *entry : entries) {
                const QKeySequence letter = QKeySequence::mnemonic(entry->text());
                if (letter.isEmpty() || !entry->isVisible())
                    continue;
                if (seen.contains(letter))
                    clashes.append(seen[letter] + QStringLiteral(" = ") + entry->text());
                seen.insert(letter, entry->text());
            }
            return seen.size();
        };
        QMenuBar *bar = fixture.window().menuBar();
        QCOMPARE(check(bar->actions()), bar->actions().size());
        for (const QAction *entry : bar->actions())
            QVERIFY(check(entry->menu()->actions()) >= 3);
        QCOMPARE(clashes.join(QLatin1Char('\n')), QString());
    }

    void theLetterOfALabelLeadsToItsField_data()
    {
        QTest::addColumn<QString>("entry");
        for (const char *entry : {"&Pause…", "&New JobMatcher…", "&New job…", "New sc&hedule…", "New to&ken…"})
            QTest::newRow(entry) << QString::fromUtf8(entry);
    }

    void theLetterOfALabelLeadsToItsField()
    {
        QFETCH(QString, entry);
        WindowFixture fixture;
        QVERIFY(fixture.openLive());
        const QList<QAction *> actions = fixture.window().findChildren<QAction *>();
        const auto action = std::find_if(actions.begin(), actions.end(), [&](const QAction *each) { return each->text() == entry; });
        QVERIFY(action != actions.end());
        (*action)->trigger();
        auto *dialog = fixture.window().findChild<QDialog *>();
        QVERIFY(dialog);
        int letters = 0;
        for (const QLabel *label : dialog->findChildren<QLabel *>()) {
            if (QKeySequence::mnemonic(label->text()).isEmpty())
                continue;
            ++letters;
            QVERIFY2(label->buddy(), qPrintable(label->text()));
            QVERIFY2(label->buddy()->focusPolicy() & Qt::TabFocus, qPrintable(label->text()));
        }
        QVERIFY(letters >= 2);
        dialog->deleteLater();
    }

    void noLabelTakesDataForMarkup()
    {
        WindowFixture fixture;
        Job job = WindowFixture::job(1, JobState::Failed);
        job.spec.name = "<h1>name</h1>";
        job.message = "<img src=http://192.0.2.1/x>";
        job.worker = "<b>w</b>";
        fixture.jobs = {job};
        QVERIFY(fixture.openLive());
        MainWindow &window = fixture.window();
        window.showScreen(MainWindow::Screen::Jobs);
        window.openJob(job.id);
        QTRY_VERIFY(window.inspector()->job().has_value());
        int withMarks = 0;
        for (const QLabel *label : window.findChildren<QLabel *>()) {
            if (label->text().contains(QLatin1Char('<'))) {
                ++withMarks;
                QCOMPARE(label->textFormat(), Qt::PlainText);
            }
        }
        QVERIFY(withMarks >= 3);
    }
};

JUNBAN_TEST(TestLooks)
#include "test_looks.moc"
