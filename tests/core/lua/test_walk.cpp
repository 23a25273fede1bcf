#include "core/redis/redisfsck.h"
#include "core/redis/redisoperations.h"
#include "core/redis/redisstore.h"
#include "tests/support/await.h"
#include "tests/support/cuttingproxy.h"
#include "tests/support/keychecker.h"
#include "tests/support/modelstore.h"
#include "tests/support/redisserver.h"
#include "tests/support/testmain.h"
#include "tests/support/texts.h"
#include "tests/support/walks.h"

#include <QRandomGenerator>
#include <QTest>
#include <algorithm>

using namespace junban;
using namespace junban::test;

namespace {

// Two stores see the same walk; a lease is two strings, one of each store.
struct Held {
    JobId id;
    QByteArray real;
    QByteArray model;
};

} // namespace

// A seeded random walk of every verb over RedisStore and ModelStore at once: they must say the same at every step, and the keys must
// keep the invariants. JUNBAN_SEED repeats a walk (JUNBAN_CUT_SEED: one with cuts); JUNBAN_LONG takes many more.
class TestWalk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_server.start());
        m_proxy = std::make_unique<CuttingProxy>(m_server.socketPath());
        QVERIFY(m_proxy->listen());
        m_link = linkTo(m_server.url());
        m_cutLink = linkTo(m_proxy->url());
        QTRY_COMPARE(m_link->state(), redis::LinkState::Up);
        QTRY_COMPARE(m_cutLink->state(), redis::LinkState::Up);
    }

    void bothStoresSayTheSame() { walks(Connection::Whole, 150, 20'000); }
    // Every other call meets a cut at its request or its reply; what the link then repeats must change nothing.
    void bothStoresSayTheSameOverAConnectionThatBreaks() { walks(Connection::Breaking, 4, 400); }

private:
    enum class Connection { Whole, Breaking };

    void walks(Connection connection, int few, int many)
    {
        Walks all(connection == Connection::Whole ? "JUNBAN_SEED" : "JUNBAN_CUT_SEED", few, many);
        Row row(connection == Connection::Whole ? "P1 walk" : "P3 walk with cuts", all, "mismatches");
        command({"CONFIG", "RESETSTAT"});
        m_plainClaims = 0;
        while (all.next()) {
            oneWalk(all.seed(), connection);
            row.add("operations", m_steps);
            if (QTest::currentTestFailed()) {
                qWarning("%s=%u repeats this walk; %d steps", all.variable(), all.seed(), m_steps);
                return;
            }
        }
        // The short way of plain jobs is walked, too.
        const qint64 enqueues = plainEnqueues();
        row.add("plain enqueues", enqueues);
        row.add("started by one name", m_plainClaims);
        QVERIFY(all.begun() < 100 || (enqueues > 0 && m_plainClaims > 0));
    }

    void oneWalk(quint32 seed, Connection connection)
    {
        command({"FLUSHALL"});
        m_random = QRandomGenerator(seed);
        m_breaking = connection == Connection::Breaking;
        redis::Link *link = m_breaking ? m_cutLink.get() : m_link.get();
        m_clock = Clock();
        m_real = std::make_unique<redis::RedisStore>(*link, nullptr, "walk", m_clock, redis::ScriptClock::TestKey);
        m_bulk = std::make_unique<redis::RedisOperations>(*link, "walk", m_clock, redis::ScriptClock::TestKey);
        m_model = std::make_unique<ModelStore>();
        m_ids = IdMaker();
        m_jobs.clear();
        m_held.clear();
        m_special = m_random.bounded(4) != 0;
        m_windowed = m_special && m_random.bounded(2);
        changeTokens();
        setTime(1'750'000'000'000);
        await<Done>([&](auto done) { m_real->probe(done); }).ok(); // so that it knows the time
        const int steps = m_random.bounded(20, 120);
        const bool closely = m_breaking || seed % 8 == 0; // the keys of the others are checked at their end only
        for (m_steps = 0; m_steps < steps && !QTest::currentTestFailed(); ++m_steps) {
            if (m_breaking && m_random.bounded(2))
                m_proxy->arm(Cut(m_random.bounded(1, 5)));
            step();
            m_proxy->arm(Cut::None);
            if (!QTest::currentTestFailed() && (closely || m_steps == steps - 1))
                QCOMPARE(wrongKeys(*m_link, "walk"), QByteArray());
            if (!QTest::currentTestFailed())
                both<Overview>([](Store &store, auto done) { store.counts(done); }, [](const Overview &counts) { return text(counts); });
        }
        if (!QTest::currentTestFailed())
            compareEverything();
        if (!QTest::currentTestFailed()) {
            redis::RedisFsck fsck(*m_link, "walk", redis::ScriptClock::TestKey);
            const auto report = await<FsckReport>([&](auto done) { fsck.run(Repair::No, done); });
            QVERIFY2(report.ok(), report.ok() ? "" : report.error().message().constData());
            for (const Violation &violation : report->violations) { // results end on Redis' own clock
                if (!violation.key.startsWith("res:"))
                    QCOMPARE(violation.key + violation.reason.text, QByteArray());
            }
        }
    }

    void step()
    {
        switch (m_random.bounded(21)) {
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
        case 12:
        case 13: passTime(); break;
        case 14: handOff(); break;
        case 15: message(); break;
        case 16:
        case 17: edit(); break;
        case 18: m_random.bounded(6) ? group() : changeTokens(); break;
        case 19: operate(); break;
        default: sweep(); break;
        }
    }

    void enqueue()
    {
        static const char *const names[] = {"a", "b", "c", "日本"};
        QList<EnqueueItem> items;
        for (int i = m_random.bounded(1, 5); i > 0; --i) {
            EnqueueItem item;
            item.id = m_ids.make(m_model->now_ms + (m_random.bounded(6) == 0 ? m_random.bounded(3) : 0)); // a master's clock may be ahead
            if (m_random.bounded(2))
                item.owner = "token" + QByteArray::number(m_random.bounded(2));
            JobSpec &spec = item.spec;
            spec.name = names[m_random.bounded(4)];
            spec.priority = m_random.bounded(-2, 3);
            spec.maxRetry = m_random.bounded(4);
            spec.keepResult = m_random.bounded(2);
            spec.timeout_ms = 1'000 * m_random.bounded(1, 40);
            spec.delay_ms = m_random.bounded(4) == 0 ? m_random.bounded(5'000) : 0;
            spec.backoff = {m_random.bounded(3) * 1'000, 2, 60'000, 0};
            // One that is refused would, asked again, meet the key of a later one of its call.
            if (m_random.bounded(5) == 0 && (!m_breaking || i == 1))
                spec.idempotencyKey = QByteArray::number(m_random.bounded(3));
            if (m_special)
                makeSpecial(spec, 0);
            setPusher(spec, item.owner);
            if (!item.owner.isEmpty() && m_random.bounded(2))
                keepToOwnGroups(spec);
            m_jobs.append(item.id);
            items.append(item);
        }
        both<QList<Result<Enqueued>>>([&](Store &store, auto done) { store.enqueue(items, done); },
            [this](const QList<Result<Enqueued>> &list) {
                QByteArray out;
                // Asked again, it tells the state of now: a later job of the list may have replaced this one meanwhile.
                for (const auto &item : list)
                    out += text(item, [this](const Enqueued &e) {
                        return e.id.text() + (m_breaking ? " " : stateWord(e.state)) + (e.duplicate ? " again; " : "; ");
                    });
                return out;
            });
    }

    // What a job may say beyond the specification, each now and then.
    void makeSpecial(JobSpec &spec, int depth)
    {
        if (m_random.bounded(4) == 0) {
            spec.unique = Unique{m_random.bounded(2) ? "k" : "", UniqueUntil(m_random.bounded(2)), OnConflict(m_random.bounded(3))};
            spec.argument = m_random.bounded(2) ? QByteArray("\x07") : payload::nil;
        }
        for (int i = m_random.bounded(8); depth == 0 && i > 5; --i)
            spec.dependsOn.append(m_random.bounded(40) == 0 ? m_ids.make(m_model->now_ms) : anyJob());
        spec.onDependencyFailure = OnDependencyFailure(m_random.bounded(3));
        for (int i = m_random.bounded(8); depth < 2 && i > 5; --i) {
            JobSpec then;
            then.name = spec.name;
            then.priority = m_random.bounded(-2, 3);
            then.delay_ms = m_random.bounded(2) ? 4'000 : 0;
            then.backoff.jitter = 0; // a sweep draws it
            makeSpecial(then, depth + 1);
            spec.then.push_back(then);
        }
        if (m_random.bounded(6) == 0)
            spec.expiresIn_ms = 2'000 * m_random.bounded(1, 10);
        if (m_random.bounded(5) == 0)
            spec.group = m_random.bounded(2) ? "g" : "群";
        for (int i = m_random.bounded(8); m_windowed && i > 5; --i) {
            const int from_min = 15 * 60 + m_random.bounded(4, 12); // the walk begins at 15:06:40
            spec.windows.append({from_min, m_random.bounded(8) ? from_min + m_random.bounded(3) : 14 * 60, "UTC", 0x7f});
        }
    }

    void handOff()
    {
        if (m_held.isEmpty())
            return;
        const Held held = m_held[m_random.bounded(int(m_held.size()))];
        const QByteArray key = "m" + QByteArray::number(m_random.bounded(4));
        const qint64 timeout_ms = 2'000 * m_random.bounded(1, 20);
        both<StateNow>([&](Store &store, auto done) { store.handOff({held.id, leaseFor(store, held), key, timeout_ms}, done); },
            [](const StateNow &now) { return QByteArray(stateWord(now.state)); });
    }

    void message()
    {
        const MessageItem item{"m" + QByteArray::number(m_random.bounded(4)), anyOutcome(), 0};
        both<MessageTaken>([&](Store &store, auto done) { store.message(item, done); },
            [](const MessageTaken &taken) {
                return taken.id.text() + ' ' + stateWord(taken.finished.state) + QByteArray::number(taken.finished.runAt_ms);
            });
    }

    void edit()
    {
        EditItem item{anyJob(), {}, {}, {}, "\x80"};
        const Result<Job> job = await<Job>([&](auto done) { m_model->get(item.id, done); });
        item.before = item.after = job.ok() ? job->spec : JobSpec();
        if (m_random.bounded(10) == 0)
            item.before.priority += 7; // another edit was faster
        switch (m_random.bounded(6)) {
        case 0: item.after.priority = m_random.bounded(-2, 3); break;
        case 1: item.after.argument = QByteArray(1, char(m_random.bounded(100))); break;
        case 2: item.after.tags = {"t" + QByteArray::number(m_random.bounded(3))}; break;
        case 3: item.after.maxRetry = m_random.bounded(job.ok() ? std::min(job->failures, 4) : 0, 5); break; // so that I6 holds
        case 4: item.after.timeout_ms = 1'000 * m_random.bounded(1, 40); break;
        default: item.runAt_ms = m_model->now_ms + 2'000 * m_random.bounded(-3, 10); break;
        }
        both<StateNow>([&](Store &store, auto done) { store.edit(item, done); },
            [](const StateNow &now) { return QByteArray(stateWord(now.state)) + QByteArray::number(now.runAt_ms); });
    }

    void group()
    {
        GroupChange change{m_random.bounded(2) ? "g" : "群", m_ids.make(m_model->now_ms)};
        if (m_random.bounded(2))
            change.caller = {"token" + QByteArray::number(m_random.bounded(2)), m_random.bounded(4) != 0};
        if (m_random.bounded(2))
            change.open = m_random.bounded(2) == 0;
        if (m_random.bounded(3) == 0)
            change.shared = m_random.bounded(2) == 0;
        if (m_random.bounded(3) == 0) {
            change.callback = JobSpec();
            change.callback->name = "b";
            change.callback->backoff.jitter = 0;
            change.callback->priority = m_random.bounded(-2, 3);
            if (m_random.bounded(3) == 0)
                change.callback->group = change.group;
            setPusher(*change.callback, change.caller.token);
            if (change.caller.onlyOwn)
                keepToOwnGroups(*change.callback);
        }
        const bool ask = m_random.bounded(3) == 0;
        both<Group>(
            [&](Store &store, auto done) { ask ? store.group(change.group, change.caller, done) : store.changeGroup(change, done); },
            [this](const Group &now) {
                if (!now.callback.isNull() && !m_jobs.contains(now.callback))
                    m_jobs.append(now.callback);
                return text(now);
            });
    }

    // A token is made or revoked. Scripts ask only whether it is there.
    void changeTokens()
    {
        const QByteArray token = "token" + QByteArray::number(m_random.bounded(2));
        if (m_model->tokens.removeOne(token)) {
            command({"HDEL", "jq:{walk}:tokens", token});
        } else {
            m_model->tokens.append(token);
            command({"HSET", "jq:{walk}:tokens", token, "its record"});
        }
    }

    Outcome anyOutcome()
    {
        Outcome outcome;
        outcome.finishedAt = "2026-01-01T00:00:00Z";
        if (m_random.bounded(2)) {
            outcome.result = QByteArray::number(m_random.bounded(100)).prepend(char(0xa2)).leftJustified(3, 'x', true);
            return outcome;
        }
        outcome.type = OutcomeType::Failure;
        outcome.shouldRetry = m_random.bounded(4) != 0;
        outcome.message = "broke";
        if (m_random.bounded(4) == 0)
            outcome.retryAfter_ms = m_random.bounded(9'000);
        return outcome;
    }

    void finishAndClaim(int reports)
    {
        QList<FinishItem> real, model;
        for (int i = 0; i < reports && !m_held.isEmpty(); ++i) {
            const Held held = m_held[m_random.bounded(int(m_held.size()))];
            const Outcome outcome = anyOutcome();
            // Of two attempts in one call the earlier one's report is forgotten when the call is made again: it is refused then, rightly.
            if (m_breaking && std::any_of(real.cbegin(), real.cend(), [&held](const FinishItem &item) { return item.id == held.id; }))
                continue;
            real.append({held.id, held.real, outcome, 0});
            model.append({held.id, held.model, outcome, 0});
        }
        QList<ClaimRequest> claims;
        for (int i = m_random.bounded(3); i > 0; --i) {
            ClaimRequest claim;
            claim.worker = "w" + QByteArray::number(m_random.bounded(3));
            claim.limit = m_random.bounded(1, 4);
            claim.token = m_random.bounded(2) ? "token" + QByteArray::number(m_random.bounded(2)) : QByteArray();
            claim.lease_ms = m_random.bounded(2) ? 0 : 1'000 * m_random.bounded(1, 10);
            if (m_random.bounded(2))
                claim.names = anyNames();
            claims.append(claim);
        }
        const auto a = await<FinishAndClaimReply>([&](auto done) { m_real->finishAndClaim(real, claims, done); });
        const auto b = await<FinishAndClaimReply>([&](auto done) { m_model->finishAndClaim(model, claims, done); });
        QVERIFY2(a.ok(), a.ok() ? "" : a.error().message().constData());
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
            if (claims[i].names.size() == 1)
                m_plainClaims += a->claimed[i].jobs.size();
        }
    }

    QList<QByteArray> anyNames()
    {
        switch (m_random.bounded(4)) {
        case 0: return {"a", "c"};
        case 1: return {"日本", "nothing"};
        case 2: return {m_random.bounded(8) ? "b" : "nothing"};
        default: return {"a"};
        }
    }

    // How many calls pushed plain jobs the short way (core/lua/pieces/push.lua): only that has these commands.
    qint64 plainEnqueues()
    {
        const auto reply = await<redis::Reply>([&](auto done) { m_link->command({"INFO", "commandstats"}, done); });
        qint64 calls = 0;
        for (const QByteArray &line : (reply.ok() ? reply->bytes() : QByteArray()).split('\n')) {
            if (line.startsWith("cmdstat_setnx:calls=") || line.startsWith("cmdstat_msetnx:calls="))
                calls += line.mid(line.indexOf('=') + 1, line.indexOf(',') - line.indexOf('=') - 1).toLongLong();
        }
        return calls;
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

    // An operation does with its jobs what the verbs do with each.
    void operate()
    {
        const BulkAction action = BulkAction(m_random.bounded(3) == 2 ? int(BulkAction::Release) : m_random.bounded(2)); // or retry, cancel
        QList<JobId> ids;
        for (int i = m_random.bounded(1, 9); i > 0; --i) {
            if (const JobId id = anyJob(); !ids.contains(id))
                ids.append(id);
        }
        const QByteArray name = "op" + QByteArray::number(++m_operations);
        const auto done = [](const auto &result) { QVERIFY2(result.ok(), result.ok() ? "" : result.error().message().constData()); };
        done(await<qint64>([&](auto then) { m_bulk->freeze({name, 0, ViewState::Complete, {}, m_model->now_ms, ids}, then); }));
        done(await<Done>([&](auto then) { m_bulk->save({name, action, name, ids.size()}, then); }));
        done(await<Done>([&](auto then) { m_bulk->change({name, OperationVerb::Start, anOperator}, then); }));
        const auto operated = await<Operated>([&](auto then) { m_bulk->operate({name}, then); });
        done(operated);
        QCOMPARE(operated->again_ms, 0);
        const auto now = await<BulkOperation>([&](auto then) { m_bulk->get(name, then); });
        done(now);
        QCOMPARE(now->done, doWithEach(action, ids));
        QCOMPARE(now->done + now->skipped, ids.size());
        for (const QByteArray &key : {"vw:" + name, "vi:" + name + "|0", "op:" + name}) // so that the next one finds a place
            command({"DEL", "jq:{walk}:" + key});
    }

    // The same at the model; how many it changed.
    qint64 doWithEach(BulkAction action, const QList<JobId> &ids)
    {
        QList<CancelItem> cancels;
        QList<RetryItem> retries;
        QList<ReleaseItem> releases;
        for (const JobId &id : ids) {
            const auto job = await<Job>([&](auto then) { m_model->get(id, then); });
            const auto held = std::find_if(m_held.crbegin(), m_held.crend(), [&id](const Held &each) { return each.id == id; });
            if (action == BulkAction::Cancel && job.ok() && job->state != JobState::Cancelled)
                cancels.append({id});
            else if (action == BulkAction::Retry)
                retries.append(RetryItem(id));
            else if (action == BulkAction::Release && job.ok() && job->state == JobState::Running && held != m_held.crend())
                releases.append({id, held->model});
        }
        const auto answers = await<QList<Result<StateNow>>>([&](auto then) {
            if (action == BulkAction::Cancel)
                m_model->cancel(cancels, then);
            else if (action == BulkAction::Retry)
                m_model->retry(retries, then);
            else
                m_model->release(releases, then);
        });
        return std::count_if(answers->begin(), answers->end(), [](const auto &answer) { return answer.ok(); });
    }

    void result()
    {
        const JobId id = anyJob();
        const QByteArray receipt = m_random.bounded(2) ? "r" + QByteArray::number(m_random.bounded(2)) : QByteArray();
        const bool peek = m_random.bounded(4) == 0;
        const Fetch fetch = m_random.bounded(2) ? Fetch::Waited : Fetch::First;
        both<ResultNow>(
            [&](Store &store, auto done) {
                if (peek)
                    store.peekResult(id, done);
                else
                    store.takeResult(id, receipt, fetch, done);
            },
            [](const ResultNow &now) {
                return QByteArray::number(int(now.status)) + ' ' + now.outcome.toHex()
                    + (now.status == ResultStatus::Pending ? stateWord(now.state) : "");
            });
    }

    void sweep()
    {
        // The reply of a sweep that was carried out twice speaks of the second time.
        QList<JobId> wanted;
        both<Swept>([](Store &store, auto done) { store.sweep(done); },
            [this, &wanted](const Swept &swept) {
                wanted = swept.windowsWanted;
                return m_breaking ? QByteArray() : text(swept);
            });
        for (const JobId &id : std::as_const(wanted)) {
            const Result<Job> job = await<Job>([&](auto done) { m_model->get(id, done); });
            const auto boundaries_ms = job.ok() ? windowBoundaries_ms(job->spec.windows, m_model->now_ms) : QList<qint64>();
            if (m_random.bounded(4) && !QTest::currentTestFailed())
                both<Done>([&](Store &store, auto done) { store.setWindows(id, boundaries_ms, done); }, [](Done) { return QByteArray(); });
        }
    }

    void passTime()
    {
        // A master learns Redis' clock to a second only, so where windows matter all times are even.
        static constexpr qint64 steps_ms[] = {1, 500, 1'000, 2'000, 5'000, 30'000, 90'000'000};
        static constexpr qint64 even_ms[] = {2'000, 2'000, 4'000, 10'000, 30'000, 60'000, 90'000'000};
        // The long step, over the retention of successes, comes seldom.
        const int choice = m_random.bounded(30);
        setTime(m_model->now_ms + (m_windowed ? even_ms : steps_ms)[choice == 0 ? 6 : choice % 6]);
        sweep();
    }

    void compareEverything()
    {
        const QByteArray name = m_random.bounded(2) ? QByteArray() : QByteArray("b");
        both<QList<NameRow>>([name](Store &store, auto done) { store.names(3, name, done); },
            [](const QList<NameRow> &names) { return text(names); });
        for (const JobId &id : std::as_const(m_jobs)) {
            both<Job>([&](Store &store, auto done) { store.get(id, done); },
                [](const Job &job) {
                    QByteArray out = text(job) + job.outcome.toHex() + (job.resultKept ? " kept " : " ") + job.holder;
                    QList<QByteArray> sharers = job.sharers;
                    std::sort(sharers.begin(), sharers.end());
                    out += '<' + sharers.join(',') + '>';
                    for (const Attempt &attempt : job.attempts)
                        out += text(attempt);
                    for (const Event &event : job.events)
                        out += text(event);
                    return out;
                });
        }
        for (const JobState state : {JobState::Ready, JobState::Scheduled, JobState::Depends, JobState::Running, JobState::Awaiting,
                 JobState::Succeeded, JobState::Failed, JobState::Cancelled}) {
            PageRequest request;
            request.state = state;
            request.limit = m_random.bounded(1, 6);
            if (state == JobState::Ready)
                request.name = name;
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

    static std::unique_ptr<redis::Link> linkTo(const QByteArray &url)
    {
        auto link = std::make_unique<redis::Link>(*redis::Address::fromUrl(url));
        link->start();
        return link;
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
    std::unique_ptr<CuttingProxy> m_proxy;
    std::unique_ptr<redis::Link> m_link, m_cutLink;
    Clock m_clock;
    std::unique_ptr<redis::RedisStore> m_real;
    std::unique_ptr<redis::RedisOperations> m_bulk;
    std::unique_ptr<ModelStore> m_model;
    IdMaker m_ids;
    QRandomGenerator m_random;
    QList<JobId> m_jobs;
    QList<Held> m_held;
    int m_steps = 0, m_operations = 0;
    qint64 m_plainClaims = 0;
    bool m_breaking = false;
    bool m_special = false, m_windowed = false;
};

JUNBAN_TEST(TestWalk)
#include "test_walk.moc"
