#include "core/msgpackwriter.h"
#include "core/redis/redisconstraints.h"
#include "core/redis/redisstore.h"
#include "tests/support/await.h"
#include "tests/support/redisserver.h"

#include <QRandomGenerator>
#include <QTest>
#include <map>
#include <set>

using namespace junban;
using namespace junban::test;

namespace {

// What a constraint of this test is, as plain C++.
struct Limit {
    enum Kind { Concurrency, Rate, Pause };
    Kind kind = Concurrency;
    int limit = 1;
    qint64 period_ms = 1000;
    int burst = 1;
    QByteArray algorithm = "gcra";
    QByteArray mode = "enforce";

    QByteArray packed() const
    {
        MsgpackWriter writer;
        static constexpr const char *kinds[] = {"concurrency", "rate", "pause"};
        writer.map(6).text("k").text(kinds[kind]).text("m").text(mode).text("l").integer(limit).text("p").integer(period_ms);
        writer.text("b").integer(burst).text("a").text(algorithm);
        return writer.take();
    }
};

// Jobs are read by the digits of their argument: {constraint: key} by a rule that the test changes with the epoch.
class Rules : public Classifier
{
public:
    using Rule = std::function<QList<CarriedBucket>(const JobSpec &)>;
    qint64 epoch() const override { return m_epoch; }
    QList<CarriedBucket> buckets(const JobSpec &spec) const override { return m_rule ? m_rule(spec) : QList<CarriedBucket>(); }
    void reload(Callback<Done> callback) override
    {
        m_epoch = inForce_epoch;
        m_rule = inForce;
        QMetaObject::invokeMethod(qApp, [callback] { callback(Done{}); }, Qt::QueuedConnection);
    }
    qint64 inForce_epoch = 0;
    Rule inForce;

private:
    qint64 m_epoch = 0;
    Rule m_rule;
};

} // namespace

// Choosing the next job under constraints, on a real Redis whose scripts read a test clock, beside brute force: the admissible job with
// the smallest (priority, id).
class TestLanes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_server.start());
        m_link = std::make_unique<redis::Link>(*redis::Address::fromUrl(m_server.url()));
        m_link->start();
        QTRY_COMPARE(m_link->state(), redis::LinkState::Up);
    }

    void theBestAdmissibleJobIsChosen()
    {
        const bool given = qEnvironmentVariableIsSet("JUNBAN_SEED");
        const int walks = given ? 1 : qEnvironmentVariableIsSet("JUNBAN_LONG") ? 50'000 : 120;
        for (int walk = 0; walk < walks; ++walk) {
            const quint32 seed = given ? qEnvironmentVariable("JUNBAN_SEED").toUInt()
                : walk % 3 == 0        ? quint32(walk)
                                       : QRandomGenerator::global()->generate();
            oneWalk(seed);
            if (QTest::currentTestFailed()) {
                qWarning("JUNBAN_SEED=%u repeats this walk; step %d", seed, m_step);
                return;
            }
        }
    }

private:
    struct Waiting {
        JobSpec spec;
        JobId id;
    };
    struct Running {
        JobId id;
        QByteArray lease;
        JobSpec spec;
        QList<CarriedBucket> carried;
        int number = 0; // which master claimed it
    };

    void oneWalk(quint32 seed)
    {
        m_link->command({"FLUSHALL"}, [](const auto &) {});
        m_random = QRandomGenerator(seed);
        m_now_ms = 1'750'000'000'000;
        setTime();
        for (int i = 0; i < 2; ++i) {
            m_rules[i] = std::make_unique<Rules>();
            m_stores[i] = std::make_unique<redis::RedisStore>(*m_link, nullptr, "lanes", m_clock, redis::ScriptClock::TestKey);
            m_stores[i]->setClassifier(m_rules[i].get());
        }
        m_constraints = std::make_unique<redis::RedisConstraints>(*m_link, "lanes", m_clock, redis::ScriptClock::TestKey);
        m_limits.clear();
        m_ready.clear();
        m_running.clear();
        m_tat.clear();
        m_starts.clear();
        m_epoch = 0;
        m_allRead = true;
        m_rule = {};
        m_ids = IdMaker();
        const int steps = m_random.bounded(20, 150);
        for (m_step = 0; m_step < steps && !QTest::currentTestFailed(); ++m_step)
            step();
        readStaleLanes(1000);
        // In the end everything starts, if the limits let it.
        for (int i = 0; i < 400 && !m_ready.empty() && !QTest::currentTestFailed(); ++i) {
            claim();
            finish();
            passTime();
        }
    }

    void step()
    {
        switch (m_random.bounded(12)) {
        case 0:
        case 1:
        case 2:
        case 3: enqueue(); break;
        case 4:
        case 5:
        case 6: claim(); break;
        case 7:
        case 8: finish(); break;
        case 9: m_random.bounded(4) ? passTime() : readStaleLanes(m_random.bounded(2) ? 1 : 1000); break;
        case 10: changeLimit(); break;
        case 11: m_random.bounded(3) ? explain() : changeRule(); break;
        }
    }

    redis::RedisStore &anyStore() { return *m_stores[m_random.bounded(2)]; }

    void enqueue()
    {
        QList<EnqueueItem> items;
        for (int n = m_random.bounded(1, 5); n > 0; --n) {
            EnqueueItem item;
            item.spec.name = QByteArray(1, char('a' + m_random.bounded(3)));
            item.spec.priority = m_random.bounded(-1, 2);
            item.spec.timeout_ms = 86'400'000; // no lease runs out: the model need not know expiries
            MsgpackWriter argument;
            item.spec.argument = argument.integer(m_random.bounded(12)).take();
            item.id = m_ids.make(m_now_ms);
            items.append(item);
        }
        const auto made = await<QList<Result<Enqueued>>>([&](auto done) { anyStore().enqueue(items, done); });
        QVERIFY2(made.ok(), made.ok() ? "" : made.error().message.constData());
        for (const EnqueueItem &item : std::as_const(items))
            m_ready[{item.spec.priority, item.id}] = {item.spec, item.id};
    }

    bool admits(const CarriedBucket &bucket) const
    {
        const auto found = m_limits.find(bucket.constraint);
        if (found == m_limits.end() || found->second.mode != "enforce")
            return true;
        const Limit &limit = found->second;
        const QPair<int, QByteArray> key{bucket.constraint, bucket.key};
        if (limit.kind == Limit::Pause)
            return false;
        if (limit.kind == Limit::Concurrency) {
            int used = 0;
            for (const Running &running : m_running) {
                for (const CarriedBucket &carried : running.carried)
                    used += carried.constraint == bucket.constraint && carried.key == bucket.key ? carried.cost : 0;
            }
            return limit.limit > 0 && (used == 0 || used + bucket.cost <= limit.limit);
        }
        if (limit.limit <= 0)
            return false;
        if (limit.algorithm == "gcra") {
            const double step = double(limit.period_ms) / limit.limit;
            const auto tat = m_tat.find(key);
            return (tat == m_tat.end() ? 0 : tat->second) - std::max(0, limit.burst - bucket.cost) * step <= double(m_now_ms) + 0.01;
        }
        int used = 0;
        const auto starts = m_starts.find(key);
        if (starts != m_starts.end()) {
            for (const auto &[at_ms, cost] : starts->second)
                used += at_ms > m_now_ms - limit.period_ms ? cost : 0;
        }
        return used == 0 || used + bucket.cost <= limit.limit;
    }

    bool admits(const JobSpec &spec) const
    {
        const QList<CarriedBucket> carried = bucketsOf(spec);
        return std::all_of(carried.begin(), carried.end(), [this](const CarriedBucket &bucket) { return admits(bucket); });
    }

    QList<CarriedBucket> bucketsOf(const JobSpec &spec) const { return m_rule ? m_rule(spec) : QList<CarriedBucket>(); }

    // A job with its buckets and their limits.
    QByteArray shown(const JobSpec &spec, JobId id) const
    {
        QByteArray text = id.text() + ' ' + spec.name + " priority " + QByteArray::number(spec.priority);
        for (const CarriedBucket &bucket : bucketsOf(spec)) {
            text += ", " + QByteArray::number(bucket.constraint) + '.' + bucket.key + " cost " + QByteArray::number(bucket.cost);
            const auto limit = m_limits.find(bucket.constraint);
            if (limit == m_limits.end())
                continue;
            static constexpr const char *kinds[] = {"concurrency", "rate", "pause"};
            text += QByteArray(" of ") + kinds[limit->second.kind] + ' ' + limit->second.algorithm + ' ' + limit->second.mode + ' '
                + QByteArray::number(limit->second.limit) + " burst " + QByteArray::number(limit->second.burst)
                + (admits(bucket) ? " open" : " closed");
        }
        return text;
    }

    const Waiting *best(const QList<QByteArray> &names) const
    {
        for (const auto &[key, job] : m_ready) {
            if ((names.isEmpty() || names.contains(job.spec.name)) && admits(job.spec))
                return &job;
        }
        return nullptr;
    }

    void claim()
    {
        ClaimRequest request;
        request.worker = "w";
        request.limit = m_random.bounded(1, 4);
        request.lease_ms = 0;
        if (m_random.bounded(2)) {
            for (const char *name : {"a", "b", "c"}) {
                if (m_random.bounded(2))
                    request.names.append(name);
            }
        }
        const int number = m_random.bounded(2);
        const auto reply = await<FinishAndClaimReply>([&](auto done) { m_stores[number]->finishAndClaim({}, {request}, done); });
        QVERIFY2(reply.ok(), reply.ok() ? "" : reply.error().message.constData());
        const QList<ClaimedJob> jobs = reply->claimed.first().jobs;
        for (const ClaimedJob &job : jobs) {
            const Waiting *expected = best(request.names);
            QVERIFY2(expected, "a job was started that nothing admits");
            // Until all stale lanes were read, jobs that a deleted constraint held may start later than they could; never earlier.
            if (m_allRead)
                QCOMPARE(shown(job.spec, job.id), shown(expected->spec, expected->id));
            else
                QVERIFY2(admits(job.spec), shown(job.spec, job.id).constData());
            started(job, number);
        }
        if (jobs.size() < request.limit && !(jobs.size() > 0)) {
            const Waiting *left = m_allRead ? best(request.names) : nullptr;
            QCOMPARE(left ? shown(left->spec, left->id) : QByteArray(), QByteArray()); // else it was left behind
        }
    }

    void started(const ClaimedJob &job, int number)
    {
        const QList<CarriedBucket> carried = bucketsOf(job.spec);
        for (const CarriedBucket &bucket : carried) {
            const auto limit = m_limits.find(bucket.constraint);
            if (limit == m_limits.end() || limit->second.kind != Limit::Rate || limit->second.limit <= 0)
                continue;
            const QPair<int, QByteArray> key{bucket.constraint, bucket.key};
            if (limit->second.algorithm == "gcra") {
                const double tat = m_tat.contains(key) ? m_tat[key] : 0;
                m_tat[key] = std::max(tat, double(m_now_ms)) + bucket.cost * double(limit->second.period_ms) / limit->second.limit;
            } else {
                m_starts[key].emplace_back(m_now_ms, bucket.cost);
            }
        }
        m_ready.erase({job.spec.priority, job.id});
        m_running.push_back({job.id, job.lease, job.spec, carried, number});
    }

    void finish()
    {
        if (m_running.empty())
            return;
        const size_t at = size_t(m_random.bounded(int(m_running.size())));
        const Running running = m_running[at];
        FinishItem item;
        item.id = running.id;
        item.lease = running.lease;
        item.outcome.finishedAt = "2026-01-01T00:00:00Z";
        const auto reply = await<FinishAndClaimReply>([&](auto done) { anyStore().finishAndClaim({item}, {}, done); });
        QVERIFY(reply.ok() && reply->finished.first().ok());
        m_running.erase(m_running.begin() + qptrdiff(at));
    }

    void passTime()
    {
        m_now_ms += m_random.bounded(3) ? m_random.bounded(1, 400) : m_random.bounded(1, 3000);
        setTime();
        if (m_random.bounded(2))
            QVERIFY(await<Swept>([&](auto done) { anyStore().sweep(done); }).ok());
        if (m_running.size() > 0 && m_random.bounded(4) == 0)
            finish();
    }

    void changeLimit()
    {
        const int number = m_random.bounded(1, 5);
        Limit limit;
        const bool known = m_limits.contains(number);
        limit.kind = known ? m_limits[number].kind : Limit::Kind(m_random.bounded(3) ? m_random.bounded(2) : 2);
        limit.limit = m_random.bounded(5);
        limit.period_ms = 1000;
        limit.burst = known ? m_limits[number].burst : m_random.bounded(1, 4);
        limit.algorithm = known ? m_limits[number].algorithm : QByteArray(m_random.bounded(2) ? "gcra" : "sliding");
        static constexpr const char *modes[] = {"enforce", "enforce", "observe", "off"};
        limit.mode = limit.kind == Limit::Pause ? modes[m_random.bounded(2, 4)] : modes[m_random.bounded(4)];
        if (limit.kind == Limit::Pause && m_random.bounded(4) == 0)
            limit.mode = "enforce";
        m_limits[number] = limit;
        const auto epoch = await<qint64>([&](auto done) {
            m_constraints->setConstraints({{number, limit.packed()}}, -1, EpochChange::Keep, done);
        });
        QVERIFY(epoch.ok());
    }

    // Another rule: which jobs carry which buckets. Running jobs are charged anew, waiting ones are read again on the way.
    void changeRule()
    {
        const int modulus = m_random.bounded(1, 5);
        const int constraints = m_random.bounded(1, 4);
        const int first = m_random.bounded(1, 4);
        const int costs = m_random.bounded(1, 3);
        const char except = char('a' + m_random.bounded(4));
        m_rule = [=](const JobSpec &spec) {
            QList<CarriedBucket> buckets;
            const int value = int(payload::Reader(spec.argument).next()->integer);
            for (int c = first; c < first + constraints; ++c) {
                if (spec.name[0] != except && (value + c) % 3 != 0)
                    buckets.append({c, QByteArray::number((value + c) % modulus), 1 + value % costs});
            }
            return buckets;
        };
        const auto epoch = await<qint64>([&](auto done) { m_constraints->setConstraints({}, m_epoch, EpochChange::New, done); });
        QVERIFY(epoch.ok());
        m_epoch = *epoch;
        for (const auto &rules : m_rules) {
            rules->inForce = m_rule;
            rules->inForce_epoch = m_epoch;
        }
        // One master knows at once, the other meets the new epoch on its way.
        QVERIFY(await<Done>([&](auto done) { m_rules[0]->reload(done); }).ok());
        QList<JobBuckets> running;
        for (Running &job : m_running) {
            job.carried = bucketsOf(job.spec);
            running.append({job.id, job.carried});
        }
        QVERIFY(await<Done>([&](auto done) { m_constraints->recharge(m_epoch, running, done); }).ok());
        m_allRead = false;
        if (m_random.bounded(2))
            readStaleLanes(m_random.bounded(2) ? 1 : 1000);
    }

    void readStaleLanes(int slices)
    {
        for (; slices > 0; --slices) {
            const auto stale = await<ConstraintStore::Stale>([&](auto done) { m_constraints->stale(done); });
            QVERIFY(stale.ok());
            if (stale->lane.isEmpty()) {
                m_allRead = true;
                return;
            }
            QList<JobBuckets> jobs;
            for (const auto &[id, spec] : stale->jobs)
                jobs.append({id, bucketsOf(spec)});
            QVERIFY(await<Done>([&](auto done) { m_constraints->relane(stale->epoch, stale->lane, jobs, done); }).ok());
        }
    }

    // An explanation says "would run" exactly when a claim would find the job admissible.
    void explain()
    {
        if (m_ready.empty())
            return;
        auto at = m_ready.begin();
        std::advance(at, m_random.bounded(int(m_ready.size())));
        const Waiting &job = at->second;
        const auto told = await<Explanation>([&](auto done) { m_constraints->explain(job.id, bucketsOf(job.spec), done); });
        QVERIFY(told.ok());
        const bool passes = std::all_of(told->gates.begin(), told->gates.end(), [](const Gate &gate) { return gate.admits; });
        QCOMPARE(passes, admits(job.spec));
        QVERIFY(told->position >= 0);
    }

    void setTime()
    {
        const auto set = await<redis::Reply>(
            [this](auto done) { m_link->command({"SET", "jq:{lanes}:testclock", QByteArray::number(m_now_ms)}, done); });
        QVERIFY(set.ok());
    }

    RedisServer m_server;
    std::unique_ptr<redis::Link> m_link;
    Clock m_clock;
    std::unique_ptr<Rules> m_rules[2];
    std::unique_ptr<redis::RedisStore> m_stores[2];
    std::unique_ptr<redis::RedisConstraints> m_constraints;
    IdMaker m_ids;
    QRandomGenerator m_random;
    qint64 m_now_ms = 0;
    qint64 m_epoch = 0;
    int m_step = 0;
    bool m_allRead = true;
    Rules::Rule m_rule;
    std::map<int, Limit> m_limits;
    std::map<QPair<qint32, JobId>, Waiting> m_ready;
    std::vector<Running> m_running;
    std::map<QPair<int, QByteArray>, double> m_tat;
    std::map<QPair<int, QByteArray>, std::vector<std::pair<qint64, int>>> m_starts;
};

QTEST_GUILESS_MAIN(TestLanes)
#include "test_lanes.moc"
