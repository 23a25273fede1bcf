// Makes the calls whose costs test_counts.py counts: `junban-counts SOCKET` reads lines "what how-often" and answers each with "done".
#include "core/redis/redisconstraints.h"
#include "core/redis/redisstore.h"
#include "tests/support/await.h"
#include "tests/support/charging.h"
#include "tests/support/limitmodel.h"

#include <QCoreApplication>
#include <cstdio>
#include <iostream>
#include <string>

using namespace junban;
using namespace junban::test;

namespace {

// All jobs carry the bucket of constraint 1, once there are matchers.
class OneLimit : public Classifier
{
public:
    qint64 inForce = 0;
    qint64 epoch() const override { return inForce; }
    QList<CarriedBucket> buckets(const JobSpec &) const override
    {
        return inForce ? QList<CarriedBucket>{{1, "k"}} : QList<CarriedBucket>();
    }
    void reload(Callback<Done> callback) override
    {
        QMetaObject::invokeMethod(qApp, [callback] { callback(Done{}); }, Qt::QueuedConnection);
    }
};

template<typename T>
T must(const Result<T> &result)
{
    if (!result.ok())
        qFatal("counts: %s", result.error().message().constData());
    return *result;
}

class Driver
{
public:
    explicit Driver(const QByteArray &url)
        : m_link(*redis::Address::fromUrl(url))
    {
        m_link.start();
        while (m_link.state() != redis::LinkState::Up)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        m_store = std::make_unique<redis::RedisStore>(m_link, nullptr, "counts", m_clock, redis::ScriptClock::TestKey);
        m_store->setClassifier(&m_limit);
        m_spec.name = "counts.job";
        m_spec.argument = QByteArray("\xd9\x62", 2) + QByteArray(98, 'x');
        m_spec.maxRetry = 3;
        must(await<redis::Reply>([this](auto done) { m_link.command({"SET", "jq:{counts}:testclock", "1750000000000"}, done); }));
    }

    bool make(const std::string &what, int times)
    {
        for (; times > 0; --times) {
            if (what == "enqueue-1")
                enqueue(1);
            else if (what == "enqueue-50")
                enqueue(50);
            else if (what == "claim-1")
                finishAndClaim(0, 1);
            else if (what == "report-1")
                finishAndClaim(1, 0);
            else if (what == "failure-1")
                finishAndClaim(1, 0, OutcomeType::Failure);
            else if (what == "cycle-1")
                finishAndClaim(1, 1);
            else if (what == "cycle-50")
                finishAndClaim(50, 50);
            else if (what == "report-50")
                finishAndClaim(50, 0);
            else if (what == "claim-50")
                finishAndClaim(0, 50);
            else if (what == "heartbeat-1")
                must(await<QList<Result<Heartbeat>>>([this](auto done) {
                    m_store->heartbeat({{m_held.first().id, m_held.first().lease, {}}}, done);
                }));
            else if (what == "sweep")
                must(await<Swept>([this](auto done) { m_store->sweep(done); })); // Redis knows this engine from then on
            else if (what == "limit")
                limit();
            else
                return false;
        }
        return true;
    }

private:
    void enqueue(int jobs)
    {
        QList<EnqueueItem> items;
        for (; jobs > 0; --jobs)
            items.append({m_ids.make(1'750'000'000'000), m_spec, {}});
        for (const auto &item : must(await<QList<Result<Enqueued>>>([&](auto done) { m_store->enqueue(items, done); })))
            must(item);
    }
    void finishAndClaim(int reports, int jobs, OutcomeType type = OutcomeType::Success)
    {
        QList<FinishItem> items;
        for (int i = 0; i < reports; ++i) {
            const ClaimedJob job = m_held.takeFirst();
            Outcome outcome;
            outcome.type = type;
            outcome.shouldRetry = true;
            outcome.finishedAt = "2026-01-01T00:00:00Z";
            items.append({job.id, job.lease, outcome, 0});
        }
        QList<ClaimRequest> claims;
        if (jobs > 0)
            claims.append({"w", {m_spec.name}, jobs, 0});
        const auto reply = must(await<FinishAndClaimReply>([&](auto done) { m_store->finishAndClaim(items, claims, done); }));
        for (const auto &finished : reply.finished)
            must(finished);
        if (jobs > 0 && reply.claimed.first().jobs.size() != jobs)
            qFatal("counts: %lld of %d jobs came", qlonglong(reply.claimed.first().jobs.size()), jobs);
        if (jobs > 0)
            m_held += reply.claimed.first().jobs;
    }
    // From now on all jobs are under a limit that never binds.
    void limit()
    {
        redis::RedisConstraints constraints(m_link, "counts", m_clock, redis::ScriptClock::TestKey);
        ModelLimit wide;
        wide.kind = ModelLimit::Concurrency;
        wide.numbers.limit = 1'000'000;
        must(await<qint64>([&](auto done) { constraints.setConstraints({{1, wide.packed()}}, -1, EpochChange::Keep, done); }));
        m_limit.inForce = must(await<qint64>([&](auto done) { constraints.setConstraints({}, 0, EpochChange::New, done); }));
        if (!chargeRunning(constraints, m_limit))
            qFatal("counts: the running jobs were not charged");
        for (int slices = 0;; ++slices) {
            const auto stale = must(await<ConstraintStore::Stale>([&](auto done) { constraints.stale(done); }));
            if (stale.lanes.isEmpty())
                return;
            if (slices > 1'000)
                qFatal("counts: there are always more jobs to read again");
            must(await<Done>([&](auto done) { constraints.relane(stale.epoch, readAgain(m_limit, stale.lanes), done); }));
        }
    }

    redis::Link m_link;
    Clock m_clock;
    std::unique_ptr<redis::RedisStore> m_store;
    OneLimit m_limit;
    IdMaker m_ids;
    JobSpec m_spec;
    QList<ClaimedJob> m_held;
};

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    if (argc != 2)
        return 2;
    Driver driver("unix://" + QByteArray(argv[1]));
    std::string what;
    int times = 0;
    while (std::cin >> what >> times) {
        if (!driver.make(what, times))
            return 2;
        std::cout << "done" << std::endl;
    }
    return 0;
}
