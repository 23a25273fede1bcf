#include "core/base/nextpass.h"
#include "server/http/epolldispatcher.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QSocketNotifier>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <array>
#include <fcntl.h>
#include <memory>
#include <sys/resource.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

using junban::EpollDispatcher;

// The event dispatcher, in the application's own thread (main() sets it) and in others.
class TestDispatcher : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theApplicationRunsOnIt();
    void timersNeverFireEarlyAndFireInOrder();
    void aTimerRepeatsUntilItIsStopped();
    void aTimerMayDeleteItselfAndOthers();
    void aSlowTimerDoesNotMakeUpForWhatItMissed();
    void aTimerDoesNotFireInsideItself();
    void timersOfZeroDoNotStarveDescriptors();
    void remainingTimesAndListsAreTold();
    void timersFollowTheirObjectToAnotherThread();
    void notifiersTellOfReadingAndWriting();
    void aDisabledNotifierTellsNothing();
    void aHangUpIsTold();
    void aNotifierMayRemoveAnother();
    void aDescriptorNumberMayBeUsedAgain();
    void aNotifierOfAClosedDescriptorDoesNoHarm();
    void whatIsAskedForIsCalledAtTheEndOfThePassInItsOrder();
    void whatIsDueEndsWithItsObject();
    void anotherThreadWakesIt();
    void noWakeUpIsLost();
    void interruptEndsAWait();
    void aThousandIdleDescriptorsAreCarried();
};

namespace {

struct Pair {
    std::array<int, 2> fds = {-1, -1};
    Pair()
    {
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds.data()) != 0)
            qFatal("no socket pair");
    }
    ~Pair()
    {
        closeEnd(0);
        closeEnd(1);
    }
    void closeEnd(size_t i)
    {
        if (fds[i] >= 0)
            ::close(fds[i]);
        fds[i] = -1;
    }
    void write(const char *text) const { QCOMPARE(::write(fds[1], text, strlen(text)), ssize_t(strlen(text))); }
    QByteArray read() const
    {
        char buffer[64];
        const ssize_t size = ::read(fds[0], buffer, sizeof buffer);
        return QByteArray(buffer, std::max<ssize_t>(size, 0));
    }
};

} // namespace

void TestDispatcher::theApplicationRunsOnIt()
{
    QVERIFY(qobject_cast<EpollDispatcher *>(QAbstractEventDispatcher::instance()) != nullptr);
}

void TestDispatcher::timersNeverFireEarlyAndFireInOrder()
{
    QElapsedTimer clock;
    QList<int> order;
    std::vector<std::unique_ptr<QTimer>> timers;
    clock.start();
    bool early = false;
    for (const int ms : {50, 10, 30, 1, 20, 40}) {
        for (const Qt::TimerType type : {Qt::PreciseTimer, Qt::CoarseTimer}) {
            auto timer = std::make_unique<QTimer>();
            timer->setTimerType(type);
            timer->setSingleShot(true);
            connect(timer.get(), &QTimer::timeout, this, [&, ms] {
                early = early || clock.nsecsElapsed() < qint64(ms) * 1'000'000;
                order.append(ms);
            });
            timer->start(ms);
            timers.push_back(std::move(timer));
        }
    }
    QTRY_COMPARE(order.size(), 12);
    QVERIFY(!early);
    QCOMPARE(order, QList<int>({1, 1, 10, 10, 20, 20, 30, 30, 40, 40, 50, 50}));
}

void TestDispatcher::aTimerRepeatsUntilItIsStopped()
{
    QTimer timer;
    int count = 0;
    connect(&timer, &QTimer::timeout, this, [&] {
        if (++count == 5)
            timer.stop();
    });
    timer.start(2);
    QTRY_COMPARE(count, 5);
    QTest::qWait(30);
    QCOMPARE(count, 5);
}

void TestDispatcher::aTimerMayDeleteItselfAndOthers()
{
    // All due at the same moment; the first to run deletes the others, and itself.
    auto *owner = new QObject;
    int count = 0;
    for (int i = 0; i < 20; ++i) {
        auto *timer = new QTimer(owner);
        connect(timer, &QTimer::timeout, this, [&count, owner] {
            ++count;
            delete owner;
        });
        timer->start(1);
    }
    QThread::msleep(5);
    QTRY_COMPARE(count, 1);
    QTest::qWait(10);
    QCOMPARE(count, 1);
}

void TestDispatcher::aSlowTimerDoesNotMakeUpForWhatItMissed()
{
    QTimer timer;
    int count = 0;
    connect(&timer, &QTimer::timeout, this, [&] { ++count; });
    timer.start(50);
    QThread::msleep(1'000); // twenty times are missed
    for (int turn = 0; turn < 15; ++turn)
        QCoreApplication::processEvents();
    QVERIFY2(count >= 1 && count < 10, QByteArray::number(count));
}

void TestDispatcher::aTimerDoesNotFireInsideItself()
{
    QTimer timer;
    int depth = 0;
    int deepest = 0;
    int count = 0;
    connect(&timer, &QTimer::timeout, this, [&] {
        deepest = std::max(deepest, ++depth);
        ++count;
        QTest::qWait(10); // a loop of its own, during which the timer falls due again
        --depth;
    });
    timer.start(1);
    QTRY_VERIFY(count >= 3);
    timer.stop();
    QCOMPARE(deepest, 1);
}

void TestDispatcher::timersOfZeroDoNotStarveDescriptors()
{
    Pair pair;
    QTimer busy;
    int turns = 0;
    connect(&busy, &QTimer::timeout, this, [&] { ++turns; });
    busy.start(0);
    QSocketNotifier notifier(pair.fds[0], QSocketNotifier::Read);
    QByteArray got;
    connect(&notifier, &QSocketNotifier::activated, this, [&] { got += pair.read(); });
    pair.write("in between");
    QTRY_COMPARE(got, "in between");
    QTRY_VERIFY(turns > 10);
}

void TestDispatcher::remainingTimesAndListsAreTold()
{
    auto *dispatcher = QAbstractEventDispatcher::instance();
    QObject object;
    const int id = object.startTimer(60'000, Qt::PreciseTimer);
    const int left_ms = dispatcher->remainingTime(id);
    QVERIFY2(left_ms > 50'000 && left_ms <= 60'000, QByteArray::number(left_ms));
    const auto timers = dispatcher->registeredTimers(&object);
    QCOMPARE(timers.size(), 1);
    QCOMPARE(timers[0].timerId, id);
    QCOMPARE(timers[0].interval, 60'000);
    QCOMPARE(timers[0].timerType, Qt::PreciseTimer);
    object.killTimer(id);
    QCOMPARE(dispatcher->remainingTime(id), -1);
    QVERIFY(dispatcher->registeredTimers(&object).isEmpty());
}

void TestDispatcher::timersFollowTheirObjectToAnotherThread()
{
    QThread thread;
    thread.setEventDispatcher(new EpollDispatcher);
    auto *timer = new QTimer;
    std::atomic<QThread *> where = nullptr;
    connect(timer, &QTimer::timeout, timer, [&] { where = QThread::currentThread(); });
    timer->start(1);
    timer->moveToThread(&thread);
    connect(&thread, &QThread::finished, timer, &QObject::deleteLater);
    thread.start();
    QTRY_VERIFY(where == &thread);
    thread.quit();
    QVERIFY(thread.wait(10'000));
}

void TestDispatcher::notifiersTellOfReadingAndWriting()
{
    Pair pair;
    QSocketNotifier reading(pair.fds[0], QSocketNotifier::Read);
    QSocketNotifier writing(pair.fds[0], QSocketNotifier::Write);
    QByteArray got;
    int writable = 0;
    connect(&reading, &QSocketNotifier::activated, this, [&] { got += pair.read(); });
    connect(&writing, &QSocketNotifier::activated, this, [&] {
        ++writable;
        writing.setEnabled(false);
    });
    QTRY_COMPARE(writable, 1);
    QTest::qWait(10);
    QCOMPARE(writable, 1);
    QVERIFY(got.isEmpty());
    pair.write("one");
    QTRY_COMPARE(got, "one");
    writing.setEnabled(true);
    pair.write("two");
    QTRY_COMPARE(got, "onetwo");
    QTRY_COMPARE(writable, 2);
}

void TestDispatcher::aDisabledNotifierTellsNothing()
{
    Pair pair;
    QSocketNotifier notifier(pair.fds[0], QSocketNotifier::Read);
    int count = 0;
    connect(&notifier, &QSocketNotifier::activated, this, [&] {
        ++count;
        pair.read();
    });
    notifier.setEnabled(false);
    pair.write("x");
    QTest::qWait(20);
    QCOMPARE(count, 0);
    notifier.setEnabled(true);
    QTRY_COMPARE(count, 1);
}

void TestDispatcher::aHangUpIsTold()
{
    // Of a pipe, where a hang-up comes alone; a socket is also readable then.
    int fds[2];
    QCOMPARE(pipe2(fds, O_NONBLOCK | O_CLOEXEC), 0);
    bool ended = false;
    {
        QSocketNotifier notifier(fds[0], QSocketNotifier::Read);
        connect(&notifier, &QSocketNotifier::activated, this, [&] {
            char byte = 0;
            ended = ::read(fds[0], &byte, 1) == 0;
            notifier.setEnabled(false);
        });
        ::close(fds[1]);
        QTRY_VERIFY(ended);
    }
    ::close(fds[0]);
}

void TestDispatcher::aNotifierMayRemoveAnother()
{
    // Both ready in the same turn; whichever runs first removes the other.
    Pair a;
    Pair b;
    auto first = std::make_unique<QSocketNotifier>(a.fds[0], QSocketNotifier::Read);
    auto second = std::make_unique<QSocketNotifier>(b.fds[0], QSocketNotifier::Read);
    int count = 0;
    connect(first.get(), &QSocketNotifier::activated, this, [&] {
        ++count;
        first->setEnabled(false);
        second.reset();
    });
    connect(second.get(), &QSocketNotifier::activated, this, [&] {
        ++count;
        second->setEnabled(false);
        first.reset();
    });
    a.write("x");
    b.write("x");
    QTRY_COMPARE(count, 1);
    QTest::qWait(10);
    QCOMPARE(count, 1);
}

void TestDispatcher::aDescriptorNumberMayBeUsedAgain()
{
    for (int round = 0; round < 20; ++round) {
        Pair pair;
        QSocketNotifier notifier(pair.fds[0], QSocketNotifier::Read);
        QByteArray got;
        connect(&notifier, &QSocketNotifier::activated, this, [&] { got += pair.read(); });
        pair.write("again");
        QTRY_COMPARE(got, "again");
    }
}

void TestDispatcher::aNotifierOfAClosedDescriptorDoesNoHarm()
{
    auto old = std::make_unique<Pair>();
    const int number = old->fds[0];
    auto stale = std::make_unique<QSocketNotifier>(number, QSocketNotifier::Read);
    int staleCalls = 0;
    connect(stale.get(), &QSocketNotifier::activated, this, [&] { ++staleCalls; });
    old.reset(); // closed while it is watched: a mistake of others
    QTest::qWait(5);
    stale.reset();
    Pair next;
    QVERIFY(next.fds[0] == number || next.fds[1] == number);
    QSocketNotifier notifier(next.fds[0], QSocketNotifier::Read);
    QByteArray got;
    connect(&notifier, &QSocketNotifier::activated, this, [&] { got += next.read(); });
    next.write("new");
    QTRY_COMPARE(got, "new");
    QCOMPARE(staleCalls, 0);
}

void TestDispatcher::whatIsAskedForIsCalledAtTheEndOfThePassInItsOrder()
{
    QCoreApplication::processEvents(); // from here on this thread has somebody who calls
    QByteArray seen;
    int rounds = 0;
    junban::NextPass send([&] { seen += 's'; }, junban::NextPass::Stage::Send);
    junban::NextPass write(
        [&] {
            seen += 'w';
            send.ask();
        },
        junban::NextPass::Stage::Write);
    junban::NextPass claims([&] { seen += 'c'; }, junban::NextPass::Stage::DecideClaims);
    junban::NextPass decide([&] {
        seen += 'd';
        write.ask();
        claims.ask();
        if (++rounds < 3)
            decide.ask();
    });
    send.ask();
    decide.ask();
    decide.ask();
    QMetaObject::invokeMethod(this, [&] { seen += 'e'; }, Qt::QueuedConnection);
    // There is no event to wait for, so a call that waited would not return.
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QCOMPARE(seen, QByteArray("edcws"));
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QCOMPARE(seen, QByteArray("edcwsdcws"));
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QCoreApplication::processEvents();
    QCOMPARE(seen, QByteArray("edcwsdcwsdcws"));
}

void TestDispatcher::whatIsDueEndsWithItsObject()
{
    QCoreApplication::processEvents();
    int calls = 0;
    {
        junban::NextPass gone([&] { ++calls; });
        gone.ask();
    }
    // One of those that are due may end another.
    auto last = std::make_unique<junban::NextPass>([&] { ++calls; });
    junban::NextPass first([&] { last.reset(); });
    first.ask();
    last->ask();
    QCoreApplication::processEvents();
    QCOMPARE(calls, 0);
}

void TestDispatcher::anotherThreadWakesIt()
{
    QThread thread;
    thread.setEventDispatcher(new EpollDispatcher);
    thread.start();
    QObject there;
    there.moveToThread(&thread);
    QElapsedTimer clock;
    clock.start();
    int answers = 0;
    for (int i = 0; i < 1'000; ++i)
        QMetaObject::invokeMethod(&there, [&] { ++answers; }, Qt::BlockingQueuedConnection);
    QCOMPARE(answers, 1'000);
    thread.quit();
    QVERIFY(thread.wait(10'000));
}

void TestDispatcher::noWakeUpIsLost()
{
    QThread thread;
    thread.setEventDispatcher(new EpollDispatcher);
    thread.start();
    QObject there;
    there.moveToThread(&thread);
    std::atomic_int count = 0;
    constexpr int each = 20'000;
    const auto post = [&] {
        for (int i = 0; i < each; ++i) {
            QMetaObject::invokeMethod(&there, [&] { ++count; }, Qt::QueuedConnection);
            if (i % 64 == 0)
                std::this_thread::yield(); // so that the loop falls asleep now and then
        }
    };
    std::thread one(post);
    std::thread two(post);
    one.join();
    two.join();
    QTRY_COMPARE_WITH_TIMEOUT(count, 2 * each, 30'000);
    thread.quit();
    QVERIFY(thread.wait(10'000));
}

void TestDispatcher::interruptEndsAWait()
{
    QEventLoop loop;
    std::thread other([&] {
        QThread::msleep(20);
        loop.quit(); // interrupts the dispatcher, and nothing else happens
    });
    loop.exec();
    other.join();
}

void TestDispatcher::aThousandIdleDescriptorsAreCarried()
{
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 4'096);
    setrlimit(RLIMIT_NOFILE, &limit);
    std::vector<std::unique_ptr<Pair>> idle;
    std::vector<std::unique_ptr<QSocketNotifier>> notifiers;
    int strays = 0;
    for (int i = 0; i < 1'000; ++i) {
        idle.push_back(std::make_unique<Pair>());
        notifiers.push_back(std::make_unique<QSocketNotifier>(idle.back()->fds[0], QSocketNotifier::Read));
        connect(notifiers.back().get(), &QSocketNotifier::activated, this, [&] { ++strays; });
    }
    Pair busy;
    QSocketNotifier notifier(busy.fds[0], QSocketNotifier::Read);
    int count = 0;
    connect(&notifier, &QSocketNotifier::activated, this, [&] {
        busy.read();
        if (++count < 10'000)
            busy.write("x");
    });
    QElapsedTimer clock;
    clock.start();
    busy.write("x");
    QTRY_COMPARE_WITH_TIMEOUT(count, 10'000, 60'000);
    qInfo("%.1f us a turn with 1,000 idle descriptors", double(clock.nsecsElapsed()) / 1e3 / count);
    QCOMPARE(strays, 0);
    // They were idle, not forgotten.
    for (const auto &pair : idle)
        pair->write("x");
    QTRY_VERIFY(strays >= 1'000);
}

int main(int argc, char **argv)
{
    QCoreApplication::setEventDispatcher(new EpollDispatcher);
    QCoreApplication app(argc, argv);
    TestDispatcher test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_dispatcher.moc"
