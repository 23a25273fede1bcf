#include "core/queue/queue.h"
#include "core/redis/redisstore.h"
#include "tests/support/await.h"
#include "tests/support/gatedstore.h"
#include "tests/support/keychecker.h"
#include "tests/support/redisserver.h"
#include "tests/support/testmain.h"
#include "tests/support/walks.h"

#include <QRandomGenerator>
#include <QTest>
#include <map>
#include <set>

using namespace junban;
using namespace junban::test;

// Three masters over one Redis, whose calls a seed interleaves: which call is carried out next, which reply is told next, which is lost.
// Clients insist as good clients do. Whatever the order: what was acknowledged ends, no two leases of a job overlap, no attempt is handed
// out twice, at most one success of a job is accepted, and the keys keep the invariants. JUNBAN_SEED repeats a run.
class TestMasters : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_server.start());
        for (Master &master : m_masters) {
            master.link = std::make_unique<redis::Link>(*redis::Address::fromUrl(m_server.url()));
            master.link->start();
            QTRY_COMPARE(master.link->state(), redis::LinkState::Up);
        }
    }

    void threeMastersInterleavedInAnyOrderKeepThePromises()
    {
        Walks runs("JUNBAN_SEED", 60, 10'000);
        Row row("P4 masters interleaved", runs, "violations");
        while (runs.next()) {
            oneRun(runs.seed());
            row.add("operations", m_operations);
            row.add("faults", m_lost);
            if (QTest::currentTestFailed()) {
                qWarning("JUNBAN_SEED=%u repeats this run", runs.seed());
                return;
            }
        }
    }

private:
    struct Master {
        std::unique_ptr<redis::Link> link;
        std::unique_ptr<Clock> clock;
        std::unique_ptr<redis::RedisStore> store;
        std::unique_ptr<GatedStore> gated;
        std::unique_ptr<Queue> queue;
    };
    struct Lease {
        QByteArray lease;
        qint64 from_ms = 0;      // when the claim was carried out
        qint64 expires_ms = 0;   // as far as it was renewed
        qint64 ended_ms = 0;     // answered as ended by its worker; 0: not
    };
    struct Told {
        std::map<int, Lease> leases; // by attempt
    };

    void oneRun(quint32 seed)
    {
        m_random = QRandomGenerator(seed);
        m_gate = Gate();
        m_told.clear();
        m_succeeded.clear();
        m_ending.clear();
        m_held.clear();
        m_acknowledged.clear();
        m_pushing = 0;
        m_operations = m_lost = 0;
        command({"FLUSHALL"});
        setTime(1'750'000'000'000);
        begin();
        m_gate.fate = [this] {
            const quint32 draw = m_random.bounded(30u);
            m_lost += draw < 2 ? 1 : 0;
            return draw == 0 ? Gate::Fate::Unsent : draw == 1 ? Gate::Fate::ReplyLost : Gate::Fate::Done;
        };
        const int steps = m_random.bounded(50, 250);
        for (int step = 0; step < steps && !QTest::currentTestFailed(); ++step) {
            act();
            for (int n = m_random.bounded(4); n > 0; --n)
                passOne();
        }
        drain();
        for (Master &master : m_masters) {
            master.queue.reset();
            master.gated.reset();
            master.store.reset();
        }
        m_gate = Gate();
    }

    void begin()
    {
        for (Master &master : m_masters) {
            master.clock = std::make_unique<Clock>();
            master.store = std::make_unique<redis::RedisStore>(*master.link, nullptr, "p4", *master.clock, redis::ScriptClock::TestKey);
            await<Done>([&](auto done) { master.store->probe(done); }).ok(); // so that it knows the time
            master.gated = std::make_unique<GatedStore>(*master.store, m_gate);
            master.queue = std::make_unique<Queue>(*master.gated, *master.clock);
        }
    }

    Master &any() { return m_masters[m_random.bounded(int(m_masters.size()))]; }

    void act()
    {
        ++m_operations;
        switch (m_random.bounded(12)) {
        case 0:
        case 1:
        case 2: push(); break;
        case 3:
        case 4:
        case 5: claim(); break;
        case 6:
        case 7:
        case 8: report(); break;
        case 9: other(); break;
        case 10: setTime(m_now_ms + m_random.bounded(1, 4'000)); break;
        default: any().gated->sweep([](const Result<Swept> &) {}); break;
        }
    }

    void push()
    {
        JobSpec spec;
        spec.name = m_random.bounded(2) ? "a" : "b";
        spec.priority = m_random.bounded(3);
        spec.maxRetry = 100;
        spec.timeout_ms = 1'000 * m_random.bounded(2, 8);
        spec.backoff = {m_random.bounded(2) * 500, 1, 1'000, 0};
        spec.idempotencyKey = QByteArray::number(++m_keys);
        if (m_random.bounded(4) == 0)
            spec.unique = Unique{QByteArray::number(m_random.bounded(3)), UniqueUntil(m_random.bounded(2)),
                m_random.bounded(2) ? OnConflict::Replace : OnConflict::Coalesce};
        if (m_random.bounded(4) == 0 && !m_acknowledged.isEmpty()) {
            spec.dependsOn = {m_acknowledged[m_random.bounded(int(m_acknowledged.size()))]};
            spec.onDependencyFailure = OnDependencyFailure::Run;
        }
        if (m_random.bounded(5) == 0)
            spec.delay_ms = m_random.bounded(3'000);
        ++m_pushing;
        insistToPush(spec);
    }
    void insistToPush(const JobSpec &spec)
    {
        any().queue->enqueue(spec, {}, [this, spec](const Result<Enqueued> &answer) {
            if (!answer.ok() && answer.error().code == ErrorCode::StoreUnavailable) {
                insistToPush(spec); // at another master, perhaps
                return;
            }
            --m_pushing;
            QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().message().constData());
            m_acknowledged.append(answer->id);
        });
    }

    void claim()
    {
        const ClaimRequest request{"w" + QByteArray::number(m_random.bounded(4)), {}, m_random.bounded(1, 4),
            m_random.bounded(2) ? 0 : 1'000 * m_random.bounded(1, 4)};
        any().queue->claim(request, 0, [this](const Result<Claimed> &claimed) {
            if (claimed.ok())
                took(claimed->jobs);
        });
    }
    void took(const QList<ClaimedJob> &jobs)
    {
        for (const ClaimedJob &job : jobs) {
            std::map<int, Lease> &leases = m_told[job.id].leases;
            QVERIFY2(!leases.contains(job.attempt), "an attempt was handed out twice");
            const Lease lease{job.lease, job.deadline_ms - job.spec.timeout_ms, job.leaseExpiresAt_ms, 0};
            for (const auto &[attempt, other] : leases) {
                const Lease &first = attempt < job.attempt ? other : lease, &second = attempt < job.attempt ? lease : other;
                const qint64 end_ms = first.ended_ms > 0 ? std::min(first.ended_ms, first.expires_ms) : first.expires_ms;
                QVERIFY2(first.lease != second.lease, "a lease came again");
                // One that its worker ended, and whose answer is still on its way, may end sooner than is known here.
                QVERIFY2(m_ending.count(first.lease) || second.from_ms >= end_ms, "two leases of a job overlap");
            }
            leases[job.attempt] = lease;
            m_held.append({job.id, job.attempt});
        }
    }

    void report()
    {
        if (m_held.isEmpty())
            return;
        const auto [id, attempt] = m_held[m_random.bounded(int(m_held.size()))];
        Outcome outcome;
        outcome.finishedAt = "2026-01-01T00:00:00Z";
        const bool success = m_random.bounded(4) != 0;
        if (!success) {
            outcome.type = OutcomeType::Failure;
            outcome.shouldRetry = true;
        }
        const QByteArray lease = m_told[id].leases[attempt].lease;
        m_ending.insert(lease);
        any().queue->finish({{id, lease, outcome, 0}}, {}, 0, [this, id = id, success, lease](const Result<OutcomesReply> &reply) {
            if (reply.ok() && success && reply->results.first().ok() && reply->results.first()->state == JobState::Succeeded)
                m_succeeded[id].insert(lease);
            QVERIFY2(m_succeeded[id].size() <= 1, "two successes of a job were accepted");
        });
    }

    void other()
    {
        if (m_held.isEmpty())
            return;
        const auto [id, attempt] = m_held[m_random.bounded(int(m_held.size()))];
        const QByteArray lease = m_told[id].leases[attempt].lease;
        if (m_random.bounded(3) == 0) {
            m_ending.insert(lease);
            any().queue->release({{id, lease, 0, 0, false}}, [](const Result<QList<Result<StateNow>>> &) {});
            return;
        }
        any().queue->heartbeat({{id, lease, {}}}, [this, id = id, attempt = attempt](const Result<QList<Result<Heartbeat>>> &answer) {
            if (answer.ok() && answer->first().ok()) {
                Lease &held = m_told[id].leases[attempt];
                held.expires_ms = std::max(held.expires_ms, answer->first()->leaseExpiresAt_ms);
            }
        });
    }

    // One call or reply goes on; then all that follows of it by itself happens, so that the seed decides the order.
    void passOne()
    {
        settle();
        if (m_gate.waiting() > 0)
            m_gate.pass(m_random.bounded(m_gate.waiting()));
        settle();
    }
    void settle()
    {
        for (const Master &master : m_masters)
            await<redis::Reply>([&](auto done) { master.link->command({"PING"}, done); }).ok(); // behind all that was sent
        for (int turn = 0; turn < 3; ++turn)
            QCoreApplication::processEvents();
    }

    // No more faults: everything ends.
    void drain()
    {
        m_gate.fate = [] { return Gate::Fate::Done; };
        for (int round = 0; round < 400 && !QTest::currentTestFailed(); ++round) {
            while (m_gate.waiting() > 0)
                passOne();
            const Overview counts = await<Overview>([&](auto done) { m_masters[0].store->counts(done); }).value();
            if (m_pushing == 0 && counts.count(JobState::Ready, JobState::Scheduled, JobState::Running, JobState::Depends) == 0)
                break;
            setTime(m_now_ms + 1'500);
            any().gated->sweep([](const Result<Swept> &) {});
            const Master &last = m_masters[size_t(round) % m_masters.size()];
            for (const ClaimedJob &job : claimNow(*last.store))
                finishNow(*last.store, job);
        }
        if (QTest::currentTestFailed())
            return;
        QCOMPARE(m_pushing, 0);
        for (const JobId &id : std::as_const(m_acknowledged)) {
            const Result<Job> job = await<Job>([&](auto done) { m_masters[0].store->get(id, done); });
            QVERIFY2(job.ok(), "an acknowledged job is lost");
            QVERIFY2(isFinal(job->state), "an acknowledged job did not end");
        }
        QCOMPARE(wrongKeys(*m_masters[0].link, "p4"), QByteArray());
    }
    QList<ClaimedJob> claimNow(Store &store)
    {
        const auto reply = await<FinishAndClaimReply>([&](auto done) { store.finishAndClaim({}, {{"last", {}, 50, 0}}, done); });
        const QList<ClaimedJob> jobs = reply.ok() ? reply->claimed.first().jobs : QList<ClaimedJob>();
        took(jobs);
        return jobs;
    }
    void finishNow(Store &store, const ClaimedJob &job)
    {
        Outcome outcome;
        outcome.finishedAt = "2026-01-01T00:00:00Z";
        const QList<FinishItem> one{{job.id, job.lease, outcome, 0}};
        const auto reply = await<FinishAndClaimReply>([&](auto done) { store.finishAndClaim(one, {}, done); });
        QVERIFY(reply.ok() && reply->finished.first().ok());
        m_succeeded[job.id].insert(job.lease);
        QVERIFY2(m_succeeded[job.id].size() <= 1, "two successes of a job were accepted");
    }

    void command(const QList<QByteArray> &words)
    {
        await<redis::Reply>([&](auto done) { m_masters[0].link->command(words, done); }).ok();
    }
    void setTime(qint64 at_ms)
    {
        m_now_ms = at_ms;
        command({"SET", "jq:{p4}:testclock", QByteArray::number(at_ms)});
    }

    RedisServer m_server;
    std::array<Master, 3> m_masters;
    Gate m_gate;
    QRandomGenerator m_random;
    qint64 m_now_ms = 0;
    std::map<JobId, Told> m_told;
    std::map<JobId, std::set<QByteArray>> m_succeeded; // the leases whose success was accepted
    std::set<QByteArray> m_ending;                     // leases whose workers have asked to end them
    QList<std::pair<JobId, int>> m_held;
    QList<JobId> m_acknowledged;
    int m_pushing = 0;
    int m_keys = 0;
    qint64 m_operations = 0, m_lost = 0;
};

JUNBAN_TEST(TestMasters)
#include "test_masters.moc"
