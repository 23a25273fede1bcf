#include "core/limits/matcher.h"
#include "core/msgpack/msgpackwriter.h"
#include "tests/core/engine/records.h"
#include "tests/support/limitdraws.h"
#include "tests/support/testmain.h"
#include "tests/support/walks.h"

#include <QRandomGenerator>
#include <QTest>
#include <algorithm>
#include <array>

using namespace junban;
using namespace junban::test;
using End = LimitModel::End;

namespace {

constexpr qint64 firstCall_ms = 1'750'000'000'000;
const QList<QByteArray> jobNames{"a", "b", "c"};

// One constraint of a matcher: which buckets it gives to a job, and its limit.
struct DrawnConstraint {
    int by = 0;                  // the key is the job's value modulo this; 0: no `by`; −1: a value that no job has
    bool exempt = false;         // on_missing
    int cost = 1;                // 1 and more: 1 + value modulo this
    ModelLimit limit;
    WindowParameters window;     // of that kind
};
struct DrawnMatcher {
    QList<QByteArray> names;
    int skip = 0;                // jobs whose value is 0 modulo this do not match; 0: all match
    bool enabled = true;
    QList<DrawnConstraint> constraints;
};

int valueOf(const JobSpec &spec)
{
    return int(payload::Reader(spec.argument).next()->integer);
}

Constraint constraintOf(const DrawnConstraint &drawn, const QByteArray &id)
{
    Constraint constraint;
    const ModelLimit &limit = drawn.limit;
    Amount cost;
    if (drawn.cost > 1)
        cost.expression = "1 + job.argument % " + QByteArray::number(drawn.cost);
    if (limit.kind == ModelLimit::Pause) {
        PauseParameters pause;
        if (limit.until_ms >= 0)
            pause.until_ms = limit.until_ms;
        constraint.parameters = pause;
    } else if (limit.kind == ModelLimit::Rate) {
        constraint.parameters = RateParameters{limit.numbers.limit, double(limit.period_ms) / 1000,
            limit.algorithm == ModelLimit::Gcra ? limit.numbers.burst : 1, cost, RateAlgorithm(limit.algorithm), "UTC"};
    } else if (limit.kind == ModelLimit::Window) {
        constraint.parameters = drawn.window;
    } else if (limit.kind == ModelLimit::Share) {
        const auto shareOf = [](const ModelShare &share) {
            const auto given = [](int value) { return value < 0 ? std::nullopt : std::optional<qint64>(value); };
            return ShareOf{given(share.min), given(share.max), share.percent < 0 ? std::nullopt : std::optional<double>(share.percent)};
        };
        ShareParameters share{limit.capacity, {}, shareOf(limit.otherwise), limit.borrow};
        for (const auto &[key, its] : limit.shares)
            share.shares.append({key, shareOf(its)});
        constraint.parameters = share;
    } else if (limit.kind == ModelLimit::Cooldown) {
        constraint.parameters = CooldownParameters{double(limit.numbers.cooldown_ms) / 1000};
    } else if (limit.kind == ModelLimit::Breaker) {
        constraint.parameters = BreakerParameters{double(limit.window_ms) / 1000, limit.samples, limit.failureRate,
            double(limit.openFor_ms) / 1000, limit.factor, double(limit.openMost_ms) / 1000, limit.numbers.probes};
    } else {
        constraint.parameters = ConcurrencyParameters{limit.numbers.limit, cost, {}};
    }
    constraint.id = id;
    if (drawn.by > 0)
        constraint.by = {"job.argument % " + QByteArray::number(drawn.by)};
    else if (drawn.by < 0)
        constraint.by = {"job.argument.missing"};
    constraint.onMissing = drawn.exempt ? OnMissing::Exempt : OnMissing::Share;
    for (const auto &[key, numbers] : limit.overrides) {
        if (drawn.by == 0)
            continue; // it has no keys
        const bool bursts = limit.kind == ModelLimit::Rate && limit.algorithm == ModelLimit::Gcra;
        MsgpackWriter fields;
        if (limit.kind == ModelLimit::Cooldown)
            fields.map(1).text("max").real(double(numbers.cooldown_ms) / 1000);
        else if (limit.kind == ModelLimit::Breaker)
            fields.map(1).text("probes").integer(numbers.probes);
        else
            fields.map(bursts ? 2 : 1).text("limit").integer(numbers.limit);
        if (bursts)
            fields.text("burst").integer(numbers.burst);
        constraint.overrides.append({key, fields.take()});
    }
    constraint.mode = limit.mode == "enforce" ? ConstraintMode::Enforce
        : limit.mode == "observe"             ? ConstraintMode::Observe
                                              : ConstraintMode::Off;
    return constraint;
}

JobMatcher matcherOf(const DrawnMatcher &drawn, const QByteArray &id)
{
    JobMatcher matcher;
    matcher.id = id;
    matcher.title = id;
    matcher.enabled = drawn.enabled;
    matcher.expression = "job.name in [\"" + drawn.names.join("\", \"") + "\"]";
    if (drawn.skip > 0)
        matcher.expression += " && job.argument % " + QByteArray::number(drawn.skip) + " != 0";
    for (qsizetype i = 0; i < drawn.constraints.size(); ++i)
        matcher.constraints.append(constraintOf(drawn.constraints[i], id + '.' + QByteArray::number(i)));
    return matcher;
}

} // namespace

// Choosing the next job under limits, in the engine in memory beside brute force: the admissible job with the smallest (priority, id). A
// walk pushes, claims, reports, edits matchers of every kind that the engine has, and goes on with engines loaded from what was written.
// JUNBAN_LIMITS_SEED repeats a walk; JUNBAN_LONG takes many more.
class TestEngineLimits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theBestAdmissibleJobIsChosen()
    {
        Walks all("JUNBAN_LIMITS_SEED", 60, 40'000);
        Row row("P1 choice under limits of the engine", all, "mismatches");
        while (all.next()) {
            oneWalk(all.seed());
            row.add("operations", m_step);
            if (QTest::currentTestFailed()) {
                qWarning("%s=%u repeats this walk; step %d", all.variable(), all.seed(), m_step);
                return;
            }
        }
    }

    // What is held behind a bucket costs a claim nothing, and what opens it costs what starts.
    void aClaimCostsTheSameHoweverManyAreHeld()
    {
        begin(1);
        m_drawn[0] = DrawnMatcher{{"a"}, 0, true, {{1'000, false, 1, {}}}};
        save(0);
        QList<EnqueueItem> items;
        for (int i = 0; i < 20'000; ++i)
            items.append(item("a", i % 1'000));
        run([&](const auto &at) { return m_engine->enqueue(items, at); });
        const auto claim = [this](int limit) {
            return run([&](const auto &at) { return m_engine->claim({{"w", {}, limit}}, at); }).answer.first().jobs;
        };
        QCOMPARE(claim(2'000).size(), 1'000);
        QCOMPARE(claim(1).size(), 0);
        const auto buckets = m_engine->buckets(m_numbers[0][0], 0);
        QCOMPARE(buckets.buckets.first().waiting, 19);
        const auto held = m_engine->held({m_numbers[0][0]}, 10'000);
        qint64 jobs = 0;
        for (const HeldBucket &bucket : held.buckets)
            jobs += bucket.jobs;
        QCOMPARE(jobs, 19'000LL);
    }

    // A million jobs are not read in one call: what is unread is neither started by the old rules nor passed.
    void jobsAreReadInSlices()
    {
        begin(1);
        QList<EnqueueItem> items;
        for (int i = 0; i < 3'000; ++i)
            items.append(item("a", i == 2'999 ? 1 : 0));
        items.append(item("b", 0));
        run([&](const auto &at) { return m_engine->enqueue(items, at); });
        m_drawn[0] = DrawnMatcher{{"a"}, 0, true, {{2, false, 1, {}}}};
        m_drawn[0]->constraints[0].limit.numbers.limit = 0;
        m_drawn[0]->constraints[0].limit.overrides["1"].limit = 1;
        save(0);
        QCOMPARE(m_engine->unread(), 3'000);
        QList<JobId> started;
        int calls = 0;
        while (m_engine->unread() > 0 && ++calls < 100) {
            const auto claimed = run([&](const auto &at) { return m_engine->claim({{"w", {}, 1}}, at); });
            for (const ClaimedJob &job : claimed.answer.first().jobs)
                started.append(job.id);
            QVERIFY(m_engine->unread() == 0 || claimed.wake.readyNames.contains("a"));
        }
        QVERIFY(calls > 3);
        QCOMPARE(started, QList<JobId>{items[2'999].id});
        QCOMPARE(run([&](const auto &at) { return m_engine->claim({{"w", {}, 5}}, at); }).answer.first().jobs.size(), 1); // of "b"
    }

    // A job that no matcher holds any more waits at no bucket.
    void jobsThatAreHeldNoMoreAreNotCounted()
    {
        begin(1);
        m_drawn[0] = DrawnMatcher{{"a", "b"}, 0, true, {{}}};
        m_drawn[0]->constraints[0].limit.numbers.limit = 0;
        save(0);
        run([&](const auto &at) { return m_engine->enqueue({item("a", 0), item("a", 0), item("b", 0)}, at); });
        m_drawn[0]->names = {"b"};
        save(0);
        run([&](const auto &at) { return m_engine->readOn(10, at); });
        QCOMPARE(m_engine->buckets(m_numbers[0][0], 0).buckets.first().waiting, 1);
        QCOMPARE(run([&](const auto &at) { return m_engine->claim({{"w", {}, 9}}, at); }).answer.first().jobs.size(), 2);
        QCOMPARE(m_engine->buckets(m_numbers[0][0], 0).buckets.first().waiting, 1);
    }

    // A name without matchers does not notice those of others.
    void otherNamesHaveNoLanes()
    {
        begin(1);
        m_drawn[0] = DrawnMatcher{{"a"}, 0, true, {{0, false, 1, {}}}};
        save(0);
        const auto pushed = run([&](const auto &at) { return m_engine->enqueue({item("b", 1)}, at); });
        QCOMPARE(m_engine->unread(), 0);
        const auto gates = m_engine->explain(pushed.answer.first()->id);
        QVERIFY(gates->gates.isEmpty());
    }

    // A job that was a probe when the breaker opened again says nothing about the next time that it is half-open.
    void onlyTheProbesOfThisTimeDecide()
    {
        begin(1);
        DrawnConstraint breaker;
        breaker.limit.kind = ModelLimit::Breaker;
        breaker.limit.numbers.probes = 2;
        breaker.limit.samples = 1;
        m_drawn[0] = DrawnMatcher{{"a"}, 0, true, {breaker}};
        save(0);
        QList<EnqueueItem> items;
        for (int i = 0; i < 9; ++i)
            items.append(item("a", 0));
        run([&](const auto &at) { return m_engine->enqueue(items, at); });
        const auto claim = [this](int limit) {
            return run([&](const auto &at) { return m_engine->claim({{"w", {}, limit}}, at); }).answer.first().jobs;
        };
        const auto end = [this](const ClaimedJob &job, OutcomeType type) {
            FinishItem report{job.id, job.lease, {}, 0};
            report.outcome.type = type;
            report.outcome.finishedAt = "2026-01-01T00:00:00Z";
            QVERIFY(run([&](const auto &at) { return m_engine->finish({report}, at); }).answer.first().ok());
        };
        end(claim(1)[0], OutcomeType::Failure);
        QCOMPARE(claim(9).size(), 0);
        m_now_ms += 5'000;
        const QList<ClaimedJob> early = claim(9);
        QCOMPARE(early.size(), 2);
        end(early[0], OutcomeType::Failure);
        m_now_ms += 5'000;
        const QList<ClaimedJob> probes = claim(9);
        QCOMPARE(probes.size(), 2);
        end(early[1], OutcomeType::Success);
        end(probes[0], OutcomeType::Success);
        QCOMPARE(claim(9).size(), 0);
        end(probes[1], OutcomeType::Success);
        QCOMPARE(claim(9).size(), 4);
    }

    // What is kept for a key that has ready jobs is free again when the last of them goes, however it goes.
    void whatIsKeptForAKeyIsFreeWhenItsJobsGo()
    {
        begin(1);
        DrawnConstraint share;
        share.by = 2;
        share.limit.kind = ModelLimit::Share;
        share.limit.capacity = 2;
        share.limit.borrow = true;
        share.limit.shares["0"].min = 1;
        m_drawn[0] = DrawnMatcher{{"a", "b"}, 0, true, {share}};
        save(0);
        const EnqueueItem kept = item("b", 0);
        run([&](const auto &at) { return m_engine->enqueue({kept, item("a", 1), item("a", 1)}, at); });
        const auto claim = [this] {
            return run([&](const auto &at) { return m_engine->claim({{"w", {"a"}, 9}}, at); }).answer.first().jobs;
        };
        QCOMPARE(claim().size(), 1);
        const auto cancelled = run([&](const auto &at) { return m_engine->cancel({{kept.id, false}}, at); });
        QVERIFY(cancelled.wake.readyNames.contains("a"));
        QCOMPARE(claim().size(), 1);
    }

    // What runs when a window closes that cancels is asked to end: by the window as it was edited last, and also if nobody led just then.
    void aClosingWindowCancelsWhatRuns()
    {
        begin(1);
        const int minute = int(firstCall_ms / 60'000 % 1'440);
        const auto saveWindow = [&](int to, OnClose onClose) {
            DrawnMatcher drawn{{"a"}, 0, true, {{}}};
            drawn.constraints[0].limit.kind = ModelLimit::Window;
            drawn.constraints[0].window = {{ConstraintWindow{{minute, to, "UTC", 0x7f}, {}}}, {}, "UTC", onClose};
            m_drawn[0] = drawn;
            save(0);
        };
        const auto cancelled = [this](const ClaimedJob &job) {
            const HeartbeatItem alive{job.id, job.lease};
            return run([&](const auto &at) { return m_engine->heartbeat({alive}, at); }).answer.first()->cancel;
        };
        const auto passTo = [this](int to) {
            m_now_ms = firstCall_ms / 86'400'000 * 86'400'000 + to * 60'000LL;
            run([&](const auto &at) { return m_engine->sweep(at); });
        };
        saveWindow(minute + 2, OnClose::Cancel);
        run([&](const auto &at) { return m_engine->enqueue({item("a", 0), item("a", 1), item("a", 2)}, at); });
        const auto claim = [&] { return run([&](const auto &at) { return m_engine->claim({{"w", {}, 1}}, at); }).answer.first().jobs; };
        const QList<ClaimedJob> first = claim();
        QCOMPARE(first.size(), 1);
        saveWindow(minute + 4, OnClose::Cancel);
        passTo(minute + 2);
        QVERIFY(!cancelled(first[0]));
        QCOMPARE(m_engine->nextDue_ms() > 0 && m_engine->nextDue_ms() <= m_now_ms + 120'000, true);
        passTo(minute + 4);
        QVERIFY(cancelled(first[0]));
        const Event last = m_engine->job(first[0].id)->events.last();
        QCOMPARE(last.what + ' ' + last.actor, QByteArray("cancel_requested master"));
        QVERIFY(claim().isEmpty()); // it is closed
        saveWindow(minute + 6, OnClose::Finish);
        const QList<ClaimedJob> second = claim();
        passTo(minute + 6);
        QVERIFY(!cancelled(second[0]));
        saveWindow(minute + 8, OnClose::Cancel);
        const QList<ClaimedJob> third = claim();
        QCOMPARE(third.size(), 1);
        m_now_ms += 180'000;
        auto loaded = m_records.load({}, m_now_ms);
        QVERIFY(loaded.ok());
        m_engine = std::move(*loaded);
        run([&](const auto &at) { return m_engine->sweep(at); });
        QVERIFY(cancelled(third[0]));
        QVERIFY(cancelled(second[0])); // it ran when this window was saved
    }

    void kindsThatAreMissingAreNamed()
    {
        JobMatcher matcher;
        matcher.constraints.append(Constraint());
        matcher.constraints[0].parameters = FairParameters();
        QCOMPARE(engine::Engine::lacks(matcher), "fair");
        matcher.constraints[0].parameters = ConcurrencyParameters{1, {}, 5.0};
        QCOMPARE(engine::Engine::lacks(matcher), "reserve_after");
        matcher.constraints[0].parameters = ConcurrencyParameters{1, {}, {}};
        QCOMPARE(engine::Engine::lacks(matcher), "");
    }

private:
    struct Ready {
        JobSpec spec;
        JobId id;
        QList<CarriedBucket> carried = {};
    };
    struct Running {
        Ready job;
        QByteArray lease;
        qint64 expires_ms = 0;
        QList<CarriedBucket> carried;
    };
    struct Scheduled {
        Ready job;
        qint64 due_ms = 0;
    };

    void begin(quint32 seed)
    {
        m_random = QRandomGenerator(seed);
        m_engine = std::make_unique<engine::Engine>();
        m_records = {};
        m_model = {};
        m_ids = IdMaker();
        m_now_ms = firstCall_ms;
        m_drawn = {};
        m_numbers = {};
        m_ready.clear();
        m_running.clear();
        m_scheduled.clear();
        m_waiting.clear();
    }

    void oneWalk(quint32 seed)
    {
        begin(seed);
        const int steps = any(20, 150);
        for (m_step = 0; m_step < steps && !QTest::currentTestFailed(); ++m_step) {
            step();
            if (!QTest::currentTestFailed())
                check(seed % 5 == 0 || m_step % 5 == 0); // a load at each step takes most of the time
        }
    }

    bool chance(int in) { return m_random.bounded(in) == 0; }
    int any(int from, int to) { return m_random.bounded(from, to + 1); }

    void step()
    {
        switch (m_random.bounded(14)) {
        case 0:
        case 1:
        case 2:
        case 3: enqueue(); break;
        case 4:
        case 5:
        case 6: claim(); break;
        case 7:
        case 8: finish(); break;
        case 9: passTime(); break;
        case 10: chance(3) ? switchBreaker() : chance(2) ? changeLimit() : changeMatcher(); break;
        case 11: readOn(); break;
        case 12: chance(2) ? cancel() : passTime(); break;
        case 13: chance(3) ? restart() : explain(); break;
        }
    }

    // ---- The model ----

    QList<CarriedBucket> carriedBy(const JobSpec &spec) const
    {
        QList<CarriedBucket> carried;
        const int value = valueOf(spec);
        for (size_t m = 0; m < m_drawn.size(); ++m) {
            const auto &drawn = m_drawn[m];
            if (!drawn || !drawn->enabled || !drawn->names.contains(spec.name) || (drawn->skip > 0 && value % drawn->skip == 0))
                continue;
            for (qsizetype i = 0; i < drawn->constraints.size(); ++i) {
                const DrawnConstraint &constraint = drawn->constraints[i];
                if (constraint.by < 0 && constraint.exempt)
                    continue;
                QByteArray key = constraint.by < 0 ? "(missing)" : "";
                if (constraint.by > 0)
                    key = QByteArray::number(value % constraint.by);
                const ModelLimit::Kind kind = constraint.limit.kind;
                const bool costs = constraint.cost > 1 && (kind == ModelLimit::Concurrency || kind == ModelLimit::Rate);
                carried.append({m_numbers[m][size_t(i)], key, costs ? 1 + value % constraint.cost : 1});
            }
        }
        return carried;
    }
    bool admits(const JobSpec &spec, qint64 at_ms) const { return m_model.admits(carriedBy(spec), at_ms); }
    const Ready *best(const QList<QByteArray> &names, qint64 at_ms) const
    {
        for (const auto &[order, job] : m_ready) {
            if ((names.isEmpty() || names.contains(job.spec.name)) && admits(job.spec, at_ms))
                return &job;
        }
        return nullptr;
    }
    QByteArray shown(const Ready *job) const
    {
        return job ? job->id.text() + ' ' + job->spec.name + m_model.shown(carriedBy(job->spec), m_now_ms) : QByteArray("none");
    }
    void becomesReady(Ready job)
    {
        job.carried = carriedBy(job.spec);
        m_model.waits(job.carried, 1, m_now_ms);
        m_ready[{job.spec.priority, job.id}] = job;
    }
    void isReadyNoMore(const Ready &job)
    {
        m_model.waits(job.carried, -1, m_now_ms);
        m_ready.erase({job.spec.priority, job.id});
    }

    // ---- Calls ----

    template<typename Call>
    auto run(Call call) -> std::invoke_result_t<Call, const engine::Moment &>
    {
        const std::function<quint64()> bits = [this] { return m_random.generate64(); };
        auto decided = call(engine::Moment{m_now_ms, bits});
        m_records.apply(decided.writes);
        for (const QByteArray &name : decided.wake.readyNames)
            m_waiting.remove(name);
        return decided;
    }

    EnqueueItem item(const QByteArray &name, int value)
    {
        EnqueueItem made;
        made.id = m_ids.make(m_now_ms);
        made.spec.name = name;
        made.spec.timeout_ms = 86'400'000;
        made.spec.argument = MsgpackWriter().integer(value).take();
        made.spec.backoff = {1'000, 2, 60'000, 0};
        return made;
    }

    void enqueue()
    {
        QList<EnqueueItem> items;
        for (int i = any(1, 5); i > 0; --i) {
            EnqueueItem made = item(jobNames[any(0, 2)], any(0, 11));
            made.spec.priority = any(-1, 1);
            made.spec.timeout_ms = chance(3) ? any(1, 4) * 1'000 : made.spec.timeout_ms;
            made.spec.maxRetry = any(0, 2);
            made.spec.delay_ms = chance(6) ? any(1, 2'000) : 0;
            items.append(made);
        }
        run([&](const auto &at) { return m_engine->enqueue(items, at); });
        for (const EnqueueItem &made : std::as_const(items)) {
            if (made.spec.delay_ms > 0)
                m_scheduled.append({{made.spec, made.id}, m_now_ms + made.spec.delay_ms});
            else
                becomesReady({made.spec, made.id});
        }
    }

    void claim()
    {
        QList<ClaimRequest> requests;
        for (int i = chance(3) ? 2 : 1; i > 0; --i) {
            static const QList<QByteArray> sets[] = {{}, {}, {"a"}, {"b", "c"}};
            ClaimRequest request;
            request.worker = "w";
            request.names = sets[any(0, 3)];
            request.limit = any(1, 3);
            request.lease_ms = chance(3) ? 1'000 : 0;
            requests.append(request);
        }
        const auto claimed = run([&](const auto &at) { return m_engine->claim(requests, at); }).answer;
        // Requests of the same names are served one after the other, in the place of the first.
        QList<qsizetype> order;
        for (qsizetype i = 0; i < requests.size(); ++i) {
            for (qsizetype j = 0; j < requests.size(); ++j) {
                if (requests[j].names == requests[i].names && !order.contains(j))
                    order.append(j);
            }
        }
        for (const qsizetype i : std::as_const(order)) {
            for (const ClaimedJob &job : claimed[i].jobs) {
                const Ready *expected = best(requests[i].names, m_now_ms);
                QVERIFY2(expected && expected->id == job.id, (shown(expected) + " expected, and not " + job.id.text()).constData());
                started(*expected, job);
            }
            if (claimed[i].jobs.size() == requests[i].limit)
                continue;
            QCOMPARE(shown(best(requests[i].names, m_now_ms)), QByteArray("none")); // else it was left behind
            for (const QByteArray &name : requests[i].names.isEmpty() ? jobNames : requests[i].names)
                m_waiting.insert(name);
        }
    }

    void started(const Ready &ready, const ClaimedJob &claimed)
    {
        const Ready job = ready;
        isReadyNoMore(ready);
        const QList<CarriedBucket> carried = carriedBy(job.spec);
        m_model.started(job.id.bytes(), carried, m_now_ms);
        m_running.append({job, claimed.lease, claimed.leaseExpiresAt_ms, carried});
        for (const CarriedBucket &bucket : carried) {
            const ModelLimit &limit = m_model.limits().at(bucket.constraint);
            const int used = m_model.used(bucket.constraint, bucket.key);
            if (limit.mode == "enforce" && limit.kind == ModelLimit::Concurrency)
                QVERIFY(used <= limit.of(bucket.key).limit || used == bucket.cost); // I5
        }
    }

    void ended(qsizetype at, End how, JobState state, qint64 runAt_ms, qint64 retryAfter_ms = 0)
    {
        const Running running = m_running.takeAt(at);
        m_model.ended(running.job.id.bytes(), how, retryAfter_ms, m_now_ms);
        if (state == JobState::Ready)
            becomesReady(running.job);
        else if (state == JobState::Scheduled)
            m_scheduled.append({running.job, runAt_ms});
    }

    void finish()
    {
        if (m_running.isEmpty())
            return;
        const qsizetype at = m_random.bounded(int(m_running.size()));
        const Running running = m_running[at];
        const int dice = any(0, 9);
        if (dice < 4) {
            const ReleaseItem release{running.job.id, running.lease, chance(2) ? 0 : any(1, 900), 0, dice < 2};
            const auto state = run([&](const auto &moment) { return m_engine->release({release}, moment); }).answer.first();
            QVERIFY(state.ok());
            ended(at, dice < 2 ? End::Untouched : End::Other, state->state, m_now_ms + release.delay_ms);
            return;
        }
        if (dice < 5) {
            QVERIFY(run([&](const auto &moment) { return m_engine->cancel({{running.job.id, true}}, moment); }).answer.first().ok());
            ended(at, End::Other, JobState::Cancelled, 0);
            return;
        }
        FinishItem report{running.job.id, running.lease, {}, 0};
        report.outcome.finishedAt = "2026-01-01T00:00:00Z";
        report.outcome.type = dice < 8 ? OutcomeType::Success : OutcomeType::Failure;
        report.outcome.shouldRetry = true;
        if (dice >= 8 && chance(2))
            report.outcome.retryAfter_ms = any(1, 3'000);
        const auto finished = run([&](const auto &moment) { return m_engine->finish({report}, moment); }).answer.first();
        QVERIFY(finished.ok());
        ended(at, dice < 8 ? End::Success : End::Failure, finished->state, finished->runAt_ms, report.outcome.retryAfter_ms.value_or(0));
    }

    void cancel()
    {
        if (m_ready.empty())
            return;
        const auto at = std::next(m_ready.begin(), m_random.bounded(int(m_ready.size())));
        const JobId id = at->second.id;
        isReadyNoMore(Ready(at->second));
        QVERIFY(run([&](const auto &moment) { return m_engine->cancel({{id, false}}, moment); }).answer.first().ok());
    }

    void passTime()
    {
        m_now_ms += chance(3) ? any(1, 3'000) : any(1, 400);
        sweep();
    }

    void sweep()
    {
        run([&](const auto &at) { return m_engine->sweep(at); });
        QList<std::pair<qint64, JobId>> late; // in the order in which their leases end: the first may open a breaker
        for (const Running &running : std::as_const(m_running)) {
            if (running.expires_ms <= m_now_ms)
                late.append({running.expires_ms, running.job.id});
        }
        std::sort(late.begin(), late.end());
        for (const auto &[expires_ms, id] : std::as_const(late)) {
            const auto isIt = [&id = id](const Running &running) { return running.job.id == id; };
            const Result<Job> now = m_engine->job(id);
            ended(std::find_if(m_running.begin(), m_running.end(), isIt) - m_running.begin(), End::Expiry, now->state, now->runAt_ms);
        }
        for (qsizetype i = m_scheduled.size() - 1; i >= 0; --i) {
            if (m_scheduled[i].due_ms <= m_now_ms)
                becomesReady(m_scheduled.takeAt(i).job);
        }
    }

    // ---- Matchers ----

    DrawnConstraint drawConstraint()
    {
        DrawnConstraint drawn;
        drawn.by = chance(6) ? -1 : any(0, 4);
        drawn.exempt = chance(2);
        drawn.cost = chance(3) ? any(2, 3) : 1;
        drawn.limit.kind = std::array{ModelLimit::Concurrency, ModelLimit::Concurrency, ModelLimit::Rate, ModelLimit::Rate,
            ModelLimit::Pause, ModelLimit::Window, ModelLimit::Cooldown, ModelLimit::Breaker, ModelLimit::Breaker,
            ModelLimit::Share, ModelLimit::Share}[size_t(any(0, 10))];
        drawn.limit.window_ms = any(2, 10) * 600;
        drawn.limit.algorithm = ModelLimit::Algorithm(any(0, 2));
        drawNumbers(drawn);
        return drawn;
    }

    void drawNumbers(DrawnConstraint &drawn)
    {
        ModelLimit &limit = drawn.limit;
        const bool rate = limit.kind == ModelLimit::Rate;
        const auto numbers = [&] { return ModelLimit::Numbers{any(rate ? 1 : 0, 4), any(1, 4), any(1, 3), any(500, 4'000)}; };
        limit.numbers = numbers();
        limit.overrides.clear();
        if (limit.kind != ModelLimit::Pause && limit.kind != ModelLimit::Window && limit.kind != ModelLimit::Share && chance(2))
            limit.overrides[QByteArray::number(any(0, 3))] = numbers();
        limit.mode = chance(4) ? (chance(2) ? "observe" : "off") : "enforce";
        limit.period_ms = chance(4) ? any(1, 3) * 500 : limit.period_ms;
        if (rate && chance(4))
            limit.algorithm = ModelLimit::Algorithm(any(0, 2));
        if (rate && limit.algorithm != ModelLimit::Gcra) {
            limit.numbers.burst = 1;
            for (auto &[key, own] : limit.overrides)
                own.burst = 1;
        }
        if (limit.kind == ModelLimit::Pause)
            limit.until_ms = chance(3) ? -1 : m_now_ms + any(-500, 2'000);
        if (limit.kind == ModelLimit::Window)
            drawWindow(drawn);
        if (limit.kind == ModelLimit::Share) {
            drawShares(limit);
            drawn.by = drawn.by == 0 ? 2 : drawn.by; // it is needed
        }
        limit.samples = any(1, 4);
        limit.openFor_ms = any(100, 2'000);
    }

    void drawShares(ModelLimit &limit)
    {
        const auto share = [this] {
            ModelShare made;
            if (chance(3))
                made.percent = any(0, 10) * 10;
            else if (chance(2))
                made.min = any(0, 3);
            if (made.percent < 0 && chance(4))
                made.max = any(std::max(0, made.min), 4);
            return made;
        };
        limit.capacity = any(1, 8);
        limit.borrow = chance(2);
        limit.otherwise = share();
        limit.shares.clear();
        for (int n = any(0, 4); n > 0; --n)
            limit.shares[QByteArray::number(any(0, 3))] = share();
        int promised = 0; // more than there is would be refused
        for (const auto &[key, its] : limit.shares)
            promised += its.percent >= 0 ? limit.capacity * its.percent / 100 : std::max(0, its.min);
        if (promised > limit.capacity)
            limit.shares.clear();
    }

    // Hours near the time of the walk, which takes a minute or two.
    void drawWindow(DrawnConstraint &drawn)
    {
        const auto windows = [this](int least, int most) {
            QList<ConstraintWindow> some;
            for (int i = any(least, most); i > 0; --i) {
                const int from = int(firstCall_ms / 60'000 % 1'440) + any(-1, 2);
                some.append(ConstraintWindow{{from, from + any(1, 2), "UTC", 0x7f}, {}});
            }
            return some;
        };
        const int denied = any(0, 1);
        drawn.window = {windows(1 - denied, 2), windows(denied, denied), "UTC", OnClose::Finish};
        const qint64 from_ms = firstCall_ms - 3'600'000;
        drawn.limit.boundaries = boundaries_ms(drawn.window, from_ms, 8);
        if (isOpen(drawn.window, from_ms))
            drawn.limit.boundaries.prepend(from_ms);
    }

    // Saves a drawn matcher as it is now, or deletes the one that there was.
    void save(size_t at)
    {
        const QByteArray id = "m" + QByteArray::number(at);
        const KeptMatcher *known = m_engine->matchers().find(id);
        const std::optional<JobMatcher> before = known ? std::optional(known->matcher) : std::nullopt;
        if (!before && !m_drawn[at])
            return;
        MatcherStore::Save save;
        save.version = m_engine->matchers().version();
        save.id = id;
        save.revision = m_engine->matchers().history(id).last + 1;
        save.who = "somebody";
        if (m_drawn[at])
            save.matcher = matcherOf(*m_drawn[at], id);
        const bool rereads = needsNewEpoch(before ? &*before : nullptr, save.matcher ? &*save.matcher : nullptr);
        save.change = rereads ? EpochChange::New : EpochChange::Keep;
        const auto saved = run([&](const auto &moment) { return m_engine->saveMatcher(save, moment); }).answer;
        QVERIFY2(saved.ok(), saved.ok() ? "" : saved.error().message().constData());
        m_numbers[at].clear();
        for (qsizetype i = 0; m_drawn[at] && i < m_drawn[at]->constraints.size(); ++i) {
            m_numbers[at].push_back(saved->kept.numbers.value(id + '.' + QByteArray::number(i)));
            m_model.set(m_numbers[at].back(), m_drawn[at]->constraints[i].limit);
        }
        for (auto &[order, job] : m_ready) {
            m_model.waits(job.carried, -1, m_now_ms);
            job.carried = carriedBy(job.spec);
            m_model.waits(job.carried, 1, m_now_ms);
        }
        for (Running &running : m_running) {
            const QList<CarriedBucket> carried = carriedBy(running.job.spec);
            const bool same = carried.size() == running.carried.size()
                && std::all_of(carried.begin(), carried.end(), [&](const auto &each) { return running.carried.contains(each); });
            if (!same)
                m_model.recharged(running.job.id.bytes(), carried, LimitModel::Counted::Kept);
            running.carried = carried;
        }
        readSharesOn();
    }

    // Jobs that are not read are not in the backlog of their key, of which the model knows nothing.
    void readSharesOn()
    {
        for (const auto &drawn : m_drawn) {
            const auto shares = [](const DrawnConstraint &constraint) { return constraint.limit.kind == ModelLimit::Share; };
            if (drawn && std::any_of(drawn->constraints.begin(), drawn->constraints.end(), shares))
                run([&](const auto &at) { return m_engine->readOn(100'000, at); });
        }
    }

    void changeLimit()
    {
        const size_t at = size_t(any(0, 3));
        if (!m_drawn[at])
            return changeMatcher();
        for (DrawnConstraint &constraint : m_drawn[at]->constraints)
            drawNumbers(constraint);
        save(at);
    }

    void changeMatcher()
    {
        const size_t at = size_t(any(0, 3));
        if (m_drawn[at] && chance(4)) {
            m_drawn[at].reset();
        } else if (m_drawn[at] && chance(2)) { // other jobs, other keys, other costs of the same constraints
            m_drawn[at]->skip = any(0, 3);
            m_drawn[at]->enabled = !chance(5);
            for (DrawnConstraint &constraint : m_drawn[at]->constraints) {
                constraint.by = chance(2) ? any(constraint.limit.kind == ModelLimit::Share ? 1 : 0, 4) : constraint.by;
                constraint.cost = chance(3) ? any(1, 3) : constraint.cost;
            }
        } else {
            DrawnMatcher drawn;
            for (const QByteArray &name : jobNames) {
                if (chance(2))
                    drawn.names.append(name);
            }
            if (drawn.names.isEmpty())
                drawn.names.append("a");
            drawn.skip = chance(2) ? any(2, 3) : 0;
            for (int i = any(1, 3); i > 0; --i)
                drawn.constraints.append(drawConstraint());
            m_drawn[at] = drawn;
        }
        save(at);
    }

    // All buckets of a breaker, or those of one key.
    void switchBreaker()
    {
        for (size_t m = 0; m < m_drawn.size(); ++m) {
            for (qsizetype i = 0; m_drawn[m] && i < m_drawn[m]->constraints.size(); ++i) {
                if (m_drawn[m]->constraints[i].limit.kind != ModelLimit::Breaker)
                    continue;
                const int number = m_numbers[m][size_t(i)];
                const auto known = m_engine->buckets(number, 0).buckets;
                BreakerSwitch what;
                what.to = chance(2) ? BreakerState::Open : BreakerState::Closed;
                if (chance(2))
                    what.key = QByteArray::number(any(0, 3));
                if (chance(2))
                    what.openFor_ms = any(1, 2'000);
                const auto switched
                    = run([&](const auto &at) { return m_engine->switchBreaker(number, what, at); }).answer;
                QVERIFY(switched.ok());
                int buckets = 0;
                for (const BucketState &bucket : known) {
                    if (what.key && *what.key != bucket.key)
                        continue;
                    ++buckets;
                    if (what.to == BreakerState::Open)
                        m_model.trip(number, bucket.key, what.openFor_ms.value_or(-1), m_now_ms);
                    else
                        m_model.reset(number, bucket.key);
                }
                QCOMPARE(switched->buckets, buckets);
                return;
            }
        }
    }

    void readOn()
    {
        const qint64 left = run([&](const auto &at) { return m_engine->readOn(any(1, 4), at); }).answer;
        QCOMPARE(left, m_engine->unread());
    }

    // ---- What is checked ----

    void explain()
    {
        if (m_ready.empty())
            return;
        const Ready &job = std::next(m_ready.begin(), m_random.bounded(int(m_ready.size())))->second;
        run([&](const auto &at) { return m_engine->claim({{"w", {"nothing"}, 1}}, at); }); // brings the engine's time
        const Result<JobGates> gates = m_engine->explain(job.id);
        QVERIFY(gates.ok());
        const QList<CarriedBucket> carried = carriedBy(job.spec);
        QCOMPARE(gates->gates.size(), carried.size());
        for (const BucketGate &gate : gates->gates) {
            const CarriedBucket bucket{gate.constraint, gate.key, gate.cost};
            QVERIFY2(carried.contains(bucket), shown(&job).constData());
            QVERIFY2(gate.admits == m_model.admits(bucket, m_now_ms), shown(&job).constData());
            if (!gate.ofAllKeys)
                QCOMPARE(gate.used, m_model.used(gate.constraint, gate.key));
            if (!gate.admits && gate.opensAt_ms > 0)
                QVERIFY2(m_model.admits(bucket, gate.opensAt_ms) && !m_model.admits(bucket, gate.opensAt_ms - 1), shown(&job).constData());
        }
        QVERIFY(gates->position >= 0);
    }

    // Another leader goes on from what was written.
    void restart()
    {
        sweep(); // counters are written by it
        Result<std::unique_ptr<engine::Engine>> loaded = m_records.load({}, m_now_ms);
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message().constData());
        m_engine = std::move(*loaded);
        m_waiting.clear();
        readSharesOn();
    }

    void check(bool closely)
    {
        QCOMPARE(m_records.misfits(), 0);
        // A worker that waits is told when it need not wait any more, and the engine knows when time will bring that.
        for (const QByteArray &name : std::as_const(m_waiting)) {
            QCOMPARE(shown(best({name}, m_engine->now_ms())), QByteArray("none"));
            const qint64 later_ms = m_now_ms + any(1, 2'000);
            if (best({name}, later_ms))
                QVERIFY(m_engine->nextDue_ms() > 0 && m_engine->nextDue_ms() <= later_ms);
        }
        if (!closely)
            return;
        QList<QByteArray> unread;
        const Result<std::unique_ptr<engine::Engine>> loaded = m_records.load({}, m_engine->now_ms(), &unread);
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message().constData());
        QCOMPARE(engine::difference(*m_engine, **loaded), QByteArray());
        QCOMPARE(unread, QList<QByteArray>());
        for (size_t m = 0; m < m_drawn.size(); ++m) {
            for (const int number : m_numbers[m]) {
                for (const BucketState &bucket : m_engine->buckets(number, 0).buckets)
                    QCOMPARE(bucket.used, m_model.used(number, bucket.key));
            }
        }
    }

    QRandomGenerator m_random;
    std::unique_ptr<engine::Engine> m_engine;
    Records m_records;
    LimitModel m_model;
    IdMaker m_ids;
    qint64 m_now_ms = firstCall_ms;
    std::array<std::optional<DrawnMatcher>, 4> m_drawn;
    std::array<std::vector<int>, 4> m_numbers;  // of their constraints
    std::map<std::pair<qint32, JobId>, Ready> m_ready;
    QList<Running> m_running;
    QList<Scheduled> m_scheduled;
    QSet<QByteArray> m_waiting;                 // names for which a worker waits that was told nothing since
    int m_step = 0;
};

JUNBAN_TEST(TestEngineLimits)
#include "test_enginelimits.moc"
