#include "app/ctl/masterurl.h"
#include "tests/support/testmain.h"

#include <QtTest>

using namespace junban;
using namespace junban::app;

class TestMasterUrl : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMasterIsNamedAsPeopleWriteIt_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("url");
        const auto row = [](const char *text, const char *url) { QTest::newRow(text) << QByteArray(text) << QString::fromLatin1(url); };
        row("http://127.0.0.1:7717", "http://127.0.0.1:7717");
        row("https://queue.example.org", "https://queue.example.org");
        row("https://queue.example.org/junban/", "https://queue.example.org/junban/");
        row("http://queue.example.org", "http://queue.example.org");
        row("127.0.0.1:7717", "http://127.0.0.1:7717");
        row("localhost:8080", "http://localhost:8080");
        row("localhost", "http://localhost:7717");
        row("queue.example.org", "http://queue.example.org:7717");
        row("queue:7718/junban", "http://queue:7718/junban");
        row("127.0.0.1", "http://127.0.0.1:7717");
        row("[::1]:7717", "http://[::1]:7717");
        row("[::1]", "http://[::1]:7717");
        row("::1", "http://[::1]:7717");
        row("fe80::1", "http://[fe80::1]:7717");
        row(" 127.0.0.1:7717\n", "http://127.0.0.1:7717");
        row("HTTP://Queue:7717", "http://queue:7717");
        row("user:secret@127.0.0.1:1", "http://user:secret@127.0.0.1:1");
        row("unix:/run/junban/api", "unix:/run/junban/api");
        row("unix:///run/junban/api", "unix:///run/junban/api");
        row("/run/junban/api", "unix:/run/junban/api");
        row("httpd:7717", "http://httpd:7717");
    }
    void aMasterIsNamedAsPeopleWriteIt()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, url);
        const Result<QUrl> read = masterUrl(text);
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().constData());
        QCOMPARE(read->toString(), url);
    }

    void whatNamesNoMasterIsRefusedWithWhatDoes_data()
    {
        QTest::addColumn<QByteArray>("text");
        constexpr const char *texts[] = {"", " ", "ftp://127.0.0.1", "ws://127.0.0.1:7717", "http://", "http:", "https:///v1",
            "http:127.0.0.1", ":7717", "127.0.0.1:99999", "127.0.0.1:0", "127.0.0.1:port", "[::1", "unix:", "unix:/", "unix:run/api",
            "unix://run/api", "a b:7717", "http://127.0.0.1:7717/?a=1", "http://127.0.0.1:7717#here"};
        for (const char *text : texts)
            QTest::newRow(text) << QByteArray(text);
    }
    void whatNamesNoMasterIsRefusedWithWhatDoes()
    {
        QFETCH(QByteArray, text);
        const Result<QUrl> read = masterUrl(text);
        QVERIFY2(!read.ok(), read.ok() ? qPrintable(read->toString()) : "");
        QVERIFY(read.error().message().startsWith("The address of a master must be like http://127.0.0.1:7717, "));
        QVERIFY(read.error().message().endsWith("not '" + text + "'."));
    }
};

JUNBAN_TEST(TestMasterUrl)
#include "test_masterurl.moc"
