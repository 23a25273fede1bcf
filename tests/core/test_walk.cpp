#include "core/redis/redisstore.h"
#include "tests/support/await.h"
#include "tests/support/modelstore.h"
#include "tests/support/redisserver.h"

#include <QRandomGenerator>
#include <QTest>

using namespace junban;
using namespace junban::test;

namespace {

// Two stores see the same walk; a lease is two strings, one of each store.
struct Held {
    JobId id;
    QByteArray real;
    QByteArray model;
};

QByteArray text(const Attempt &attempt)
{
    return QByteArray::number(attempt.number) + ' ' + attempt.worker + ' ' + QByteArray::number(attempt.startedAt_ms) + ' '
        + QByteArray::number(attempt.endedAt_ms) + ' ' + attempt.ended + ' ' + attempt.message + ' '
        + QByteArray::number(attempt.shouldRetry) + ' ' + QByteArray::number(attempt.nextRunAt_ms) + "; ";
}

QByteArray text(const Job &job)
{
    QByteArray out = job.id.text() + ' ' + job.spec.name + ' ' + stateWord(job.state);
    for (const qint64 number : {qint64(job.attempt), qint64(job.failures), qint64(job.releases), job.createdAt_ms, job.runAt_ms,
             job.startedAt_ms, job.finishedAt_ms, job.leaseExpiresAt_ms, job.deadline_ms, qint64(job.cancelRequested),
             qint64(job.progressDone), qint64(job.progressTotal), job.argument_bytes})
        out += ' ' + QByteArray::number(number);
    return out + ' ' + job.worker + ' ' + job.reason + ' ' + job.message + ' ' + job.progressMessage + ' ' + packRecord(job.spec).toHex();
}

QByteArray text(const Counts &c)
{
    QByteArray out;
    for (const qint64 number : {c.scheduled, c.ready, c.running, c.succeeded, c.failed, c.cancelled, c.enqueuedTotal, c.startedTotal,
             c.succeededTotal, c.failedTotal, c.failuresTotal, c.retriedTotal, c.expiredTotal, c.cancelledTotal})
        out += ' ' + QByteArray::number(number);
    return out;
}

template<typename T, typename Show>
QByteArray text(const Result<T> &result, Show show)
{
    return result.ok() ? show(*result) : QByteArray(errorWord(result.error().code));
}

} // namespace

// A seeded random walk of every verb over RedisStore and ModelStore at once: they must say the same at every step. JUNBAN_SEED repeats
// a walk; JUNBAN_LONG takes many more.
class TestWalk : public QObject
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

    void bothStoresSayTheSame()
    {
        const bool given = qEnvironmentVariableIsSet("JUNBAN_SEED");
        const int walks = given ? 1 : qEnvironmentVariableIsSet("JUNBAN_LONG") ? 20'000 : 300;
        for (int walk = 0; walk < walks; ++walk) {
            // A third of the walks are the same every time, the others are new.
            const quint32 seed = given ? qEnvironmentVariable("JUNBAN_SEED").toUInt()
                : walk % 3 == 0        ? quint32(walk)
                                       : QRandomGenerator::global()->generate();
            oneWalk(seed);
            if (QTest::currentTestFailed()) {
                qWarning("JUNBAN_SEED=%u repeats this walk; %d steps", seed, m_steps);
                return;
            }
        }
    }

private:
    void oneWalk(quint32 seed)
    {
        command({"FLUSHALL"});
        m_random = QRandomGenerator(seed);
        m_clock = Clock();
        m_real = std::make_unique<redis::RedisStore>(*m_link, nullptr, "walk", m_clock, redis::ScriptClock::TestKey);
        m_model = std::make_unique<ModelStore>();
        m_ids = IdMaker();
        m_jobs.clear();
        m_held.clear();
        setTime(1'750'000'000'000);
        const int steps = m_random.bounded(20, 120);
        for (m_steps = 0; m_steps < steps && !QTest::currentTestFailed(); ++m_steps)
            step();
        if (!QTest::currentTestFailed())
            compareEverything();
        if (!QTest::currentTestFailed())
            checkKeys();
    }

    void step()
    {
        switch (m_random.bounded(14)) {
        case 0:
        case 1:
        case 2: enqueue(); break;
        case 3:
        case 4: finishAndClaim(0); break;
        case 5:
        case 6:
        case 7: finishAndClaim(m_random.bounded(4)); break;
        case 8: heartbeat(); break;
        case 9: release(); break;
        case 10: m_random.bounded(2) ? cancel() : retry(); break;
        case 11: result(); break;
        case 12: passTime(); break;
        default: sweep(); break;
        }
    }

    void enqueue()
    {
        static const char *const names[] = {"a", "b", "c", "日本"};
        QList<EnqueueItem> items;
        for (int i = m_random.bounded(1, 5); i > 0; --i) {
            EnqueueItem item;
            item.id = m_ids.make(m_model->now_ms);
            JobSpec &spec = item.spec;
            spec.name = names[m_random.bounded(4)];
            spec.priority = m_random.bounded(-2, 3);
            spec.maxRetry = m_random.bounded(4);
            spec.keepResult = m_random.bounded(2);
            spec.timeout_ms = 1'000 * m_random.bounded(1, 40);
            spec.delay_ms = m_random.bounded(4) == 0 ? m_random.bounded(5'000) : 0;
            spec.backoff = {m_random.bounded(3) * 1'000, 2, 60'000, 0};
            if (m_random.bounded(5) == 0)
                spec.idempotencyKey = QByteArray::number(m_random.bounded(3));
            m_jobs.append(item.id);
            items.append(item);
        }
        both<QList<Result<Enqueued>>>([&](Store &store, auto done) { store.enqueue(items, done); },
            [](const QList<Result<Enqueued>> &list) {
                QByteArray out;
                for (const auto &item : list)
                    out += text(item, [](const Enqueued &e) {
                        return e.id.text() + ' ' + stateWord(e.state) + (e.duplicate ? " again; " : "; ");
                    });
                return out;
            });
    }

    void finishAndClaim(int reports)
    {
        QList<FinishItem> real, model;
        for (int i = 0; i < reports && !m_held.isEmpty(); ++i) {
            const Held held = m_held[m_random.bounded(int(m_held.size()))];
            Outcome outcome;
            outcome.finishedAt = "2026-01-01T00:00:00Z";
            if (m_random.bounded(2)) {
                outcome.result = QByteArray::number(m_random.bounded(100)).prepend(char(0xa2)).leftJustified(3, 'x', true);
            } else {
                outcome.type = OutcomeType::Failure;
                outcome.shouldRetry = m_random.bounded(4) != 0;
                outcome.message = "broke";
                if (m_random.bounded(4) == 0)
                    outcome.retryAfter_ms = m_random.bounded(9'000);
            }
            real.append({held.id, held.real, outcome, 0});
            model.append({held.id, held.model, outcome, 0});
        }
        QList<ClaimRequest> claims;
        for (int i = m_random.bounded(3); i > 0; --i) {
            ClaimRequest claim;
            claim.worker = "w" + QByteArray::number(m_random.bounded(3));
            claim.limit = m_random.bounded(1, 4);
            claim.lease_ms = m_random.bounded(2) ? 0 : 1'000 * m_random.bounded(1, 10);
            if (m_random.bounded(2))
                claim.names = m_random.bounded(2) ? QList<QByteArray>{"a", "c"} : QList<QByteArray>{"日本", "nothing"};
            claims.append(claim);
        }
        // Requests with the same names are served together and in order; the model serves all in order, so they stand together here.
        std::stable_sort(claims.begin(), claims.end(), [](const auto &x, const auto &y) { return x.names < y.names; });
        const auto a = await<FinishAndClaimReply>([&](auto done) { m_real->finishAndClaim(real, claims, done); });
        const auto b = await<FinishAndClaimReply>([&](auto done) { m_model->finishAndClaim(model, claims, done); });
        QVERIFY2(a.ok(), a.ok() ? "" : a.error().message.constData());
        const auto show = [](const FinishAndClaimReply &reply) {
            QByteArray out;
            for (const auto &item : reply.finished)
                out += text(item, [](const Finished &f) { return QByteArray(stateWord(f.state)) + QByteArray::number(f.runAt_ms) + "; "; });
            for (const Claimed &claimed : reply.claimed) {
                out += '|';
                for (const ClaimedJob &job : claimed.jobs)
                    out += job.id.text() + ' ' + QByteArray::number(job.attempt) + ' ' + QByteArray::number(job.leaseExpiresAt_ms) + ' '
                        + QByteArray::number(job.deadline_ms) + "; ";
            }
            return out;
        };
        QCOMPARE(show(*a), show(*b));
        for (qsizetype i = 0; i < claims.size(); ++i) {
            for (qsizetype j = 0; j < a->claimed[i].jobs.size(); ++j)
                m_held.append({a->claimed[i].jobs[j].id, a->claimed[i].jobs[j].lease, b->claimed[i].jobs[j].lease});
        }
    }

    void heartbeat()
    {
        if (m_held.isEmpty())
            return;
        const Held held = m_held[m_random.bounded(int(m_held.size()))];
        std::optional<Progress> progress;
        if (m_random.bounded(2))
            progress = Progress{double(m_random.bounded(5)), 5, "p"};
        each<Heartbeat>([&](Store &store, auto done) { store.heartbeat({{held.id, leaseFor(store, held), progress}}, done); },
            [](const Heartbeat &h) { return QByteArray::number(h.leaseExpiresAt_ms) + (h.cancel ? " cancel" : ""); });
    }

    void release()
    {
        if (m_held.isEmpty())
            return;
        const Held held = m_held[m_random.bounded(int(m_held.size()))];
        const qint64 delay_ms = m_random.bounded(3) == 0 ? m_random.bounded(4'000) : 0;
        const bool untouched = m_random.bounded(3) == 0;
        each<StateNow>([&](Store &store, auto done) { store.release({{held.id, leaseFor(store, held), delay_ms, 0, untouched}}, done); },
            [](const StateNow &now) { return QByteArray(stateWord(now.state)); });
    }

    void cancel()
    {
        const JobId id = anyJob();
        const bool force = m_random.bounded(2);
        each<StateNow>([&](Store &store, auto done) { store.cancel({{id, force}}, done); },
            [](const StateNow &now) { return QByteArray(stateWord(now.state)) + (now.cancelRequested ? " asked" : ""); });
    }

    void retry()
    {
        const JobId id = anyJob();
        each<StateNow>([&](Store &store, auto done) { store.retry({id}, done); },
            [](const StateNow &now) { return QByteArray(stateWord(now.state)); });
    }

    void result()
    {
        const JobId id = anyJob();
        const QByteArray receipt = m_random.bounded(2) ? "r" + QByteArray::number(m_random.bounded(2)) : QByteArray();
        const bool peek = m_random.bounded(4) == 0;
        both<ResultNow>(
            [&](Store &store, auto done) {
                if (peek)
                    store.peekResult(id, done);
                else
                    store.takeResult(id, receipt, Fetch::First, done);
            },
            [](const ResultNow &now) {
                return QByteArray::number(int(now.status)) + ' ' + now.outcome.toHex()
                    + (now.status == ResultStatus::Pending ? stateWord(now.state) : "");
            });
    }

    void sweep()
    {
        both<Swept>([](Store &store, auto done) { store.sweep(done); },
            [](const Swept &swept) {
                return QByteArray::number(swept.expired) + ' ' + QByteArray::number(swept.promoted) + ' '
                    + QByteArray::number(swept.purged);
            });
    }

    void passTime()
    {
        static constexpr qint64 steps_ms[] = {1, 500, 1'000, 2'000, 5'000, 30'000, 90'000'000};
        // The long step, over the retention of successes, comes seldom.
        const int choice = m_random.bounded(30);
        setTime(m_model->now_ms + steps_ms[choice == 0 ? 6 : choice % 6]);
        sweep();
    }

    void compareEverything()
    {
        both<Counts>([](Store &store, auto done) { store.counts(done); }, [](const Counts &counts) { return text(counts); });
        for (const JobId &id : std::as_const(m_jobs)) {
            both<Job>([&](Store &store, auto done) { store.get(id, done); },
                [](const Job &job) {
                    QByteArray out = text(job) + job.outcome.toHex() + (job.resultKept ? " kept " : " ");
                    for (const Attempt &attempt : job.attempts)
                        out += text(attempt);
                    return out;
                });
        }
        for (const JobState state : {JobState::Ready, JobState::Scheduled, JobState::Running, JobState::Succeeded, JobState::Failed,
                 JobState::Cancelled}) {
            PageRequest request;
            request.state = state;
            request.limit = m_random.bounded(1, 6);
            for (bool end = false; !end && !QTest::currentTestFailed();) {
                const auto page = await<Page>([&](auto done) { m_model->page(request, done); });
                both<Page>([&](Store &store, auto done) { store.page(request, done); },
                    [](const Page &p) {
                        QByteArray out = QByteArray::number(p.total) + (p.end ? " end " : " more ");
                        for (qsizetype i = 0; i < p.jobs.size(); ++i)
                            out += QByteArray::number(p.orders[i], 'f', 0) + ' ' + text(p.jobs[i]) + "; ";
                        return out;
                    });
                end = page->end;
                if (!page->jobs.isEmpty())
                    request.after = {page->orders.last(), page->jobs.last().id};
            }
        }
    }

    // Invariants I1–I4, I9 and I17 over every key that is there (semantics.md §5).
    void checkKeys()
    {
        const QByteArray report = m_server.cli({QStringLiteral("EVAL"), QString::fromUtf8(R"LUA(
            local P, wrong, places, known = 'jq:{walk}:', {}, {}, {}
            local function bad(what, id) wrong[#wrong + 1] = what .. ' ' .. (id or '') end
            local function place(id, where) places[id] = (places[id] or '') .. where end
            for _, key in ipairs(redis.call('KEYS', '*')) do
                local name = string.sub(key, #P + 1)
                local kind, rest = string.match(name, '^(%a+):(.*)$')
                known[kind or name] = true
                if string.sub(key, 1, #P) ~= P then bad('foreign key', key)
                elseif kind == 'lane' then
                    for _, id in ipairs(redis.call('ZRANGE', key, 0, -1)) do place(id, '3') end
                    local head = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
                    if redis.call('ZSCORE', P .. 'ready', head[1] .. rest) ~= head[2] then bad('lane not by its head', rest) end
                elseif kind == 's' and redis.call('EXISTS', P .. 'j:' .. rest) == 0 then bad('state without a job')
                elseif kind == 'h' and redis.call('EXISTS', P .. 'j:' .. rest) == 0 then bad('attempts without a job')
                elseif kind == 'fgf' then
                    for _, id in ipairs(redis.call('ZRANGE', key, 0, -1)) do
                        local s = redis.call('HMGET', P .. 's:' .. id, 'st', 'fg')
                        if s[1] ~= '7' or s[2] ~= rest then bad('not failed, but in a group of failures') end
                    end
                elseif kind == 'res' and redis.call('PTTL', key) < 0 then bad('result for ever') end
            end
            for set, state in pairs({ sched = '1', run = '4', succeeded = '6', failed = '7', cancelled = '8' }) do
                for _, id in ipairs(redis.call('ZRANGE', P .. set, 0, -1)) do place(id, state) end
            end
            local lanes, finals = 0, 0
            for _, key in ipairs(redis.call('KEYS', P .. 'lane:*')) do lanes = lanes + 1 end
            if redis.call('ZCARD', P .. 'ready') ~= lanes then bad('lanes without jobs in the ready index') end
            for _, key in ipairs(redis.call('KEYS', P .. 'j:*')) do
                local id = string.sub(key, #P + 3)
                local state = redis.call('HGET', P .. 's:' .. id, 'st') or '3'
                if places[id] ~= state then bad('job of state ' .. state .. ' stands at ' .. (places[id] or 'no place')) end
                if redis.call('PTTL', key) ~= -1 then bad('job with an end') end
                local final = tonumber(state) >= 6
                if final ~= (redis.call('ZSCORE', P .. 'purge', id) ~= false) then bad('final and purge differ') end
                if final then finals = finals + 1 end
                if state == '4' and not redis.call('HGET', P .. 's:' .. id, 'l') then bad('running without a lease') end
                places[id] = nil
            end
            if redis.call('ZCARD', P .. 'purge') ~= finals then bad('purge of jobs that are gone') end
            for id in pairs(places) do bad('indexed but gone') end
            local schema = { j = 1, s = 1, h = 1, lane = 1, name = 1, res = 1, rcp = 1, idem = 1, nonce = 1, ready = 1, sched = 1, run = 1,
                succeeded = 1, failed = 1, cancelled = 1, results = 1, lanes = 1, lane_names = 1, lane_last = 1, count = 1, tx = 1,
                engines = 1, meta = 1, probe = 1, testclock = 1, st = 1, stats = 1, fg = 1, fgt = 1, fgf = 1, fgroups = 1, purge = 1 }
            for kind in pairs(known) do if not schema[kind] then bad('outside the schema: ' .. kind) end end
            return table.concat(wrong, ', ')
        )LUA"), QStringLiteral("0")});
        QCOMPARE(report.trimmed(), QByteArray());
    }

    template<typename T, typename Ask, typename Show>
    void both(Ask ask, Show show)
    {
        const Result<T> a = await<T>([&](auto done) { ask(*m_real, done); });
        const Result<T> b = await<T>([&](auto done) { ask(*m_model, done); });
        QCOMPARE(text(a, show), text(b, show));
    }
    // For verbs that take a list of one here.
    template<typename T, typename Ask, typename Show>
    void each(Ask ask, Show show)
    {
        both<QList<Result<T>>>(ask, [show](const QList<Result<T>> &list) { return text(list.first(), show); });
    }

    QByteArray leaseFor(const Store &store, const Held &held) const { return &store == m_real.get() ? held.real : held.model; }
    JobId anyJob() { return m_jobs.isEmpty() ? m_ids.make(m_model->now_ms) : m_jobs[m_random.bounded(int(m_jobs.size()))]; }
    void command(const QList<QByteArray> &words)
    {
        await<redis::Reply>([&](auto done) { m_link->command(words, done); }).ok();
    }
    void setTime(qint64 at_ms)
    {
        m_model->now_ms = at_ms;
        command({"SET", "jq:{walk}:testclock", QByteArray::number(at_ms)});
    }

    RedisServer m_server;
    std::unique_ptr<redis::Link> m_link;
    Clock m_clock;
    std::unique_ptr<redis::RedisStore> m_real;
    std::unique_ptr<ModelStore> m_model;
    IdMaker m_ids;
    QRandomGenerator m_random;
    QList<JobId> m_jobs;
    QList<Held> m_held;
    int m_steps = 0;
};

QTEST_GUILESS_MAIN(TestWalk)
#include "test_walk.moc"
