#pragma once

#include "core/base/durations.h"
#include "core/operators/lookback.h"
#include "core/redis/redispast.h"
#include "core/redis/redisstore.h"
#include "tests/support/await.h"
#include "tests/support/keychecker.h"
#include "tests/support/redisserver.h"

#include <QTest>
#include <memory>

namespace junban::test {


// RedisStore and RedisPast on a real Redis whose scripts read a test clock, with a queue and a lookback over them. Times begin at ten
// o'clock of some day.
class PastFixture
{
public:
    static JobSpec named(const QByteArray &name, int retries = 0)
    {
        JobSpec spec;
        spec.name = name;
        spec.maxRetry = retries;
        spec.timeout_ms = day_ms;
        return spec;
    }
    static Outcome success()
    {
        Outcome outcome;
        outcome.finishedAt = "2026-01-01T00:00:00Z";
        return outcome;
    }
    static Outcome failure(const QByteArray &message)
    {
        Outcome outcome;
        outcome.type = OutcomeType::Failure;
        outcome.finishedAt = "2026-01-01T00:00:00Z";
        outcome.shouldRetry = true;
        outcome.message = message;
        return outcome;
    }

    bool start()
    {
        if (!m_server.start())
            return false;
        m_link = std::make_unique<redis::Link>(*redis::Address::fromUrl(m_server.url()));
        m_link->start();
        return QTest::qWaitFor([this] { return m_link->state() == redis::LinkState::Up; });
    }
    void begin()
    {
        command({"FLUSHALL"});
        m_clock = std::make_unique<Clock>();
        m_ids = {}; // one that knows of a later time would make ids of the future
        m_store = std::make_unique<redis::RedisStore>(*m_link, nullptr, "test", *m_clock, redis::ScriptClock::TestKey);
        m_past = std::make_unique<redis::RedisPast>(*m_link, "test", *m_clock, redis::ScriptClock::TestKey);
        m_queue = std::make_unique<Queue>(*m_store, *m_clock);
        m_lookback = std::make_unique<Lookback>(*m_past, *m_store, *m_queue);
        setTime(20'000 * day_ms + 10 * hour_ms);
    }
    // What is wrong with the keys that are there.
    QByteArray end()
    {
        const QByteArray wrong = wrongKeys(*m_link, "test");
        m_lookback.reset();
        m_queue.reset();
        m_past.reset();
        m_store.reset();
        return wrong;
    }

    void setTime(qint64 at_ms)
    {
        m_now_ms = at_ms;
        command({"SET", "jq:{test}:testclock", QByteArray::number(at_ms)});
    }
    void pass(qint64 span_ms) { setTime(m_now_ms + span_ms); }
    redis::Reply command(const QList<QByteArray> &words)
    {
        return await<redis::Reply>([&](auto done) { m_link->command(words, done); }).value();
    }
    qsizetype keys(const QByteArray &pattern = "*") { return command({"KEYS", "jq:{test}:" + pattern}).size(); }

    Result<Enqueued> enqueue(const JobSpec &spec)
    {
        const EnqueueItem item{m_ids.make(m_now_ms), spec, {}};
        return await<QList<Result<Enqueued>>>([&](auto done) { m_store->enqueue({item}, done); }).value().first();
    }
    JobId push(const JobSpec &spec) { return enqueue(spec).value().id; }
    FinishAndClaimReply finishAndClaim(const QList<FinishItem> &items, const QList<ClaimRequest> &claims)
    {
        return await<FinishAndClaimReply>([&](auto done) { m_store->finishAndClaim(items, claims, done); }).value();
    }
    QList<ClaimedJob> claimMany(int limit) { return finishAndClaim({}, {{"w", {}, limit, 0}}).claimed.first().jobs; }
    ClaimedJob claim() { return claimMany(1).value(0); }
    ClaimedJob claimOf(const QByteArray &name) { return finishAndClaim({}, {{"w", {name}, 1, 0}}).claimed.first().jobs.value(0); }
    Result<Finished> finish(const ClaimedJob &job, const Outcome &outcome)
    {
        return finishAndClaim({{job.id, job.lease, outcome, 0}}, {}).finished.first();
    }
    JobId succeeded(const QByteArray &name)
    {
        const JobId id = push(named(name));
        (void)finish(claimOf(name), success());
        return id;
    }
    JobId failed(const QByteArray &name, const QByteArray &message)
    {
        const JobId id = push(named(name));
        (void)finish(claimOf(name), failure(message));
        return id;
    }
    JobId cancelled(const QByteArray &name)
    {
        const JobId id = push(named(name));
        (void)await<QList<Result<StateNow>>>([&](auto done) { m_store->cancel({{id, false}}, done); });
        return id;
    }
    Result<StateNow> retry(JobId id)
    {
        return await<QList<Result<StateNow>>>([&](auto done) { m_store->retry({id}, done); }).value().first();
    }
    Result<Done> track(JobId id, bool tracked)
    {
        return await<Done>([&](auto done) { m_past->track(id, tracked, done); });
    }
    Result<StateNow> remove(JobId id)
    {
        return await<StateNow>([&](auto done) { m_lookback->remove(id, anOperator, done); });
    }
    Result<StateNow> restore(JobId id)
    {
        return await<StateNow>([&](auto done) { m_lookback->restore(id, anOperator, done); });
    }
    Swept sweep()
    {
        return await<Swept>([&](auto done) { m_store->sweep(done); }).value();
    }
    // Until nothing more is to do.
    int sweepAll()
    {
        int purged = 0;
        for (bool more = true; more;) {
            const Swept swept = sweep();
            purged += swept.purged;
            more = swept.more;
        }
        return purged;
    }
    Overview counts()
    {
        return await<Overview>([&](auto done) { m_store->counts(done); }).value();
    }
    Result<Job> get(JobId id)
    {
        return await<Job>([&](auto done) { m_store->get(id, done); });
    }
    bool isThere(JobId id) { return get(id).ok(); }

protected:
    RedisServer m_server;
    std::unique_ptr<redis::Link> m_link;
    std::unique_ptr<Clock> m_clock;
    std::unique_ptr<redis::RedisStore> m_store;
    std::unique_ptr<redis::RedisPast> m_past;
    std::unique_ptr<Queue> m_queue;
    std::unique_ptr<Lookback> m_lookback;
    IdMaker m_ids;
    qint64 m_now_ms = 0;
};

} // namespace junban::test
