#pragma once

#include "core/msgpack/msgpackwriter.h"
#include "core/redis/redisconstraints.h"
#include "core/redis/redisfsck.h"
#include "core/redis/redisstore.h"
#include "tests/support/await.h"
#include "tests/support/charging.h"
#include "tests/support/limitmodel.h"
#include "tests/support/redisserver.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <functional>

namespace junban::test {

// A Classifier by a function, which a test changes together with the epoch.
class Rules : public Classifier
{
public:
    using Rule = std::function<QList<CarriedBucket>(const JobSpec &)>;
    qint64 epoch() const override { return m_epoch; }
    QList<CarriedBucket> buckets(const JobSpec &spec) const override { return m_rule ? m_rule(spec) : QList<CarriedBucket>(); }
    Reading read(const JobSpec &spec) const override { return {buckets(spec), set ? set(spec) : SetParameters()}; }
    QByteArray matcherOf(int constraint) const override { return "matcher-" + QByteArray::number(constraint); }
    void reload(Callback<Done> callback) override
    {
        m_epoch = inForce_epoch;
        m_rule = inForce;
        QMetaObject::invokeMethod(qApp, [callback] { callback(Done{}); }, Qt::QueuedConnection);
    }
    std::function<SetParameters(const JobSpec &)> set;
    qint64 inForce_epoch = 0;
    Rule inForce;

private:
    qint64 m_epoch = 0;
    Rule m_rule;
};

// Two masters on one Redis whose scripts read a test clock.
class Lanes
{
public:
    bool start()
    {
        if (!m_server.start())
            return false;
        link = std::make_unique<redis::Link>(*redis::Address::fromUrl(m_server.url()));
        link->start();
        return true;
    }

    QByteArray url() const { return m_server.url(); }

    // An empty namespace.
    void begin()
    {
        link->command({"FLUSHALL"}, [](const auto &) {});
        for (int i = 0; i < 2; ++i) {
            rules[i] = std::make_unique<Rules>();
            stores[i] = std::make_unique<redis::RedisStore>(*link, nullptr, "lanes", clock, scriptClock);
            stores[i]->setClassifier(rules[i].get());
        }
        constraints = std::make_unique<redis::RedisConstraints>(*link, "lanes", clock, scriptClock);
        ids = IdMaker();
        epoch = 0;
        setTime(1'750'000'000'000);
    }

    void setTime(qint64 at_ms)
    {
        now_ms = at_ms;
        command({"SET", "jq:{lanes}:testclock", QByteArray::number(now_ms)});
    }
    void passTime(qint64 ms) { setTime(now_ms + ms); }

    redis::Reply command(QList<QByteArray> words)
    {
        const auto reply = await<redis::Reply>([&](auto done) { link->command(words, done); });
        return reply.ok() ? *reply : redis::Reply();
    }

    // What fsck finds; but nobody need sweep at all times here.
    QByteArray broken()
    {
        redis::RedisFsck fsck(*link, "lanes", scriptClock);
        const auto report = await<FsckReport>([&](auto done) { fsck.run(Repair::No, done); }, 120'000); // many calls, on a busy machine
        if (!report.ok())
            return report.error().message();
        QByteArray found;
        for (const Violation &violation : report->violations) {
            if (!violation.reason.text.endsWith("nothing sweeps") && !violation.key.startsWith("res:")) // those end on Redis' own clock
                found += violation.invariant + ' ' + violation.key + ": " + violation.reason.text + '\n';
        }
        return found;
    }

    bool setLimit(int number, const QByteArray &packed)
    {
        return await<qint64>([&](auto done) { constraints->setConstraints({{number, packed}}, -1, EpochChange::Keep, done); }).ok();
    }

    // Trips or resets a breaker by hand, all of its keys or those of one text; how many that were.
    Result<int> switchBreaker(int number, const BreakerSwitch &what)
    {
        int switched = 0;
        quint64 cursor = 0;
        do {
            const auto slice = await<ConstraintStore::Switched>(
                [&](auto done) { constraints->switchBreaker(number, what, cursor, done); });
            if (!slice.ok())
                return slice.error();
            switched += slice->buckets;
            cursor = slice->next;
        } while (cursor != 0);
        return switched;
    }

    // A new epoch, for which the running jobs are not charged yet; the first master knows it at once, the other meets it on its way.
    bool beginRule(Rules::Rule rule)
    {
        const auto made = await<qint64>([&](auto done) { constraints->setConstraints({}, epoch, EpochChange::New, done); });
        if (!made.ok())
            return false;
        epoch = *made;
        for (const auto &each : rules) {
            each->inForce = rule;
            each->inForce_epoch = epoch;
        }
        return await<Done>([&](auto done) { rules[0]->reload(done); }).ok();
    }
    bool chargeRunning() { return test::chargeRunning(*constraints, *rules[0]); }
    // A new epoch, whose change has been answered.
    bool setRule(Rules::Rule rule) { return beginRule(std::move(rule)) && chargeRunning(); }

    // Reads up to so many slices of jobs that no matcher of this epoch has read; whether none is left.
    bool readStale(int slices)
    {
        for (; slices > 0; --slices) {
            const auto stale = await<ConstraintStore::Stale>([&](auto done) { constraints->stale(done); });
            if (!stale.ok())
                return false;
            if (stale->lanes.isEmpty())
                return true;
            if (!await<Done>([&](auto done) { constraints->relane(stale->epoch, readAgain(*rules[0], stale->lanes), done); }).ok())
                return false;
        }
        return false;
    }

    EnqueueItem item(const QByteArray &name, int value, qint32 priority = 0)
    {
        EnqueueItem made;
        made.spec.name = name;
        made.spec.priority = priority;
        made.spec.timeout_ms = 86'400'000;
        MsgpackWriter argument;
        made.spec.argument = argument.integer(value).take();
        made.id = ids.make(now_ms);
        return made;
    }
    static int valueOf(const JobSpec &spec) { return int(payload::Reader(spec.argument).next()->integer); }

    // Enqueues jobs of one name with these values; their ids.
    QList<JobId> push(const QByteArray &name, const QList<int> &values, qint32 priority = 0)
    {
        QList<EnqueueItem> items;
        QList<JobId> made;
        for (const int value : values) {
            items.append(item(name, value, priority));
            made.append(items.last().id);
        }
        const auto reply = await<QList<Result<Enqueued>>>([&](auto done) { stores[0]->enqueue(items, done); });
        return reply.ok() ? made : QList<JobId>();
    }

    QList<ClaimedJob> claim(int limit, const QList<QByteArray> &names = {}, qint64 lease_ms = 0)
    {
        const ClaimRequest request{"w", names, limit, lease_ms};
        const auto reply = await<FinishAndClaimReply>([&](auto done) { stores[0]->finishAndClaim({}, {request}, done); });
        return reply.ok() ? reply->claimed.first().jobs : QList<ClaimedJob>();
    }
    QList<JobId> claimIds(int limit, const QList<QByteArray> &names = {})
    {
        QList<JobId> found;
        for (const ClaimedJob &job : claim(limit, names))
            found.append(job.id);
        return found;
    }

    // What a worker reports.
    static FinishItem report(JobId id, const QByteArray &lease, OutcomeType type, qint64 retryAfter_ms)
    {
        FinishItem report;
        report.id = id;
        report.lease = lease;
        report.outcome.type = type;
        report.outcome.finishedAt = "2026-01-01T00:00:00Z";
        report.outcome.shouldRetry = true;
        if (retryAfter_ms > 0)
            report.outcome.retryAfter_ms = retryAfter_ms;
        return report;
    }
    bool finish(const ClaimedJob &job, OutcomeType type = OutcomeType::Success, qint64 retryAfter_ms = 0)
    {
        const FinishItem report = Lanes::report(job.id, job.lease, type, retryAfter_ms);
        const auto reply = await<FinishAndClaimReply>([&](auto done) { stores[0]->finishAndClaim({report}, {}, done); });
        return reply.ok() && reply->finished.first().ok();
    }

    bool sweep() { return await<Swept>([&](auto done) { stores[0]->sweep(done); }).ok(); }

    Result<JobGates> explain(JobId id, const QList<CarriedBucket> &carried)
    {
        return await<JobGates>([&](auto done) { constraints->explain(id, carried, done); });
    }

private:
    RedisServer m_server;
    Clock m_clock;

public:
    std::unique_ptr<redis::Link> link;
    Clock &clock = m_clock;
    std::unique_ptr<Rules> rules[2];
    std::unique_ptr<redis::RedisStore> stores[2];
    std::unique_ptr<redis::RedisConstraints> constraints;
    IdMaker ids;
    qint64 now_ms = 0;
    qint64 epoch = 0;
    redis::ScriptClock scriptClock = redis::ScriptClock::TestKey;
};

} // namespace junban::test
