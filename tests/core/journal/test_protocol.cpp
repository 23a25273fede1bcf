#include "core/journal/bounds.h"
#include "core/journal/protocol.h"
#include "tests/core/journal/simserver.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::journal;
using junban::test::SimMemory;
using junban::test::SimServer;

namespace {

// A journal's protocol beside a server; each request is answered by hand or by serve().
class Desk
{
public:
    explicit Desk(Remembered remembered = {}, const QByteArray &name = "a")
        : protocol(
            Mine{"127.0.0.1:1"}, memory, [this, name] { return name + QByteArray::number(++ids); }, remembered)
    {
    }

    SimServer own;
    SimServer *server = &own;
    SimMemory memory;
    qint64 now_ms = 50'000;
    int ids = 0;
    Protocol protocol;
    std::deque<Request> sent;    // without a reply
    std::vector<Event> events;
    QByteArrayList told;         // answers that have left: their name, with a question mark for Fate::Unknown

    void gather()
    {
        Output out = protocol.out();
        sent.insert(sent.end(), out.requests.begin(), out.requests.end());
        events.insert(events.end(), out.events.begin(), out.events.end());
        for (const Leaving &leaving : out.answers)
            leaving.answer(leaving.fate);
    }
    void reply(const Answered &answered)
    {
        const Request request = sent.front();
        sent.pop_front();
        protocol.answered(request.ticket, answered, now_ms);
        gather();
    }
    // Carries out the next requests; all by default.
    void serve(int count = 1'000'000)
    {
        gather();
        for (; count > 0 && !sent.empty(); --count)
            reply(server->execute(sent.front()));
    }
    void pass(qint64 ms)
    {
        for (; ms > 0; ms -= 100) {
            now_ms += 100;
            server->now_ms += 100;
            protocol.tick(now_ms);
            gather();
        }
    }
    void live(qint64 ms)
    {
        for (; ms > 0; ms -= 100) {
            pass(100);
            serve();
        }
    }
    void connect()
    {
        protocol.connected(now_ms);
        gather();
    }
    void cut()
    {
        sent.clear();
        protocol.broken(now_ms);
        gather();
    }
    // Answers one request after the other until one of this kind is to be answered next.
    void until(Request::Kind kind)
    {
        for (int i = 0; i < 100 && (sent.empty() || sent.front().kind != kind); ++i) {
            if (sent.empty())
                pass(100);
            else
                serve(1);
        }
    }
    bool lead()
    {
        connect();
        live(700);
        return protocol.serving() != Serving::Nothing;
    }
    Answer answer(const QByteArray &name)
    {
        return [this, name](Fate fate) { told.append(fate == Fate::Saved ? name : name + '?'); };
    }
    // One pass that decides one write, with its answer.
    void decide(const QByteArray &name, Patience patience = Patience::Reply)
    {
        protocol.write(memory.set("h", name, "1"));
        protocol.hold(answer(name), Proof::Recent, patience, now_ms);
        protocol.endPass(now_ms);
        gather();
    }
    void readOnly(const QByteArray &name, Proof proof)
    {
        protocol.hold(answer(name), proof, Patience::Reply, now_ms);
        protocol.endPass(now_ms);
        gather();
    }
    QList<Event> take(Event::Kind kind)
    {
        QList<Event> found;
        std::erase_if(events, [&](const Event &event) {
            if (event.kind == kind)
                found.append(event);
            return event.kind == kind;
        });
        return found;
    }
};

// A `lead` of another master in the server.
void put(SimServer &server, const QByteArray &id, qint64 n, qint64 beat = 0, const QByteArray &address = {})
{
    server.keys["lead"] = {{"id", id}, {"n", QByteArray::number(n)}, {"beat", QByteArray::number(beat)}, {"term", "1"}, {"layout", "1"},
        {"address", address}};
}

// After how many milliseconds a follower takes, if what `each` does happens before each of its steps of 100 ms.
qint64 takesAfter(Desk &desk, qint64 most_ms, const std::function<void(qint64)> &each = [](qint64) {})
{
    desk.connect();
    qint64 ms = 0;
    for (; ms < most_ms; ms += 100) {
        each(ms);
        desk.live(100);
        if (desk.server->lead().id.startsWith('a'))
            return ms + 100;
    }
    return -1;
}

} // namespace

// The protocol step by step, as docs/decisions/journal.md numbers them, against a server in memory.
class TestProtocol : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void step2_aMissingLeadIsTakenAtOnce()
    {
        Desk desk;
        QVERIFY(takesAfter(desk, 2'000) <= 200);
        QCOMPARE(desk.server->lead().term, 1);
        QCOMPARE(desk.server->lead().n, 0);
    }

    void step2_aLeadThatIsGoneIsTakenAtOnce()
    {
        Desk desk;
        put(*desk.server, "b", 7);
        desk.server->keys["lead"]["gone"] = "1";
        QVERIFY(takesAfter(desk, 2'000) <= 200);
        QCOMPARE(desk.server->lead().n, 7);
        QCOMPARE(desk.server->lead().base, 7);
        QVERIFY(!desk.server->lead().gone);
    }

    void step2_aSilentLeadIsTakenAfterTwoSeconds()
    {
        Desk desk;
        put(*desk.server, "b", 7);
        const qint64 ms = takesAfter(desk, 10'000);
        QVERIFY2(ms >= 2'000 && ms <= 2'800, QByteArray::number(ms));
    }

    void step2_whoeverWritesOrBeatsIsNotReplaced()
    {
        Desk writes;
        put(*writes.server, "b", 7);
        QCOMPARE(takesAfter(writes, 20'000, [&](qint64 ms) { put(*writes.server, "b", ms / 1'000); }), -1);
        Desk beats;
        put(*beats.server, "b", 7);
        QCOMPARE(takesAfter(beats, 20'000, [&](qint64 ms) { put(*beats.server, "b", 7, ms / 1'500); }), -1);
    }

    void step2_aPauseBetweenAnswersBeginsAnew()
    {
        Desk desk;
        put(*desk.server, "b", 7);
        desk.connect();
        for (int i = 0; i < 5; ++i) {
            desk.live(1'500);
            desk.pass(1'600); // no answer comes
        }
        QCOMPARE(desk.server->lead().id, QByteArray("b"));
        desk.live(2'800);
        QCOMPARE(desk.server->lead().id, QByteArray("a1"));
    }

    void step2_anAddressThatRefusesIsReplacedSooner()
    {
        Desk desk;
        put(*desk.server, "b", 7, 0, "127.0.0.1:9");
        const qint64 ms = takesAfter(desk, 10'000, [&](qint64) {
            for (const Event &probe : desk.take(Event::Kind::Probe))
                desk.protocol.probed(probe.text, probe.text == "127.0.0.1:9", desk.now_ms);
            desk.serve();
        });
        QVERIFY2(ms >= 500 && ms <= 900, QByteArray::number(ms));
    }

    void step3_aLeadThatHasMovedIsNotTaken()
    {
        Desk desk;
        put(*desk.server, "b", 7);
        desk.connect();
        desk.until(Request::Kind::Take);
        QVERIFY(!desk.sent.empty());
        put(*desk.server, "b", 8);
        desk.serve();
        QCOMPARE(desk.server->lead().id, QByteArray("b"));
        QCOMPARE(desk.memory.begun, 0);
        desk.live(2'900);
        QCOMPARE(desk.server->lead().id, QByteArray("a2"));
    }

    void step3_aTakeWhoseReplyWasLostIsNoticed()
    {
        Desk desk;
        desk.connect();
        desk.until(Request::Kind::Take);
        desk.server->execute(desk.sent.front());
        desk.cut();
        QVERIFY(desk.lead());
        QCOMPARE(desk.server->lead().id, QByteArray("a1"));
    }

    void step3_aNewerLayoutIsNeitherTakenNorLed()
    {
        Desk desk;
        put(*desk.server, "b", 7);
        desk.server->keys["lead"]["gone"] = "1";
        desk.server->keys["lead"]["layout"] = "2";
        QCOMPARE(takesAfter(desk, 5'000), -1);
        QCOMPARE(desk.take(Event::Kind::NewerLayout).size(), 1);
    }

    void step4_everythingIsReadBetweenTwoReadsOfLead()
    {
        Desk desk;
        for (int i = 0; i < 100; ++i) {
            const QByteArray key = "s:" + QByteArray::number(i);
            desk.server->keys["segs"][key] = "1";
            desk.server->keys[key] = {{"f", QByteArray::number(i)}};
        }
        QVERIFY(desk.lead());
        SimServer::Keys kept = desk.server->keys;
        kept.remove("lead");
        QCOMPARE(desk.memory.keys, kept);
    }

    void step4_anyBreakOrDifferenceBeginsAnew()
    {
        Desk desk;
        desk.server->keys["segs"] = {{"h", "1"}};
        desk.server->keys["h"] = {{"f", "1"}};
        desk.connect();
        desk.until(Request::Kind::Read);
        desk.cut();
        QCOMPARE(desk.protocol.serving(), Serving::Nothing);
        desk.connect();
        desk.until(Request::Kind::Read);
        put(*desk.server, "b", 9);
        desk.serve();
        QCOMPARE(desk.protocol.serving(), Serving::Nothing);
        desk.live(4'000);
        QCOMPARE(desk.protocol.serving(), Serving::Everything);
        QCOMPARE(desk.memory.begun, 3);
    }

    void step4_aLongLoadSendsBeats()
    {
        Desk desk;
        desk.connect();
        desk.until(Request::Kind::Read);
        desk.pass(1'100);
        const auto beats = std::count_if(desk.sent.begin(), desk.sent.end(), [](const Request &request) {
            return request.kind == Request::Kind::Apply && request.words[1] == request.words[2];
        });
        QCOMPARE(beats, 2);
    }

    void step5_aContradictionStops()
    {
        Desk desk;
        desk.memory.derived = Error{ErrorCode::Internal, Reason("test", {}, "two jobs with one unique key")};
        desk.connect();
        desk.live(3'000);
        QCOMPARE(desk.take(Event::Kind::Stopped).value(0).text, QByteArray("two jobs with one unique key"));
        QCOMPARE(desk.protocol.serving(), Serving::Nothing);
        QVERIFY(desk.sent.empty());
    }

    void step6_reportsComeFirst()
    {
        Desk desk;
        desk.connect();
        desk.live(200);
        QCOMPARE(desk.protocol.serving(), Serving::Reports);
        desk.live(900);
        QCOMPARE(desk.protocol.serving(), Serving::Everything);
    }

    void step6_engineTimeNeverGoesBack()
    {
        Desk desk;
        put(*desk.server, "b", 7);
        const qint64 ahead_ms = desk.server->now_ms + 60'000;
        desk.server->keys["lead"]["gone"] = "1";
        desk.server->keys["lead"]["at"] = QByteArray::number(ahead_ms);
        QVERIFY(desk.lead());
        QCOMPARE(desk.protocol.time_ms(desk.now_ms), ahead_ms);
        desk.decide("x");
        desk.serve();
        QCOMPARE(desk.server->lead().at_ms, ahead_ms);
        desk.live(70'000);
        QVERIFY(qAbs(desk.protocol.time_ms(desk.now_ms) - desk.server->now_ms) <= 100);
        desk.server->now_ms -= 30'000;
        const qint64 last_ms = desk.protocol.time_ms(desk.now_ms);
        desk.live(1'000);
        QCOMPARE(desk.protocol.time_ms(desk.now_ms), last_ms);
    }

    void step7_onePassIsOneBatch()
    {
        Desk desk;
        QVERIFY(desk.lead());
        desk.protocol.write(desk.memory.set("h", "x", "1"));
        desk.protocol.write(desk.memory.set("h", "x", "2"));
        desk.protocol.write(desk.memory.set("g", "y", "3"));
        desk.protocol.endPass(desk.now_ms);
        desk.gather();
        QCOMPARE(desk.sent.size(), size_t(1));
        const QList<QByteArray> words{"HSET", "g", "2", "y", "3", "HSET", "h", "2", "x", "2", "HSET", "segs", "4", "g", "1", "h", "1"};
        QCOMPARE(desk.sent.front().words.mid(4), words);
        desk.serve();
        QCOMPARE(desk.server->lead().n, 1);
    }

    void step7_theWritesOfAKeyComeTogether()
    {
        engine::Writes writes;
        writes.setField("h", "a", "1");
        writes.setValue("v", "x");
        writes.removeField("h", "b");
        writes.removeKey("g");
        writes.setField("g", "c", "2");
        writes.setField("h", "a", "3");
        writes.setValue("v", "y", 99);
        writes.removeField("f", "d");
        writes.setField("f", "d", "4");
        writes.setField("i", "e", "5");
        writes.removeKey("i");
        const QList<QByteArray> words{"HSET", "f", "2", "d", "4", "DEL", "g", "0", "HSET", "g", "2", "c", "2", "HSET", "h", "2", "a", "3",
            "HDEL", "h", "1", "b", "DEL", "i", "0", "SET", "v", "3", "y", "PXAT", "99"};
        QCOMPARE(wordsOf(writes), words);
    }

    void step8_manyBatchesAreUnderWayAndNoneIsLetInBehindARefusedOne()
    {
        Desk desk;
        QVERIFY(desk.lead());
        for (const char *name : {"p", "q", "r", "s"})
            desk.decide(name);
        QCOMPARE(desk.sent.size(), size_t(4));
        desk.serve(1);
        desk.reply(Refused{});
        QCOMPARE(desk.told, QByteArrayList{"p"});
        QVERIFY(!desk.protocol.mayDecide());
        desk.serve();
        QCOMPARE(desk.server->lead().n, 1);
        QCOMPARE(desk.told, QByteArrayList{"p"});
        desk.live(300);
        QCOMPARE(desk.told, (QByteArrayList{"p", "q", "r", "s"}));
        QCOMPARE(desk.server->lead().n, 4);
        QVERIFY(desk.protocol.mayDecide());
        QVERIFY(desk.take(Event::Kind::Healed).isEmpty()); // no answered one was lost
    }

    void step9_anAnswerLeavesBehindTheNewestBatchDecidedBeforeIt()
    {
        Desk desk;
        QVERIFY(desk.lead());
        desk.decide("push");
        desk.readOnly("duplicate", Proof::Recent);
        QCOMPARE(desk.told, QByteArrayList());
        desk.serve(1);
        QCOMPARE(desk.told, (QByteArrayList{"push", "duplicate"}));
        desk.readOnly("read", Proof::Recent);
        QCOMPARE(desk.told.last(), QByteArray("read"));
        QVERIFY(desk.sent.empty());
    }

    void step9_anAnswerWithoutABatchNeedsAProofOfTheLastSecond()
    {
        Desk desk;
        QVERIFY(desk.lead());
        desk.pass(1'200);        // beats are sent, and none is answered
        desk.sent.clear();
        desk.readOnly("read", Proof::Recent);
        QCOMPARE(desk.told, QByteArrayList());
        Desk other;
        QVERIFY(other.lead());
        other.pass(1'200);
        other.readOnly("read", Proof::Recent);
        QCOMPARE(other.told, QByteArrayList());
        other.serve();
        QCOMPARE(other.told, QByteArrayList{"read"});
    }

    void step9_aRefusalNeedsAUnitSentAfterTheRequestCame()
    {
        Desk desk;
        QVERIFY(desk.lead());
        desk.decide("push");
        desk.readOnly("lease_lost", Proof::Fresh);
        QCOMPARE(desk.sent.size(), size_t(2)); // the batch and a beat
        desk.serve(1);
        QCOMPARE(desk.told, QByteArrayList{"push"});
        desk.serve(1);
        QCOMPARE(desk.told, (QByteArrayList{"push", "lease_lost"}));
        // The batch of the same pass is such a unit.
        desk.protocol.hold(desk.answer("gone"), Proof::Fresh, Patience::Reply, desk.now_ms);
        desk.decide("next");
        QCOMPARE(desk.sent.size(), size_t(1));
        desk.serve();
        QCOMPARE(desk.told.mid(2), (QByteArrayList{"gone", "next"}));
    }

    void step9_aRedisThatRefusesChangesProvesReads()
    {
        const Refused full{Error{ErrorCode::StoreReadOnly, Reason("test", {}, "MISCONF")}};
        Desk desk;
        QVERIFY(desk.lead());
        QCOMPARE(desk.protocol.reading(desk.now_ms), Reading::Held);
        desk.sent.clear();
        desk.pass(600);
        const auto refuse = [&desk, &full](qint64 ms) { // it answers reads of `lead` all the time
            for (const qint64 end_ms = desk.now_ms + ms; desk.now_ms < end_ms; desk.pass(100)) {
                while (!desk.sent.empty())
                    desk.reply(desk.sent.front().kind == Request::Kind::Apply ? Answered(full) : desk.server->execute(desk.sent.front()));
            }
        };
        refuse(10'000);
        QCOMPARE(desk.protocol.reading(desk.now_ms), Reading::Held); // it has all that memory has
        desk.told.clear();
        desk.readOnly("read", Proof::Recent);
        desk.readOnly("fresh", Proof::Fresh);
        QCOMPARE(desk.told, QByteArrayList());
        refuse(300);
        QCOMPARE(desk.told, (QByteArrayList{"read", "fresh"}));
        desk.live(300);
        QVERIFY(desk.protocol.mayDecide());

        desk.decide("job");
        QCOMPARE(desk.protocol.reading(desk.now_ms), Reading::Held);
        refuse(300);
        QCOMPARE(desk.protocol.reading(desk.now_ms), Reading::Unsaved); // memory is ahead by this batch
        desk.live(300);
        QCOMPARE(desk.protocol.reading(desk.now_ms), Reading::Held);
        QCOMPARE(desk.told.last(), "job");
    }

    void step9_readsAreUnsavedWhenRedisIsAwayForTwoSeconds()
    {
        Desk desk;
        QCOMPARE(desk.protocol.reading(desk.now_ms), Reading::Nothing);
        QVERIFY(desk.lead());
        desk.cut();
        QCOMPARE(desk.protocol.reading(desk.now_ms), Reading::Nothing);
        desk.pass(2'000);
        QCOMPARE(desk.protocol.reading(desk.now_ms), Reading::Unsaved);
        desk.connect();
        desk.serve();
        QCOMPARE(desk.protocol.reading(desk.now_ms), Reading::Held);
    }

    void step10_nothingIsDecidedUntilRedisAcceptsAChangeAgain()
    {
        const Refused readOnly{Error{ErrorCode::StoreReadOnly, Reason("test", {}, "MISCONF")}};
        const Refused loading{Error{ErrorCode::StoreUnavailable, Reason("test", {}, "LOADING")}};
        Desk desk;
        QVERIFY(desk.lead());
        QVERIFY(!desk.protocol.refusal());
        desk.sent.clear();
        desk.pass(600);
        QCOMPARE(desk.sent.front().kind, Request::Kind::Apply); // a beat, as there is no batch
        desk.reply(readOnly);
        QCOMPARE(desk.protocol.refusal()->code, ErrorCode::StoreReadOnly);
        desk.until(Request::Kind::ReadLead);
        desk.serve(1);
        QCOMPARE(desk.protocol.refusal()->code, ErrorCode::StoreReadOnly); // it answers reads all the time
        QVERIFY(!desk.protocol.mayDecide());
        QCOMPARE(desk.sent.front().kind, Request::Kind::Apply);            // asked at once
        desk.reply(loading);
        QCOMPARE(desk.protocol.refusal()->code, ErrorCode::StoreUnavailable);
        desk.live(300);
        QVERIFY(!desk.protocol.refusal());
        QVERIFY(desk.protocol.mayDecide());

        desk.cut();
        desk.connect();
        desk.reply(loading);
        QVERIFY(desk.protocol.refusal());
        desk.cut();
        desk.connect();
        QVERIFY(!desk.protocol.refusal()); // it was another connection's
    }

    void step10_nothingIsDecidedWhileSixtyFourBatchesAreUnderWay()
    {
        Desk desk;
        QVERIFY(desk.lead());
        for (int i = 0; i < bounds::under_way_max; ++i) {
            QVERIFY(desk.protocol.mayDecide());
            desk.decide(QByteArray::number(i));
        }
        QVERIFY(!desk.protocol.mayDecide());
        desk.serve(1);
        QVERIFY(desk.protocol.mayDecide());
    }

    void step10_norWhileSixteenMebibytesAre()
    {
        Desk desk;
        QVERIFY(desk.lead());
        int batches = 0;
        for (; desk.protocol.mayDecide(); ++batches) {
            desk.protocol.write(desk.memory.set("h", "x", QByteArray(1024 * 1024, 'x')));
            QVERIFY(desk.protocol.full());
            desk.protocol.endPass(desk.now_ms);
        }
        QCOMPARE(batches, 16);
    }

    void step10_aReplyWaitsForTwoSecondsAndAMessageForTheHeal()
    {
        Desk desk;
        QVERIFY(desk.lead());
        desk.decide("reply");
        desk.decide("wake", Patience::Message);
        desk.cut();
        QVERIFY(!desk.protocol.mayDecide());
        desk.pass(1'900);
        QCOMPARE(desk.told, QByteArrayList());
        desk.pass(200);
        QCOMPARE(desk.told, QByteArrayList{"reply?"});
        desk.connect();
        desk.serve();
        QCOMPARE(desk.told, (QByteArrayList{"reply?", "wake"}));
        QCOMPARE(desk.server->lead().n, 2);
    }

    void step11_nearlyFullCountsWhatWasSentSince()
    {
        Desk desk;
        QVERIFY(desk.lead());
        QVERIFY(!desk.protocol.nearlyFull(1'000'000'000)); // no bound is known
        desk.protocol.fullnessAsked();
        desk.protocol.fullness(80'000, 100'000);
        QVERIFY(!desk.protocol.nearlyFull(10'000));
        QVERIFY(desk.protocol.nearlyFull(20'000));
        desk.protocol.write(desk.memory.set("h", "x", QByteArray(12'000, 'x')));
        desk.protocol.endPass(desk.now_ms);
        QVERIFY(desk.protocol.nearlyFull(10'000));
        desk.protocol.fullnessAsked();
        QVERIFY(desk.protocol.nearlyFull(10'000)); // Redis has not answered yet
        desk.protocol.fullness(80'000, 100'000);
        QVERIFY(!desk.protocol.nearlyFull(10'000));
    }

    void step12_aLeaderWithoutWritesBeats()
    {
        Desk desk;
        QVERIFY(desk.lead());
        const Lead before = desk.server->lead();
        desk.live(5'000);
        QCOMPARE(desk.server->lead().n, before.n);
        QVERIFY(desk.server->lead().beat >= before.beat + 8);
        Desk other({}, "c");
        other.server = desk.server;
        other.connect();
        for (int i = 0; i < 50; ++i) {
            desk.live(100);
            other.live(100);
        }
        QCOMPARE(desk.server->lead().id, desk.protocol.id());
    }

    void step13_aFaultStops()
    {
        Desk desk;
        QVERIFY(desk.lead());
        desk.decide("push");
        desk.reply(Fault{"WRONGTYPE"});
        QCOMPARE(desk.told, QByteArrayList{"push?"});
        QCOMPARE(desk.take(Event::Kind::Stopped).value(0).text, QByteArray("WRONGTYPE"));
        desk.cut();
        desk.connect();
        desk.pass(5'000);
        QVERIFY(desk.sent.empty());
    }

    void step14_theRingKeepsAMinute()
    {
        const auto batch = [](qint64 n, qint64 sent_ms, qint64 bytes = 10) { return Batch{n, 0, {}, bytes, sent_ms}; };
        Ring ring;
        ring.begin(4);
        QVERIFY(ring.reaches(5) && !ring.reaches(4) && !ring.reaches(6));
        for (qint64 n = 5; n <= 9; ++n)
            ring.add(batch(n, n * 1'000));
        ring.trim(65'500, 8, 0);
        QCOMPARE(ring.first(), 6);
        ring.trim(1'000'000, 7, 0);
        QCOMPARE(ring.first(), 8); // the others are not confirmed
        ring.trim(66'000, 9, 8);
        QCOMPARE(ring.first(), 9); // those before are everywhere
        QVERIFY(ring.reaches(9) && ring.reaches(10) && !ring.reaches(8) && !ring.reaches(11));
        ring.add(batch(10, 66'000, bounds::ring_bytes_max));
        ring.trim(66'000, 10, 0);
        QCOMPARE(ring.first(), 10);
        QCOMPARE(ring.bytes(), bounds::ring_bytes_max);
    }

    void step15_redisHasMoreThanWasAnswered()
    {
        Desk desk;
        QVERIFY(desk.lead());
        desk.decide("p");
        desk.decide("q");
        desk.decide("r");
        desk.server->execute(desk.sent[0]);
        desk.server->execute(desk.sent[1]);
        desk.cut();
        desk.connect();
        desk.serve(1);
        QCOMPARE(desk.told, (QByteArrayList{"p", "q"}));
        desk.serve();
        QCOMPARE(desk.told, (QByteArrayList{"p", "q", "r"}));
        QVERIFY(desk.take(Event::Kind::Healed).isEmpty());
        QCOMPARE(desk.server->keys.value("h").size(), 3);
    }

    void step15_whatRedisHasLostIsSentAgain()
    {
        Desk desk;
        QVERIFY(desk.lead());
        desk.decide("p");
        desk.serve();
        const SimServer::Keys older = desk.server->keys;
        for (int i = 0; i < 200; ++i) {
            desk.decide("x" + QByteArray::number(i));
            desk.serve();
        }
        const SimServer::Keys newest = desk.server->keys;
        desk.cut();
        desk.server->keys = older;
        desk.connect();
        desk.serve(1);
        QCOMPARE(desk.sent.size(), size_t(bounds::under_way_max)); // not all at once
        QVERIFY(!desk.protocol.mayDecide());
        desk.serve();
        QCOMPARE(desk.server->keys, newest);
        QVERIFY(desk.protocol.mayDecide());
        QCOMPARE(desk.take(Event::Kind::Healed).value(0).batches, 200);
        QCOMPARE(desk.server->contents->second, 0);
    }

    void step15_aHealThatIsBrokenOffGoesOn()
    {
        Desk desk;
        QVERIFY(desk.lead());
        desk.decide("p");
        desk.serve();
        const SimServer::Keys older = desk.server->keys;
        for (int i = 0; i < 20; ++i)
            desk.decide("x" + QByteArray::number(i));
        desk.serve();
        const SimServer::Keys newest = desk.server->keys;
        desk.cut();
        desk.server->keys = older;
        desk.connect();
        desk.serve(8);
        desk.cut();
        desk.server->keys = older;
        desk.connect();
        desk.serve(4);
        desk.cut();
        desk.connect();
        desk.serve();
        QCOMPARE(desk.server->keys, newest);
        QCOMPARE(desk.take(Event::Kind::Healed).value(0).batches, 20);
    }

    void step15_aLostTakeIsTakenAgainWithTheSameId()
    {
        Desk desk;
        put(*desk.server, "b", 7, 3);
        desk.server->keys["lead"]["gone"] = "1";
        const SimServer::Keys before = desk.server->keys;
        QVERIFY(desk.lead());
        const QByteArray id = desk.protocol.id();
        desk.decide("p");
        desk.decide("q");
        desk.serve();
        const auto h = desk.server->keys["h"];
        desk.cut();
        desk.server->keys = before;
        desk.connect();
        desk.serve();
        QCOMPARE(desk.server->lead().id, id);
        QCOMPARE(desk.server->lead().n, 9);
        QCOMPARE(desk.server->keys["h"], h);
        QCOMPARE(desk.take(Event::Kind::Healed).value(0).batches, 2);
        QCOMPARE(desk.memory.begun, 1);
    }

    void step15_thePredecessorWithAnotherNumberIsFollowed()
    {
        Desk desk;
        put(*desk.server, "b", 7, 3);
        desk.server->keys["lead"]["gone"] = "1";
        QVERIFY(desk.lead());
        desk.decide("p");
        desk.serve();
        desk.cut();
        put(*desk.server, "b", 8, 3);
        desk.connect();
        desk.serve();
        QCOMPARE(desk.protocol.serving(), Serving::Nothing);
        QCOMPARE(desk.server->lead().id, QByteArray("b"));
        QCOMPARE(desk.take(Event::Kind::Rollback).value(0).why, Event::Why::AnotherLed);
        QCOMPARE(desk.take(Event::Kind::Follows).size(), 1);
    }

    void step15_whatIsOlderThanTheRingIsTakenAnewWithANewId()
    {
        Desk desk;
        QVERIFY(desk.lead());
        desk.decide("p");
        desk.serve();
        const SimServer::Keys older = desk.server->keys;
        const QByteArray id = desk.protocol.id();
        for (int i = 0; i < 5; ++i)
            desk.decide("x" + QByteArray::number(i));
        desk.serve();
        desk.live(61'000);
        QCOMPARE(desk.protocol.ring_bytes(), 0);
        desk.cut();
        desk.server->keys = older;
        desk.connect();
        desk.serve();
        const Event rollback = desk.take(Event::Kind::Rollback).value(0);
        QCOMPARE(rollback.why, Event::Why::OlderThanRing);
        QCOMPARE(rollback.batches, 5);
        desk.live(300);
        QCOMPARE(desk.protocol.serving(), Serving::Reports);
        QVERIFY(desk.protocol.id() != id);
        QCOMPARE(desk.memory.keys.value("h").size(), 1);
    }

    void step15_whoeverWasFencedForgetsAndTellsWhatIsMissing()
    {
        Desk desk;
        QVERIFY(desk.lead());
        desk.decide("p");
        desk.serve();
        const SimServer::Keys older = desk.server->keys;
        desk.decide("q");
        desk.serve();
        desk.decide("r");
        desk.server->keys = older;
        desk.server->keys["lead"]["id"] = "b";
        desk.server->keys["lead"]["base"] = "1";
        desk.server->keys["lead"]["term"] = QByteArray::number(desk.server->lead().term + 1);
        desk.serve();
        QCOMPARE(desk.told, (QByteArrayList{"p", "q", "r?"}));
        const Event rollback = desk.take(Event::Kind::Rollback).value(0);
        QCOMPARE(rollback.why, Event::Why::AnotherLed);
        QCOMPARE(rollback.batches, 1);
        QCOMPARE(desk.server->lead().id, QByteArray("b"));
        QVERIFY(desk.memory.keys.isEmpty());
    }

    void step16_aMissingLeadIsNeverHealed()
    {
        Desk desk;
        QVERIFY(desk.lead());
        desk.decide("p");
        desk.serve();
        desk.server->keys.clear();
        desk.decide("q");
        desk.serve();
        const Event rollback = desk.take(Event::Kind::Rollback).value(0);
        QCOMPARE(rollback.why, Event::Why::Emptied);
        QCOMPARE(rollback.batches, 1);
        desk.live(1'000);
        QVERIFY(desk.protocol.serving() != Serving::Nothing);
        QVERIFY(!desk.server->keys.contains("h"));
    }

    void step17_aStartTellsWhatRedisHasLost()
    {
        Desk first;
        QVERIFY(first.lead());
        first.decide("p");
        first.serve();
        const SimServer::Keys older = first.server->keys;
        first.decide("q");
        first.serve();
        first.live(1'100);
        const Event note = first.take(Event::Kind::Note).last();
        QCOMPARE(note.text, first.protocol.id());
        QCOMPARE(note.batches, 2);

        Desk second({note.text, note.batches}, "c");
        second.server->keys = older;
        second.connect();
        second.live(100);
        const Event rollback = second.take(Event::Kind::Rollback).value(0);
        QCOMPARE(rollback.why, Event::Why::AtStart);
        QCOMPARE(rollback.batches, 1);
        Desk third({note.text, note.batches}, "c");
        third.server->keys = first.server->keys;
        third.connect();
        third.live(3'000);
        QVERIFY(third.take(Event::Kind::Rollback).isEmpty());
    }

    void step18_aLeaderThatStopsWritesAllAndIsGone()
    {
        Desk desk;
        QVERIFY(desk.lead());
        desk.decide("p");
        desk.protocol.leave(desk.now_ms);
        QVERIFY(!desk.protocol.mayDecide());
        desk.gather();
        QVERIFY(desk.take(Event::Kind::Left).isEmpty());
        desk.serve();
        QCOMPARE(desk.told, QByteArrayList{"p"});
        QCOMPARE(desk.take(Event::Kind::Left).size(), 1);
        QVERIFY(desk.server->lead().gone);
        desk.pass(5'000);
        QVERIFY(desk.sent.empty());
        Desk next({}, "c");
        next.server = desk.server;
        next.connect();
        next.live(200);
        QCOMPARE(next.protocol.serving(), Serving::Reports);
        QCOMPARE(next.memory.keys.value("h").size(), 1);
    }

    void step19_whoeverIsFencedAnswersNothing()
    {
        Desk desk;
        QVERIFY(desk.lead());
        put(*desk.server, "b", 0);
        desk.readOnly("lease_lost", Proof::Fresh);
        desk.serve();
        QCOMPARE(desk.told, QByteArrayList{"lease_lost?"});
        QCOMPARE(desk.memory.forgotten, 1);
        desk.readOnly("late", Proof::Recent);
        QCOMPARE(desk.told.last(), QByteArray("late?"));
    }

    void step20_aFollowerKnowsALeaderThatWritesOrBeats()
    {
        Desk desk;
        put(desk.own, "other", 7, 0, "127.0.0.1:2");
        desk.connect();
        desk.live(300);
        QVERIFY(desk.protocol.otherLeader().isMissing()); // it may be dead, and its address another program's
        for (int beat = 1; beat < 5; ++beat) {
            put(desk.own, "other", 7, beat, "127.0.0.1:2");
            desk.live(500);
        }
        QCOMPARE(desk.protocol.otherLeader().address, "127.0.0.1:2");
        desk.live(1'600); // it says nothing
        QVERIFY(desk.protocol.otherLeader().isMissing());
        desk.live(1'500);
        QVERIFY(desk.protocol.serving() != Serving::Nothing);
        QVERIFY(desk.protocol.otherLeader().isMissing());
    }

    void step20_aLeaderTellsWhereItListens()
    {
        Desk desk;
        QVERIFY(desk.lead());
        desk.protocol.setAddress("127.0.0.1:5", "ab", desk.now_ms);
        desk.serve();
        QCOMPARE(desk.own.keys["lead"].value("address"), "127.0.0.1:5");
        QCOMPARE(desk.own.keys["lead"].value("certificate"), "ab");
        const qint64 n = desk.protocol.decided();
        desk.protocol.setAddress("127.0.0.1:5", "ab", desk.now_ms); // it is there
        desk.serve();
        QCOMPARE(desk.protocol.decided(), n);
    }
};

JUNBAN_TEST(TestProtocol)
#include "test_protocol.moc"
