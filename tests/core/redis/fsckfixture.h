#pragma once

#include "core/redis/redisfsck.h"
#include "core/redis/redisstore.h"
#include "tests/support/await.h"
#include "tests/support/redisserver.h"

#include <QTest>

namespace junban::test {

inline JobSpec named(const char *name)
{
    JobSpec spec;
    spec.name = name;
    return spec;
}

inline QByteArray text(const FsckReport &report)
{
    QByteArray out;
    for (const Violation &violation : report.violations)
        out += violation.invariant + ' ' + violation.key + ": " + violation.reason.text + (violation.repaired ? " (repaired)\n" : "\n");
    return out;
}

// A namespace `test` on a Redis of its own, under a test clock, and its fsck.
class FsckFixture
{
public:
    bool start()
    {
        if (!m_server.start())
            return false;
        m_link = std::make_unique<redis::Link>(*redis::Address::fromUrl(m_server.url()));
        m_link->start();
        return QTest::qWaitFor([this] { return m_link->state() == redis::LinkState::Up; });
    }
    void clear()
    {
        command({"FLUSHALL"});
        m_clock = std::make_unique<Clock>();
        m_store = std::make_unique<redis::RedisStore>(*m_link, nullptr, "test", *m_clock, redis::ScriptClock::TestKey);
        m_fsck = std::make_unique<redis::RedisFsck>(*m_link, "test", redis::ScriptClock::TestKey);
        m_now_ms = 1'750'000'000'000;
        setTime();
    }

    redis::Link &link() { return *m_link; }
    redis::RedisStore &store() { return *m_store; }
    redis::RedisFsck &fsck() { return *m_fsck; }
    Clock &clock() { return *m_clock; }
    qint64 now_ms() const { return m_now_ms; }
    void wait(qint64 ms)
    {
        m_now_ms += ms;
        setTime();
    }

    static QByteArray key(const QByteArray &name) { return "jq:{test}:" + name; }
    QByteArray command(const QList<QByteArray> &words)
    {
        const auto reply = await<redis::Reply>([&](auto done) { m_link->command(words, done); });
        if (!reply.ok())
            return "ERR " + reply.error().message();
        return reply->kind() == redis::Reply::Kind::Integer ? QByteArray::number(reply->integer()) : reply->bytes();
    }
    JobId push(const JobSpec &spec)
    {
        const EnqueueItem item{m_ids.make(m_now_ms), spec, {}};
        return await<QList<Result<Enqueued>>>([&](auto done) { m_store->enqueue({item}, done); }).value().first().value().id;
    }
    QList<ClaimedJob> claims(const QList<QByteArray> &names, int limit)
    {
        return await<FinishAndClaimReply>([&](auto done) { m_store->finishAndClaim({}, {{"w", names, limit, 0}}, done); })
            .value()
            .claimed[0]
            .jobs;
    }
    ClaimedJob claim(const QByteArray &name) { return claims({name}, 1).value(0); }
    Finished finish(const ClaimedJob &job, OutcomeType type, bool shouldRetry = false)
    {
        Outcome outcome;
        outcome.type = type;
        outcome.shouldRetry = shouldRetry;
        outcome.finishedAt = "2026-01-01T00:00:00Z";
        return await<FinishAndClaimReply>([&](auto done) { m_store->finishAndClaim({{job.id, job.lease, outcome, 0}}, {}, done); })
            .value()
            .finished[0]
            .value();
    }
    Swept sweep() { return await<Swept>([&](auto done) { m_store->sweep(done); }).value(); }
    FsckReport look(Repair repair)
    {
        const auto report = await<FsckReport>([&](auto done) { m_fsck->run(repair, done); });
        if (report.ok())
            return *report;
        FsckReport failed;
        failed.violations.append({"error", {}, report.error().reason, false});
        return failed;
    }

    // A fault has been planted: it is found, repaired, and found no more. Returns what is wrong with that.
    QByteArray judge(const QByteArray &invariant)
    {
        const QByteArray before = command({"GET", key("tx")});
        const FsckReport found = look(Repair::No);
        if (command({"GET", key("tx")}) != before || command({"EXISTS", key("audit")}) != "0")
            return "a look changed something";
        const bool isFound = std::any_of(found.violations.begin(), found.violations.end(),
            [&](const Violation &violation) { return violation.invariant == invariant && !violation.repaired; });
        if (!isFound)
            return "found: " + text(found);
        const FsckReport repaired = look(Repair::Yes);
        if (repaired.repaired != repaired.found || command({"XLEN", key("audit")}).toInt() < repaired.repaired)
            return "not all repaired and told: " + text(repaired);
        const FsckReport after = look(Repair::Yes);
        const bool none = after.found == 0 && after.violations.isEmpty();
        return none ? QByteArray() : "found after the repair: " + text(after) + "\nof: " + text(repaired);
    }

private:
    void setTime() { command({"SET", key("testclock"), QByteArray::number(m_now_ms)}); }

    RedisServer m_server;
    std::unique_ptr<redis::Link> m_link;
    std::unique_ptr<Clock> m_clock;
    std::unique_ptr<redis::RedisStore> m_store;
    std::unique_ptr<redis::RedisFsck> m_fsck;
    IdMaker m_ids;
    qint64 m_now_ms = 0;
};

} // namespace junban::test
