#include "tests/core/lua/lanesfixture.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// What happens at enqueue: a bound on ready jobs, and fields that a matcher sets.
class TestBacklog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_lanes.start());
        QTRY_COMPARE(m_lanes.link->state(), redis::LinkState::Up);
    }

    void init()
    {
        m_lanes.begin();
        QVERIFY(m_lanes.setRule([](const JobSpec &spec) {
            return QList<CarriedBucket>{{1, QByteArray::number(Lanes::valueOf(spec)), 1}};
        }));
    }

    void aFullBacklogRefusesAndNamesTheMatcher()
    {
        limit("reject", 2);
        const auto made = enqueue({item(7), item(7), item(7), item(8)});
        QVERIFY(made[0].ok() && made[1].ok() && made[3].ok());
        QCOMPARE(made[2].error().code, ErrorCode::BacklogFull);
        QCOMPARE(made[2].error().message(), "The backlog of the matcher 'matcher-1' is full for '7'.");
        QVERIFY(made[2].error().retryAfter_s > 0);
        QCOMPARE(ready(), 3);
        QCOMPARE(m_lanes.claim(1).size(), 1); // it takes the best one of key 7
        QVERIFY(enqueue({item(7)})[0].ok());
        QVERIFY(!enqueue({item(7)})[0].ok());
    }

    void whatIsRefusedLeavesNothingBehind()
    {
        limit("reject", 0);
        const auto before = m_lanes.command({"DBSIZE"}).integer();
        QVERIFY(!enqueue({item(7)})[0].ok());
        QVERIFY(m_lanes.command({"DBSIZE"}).integer() <= before + 1); // the number of calls
    }

    void theOldestMakesRoomWhateverItsPriority()
    {
        limit("drop_oldest", 2);
        const EnqueueItem oldest = item(7, -5), second = item(7), third = item(7);
        for (const auto &made : enqueue({oldest, second, third}))
            QVERIFY(made.ok());
        const auto dropped = await<Job>([&](auto done) { m_lanes.stores[0]->get(oldest.id, done); });
        QVERIFY(dropped.ok());
        QCOMPARE(dropped->state, JobState::Cancelled);
        QCOMPARE(dropped->reason, QByteArray("dropped"));
        QCOMPARE(m_lanes.claimIds(9), (QList<JobId>{second.id, third.id}));
    }

    void whatMayNotJoinItsGroupDropsNothing()
    {
        limit("drop_oldest", 1);
        m_lanes.command({"HSET", "jq:{lanes}:tokens", "t1", "its record"});
        EnqueueItem first = item(7), second = item(7);
        for (auto [each, token] : {std::pair(&first, "t1"), std::pair(&second, "t2")}) {
            each->spec.group = "g";
            setPusher(each->spec, token);
            keepToOwnGroups(each->spec);
        }
        QVERIFY(enqueue({first})[0].ok());
        QCOMPARE(enqueue({second})[0].error().code, ErrorCode::Forbidden);
        QCOMPARE(m_lanes.claimIds(9), QList<JobId>{first.id});
    }

    void whereNoneMayBeReadyTheOldestMakesNoRoom()
    {
        limit("drop_oldest", 0);
        const auto made = enqueue({item(7), item(8)});
        QCOMPARE(made[0].error().code, ErrorCode::BacklogFull);
        QCOMPARE(made[1].error().code, ErrorCode::BacklogFull);
        QCOMPARE(ready(), 0);
        limit("drop_oldest", 1);
        QVERIFY(enqueue({item(7)})[0].ok());
        limit("drop_oldest", 0);
        QVERIFY(!enqueue({item(7)})[0].ok());
        QCOMPARE(ready(), 1); // what was there stays
    }

    void aLoweredBoundMakesSeveralRoom()
    {
        limit("drop_oldest", 5);
        enqueue({item(7), item(7), item(7), item(7), item(7)});
        limit("drop_oldest", 2);
        const EnqueueItem last = item(7);
        QVERIFY(enqueue({last})[0].ok());
        QCOMPARE(ready(), 2);
    }

    void whatMadeRoomInOneBacklogMayHaveMadeItInAnother()
    {
        QVERIFY(m_lanes.setRule([](const JobSpec &) {
            return QList<CarriedBucket>{{1, "k", 1}, {2, "k", 1}};
        }));
        for (int number = 1; number <= 2; ++number)
            QVERIFY(m_lanes.setLimit(number, packed("drop_oldest", 2, "enforce")));
        const EnqueueItem first = item(7), second = item(7), third = item(7);
        enqueue({first, second, third});
        QCOMPARE(m_lanes.claimIds(9), (QList<JobId>{second.id, third.id}));
    }

    void aJobInPlaceAnswersForTheNewOne()
    {
        limit("coalesce", 1);
        const EnqueueItem first = item(7);
        EnqueueItem second = item(7), other = item(7);
        second.spec.keepResult = true;
        other.spec.name = "b";
        const auto made = enqueue({first, second, other});
        QVERIFY(made[1].ok() && made[1]->duplicate);
        QCOMPARE(made[1]->id, first.id);
        QCOMPARE(made[2].error().code, ErrorCode::BacklogFull); // there is none of its name
        const auto kept = await<Job>([&](auto done) { m_lanes.stores[0]->get(first.id, done); });
        QVERIFY(kept.ok() && kept->spec.keepResult);
        QCOMPARE(ready(), 1);
    }

    void theBoundIsAskedAtEnqueueOnly()
    {
        limit("reject", 2);
        EnqueueItem late = item(7);
        late.spec.delay_ms = 1000;
        for (const auto &made : enqueue({late, item(7), item(7)}))
            QVERIFY(made.ok());
        m_lanes.passTime(1000);
        QVERIFY(m_lanes.sweep());
        QCOMPARE(ready(), 3);
        EnqueueItem another = item(7);
        another.spec.delay_ms = 1000;
        QVERIFY(!enqueue({another})[0].ok());
    }

    void whatWillNotBeReadyYetDropsNothing()
    {
        limit("drop_oldest", 1);
        EnqueueItem late = item(7);
        late.spec.delay_ms = 1000;
        enqueue({item(7), late});
        QCOMPARE(ready(), 1);
        QCOMPARE(m_lanes.claim(9).size(), 1);
    }

    // Only a job that is ready at once makes room for itself, whatever else is to come before it starts.
    void whoeverHasToWaitDropsNothing_data()
    {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<int>("left"); // of the job that is there
        QTest::newRow("due now") << QByteArray("now") << 0;
        QTest::newRow("due in a moment") << QByteArray("soon") << 1;
        QTest::newRow("behind another job") << QByteArray("depends") << 1;
        QTest::newRow("with windows") << QByteArray("windows") << 1;
        QTest::newRow("of a key that nobody has") << QByteArray("unique") << 0;
    }
    void whoeverHasToWaitDropsNothing()
    {
        QFETCH(QByteArray, kind);
        QFETCH(int, left);
        limit("drop_oldest", 1);
        EnqueueItem there = item(7), parent = item(8), next = item(7);
        for (const auto &made : enqueue({there, parent}))
            QVERIFY(made.ok());
        if (kind == "now" || kind == "soon")
            next.spec.runAt_ms = m_lanes.now_ms + (kind == "soon");
        else if (kind == "depends")
            next.spec.dependsOn = {parent.id};
        else if (kind == "windows")
            next.spec.windows = {{0, 1'440, "UTC", 0x7f}}; // it is open all day
        else
            next.spec.unique = Unique{"k", UniqueUntil::Finished, OnConflict::Reject};
        QVERIFY(enqueue({next})[0].ok());
        const auto state = await<Job>([&](auto done) { m_lanes.stores[0]->get(there.id, done); });
        QCOMPARE(state->state, left ? JobState::Ready : JobState::Cancelled);
    }

    void anotherMatchersRefusalDropsNothing()
    {
        limit("drop_oldest", 1);
        QVERIFY(m_lanes.setLimit(2, packed("reject", 1, "enforce")));
        QVERIFY(m_lanes.setRule([](const JobSpec &) {
            return QList<CarriedBucket>{{1, {}, 1}, {2, {}, 1}};
        }));
        const EnqueueItem first = item(7);
        const auto made = enqueue({first, item(7)});
        QVERIFY(!made[1].ok());
        QCOMPARE(m_lanes.claimIds(9), QList<JobId>{first.id});
    }

    void whatOnlyObservesCountsNothingOfWhatIsRefused()
    {
        limit("reject", 0, "observe");
        QVERIFY(m_lanes.setLimit(2, packed("reject", 0, "enforce")));
        QVERIFY(m_lanes.setRule([](const JobSpec &) {
            return QList<CarriedBucket>{{1, {}, 1}, {2, {}, 1}};
        }));
        QVERIFY(!enqueue({item(7)})[0].ok());
        QCOMPARE(m_lanes.command({"EVAL", "return #redis.call('KEYS', '*}:b:*')", "0"}).integer(), 0);
        QCOMPARE(m_lanes.broken(), QByteArray());
    }

    void aRepeatedCallIsAnsweredAsTheFirst()
    {
        limit("reject", 1);
        const EnqueueItem once = item(7);
        QVERIFY(enqueue({once})[0].ok());
        const auto again = enqueue({once});
        QVERIFY(again[0].ok() && !again[0]->duplicate);
    }

    void aUniqueJobThatIsInPlaceIsNoNewOne()
    {
        limit("reject", 1);
        EnqueueItem first = item(7), same = item(7), instead = item(7);
        first.spec.unique = same.spec.unique = Unique{"k", UniqueUntil::Finished, OnConflict::Coalesce};
        instead.spec.unique = Unique{"k", UniqueUntil::Finished, OnConflict::Replace};
        const auto made = enqueue({first, same, instead});
        QVERIFY(made[1].ok() && made[1]->id == first.id);
        QVERIFY(made[2].ok() && made[2]->id == instead.id);
        QCOMPARE(ready(), 1);
    }

    void oneThatObservesCountsAndOneThatIsOffDoesNot()
    {
        limit("reject", 1, "observe");
        enqueue({item(7), item(7), item(7)});
        limit("reject", 1, "off");
        enqueue({item(7)});
        QCOMPARE(ready(), 4);
        const auto page = await<ConstraintStore::Buckets>([&](auto done) { m_lanes.constraints->buckets(1, 0, done); });
        QVERIFY(page.ok());
        QCOMPARE(page->buckets[0].wouldHold, 2);
    }

    void theReadyJobsOfABucketAreKnownThroughAllThatHappensToThem()
    {
        limit("reject", 100);
        QList<EnqueueItem> items;
        for (int i = 0; i < 12; ++i)
            items.append(item(i % 2));
        enqueue(items);
        for (const ClaimedJob &job : m_lanes.claim(4)) {
            if (Lanes::valueOf(job.spec) == 0)
                QVERIFY(m_lanes.finish(job));
            else
                QVERIFY(m_lanes.finish(job, OutcomeType::Failure));
        }
        QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { m_lanes.stores[0]->cancel({{items[9].id, false}}, done); }).ok());
        QVERIFY(m_lanes.setRule(m_lanes.rules[0]->inForce));
        QVERIFY(m_lanes.readStale(10));
        const auto known = m_lanes.command({"EVAL", "local n = 0 for _, k in ipairs(redis.call('KEYS', '*}:bq:*')) do "
                                                    "n = n + redis.call('ZCARD', k) end return n", "0"});
        QCOMPARE(known.integer(), ready());
        QCOMPARE(m_lanes.broken(), QByteArray());
        QCOMPARE(ready(), 7);
        while (!m_lanes.claim(9).isEmpty()) { }
        QCOMPARE(m_lanes.command({"EVAL", "return #redis.call('KEYS', '*}:bq:*')", "0"}).integer(), 0);
    }

    void aMatcherSetsFieldsAfterAllHaveReadTheJobAsPushed()
    {
        for (const auto &rules : m_lanes.rules) {
            rules->set = [](const JobSpec &spec) {
                SetParameters set;
                if (spec.priority == 0) // not 5, which is not what was pushed
                    set = {5, 60'000, 3, Backoff{100, 1, 100, 0}};
                return set;
            };
        }
        const EnqueueItem plain = item(7, 0), other = item(7, 1);
        enqueue({plain, other});
        auto job = await<Job>([&](auto done) { m_lanes.stores[0]->get(plain.id, done); });
        QVERIFY(job.ok());
        QCOMPARE(job->spec.priority, 5);
        QCOMPARE(job->spec.timeout_ms, 60'000);
        QCOMPARE(job->spec.maxRetry, 3);
        QCOMPARE(job->spec.backoff.base_ms, 100);
        // Another epoch reads what was pushed again, and a matcher that is gone leaves that behind.
        QVERIFY(m_lanes.setRule(m_lanes.rules[0]->inForce));
        QVERIFY(m_lanes.readStale(10));
        job = await<Job>([&](auto done) { m_lanes.stores[0]->get(plain.id, done); });
        QCOMPARE(job->spec.priority, 5);
        for (const auto &rules : m_lanes.rules)
            rules->set = {};
        QVERIFY(m_lanes.setRule(m_lanes.rules[0]->inForce));
        QCOMPARE(m_lanes.claimIds(2), (QList<JobId>{plain.id, other.id})); // read on the way
        job = await<Job>([&](auto done) { m_lanes.stores[0]->get(plain.id, done); });
        QCOMPARE(job->spec, plain.spec);
    }

    void theListGoesByThePriorityThatAMatcherSets()
    {
        const EnqueueItem first = item(7), second = item(8);
        enqueue({first, second});
        for (const auto &rules : m_lanes.rules)
            rules->set = [](const JobSpec &spec) { return SetParameters{Lanes::valueOf(spec) == 7 ? 5 : 0}; };
        QVERIFY(m_lanes.setRule(m_lanes.rules[0]->inForce));
        QVERIFY(m_lanes.readStale(10));
        PageRequest request;
        request.name = "a";
        const auto page = await<Page>([&](auto done) { m_lanes.stores[0]->page(request, done); });
        QVERIFY(page.ok() && page->jobs.size() == 2);
        QCOMPARE(page->jobs[0].id, second.id);
        QCOMPARE(page->jobs[1].spec.priority, 5);
    }

    void aJobThatIsEditedWhileItIsReadIsReadAgain()
    {
        const EnqueueItem pushed = item(7);
        enqueue({pushed});
        QVERIFY(m_lanes.setRule(m_lanes.rules[0]->inForce));
        const auto stale = await<ConstraintStore::Stale>([&](auto done) { m_lanes.constraints->stale(done); });
        QVERIFY(stale.ok() && stale->lanes.size() == 1);
        JobSpec after = pushed.spec;
        MsgpackWriter argument;
        after.argument = argument.integer(8).take();
        QVERIFY(await<StateNow>([&](auto done) { m_lanes.stores[0]->edit({pushed.id, pushed.spec, after, {}, {}}, done); }).ok());
        auto old = readAgain(*m_lanes.rules[0], stale->lanes);
        for (const QByteArray &lane : {stale->lanes[0].lane, QByteArray("1")}) { // where it stood, and where it stands
            old[0].lane = lane;
            QVERIFY(await<Done>([&](auto done) { m_lanes.constraints->relane(m_lanes.epoch, old, done); }).ok());
        }
        limit("reject", 1);
        QVERIFY(m_lanes.readStale(10));
        QVERIFY(enqueue({item(7)})[0].ok());
        QVERIFY(!enqueue({item(8)})[0].ok());
    }

    void aJobWhoseResultIsAskedForWhileItIsReadKeepsIt()
    {
        limit("coalesce", 1);
        const EnqueueItem pushed = item(7);
        enqueue({pushed});
        for (const auto &rules : m_lanes.rules)
            rules->set = [](const JobSpec &) { return SetParameters{5}; };
        QVERIFY(m_lanes.setRule(m_lanes.rules[0]->inForce));
        const auto stale = await<ConstraintStore::Stale>([&](auto done) { m_lanes.constraints->stale(done); });
        EnqueueItem asking = item(7);
        asking.spec.keepResult = true;
        QCOMPARE(enqueue({asking})[0]->id, pushed.id);
        const auto old = readAgain(*m_lanes.rules[0], stale->lanes);
        QVERIFY(await<Done>([&](auto done) { m_lanes.constraints->relane(m_lanes.epoch, old, done); }).ok());
        QVERIFY(m_lanes.readStale(10));
        const auto job = await<Job>([&](auto done) { m_lanes.stores[0]->get(pushed.id, done); });
        QVERIFY(job->spec.keepResult);
        QCOMPARE(job->spec.priority, 5);
    }

    void aRecordOfAnotherReleaseIsReadAllTheSame()
    {
        const EnqueueItem pushed = item(7);
        enqueue({pushed});
        QByteArray record = packRecord(pushed.spec); // with extras that this release would not write
        record[1] = char(record[1] | 2);
        QByteArray extras(28, '\0');
        const QByteArray rest = "\x81\xa6" "future" "\x01";
        extras += QByteArray(1, char(rest.size())) + QByteArray(1, '\0') + rest;
        record.insert(record.size() - pushed.spec.argument.size(), extras);
        m_lanes.command({"SET", "jq:{lanes}:j:" + pushed.id.bytes(), record});
        QVERIFY(m_lanes.setRule(m_lanes.rules[0]->inForce));
        QVERIFY(m_lanes.readStale(10));
        QCOMPARE(m_lanes.command({"GET", "jq:{lanes}:j:" + pushed.id.bytes()}).bytes(), record);
    }

private:
    static QByteArray packed(const QByteArray &overflow, int most, const QByteArray &mode)
    {
        MsgpackWriter writer;
        writer.map(4).text("k").text("backlog").text("m").text(mode).text("mr").integer(most).text("ov").text(overflow);
        return writer.take();
    }
    void limit(const QByteArray &overflow, int most, const QByteArray &mode = "enforce")
    {
        QVERIFY(m_lanes.setLimit(1, packed(overflow, most, mode)));
    }
    EnqueueItem item(int value, qint32 priority = 0) { return m_lanes.item("a", value, priority); }
    QList<Result<Enqueued>> enqueue(const QList<EnqueueItem> &items)
    {
        const auto reply = await<QList<Result<Enqueued>>>([&](auto done) { m_lanes.stores[0]->enqueue(items, done); });
        return reply.ok() ? *reply : QList<Result<Enqueued>>(items.size(), Error{});
    }
    qint64 ready()
    {
        const auto counts = await<Overview>([&](auto done) { m_lanes.stores[0]->counts(done); });
        return counts.ok() ? counts->count(JobState::Ready) : -1;
    }

    Lanes m_lanes;
};

JUNBAN_TEST(TestBacklog)
#include "test_backlog.moc"
