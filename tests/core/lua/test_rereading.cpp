#include "tests/core/lua/lanesfixture.h"
#include "tests/support/limitmodel.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// Jobs that wait while the matchers change: those that carry what they did stay where they stand, on a real Redis.
class TestRereading : public QObject
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
        ModelLimit limit;
        limit.kind = ModelLimit::Concurrency;
        limit.numbers.limit = 1;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
    }
    void cleanup() { QCOMPARE(m_lanes.broken(), QByteArray()); }

    void jobsThatCarryWhatTheyDidStay()
    {
        QVERIFY(m_lanes.setRule(by(10)));
        const QList<JobId> pushed = m_lanes.push("a", {10, 11, 20, 12});
        const QByteArray first = laneOf(pushed[0]), other = laneOf(pushed[2]);
        QVERIFY(m_lanes.setRule(by(10)));
        QVERIFY(m_lanes.explain(pushed[1], {})->stale);
        // A job that comes now stands beside them, and goes by its priority all the same.
        QList<JobId> late = m_lanes.push("a", {13}, -1) + m_lanes.push("a", {14});
        QVERIFY(laneOf(late[0]) != first);
        QVERIFY(m_lanes.readStale(2));
        QVERIFY(!m_lanes.explain(pushed[1], {})->stale);
        QCOMPARE(laneOf(pushed[1]), first);
        QCOMPARE(laneOf(pushed[2]), other);
        // One that comes after it stands with them.
        late += m_lanes.push("a", {15});
        QCOMPARE(laneOf(late[2]), first);
        QCOMPARE(positionsOf({late[0], pushed[0], pushed[1], pushed[3], late[1], late[2]}), (QList<qint64>{0, 1, 2, 3, 4, 5}));
        const QList<ClaimedJob> started = m_lanes.claim(9);
        QCOMPARE(idsOf(started), (QList<JobId>{late[0], pushed[2]}));
        QVERIFY(m_lanes.finish(started[0]));
        QCOMPARE(m_lanes.claimIds(9), QList<JobId>{pushed[0]});
        // And those beside join them when they are read again.
        QVERIFY(m_lanes.setRule(by(10)));
        QVERIFY(m_lanes.readStale(2));
        QCOMPARE(laneOf(late[1]), first);
        QCOMPARE(positionsOf({pushed[1], pushed[3], late[1], late[2]}), (QList<qint64>{0, 1, 2, 3}));
    }

    // Its next failure is final.
    void aJobThatFailedMoreOftenThanItMayNowIsTriedOnceMore()
    {
        QVERIFY(m_lanes.setRule({}));
        EnqueueItem item = m_lanes.item("a", 1);
        item.spec.maxRetry = 5;
        QVERIFY(await<QList<Result<Enqueued>>>([&](auto done) { m_lanes.stores[0]->enqueue({item}, done); })->first().ok());
        for (int failure = 0; failure < 2; ++failure) {
            QVERIFY(m_lanes.finish(m_lanes.claim(1).value(0), OutcomeType::Failure, 1));
            m_lanes.passTime(86'400'000);
            QVERIFY(m_lanes.sweep());
        }
        m_lanes.rules[0]->set = [](const JobSpec &) {
            SetParameters few;
            few.maxRetry = 1;
            return few;
        };
        QVERIFY(m_lanes.setRule({}));
        QVERIFY(m_lanes.readStale(2));
        QCOMPARE(m_lanes.broken(), QByteArray());
        const ClaimedJob last = m_lanes.claim(1).value(0);
        QCOMPARE(last.id, item.id);
        QVERIFY(m_lanes.finish(last, OutcomeType::Failure));
        QVERIFY(m_lanes.claim(1).isEmpty());
    }

    // Whether keys take turns is seen when jobs are read: it is another lane then, whatever they carry.
    void aChangeOfTurnsMovesThem()
    {
        ModelLimit turns;
        turns.kind = ModelLimit::Fair;
        const auto fair = [](const JobSpec &spec) { return QList<CarriedBucket>{{2, QByteArray::number(Lanes::valueOf(spec)), 1}}; };
        QVERIFY(m_lanes.setRule(fair));
        const QList<JobId> pushed = m_lanes.push("a", {1, 1, 1, 2});
        for (const char *mode : {"enforce", "off", "enforce"}) {
            turns.mode = mode;
            QVERIFY(m_lanes.setLimit(2, turns.packed()));
            QVERIFY(m_lanes.setRule(fair));
            QVERIFY(m_lanes.readStale(2));
            QCOMPARE(laneOf(pushed[0]).left(1), QByteArray(turns.mode == "enforce" ? "f" : "c"));
            QCOMPARE(m_lanes.broken(), QByteArray());
        }
        QCOMPARE(m_lanes.claimIds(2), (QList<JobId>{pushed[0], pushed[3]}));
        QCOMPARE(m_lanes.claimIds(2), (QList<JobId>{pushed[1], pushed[2]}));
    }

    // What was lost is read again, and nothing enters a lane of which nobody knows what it carries.
    void aLaneThatLostWhatItCarriesIsEnteredByNone()
    {
        const auto some = [](const JobSpec &spec) {
            return Lanes::valueOf(spec) > 0 ? QList<CarriedBucket>{{1, "k", 1}} : QList<CarriedBucket>();
        };
        QVERIFY(m_lanes.setRule(some));
        const QList<JobId> pushed = m_lanes.push("a", {1, 0, 1, 0});
        for (const JobId id : {pushed[0], pushed[1]})
            m_lanes.command({"DEL", "jq:{lanes}:li:" + laneOf(id)});
        const QList<JobId> late = m_lanes.push("a", {1, 0});
        QVERIFY(laneOf(late[0]) != laneOf(pushed[0]));
        QVERIFY(laneOf(late[1]) != laneOf(pushed[1]));
        redis::RedisFsck fsck(*m_lanes.link, "lanes", m_lanes.scriptClock);
        QVERIFY(await<FsckReport>([&](auto done) { fsck.run(Repair::Yes, done); }, 60'000).ok());
        m_lanes.epoch = m_lanes.command({"GET", "jq:{lanes}:epoch"}).bytes().toLongLong();
        QVERIFY(m_lanes.setRule(some));
        QVERIFY(m_lanes.readStale(9));
        QCOMPARE(m_lanes.claimIds(9), (QList<JobId>{pushed[0], pushed[1], pushed[3], late[1]}));
    }

    void jobsThatCarryOtherBucketsGoThere()
    {
        QVERIFY(m_lanes.setRule(by(10)));
        const QList<JobId> pushed = m_lanes.push("a", {10, 11, 12, 13});
        const QByteArray before = laneOf(pushed[0]);
        QVERIFY(m_lanes.setRule([before = by(10)](const JobSpec &spec) {
            return Lanes::valueOf(spec) == 11 ? QList<CarriedBucket>{{1, "9", 1}} : before(spec);
        }));
        QVERIFY(m_lanes.readStale(2));
        QCOMPARE(laneOf(pushed[0]), before);
        QVERIFY(laneOf(pushed[1]) != before);
        QCOMPARE(m_lanes.claimIds(9), (QList<JobId>{pushed[0], pushed[1]}));
        QVERIFY(m_lanes.setRule([](const JobSpec &) { return QList<CarriedBucket>(); }));
        QVERIFY(m_lanes.readStale(2));
        QCOMPARE(m_lanes.claimIds(9), (QList<JobId>{pushed[2], pushed[3]}));
    }

    // Each look is at what none has read, however many look; who is late moves nothing on.
    void aLongLaneIsReadInPieces()
    {
        constexpr int piece = limits::read_jobs_max, last = 2 * piece + 30;
        QVERIFY(m_lanes.setRule(by(10)));
        QList<JobId> pushed;
        for (int i = 0; i < last; i += 2)
            pushed += m_lanes.push("a", {10, 10});
        const QByteArray lane = laneOf(pushed[0]);
        QVERIFY(m_lanes.setRule(by(10)));
        const auto first = look(), same = look();
        QCOMPARE(first.left, last);
        QCOMPARE(first.lanes[0].jobs.size(), piece);
        QVERIFY(relane(first) && relane(same));
        // What stands behind was taken away meanwhile: the look after it begins a little before its place.
        const auto second = look();
        QCOMPARE(second.left, last - piece);
        QCOMPARE(second.lanes[0].jobs[0].id, pushed[piece]);
        QList<CancelItem> gone;
        for (int i = last - 10; i < last; ++i)
            gone.append({pushed[i]});
        QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { m_lanes.stores[0]->cancel(gone, done); }).ok());
        QVERIFY(relane(second) && relane(same));
        const auto third = look();
        QCOMPARE(third.left, 30);
        QCOMPARE(third.lanes[0].jobs[0].id, pushed[2 * piece - 10]);
        QVERIFY(m_lanes.explain(pushed[0], {})->stale);
        QVERIFY(relane(third));
        QVERIFY(look().lanes.isEmpty());
        QVERIFY(!m_lanes.explain(pushed[0], {})->stale);
        QCOMPARE(laneOf(pushed[last - 11]), lane);
        QCOMPARE(m_lanes.command({"ZCARD", "jq:{lanes}:lane:" + lane}).integer(), last - 10);
        QCOMPARE(m_lanes.claimIds(9), QList<JobId>{pushed[0]});
    }

    // A call fills a bounded number of lanes; what else was given is read by the next.
    void jobsThatGoToManyLanesGoInPieces()
    {
        QList<int> values;
        for (int i = 0; i < 90; ++i)
            values.append(i);
        const QList<JobId> pushed = m_lanes.push("a", values);
        QVERIFY(m_lanes.setRule(by(1)));
        QVERIFY(relane(look()));
        QCOMPARE(look().left, 90 - limits::read_lanes_max);
        QVERIFY(m_lanes.setRule(by(2)));
        QVERIFY(m_lanes.readStale(9));
        qsizetype claimed = 0;
        for (int calls = 0; calls < 2; ++calls) // each lane is looked at twice: its next job has to wait
            claimed += m_lanes.claimIds(100).size();
        QCOMPARE(claimed, 45);
        QVERIFY(laneOf(pushed[88]) == laneOf(pushed[89]));
    }

    void anEditBetweenTwoPiecesBeginsAnew()
    {
        QVERIFY(m_lanes.setRule(by(10)));
        QList<JobId> pushed = m_lanes.push("a", QList<int>(90, 10));
        pushed += m_lanes.push("a", QList<int>(60, 10));
        QVERIFY(m_lanes.setRule(by(10)));
        QVERIFY(relane(look()));
        QCOMPARE(look().left, 150 - limits::read_jobs_max);
        QVERIFY(m_lanes.setRule([](const JobSpec &) { return QList<CarriedBucket>(); }));
        QCOMPARE(look().left, 150);
        QVERIFY(m_lanes.readStale(9));
        QCOMPARE(m_lanes.claimIds(100).size(), 100);
    }

    // A claim moves what it needs out of a long lane, and has others of short ones read with it.
    void aClaimThatMeetsStaleLanesIsServedAtOnce()
    {
        QVERIFY(m_lanes.setRule(by(1)));
        QList<int> values;
        for (int i = 0; i < limits::read_lanes_max; ++i)
            values.append(i);
        const QList<JobId> pushed = m_lanes.push("a", values);
        QVERIFY(m_lanes.setRule(by(1)));
        QCOMPARE(m_lanes.claimIds(100), pushed);

        QList<JobId> same = m_lanes.push("b", QList<int>(90, 1'000));
        same += m_lanes.push("b", QList<int>(60, 1'000));
        QVERIFY(m_lanes.setRule(by(1)));
        QVERIFY(relane(look()));
        QCOMPARE(m_lanes.claimIds(100), QList<JobId>{same[0]});
        QVERIFY(laneOf(same[1]) != laneOf(same[149]));
        QVERIFY(m_lanes.readStale(9));
        QCOMPARE(look().left, 0);
    }

    // However often the matchers changed, once all was read a list of the jobs of a name that none of them limits shows them all.
    void unlimitedJobsAreListedAfterAnyNumberOfEdits()
    {
        const auto nothing = [](const JobSpec &) { return QList<CarriedBucket>(); };
        QVERIFY(m_lanes.setRule(nothing));
        QList<JobId> pushed = m_lanes.push("a", {0});
        for (int edits = 1; edits < 3 * limits::epochs_listed_max; ++edits) {
            QVERIFY(m_lanes.setRule(nothing));
            if (edits % 3 != 0)
                pushed += m_lanes.push("a", {edits});
            QVERIFY(m_lanes.readStale(9));
            pushed += m_lanes.push("a", {edits});
        }
        PageRequest request;
        request.name = "a";
        const Page page = await<Page>([&](auto done) { m_lanes.stores[0]->page(request, done); }).value();
        QList<JobId> listed;
        for (const Job &job : page.jobs)
            listed.append(job.id);
        QCOMPARE(listed, pushed);
        QCOMPARE(m_lanes.claimIds(100), pushed);
    }

private:
    QList<qint64> positionsOf(const QList<JobId> &ids)
    {
        QList<qint64> positions;
        for (const JobId id : ids) {
            const auto job = await<Job>([&](auto done) { m_lanes.stores[0]->get(id, done); });
            positions.append(m_lanes.explain(id, m_lanes.rules[0]->buckets(job->spec))->position);
        }
        return positions;
    }
    static QList<JobId> idsOf(const QList<ClaimedJob> &jobs)
    {
        QList<JobId> ids;
        for (const ClaimedJob &job : jobs)
            ids.append(job.id);
        return ids;
    }
    // One bucket for so many values.
    static Rules::Rule by(int values)
    {
        return [values](const JobSpec &spec) { return QList<CarriedBucket>{{1, QByteArray::number(Lanes::valueOf(spec) / values), 1}}; };
    }
    QByteArray laneOf(JobId id) { return m_lanes.command({"HGET", "jq:{lanes}:s:" + id.bytes(), "la"}).bytes(); }
    ConstraintStore::Stale look()
    {
        return await<ConstraintStore::Stale>([&](auto done) { m_lanes.constraints->stale(done); }).value();
    }
    bool relane(const ConstraintStore::Stale &stale)
    {
        const auto read = readAgain(*m_lanes.rules[0], stale.lanes);
        return await<Done>([&](auto done) { m_lanes.constraints->relane(stale.epoch, read, done); }).ok();
    }

    Lanes m_lanes;
};

JUNBAN_TEST(TestRereading)
#include "test_rereading.moc"
