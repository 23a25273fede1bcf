#include "core/redis/replyreader.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::redis;

namespace {

// A reply as one text, to be compared.
QByteArray asText(const Reply &reply)
{
    switch (reply.kind()) {
    case Reply::Kind::Nil: return "nil";
    case Reply::Kind::Integer: return ':' + QByteArray::number(reply.integer());
    case Reply::Kind::Status: return '+' + reply.bytes();
    case Reply::Kind::Error: return '-' + reply.bytes();
    case Reply::Kind::Bulk: return '\'' + reply.bytes() + '\'';
    case Reply::Kind::Array: break;
    }
    QByteArray text = "[";
    for (qsizetype i = 0; i < reply.size(); ++i)
        text += (i > 0 ? " " : "") + asText(reply[i]);
    return text + ']';
}

const QByteArray nested = "*5\r\n:-7\r\n*3\r\n$3\r\nabc\r\n*0\r\n*2\r\n$-1\r\n+OK\r\n$0\r\n\r\n"
                          "*1\r\n*1\r\n:9223372036854775807\r\n-ERR no\r\n";
const QByteArray nestedText = "[:-7 ['abc' [] [nil +OK]] '' [[:9223372036854775807]] -ERR no]";

} // namespace

// How the bytes of a connection to Redis become replies.
class TestReplyReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyKindIsReadAtEveryDepth()
    {
        ReplyReader reader;
        reader.feed(nested);
        const auto reply = reader.next();
        QVERIFY(reply);
        QCOMPARE(asText(*reply), nestedText);
        QVERIFY(!reader.next());
        QVERIFY(!reader.failed());
    }

    void aReplyMayComeInAnyPieces()
    {
        for (qsizetype cut = 1; cut < nested.size(); ++cut) {
            ReplyReader reader;
            reader.feed(QByteArrayView(nested).first(cut));
            QVERIFY(!reader.next());
            reader.feed(QByteArrayView(nested).sliced(cut));
            const auto reply = reader.next();
            QVERIFY(reply);
            QCOMPARE(asText(*reply), nestedText);
        }
    }

    void repliesFollowEachOtherAndOutliveTheReader()
    {
        QList<Reply> replies;
        {
            ReplyReader reader;
            reader.feed("+one\r\n$3\r\ntwo\r\n*2\r\n:3\r\n$2000\r\n" + QByteArray(2000, 'x') + "\r\n+fo");
            while (auto reply = reader.next())
                replies.append(*reply);
            reader.feed("ur\r\n");
            replies.append(*reader.next());
        }
        QCOMPARE(replies.size(), 4);
        QCOMPARE(asText(replies[0]), QByteArray("+one"));
        QCOMPARE(asText(replies[1]), QByteArray("'two'"));
        QCOMPARE(replies[2][1].bytes(), QByteArray(2000, 'x'));
        QCOMPARE(asText(replies[3]), QByteArray("+four"));
    }

    void aNumberMayBeSpelt()
    {
        ReplyReader reader;
        reader.feed("*4\r\n$2\r\n42\r\n+-1\r\n$3\r\n1.5\r\n$-1\r\n");
        const Reply reply = *reader.next();
        QCOMPARE(reply[0].integer(), 42);
        QCOMPARE(reply[1].integer(), -1);
        QCOMPARE(reply[2].integer(), 0);
        QCOMPARE(reply[3].integer(), 0);
        QVERIFY(reply[4].isNil());
        QVERIFY(reply[-1].isNil());
    }

    void bytesThatAreNoReplyAreAnError()
    {
        ReplyReader reader;
        reader.feed("+fine\r\n!wrong\r\n");
        QVERIFY(reader.next());
        QVERIFY(!reader.next());
        QVERIFY(reader.failed());
        QVERIFY(!reader.next());
    }
};

JUNBAN_TEST(TestReplyReader)
#include "test_replyreader.moc"
