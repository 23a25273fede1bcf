#include "core/jobs/failuresignature.h"
#include "core/limits.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QRandomGenerator>
#include <QSet>
#include <QTest>
#include <QUuid>

using namespace junban;

// What a failure's message has in common with others of its cause.
class TestFailureSignature : public QObject
{
    Q_OBJECT

    struct Cause {
        QByteArray title;
        QList<QByteArray> messages;
    };

    // A cause's messages are a line each, or begin with a line ---.
    static bool readCauses(const QString &path, QList<Cause> &causes)
    {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return false;
        bool many = false;
        for (const QByteArray &line : file.readAll().split('\n')) {
            if (line.startsWith("= ")) {
                causes.append({line.sliced(2), {}});
                many = false;
            } else if (line.startsWith("== ") || (line.startsWith('#') && causes.isEmpty())) {
                many = false;
            } else if (line == "---") {
                causes.last().messages.append(QByteArray());
                many = true;
            } else if (many) {
                causes.last().messages.last() += line + '\n';
            } else if (!line.isEmpty()) {
                causes.last().messages.append(line);
            }
        }
        return true;
    }

    static void formTheirCauses(const QList<Cause> &causes, int messages_min)
    {
        QSet<QByteArray> titles;
        int messages = 0;
        for (const Cause &cause : causes) {
            QVERIFY2(!titles.contains(cause.title), cause.title.constData());
            titles.insert(cause.title);
            QCOMPARE(normalisedFailure(cause.title), cause.title);
            for (const QByteArray &message : cause.messages) {
                ++messages;
                QVERIFY2(normalisedFailure(message) == cause.title,
                    (message + "\n is   " + normalisedFailure(message) + "\n not  " + cause.title).constData());
            }
        }
        QVERIFY2(messages >= messages_min, QByteArray::number(messages));
    }

private Q_SLOTS:
    void whatDiffersFromJobToJobIsReplaced_data()
    {
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<QByteArray>("title");
        const auto row = [](const char *message, const char *title) { QTest::newRow(message) << QByteArray(message) << QByteArray(title); };
        row("", "");
        row("Disk full", "Disk full");
        row("  first line \r\n second", "first line");
        row("timeout after 31 s", "timeout after <n> s");
        row("timeout after 30.5s", "timeout after <n>");
        row("took 1,234 ms or 1.5e3", "took <n> ms or <n>");
        row("retry -3", "retry <n>");
        row("job 0192f0c1-2222-7333-8444-555555555555 is gone", "job <id> is gone");
        row("at 0x7fff12 in f", "at <id> in f");
        row("commit 1a2b3c4d5e6f not found", "commit <n> not found");
        row("row 12345678 or 1234567", "row <n> or <n>");
        row("worker12 lost node-7", "worker<n> lost node-<n>");
        row("connect to 10.0.0.7:5432 refused", "connect to <ip> refused");
        row("connect to [::1]:5432 and fe80::1", "connect to <ip> and <ip>");
        row("std::bad_alloc", "std::bad_alloc");
        row("no route to db-1.eu.example.com:5432", "no route to <host>");
        row("no route to localhost:6379", "no route to <host>");
        row("GET https://api.example.com/v1/x?y=1 gave 503", "GET <url> gave 503");
        row("mail to a.b+c@example.org bounced", "mail to <address> bounced");
        row("open /var/lib/x/12.db: denied", "open <path>: denied");
        row("open C:\\data\\x.txt failed", "open <path> failed");
        row("open ../conf/a.yaml and ~/x", "open <path> and <path>");
        row("read and/or write 1/2", "read and/or write <n>/<n>");
        row("key \"abc\" and 'd e' and `f`", "key <text> and <text> and <text>");
        row("can't open it, don't", "can't open it, don't");
        row("値「あ」が不正", "値<text>が不正");
        row("550 mailbox unavailable", "550 mailbox unavailable");
        row("3-D Secure timed out", "3-D Secure timed out");
        row("452 requested action not taken", "452 requested action not taken");
        row("550 users are unknown", "<n> users are unknown");
        row("java.lang.NullPointerException in main.py", "java.lang.NullPointerException in main.py");
    }
    void whatDiffersFromJobToJobIsReplaced()
    {
        QFETCH(QByteArray, message);
        QFETCH(QByteArray, title);
        QCOMPARE(normalisedFailure(message), title);
        QCOMPARE(normalisedFailure(title), title);
    }

    // failuremessages.txt: messages of one line as programs write them, and the causes that they form.
    void realMessagesFormTheirCauses()
    {
        QList<Cause> causes;
        QVERIFY(readCauses(QStringLiteral(JUNBAN_FAILURE_MESSAGES), causes));
        formTheirCauses(causes, 120);
    }

    // failuretraces.txt: messages of several lines.
    void realStackTracesFormTheirCauses()
    {
        QList<Cause> causes;
        QVERIFY(readCauses(QStringLiteral(JUNBAN_FAILURE_TRACES), causes));
        formTheirCauses(causes, 50);
    }

    // The same trace with \r\n, with other paths and lines, and under a log line is the same cause.
    void aTraceIsOneCauseWhereverItWasWritten()
    {
        QList<Cause> causes;
        QVERIFY(readCauses(QStringLiteral(JUNBAN_FAILURE_TRACES), causes));
        for (const Cause &cause : std::as_const(causes)) {
            for (QByteArray message : cause.messages) {
                QCOMPARE(normalisedFailure(message.replace('\n', "\r\n")), cause.title);
                QCOMPARE(normalisedFailure("\n\n" + message + "\n  \n"), cause.title);
            }
        }
    }

    void theErrorStandsOnTopOfItsTrace()
    {
        const QByteArray python = "Traceback (most recent call last):\n  File \"x.py\", line 2, in f\nKeyError: 'user_17'";
        QCOMPARE(headedFailure(python), "KeyError: 'user_17'\n" + python);
        QCOMPARE(normalisedFailure(headedFailure(python)), normalisedFailure(python));
        for (const QByteArray &asItIs : {QByteArray(), QByteArray("disk full"), QByteArray(" \n"), QByteArray("disk full\nsee the log"),
                 QByteArray("java.io.IOException: gone\n\tat X.f(X.java:2)")})
            QCOMPARE(headedFailure(asItIs), asItIs);
    }

    // A chain whose errors are long still shows both ends.
    void aLongErrorLeavesRoomForItsCause()
    {
        const QByteArray error = "java.lang.IllegalStateException: " + QByteArray("very ").repeated(100);
        const QByteArray title = normalisedFailure(error
            + "\n\tat X.f(X.java:2)\nCaused by: java.net.ConnectException: " + QByteArray("gone ").repeated(100));
        QVERIFY2(title.startsWith("java.lang.IllegalStateException: very "), title.constData());
        QVERIFY2(title.contains("(caused by java.net.ConnectException: "), title.constData());
        QCOMPARE(title.size(), qsizetype(limits::failure_title_chars_max));
    }

    void aLongLineOfNumbersIsReadToABoundOnly()
    {
        const QByteArray numbers = QByteArray("error 404 of ").repeated(1'000);
        QVERIFY(normalisedFailure(numbers).size() <= 4 * limits::failure_title_chars_max);
    }

    void messagesOfOneFormAreOne()
    {
        QRandomGenerator &random = *QRandomGenerator::global();
        const QList<QByteArray> forms{"user % has no file /srv/data/%/x in % ms", "host db%.example.com: failure % at 0x%a",
            "% of % items: '%' is bad",
            "10.%.%.1: lost after % s", "job %e8400e29b41d4a716446655440000 died"};
        for (int i = 0; i < 2'000; ++i) {
            const QByteArray &form = forms[random.bounded(int(forms.size()))];
            const auto filled = [&] {
                QByteArray text = form;
                while (text.contains('%'))
                    text.replace(text.indexOf('%'), 1, QByteArray::number(random.bounded(1, 250)));
                return text;
            };
            const QByteArray a = filled(), b = filled();
            QVERIFY2(normalisedFailure(a) == normalisedFailure(b), (a + " | " + b + " -> " + normalisedFailure(a)).constData());
        }
    }

    void anyBytesGiveATitleOfBoundedLengthThatStaysAsItIs()
    {
        QRandomGenerator &random = *QRandomGenerator::global();
        const QByteArray alphabet = "ab09 '\"`/.:@-[]x\n\\{}(),\xe3\x81\x82\xff";
        for (int i = 0; i < 5'000; ++i) {
            QByteArray message;
            for (int n = random.bounded(400); n > 0; --n)
                message.append(alphabet[random.bounded(int(alphabet.size()))]);
            const QByteArray title = normalisedFailure(message);
            QVERIFY(!title.contains('\n'));
            QVERIFY(QString::fromUtf8(title).toUcs4().size() <= limits::failure_title_chars_max * 4);
        }
        const QByteArray same(3 * limits::failure_title_chars_max, 'z');
        QCOMPARE(normalisedFailure(same), same.left(limits::failure_title_chars_max));
        QByteArray japanese;
        for (int i = 0; i < 3 * limits::failure_title_chars_max; ++i)
            japanese += "あ";
        QCOMPARE(normalisedFailure(japanese), japanese.left(3 * limits::failure_title_chars_max));
    }

    void aMessageOfAnyLengthIsReadToABoundOnly()
    {
        // Patterns that would blow up a backtracking matcher.
        for (const char *piece : {"a.", "1:", "'", "/a", "0-", "a@", "\n", "x\n", "Traceback (most recent call last):\n",
                 "Caused by: x\n", "a\n\tat b(c)\n", " ---> ", "\r"})
            QVERIFY(normalisedFailure(QByteArray(piece).repeated(4'000'000)).size() <= 4 * limits::failure_title_chars_max);
    }
};

JUNBAN_TEST(TestFailureSignature)
#include "test_failuresignature.moc"
