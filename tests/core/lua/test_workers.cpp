#include "core/redis/redisworkers.h"
#include "tests/core/lua/pastfixture.h"
#include "tests/support/sentence.h"
#include "tests/support/testmain.h"

#include <QCryptographicHash>
#include <QTest>

using namespace junban;
using namespace junban::test;

// What is kept of workers, and the slots of those that serve HTTP: `docs/decisions/workers.md`.
class TestWorkers : public QObject, private PastFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(start()); }
    void init()
    {
        begin();
        m_workers = std::make_unique<redis::RedisWorkers>(*m_link, "test", *m_clock, redis::ScriptClock::TestKey);
        m_other = std::make_unique<redis::RedisStore>(*m_link, nullptr, "test", *m_clock, redis::ScriptClock::TestKey);
    }
    void cleanup()
    {
        m_workers.reset();
        m_other.reset();
        const QByteArray wrong = end();
        QCOMPARE(wrong, QByteArray());
    }

    void whatEnginesHearIsAddedUp()
    {
        const WorkerTold told{{"a"}, {"eu"}, "2"};
        note({"w", true, told, 3, 1, {10, 20, 30, 1'000}});
        pass(50);
        note({"w", true, {}, 2, 0, {40, 50}});
        note({"w", false, {}, 0, 0, {}, sentence("connection refused")});
        const Worker worker = list().workers.value(0);
        QCOMPARE(worker.worker, QByteArray("w"));
        QVERIFY(worker.told == told);
        QCOMPARE(worker.succeeded, 5);
        QCOMPARE(worker.failed, 1);
        QCOMPARE(worker.p50_ms, 40);
        QCOMPARE(worker.p95_ms, 1'000);
        QCOMPARE(worker.firstSeen_ms, m_now_ms - 50);
        QCOMPARE(worker.lastContact_ms, m_now_ms);
        QCOMPARE(worker.trouble.text, QByteArray("connection refused"));
        QCOMPARE(worker.kind, WorkerKind::Pull);
        const qint64 left_ms = command({"PTTL", "jq:{test}:wk:" + hash("w")}).integer();
        QVERIFY(left_ms > 0 && left_ms <= qint64(limits::worker_kept_s * 1000));
    }

    void onlyTheLastRunsCount()
    {
        QList<qint64> runs(limits::worker_runs_kept, 1);
        note({"w", true, {}, runs.size(), 0, runs});
        runs.fill(9);
        note({"w", true, {}, runs.size(), 0, runs});
        QCOMPARE(list().workers.value(0).p50_ms, 9);
        QCOMPARE(command({"HSTRLEN", "jq:{test}:wk:" + hash("w"), "ru"}).integer(), 4 * limits::worker_runs_kept);
    }

    void aWorkerThatNobodyHeardOfIsNotMade()
    {
        note({"w", false, {}, 0, 0, {}, sentence("connection refused")});
        QVERIFY(list().workers.isEmpty());
        note({"w", true});
        expire("w");
        QVERIFY(!list().workers.isEmpty()); // until somebody notices
        note({"v", true});
        QCOMPARE(list().workers.size(), 1);
    }

    void aListIsInPagesByNameAndCountsWhatRuns()
    {
        for (const char *worker : {"c", "a", "b"})
            note({worker, true});
        QList<JobId> ids;
        for (int i = 0; i < limits::worker_jobs_shown + 3; ++i)
            ids.append(push(named("x")));
        (void)finishAndClaim({}, {{"b", {}, int(ids.size()), 0}});
        WorkerStore::Page page = list(2);
        QCOMPARE(page.workers.size(), 2);
        QCOMPARE(page.workers[0].worker, QByteArray("a"));
        QCOMPARE(page.workers[0].running, 0);
        QCOMPARE(page.workers[1].running, ids.size());
        QCOMPARE(page.workers[1].jobs, ids.mid(0, limits::worker_jobs_shown));
        QVERIFY(!page.end && page.complete);
        page = list(2, "b");
        QCOMPARE(page.workers.value(0).worker, QByteArray("c"));
        QVERIFY(page.end);
    }

    void aRegistrationBelongsToItsToken()
    {
        const QByteArray before = steered().version;
        QVERIFY(steer("w", WorkerStore::Verb::Register, 2, "mine").ok());
        QVERIFY(steered().version != before);
        QVERIFY(steered(steered().version).workers.isEmpty());
        using Verb = WorkerStore::Verb;
        for (const Verb verb : {Verb::Register, Verb::Delete, Verb::Drain, Verb::Resume})
            QCOMPARE(steer("w", verb, 1, "theirs").error().code, ErrorCode::Conflict);
        QCOMPARE(steered().workers.value(0).registration->slots, 2);
        QVERIFY(steer("w", WorkerStore::Verb::Register, 3, "mine").ok());
        QVERIFY(steer("w", WorkerStore::Verb::Drain, 0, "theirs", true).ok());
        QVERIFY(steered().workers.value(0).draining);
        QCOMPARE(list().workers.value(0).state, WorkerState::Draining);
        QVERIFY(steer("w", WorkerStore::Verb::Register, 4, "mine").ok()); // it is there again
        QVERIFY(!steered().workers.value(0).draining);
        QCOMPARE(steered().workers.value(0).registration->slots, 4);
        QVERIFY(steer("w", WorkerStore::Verb::Resume, 0, "mine").ok()); // it stays registered
        QCOMPARE(steered().workers.size(), 1);
        QVERIFY(steer("w", WorkerStore::Verb::Delete, 0, "mine").ok());
        QVERIFY(steered().workers.isEmpty() && list().workers.isEmpty());
        for (const WorkerStore::Verb verb : {WorkerStore::Verb::Delete, WorkerStore::Verb::Drain, WorkerStore::Verb::Resume})
            QCOMPARE(steer("w", verb, 0, "mine").error().code, ErrorCode::NotFound);
    }

    void aDrainedWorkerThatAsksIsKnownUntilItIsResumed()
    {
        note({"w", true});
        QVERIFY(steer("w", WorkerStore::Verb::Drain).ok());
        QCOMPARE(steered().workers.size(), 1);
        note({"w", true}); // it is not to be forgotten meanwhile
        QCOMPARE(command({"PTTL", "jq:{test}:wk:" + hash("w")}).integer(), -1);
        QCOMPARE(steer("w", WorkerStore::Verb::Delete, 0, "a worker's").error().code, ErrorCode::Conflict); // that would end the drain
        QCOMPARE(steered().workers.size(), 1);
        QVERIFY(steer("w", WorkerStore::Verb::Resume).ok());
        QVERIFY(steered().workers.isEmpty());
        QVERIFY(command({"PTTL", "jq:{test}:wk:" + hash("w")}).integer() > 0);
    }

    void thereAreSoManyRegistrations()
    {
        for (int i = 0; i < limits::steered_workers_max; ++i)
            QVERIFY(steer("w" + QByteArray::number(i), WorkerStore::Verb::Register, 1).ok());
        QCOMPARE(steer("more", WorkerStore::Verb::Register, 1).error().code, ErrorCode::Conflict);
        note({"puller", true});
        QCOMPARE(steer("puller", WorkerStore::Verb::Drain).error().code, ErrorCode::Conflict);
        QVERIFY(steer("w7", WorkerStore::Verb::Register, 2).ok());
        QVERIFY(steer("w7", WorkerStore::Verb::Delete).ok());
        QVERIFY(steer("more", WorkerStore::Verb::Register, 1).ok());
    }

    void noMoreThanItsSlotsOverAllMasters()
    {
        for (int i = 0; i < 12; ++i)
            push(named("a"));
        QVERIFY(steer("s", WorkerStore::Verb::Register, 3).ok());
        const auto first = served(*m_store, 2);
        QCOMPARE(first.jobs.size(), 2);
        QCOMPARE(served(*m_other, 3).jobs.size(), 1);
        QVERIFY(served(*m_store, 1).full);
        QVERIFY(served(*m_other, 1).full);
        QVERIFY(finish(first.jobs[0], success()).ok()); // by way of any master
        QCOMPARE(served(*m_other, 3).jobs.size(), 1);
        (void)await<QList<Result<StateNow>>>([&](auto done) { m_other->release({{first.jobs[1].id, first.jobs[1].lease, 0, 0}}, done); });
        const auto again = served(*m_store, 3);
        QCOMPARE(idsOf(again.jobs), QList<JobId>{first.jobs[1].id}); // the same job, in the slot that it had
        QVERIFY(served(*m_store, 1).full);
        QVERIFY(steer("s", WorkerStore::Verb::Register, 5).ok());
        QCOMPARE(served(*m_store, 9).jobs.size(), 2);
        QVERIFY(steer("s", WorkerStore::Verb::Register, 1).ok()); // fewer than it has
        QVERIFY(served(*m_store, 1).full);
    }

    void twoClaimsOfOneCallShareTheSlots()
    {
        for (int i = 0; i < 9; ++i)
            push(named("a"));
        QVERIFY(steer("s", WorkerStore::Verb::Register, 3).ok());
        const ClaimRequest two{"s", {}, 2, 0, {}, true};
        const auto reply = finishAndClaim({}, {two, two, two, {"puller", {}, 2, 0}});
        QCOMPARE(reply.claimed[0].jobs.size() + reply.claimed[1].jobs.size(), 3);
        QVERIFY(reply.claimed[2].full);
        QCOMPARE(reply.claimed[3].jobs.size(), 2);
    }

    void aJobWhoseLeaseRanOutLeavesItsSlot()
    {
        JobSpec spec = named("a", 3);
        spec.timeout_ms = 1'000;
        push(spec);
        QVERIFY(steer("s", WorkerStore::Verb::Register, 1).ok());
        QCOMPARE(served(*m_store, 1).jobs.size(), 1);
        QVERIFY(served(*m_store, 1).full);
        pass(1'000);
        (void)sweep();
        push(named("b"));
        QCOMPARE(served(*m_other, 1).jobs.size(), 1);
    }

    void aJobThatAnotherWorkerHasMeanwhileLeavesItsSlot()
    {
        push(named("a"));
        push(named("b"));
        QVERIFY(steer("s", WorkerStore::Verb::Register, 1).ok());
        const ClaimedJob job = served(*m_store, 1).jobs.value(0);
        (void)await<QList<Result<StateNow>>>([&](auto done) { m_store->release({{job.id, job.lease, 0, 0}}, done); });
        QCOMPARE(claimOf("a").id, job.id);
        QCOMPARE(served(*m_store, 1).jobs.size(), 1);
        QCOMPARE(command({"SCARD", "jq:{test}:wks:" + hash("s")}).integer(), 1);
    }

    void whoIsDrainingOrNotRegisteredGetsNothing()
    {
        push(named("a"));
        QVERIFY(served(*m_store, 1).full);
        QVERIFY(steer("s", WorkerStore::Verb::Register, 1).ok());
        QVERIFY(steer("s", WorkerStore::Verb::Drain).ok());
        QVERIFY(served(*m_store, 1).full);
        QVERIFY(steer("s", WorkerStore::Verb::Resume).ok());
        QCOMPARE(served(*m_store, 1).jobs.size(), 1);
        QVERIFY(steer("s", WorkerStore::Verb::Delete).ok());
        push(named("a"));
        QVERIFY(served(*m_store, 1).full);
    }

    void aReportSaysWhoseAttemptItWas()
    {
        push(named("a"));
        QVERIFY(steer("s", WorkerStore::Verb::Register, 1).ok());
        const ClaimedJob job = served(*m_store, 1).jobs.value(0);
        pass(70);
        const Finished first = finish(job, success()).value();
        QCOMPARE(first.worker, QByteArray("s"));
        QCOMPARE(first.ran_ms, 70);
        QCOMPARE(finish(job, success()).value().worker, QByteArray()); // the same again counts for nobody
    }

private:
    static QByteArray hash(const QByteArray &worker)
    {
        return QCryptographicHash::hash(worker, QCryptographicHash::Sha1).toHex();
    }
    static QList<JobId> idsOf(const QList<ClaimedJob> &jobs)
    {
        QList<JobId> ids;
        for (const ClaimedJob &job : jobs)
            ids.append(job.id);
        return ids;
    }
    // As Redis does by its own clock.
    void expire(const QByteArray &worker) { command({"DEL", "jq:{test}:wk:" + hash(worker)}); }
    void note(const WorkerStore::News &news)
    {
        QVERIFY(await<Done>([&](auto done) { m_workers->note({news}, done); }).ok());
    }
    WorkerStore::Page list(int limit = 100, const QByteArray &after = {})
    {
        return await<WorkerStore::Page>([&](auto done) { m_workers->list(limit, after, done); }).value();
    }
    WorkerStore::AllSteered steered(const QByteArray &known = {})
    {
        return await<WorkerStore::AllSteered>([&](auto done) { m_workers->steered(known, done); }).value();
    }
    Result<Done> steer(const QByteArray &worker, WorkerStore::Verb verb, int slots = 1, const QByteArray &token = {}, bool any = false)
    {
        WorkerRegistration registration;
        registration.url = "http://127.0.0.1:1";
        registration.slots = slots;
        return await<Done>([&](auto done) { m_workers->steer({worker, verb, registration, token, any}, done); });
    }
    // What a master gets for the worker "s".
    Claimed served(redis::RedisStore &master, int limit)
    {
        const ClaimRequest request{"s", {}, limit, 0, {}, true};
        return await<FinishAndClaimReply>([&](auto done) { master.finishAndClaim({}, {request}, done); }).value().claimed.first();
    }

    std::unique_ptr<redis::RedisWorkers> m_workers;
    std::unique_ptr<redis::RedisStore> m_other;
};

JUNBAN_TEST(TestWorkers)
#include "test_workers.moc"
