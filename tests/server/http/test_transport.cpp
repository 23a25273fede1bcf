#include "server/http/gatetransport.h"
#include "tests/support/testmain.h"

#include <QCoreApplication>
#include <QFile>
#include <QTest>
#include <sys/socket.h>
#include <unistd.h>

using namespace junban::http;

// What a transport keeps for a client that reads more slowly than it is written to.
class TestTransport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatASlowReaderHasReadIsGivenBackThoughItNeverCatchesUp();
};

namespace {

struct Watcher final : TransportUser {
    void secured() override {}
    void readable() override {}
    void written() override { ++flushes; }
    void failed() override { broken = true; }

    int flushes = 0;
    bool broken = false;
};

qint64 resident_bytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toLongLong() * sysconf(_SC_PAGESIZE);
}

} // namespace

void TestTransport::whatASlowReaderHasReadIsGivenBackThoughItNeverCatchesUp()
{
    constexpr int period = 251;
    constexpr qint64 behind_bytes = 256 * 1'024, total_bytes = 32 * 1'024 * 1'024;
    QByteArray message;
    for (int i = 0; i < 64 * period; ++i)
        message.append(char(i % period));
    int ends[2];
    QCOMPARE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    const int size = 16 * 1'024; // so that the kernel never takes all that is unsent
    QCOMPARE(setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size), 0);
    Watcher watcher;
    const auto transport = makePlainTransport(ends[0], watcher);
    QByteArray buffer(64 * 1'024, '\0');
    qint64 before_bytes = 0, read_bytes = 0;
    while (read_bytes < total_bytes) {
        while (transport->unsent_bytes() < behind_bytes)
            QVERIFY(transport->write(message));
        if (before_bytes == 0)
            before_bytes = resident_bytes();
        const qint64 got = recv(ends[1], buffer.data(), size_t(buffer.size()), MSG_DONTWAIT);
        QVERIFY(got > 0);
        bool same = true;
        for (qint64 i = 0; i < got; ++i)
            same = same && quint8(buffer[i]) == (read_bytes + i) % period;
        QVERIFY2(same, qPrintable(QString::number(read_bytes)));
        read_bytes += got;
        const int flushes = watcher.flushes;
        while (watcher.flushes == flushes)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QVERIFY(transport->unsent_bytes() > 0);
    }
    QVERIFY(!watcher.broken && before_bytes > 0);
    const qint64 grown_bytes = resident_bytes() - before_bytes;
    QVERIFY2(grown_bytes < total_bytes / 2, qPrintable(QString::number(grown_bytes)));
    ::close(ends[1]);
}

JUNBAN_TEST(TestTransport)
#include "test_transport.moc"
