#include "tests/core/lua/lanejobs.h"
#include "tests/core/lua/lanesfixture.h"
#include "tests/support/backoffdelay.h"
#include "tests/support/limitdraws.h"
#include "tests/support/testmain.h"
#include "tests/support/walks.h"

#include <QRandomGenerator>
#include <QTest>
#include <algorithm>
#include <map>

using namespace junban;
using namespace junban::test;
using End = LimitModel::End;
using Backlog = LimitModel::Backlog;

// Choosing the next job under constraints of every kind, on a real Redis whose scripts read a test clock, beside brute force: the
// admissible job with the smallest (priority, id).
class TestLanes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_lanes.start());
        QTRY_COMPARE(m_lanes.link->state(), redis::LinkState::Up);
    }

    void theBestAdmissibleJobIsChosen()
    {
        Walks walks("JUNBAN_SEED", 80, 50'000);
        Row row("P1 choice under limits", walks, "mismatches");
        while (walks.next()) {
            oneWalk(walks.seed());
            row.add("operations", m_step);
            if (QTest::currentTestFailed()) {
                qWarning("JUNBAN_SEED=%u repeats this walk; step %d", walks.seed(), m_step);
                return;
            }
        }
    }

private:
    void oneWalk(quint32 seed)
    {
        m_random = QRandomGenerator(seed);
        m_lanes.scriptClock = seed % 4 == 0 ? redis::ScriptClock::TestKey : redis::ScriptClock::TestKeyNarrow;
        m_lanes.begin();
        m_model = LimitModel();
        m_rule = {};
        m_ready.clear();
        m_running.clear();
        m_scheduled.clear();
        m_allRead = m_counted = true;
        m_message = 0;
        m_latest_ms = 0;
        const int steps = m_random.bounded(20, 150);
        for (m_step = 0; m_step < steps && !QTest::currentTestFailed(); ++m_step) {
            step();
            if (m_step % 40 == 39 || m_step == steps - 1)
                checkKeys();
        }
        if (m_charging)
            charge();
        readStale(1000);
        // In the end everything starts, if the limits let it.
        for (int i = 0; i < 400 && !m_ready.empty() && !QTest::currentTestFailed(); ++i) {
            claim();
            finish();
            passTime();
        }
        checkBuckets();
        checkKeys();
    }

    void checkKeys()
    {
        if (m_lanes.now_ms < m_latest_ms)
            return; // what opened by the clock before it was set back is not looked at again
        QCOMPARE(m_lanes.broken(), QByteArray());
    }

    bool chance(int in) { return m_random.bounded(in) == 0; }
    int any(int from, int to) { return m_random.bounded(from, to + 1); }
    redis::RedisStore &anyStore() { return *m_lanes.stores[m_random.bounded(2)]; }

    void step()
    {
        if (m_charging && chance(4))
            charge();
        switch (m_random.bounded(14)) {
        case 0:
        case 1:
        case 2:
        case 3: enqueue(); break;
        case 4:
        case 5:
        case 6: claim(); break;
        case 7:
        case 8: finish(); break;
        case 9: chance(4) ? readStale(chance(2) ? 1 : 1000) : passTime(); break;
        case 10: chance(3) ? switchBreaker() : changeLimit(); break;
        case 11: chance(3) ? changeRule() : explain(); break;
        case 12: chance(2) ? handOff() : explain(); break;
        case 13: chance(2) ? cancel() : edit(); break;
        }
    }

    // ---- What stands where, in the model -----------------------------------------------------------------------------------

    QList<CarriedBucket> bucketsOf(const JobSpec &spec) const { return m_rule ? m_rule(spec) : QList<CarriedBucket>(); }

    void becomesReady(const Waiting &job)
    {
        m_ready[{job.spec.priority, job.id}] = job;
        m_model.waits(bucketsOf(job.spec), 1, m_lanes.now_ms);
    }
    void leavesReady(const Waiting &job)
    {
        m_model.waits(bucketsOf(job.spec), -1, m_lanes.now_ms);
        m_ready.erase({job.spec.priority, job.id});
    }

    QByteArray shown(const JobSpec &spec, JobId id) const
    {
        return id.text() + ' ' + spec.name + " priority " + QByteArray::number(spec.priority)
            + m_model.shown(bucketsOf(spec), m_lanes.now_ms) + " at " + QByteArray::number(m_lanes.now_ms);
    }

    bool admits(const JobSpec &spec) const
    {
        return m_model.admits(bucketsOf(spec), m_lanes.now_ms, m_counted ? Backlog::Known : Backlog::Unknown);
    }

    // Until all stale lanes were read, jobs that a deleted constraint held may start later than they could; never earlier. The same while
    // the clock stands before where it was: what a lane waits for may have opened by that.
    bool exact() const { return m_allRead && m_counted && m_lanes.now_ms >= m_latest_ms; }

    const Waiting *best(const QList<QByteArray> &names) const
    {
        return bestOf(m_ready, names, [this](const JobSpec &spec) { return admits(spec); },
            [this](const JobSpec &spec) { return m_model.turn(bucketsOf(spec)); });
    }

    // ---- What is done ------------------------------------------------------------------------------------------------------

    void enqueue()
    {
        QList<EnqueueItem> items;
        for (int n = any(1, 4); n > 0; --n) {
            EnqueueItem item = m_lanes.item(QByteArray(1, char('a' + any(0, 2))), any(0, 11), any(-1, 1));
            if (chance(3))
                item.spec.timeout_ms = any(1000, 4000);
            item.spec.maxRetry = chance(3) ? any(1, 2) : 0;
            item.spec.backoff = {any(300, 900), 2, 5000, 0};
            item.spec.delay_ms = chance(8) ? any(1, 2000) : 0;
            items.append(item);
        }
        const auto made = await<QList<Result<Enqueued>>>([&](auto done) { anyStore().enqueue(items, done); });
        QVERIFY2(made.ok(), made.ok() ? "" : made.error().message().constData());
        for (const EnqueueItem &item : std::as_const(items)) {
            const Waiting job{item.spec, item.id};
            if (item.spec.delay_ms > 0)
                m_scheduled.push_back({job, m_lanes.now_ms + item.spec.delay_ms});
            else
                becomesReady(job);
        }
    }

    ClaimRequest request()
    {
        ClaimRequest request{"w", {}, any(1, 3), 0};
        if (chance(2)) {
            for (const char *name : {"a", "b", "c"}) {
                if (chance(2))
                    request.names.append(name);
            }
        }
        return request;
    }

    void claim()
    {
        const QList<ClaimRequest> requests = chance(4) ? QList<ClaimRequest>{request(), request()} : QList<ClaimRequest>{request()};
        QList<FinishItem> reports;
        if (chance(3) && !m_running.empty() && m_running.front().message.isEmpty())
            reports.append(report(m_running.front(), OutcomeType::Success, 0));
        const auto reply = await<FinishAndClaimReply>([&](auto done) { anyStore().finishAndClaim(reports, requests, done); });
        QVERIFY2(reply.ok(), reply.ok() ? "" : reply.error().message().constData());
        if (!reports.isEmpty())
            ended(0, End::Success, 0, reply->finished.first());
        QHash<QList<QByteArray>, qsizetype> got;
        for (qsizetype i = 0; i < requests.size(); ++i) {
            for (const ClaimedJob &job : reply->claimed[i].jobs) {
                const Waiting *expected = best(requests[i].names);
                QVERIFY2(expected, "a job was started that nothing admits: " + shown(job.spec, job.id));
                if (exact())
                    QCOMPARE(shown(job.spec, job.id), shown(expected->spec, expected->id));
                else
                    QVERIFY2(admits(job.spec), shown(job.spec, job.id).constData());
                started(job);
            }
        }
        for (qsizetype i = 0; i < requests.size(); ++i) {
            if (!reply->claimed[i].jobs.isEmpty())
                continue;
            const Waiting *left = exact() ? best(requests[i].names) : nullptr;
            QCOMPARE(left ? shown(left->spec, left->id) : QByteArray(), QByteArray()); // else it was left behind
        }
    }

    void started(const ClaimedJob &claimed)
    {
        const auto found = m_ready.find({claimed.spec.priority, claimed.id});
        QVERIFY2(found != m_ready.end(), shown(claimed.spec, claimed.id).constData());
        const Waiting job = found->second;
        const auto carried = bucketsOf(job.spec);
        leavesReady(job);
        m_model.started(job.id.bytes(), carried, m_lanes.now_ms);
        for (const CarriedBucket &bucket : carried) {
            const auto limit = m_model.limits().find(bucket.constraint);
            if (limit == m_model.limits().end() || limit->second.mode != "enforce" || limit->second.kind != ModelLimit::Concurrency)
                continue;
            const int used = m_model.used(bucket.constraint, bucket.key);
            QVERIFY(used <= limit->second.of(bucket.key).limit || used == bucket.cost); // I5
        }
        m_running.push_back({job, claimed.lease, claimed.leaseExpiresAt_ms, {}});
    }

    static FinishItem report(const Running &running, OutcomeType type, qint64 retryAfter_ms)
    {
        return Lanes::report(running.job.id, running.lease, type, retryAfter_ms);
    }

    // The attempt of m_running[at] ended, and the store says what became of the job.
    void ended(size_t at, End how, qint64 retryAfter_ms, const Result<Finished> &now)
    {
        QVERIFY2(now.ok(), now.ok() ? "" : now.error().message().constData());
        Running running = m_running[at];
        if (now->state == JobState::Cancelled)
            how = End::Other; // a window closed: how it ended then is nobody's business
        m_running.erase(m_running.begin() + qptrdiff(at));
        m_model.ended(running.job.id.bytes(), how, retryAfter_ms, m_lanes.now_ms);
        running.job.failures += how == End::Failure || how == End::Expiry;
        if (now->state == JobState::Scheduled)
            m_scheduled.push_back({running.job, now->runAt_ms});
        else if (now->state == JobState::Ready)
            becomesReady(running.job);
    }

    void finish()
    {
        if (m_running.empty())
            return;
        const size_t at = size_t(m_random.bounded(int(m_running.size())));
        const Running running = m_running[at];
        const int dice = m_random.bounded(10);
        if (!running.message.isEmpty()) {
            MessageItem item;
            item.key = running.message;
            item.outcome = report(running, dice < 5 ? OutcomeType::Success : OutcomeType::Failure, 0).outcome;
            const auto taken = await<MessageTaken>([&](auto done) { anyStore().message(item, done); });
            QVERIFY(taken.ok());
            ended(at, dice < 5 ? End::Success : End::Failure, 0, taken->finished);
        } else if (dice < 8) {
            const qint64 retryAfter_ms = dice >= 5 && chance(2) ? any(1, 3000) : 0;
            const auto type = dice < 5 ? OutcomeType::Success : OutcomeType::Failure;
            const auto reply = await<FinishAndClaimReply>(
                [&](auto done) { anyStore().finishAndClaim({report(running, type, retryAfter_ms)}, {}, done); });
            QVERIFY(reply.ok());
            ended(at, dice < 5 ? End::Success : End::Failure, retryAfter_ms, reply->finished.first());
        } else if (dice < 9) {
            const bool untouched = chance(2);
            const ReleaseItem item{running.job.id, running.lease, chance(2) ? 0 : any(1, 500), 0, untouched};
            const auto states = await<QList<Result<StateNow>>>([&](auto done) { anyStore().release({item}, done); });
            QVERIFY(states.ok() && states->first().ok());
            Finished now{states->first()->state, m_lanes.now_ms + item.delay_ms};
            m_counted = m_counted && (now.state != JobState::Ready || m_lanes.epoch == 0 || m_allRead);
            ended(at, untouched ? End::Untouched : End::Other, 0, now);
        } else {
            const auto states = await<QList<Result<StateNow>>>([&](auto done) { anyStore().cancel({{running.job.id, true}}, done); });
            QVERIFY(states.ok() && states->first().ok());
            ended(at, End::Other, 0, Finished{JobState::Cancelled, 0});
        }
    }

    void handOff()
    {
        for (Running &running : m_running) {
            if (!running.message.isEmpty() || chance(2))
                continue;
            const QByteArray key = QByteArray::number(++m_message);
            const HandoffItem item{running.job.id, running.lease, key, 86'400'000};
            QVERIFY(await<StateNow>([&](auto done) { anyStore().handOff(item, done); }).ok());
            running.message = key;
            return;
        }
    }

    void cancel()
    {
        if (m_ready.empty())
            return;
        const Waiting job = anyReady();
        const auto states = await<QList<Result<StateNow>>>([&](auto done) { anyStore().cancel({{job.id, false}}, done); });
        QVERIFY(states.ok() && states->first().ok());
        leavesReady(job);
    }

    // Another argument may mean other buckets.
    void edit()
    {
        if (m_ready.empty())
            return;
        const Waiting before = anyReady();
        Waiting after = before;
        if (chance(2))
            after.spec.priority = any(-1, 1);
        MsgpackWriter argument;
        after.spec.argument = argument.integer(any(0, 11)).take();
        JobSpec was = before.spec;
        was.delay_ms = 0;
        JobSpec is = after.spec;
        is.delay_ms = 0;
        const auto edited = await<StateNow>([&](auto done) { anyStore().edit({before.id, was, is, {}, {}}, done); });
        QVERIFY2(edited.ok(), edited.ok() ? "" : edited.error().message().constData());
        leavesReady(before);
        becomesReady(after);
        m_counted = m_lanes.epoch == 0;
    }

    Waiting anyReady()
    {
        auto at = m_ready.begin();
        std::advance(at, m_random.bounded(int(m_ready.size())));
        return at->second;
    }

    void passTime()
    {
        qint64 ms = chance(3) ? any(1, 3000) : any(1, 400);
        if (chance(20))
            ms = -any(1, 2000); // the clock is set back
        m_lanes.passTime(ms);
        m_latest_ms = std::max(m_latest_ms, m_lanes.now_ms);
        if (chance(2))
            sweep();
        if (!m_running.empty() && chance(4))
            finish();
    }

    void sweep()
    {
        const auto swept = await<Swept>([&](auto done) { anyStore().sweep(done); });
        QVERIFY(swept.ok());
        // What ran out, in the order in which it did.
        std::vector<Running> late;
        std::copy_if(m_running.begin(), m_running.end(), std::back_inserter(late),
            [this](const Running &running) { return running.message.isEmpty() && running.expires_ms <= m_lanes.now_ms; });
        std::sort(late.begin(), late.end(),
            [](const Running &a, const Running &b) { return std::pair(a.expires_ms, a.job.id) < std::pair(b.expires_ms, b.job.id); });
        QCOMPARE(swept->expired, int(late.size()));
        for (const Running &running : late) {
            const auto at = std::find_if(m_running.begin(), m_running.end(), [&](const Running &r) { return r.job.id == running.job.id; });
            const int failures = running.job.failures + 1;
            const bool again = failures <= running.job.spec.maxRetry;
            Finished now{again ? JobState::Scheduled : JobState::Failed,
                again ? m_lanes.now_ms + backoffDelay_ms(running.job.spec.backoff, failures, 0) : 0};
            const auto job = await<Job>([&](auto done) { anyStore().get(running.job.id, done); });
            if (job.ok() && job->state == JobState::Cancelled) // a window had asked it to stop
                now = {JobState::Cancelled, 0};
            ended(size_t(at - m_running.begin()), End::Expiry, 0, now);
        }
        for (size_t i = m_scheduled.size(); i-- > 0;) {
            if (m_scheduled[i].due_ms > m_lanes.now_ms)
                continue;
            becomesReady(m_scheduled[i].job);
            m_scheduled.erase(m_scheduled.begin() + qptrdiff(i));
            m_counted = m_counted && m_lanes.epoch == 0; // it may have been read by older matchers
        }
    }

    // A constraint keeps its kind; everything else of it may change at any time. A new one has a number that no job has carried when it
    // started: its rate would give back a start that it never counted.
    void changeLimit()
    {
        const int number = any(1, 5);
        const auto known = m_model.limits().find(number);
        const auto carriesIt = [&](const Running &running) {
            const auto carried = bucketsOf(running.job.spec);
            return std::any_of(carried.begin(), carried.end(), [&](const CarriedBucket &each) { return each.constraint == number; });
        };
        if (known == m_model.limits().end() && (m_charging || std::any_of(m_running.begin(), m_running.end(), carriesIt)))
            return;
        const ModelLimit limit = anyLimit(m_random, known == m_model.limits().end() ? nullptr : &known->second, m_lanes.now_ms);
        m_model.set(number, limit);
        QVERIFY(m_lanes.setLimit(number, limit.packed()));
        if (limit.kind == ModelLimit::Fair)
            changeRule(); // which lanes take turns is seen when jobs are read
    }

    // Trips or resets the buckets of a breaker that there are: all of them, or those of one key.
    void switchBreaker()
    {
        std::vector<int> breakers;
        for (const auto &[number, limit] : m_model.limits()) {
            if (limit.kind == ModelLimit::Breaker)
                breakers.push_back(number);
        }
        if (breakers.empty())
            return;
        const int number = breakers[size_t(m_random.bounded(int(breakers.size())))];
        const auto page = await<ConstraintStore::Buckets>([&](auto done) { m_lanes.constraints->buckets(number, 0, done); });
        QVERIFY(page.ok());
        BreakerSwitch what{chance(2) ? BreakerState::Open : BreakerState::Closed};
        if (what.to == BreakerState::Open && chance(3))
            what.openFor_ms = any(1, 3000);
        if (chance(2) && !page->buckets.isEmpty())
            what.key = page->buckets[m_random.bounded(int(page->buckets.size()))].key;
        int expected = 0;
        for (const BucketState &bucket : page->buckets) {
            if (what.key && bucket.key != *what.key)
                continue;
            ++expected;
            if (what.to == BreakerState::Open)
                m_model.trip(number, bucket.key, what.openFor_ms.value_or(-1), m_lanes.now_ms);
            else
                m_model.reset(number, bucket.key);
        }
        QCOMPARE(m_lanes.switchBreaker(number, what).value(), expected);
    }

    // Another rule: which jobs carry which buckets. Running jobs are charged anew, now or later; waiting ones are read again on the way.
    void changeRule()
    {
        const auto rule = anyRule(m_random, m_rule);
        for (const auto &[key, job] : m_ready)
            m_model.waits(bucketsOf(job.spec), -1, m_lanes.now_ms);
        m_rule = rule;
        for (const auto &[key, job] : m_ready)
            m_model.waits(bucketsOf(job.spec), 1, m_lanes.now_ms);
        QVERIFY(m_lanes.beginRule(rule));
        m_uncharged.clear();
        for (const Running &each : m_running)
            m_uncharged.insert(each.job.id);
        m_charging = true;
        m_model.setCharging(true);
        m_allRead = m_counted = false;
        if (!chance(4))
            charge();
        if (chance(2))
            readStale(chance(2) ? 1 : 1000);
    }

    void charge()
    {
        QVERIFY(m_lanes.chargeRunning());
        for (const Running &each : m_running) {
            if (m_uncharged.contains(each.job.id))
                m_model.recharged(each.job.id.bytes(), bucketsOf(each.job.spec), LimitModel::Counted::Forgotten);
        }
        m_charging = false;
        m_model.setCharging(false);
        // What waited meanwhile is looked at again when that time has passed.
        m_lanes.passTime(limits::charging_ms);
        m_latest_ms = std::max(m_latest_ms, m_lanes.now_ms);
        sweep();
    }

    void readStale(int slices)
    {
        if (!m_lanes.readStale(slices))
            return;
        m_allRead = m_counted = true;
        const auto number = [this](const QList<QByteArray> &words) { return m_lanes.command(words).bytes().toLongLong(); };
        m_model.setTurns(
            [&](int constraint, const QByteArray &key) {
                return number({"HGET", "jq:{lanes}:b:" + bucketId({constraint, key}), "vt"});
            },
            number({"GET", "jq:{lanes}:fair"}));
    }

    // An explanation says "would run" exactly when a claim would find the job admissible.
    void explain()
    {
        if (m_ready.empty())
            return;
        const Waiting job = anyReady();
        const auto told = m_lanes.explain(job.id, bucketsOf(job.spec));
        QVERIFY(told.ok());
        const bool passes = std::all_of(told->gates.begin(), told->gates.end(), [](const BucketGate &gate) { return gate.admits; });
        if (m_counted)
            QVERIFY2(passes == admits(job.spec), shown(job.spec, job.id).constData());
        QVERIFY(told->position >= 0);
    }

    // The running sets are those of the jobs that run.
    void checkBuckets()
    {
        for (const auto &[number, limit] : m_model.limits()) {
            const auto page = await<ConstraintStore::Buckets>(
                [&, constraint = number](auto done) { m_lanes.constraints->buckets(constraint, 0, done); });
            QVERIFY(page.ok());
            for (const BucketState &bucket : page->buckets)
                QCOMPARE(bucket.used, m_model.used(number, bucket.key));
        }
    }

    Lanes m_lanes;
    LimitModel m_model;
    Rules::Rule m_rule;
    QRandomGenerator m_random;
    int m_step = 0;
    int m_message = 0;
    qint64 m_latest_ms = 0;
    bool m_allRead = true; // no job waits in a lane of an older epoch
    bool m_counted = true; // what waits is known to the buckets
    bool m_charging = false; // since the last rule, no one has charged what ran then:
    QSet<JobId> m_uncharged;
    ReadyJobs m_ready;
    std::vector<Running> m_running;
    std::vector<Scheduled> m_scheduled;
};

JUNBAN_TEST(TestLanes)
#include "test_lanes.moc"
