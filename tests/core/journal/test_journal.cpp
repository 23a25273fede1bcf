#include "core/journal/enginememory.h"
#include "core/journal/functions.h"
#include "core/journal/journal.h"
#include "tests/core/journal/simserver.h"
#include "tests/support/await.h"
#include "tests/support/redisserver.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTest>

using namespace junban;
using namespace junban::journal;
using junban::redis::Reply;
using junban::test::await;
using junban::test::RedisServer;
using junban::test::SimMemory;
using junban::test::SimServer;

namespace {

const QByteArray prefix = "jq:{t}:";

// A journal with its memory at a real Redis.
class Seat
{
public:
    explicit Seat(const RedisServer &server, Mine mine = {}, const QString &noteFile = {})
        : journal({redis::Address::ofSocket(server.socketPath()), "t", std::move(mine), noteFile}, memory)
        , healed(&journal, &Journal::healed)
        , rollback(&journal, &Journal::rollback)
    {
        journal.start();
    }

    bool leads() const { return journal.serving() != Serving::Nothing; }
    // Decides one write; its answer is noted in `saved` or `unknown`.
    bool decide(const QByteArray &field, const QByteArray &value = "1")
    {
        if (!journal.mayDecide())
            return false;
        journal.write(memory.set("s:" + QByteArray::number(field.size() % 3), field, value));
        journal.hold([this, field](Fate fate) { (fate == Fate::Saved ? saved : unknown).append(field); });
        return true;
    }

    SimMemory memory;
    Journal journal;
    QSignalSpy healed;
    QSignalSpy rollback;
    QByteArrayList saved;
    QByteArrayList unknown;
};

// A journal with an engine at a real Redis.
class EngineSeat
{
public:
    explicit EngineSeat(const RedisServer &server)
        : journal(std::make_unique<Journal>(Journal::Options{redis::Address::ofSocket(server.socketPath()), "t"}, memory))
    {
        journal->start();
    }

    bool mayDecide() const { return journal->serving() == Serving::Everything && journal->mayDecide() && memory.engine(); }
    // Calls the engine, and returns its answer when Redis has it; nothing when that is not sure.
    template<typename Call>
    auto decide(Call call)
    {
        const std::function<quint64()> random = [this] { return ++m_random; };
        auto decided = call(*memory.engine(), engine::Moment{journal->time_ms(), random});
        journal->write(std::move(decided.writes));
        const Result<Fate> fate = await<Fate>([this](auto done) { journal->hold([done](Fate told) { done(told); }); });
        return fate.ok() && *fate == Fate::Saved ? std::optional(std::move(decided.answer)) : std::nullopt;
    }

    EngineMemory memory;
    std::unique_ptr<Journal> journal; // null: this master is gone

private:
    quint64 m_random = 0;
};

EnqueueItem jobOf(IdMaker &ids, const QByteArray &name, const QByteArray &argument, const QByteArray &idempotencyKey = {})
{
    EnqueueItem item;
    item.id = ids.make(1'750'000'000'000);
    item.spec.name = name;
    item.spec.argument = argument;
    item.spec.idempotencyKey = idempotencyKey;
    item.spec.keepResult = true;
    return item;
}

QStringList words(const char *text)
{
    return QString::fromLatin1(text).split(QLatin1Char(' '));
}

// The keys of the namespace as the memory has them, read by redis-cli.
SimServer::Keys keysOf(const RedisServer &server, const SimMemory &memory)
{
    SimServer::Keys keys;
    for (auto key = memory.keys.begin(); key != memory.keys.end(); ++key) {
        const QByteArrayList lines
            = server.cli({QStringLiteral("HGETALL"), QString::fromUtf8(prefix + key.key())}).trimmed().split('\n');
        for (qsizetype i = 0; i + 1 < lines.size(); i += 2)
            keys[key.key()][lines[i]] = lines[i + 1];
    }
    return keys;
}

QString appendOnlyFile(const RedisServer &server)
{
    const QDir directory(server.directory() + QStringLiteral("/appendonlydir"));
    return directory.filePath(directory.entryList({QStringLiteral("*.incr.aof")}).value(0));
}

} // namespace

// The two functions and the journal at a real Redis: also one that is killed and comes back without its last bytes.
class TestJournal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFunctionsCompareAndWriteInOneStep_data()
    {
        QTest::addColumn<bool>("byEval");
        QTest::newRow("FCALL") << false;
        QTest::newRow("EVAL") << true;
    }

    void theFunctionsCompareAndWriteInOneStep()
    {
        QFETCH(bool, byEval);
        RedisServer server;
        QVERIFY(server.start());
        redis::Link link(redis::Address::ofSocket(server.socketPath()));
        link.start();
        QTRY_COMPARE(link.state(), redis::LinkState::Up);
        QVERIFY(await<Reply>([&](auto done) { link.command({"FUNCTION", "LOAD", functions::library()}, done); }).ok());
        const auto call = [&](functions::Name name, const QList<QByteArray> &arguments) {
            QList<QByteArray> all = byEval ? QList<QByteArray>{"EVAL", functions::script(name)}
                                           : QList<QByteArray>{"FCALL", functions::called(name)};
            all << "1" << prefix << arguments;
            return await<Reply>([&](auto done) { link.command(all, done); });
        };
        const auto take = [&](const QList<QByteArray> &seen, const QByteArray &id, const QByteArray &layout = "1") {
            return (*call(functions::Name::Take, seen + QList<QByteArray>{id, layout, "host:1", "", "secret"}))[0].bytes();
        };
        const auto apply = [&](const QList<QByteArray> &arguments) { return call(functions::Name::Apply, arguments); };

        QCOMPARE(take({"b", "0", "0"}, "a"), QByteArray("FENCED"));
        QCOMPARE(take({"", "", ""}, "a"), QByteArray("TAKEN"));
        QCOMPARE(take({"", "", ""}, "b"), QByteArray("FENCED"));
        QCOMPARE(take({"a", "1", "0"}, "b"), QByteArray("FENCED"));
        QCOMPARE(take({"a", "0", "1"}, "b"), QByteArray("FENCED"));
        const QList<QByteArray> first{"a", "0", "1", "1700000000000", "HSET", "h", "4", "f", "1", "g", QByteArray("\0\r\n", 3), "SET", "v",
            "3", "x", "PXAT", "4102444800000"};
        const Result<Reply> done = apply(first);
        QVERIFY(done.ok() && done->kind() == Reply::Kind::Integer && done->integer() > 1'700'000'000'000);
        const Result<Reply> again = apply(first);
        QCOMPARE((*again)[0].bytes(), QByteArray("FENCED"));
        QCOMPARE((*again)[2].size(), Lead::fields().size());
        QCOMPARE((*again)[2][1].integer(), 1);
        QCOMPARE((*apply({"b", "1", "2", "5", "DEL", "h", "0"}))[0].bytes(), QByteArray("FENCED"));
        QCOMPARE(server.cli(words("HLEN jq:{t}:h")).trimmed(), QByteArray("2"));
        QCOMPARE(server.cli(words("PEXPIRETIME jq:{t}:v")).trimmed(), QByteArray("4102444800000"));

        QVERIFY(apply({"a", "1", "1", "9"})->kind() == Reply::Kind::Integer); // a beat
        QCOMPARE(server.cli(words("HMGET jq:{t}:lead n at beat term")).simplified(), QByteArray("1 1700000000000 9 1"));

        server.cli(words("CONFIG SET maxmemory 1"));
        QVERIFY(apply({"a", "1", "2", "1700000000001", "HDEL", "h", "1", "f", "SET", "w", "1", "y"})->kind() == Reply::Kind::Integer);
        QCOMPARE(server.cli(words("HKEYS jq:{t}:h")).trimmed(), QByteArray("g"));
        server.cli(words("CONFIG SET maxmemory 0"));

        QVERIFY(!apply({"a", "2", "3", "1700000000002", "HSET", "w", "2", "f", "1"}).ok()); // `w` is no hash
        QCOMPARE(server.cli(words("HGET jq:{t}:lead n")).trimmed(), QByteArray("2"));
        QCOMPARE(take({"a", "2", "9"}, "b", "0"), QByteArray("FENCED")); // an older layout
        QCOMPARE(take({"a", "2", "9"}, "b"), QByteArray("TAKEN"));
        QCOMPARE(server.cli(words("HMGET jq:{t}:lead id n beat base term")).simplified(), QByteArray("b 2 0 2 2"));
    }

    void theNextMasterLoadsWhatTheFirstHasWritten()
    {
        RedisServer server;
        QVERIFY(server.start());
        Seat first(server);
        QTRY_VERIFY(first.leads());
        for (int pass = 0; pass < 20; ++pass) {
            for (int i = 0; i < 10; ++i)
                QVERIFY(first.decide("f" + QByteArray::number(pass * 1'000 + i)));
            QCoreApplication::processEvents();
        }
        QTRY_COMPARE(first.saved.size(), 200);
        QVERIFY(first.journal.protocol().confirmed() < 100); // passes, not calls
        const SimServer::Keys kept = first.memory.keys;
        QCOMPARE(keysOf(server, first.memory), kept);
        QSignalSpy left(&first.journal, &Journal::left);
        first.journal.leave();
        QTRY_COMPARE(left.size(), 1);
        Seat second(server);
        QTRY_VERIFY(second.leads());
        QCOMPARE(second.memory.keys, kept);
        QVERIFY(second.journal.time_ms() >= first.journal.protocol().seen().at_ms);
    }

    void anEngineIsReadInRounds()
    {
        EngineMemory memory;
        const QList<engine::WantedKey> first = memory.begin(1'750'000'000'000);
        QVERIFY(first.size() > 1);
        const engine::Stored segments{engine::segmentsKey, {{"s:1", QByteArray(1, char(engine::KeyKind::Jobs))}}};
        const Result<QList<engine::WantedKey>> more = memory.read(segments);
        QVERIFY(more.ok() && more->isEmpty()); // the names are not read yet
        for (qsizetype unread = first.size() - 1; const engine::WantedKey &key : first) {
            if (key.key != engine::segmentsKey)
                QCOMPARE(memory.read({key.key, {}})->size(), --unread == 0 ? 1 : 0);
        }
        QVERIFY(!memory.engine());
        QVERIFY(memory.read({"s:1", {}})->isEmpty());
        QVERIFY(memory.complete().ok());
        QVERIFY(memory.engine());
        memory.forget();
        QVERIFY(!memory.engine());
    }

    // The first master goes without a word, as one that is killed; the second has all that the first has answered.
    void theNextEngineIsTheFirst()
    {
        RedisServer server;
        QVERIFY(server.start());
        IdMaker ids;
        EngineSeat first(server);
        QTRY_VERIFY(first.mayDecide());
        const QByteArray large(20'000, 'x'); // apart from its record
        const QList<EnqueueItem> jobs{jobOf(ids, "a", "1"), jobOf(ids, "a", large), jobOf(ids, "b", "2", "key"), jobOf(ids, "c", "3")};
        const auto push = [&jobs](engine::Engine &engine, const engine::Moment &at) { return engine.enqueue(jobs, at); };
        const auto pushed = first.decide(push);
        QVERIFY(pushed && std::ranges::all_of(*pushed, [](const auto &each) { return each.ok() && !each->duplicate; }));
        const auto claim = [](const QByteArray &name) {
            return [name](engine::Engine &engine, const engine::Moment &at) { return engine.claim({{"w", {name}}}, at); };
        };
        const auto a = first.decide(claim("a")), b = first.decide(claim("b"));
        QVERIFY(a && a->first().jobs.size() == 1 && b && b->first().jobs.size() == 1);
        const auto report = [](const ClaimedJob &job, const QByteArray &result) {
            Outcome outcome;
            outcome.finishedAt = "2026-01-01T00:00:00Z";
            outcome.result = result;
            return [=](engine::Engine &engine, const engine::Moment &at) { return engine.finish({{job.id, job.lease, outcome}}, at); };
        };
        const auto done = first.decide(report(a->first().jobs.first(), large));
        QVERIFY(done && done->first().ok());

        first.journal.reset();
        EngineSeat second(server);
        QTRY_VERIFY(second.mayDecide());
        QCOMPARE(engine::difference(*first.memory.engine(), *second.memory.engine()), QByteArray());
        const EnqueueItem other = jobOf(ids, "b", "2", "key");
        const auto again = second.decide([&](engine::Engine &engine, const engine::Moment &at) { return engine.enqueue({other}, at); });
        QVERIFY(again && again->first().ok());
        QCOMPARE(again->first()->id, jobs[2].id);
        QVERIFY(again->first()->duplicate);
        QCOMPARE(second.memory.engine()->job(jobs[1].id)->spec.argument, large);
        const auto late = second.decide(report(b->first().jobs.first(), "4")); // under the lease that the first gave
        QVERIFY(late && late->first().ok());
        QCOMPARE(late->first()->state, JobState::Succeeded);
    }

    void aRedisThatLostItsLastBytesIsHealed_data()
    {
        QTest::addColumn<int>("share"); // of what was written since the master took, in per cent; -1: the take is lost, too
        QTest::newRow("nothing is lost") << 100;
        QTest::newRow("a few batches") << 93;
        QTest::newRow("half") << 50;
        QTest::newRow("nearly all") << 11;
        QTest::newRow("the take") << -1;
    }

    void aRedisThatLostItsLastBytesIsHealed()
    {
        QFETCH(int, share);
        RedisServer server(words("--appendonly yes --appendfsync no"));
        QVERIFY(server.start());
        server.cli(words("HSET jq:{t}:lead id b n 7 beat 3 term 1 layout 1 gone 1"));
        const qint64 before = QFile(appendOnlyFile(server)).size();
        Seat seat(server);
        QTRY_VERIFY(seat.leads());
        const QByteArray id = seat.journal.protocol().id();
        QVERIFY(seat.decide("first"));
        QTRY_COMPARE(seat.saved.size(), 1);
        const qint64 taken = QFile(appendOnlyFile(server)).size();
        for (int i = 0; i < 150; ++i) {
            QTRY_VERIFY(seat.journal.mayDecide());
            QVERIFY(seat.decide("f" + QByteArray::number(i), QByteArray(100, 'x')));
            QCoreApplication::processEvents();
        }
        QTRY_COMPARE(seat.saved.size(), 151);
        server.kill9();
        QFile file(appendOnlyFile(server));
        QVERIFY(file.resize(share < 0 ? before : taken + (file.size() - taken) * share / 100));
        QVERIFY(server.start());
        QTRY_VERIFY(seat.journal.mayDecide());
        QVERIFY(seat.decide("behind"));
        QTRY_COMPARE(seat.saved.size(), 152);
        QCOMPARE(keysOf(server, seat.memory), seat.memory.keys);
        QCOMPARE(seat.memory.begun, 1);
        QCOMPARE(seat.journal.protocol().id(), id);
        QCOMPARE(seat.healed.size(), share == 100 ? 0 : 1);
        if (share < 0)
            QVERIFY(seat.healed[0][0].toLongLong() > 20);
        QVERIFY(seat.rollback.isEmpty() && seat.unknown.isEmpty());
    }

    void whatIsUnderWayWhenRedisIsKilledIsSentAgain()
    {
        RedisServer server(words("--appendonly yes --appendfsync no"));
        QVERIFY(server.start());
        Seat seat(server);
        QTRY_VERIFY(seat.leads());
        int decided = 0;
        for (int kill = 0; kill < 3; ++kill) {
            for (int i = 0; i < 40; ++i) {
                QTRY_VERIFY(seat.journal.mayDecide());
                QVERIFY(seat.decide("f" + QByteArray::number(decided)));
                ++decided;
                QCoreApplication::processEvents();
            }
            server.kill9();
            QVERIFY(server.start());
            QTRY_VERIFY(seat.journal.mayDecide());
        }
        QTRY_COMPARE(seat.journal.protocol().confirmed(), seat.journal.protocol().decided());
        QTRY_COMPARE(seat.saved.size() + seat.unknown.size(), decided);
        QCOMPARE(keysOf(server, seat.memory), seat.memory.keys);
        QVERIFY(seat.rollback.isEmpty());
        QCOMPARE(seat.memory.begun, 1);
    }

    void anEmptiedNamespaceIsNotHealed()
    {
        RedisServer server;
        QVERIFY(server.start());
        Seat seat(server);
        QTRY_VERIFY(seat.leads());
        QVERIFY(seat.decide("f"));
        QTRY_COMPARE(seat.saved.size(), 1);
        server.cli(words("FLUSHALL"));
        QTRY_COMPARE(seat.rollback.size(), 1);
        QCOMPARE(seat.rollback[0][0].value<journal::Event::Why>(), journal::Event::Why::Emptied);
        QTRY_VERIFY(seat.leads());
        QVERIFY(seat.memory.keys.isEmpty());
        QCOMPARE(server.cli(words("KEYS *")).trimmed(), QByteArray("jq:{t}:lead"));
    }

    void functionsThatWereDeletedAreGivenAgain()
    {
        RedisServer server;
        QVERIFY(server.start());
        Seat seat(server);
        QTRY_VERIFY(seat.leads());
        server.cli(words("FUNCTION FLUSH"));
        QTRY_VERIFY(seat.journal.mayDecide());
        QVERIFY(seat.decide("f"));
        QTRY_COMPARE(seat.saved.size(), 1);
        QVERIFY(seat.leads() && seat.rollback.isEmpty());
    }

    void aRedisWithoutMemoryForFunctionsTakesBatches()
    {
        RedisServer server(words("--maxmemory 1"));
        QVERIFY(server.start());
        Seat seat(server);
        QTRY_VERIFY(seat.leads());
        QTRY_VERIFY(seat.journal.nearlyFull(1)); // but no pushes
        QVERIFY(seat.decide("f"));
        QTRY_COMPARE(seat.saved.size(), 1);
        QVERIFY(server.cli(words("FUNCTION LIST")).trimmed().isEmpty());
    }

    void aDeadLeaderIsReplacedAndAReturningOneLetsGo()
    {
        RedisServer server;
        QVERIFY(server.start());
        QTemporaryDir directory;
        const QString noteFile = directory.filePath(QStringLiteral("journal"));
        Seat first(server, Mine{"127.0.0.1:1"}, noteFile); // nothing listens there
        QTRY_VERIFY(first.leads());
        QVERIFY(first.decide("f"));
        QTRY_COMPARE(first.saved.size(), 1);
        QTRY_VERIFY([&] {
            QFile file(noteFile);
            return file.open(QIODevice::ReadOnly) && file.readAll() == first.journal.protocol().id() + " 1\n";
        }());
        server.cli({QStringLiteral("HSET"), QStringLiteral("jq:{t}:lead"), QStringLiteral("id"), QStringLiteral("other")});
        if (first.journal.mayDecide())
            first.decide("g");
        QSignalSpy follows(&first.journal, &Journal::follows);
        QTRY_COMPARE(follows.size(), 1);
        QVERIFY(!first.saved.contains("g"));
        // `other` does not beat, and its address refuses.
        QTRY_VERIFY(first.leads());
        QCOMPARE(first.memory.keys.value("s:1").size(), 1);
    }
};

JUNBAN_TEST(TestJournal)
#include "test_journal.moc"
