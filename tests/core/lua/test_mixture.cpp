#include "core/base/durations.h"
#include "core/redis/redisoperations.h"
#include "core/redis/redispast.h"
#include "core/redis/redisworkers.h"
#include "tests/core/lua/lanesfixture.h"
#include "tests/support/limitdraws.h"
#include "tests/support/testmain.h"
#include "tests/support/walks.h"

#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTest>
#include <cstdio>

using namespace junban;
using namespace junban::test;

namespace {

constexpr int rows = 500;    // more than a walk makes of any state
constexpr int slots = 3;     // of the worker that is called
constexpr int anyOther = 4;  // the constraint that may be of any kind

Outcome outcome(OutcomeType type)
{
    Outcome made;
    made.type = type;
    made.finishedAt = "2026-01-01T00:00:00Z";
    made.shouldRetry = true;
    return made;
}

} // namespace

// All that a job can be and all that can happen to it, at random, under limits that are edited meanwhile, with two masters: dependencies,
// unique keys, groups, jobs that follow, expiry, handoff, the trash. Other walks know every answer beforehand, of less; this one holds
// that no start goes over a limit, that no job which may start is left while a worker asks, and that all come to an end.
class TestMixture : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_lanes.start());
        QTRY_COMPARE(m_lanes.link->state(), redis::LinkState::Up);
    }

    void allComeToAnEndUnderTheirLimits()
    {
        Walks walks("JUNBAN_SEED", 30, 5'000);
        Row row("Everything under limits: over one, left behind or never ended", walks, "violations");
        while (walks.next()) {
            one(walks.seed());
            row.add("operations", m_step);
            if (QTest::currentTestFailed()) {
                qWarning("JUNBAN_SEED=%u repeats this walk; step %d", walks.seed(), m_step);
                return;
            }
        }
    }

private:
    struct Held {
        JobId id;
        QByteArray lease;
    };
    struct Standing {
        QList<Job> ready, running;
        std::map<QByteArray, int> used; // of each bucket by what runs
    };

    void one(quint32 seed)
    {
        m_random = QRandomGenerator(seed);
        m_lanes.scriptClock = chance(2) ? redis::ScriptClock::TestKeyNarrow : redis::ScriptClock::TestKey;
        m_lanes.begin();
        m_past = std::make_unique<redis::RedisPast>(*m_lanes.link, "lanes", m_lanes.clock, m_lanes.scriptClock);
        for (auto &each : m_bulk)
            each = std::make_unique<redis::RedisOperations>(*m_lanes.link, "lanes", m_lanes.clock, m_lanes.scriptClock);
        m_operations.clear();
        redis::RedisWorkers workers(*m_lanes.link, "lanes", m_lanes.clock, m_lanes.scriptClock);
        const WorkerStore::Steer called{"called", WorkerStore::Verb::Register, {"http://127.0.0.1:1", {}, slots}};
        QVERIFY(await<Done>([&](auto done) { workers.steer(called, done); }).ok());
        m_jobs.clear();
        m_held.clear();
        m_limits.clear();
        m_other.reset();
        m_rule = {};
        changeLimits(0);
        changeRule();
        const int steps = any(30, 150);
        for (m_step = 0; m_step < steps && !QTest::currentTestFailed(); ++m_step) {
            step();
            if (!QTest::currentTestFailed() && chance(4))
                claimAllThatMay();
        }
        if (!QTest::currentTestFailed())
            QCOMPARE(m_lanes.broken(), QByteArray());
        if (!QTest::currentTestFailed())
            drain();
        if (!QTest::currentTestFailed())
            QCOMPARE(m_lanes.broken(), QByteArray());
        if (!QTest::currentTestFailed())
            nothingIsLeft();
    }

    // A long time later only what is known of names, limits and the clock is there; what Redis itself ends by time is not the test's.
    void nothingIsLeft()
    {
        for (int i = 0; i < 3; ++i) {
            m_lanes.passTime(40 * day_ms);
            for (int times = 0; times < 20 && !QTest::currentTestFailed(); ++times)
                sweep();
        }
        static const QRegularExpression known(
            QStringLiteral("^jq:\\{lanes\\}:(changed|con|count|engines|epoch|fair|lane_last|lane_names|lanes|measured|meta"
                           "|ops|recharged|series|steered|steering|testclock|tx|version|views"
                           "|workers|(cs|fgw|idem|msg|name|nonce"
                           "|op|opd|opk|owner|res|ser|shared|vi|vw|wk|wks):.*)$"),
            QRegularExpression::DotMatchesEverythingOption);
        const redis::Reply keys = m_lanes.command({"KEYS", "jq:{lanes}:*"});
        QByteArray left;
        for (qsizetype i = 0; i < keys.size(); ++i) {
            if (!known.match(QString::fromLatin1(keys[i].bytes())).hasMatch())
                left += keys[i].bytes() + '\n';
        }
        QCOMPARE(left, QByteArray());
    }

    bool chance(int in) { return m_random.bounded(in) == 0; }
    int any(int from, int to) { return m_random.bounded(from, to + 1); }
    redis::RedisStore &anyStore() { return *m_lanes.stores[any(0, 1)]; }
    JobId anyJob() { return m_jobs.isEmpty() ? m_lanes.ids.make(m_lanes.now_ms) : m_jobs[any(0, int(m_jobs.size()) - 1)]; }

    void step()
    {
        switch (any(0, 16)) {
        case 0:
        case 1:
        case 2:
        case 3: enqueue(); break;
        case 4:
        case 5: claim(any(1, 3), chance(2) ? QList<QByteArray>{} : QList<QByteArray>{"a", "c"}, chance(3)); break;
        case 6:
        case 7: finish(chance(3) ? OutcomeType::Failure : OutcomeType::Success); break;
        case 8: giveBack(); break;
        case 9: moveOn(); break;
        case 10: chance(2) ? cancel() : edit(); break;
        case 11:
        case 12: trash(); break;
        case 13: chance(2) ? m_lanes.passTime(any(1, 8'000)) : sweep(); break;
        case 15: operate(); break;
        case 14: changeLimits(chance(3) ? 0 : 1); break;
        default: chance(3) ? changeRule() : (void)m_lanes.readStale(chance(2) ? 1 : 1'000); break;
        }
    }

    void enqueue()
    {
        QList<EnqueueItem> items;
        for (int n = any(1, 4); n > 0; --n) {
            EnqueueItem item = m_lanes.item(QByteArray(1, char('a' + any(0, 2))), any(0, 3), any(-1, 1));
            JobSpec &spec = item.spec;
            spec.timeout_ms = 1'000 * any(2, 40);
            spec.maxRetry = any(0, 2);
            spec.backoff = {1'000, 2, 8'000, 0};
            spec.keepResult = chance(3);
            spec.delay_ms = chance(5) ? any(1, 6'000) : 0;
            if (chance(8))
                spec.idempotencyKey = QByteArray::number(any(0, 3));
            addSpecial(spec, 0);
            items.append(item);
            m_jobs.append(item.id);
        }
        QVERIFY(await<QList<Result<Enqueued>>>([&](auto done) { anyStore().enqueue(items, done); }).ok());
    }

    void addSpecial(JobSpec &spec, int depth)
    {
        if (chance(5))
            spec.unique = Unique{"k", UniqueUntil(any(0, 1)), OnConflict(any(0, 2))};
        while (depth == 0 && chance(3))
            spec.dependsOn.append(anyJob());
        spec.onDependencyFailure = OnDependencyFailure(any(0, 2));
        if (chance(6))
            spec.expiresIn_ms = 1'000 * any(1, 20);
        if (chance(6))
            spec.group = "g";
        if (chance(8)) { // the walk begins at 15:06:40
            const int from_min = 15 * 60 + any(4, 12);
            spec.windows.append({from_min, from_min + any(1, 3), "UTC", 0x7f});
        }
        while (depth < 2 && chance(5)) {
            JobSpec next = m_lanes.item(spec.name, any(0, 3)).spec;
            next.timeout_ms = 20'000;
            next.delay_ms = chance(3) ? 3'000 : 0;
            addSpecial(next, depth + 1);
            spec.then.push_back(next);
        }
    }

    // Whether anything started.
    bool claim(int limit, const QList<QByteArray> &names, bool isCalled)
    {
        QList<JobId> started;
        const ClaimRequest request{isCalled ? "called" : "w", names, limit, 0, {}, isCalled};
        const auto reply = await<FinishAndClaimReply>([&](auto done) { anyStore().finishAndClaim({}, {request}, done); });
        if (!reply.ok())
            qFatal("a claim: %s", reply.error().message().constData());
        for (const ClaimedJob &job : reply->claimed.first().jobs) {
            m_held.append({job.id, job.lease});
            started.append(job.id);
        }
        if (!started.isEmpty())
            noneIsOverALimit(started);
        if (isCalled)
            itsSlotsHold(reply->claimed.first());
        return !started.isEmpty();
    }

    void itsSlotsHold(const Claimed &got)
    {
        const QList<Job> running = standing().running;
        const auto its = std::count_if(running.begin(), running.end(), [](const Job &job) {
            return job.worker == "called" && job.state == JobState::Running;
        });
        QVERIFY(its <= slots);
        QVERIFY(!got.full || its == slots); // what has ended has left its slot
    }

    // Begins an operation over some jobs, or lets any master go on with one; some are taken back.
    void operate(bool mayBegin = true)
    {
        redis::RedisOperations &bulk = *m_bulk[any(0, 1)];
        if (mayBegin && (m_operations.isEmpty() || chance(3))) {
            QList<JobId> ids;
            for (int n = any(1, 12); n > 0; --n)
                ids.append(anyJob());
            const QByteArray id = "op" + QByteArray::number(m_step);
            const BulkAction action = BulkAction(any(0, int(BulkAction::Release)));
            QVERIFY(await<qint64>([&](auto done) { bulk.freeze({id, 0, ViewState::Complete, {}, m_lanes.now_ms, ids}, done); }).ok());
            begin(bulk, {id, action, id, ids.size(), chance(2) ? 0.0 : any(1, 5), {}, {}});
            return;
        }
        const QByteArray id = m_operations[any(0, int(m_operations.size()) - 1)];
        const auto operated = await<Operated>([&](auto done) { bulk.operate({id}, done); });
        QVERIFY(operated.ok());
        if (operated->busy || operated->again_ms > 0)
            return;
        const auto ended = await<BulkOperation>([&](auto done) { bulk.get(id, done); });
        QVERIFY(ended.ok());
        QCOMPARE(ended->position, ended->count);
        m_operations.removeOne(id);
        if (const auto undo = undoOf(ended->action); undo && ended->undoes.isEmpty() && chance(2))
            begin(bulk, {"un" + id, *undo, {}, 0, 0, {}, {}, id});
    }

    void begin(redis::RedisOperations &bulk, const OperationSave &save)
    {
        if (!await<Done>([&](auto done) { bulk.save(save, done); }).ok())
            return; // there are so many
        QVERIFY(await<Done>([&](auto done) { bulk.change({save.id, OperationVerb::Start}, done); }).ok());
        m_operations.append(save.id);
    }

    Held takeHeld() { return m_held.takeAt(any(0, int(m_held.size()) - 1)); }

    // Some are too late: their leases ran out.
    void finish(OutcomeType type)
    {
        if (m_held.isEmpty())
            return;
        const Held held = takeHeld();
        const FinishItem item{held.id, held.lease, outcome(type), 0};
        QVERIFY(await<FinishAndClaimReply>([&](auto done) { anyStore().finishAndClaim({item}, {}, done); }).ok());
    }

    void giveBack()
    {
        if (m_held.isEmpty())
            return;
        const Held held = takeHeld();
        if (chance(2)) {
            const ReleaseItem item{held.id, held.lease, chance(2) ? 0 : any(1, 3'000), 0, chance(3)};
            QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { anyStore().release({item}, done); }).ok());
        } else {
            const HandoffItem item{held.id, held.lease, messageKey(), 1'000 * any(1, 30)};
            (void)await<StateNow>([&](auto done) { anyStore().handOff(item, done); }); // the key may be taken
        }
    }

    QByteArray messageKey() { return "m" + QByteArray::number(any(0, 3)); }

    // What waits for others, for a message or for an operator.
    void moveOn()
    {
        if (chance(2))
            (void)await<MessageTaken>([&](auto done) { anyStore().message({messageKey(), outcome(OutcomeType::Success), 0}, done); });
        else
            (void)await<QList<Result<StateNow>>>([&](auto done) { anyStore().retry({anyJob(), anyJob()}, done); });
        if (chance(4)) {
            GroupChange change{"g", m_lanes.ids.make(m_lanes.now_ms), chance(3), {}};
            if (chance(2))
                change.callback = m_lanes.item("b", any(0, 3)).spec;
            (void)await<Group>([&](auto done) { anyStore().changeGroup(change, done); });
        }
    }

    // What is due, and the boundaries of windows that it asks for.
    void sweep()
    {
        for (bool more = true; more && !QTest::currentTestFailed();) {
            const auto swept = await<Swept>([&](auto done) { anyStore().sweep(done); });
            QVERIFY(swept.ok());
            more = swept->more && chance(3);
            m_nextDue_ms = swept->nextDue_ms;
            for (const JobId &id : swept->windowsWanted) {
                const auto job = await<Job>([&](auto done) { anyStore().get(id, done); });
                const auto boundaries_ms = job.ok() ? windowBoundaries_ms(job->spec.windows, m_lanes.now_ms) : QList<qint64>();
                QVERIFY(await<Done>([&](auto done) { anyStore().setWindows(id, boundaries_ms, done); }).ok());
            }
        }
    }

    void cancel()
    {
        const CancelItem item{anyJob(), chance(2)};
        QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { anyStore().cancel({item}, done); }).ok());
    }

    void edit()
    {
        const JobId id = anyJob();
        const auto job = await<Job>([&](auto done) { anyStore().get(id, done); });
        if (!job.ok())
            return;
        EditItem item{id, job->spec, job->spec, {}, "\x80"};
        if (chance(2))
            item.after.argument = m_lanes.item("a", any(0, 3)).spec.argument;
        else
            item.after.priority = any(-2, 2);
        if (chance(3))
            item.runAt_ms = m_lanes.now_ms + any(-2'000, 5'000);
        (void)await<StateNow>([&](auto done) { anyStore().edit(item, done); });
    }

    void trash()
    {
        const QList<JobId> ids{anyJob(), anyJob()};
        if (chance(2))
            QVERIFY(await<Removed>([&](auto done) { m_past->remove(ids, anOperator, done); }).ok());
        else
            QVERIFY(await<Removed>([&](auto done) { m_past->restore(ids, anOperator, done); }).ok());
    }

    // Three limits of jobs at a time: of each argument, of each name, of all; and one of any kind.
    void changeLimits(int least)
    {
        for (int number = 1; number <= 3; ++number) {
            if (m_limits.contains(number) && chance(2))
                continue;
            m_limits[number] = any(least, 3);
            setLimit(number);
        }
        if (chance(3)) {
            m_other = anyLimit(m_random, m_other ? &*m_other : nullptr, m_lanes.now_ms);
            QVERIFY(m_lanes.setLimit(anyOther, m_other->packed()));
            if (m_other->kind == ModelLimit::Fair)
                changeRule(); // which lanes take turns is seen when jobs are read
        }
    }
    void setLimit(int number)
    {
        ModelLimit limit;
        limit.numbers.limit = m_limits[number];
        QVERIFY(m_lanes.setLimit(number, limit.packed()));
    }

    // Jobs that run are charged by the new rule; those that wait are read again on the way.
    void changeRule()
    {
        const int mask = any(1, 15), cost = any(1, 2);
        m_rule = [mask, cost](const JobSpec &spec) {
            QList<CarriedBucket> carried;
            if (mask & 1)
                carried.append({1, QByteArray::number(Lanes::valueOf(spec)), 1});
            if (mask & 2)
                carried.append({2, spec.name, cost});
            if (mask & 4 && spec.priority <= 0)
                carried.append({3, "", 1});
            if (mask & 8)
                carried.append({anyOther, spec.name, 1});
            return carried;
        };
        QVERIFY(m_lanes.setRule(m_rule));
    }

    Standing standing()
    {
        Standing found;
        for (const JobState state : {JobState::Ready, JobState::Running, JobState::Awaiting}) {
            PageRequest request;
            request.state = state;
            request.limit = rows;
            const auto page = await<Page>([&](auto done) { m_lanes.stores[0]->page(request, done); });
            if (!page.ok() || !page->end)
                qFatal("a page of all jobs of a state");
            (state == JobState::Ready ? found.ready : found.running) += page->jobs;
        }
        for (const Job &job : std::as_const(found.running)) {
            for (const CarriedBucket &carried : m_rule(job.spec))
                found.used[bucketId(carried)] += carried.cost;
        }
        return found;
    }

    // A limit may be lowered below what runs, and a job that costs more than the limit runs alone.
    void noneIsOverALimit(const QList<JobId> &started)
    {
        const Standing now = standing();
        for (const Job &job : now.running) {
            if (!started.contains(job.id))
                continue;
            for (const CarriedBucket &carried : m_rule(job.spec)) {
                if (carried.constraint == anyOther)
                    continue;
                const int used = now.used.at(bucketId(carried));
                QVERIFY2(used <= m_limits[carried.constraint] || used == carried.cost, bucketId(carried).constData());
            }
        }
    }

    // Once all was read again, and when workers get nothing more, every job that is ready is held by one of its limits.
    void claimAllThatMay()
    {
        QVERIFY(m_lanes.readStale(1'000));
        for (int idle = 0; idle < 3 && !QTest::currentTestFailed();)
            idle = claim(any(1, 9), {}, false) ? 0 : idle + 1;
        const Standing now = standing();
        for (const Job &job : now.ready) {
            const QList<CarriedBucket> carried = m_rule(job.spec);
            const bool held = std::any_of(carried.begin(), carried.end(), [&](const CarriedBucket &bucket) {
                if (bucket.constraint == anyOther)
                    return otherHolds(job.id, carried);
                const auto at = now.used.find(bucketId(bucket));
                const int used = at == now.used.end() ? 0 : at->second, most = m_limits[bucket.constraint];
                return most <= 0 || (used > 0 && used + bucket.cost > most);
            });
            QVERIFY2(held, job.id.text().constData());
        }
    }

    bool otherHolds(JobId id, const QList<CarriedBucket> &carried)
    {
        const auto told = m_lanes.explain(id, carried);
        return told.ok() && std::any_of(told->gates.begin(), told->gates.end(), [](const BucketGate &gate) {
            return gate.constraint == anyOther && !gate.admits;
        });
    }

    void drain()
    {
        for (int turn = 0; !m_operations.isEmpty() && turn < 500 && !QTest::currentTestFailed(); ++turn) {
            m_lanes.passTime(4'000);
            operate(false);
        }
        for (auto &[number, most] : m_limits) {
            most = std::max(most, 1);
            setLimit(number);
        }
        if (m_other) {
            m_other->mode = "off";
            QVERIFY(m_lanes.setLimit(anyOther, m_other->packed()));
        }
        qint64 left = 1;
        for (int turn = 0; left > 0 && turn < 500 && !QTest::currentTestFailed(); ++turn) {
            m_lanes.passTime(turn < 50 ? 2'000 : std::clamp(m_nextDue_ms - m_lanes.now_ms, qint64(2'000), day_ms));
            sweep();
            claimAllThatMay();
            while (!m_held.isEmpty() && !QTest::currentTestFailed())
                finish(OutcomeType::Success);
            const auto counts = await<Overview>([&](auto done) { m_lanes.stores[0]->counts(done); });
            QVERIFY(counts.ok());
            left = counts->count(JobState::Ready, JobState::Scheduled, JobState::Depends, JobState::Running, JobState::Awaiting);
        }
        QCOMPARE(left, 0);
    }

    Lanes m_lanes;
    std::unique_ptr<redis::RedisPast> m_past;
    std::unique_ptr<redis::RedisOperations> m_bulk[2];
    QList<QByteArray> m_operations; // that run
    Rules::Rule m_rule;
    std::map<int, int> m_limits; // of the constraints 1 to 3
    std::optional<ModelLimit> m_other;
    QRandomGenerator m_random;
    int m_step = 0;
    qint64 m_nextDue_ms = 0;
    QList<JobId> m_jobs;
    QList<Held> m_held;
};

JUNBAN_TEST(TestMixture)
#include "test_mixture.moc"
