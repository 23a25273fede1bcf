#include "tests/core/engine/records.h"
#include "tests/support/await.h"
#include "tests/support/modelstore.h"
#include "tests/support/testmain.h"
#include "tests/support/texts.h"
#include "tests/support/walks.h"

#include <QRandomGenerator>
#include <QTest>
#include <algorithm>

using namespace junban;
using namespace junban::test;

namespace {

// Both see the same walk; a lease is two texts, one of each.
struct Held {
    JobId id;
    QByteArray real;
    QByteArray model;
};

const QByteArray firstNames[] = {"a", "b", "c", "日本"};

// A MessagePack value of so many bytes.
QByteArray valueOf(int bytes, char content)
{
    return QByteArray("\xc5") + char(bytes >> 8) + char(bytes & 0xff) + QByteArray(bytes, content);
}

} // namespace

// A seeded random walk of every call over the engine and the model of the queue at once. Both say the same at each step, and an engine
// that is loaded from what was written is equal to the living one in every field (P3). JUNBAN_ENGINE_SEED repeats a walk; JUNBAN_LONG takes
// many more.
class TestEngineWalk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void engineAndModelSayTheSame()
    {
        Walks all("JUNBAN_ENGINE_SEED", 40, 40'000);
        Row row("P3 walk of the engine", all, "mismatches");
        while (all.next()) {
            oneWalk(all.seed());
            row.add("operations", m_steps);
            if (QTest::currentTestFailed()) {
                qWarning("%s=%u repeats this walk; %d steps", all.variable(), all.seed(), m_steps);
                return;
            }
        }
    }

private:
    void oneWalk(quint32 seed)
    {
        m_random = QRandomGenerator(seed);
        m_settings = {};
        m_model = std::make_unique<ModelStore>();
        m_model->endsByTime = m_model->inMemory = true;
        m_model->now_ms = 1'750'000'000'000;
        m_model->tokens = {"token0", "token1"};
        if (m_random.bounded(2)) {
            for (size_t i = 0; i < 3; ++i) {
                Kept &kept = m_settings.retention[i];
                if (m_random.bounded(2))
                    kept.age_ms = 20'000;
                kept.count = m_random.bounded(1, 10);
                m_model->retention[i] = kept;
            }
            m_model->keysMax = m_settings.idempotencyKeys = m_random.bounded(1, 5);
        }
        m_engine = std::make_unique<engine::Engine>(m_settings);
        m_records = {};
        m_ids = IdMaker();
        m_jobs.clear();
        m_held.clear();
        m_pushed.clear();
        m_last.clear();
        const int steps = m_random.bounded(20, 120);
        for (m_steps = 0; m_steps < steps && !QTest::currentTestFailed(); ++m_steps) {
            step();
            const bool closely = seed % 3 == 0 || m_steps % 4 == 0; // a load at each step takes most of the time
            if (!QTest::currentTestFailed() && closely)
                check();
        }
        if (!QTest::currentTestFailed())
            drain();
    }

    void step()
    {
        switch (m_random.bounded(32)) {
        case 0:
        case 1:
        case 2: enqueue(); break;
        case 3:
        case 4:
        case 5: claim(); break;
        case 6:
        case 7:
        case 8: finish(); break;
        case 9: heartbeat(); break;
        case 10: release(); break;
        case 11: cancel(); break;
        case 12: retry(); break;
        case 13:
        case 14: result(); break;
        case 15: sweep(); break;
        case 16: sendAgain(); break;
        case 17: restart(); break;
        case 18: edit(); break;
        case 19: handOff(); break;
        case 20:
        case 21: message(); break;
        case 22: track(anyJob(), m_random.bounded(3) > 0); break;
        case 23:
        case 24: trash(); break;
        case 25: editResult(); break;
        case 26:
        case 27: changeGroup(); break;
        case 28: setRetention(); break;
        default: passTime(); break;
        }
    }

    void enqueue()
    {
        QList<EnqueueItem> items;
        for (int i = m_random.bounded(1, 5); i > 0; --i)
            items.append(m_pushed.isEmpty() || m_random.bounded(8) ? newItem() : m_pushed[m_random.bounded(int(m_pushed.size()))]);
        m_pushed.append(items);
        both<QList<Result<Enqueued>>>([&](const engine::Moment &at) { return m_engine->enqueue(items, at); },
            [&](auto done) { m_model->enqueue(items, done); },
            [](const QList<Result<Enqueued>> &list) {
                return eachText(list,
                    [](const Enqueued &e) { return e.id.text() + stateWord(e.state) + (e.duplicate ? " again; " : "; "); });
            });
    }

    EnqueueItem newItem()
    {
        EnqueueItem item;
        item.id = m_ids.make(m_model->now_ms + (m_random.bounded(6) == 0 ? m_random.bounded(3) : 0)); // a master's clock may be ahead
        if (m_random.bounded(2))
            item.owner = "token" + QByteArray::number(m_random.bounded(2));
        JobSpec &spec = item.spec;
        spec.name = firstNames[m_random.bounded(4)];
        spec.priority = m_random.bounded(-2, 3);
        spec.maxRetry = m_random.bounded(4);
        spec.keepResult = m_random.bounded(2);
        spec.timeout_ms = 1'000 * m_random.bounded(1, 40);
        spec.resultTtl_ms = m_random.bounded(3) == 0 ? m_random.bounded(1'000, 20'000) : spec.resultTtl_ms;
        if (m_random.bounded(4) == 0)
            spec.delay_ms = m_random.bounded(5'000);
        else if (m_random.bounded(6) == 0)
            spec.runAt_ms = m_model->now_ms + m_random.bounded(-5'000, 5'000);
        spec.backoff = {m_random.bounded(3) * 1'000, 2, 60'000, 0};
        if (m_random.bounded(6) == 0)
            spec.argument = valueOf(m_random.bounded(4'000, 6'000), 'x');
        if (m_random.bounded(4) == 0)
            spec.idempotencyKey = QByteArray::number(m_random.bounded(4));
        if (m_random.bounded(2))
            makeSpecial(spec, 2);
        m_jobs.append(item.id);
        return item;
    }

    // `depth`: for how many levels it may have a `then`.
    void makeSpecial(JobSpec &spec, int depth)
    {
        if (m_random.bounded(3) == 0) {
            spec.unique = Unique{m_random.bounded(3) ? "k" + QByteArray::number(m_random.bounded(2)) : QByteArray(),
                UniqueUntil(m_random.bounded(2)), OnConflict(m_random.bounded(3))};
        }
        for (int i = m_random.bounded(4) - 1; i > 0; --i)
            spec.dependsOn.append(anyJob());
        spec.onDependencyFailure = OnDependencyFailure(m_random.bounded(3));
        if (m_random.bounded(3) == 0) { // some that open or close within the walk
            const int minute = int(m_model->now_ms / 60'000 % 1'440);
            for (int i = m_random.bounded(1, 3); i > 0; --i)
                spec.windows.append({(minute + m_random.bounded(3)) % 1'440, (minute + m_random.bounded(1, 4)) % 1'440, "UTC", 0x7f});
        }
        if (m_random.bounded(4) == 0)
            spec.expiresIn_ms = m_random.bounded(1, 20'000);
        if (m_random.bounded(2)) {
            spec.group = anyGroup();
            spec.groupCaller = anyCaller();
        }
        for (int i = depth > 0 ? m_random.bounded(5) - 2 : 0; i > 0; --i) {
            JobSpec next;
            next.name = firstNames[m_random.bounded(4)];
            next.keepResult = m_random.bounded(2);
            if (m_random.bounded(8) == 0)
                next.argument = valueOf(m_random.bounded(4'000, 6'000), 'z');
            if (m_random.bounded(4) == 0)
                next.delay_ms = m_random.bounded(5'000);
            if (m_random.bounded(2))
                makeSpecial(next, depth - 1);
            spec.then.push_back(next);
        }
    }

    QByteArray anyGroup() { return "g" + QByteArray::number(m_random.bounded(4)); }

    // Of the three tokens one is revoked.
    GroupCaller anyCaller()
    {
        static const QByteArray tokens[] = {"", "token0", "token1", "revoked"};
        return {tokens[m_random.bounded(4)], m_random.bounded(3) == 0};
    }

    void changeGroup()
    {
        GroupChange change{anyGroup(), m_ids.make(m_model->now_ms)};
        if (m_random.bounded(3))
            change.open = m_random.bounded(2) == 0;
        if (m_random.bounded(3) == 0)
            change.shared = m_random.bounded(2) == 0;
        if (m_random.bounded(2)) {
            change.callback = JobSpec();
            change.callback->name = firstNames[m_random.bounded(4)];
            if (m_random.bounded(3))
                makeSpecial(*change.callback, 1);
        }
        change.caller = anyCaller();
        both<QList<Result<Group>>>([&](const engine::Moment &at) { return alone(m_engine->changeGroup(change, at)); },
            [&](auto done) { m_model->changeGroup(change, [done](const Result<Group> &group) { done(QList<Result<Group>>{group}); }); },
            [](const QList<Result<Group>> &list) { return eachText(list, [](const Group &group) { return text(group); }); });
    }

    // For all names, or for one, which may not be known yet.
    void setRetention()
    {
        const QByteArray name = m_random.bounded(3) ? firstNames[m_random.bounded(4)] : QByteArray();
        Retention retention;
        for (Kept *kept : {&retention.succeeded, &retention.failed, &retention.cancelled}) {
            if (m_random.bounded(2))
                kept->age_ms = m_random.bounded(3) * 10'000;
            if (m_random.bounded(3) == 0)
                kept->count = m_random.bounded(4);
        }
        const std::function<quint64()> none = [] { return 0; };
        const engine::Moment at{m_model->now_ms, none, &m_isToken};
        if (name.isEmpty() || m_random.bounded(3)) {
            m_model->setRetention(name, retention);
            written(m_engine->setRetention(name, retention, at));
        } else {
            m_model->clearRetention(name);
            written(m_engine->clearRetention(name, at));
        }
        sweep();
    }

    void claim()
    {
        QList<ClaimRequest> claims;
        for (int i = m_random.bounded(1, 4); i > 0; --i) {
            ClaimRequest request;
            request.worker = "w" + QByteArray::number(m_random.bounded(3));
            request.limit = m_random.bounded(1, 4);
            request.token = m_random.bounded(2) ? "token" : "";
            request.lease_ms = m_random.bounded(2) ? 0 : 1'000 * m_random.bounded(1, 10);
            static const QList<QByteArray> sets[] = {{}, {}, {"a"}, {"a", "c"}, {"日本", "nothing"}, {"nothing"}};
            request.names = sets[m_random.bounded(6)];
            claims.append(request);
        }
        QList<Claimed> real, model;
        both<QList<Claimed>>([&](const engine::Moment &at) { return m_engine->claim(claims, at); },
            [&](auto done) {
                m_model->finishAndClaim({}, claims, [done](const Result<FinishAndClaimReply> &reply) { done(reply->claimed); });
            },
            [&](const QList<Claimed> &list) {
                (real.isEmpty() ? real : model) = list;
                QByteArray out;
                for (const Claimed &each : list) {
                    for (const ClaimedJob &job : each.jobs) {
                        out += job.id.text() + ' ' + packRecord(job.spec).toHex() + ' ' + QByteArray::number(job.attempt) + ' '
                            + QByteArray::number(job.leaseExpiresAt_ms) + ' ' + QByteArray::number(job.deadline_ms) + "; ";
                    }
                    out += "| ";
                }
                return out;
            });
        for (qsizetype i = 0; i < real.size() && !QTest::currentTestFailed(); ++i) {
            for (qsizetype j = 0; j < real[i].jobs.size(); ++j)
                m_held.append({real[i].jobs[j].id, real[i].jobs[j].lease, model[i].jobs[j].lease});
        }
    }

    Outcome anyOutcome()
    {
        Outcome outcome;
        outcome.finishedAt = "2026-01-01T00:00:00Z";
        const QByteArray value = m_random.bounded(5) ? payload::nil : valueOf(m_random.bounded(3'000, 6'000), 'y');
        if (m_random.bounded(2)) {
            outcome.result = value;
            return outcome;
        }
        outcome.type = OutcomeType::Failure;
        outcome.reason = m_random.bounded(2) ? FailureReason::Other : FailureReason::Timeout;
        outcome.shouldRetry = m_random.bounded(4) != 0;
        outcome.error = value;
        outcome.message = "broke";
        if (m_random.bounded(4) == 0)
            outcome.retryAfter_ms = m_random.bounded(9'000);
        return outcome;
    }

    void finish()
    {
        QList<FinishItem> real, model;
        for (int i = m_random.bounded(1, 4); i > 0 && !m_held.isEmpty(); --i) {
            const Held held = anyHeld();
            const Outcome outcome = anyOutcome();
            real.append({held.id, held.real, outcome, 0});
            model.append({held.id, held.model, outcome, 0});
        }
        both<QList<Result<Finished>>>([&](const engine::Moment &at) { return m_engine->finish(real, at); },
            [&](auto done) {
                m_model->finishAndClaim(model, {}, [done](const Result<FinishAndClaimReply> &reply) { done(reply->finished); });
            },
            [](const QList<Result<Finished>> &list) {
                return eachText(list,
                    [](const Finished &f) { return QByteArray(stateWord(f.state)) + QByteArray::number(f.runAt_ms) + "; "; });
            });
    }

    void heartbeat()
    {
        const Held held = anyHeld();
        std::optional<Progress> progress;
        if (m_random.bounded(2))
            progress = Progress{double(m_random.bounded(5)), 5, "p"};
        both<QList<Result<Heartbeat>>>([&](const engine::Moment &at) { return m_engine->heartbeat({{held.id, held.real, progress}}, at); },
            [&](auto done) { m_model->heartbeat({{held.id, held.model, progress}}, done); },
            [](const QList<Result<Heartbeat>> &list) {
                return eachText(list,
                    [](const Heartbeat &h) { return QByteArray::number(h.leaseExpiresAt_ms) + (h.cancel ? " cancel" : ""); });
            });
    }

    void release()
    {
        const Held held = anyHeld();
        ReleaseItem item{held.id, held.real, m_random.bounded(3) == 0 ? m_random.bounded(4'000) : 0, 0, m_random.bounded(3) == 0};
        bothStates([&](const engine::Moment &at) { return m_engine->release({item}, at); },
            [&](auto done) {
                item.lease = held.model;
                m_model->release({item}, done);
            });
    }

    void handOff()
    {
        const Held held = anyHeld();
        HandoffItem item{held.id, held.real, anyKey(), 1'000 * m_random.bounded(1, 20)};
        bothStates([&](const engine::Moment &at) { return alone(m_engine->handOff(item, at)); },
            [&](auto done) {
                item.lease = held.model;
                m_model->handOff(item, [done](const Result<StateNow> &now) { done(QList<Result<StateNow>>{now}); });
            });
    }

    void message()
    {
        const MessageItem item{anyKey(), anyOutcome(), 0};
        both<QList<Result<MessageTaken>>>([&](const engine::Moment &at) { return alone(m_engine->takeMessage(item, at)); },
            [&](auto done) {
                m_model->message(item, [done](const Result<MessageTaken> &taken) { done(QList<Result<MessageTaken>>{taken}); });
            },
            [](const QList<Result<MessageTaken>> &list) {
                return eachText(list, [](const MessageTaken &taken) {
                    return taken.id.text() + stateWord(taken.finished.state) + QByteArray::number(taken.finished.runAt_ms);
                });
            });
    }

    QByteArray anyKey() { return "key" + QByteArray::number(m_random.bounded(3)); }

    void cancel()
    {
        QList<CancelItem> items;
        for (int i = m_random.bounded(1, 3); i > 0; --i)
            items.append({anyJob(), m_random.bounded(2) == 0, "somebody"});
        bothStates([&](const engine::Moment &at) { return m_engine->cancel(items, at); }, [&](auto done) { m_model->cancel(items, done); });
    }

    void retry()
    {
        const QList<RetryItem> items = {RetryItem(anyJob()), RetryItem(anyJob(), "somebody")};
        bothStates([&](const engine::Moment &at) { return m_engine->retry(items, at); }, [&](auto done) { m_model->retry(items, done); });
    }

    void edit()
    {
        EditItem item;
        item.id = anyJob();
        if (const Result<Job> job = m_engine->job(item.id); job.ok())
            item.before = job->spec;
        item.after = item.before;
        if (m_random.bounded(3) == 0)
            item.after.priority = m_random.bounded(-2, 3);
        if (m_random.bounded(3) == 0)
            item.after.maxRetry = m_random.bounded(4);
        if (m_random.bounded(2))
            item.after.argument = m_random.bounded(4) ? valueOf(m_random.bounded(1, 3), 'e') : valueOf(m_random.bounded(4'000, 6'000), 'e');
        if (m_random.bounded(3) == 0)
            item.runAt_ms = m_model->now_ms + m_random.bounded(-5'000, 5'000);
        if (m_random.bounded(8) == 0)
            item.before.timeout_ms += 1; // the job has changed since it was read
        item.oldValues = "\x80";
        item.by = "somebody";
        bothStates([&](const engine::Moment &at) { return alone(m_engine->edit(item, at)); },
            [&](auto done) { m_model->edit(item, [done](const Result<StateNow> &now) { done(QList<Result<StateNow>>{now}); }); });
    }

    void track(const JobId &id, bool tracked)
    {
        bothDone([&](const engine::Moment &at) { return m_engine->track(id, tracked, at); },
            [&](auto done) { m_model->track(id, tracked, done); });
    }

    void editResult()
    {
        const QList<QPair<qint64, JobId>> waiting = m_model->resultsByEnd();
        const JobId id = waiting.isEmpty() || m_random.bounded(4) == 0 ? anyJob() : waiting[m_random.bounded(int(waiting.size()))].second;
        const qint64 ttl_ms = m_random.bounded(2) ? m_random.bounded(1, 50) * 1'000 : 0;
        bothDone(
            [&](const engine::Moment &at) {
                return ttl_ms > 0 ? m_engine->extendResult(id, ttl_ms, at) : m_engine->discardResult(id, at);
            },
            [&](auto done) { m_model->editResult(id, ttl_ms, done); });
    }

    void trash()
    {
        const QList<JobId> ids{anyJob(), anyJob()};
        if (m_random.bounded(2)) {
            bothStates([&](const engine::Moment &at) { return m_engine->moveToTrash(ids, "somebody", at); },
                [&](auto done) { m_model->moveToTrash(ids, "somebody", done); });
            return;
        }
        const QList<JobId> deleted = m_model->marked(true);
        const QList<JobId> back{deleted.isEmpty() ? anyJob() : deleted[m_random.bounded(int(deleted.size()))], anyJob()};
        bothStates([&](const engine::Moment &at) { return m_engine->restore(back, "somebody", at); },
            [&](auto done) { m_model->restore(back, "somebody", done); });
    }

    void result()
    {
        const JobId id = anyJob();
        const QByteArray receipt = m_random.bounded(2) ? "r" + QByteArray::number(m_random.bounded(2)) : QByteArray();
        const Fetch fetch = m_random.bounded(4) ? Fetch::First : Fetch::Waited;
        const auto show = [](const ResultNow &now) {
            return QByteArray::number(int(now.status)) + ' ' + now.outcome.toHex()
                + (now.status == ResultStatus::Pending ? stateWord(now.state) : "");
        };
        if (m_random.bounded(4) == 0)
            QCOMPARE(show(m_engine->peekResult(id)), show(*await<ResultNow>([&](auto done) { m_model->peekResult(id, done); })));
        else
            both<ResultNow>([&](const engine::Moment &at) { return m_engine->takeResult(id, receipt, fetch, at); },
                [&](auto done) { m_model->takeResult(id, receipt, fetch, done); }, show);
    }

    void passTime()
    {
        static constexpr qint64 steps_ms[] = {1, 500, 1'000, 2'000, 5'000, 30'000, 90'000'000};
        const int choice = m_random.bounded(30); // the long step, over the retention of successes, comes seldom
        m_model->now_ms += steps_ms[choice == 0 ? 6 : choice % 6];
        sweep();
    }

    void sweep()
    {
        Swept all;
        both<Swept>(
            [&](const engine::Moment &at) {
                engine::Decided<Swept> swept = m_engine->sweep(at);
                all = swept.answer;
                return swept;
            },
            [&](auto done) { m_model->sweep(done); }, [](const Swept &swept) { return text(swept); });
        QVERIFY(!all.more); // a walk has fewer jobs than one sweep takes
        QCOMPARE(all.nextDue_ms, m_engine->nextDue_ms());
    }

    // A leader that healed Redis sends its last batches again.
    void sendAgain()
    {
        const Records before = m_records;
        for (const engine::Writes &writes : std::as_const(m_last))
            m_records.apply(writes);
        QVERIFY(m_records == before);
    }

    // Another leader goes on from what was written. Of the counters, those since the last sweep would be lost.
    void restart()
    {
        sweep();
        Result<std::unique_ptr<engine::Engine>> loaded = m_records.load(m_settings, m_model->now_ms);
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message().constData());
        m_engine = std::move(*loaded);
    }

    // At the end all jobs are cancelled and purged: then Redis has counters only.
    void drain()
    {
        for (int round = 0; round < 8 && !QTest::currentTestFailed(); ++round) { // ends of groups bring further jobs
            QList<JobId> living;
            for (const JobState state : {JobState::Scheduled, JobState::Depends, JobState::Ready, JobState::Running, JobState::Awaiting}) {
                PageRequest all;
                all.state = state;
                all.limit = 10'000;
                for (const Job &job : m_engine->page(all).jobs)
                    living.append(job.id);
            }
            for (const JobId &id : std::as_const(living))
                bothStates([&](const engine::Moment &at) { return m_engine->cancel({{id, true}}, at); },
                    [&](auto done) { m_model->cancel({{id, true}}, done); });
            for (const JobId &id : m_model->marked(false))
                track(id, false);
            m_model->now_ms += 31LL * 86'400'000;
            sweep();
            check();
        }
        QCOMPARE(m_engine->counts().count(JobState::Ready, JobState::Scheduled, JobState::Depends, JobState::Running, JobState::Awaiting,
                     JobState::Succeeded, JobState::Failed, JobState::Cancelled), 0);
        for (const QByteArray &key : m_records.keys())
            QVERIFY2(key == engine::segmentsKey || key == engine::namesKey || key == engine::totalsKey || key == engine::retentionKey,
                key.constData());
        QVERIFY(m_records.hash(engine::segmentsKey).size() <= 1); // the segment that is being filled
    }

    // The first pages of a state, from one of its ends.
    void checkPages()
    {
        constexpr JobState states[] = {JobState::Scheduled, JobState::Depends, JobState::Ready, JobState::Running,
            JobState::Awaiting, JobState::Succeeded, JobState::Failed, JobState::Cancelled};
        PageRequest request;
        request.state = states[m_random.bounded(int(std::size(states)))];
        request.name = request.state == JobState::Ready && m_random.bounded(2) ? "b" : "";
        request.limit = 1 + m_random.bounded(4);
        request.reversed = m_random.bounded(2);
        const auto idsOf = [](const Page &page) {
            QList<JobId> ids;
            for (const Job &job : page.jobs)
                ids.append(job.id);
            return ids;
        };
        for (int read = 0; read < 3; ++read) {
            const Page page = m_engine->page(request);
            const Result<Page> expected = await<Page>([&](auto done) { m_model->page(request, done); });
            QCOMPARE(idsOf(page), idsOf(*expected));
            QCOMPARE(page.orders, expected->orders);
            QCOMPARE(page.total, expected->total);
            QCOMPARE(page.end, expected->end);
            QCOMPARE(page.last, expected->last);
            request.after = page.last;
            if (page.end)
                return;
        }
    }

    // All pages of the tracked jobs, or of those in the trash.
    void checkMarked(JobSet set)
    {
        SetPageRequest request;
        request.set = set;
        request.limit = 1 + m_random.bounded(4);
        const QList<JobId> expected = m_model->marked(set == JobSet::Trash);
        for (qsizetype read = 0;; read += request.limit) {
            const Page page = m_engine->marked(request);
            QList<JobId> ids;
            for (const Job &job : page.jobs)
                ids.append(job.id);
            QCOMPARE(ids, expected.mid(read, request.limit));
            QCOMPARE(page.total, expected.size());
            QCOMPARE(page.end, read + request.limit >= expected.size());
            if (page.end)
                return;
            request.after = page.last;
        }
    }

    // All pages of the results that wait.
    void checkResults()
    {
        ResultsRequest request;
        request.limit = 1 + m_random.bounded(4);
        const QList<QPair<qint64, JobId>> expected = m_model->resultsByEnd();
        for (qsizetype read = 0;; read += request.limit) {
            const ResultPage page = m_engine->results(request);
            QList<QPair<qint64, JobId>> rows;
            for (const KeptResult &result : page.results) {
                rows.append({result.expiresAt_ms, result.id});
                QCOMPARE(result.bytes, m_engine->result(result.id)->bytes);
                QCOMPARE(result.name.isEmpty(), m_engine->resultOwner(result.id).ok());
            }
            QCOMPARE(rows, expected.mid(read, request.limit));
            QCOMPARE(page.total, expected.size());
            QCOMPARE(page.end, read + request.limit >= expected.size());
            if (page.end)
                return;
            request.after = rows.last();
        }
    }

    void checkGroup()
    {
        const QByteArray name = anyGroup();
        const GroupCaller caller = anyCaller();
        const std::function<quint64()> none = [] { return 0; };
        const auto show = [](const Group &group) { return text(group); };
        isSame(text(m_engine->group(name, caller, {m_model->now_ms, none, &m_isToken}), show),
            text(await<Group>([&](auto done) { m_model->group(name, caller, done); }), show));
    }

    void check()
    {
        checkPages();
        checkGroup();
        checkMarked(JobSet::Trash);
        checkMarked(JobSet::Tracked);
        checkResults();
        if (QTest::currentTestFailed())
            return;
        QCOMPARE(m_records.misfits(), 0);
        QList<QByteArray> unread;
        const Result<std::unique_ptr<engine::Engine>> loaded = m_records.load(m_settings, m_engine->now_ms(), &unread);
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message().constData());
        QCOMPARE(engine::difference(*m_engine, **loaded), QByteArray());
        QCOMPARE(unread, QList<QByteArray>());
        QCOMPARE(text(m_engine->counts()), text(*await<Overview>([&](auto done) { m_model->counts(done); })));
        const QByteArray after = m_random.bounded(2) ? QByteArray() : QByteArray("b");
        QCOMPARE(text(m_engine->names(3, after)), text(*await<QList<NameRow>>([&](auto done) { m_model->names(3, after, done); })));
        for (int i = 0; i < 5; ++i) {
            const JobId id = anyJob();
            Result<Job> expected = await<Job>([&](auto done) { m_model->get(id, done); });
            if (expected.ok() && expected->state != JobState::Depends)
                expected->dependenciesLeft = 0; // the scripts keep the number of a job that was cancelled meanwhile
            isSame(shown(m_engine->job(id)), shown(expected));
        }
    }

    // QCOMPARE would cut long texts.
    static void isSame(const QByteArray &real, const QByteArray &model) { QVERIFY2(real == model, (real + "\n" + model).constData()); }

    static QByteArray shown(const Result<Job> &result)
    {
        return text(result, [](const Job &job) {
            QByteArray out = text(job) + job.outcome.toHex() + (job.resultKept ? " kept " : " ") + job.holder
                + (job.tracked ? " tracked " : " ") + QByteArray::number(job.deletedAt_ms);
            for (const Attempt &attempt : job.attempts)
                out += text(attempt);
            for (Event event : job.events) {
                if (event.what == "then_refused")
                    event.details.clear(); // the model does not tell why
                out += text(event);
            }
            return out;
        });
    }

    // Each item's answer, or the word of its error.
    template<typename T, typename Show>
    static QByteArray eachText(const QList<Result<T>> &list, Show show)
    {
        QByteArray out;
        for (const Result<T> &item : list)
            out += text(item, show) + ' ';
        return out;
    }

    // One answer as a list of one.
    template<typename T>
    static engine::Decided<QList<Result<T>>> alone(engine::Decided<Result<T>> decided)
    {
        return {{std::move(decided.answer)}, std::move(decided.writes), std::move(decided.wake)};
    }

    template<typename Decide, typename Ask>
    void bothStates(Decide decide, Ask ask)
    {
        both<QList<Result<StateNow>>>(decide, ask, [](const QList<Result<StateNow>> &list) {
            return eachText(list,
                [](const StateNow &now) { return QByteArray(stateWord(now.state)) + (now.cancelRequested ? " asked" : ""); });
        });
    }

    template<typename Decide, typename Ask>
    void bothDone(Decide decide, Ask ask)
    {
        both<QList<Result<Done>>>([&](const engine::Moment &at) { return alone(decide(at)); },
            [&](auto done) { ask([done](const Result<Done> &one) { done(QList<Result<Done>>{one}); }); },
            [](const QList<Result<Done>> &list) { return eachText(list, [](const Done &) { return QByteArray("done"); }); });
    }

    // Asks the engine and then the model, compares their answers, and writes what the engine decided.
    template<typename T, typename Decide, typename Ask, typename Show>
    void both(Decide decide, Ask ask, Show show)
    {
        const std::function<quint64()> bits = [this] { return m_random.generate64(); };
        // The clock of a call may be behind that of the call before.
        const bool late = m_engine->now_ms() == m_model->now_ms && m_random.bounded(4) == 0;
        const engine::Decided<T> real = decide(engine::Moment{m_model->now_ms - (late ? m_random.bounded(5'000) : 0), bits, &m_isToken});
        written(real);
        const Result<T> model = await<T>([&](auto done) { ask(done); });
        const QByteArray said = show(real.answer);
        isSame(said, text(model, show));
    }

    template<typename T>
    void written(const engine::Decided<T> &decided)
    {
        m_records.apply(decided.writes);
        m_last.append(decided.writes);
        if (m_last.size() > 5)
            m_last.removeFirst();
    }

    Held anyHeld() { return m_held.isEmpty() ? Held{anyJob(), "1.x", "1.x"} : m_held[m_random.bounded(int(m_held.size()))]; }
    JobId anyJob() { return m_jobs.isEmpty() ? m_ids.make(m_model->now_ms) : m_jobs[m_random.bounded(int(m_jobs.size()))]; }

    const std::function<bool(const QByteArray &)> m_isToken = [this](const QByteArray &id) { return m_model->tokens.contains(id); };
    engine::Settings m_settings;
    std::unique_ptr<engine::Engine> m_engine;
    std::unique_ptr<ModelStore> m_model;
    Records m_records;
    IdMaker m_ids;
    QRandomGenerator m_random;
    QList<JobId> m_jobs;
    QList<Held> m_held;
    QList<EnqueueItem> m_pushed;
    QList<engine::Writes> m_last;        // of the last calls
    int m_steps = 0;
};

JUNBAN_TEST(TestEngineWalk)
#include "test_enginewalk.moc"
