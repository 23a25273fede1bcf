#include "core/access/scope.h"
#include "core/access/tokenfields.h"
#include "core/calendar/cron.h"
#include "core/calendar/timezone.h"
#include "core/calendar/windows.h"
#include "core/cel/compile.h"
#include "core/cel/evaluation.h"
#include "core/jobs/jobcalls.h"
#include "core/jobs/jobfields.h"
#include "core/jobs/operation.h"
#include "core/jobs/schedulefields.h"
#include "core/jobs/worker.h"
#include "core/limits/jobvariables.h"
#include "core/limits/limitrequests.h"
#include "core/limits/matcherset.h"
#include "core/msgpack/json.h"
#include "core/redis/replies.h"
#include "core/redis/trouble.h"
#include "tests/support/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/base/mastertexts.h"
#include "ui/base/text.h"
#include "ui/shell/mainwindow.h"
#include "ui/widgets/banner.h"

#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QTranslator>

using namespace junban;
using namespace junban::ui;
using junban::test::WindowFixture;

namespace {

constexpr cel::Cause lastCause = cel::Cause::TooMuchMemory;

class NoValues : public cel::Bindings
{
public:
    cel::Value variable(qint32) const override { return cel::Value::error(cel::Cause::UnboundVariable); }
};

bool isJapanese(const QString &text)
{
    static const QRegularExpression japanese(QStringLiteral("[\\x{3041}-\\x{30ff}\\x{4e00}-\\x{9fff}]"));
    return text.contains(japanese);
}

// What stands between the parts of a template.
QStringList literalsOf(const QString &text)
{
    static const QRegularExpression part(QStringLiteral("%[1-9]"));
    return text.split(part, Qt::SkipEmptyParts);
}

// The English of any template that is still in the text; single words are also names.
QString englishIn(const QString &text)
{
    for (const MasterTemplate &each : masterTemplates()) {
        for (const QString &literal : literalsOf(QString::fromUtf8(each.text))) {
            if (literal.trimmed().contains(QLatin1Char(' ')) && text.contains(literal.trimmed()))
                return literal;
        }
    }
    return {};
}

QByteArray partFor(const MasterTemplate &of, int number, bool translated)
{
    if (number != of.which)
        return "x" + QByteArray::number(number);
    switch (of.special) {
    case MasterTemplate::Part::Sentence: return translated ? QByteArray("式が空です。") : QByteArray("The expression is empty.");
    case MasterTemplate::Part::Choice: return translated ? QByteArray("a\" または \"b") : QByteArray("a\" or \"b");
    case MasterTemplate::Part::Word: return translated ? QByteArray("実行待ち") : QByteArray("ready");
    case MasterTemplate::Part::Plain: break;
    }
    return "x";
}

QByteArray filled(QByteArray text, const MasterTemplate &of, bool translated)
{
    for (int number = 1; number <= 9; ++number)
        text.replace('%' + QByteArray::number(number), partFor(of, number, translated));
    return text;
}

template<typename T>
void refused(QList<QByteArray> &messages, const Result<T> &result)
{
    messages.append(result.ok() ? QByteArray("(nothing is wrong)") : result.error().message);
}

template<typename T>
void refusedAll(QList<QByteArray> &messages, const TableOf<T> &table, const QByteArrayList &bodies)
{
    for (const QByteArray &body : bodies)
        refused(messages, unpackRequest(table, *json::toMsgpack(body)));
}

QList<QByteArray> problemsOf(QByteArrayView expression, const cel::Environment &environment, cel::Mode mode = cel::Mode::Checked,
    cel::Wanted wanted = cel::Wanted::Boolean)
{
    QList<QByteArray> messages;
    const cel::Compiled compiled = cel::compile(expression, environment, mode, wanted);
    for (const cel::Problem &problem : compiled.problems)
        messages.append(problem.message);
    if (!compiled.program)
        return messages;
    cel::Evaluation evaluation;
    const cel::Value value = evaluation.evaluate(*compiled.program, NoValues());
    if (value.isError())
        messages.append(compiled.program->explain(value).message);
    return messages;
}

QList<QByteArray> wrongExpressions()
{
    QList<QByteArray> messages;
    const QByteArrayList wrong = {"", "99999999999999999999", "1e999", "1a", "a.`b", "a.`b\"`", "a.``", "'a", "'a\n'", "'\\x1'",
        "b'\\u0041'", "'\\u12'", "'\\U12'", "'\\ud800\\u0041'", "'\\ud800'", "'\\q'", "job.name = 'a'", "true & true", "true | true",
        "true;", "true # false", "true and true", "true or true", "not true", "true not true", "job.argument{}", "true &&", "1 2",
        "true ? 1", "job.tags[1", "job.name.", "job.name.in", "`a`", ".1.", "(true", ") == 1", "while", "9223372036854775808", "{'a' 1}",
        "{'a': 1", "size(1,)", "[1", "size(1", "has(job)", "[1].all(1, true)", "x == 1", "name == 'a'", "job.nmae == 'a'",
        "job.name.startswith('a')", "nothing()", "startsWith(job.name, 'a')", "job.name.size(1, 2)", "size(job.name, 1) == 2",
        "job.name.matches('(')", "size('a')", "job.state == 'ready'", QByteArray(200, '(') + "1",
        QByteArray("true||").repeated(300) + "true", QByteArray(5'000, ' ') + "1", "'\xff'", "job.name.string()", "{1.5: 1}[1]", "[1][2]",
        "{'a': 1}['b']", "{'a': 1}.b == 1", "1 / 0 == 1", "9223372036854775807 + 1 == 1", "'a' + 1 == 1", "{'a': 1, 'a': 2} == 1",
        "int('x') == 1", "timestamp('2026-01-01T00:00:00Z').getHours('Mars/City') == 1"};
    for (const QByteArray &expression : wrong)
        messages += problemsOf(expression, cel::matcherEnvironment());
    messages += problemsOf("'a'", cel::matcherEnvironment(), cel::Mode::Checked, cel::Wanted::Number);
    messages += problemsOf("job.held_by == ''", cel::searchEnvironment());
    messages += problemsOf("job.id == ''", cel::groupEnvironment());
    messages += problemsOf("nothing() || x", {}, cel::Mode::Lenient);
    for (int cause = 0; cause <= int(lastCause); ++cause)
        messages.append(cel::causeSentence(cel::Cause(cause)));
    return messages;
}

QList<QByteArray> wrongMatchers()
{
    QList<QByteArray> messages;
    const auto matcher = [&](const QByteArray &constraint, const QByteArray &more = {}) {
        const QByteArray json = "{\"title\": \"a\", \"expression\": \"true\", \"constraints\": [" + constraint + ']' + more + '}';
        refused(messages, JobMatcher::fromMsgpack("a", *json::toMsgpack(json)));
    };
    for (const char *constraint : {"1", "{}", R"({"kind": "speed"})",
         R"({"kind": "rate", "limit": 5, "per": 1, "algorithm": "fixed", "burst": 2})",
         R"({"kind": "rate", "limit": 5, "per": 1, "tz": "UTC"})", R"({"kind": "rate", "limit": 999999, "per": 1, "algorithm": "sliding"})",
         R"({"kind": "rate", "limit": 5, "per": 1, "algorithm": "best"})", R"({"kind": "rate", "limit": 0, "per": 1})",
         R"({"kind": "concurrency", "limit": 1, "by": 1})", R"({"kind": "concurrency", "limit": 1, "overrides": {"a": {"limit": 2}}})",
         R"({"kind": "concurrency", "limit": 1, "cost": ""})", R"({"kind": "concurrency", "limit": 1, "expires_at": "soon"})",
         R"({"kind": "set"})", R"({"kind": "set", "by": ["1"], "priority": 1})", R"({"kind": "fair"})", R"({"kind": "fair", "by": []})",
         R"({"kind": "window"})", R"({"kind": "window", "allow": [{"from": "25:00", "to": "01:00"}]})",
         R"({"kind": "window", "allow": [{"from": "10:00", "to": "11:00", "dates": ["x"]}]})",
         R"({"kind": "window", "allow": [{"from": "10:00", "to": "11:00"}], "tz": "Mars/City"})",
         R"({"kind": "breaker", "failures": 0.5, "min_calls": 1, "per": 60, "open_for": 60, "max_open": 1})",
         R"({"kind": "concurrency", "limit": 1, "id": "."})",
         R"({"kind": "concurrency", "limit": 1, "id": "b"}, {"kind": "concurrency", "limit": 1, "id": "b"})"})
        matcher(constraint);
    for (const char *more : {", \"rank\": 1.5", ", \"exempts\": [\".\"]", ", \"mask\": [\"x\"]", ", \"enabled\": 1", ", \"fast\": true"})
        matcher({}, more);
    refused(messages, JobMatcher::fromMsgpack("", "\x80"));
    refused(messages, JobMatcher::fromMsgpack("a", "\x81"));
    refused(messages, JobMatcher::fromMsgpack("a", "\x90"));
    refusedAll(messages, pauseTable, {R"({"match": "", "reason": "a"})", "{}"});
    refusedAll(messages, previewTable, {R"({"expression": "true", "id": ".", "test": {}})"});
    return messages;
}

QList<QByteArray> wrongJobs()
{
    QList<QByteArray> messages;
    refusedAll(messages, newJobTable, {"1", "{}", R"({"name": ""})", R"({"name": 1})", R"({"name": "a\n"})",
        R"({"name": "a", "priority": "x"})", R"({"name": "a", "timeout": 0})", R"({"name": "a", "keep_result": 1})",
        R"({"name": "a", "run_at": "x"})", R"({"name": "a", "tags": 1})", R"({"name": "a", "size": 1})",
        R"({"name": "a", "depends_on": ["x"]})", R"({"name": "a", "delay": 1, "run_at": "2026-01-01T00:00:00Z"})",
        R"({"name": "a", "then": [{"name": "b", "idempotency_key": "c"}]})", R"({"name": "a", "backoff": {"base": 10, "max": 1}})",
        R"({"name": "a", "on_dependency_failure": "x"})", R"({"name": "a", "windows": [{"from": "1"}]})",
        R"({"name": "a", "windows": [{"from": "01:00", "to": "02:00", "days": []}]})"});
    refusedAll(messages, jobEditTable, {"{}"});
    refusedAll(messages, reportTable, {R"({"type": "success", "reason": "other"})", R"({"type": "failure"})"});
    refusedAll(messages, claimQueryTable, {R"({"names": []})"});
    refusedAll(messages, newWorkerTable, {R"({"url": "ftp://x", "names": ["a"]})"});
    refusedAll(messages, newScheduleTable, {R"({"job": {"name": "a"}})", R"({"cron": "@daily", "every": 60, "job": {"name": "a"}})",
        R"({"every": 60, "tz": "UTC", "job": {"name": "a"}})", R"({"cron": "1 2", "job": {"name": "a"}})",
        R"({"cron": "@daily", "anchor": "2026-01-01T00:00:00Z", "job": {"name": "a"}})",
        R"({"cron": "@daily", "job": {"name": "a", "idempotency_key": "b"}})",
        R"({"cron": "@daily", "tz": "Mars/City", "job": {"name": "a"}})"});
    refusedAll(messages, newOperationTable, {"{}", R"({"dry_run": true})", R"({"dry_run": true, "action": "retry"})",
        R"({"dry_run": true, "action": "set", "state": "ready"})", R"({"token": "a", "state": "ready"})",
        R"({"dry_run": true, "action": "retry", "match": ""})"});
    for (const char *cron : {"", "@never", "61 * * * *", "5-1 * * * *", "*/99 * * * *", "* * * FOO *", "0 0 31 2 *"})
        refused(messages, Cron::parse(cron, "cron"));
    refused(messages, TimeZone::named("Mars/City", "tz"));
    refused(messages, windowsFromMsgpack("\x80", "windows"));
    for (const char *json : {"", "{", R"({"a": 1, "a": 2})", "99999999999999999999", R"({"$x": 1})", R"({"$bin": 1})", R"({"$map": [1]})",
         "\"\xff\""})
        refused(messages, json::toMsgpack(json));
    return messages;
}

QList<QByteArray> wrongAccessAndStore()
{
    QList<QByteArray> messages;
    refusedAll(messages, newTokenTable, {R"({"title": "a", "roles": []})", R"({"title": "a", "roles": ["viewer", "viewer"]})",
        R"({"title": "a", "roles": ["boss"]})", R"({"title": "a", "roles": ["worker"], "match": "true"})"});
    TokenSpec spec;
    spec.names = {"a*b"};
    refused(messages, Scope::of(spec));
    spec.names.clear();
    spec.match = "job.name ==";
    refused(messages, Scope::of(spec));
    for (const char *reply : {"OOM command not allowed", "READONLY no", "LOADING Redis", "NOPERM no", "MISCONF disk", "ERR odd"})
        messages.append(redis::errorOf(reply).message);
    for (const char *word : {"LEASE_LOST", "NOT_FOUND", "CONFLICT", "CHANGED", "FAILED_OFTEN 3", "UNIQUE", "GROUP", "KEY_USED",
         "BACKLOG_FULL 1 a", "IDEMPOTENCY_MISMATCH", "ODD"})
        messages.append(redis::errorOfWord(word).message);
    return messages;
}

// Texts of the sources that are no sentences for the window: of logs and options, and of HTTP itself.
bool isForOthers(const QString &text)
{
    static const QRegularExpression others(QStringLiteral(
        "boolean or text|^ cannot be read: it was changed in Redis|nobody is let in without one|^ callers from this machine|'_' or '-'$|"
        "^this namespace has tokens|and this master knows none of them$|^ERR Function|OpenAPI document|HTTP/1\\.1|Connection: close|"
        "charset=|'(none|self)'; |^Bearer |filename="));
    return text.contains(others);
}

bool isOfATemplate(const QString &text)
{
    for (const MasterTemplate &each : masterTemplates()) {
        if (QString::fromUtf8(each.text).contains(text.trimmed()))
            return true;
    }
    return isJapanese(masterSentence(text.toUtf8()));
}

// The texts of a source file that read like sentences.
QStringList sentencesIn(const QString &path)
{
    static const QRegularExpression literal(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
    static const QRegularExpression log(QStringLiteral("qWarning|qCritical|qInfo|qFatal"));
    static const QRegularExpression words(QStringLiteral("[a-z,;:.']{2} [a-z(']")), comment(QStringLiteral("(?<=[;{,)]) *// .*$"));
    QFile file(path);
    QStringList sentences;
    if (!file.open(QIODevice::ReadOnly))
        return {path}; // is no sentence of a template
    const QStringList lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
    for (QString line : lines) {
        const QString begin = line.trimmed();
        if (begin.startsWith(QLatin1String("//")) || begin.startsWith(QLatin1Char('#')) || begin.startsWith(QLatin1String("static_assert"))
            || line.contains(log))
            continue;
        for (auto at = literal.globalMatch(line.remove(comment)); at.hasNext();) {
            QString text = at.next().captured(1);
            text.replace(QLatin1String("\\\""), QLatin1String("\"")).replace(QLatin1String("\\\\"), QLatin1String("\\"));
            if (text.size() >= 8 && text.contains(words))
                sentences.append(text);
        }
    }
    return sentences;
}

} // namespace

class TestMasterTexts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_japanese.load(QStringLiteral(":/i18n/junban_ja.qm"))); }
    void cleanup() { QCoreApplication::removeTranslator(&m_japanese); }

    void everyTemplateIsTranslatedAndFoundByItsSentence()
    {
        QCoreApplication::installTranslator(&m_japanese);
        QVERIFY(masterTemplates().size() > 300);
        for (const MasterTemplate &each : masterTemplates()) {
            const QString translation = QCoreApplication::translate("MasterTexts", each.text);
            QVERIFY2(isJapanese(translation), each.text);
            QCOMPARE(masterSentence(filled(each.text, each, false)), QString::fromUtf8(filled(translation.toUtf8(), each, true)));
            for (int number = 1, at = 0; QByteArrayView(each.text).contains('%' + QByteArray::number(number)); ++number) {
                const auto next = int(QByteArrayView(each.text).indexOf('%' + QByteArray::number(number)));
                QVERIFY2(next >= at, each.text); // the parts are numbered as they come
                at = next;
            }
        }
        for (const char *word : masterWords())
            QVERIFY2(isJapanese(QCoreApplication::translate("MasterTexts", word)), word);
    }

    void whatTheCodeSaysComesOutInJapanese()
    {
        QCoreApplication::installTranslator(&m_japanese);
        const QList<QByteArray> messages = wrongExpressions() + wrongMatchers() + wrongJobs() + wrongAccessAndStore();
        QVERIFY(messages.size() > 170);
        for (const QByteArray &message : messages) {
            const QString text = masterSentence(message);
            QVERIFY2(isJapanese(text), message.constData());
            const QString english = englishIn(text);
            QVERIFY2(english.isEmpty(), qPrintable(text + QLatin1String(" has: ") + english));
        }
    }

    // Each expression of the conformance cases, and each of its beginnings.
    void noFaultOfAnExpressionIsUnknown()
    {
        QCoreApplication::installTranslator(&m_japanese);
        QFile file(QStringLiteral(JUNBAN_SOURCE "/tests/core/cel/conformance.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QSet<QByteArray> messages;
        const QJsonArray cases = QJsonDocument::fromJson(file.readAll()).array();
        for (const QJsonValue &each : cases) {
            const QByteArray text = each.toObject().value(QLatin1String("expr")).toString().toUtf8();
            for (qsizetype length = std::max<qsizetype>(0, text.size() - 60); length <= text.size(); ++length) {
                for (const QByteArray &message : problemsOf(text.first(length), cel::matcherEnvironment()))
                    messages.insert(message);
            }
            for (const QByteArray &message : problemsOf(text, {}, cel::Mode::Lenient, cel::Wanted::Any))
                messages.insert(message);
        }
        QVERIFY(messages.size() > 100);
        for (const QByteArray &message : std::as_const(messages))
            QVERIFY2(isJapanese(masterSentence(message)), message.constData());
    }

    // Of the rooms whose sentences an operator can meet.
    void noSentenceOfTheSourcesIsForgotten()
    {
        QCoreApplication::installTranslator(&m_japanese);
        static const QRegularExpression others(QStringLiteral(
            "/(cases|failuresignature|audit(chain|file)|pepper|doctor|archive|embedded|permissions|scripts|libraries|replication|"
            "redis(export|import|fsck)|metrics|networks|proxies)\\.cpp$"));
        int files = 0;
        QStringList forgotten;
        for (const char *room : {"core/cel", "core/limits", "core/calendar", "core/msgpack", "core/jobs", "core/operators", "core/queue",
                 "core/access", "core/redis", "server/api", "server/push", "client"}) {
            QDirIterator all(QStringLiteral(JUNBAN_SOURCE "/") + QLatin1String(room), {QStringLiteral("*.cpp"), QStringLiteral("*.h")},
                QDir::Files, QDirIterator::Subdirectories);
            while (all.hasNext()) {
                const QString path = all.next();
                if (path.contains(others))
                    continue;
                ++files;
                for (const QString &sentence : sentencesIn(path)) {
                    if (!isOfATemplate(sentence) && !isForOthers(sentence))
                        forgotten.append(path + QLatin1String(": ") + sentence);
                }
            }
        }
        QVERIFY(files > 200);
        QVERIFY2(forgotten.isEmpty(), qPrintable(forgotten.join(QLatin1Char('\n'))));
    }

    void englishComesOutAsItCame()
    {
        for (const MasterTemplate &each : masterTemplates()) {
            const QByteArray message = filled(each.text, each, false);
            QCOMPARE(masterSentence(message), shown(message));
        }
        for (const QByteArray &message : wrongExpressions() + wrongMatchers() + wrongJobs() + wrongAccessAndStore())
            QCOMPARE(masterSentence(message), shown(message));
    }

    void whatIsNotKnownIsShownAsItIs()
    {
        QCoreApplication::installTranslator(&m_japanese);
        const QByteArrayList unknown = {"", "Redis is loading.", "It broke <b>here</b>.", "a\nb\u202e", "'a' is", "\xff\xfe"};
        for (const QByteArray &message : unknown)
            QCOMPARE(masterSentence(message), shown(message));
    }

    void whatVariesIsSafeToShowAndNeverATemplate()
    {
        QCoreApplication::installTranslator(&m_japanese);
        QCOMPARE(masterSentence("'a\u202eb%1' must be an integer from 1 to %2."),
            QStringLiteral("「a\\u202eb%1」には 1 から %2 までの整数を指定してください。"));
        QCOMPARE(masterSentence("'a' must be \"b\", \"c or d\" or \"e\"."),
            QStringLiteral("「a」には \"b\", \"c or d\" または \"e\" を指定してください。"));
        QCOMPARE(masterSentence("Job 01 is dead; only jobs in the trash can be restored."),
            QStringLiteral("ジョブ 01 は「dead」です。戻せるのはゴミ箱にあるジョブだけです。"));
        QByteArray nested = "Redis is loading.";
        for (int i = 0; i < 100; ++i)
            nested.prepend("'match': ");
        QVERIFY(masterSentence(nested).endsWith(QLatin1String("'match': 'match': Redis is loading.")));
    }

    void theWindowSaysItInItsLanguage()
    {
        WindowFixture fixture("ja");
        QVERIFY(fixture.openLive());
        fixture.instead.insert("/v1/overview", {503, WindowFixture::problem(503, "store_unavailable", "Redis did not answer in time.")});
        fixture.instead.insert("/readyz", {503, "not ready", "text/plain"});
        QTRY_VERIFY(fixture.window().banner()->text().contains(QStringLiteral("Redis が時間内に応答しませんでした。")));
    }

private:
    QTranslator m_japanese;
};

JUNBAN_TEST(TestMasterTexts)
#include "test_mastertexts.moc"
