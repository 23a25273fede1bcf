#include "core/redis/redisconstraints.h"
#include "tests/core/redis/fsckfixture.h"
#include "tests/core/redis/taggedlimits.h"
#include "tests/support/charging.h"
#include "tests/support/testmain.h"
#include "tests/support/walks.h"

#include <functional>

using namespace junban;
using namespace junban::test;

namespace {

// A master's work in rounds, each begun by the end of the one before.
class Busy
{
public:
    Busy(redis::RedisStore &store, ConstraintStore &constraints, Tags &tags, Clock &clock)
        : m_store(store)
        , m_constraints(constraints)
        , m_tags(tags)
        , m_clock(clock)
    {
    }
    void stop() { m_stop = true; }
    bool stopped() const { return m_stopped; }
    qint64 ended() const { return m_ended; }

    void go()
    {
        if (m_stop) {
            m_stopped = true;
            return;
        }
        const int round = m_round++;
        const QList<ConstraintParameters> parameters{
            {1, concurrency(1 + round % 3)}, {2, round % 7 == 3 ? QByteArray() : sliding()}, {3, share()}};
        m_constraints.setConstraints(round % 3 ? parameters.first(1) : parameters, -1, round % 5 ? EpochChange::Keep : EpochChange::New,
            [this](const Result<qint64> &epoch) {
                m_tags.inForce = epoch.ok() ? *epoch : 0;
                // None runs now.
                m_constraints.recharge(m_tags.inForce, {}, ConstraintStore::Recharged::All, [this](const auto &) { enqueue(); });
            });
    }

private:
    void enqueue()
    {
        QList<EnqueueItem> items;
        for (int i = 0; i < 40; ++i) {
            JobSpec spec = named(i % 2 ? "a" : "b");
            spec.priority = i % 5;
            spec.maxRetry = 2;
            spec.backoff = {1, 1, 1, 0};
            spec.delay_ms = i % 7 == 6 ? 1 : 0;
            if (i % 3)
                spec.tags.append("1:" + QByteArray::number(i % 4));
            if (i % 8 == 1)
                spec.tags.append("2:" + QByteArray::number(m_round % 100));
            if (i % 2)
                spec.tags.append("3:" + QByteArray::number(i % 3));
            items.append({m_ids.make(m_clock.now_ms()), spec, {}});
        }
        m_store.enqueue(items, [this, items](const auto &) { claim(items); });
    }
    void claim(const QList<EnqueueItem> &items)
    {
        m_store.finishAndClaim({}, {{"w", {}, 30, 0}}, [this, items](const Result<FinishAndClaimReply> &reply) {
            QList<FinishItem> reports;
            for (const ClaimedJob &job : reply.ok() ? reply->claimed[0].jobs : QList<ClaimedJob>()) {
                Outcome outcome;
                outcome.type = ++m_ended % 3 ? OutcomeType::Success : OutcomeType::Failure;
                outcome.finishedAt = "2026-01-01T00:00:00Z";
                outcome.shouldRetry = true;
                m_failed += outcome.type == OutcomeType::Failure ? QList<JobId>{job.id} : QList<JobId>();
                reports.append({job.id, job.lease, outcome, 0});
            }
            QList<CancelItem> cancelled;
            for (qsizetype i = 0; i < items.size(); i += 6)
                cancelled.append({items[i].id, false});
            while (m_failed.size() > 20 && cancelled.size() < 90) // in their next attempt, wait for it, or stand in a lane again
                cancelled.append({m_failed.takeFirst(), false});
            m_store.finishAndClaim(reports, {}, [this, cancelled](const auto &) {
                m_store.cancel(cancelled, [this](const auto &) { m_store.sweep([this](const auto &) { go(); }); });
            });
        });
    }

    redis::RedisStore &m_store;
    ConstraintStore &m_constraints;
    Tags &m_tags;
    Clock &m_clock;
    IdMaker m_ids;
    QList<JobId> m_failed;
    int m_round = 0;
    qint64 m_ended = 0;
    bool m_stop = false, m_stopped = false;
};

} // namespace

// fsck of lanes and buckets with planted faults: each is found, repaired, and found no more; then the queue goes on.
class TestFsckBuckets : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_f.start()); }
    void init()
    {
        m_f.clear();
        m_tags.forget();
        m_f.store().setClassifier(&m_tags);
        m_constraints = std::make_unique<redis::RedisConstraints>(m_f.link(), "test", m_f.clock(), redis::ScriptClock::TestKey);
        fill();
    }

    void aSoundNamespaceHasNothingToRepair()
    {
        QCOMPARE(text(m_f.look(Repair::No)), QByteArray());
        QCOMPARE(text(m_f.look(Repair::Yes)), QByteArray());
        goesOn();
    }

    void everyPlantedFaultIsFoundAndRepaired_data()
    {
        QTest::addColumn<QByteArray>("invariant");
        QTest::addColumn<QList<QList<QByteArray>>>("plant");
        const auto row = [](const char *title, const char *invariant, const QList<QList<QByteArray>> &plant) {
            QTest::newRow(title) << QByteArray(invariant) << plant;
        };
        // {held} … stand for ids of jobs, {lane held} for their lanes, {1k} for bucket k of constraint 1, "@name" for a key.
        row("a running job that its bucket does not count", "I5", {{"ZREM", "@br:{1k}", "{runs}"}});
        row("a bucket that counts too much", "I5", {{"HINCRBY", "@b:{1k}", "u", "3"}});
        row("a bucket that counts another cost", "I5", {{"ZADD", "@br:{1k}", "7", "{runs}"}});
        row("a bucket that counts a job that waits", "I5", {{"ZADD", "@br:{1k}", "1", "{held}"}, {"HINCRBY", "@b:{1k}", "u", "1"}});
        row("a bucket that counts a job that is gone", "I5", {{"ZADD", "@br:{1k}", "1", "0123456789abcdef"}});
        row("a bucket that is gone while a job runs under it", "I5", {{"DEL", "@b:{1k}", "@br:{1k}"}});
        row("a bucket that counts too few ready jobs", "I1", {{"HINCRBY", "@b:{1k}", "n", "-1"}});
        row("a wrong count of ready jobs", "I1", {{"HINCRBY", "@count", "ready", "2"}});
        row("a bucket that its constraint does not know", "I3", {{"SREM", "@cb:1", "{1k}"}});
        row("a constraint that knows a bucket that is gone", "I2", {{"SADD", "@cb:1", "1.00"}});
        row("a bucket that would never go", "I16", {{"HSET", "@b:1.00", "k", "x"}, {"SADD", "@cb:1", "1.00"}});
        row("an idle bucket that is gone", "I2", {{"ZADD", "@bidle", "1750000099999", "1.00"}});
        row("a bucket to wake that is gone", "I2", {{"ZADD", "@wake", "1750000099999", "1.00"}});
        row("what runs under no bucket", "I2", {{"ZADD", "@br:1.00", "1", "0123456789abcdef"}});
        row("starts of no bucket", "I2", {{"ZADD", "@bs:1.00", "1", "1.0|1"}});
        row("a ring of no bucket", "I2", {{"SET", "@bb:1.00", "x"}});
        row("probes of no bucket", "I2", {{"SADD", "@bp:1.00", "{runs}"}});
        row("a probe that is not out", "I5", {{"SADD", "@bp:{1k}", "{held}"}});
        row("starts counted that nobody knows", "I5", {{"HINCRBY", "@b:{2r}", "ss", "4"}});
        row("a start that is not counted", "I5", {{"ZADD", "@bs:{2r}", "1750000000000", "9.0|5"}});
        row("a breaker that does not know how long it is open", "I5", {{"HSET", "@b:{7b}", "bs", "o", "bn", "1"}});
        row("a breaker that opened and never did", "I5", {{"HSET", "@b:{7b}", "bs", "o", "bo", "1750000001000"}});
        row("a breaker that does not count its probes", "I5", {{"HSET", "@b:{7b}", "bs", "h", "bo", "1750000001000", "bn", "1"}});
        row("a breaker in no state", "I5", {{"HSET", "@b:{7b}", "bs", "x", "bo", "1750000001000", "bn", "1"}});
        row("a probe of a breaker that is closed", "I5", {{"SADD", "@bp:{7b}", "{guarded}"}});
        row("a share that counts too much", "I5", {{"HINCRBY", "@cs:3", "u", "2"}});
        row("a share that lacks too much", "I5", {{"HINCRBY", "@cs:3", "m", "2"}});
        row("a lane that says it waits and does not", "I14", {{"ZREM", "@bw:{1k}|{n}|1", "{held}{lane held}"}});
        row("a lane that waits and does not say so", "I14", {{"HDEL", "@parked", "{lane held}"}});
        row("a lane that says it waits at a bucket that it does not carry", "I14", {{"HSET", "@parked", "{lane held}", "{2r}|{n}|1"}});
        row("a lane that waits by another head", "I14", {{"ZREM", "@bw:{1k}|{n}|1", "{held}{lane held}"},
                {"ZADD", "@bw:{1k}|{n}|1", "0", "0123456789abcdef{lane held}"}});
        row("a lane that waits nowhere, and no index leads to it", "I14", {{"HDEL", "@parked", "{lane held}"},
                {"ZREM", "@bw:{1k}|{n}|1", "{held}{lane held}"}});
        row("a lane that is gone and waits", "I2", {{"HSET", "@parked", "c00", "{1k}|{n}|1"}});
        row("a bucket that does not know what waits there", "I14", {{"DEL", "@bg:{1k}"}});
        row("a bucket that names lanes that do not wait", "I14", {{"HSET", "@bg:{1k}", "99|1", ""}});
        row("a bucket that counts another cost of what waits", "I14", {{"HINCRBY", "@bc:{1k}", "1", "1"}});
        row("a bucket that counts a cost of nothing", "I14", {{"HINCRBY", "@bc:{1k}", "7", "1"}});
        row("costs of lanes that do not wait", "I2", {{"HINCRBY", "@bc:1.00", "7", "1"}});
        row("lanes that wait at a bucket that is gone", "I2", {{"HSET", "@bg:1.00", "1|1", ""}});
        row("a bucket that a change of its constraint passes by", "I14", {{"ZREM", "@cw:1", "{1k}"}});
        row("a constraint that would look at a bucket where nothing waits", "I2", {{"ZADD", "@cw:1", "0", "1.00"}});
        row("a shut bucket that a change of its constraint passes by", "I14", {{"SREM", "@shuts:1", "1|{n}"}});
        row("a shut bucket on no shelf", "I14", {{"ZREM", "@shut:1|{n}", "{held}b{1k}|{n}|1"}});
        row("a shut bucket by another head", "I14", {{"HSET", "@bg:{1k}", "{n}|1", "-0|0123456789abcdefb{1k}|{n}|1"}});
        row("a shelf of a bucket where nothing waits so", "I14", {{"ZADD", "@shut:1|{n}", "0", "0123456789abcdefb{1k}|{n}|1"}});
        row("a shelf of another name", "I14", {{"ZADD", "@shut:1|99", "0", "{held}b{1k}|{n}|1"}, {"SADD", "@shuts:1", "1|99"}});
        row("a shelf that is none", "I17", {{"ZADD", "@shut:99", "0", "{held}b{1k}|{n}|1"}});
        row("a constraint that knows a shelf that is gone", "I2", {{"SADD", "@shuts:1", "1|99"}});
        row("a shelf that may have opened, and no index leads to it", "I14", {{"RENAME", "@shut:1|{n}", "@may:1|{n}|7"},
                {"DEL", "@shuts:1"}});
        row("a shelf that may have opened, in its name only", "I14", {{"RENAME", "@shut:1|{n}", "@may:1|{n}|7"}, {"DEL", "@shuts:1"},
                {"HSET", "@mays:1|{n}", "7", "{held}m1|{n}|7"}, {"ZADD", "@ready:{n}", "0", "{held}m1|{n}|7"}});
        row("a shelf that may have opened where nothing waits so", "I14", {{"ZADD", "@may:1|{n}|7", "0", "0123456789abcdefb{1k}|{n}|1"}});
        row("an entry of a shelf that is gone", "I14", {{"ZADD", "@ready", "0", "{held}m1|{n}|7"},
                {"ZADD", "@ready:{n}", "0", "{held}m1|{n}|7"}});
        row("a shelf that is gone and may have opened", "I2", {{"HSET", "@mays:1|{n}", "7", "{held}m1|{n}|7"}});
        row("an open bucket that no index leads to", "I14", {{"ZREM", "@ready", "{open}b{1m}|{n}|1"},
                {"ZREM", "@ready:{n}", "{open}b{1m}|{n}|1"}});
        row("an open bucket that only its name's index leads to", "I14", {{"ZREM", "@ready", "{open}b{1m}|{n}|1"}});
        row("an open bucket that its name's index does not lead to", "I14", {{"ZREM", "@ready:{n}", "{open}b{1m}|{n}|1"}});
        row("an open bucket that thinks it is closed", "I14", {{"HSET", "@bg:{1m}", "{n}|1", ""}});
        row("an entry of a bucket where nothing waits", "I14", {{"ZADD", "@ready", "0", "{open}b{1k}|{n}|1"}});
        row("a bucket that nothing wakes", "I14", {{"ZREM", "@wake", "{2r}"}});
        row("a lane that no index leads to", "I14", {{"ZREM", "@ready", "{free}{lane free}"}, {"ZREM", "@ready:{n}", "{free}{lane free}"}});
        row("a lane that its name's index does not lead to", "I14", {{"ZREM", "@ready:{n}", "{free}{lane free}"}});
        row("an index of a lane that waits", "I14", {{"ZADD", "@ready", "0", "{held}{lane held}"}});
        row("a name's index of a head that is gone", "I14", {{"ZADD", "@ready:{n}", "0", "0123456789abcdef{lane free}"}});
        row("a name's index of another name's lane", "I14", {{"ZADD", "@ready:99", "0", "{free}{lane free}"}});
        row("a lane of no epoch", "I13", {{"ZREM", "@lanes_at", "{lane free}"}});
        row("a lane of another epoch", "I13", {{"ZADD", "@lanes_at", "77", "{lane held}"}});
        row("an epoch that went back", "I13", {{"SET", "@epoch", "0"}});
        row("an epoch of a lane that is gone", "I2", {{"ZADD", "@lanes_at", "1", "c00"}});
        row("a lane whose buckets are lost", "I13", {{"DEL", "@li:{lane held}"}});
        row("what a lane carries that is gone", "I2", {{"SET", "@li:c00", "x"}});
        row("a job in a lane of another name", "I13", {{"ZADD", "@lane:99e1", "0", "{free}"}, {"HSET", "@s:{free}", "la", "99e1"}});
        row("a lane that takes turns, and no index leads to it", "I14", {{"ZREM", "@fready", "{tag}{turn}{lane turn}"},
                {"ZREM", "@fready:{n}", "{tag}{turn}{lane turn}"}});
        row("a lane that takes turns in its name only", "I14", {{"ZREM", "@fready", "{tag}{turn}{lane turn}"}});
        row("a lane that takes turns, and not in its name", "I14", {{"ZREM", "@fready:{n}", "{tag}{turn}{lane turn}"}});
        row("a lane that takes another turn than it says", "I14", {{"HSET", "@tags", "{lane turn}", "0000000000000777"}});
        row("a lane that takes turns, and none", "I14", {{"ZADD", "@ready", "0", "{turn}{lane turn}"}});
        row("a turn of a lane that is gone", "I2", {{"HSET", "@tags", "f00", "0000000000000777"}});
        row("a turn in the index of a lane that is gone", "I14", {{"ZADD", "@fready", "0", "{tag}{turn}f00"}});
        row("a window that closes for a job that waits", "I2", {{"ZADD", "@cclose", "1750000099999", "{held}6"}});
        row("a window that closes for a job that does not carry it", "I2", {{"ZADD", "@cclose", "1750000099999", "{runs}6"}});
        row("a backlog that does not know a job", "I3", {{"ZREM", "@bq:{4q}", "{bounded}"}});
        row("a backlog that knows a job that runs", "I2", {{"ZADD", "@bq:{4q}", "0", "{runs}"}});
        row("a backlog of no bucket", "I2", {{"ZADD", "@bq:4.00", "0", "{bounded}"}});
        row("a bounded job in its lane by another priority", "I13", {{"ZADD", "@lane:{lane bounded}", "9", "{bounded}"},
                {"ZADD", "@ready", "9", "{bounded}{lane bounded}"}, {"ZADD", "@ready:{n}", "9", "{bounded}{lane bounded}"}});
        row("a job in two lanes", "I1", {{"ZADD", "@lane:{n}", "0", "{held}"}, {"ZADD", "@ready", "0", "{held}{n}"},
                {"HINCRBY", "@count", "ready", "1"}});
        row("a held job that no list of its name shows", "I3", {{"ZREM", "@al:{n}", "{held}"}});
        row("a list that shows a job without its record", "I2", {{"ZADD", "@al:{n}", "0", "0123456789abcdef"}});
        row("a list that shows a job of another name", "I2", {{"ZADD", "@al:99", "0", "{held}"}});
        row("a name without held jobs that is listed", "I2", {{"ZADD", "@aln", "99", "99"}});
        row("a held job that stands in no lane", "I3", {{"ZREM", "@lane:{lane two}", "{two}"}, {"HINCRBY", "@b:{1k}", "n", "-1"},
                {"HINCRBY", "@count", "ready", "-1"}});
    }
    void everyPlantedFaultIsFoundAndRepaired()
    {
        QFETCH(QByteArray, invariant);
        using Plant = QList<QList<QByteArray>>;
        QFETCH(Plant, plant);
        for (const QList<QByteArray> &words : plant) {
            QList<QByteArray> real;
            for (QByteArray word : words) {
                for (const auto &[mark, value] : m_words)
                    word.replace(mark, value);
                real.append(word.startsWith('@') ? m_f.key(word.sliced(1)) : word);
            }
            QVERIFY2(!m_f.command(real).startsWith("ERR"), real.join(' ').constData());
        }
        QCOMPARE(m_f.judge(invariant), QByteArray());
        goesOn();
    }

    void aBucketThatShouldHaveOpenedIsToldWhileAMasterIsAtWork()
    {
        m_f.wait(70'000); // the starts of bucket r have passed ten seconds ago
        QCOMPARE(text(m_f.look(Repair::No)), QByteArray());
        m_f.command({"ZADD", m_f.key("engines"), QByteArray::number(m_f.now_ms()), "somebody"});
        QVERIFY(text(m_f.look(Repair::No)).contains("I15 wake: what was due is still there: nothing sweeps"));
    }

    // What an attempt remembers of its lane says nothing of where the next one waits.
    void aJobLeavesItsLaneWhateverLaneItHadBefore()
    {
        const JobId id = push("z", {"1:z"}, 2);
        const ClaimedJob job = m_f.claim("z");
        QCOMPARE(job.id, id);
        const auto epoch = await<qint64>([&](auto done) { m_constraints->setConstraints({}, -1, EpochChange::New, done); });
        QVERIFY(epoch.ok());
        QCOMPARE(m_f.finish(job, OutcomeType::Failure, true).state, JobState::Scheduled);
        m_f.wait(10'000);
        m_f.sweep(); // ready, and not read by the matchers of the new epoch yet
        m_f.command({"DEL", m_f.key("engines")});
        const auto cancelled = await<QList<Result<StateNow>>>([&](auto done) { m_f.store().cancel({{id, false}}, done); });
        QCOMPARE(cancelled.value()[0].value().state, JobState::Cancelled);
        QCOMPARE(text(m_f.look(Repair::No)), QByteArray());
    }

    void aJobThatNothingLimitsAnyMoreCarriesNothing()
    {
        push("z", {"1:z"}, 2);
        const ClaimedJob job = m_f.claim("z");
        const auto epoch = await<qint64>([&](auto done) { m_constraints->setConstraints({}, -1, EpochChange::New, done); });
        QVERIFY(epoch.ok());
        QCOMPARE(m_f.finish(job, OutcomeType::Failure, true).state, JobState::Scheduled);
        m_f.wait(10'000);
        m_f.sweep();
        m_f.command({"DEL", m_f.key("engines")});
        m_tags.inForce = *epoch;
        m_tags.blind = true;
        QCOMPARE(m_f.claim("z").id, job.id);
        QCOMPARE(text(m_f.look(Repair::No)), QByteArray());
    }

    void anEditedJobIsReadByTheMatchersAgain()
    {
        JobSpec spec = named("z");
        spec.tags = {"1:z"};
        spec.delay_ms = 10'000;
        const JobId id = m_f.push(spec);
        EditItem edit{id, spec, spec, {}, {}};
        edit.after.tags = {"1:zz"};
        QVERIFY(await<StateNow>([&](auto done) { m_f.store().edit(edit, done); }).ok());
        m_f.wait(10'000);
        m_f.sweep();
        QCOMPARE(m_f.claim("z").id, id);
        QCOMPARE(m_f.command({"HGET", m_f.key("b:") + bucketId({1, "zz"}), "u"}), QByteArray("1"));
    }

    // Limits and epochs change while jobs are enqueued, claimed, fail, are cancelled and retried; fsck looks all the while.
    void besideABusyMasterNothingIsFound()
    {
        Tags tags;
        redis::RedisStore store(m_f.link(), nullptr, "busy", m_f.clock(), redis::ScriptClock::Redis);
        store.setClassifier(&tags);
        redis::RedisConstraints constraints(m_f.link(), "busy", m_f.clock(), redis::ScriptClock::Redis);
        redis::RedisFsck fsck(m_f.link(), "busy", redis::ScriptClock::Redis);
        Busy busy(store, constraints, tags, m_f.clock());
        busy.go();
        Rounds rounds(2, 8); // each of them takes twice as long as the one before, as there are more and more jobs
        const Row row("fsck beside a busy master with limits", rounds, "violations");
        while (rounds.next()) {
            const auto report = await<FsckReport>([&](auto done) { fsck.run(Repair::No, done); }, 60'000);
            QVERIFY2(report.ok(), report.ok() ? "" : report.error().message().constData());
            QCOMPARE(text(*report), QByteArray());
        }
        busy.stop();
        QTRY_VERIFY(busy.stopped());
        QVERIFY(busy.ended() > 100);
    }

private:
    JobId push(const char *name, const QList<QByteArray> &tags, int maxRetry = 0)
    {
        JobSpec spec = named(name);
        spec.tags = tags;
        spec.maxRetry = maxRetry;
        spec.timeout_ms = 86'400'000;
        const JobId id = m_f.push(spec);
        return id;
    }

    // Constraint 1: one at a time; 2: one start a minute; 3: shares; 4: a hundred ready; 5: turns; 6: a window; 7: a breaker. Most jobs are
    // called x, so that their names have one number.
    void fill()
    {
        const QList<ConstraintParameters> parameters{{1, concurrency(1)}, {2, sliding()}, {3, share()},
            {4, backlog()}, {5, fair()}, {6, window()}, {7, breaker()}};
        const auto epoch = await<qint64>([&](auto done) { m_constraints->setConstraints(parameters, -1, EpochChange::New, done); });
        QVERIFY(epoch.ok());
        m_tags.inForce = *epoch;
        QVERIFY(await<Done>([&](auto done) { m_tags.reload(done); }).ok());
        QVERIFY(chargeRunning(*m_constraints, m_tags));
        m_words.clear();
        const auto named = [this](const QByteArray &name, JobId id) { m_words.append({'{' + name + '}', id.bytes()}); };
        named("runs", push("x", {"1:k"}));
        QCOMPARE(m_f.claims({"x"}, 1).size(), 1);
        const JobId held = push("x", {"1:k"});
        named("held", held);
        const JobId two = push("x", {"1:k"});
        named("two", two);
        push("x", {"1:m"});
        const ClaimedJob opens = m_f.claim("x");
        QVERIFY(!opens.id.isNull());
        named("open", push("x", {"1:m"}));
        QVERIFY(m_f.claim("x").id.isNull());
        m_f.finish(opens, OutcomeType::Success); // bucket m admits its waiter now
        named("limited", push("y", {"2:r", "3:s"}));
        QCOMPARE(m_f.claims({"y"}, 1).size(), 1);
        push("y", {"2:r", "3:s"});
        QVERIFY(m_f.claim("y").id.isNull());
        const JobId free = push("x", {});
        named("free", free);
        const JobId bounded = push("x", {"4:q"});
        named("bounded", bounded);
        named("guarded", push("y", {"6:w", "7:b"}));
        QCOMPARE(m_f.claims({"y"}, 1).size(), 1); // until the window closes
        const JobId turn = push("x", {"5:t"});
        named("turn", turn);
        const auto field = [this](JobId id, const char *name) { return m_f.command({"HGET", m_f.key("s:") + id.bytes(), name}); };
        m_words.append({"{lane held}", field(held, "la")});
        m_words.append({"{lane two}", field(two, "la")});
        m_words.append({"{lane free}", field(free, "la")});
        m_words.append({"{lane bounded}", field(bounded, "la")});
        m_words.append({"{4q}", bucketId({4, "q"})});
        m_words.append({"{lane turn}", field(turn, "la")});
        m_words.append({"{tag}", m_f.command({"HGET", m_f.key("tags"), field(turn, "la")})});
        m_words.append({"{n}", m_f.command({"HGET", m_f.key("lanes"), "x"})});
        m_words.append({"{1k}", bucketId({1, "k"})});
        m_words.append({"{1m}", bucketId({1, "m"})});
        m_words.append({"{2r}", bucketId({2, "r"})});
        m_words.append({"{7b}", bucketId({7, "b"})});
    }

    // What is left runs to its end under its limits, and fsck finds nothing to the end.
    void goesOn()
    {
        m_f.command({"DEL", m_f.key("engines")});
        for (int i = 0; i < 60; ++i) {
            for (;;) {
                const auto stale = await<ConstraintStore::Stale>([&](auto done) { m_constraints->stale(done); });
                QVERIFY(stale.ok());
                m_tags.inForce = stale->epoch;
                QVERIFY(await<Done>([&](auto done) { m_tags.reload(done); }).ok());
                if (stale->recharged < stale->epoch)
                    QVERIFY(chargeRunning(*m_constraints, m_tags));
                if (stale->lanes.isEmpty())
                    break;
                const auto read = readAgain(m_tags, stale->lanes);
                const auto moved = await<Done>([&](auto done) { m_constraints->relane(stale->epoch, read, done); });
                QVERIFY2(moved.ok(), moved.ok() ? "" : moved.error().message().constData());
            }
            const QList<ClaimedJob> jobs = m_f.claims({}, 10);
            for (const ClaimedJob &job : jobs)
                m_f.finish(job, OutcomeType::Success);
            if (i < 3)
                QCOMPARE(text(m_f.look(Repair::No)), QByteArray());
            m_f.wait(7'200'000);
            m_f.sweep();
            m_f.command({"DEL", m_f.key("engines")});
            const Overview counts = await<Overview>([&](auto done) { m_f.store().counts(done); }).value();
            if (counts.count(JobState::Ready, JobState::Running, JobState::Scheduled) == 0)
                break;
        }
        const Overview counts = await<Overview>([&](auto done) { m_f.store().counts(done); }).value();
        QCOMPARE(counts.count(JobState::Ready, JobState::Running, JobState::Scheduled), 0);
        QCOMPARE(text(m_f.look(Repair::No)), QByteArray());
        m_f.wait(7'200'000); // buckets that no job carries are forgotten
        m_f.sweep();
        QCOMPARE(m_f.command({"EXISTS", m_f.key("b:") + bucketId({1, "k"}), m_f.key("cb:1"), m_f.key("bidle")}), QByteArray("0"));
    }

    FsckFixture m_f;
    Tags m_tags;
    std::unique_ptr<redis::RedisConstraints> m_constraints;
    QList<QPair<QByteArray, QByteArray>> m_words;
};

JUNBAN_TEST(TestFsckBuckets)
#include "test_fsckbuckets.moc"
