#include "core/redis/redisstore.h"
#include "tests/support/await.h"
#include "tests/support/redisserver.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// Jobs that wait for others, and unique jobs that replace each other: what the random walk's model leaves to chance.
class TestUnique : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_server.start());
        m_link = std::make_unique<redis::Link>(*redis::Address::fromUrl(m_server.url()));
        m_link->start();
        QTRY_COMPARE(m_link->state(), redis::LinkState::Up);
        m_store = std::make_unique<redis::RedisStore>(*m_link, nullptr, "test", m_clock, redis::ScriptClock::Redis);
    }
    void init() { m_server.cli({QStringLiteral("FLUSHALL")}); }

    void aDependencyNamedTwiceIsWaitedForOnce()
    {
        const JobId parent = push(JobSpec{.name = "a"});
        const JobId child = push(JobSpec{.name = "b", .dependsOn = {parent, parent}});
        finishNext(parent);
        const auto left = await<redis::Reply>([&](auto done) { m_link->command({"HEXISTS", "jq:{test}:s:" + child.bytes(), "dn"}, done); });
        QCOMPARE(left->integer(), 0);
        finishNext(child);
    }

    void aJobThatReplacesTheOneItDependsOnRunsAfterIt()
    {
        const JobId first = push(replacing());
        const ClaimedJob running = claim();
        JobSpec both = replacing();
        both.dependsOn = {first};
        const JobId second = push(both);
        QCOMPARE(state(second), JobState::Depends);
        finish(running);
        finishNext(second);
    }

    void aJobThatDependsOnTheOneItReplacesGoesByThatOnesEnd()
    {
        for (const auto &[how, becomes] : {std::pair{OnDependencyFailure::Run, JobState::Ready},
                 {OnDependencyFailure::Fail, JobState::Failed}, {OnDependencyFailure::Cancel, JobState::Cancelled}}) {
            JobSpec both = replacing();
            both.dependsOn = {push(replacing())};
            both.onDependencyFailure = how;
            const JobId second = push(both);
            QCOMPARE(state(both.dependsOn.first()), JobState::Cancelled);
            QCOMPARE(state(second), becomes);
            if (becomes == JobState::Ready)
                finishNext(second);
            else
                QCOMPARE(job(second).message, QByteArray("A job it depends on was cancelled."));
        }
    }

    void whatReplacesAWaitingJobWaitsForTheRunningOneToo()
    {
        const JobId first = push(replacing());
        const ClaimedJob running = claim();
        QCOMPARE(running.id, first);
        const JobId second = push(replacing());
        const JobId third = push(replacing());
        const JobId fourth = push(replacing());
        QCOMPARE(state(second), JobState::Cancelled);
        QCOMPARE(state(third), JobState::Cancelled);
        QCOMPARE(state(fourth), JobState::Depends); // two of a kind must not run at once
        finish(running);
        finishNext(fourth);
    }

private:
    static JobSpec replacing()
    {
        return JobSpec{.name = "a", .unique = Unique{.key = "k", .onConflict = OnConflict::Replace}};
    }
    JobId push(const JobSpec &spec)
    {
        const EnqueueItem item{m_ids.make(m_clock.now_ms()), spec, {}};
        return await<QList<Result<Enqueued>>>([&](auto done) { m_store->enqueue({item}, done); }).value().first().value().id;
    }
    ClaimedJob claim()
    {
        const QList<ClaimRequest> one{{"w", {}, 1, 0}};
        const auto reply = await<FinishAndClaimReply>([&](auto done) { m_store->finishAndClaim({}, one, done); }).value();
        return reply.claimed.first().jobs.value(0);
    }
    void finish(const ClaimedJob &job)
    {
        Outcome outcome;
        outcome.finishedAt = "2026-01-01T00:00:00Z";
        outcome.result = QByteArray::fromHex("c0");
        const QList<FinishItem> one{{job.id, job.lease, outcome, 0}};
        const auto reply = await<FinishAndClaimReply>([&](auto done) { m_store->finishAndClaim(one, {}, done); }).value();
        QCOMPARE(reply.finished.first().value().state, JobState::Succeeded);
    }
    void finishNext(JobId id)
    {
        const ClaimedJob job = claim();
        QCOMPARE(job.id, id);
        finish(job);
    }
    Job job(JobId id)
    {
        return await<Job>([&](auto done) { m_store->get(id, done); }).value();
    }
    JobState state(JobId id) { return job(id).state; }

    RedisServer m_server;
    Clock m_clock;
    IdMaker m_ids;
    std::unique_ptr<redis::Link> m_link;
    std::unique_ptr<redis::RedisStore> m_store;
};

JUNBAN_TEST(TestUnique)
#include "test_unique.moc"
