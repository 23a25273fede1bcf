#include "core/base/isotime.h"
#include "core/queue/queue.h"
#include "core/queue/scheduler.h"
#include "core/redis/redisschedules.h"
#include "core/redis/redisstore.h"
#include "tests/support/await.h"
#include "tests/support/redisserver.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

namespace {

qint64 at(const char *iso)
{
    return fromIsoTime(iso).value();
}

ScheduleSpec every(qint64 every_ms, const char *name = "tick")
{
    ScheduleSpec spec;
    spec.recurrence.interval = {every_ms, 0};
    spec.job.name = name;
    spec.jobBody = QByteArray::fromHex("81a46e616d65a46a6f6273"); // {"name": "jobs"}
    return spec;
}

} // namespace

// Recurring jobs on a real Redis whose scripts read a test clock: exactly one firing for each due time, whoever asks.
class TestRecurring : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_server.start());
        for (int i = 0; i < masters; ++i) {
            m_links.push_back(std::make_unique<redis::Link>(*redis::Address::fromUrl(m_server.url())));
            m_links.back()->start();
            QTRY_COMPARE(m_links.back()->state(), redis::LinkState::Up);
        }
    }
    void init()
    {
        m_server.cli({QStringLiteral("FLUSHALL")});
        m_clock = std::make_unique<Clock>();
        m_jobs = std::make_unique<redis::RedisStore>(*m_links[0], nullptr, "test", *m_clock, redis::ScriptClock::TestKey);
        for (const auto &link : m_links)
            m_stores.push_back(std::make_unique<redis::RedisSchedules>(*link, "test", *m_clock, redis::ScriptClock::TestKey));
        setTime(1'774'000'000'500);
    }
    void cleanup()
    {
        m_stores.clear();
        m_jobs.reset();
    }

    void aDueTimeFiresOnceHoweverManyAsk()
    {
        save("s", every(1'000));
        for (int round = 1; round <= 5; ++round) {
            setTime(m_now_ms + 1'000);
            // All look before any of them fires, and then each fires what it saw, twice.
            QList<QList<FireItem>> plans;
            for (int master = 0; master < masters; ++master)
                plans.append(planOf(master));
            int fired = 0;
            for (int again = 0; again < 2; ++again) {
                for (int master = 0; master < masters; ++master) {
                    for (const Fired &one : fire(master, plans[master]).fired)
                        fired += again == 0 && !one.stale;
                }
            }
            QCOMPARE(fired, 1);
            QCOMPARE(counts().totals.enqueued, round);
        }
        const Schedule schedule = get("s");
        QCOMPARE(schedule.fired, 5);
        QCOMPARE(schedule.runs.size(), 5);
        QCOMPARE(schedule.runs[0].due_ms, m_now_ms / 1'000 * 1'000);
        QCOMPARE(schedule.runs[0].job, schedule.lastJob);
        QCOMPARE(schedule.lastJobState, JobState::Ready);
    }

    void theSameCallAgainFindsTheJobItMade()
    {
        save("s", every(1'000));
        setTime(m_now_ms + 1'000);
        const QList<FireItem> plan = planOf(0);
        const Fired once = fire(0, plan).fired.first();
        const Fired again = fire(0, plan).fired.first();
        QVERIFY(!again.stale && again.state == JobState::Ready);
        QCOMPARE(again.job, once.job);
        QCOMPARE(counts().count(JobState::Ready), 1);
    }

    void whatIsNotDueFiresForNoOne()
    {
        save("s", every(1'000));
        QVERIFY(due(0).schedules.isEmpty());
        QCOMPARE(due(0).nextDue_ms, 1'774'000'001'000);
        setTime(m_now_ms + 1'000);
        const QList<FireItem> plan = planOf(0);
        setTime(m_now_ms - 501); // a Redis whose clock was set back
        QVERIFY(fire(0, plan).fired.first().stale);
        QCOMPARE(counts().totals.enqueued, 0);
    }

    void aChangeAfterTheLookMakesItsFiringsStale()
    {
        save("s", every(1'000));
        setTime(m_now_ms + 1'000);
        const QList<FireItem> plan = planOf(0);
        QVERIFY(change({"s", ScheduleChangeVerb::Pause}).ok());
        QVERIFY(fire(1, plan).fired.first().stale);
        QVERIFY(change({"s", ScheduleChangeVerb::Delete}).ok());
        QVERIFY(fire(1, plan).fired.first().stale);
        QCOMPARE(counts().totals.enqueued, 0);
    }

    void aSaveLosesNoFiringThatIsDue()
    {
        save("s", every(60'000));
        const qint64 next = get("s").next_ms;
        setTime(next + 10);
        ScheduleSpec renamed = every(60'000, "other");
        renamed.title = "Another title";
        save("s", renamed);
        QCOMPARE(get("s").next_ms, next);
        save("s", every(90'000));
        QCOMPARE(get("s").next_ms, Firings(every(90'000).recurrence).after_ms(m_now_ms).value());
        QVERIFY(get("s").revision == 3 && get("s").createdAt_ms == 1'774'000'000'500);
        QCOMPARE(get("s").spec.title, QByteArray());
    }

    void allowMakesOneMoreJob()
    {
        save("s", every(1'000));
        tick(25);
        QVERIFY(counts().count(JobState::Ready) == 25 && get("s").runs.size() == limits::schedule_runs_kept_max);
        QVERIFY(await<SchedulePage>([&](auto done) { m_stores[0]->list(1, {}, done); }).value().schedules[0].runs.isEmpty());
    }

    void skipMakesNoneWhileTheLastOneHasNotEnded()
    {
        ScheduleSpec spec = every(1'000);
        spec.overlap = Overlap::Skip;
        save("s", spec);
        tick(3);
        QCOMPARE(counts().totals.enqueued, 1);
        const ClaimedJob job = claim();
        tick(2);
        QCOMPARE(counts().totals.enqueued, 1);
        QCOMPARE(get("s").skipped, 4);
        QCOMPARE(get("s").runs[0].outcome, RunOutcome::Skipped);
        QCOMPARE(get("s").runs[0].job, job.id);
        finish(job);
        tick(1);
        QCOMPARE(counts().totals.enqueued, 2);
    }

    void replaceCancelsWhatWaitsAndStopsWhatRuns()
    {
        ScheduleSpec spec = every(1'000);
        spec.overlap = Overlap::Replace;
        save("s", spec);
        tick(2);
        QCOMPARE(counts().count(JobState::Ready), 1);
        QCOMPARE(counts().count(JobState::Cancelled), 1);
        const ClaimedJob job = claim();
        tick(1);
        QCOMPARE(counts().count(JobState::Running), 1);
        QCOMPARE(counts().count(JobState::Ready), 1);
        const Event last = await<Job>([&](auto done) { m_jobs->get(job.id, done); })->events.last();
        QVERIFY(last.what == "cancel_requested" && last.attempt == 1);
        QVERIFY(await<QList<Result<Heartbeat>>>([&](auto done) { m_jobs->heartbeat({{job.id, job.lease}}, done); }).value()[0]->cancel);
        // One that was pushed back, as after a retry, is cancelled too.
        spec.job.delay_ms = 60'000;
        save("s", spec);
        tick(2);
        QCOMPARE(counts().count(JobState::Scheduled), 1);
        QCOMPARE(counts().count(JobState::Cancelled), 3);
        QCOMPARE(get("s").lastJobState, JobState::Scheduled);
    }

    void missedFiringsAreMadeUpForByPolicy()
    {
        for (const auto &[missed, jobs] : {std::pair(Missed::Once, 1), {Missed::All, 4}, {Missed::None, 0}}) {
            cleanup();
            init();
            ScheduleSpec spec = every(600'000);
            spec.missed = missed;
            spec.missedMax = 4;
            save("s", spec);
            setTime(m_now_ms / 600'000 * 600'000 + 6'000'000 + 90'000); // ten are due, the last of them late
            while (!due(0).schedules.isEmpty())
                fire(0, planOf(0));
            QCOMPARE(counts().totals.enqueued, jobs);
            QCOMPARE(get("s").next_ms, m_now_ms - 90'000 + 600'000);
            int passedOver = 0;
            for (const ScheduleRun &run : get("s").runs)
                passedOver += run.passedOver;
            QCOMPARE(passedOver, 10 - jobs);
        }
    }

    void aPausedScheduleFiresNoMoreUntilItIsResumed()
    {
        save("s", every(1'000));
        QVERIFY(change({"s", ScheduleChangeVerb::Pause})->schedule.paused);
        QCOMPARE(get("s").next_ms, 0);
        setTime(m_now_ms + 10'000);
        QVERIFY(due(0).schedules.isEmpty());
        ScheduleChange resume{"s", ScheduleChangeVerb::Resume};
        resume.next_ms = m_now_ms + 500;
        resume.recurrence = "something else";
        QCOMPARE(change(resume).error().code, ErrorCode::Conflict);
        resume.recurrence = get("s").spec.recurrence.packed();
        QVERIFY(!change(resume)->schedule.paused);
        tick(1);
        QCOMPARE(counts().totals.enqueued, 1);
        save("p", every(1'000), true);
        QCOMPARE(get("p").next_ms, 0);
        save("p", every(1'000), false);
        QVERIFY(get("p").next_ms > m_now_ms);
    }

    void runByHandLeavesTheNextDueTimeAlone()
    {
        ScheduleSpec spec = every(60'000);
        spec.overlap = Overlap::Skip;
        save("s", spec, true);
        const Result<FiredAll> first = run("s");
        QCOMPARE(first->fired[0].state, JobState::Ready);
        QCOMPARE(first->hints.readyNames, QList<QByteArray>{"tick"});
        QCOMPARE(run("s").error().code, ErrorCode::Conflict);
        QVERIFY(run("s").error().message().contains(first->fired[0].job.text()));
        QVERIFY(run("s", Overlap::Allow).ok());
        QVERIFY(run("s", Overlap::Replace).ok());
        QCOMPARE(run("missing").error().code, ErrorCode::NotFound);
        QCOMPARE(get("s").next_ms, 0);
        QCOMPARE(get("s").fired, 3);
        QCOMPARE(get("s").skipped, 0);
        QCOMPARE(get("s").runs[0].due_ms, 0);
        QCOMPARE(counts().count(JobState::Ready), 2);
    }

    void revisionsGuardASchedule()
    {
        const auto guarded = [this](Expected expected) {
            return await<ScheduleChanged>([&](auto done) { m_stores[0]->save({"s", every(1'000), expected, {}, m_now_ms + 1}, done); });
        };
        QCOMPARE(guarded({Expected::What::Revision, 1}).error().code, ErrorCode::RevisionMismatch);
        QVERIFY(!guarded({Expected::What::Missing})->before);
        QCOMPARE(guarded({Expected::What::Missing}).error().code, ErrorCode::RevisionMismatch);
        QCOMPARE(guarded({Expected::What::Revision, 1})->before->revision, 1);
        QCOMPARE(guarded({Expected::What::Revision, 1}).error().code, ErrorCode::RevisionMismatch);
        QCOMPARE(change({"s", ScheduleChangeVerb::Delete, {Expected::What::Revision, 1}}).error().code, ErrorCode::RevisionMismatch);
        QCOMPARE(change({"s", ScheduleChangeVerb::Delete, {Expected::What::Revision, 2}})->schedule.revision, 2);
        QCOMPARE(change({"s", ScheduleChangeVerb::Pause}).error().code, ErrorCode::NotFound);
    }

    void aDeletedScheduleLeavesItsJobsAndNothingElse()
    {
        save("s", every(1'000));
        save("t\"}:\n{test", every(1'000));
        tick(2);
        QVERIFY(change({"s", ScheduleChangeVerb::Delete}).ok());
        QVERIFY(change({"t\"}:\n{test", ScheduleChangeVerb::Delete}).ok());
        QCOMPARE(counts().count(JobState::Ready), 4);
        QVERIFY(!keys().contains("sch"));
    }

    void pagesGoByIdWithoutGapOrRepeat()
    {
        QList<QByteArray> saved, seen;
        for (int i = 0; i < 25; ++i) {
            saved.append("schedule " + QByteArray::number(i * 7919 % 1000));
            save(saved.last(), every(60'000));
        }
        std::sort(saved.begin(), saved.end());
        QByteArray after;
        for (bool end = false; !end;) {
            const SchedulePage page = await<SchedulePage>([&](auto done) { m_stores[0]->list(4, after, done); }).value();
            for (const Schedule &schedule : page.schedules)
                seen.append(schedule.id);
            after = seen.last();
            end = page.end;
        }
        QCOMPARE(seen, saved);
    }

    void aPageOfLongSchedulesEndsEarly()
    {
        ScheduleSpec spec = every(60'000);
        spec.jobBody = QByteArray(1'000'000, 'x');
        for (int i = 0; i < 7; ++i)
            save(QByteArray::number(i), spec);
        const auto page = [this](const QByteArray &after) {
            return await<SchedulePage>([&](auto done) { m_stores[0]->list(500, after, done); }).value();
        };
        QVERIFY(page({}).schedules.size() == 5 && !page({}).end && page("4").schedules.size() == 2 && page("4").end);
    }

    void thereAreOnlySoManySchedules()
    {
        m_server.cli({QStringLiteral("EVAL"),
            QStringLiteral("for i = 1, %1 do redis.call('ZADD', 'jq:{test}:sch_ids', 0, i) end").arg(limits::schedules_max),
            QStringLiteral("0")});
        const auto saved = await<ScheduleChanged>([&](auto done) { m_stores[0]->save({"one more", every(1'000), {}, {}, 1}, done); });
        QCOMPARE(saved.error().code, ErrorCode::Conflict);
    }

    void aUniqueJobThatStandsIsNotMadeTwice()
    {
        ScheduleSpec spec = every(1'000);
        spec.job.unique.emplace();
        save("s", spec);
        tick(2);
        QCOMPARE(counts().totals.enqueued, 1);
        QCOMPARE(get("s").runs[0].job, get("s").runs[1].job);
        spec.job.unique->onConflict = OnConflict::Reject;
        save("s", spec);
        tick(1);
        QCOMPARE(get("s").runs[0].outcome, RunOutcome::Refused);
        QCOMPARE(get("s").runs[0].why.name, QByteArray("unique_key_taken"));
        QCOMPARE(run("s").error().code, ErrorCode::Conflict);
    }

    void theNextOfDelayedJobsIsSaid()
    {
        for (const auto &[id, delay_ms] : {std::pair("a", 60'000), {"b", 30'000}, {"c", 90'000}}) {
            ScheduleSpec spec = every(1'000);
            spec.job.delay_ms = delay_ms;
            save(id, spec);
        }
        setTime(m_now_ms + 1'000);
        QCOMPARE(fire(0, planOf(0)).nextDue_ms, m_now_ms + 30'000);
    }

    void whoDependsOnAReplacedJobHearsOfIt()
    {
        ScheduleSpec spec = every(1'000);
        spec.overlap = Overlap::Replace;
        save("s", spec);
        tick(1);
        JobSpec dependent;
        dependent.name = "dependent";
        dependent.dependsOn = {get("s").lastJob};
        const JobId id = m_ids.make(m_now_ms);
        const auto pushed = await<QList<Result<Enqueued>>>([&](auto done) { m_jobs->enqueue({{id, dependent, {}}}, done); });
        QCOMPARE(pushed.value()[0]->state, JobState::Depends);
        tick(1);
        QCOMPARE(await<Job>([&](auto done) { m_jobs->get(id, done); })->reason, QByteArray("dependency"));
    }

    void mastersThatRaceFireEachDueTimeOnce()
    {
        std::vector<std::unique_ptr<Queue>> queues;
        std::vector<std::unique_ptr<Scheduler>> schedulers;
        for (int i = 0; i < masters; ++i) {
            queues.push_back(std::make_unique<Queue>(*m_jobs, *m_clock));
            schedulers.push_back(std::make_unique<Scheduler>(*m_stores[size_t(i)], *queues.back(), *m_clock));
        }
        ScheduleSpec nightly = every(0, "nightly");
        nightly.recurrence.cron = "30 2 * * *";
        nightly.recurrence.tz = "Europe/Berlin";
        setTime(at("2026-03-27T12:00:00Z"));
        await<Done>([&](auto done) { m_jobs->probe(done); }).ok(); // the clock hears of the new time
        QVERIFY(await<ScheduleChanged>([&](auto done) { schedulers[0]->save("n", nightly, {}, {}, done); }).ok());
        for (int i = 0; i < 20; ++i)
            QVERIFY(await<ScheduleChanged>([&](auto done) {
                schedulers[1]->save("t" + QByteArray::number(i), every(3'600'000), {}, {}, done);
            }).ok());
        // Hour by hour over the night in which 02:30 does not exist, each time all of them look at once.
        int hours = 0;
        for (; m_now_ms < at("2026-03-30T12:00:00Z"); ++hours) {
            setTime(m_now_ms + 3'600'000);
            for (const auto &scheduler : schedulers)
                scheduler->start();
            QTRY_COMPARE_WITH_TIMEOUT(counts().totals.enqueued, nightsBy(m_now_ms) + 20 * (hours + 1), 60'000);
            for (const auto &scheduler : schedulers)
                scheduler->stop();
        }
        QList<QByteArray> dues;
        for (const ScheduleRun &run : get("n").runs)
            dues.prepend(isoTime(run.due_ms).left(16));
        QCOMPARE(dues, (QList<QByteArray>{"2026-03-28T01:30", "2026-03-29T01:00", "2026-03-30T00:30"}));
    }

    void schedulesOfAnUnknownZoneDoNotHoldUpTheOthers()
    {
        Queue queue(*m_jobs, *m_clock);
        Scheduler scheduler(*m_stores[0], queue, *m_clock);
        ScheduleSpec elsewhere = every(0, "elsewhere");
        elsewhere.recurrence.cron = "* * * * *";
        elsewhere.recurrence.tz = "Moon/Tranquility";
        for (int i = 0; i < 2 * limits::schedules_due_max; ++i) {
            const ScheduleSave item{"moon" + QByteArray::number(i), elsewhere, {}, {}, m_now_ms + 1};
            QVERIFY(await<ScheduleChanged>([&](auto done) { m_stores[0]->save(item, done); }).ok());
        }
        save("s", every(1'000));
        setTime(m_now_ms + 1'000);
        scheduler.start();
        QTRY_COMPARE(get("s").fired, 1);
        QCOMPARE(counts().totals.enqueued, 1);
        scheduler.stop();
    }

    void aWorkerThatWaitsGetsTheJobOfAFiringAtOnce()
    {
        m_jobs.reset(new redis::RedisStore(*m_links[0], nullptr, "real", *m_clock, redis::ScriptClock::Redis));
        redis::RedisSchedules store(*m_links[0], "real", *m_clock, redis::ScriptClock::Redis);
        Queue queue(*m_jobs, *m_clock);
        Scheduler scheduler(store, queue, *m_clock);
        await<Done>([&](auto done) { m_jobs->probe(done); }).ok();
        scheduler.start();
        QVERIFY(await<ScheduleChanged>([&](auto done) { scheduler.save("s", every(1'000), {}, {}, done); }).ok());
        for (int i = 0; i < 2; ++i) {
            const auto claimed = await<Claimed>([&](auto done) { queue.claim({"w", {"tick"}}, 30'000, done); });
            QCOMPARE(claimed->jobs.size(), 1);
        }
        QVERIFY(await<ScheduleChanged>([&](auto done) { scheduler.pause("s", done); })->schedule.paused);
        QVERIFY(!await<ScheduleChanged>([&](auto done) { scheduler.resume("s", done); })->schedule.paused);
        QVERIFY(await<Fired>([&](auto done) { scheduler.runNow("s", {}, done); }).ok());
        QCOMPARE(await<ScheduleChanged>([&](auto done) { scheduler.resume("none", done); }).error().code, ErrorCode::NotFound);
    }

private:
    static constexpr int masters = 3;

    static int nightsBy(qint64 now_ms)
    {
        int nights = 0;
        for (const char *due : {"2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"})
            nights += at(due) <= now_ms;
        return nights;
    }
    void setTime(qint64 now_ms)
    {
        m_now_ms = now_ms;
        const QList<QByteArray> words{"SET", "jq:{test}:testclock", QByteArray::number(now_ms)};
        await<redis::Reply>([&](auto done) { m_links[0]->command(words, done); }).ok();
    }
    void save(const QByteArray &id, const ScheduleSpec &spec, std::optional<bool> paused = {})
    {
        const qint64 next_ms = Firings(spec.recurrence).after_ms(m_now_ms).value();
        QVERIFY(await<ScheduleChanged>([&](auto done) { m_stores[0]->save({id, spec, {}, paused, next_ms}, done); }).ok());
    }
    Schedule get(const QByteArray &id)
    {
        return await<Schedule>([&](auto done) { m_stores[0]->get(id, done); }).value();
    }
    Result<ScheduleChanged> change(const ScheduleChange &change)
    {
        return await<ScheduleChanged>([&](auto done) { m_stores[1]->change(change, done); });
    }
    DueSchedules due(int master)
    {
        return await<DueSchedules>([&](auto done) { m_stores[size_t(master)]->due(0, done); }).value();
    }
    QList<FireItem> planOf(int master)
    {
        QList<FireItem> items;
        const DueSchedules found = due(master);
        for (const DueSchedule &schedule : found.schedules) {
            for (const PlannedFiring &firing : planFirings(
                     Firings(schedule.recurrence), schedule.next_ms, found.now_ms, schedule.missed, schedule.missedMax, 100))
                items.append({schedule.id, schedule.revision, firing, m_ids.make(m_now_ms)});
        }
        return items;
    }
    FiredAll fire(int master, const QList<FireItem> &items)
    {
        return await<FiredAll>([&](auto done) { m_stores[size_t(master)]->fire(items, done); }).value();
    }
    Result<FiredAll> run(const QByteArray &id, std::optional<Overlap> overlap = {})
    {
        return await<FiredAll>([&](auto done) { m_stores[2]->runByHand({id, m_ids.make(m_now_ms), overlap}, done); });
    }
    void tick(int times)
    {
        for (int i = 0; i < times; ++i) {
            setTime(m_now_ms + 1'000);
            fire(i % masters, planOf(i % masters));
        }
    }
    ClaimedJob claim()
    {
        const auto reply = await<FinishAndClaimReply>([&](auto done) { m_jobs->finishAndClaim({}, {{"w", {}, 1, 0}}, done); });
        return reply->claimed.first().jobs.first();
    }
    void finish(const ClaimedJob &job)
    {
        Outcome outcome;
        outcome.finishedAt = "2026-01-01T00:00:00Z";
        QVERIFY(await<FinishAndClaimReply>([&](auto done) { m_jobs->finishAndClaim({{job.id, job.lease, outcome, 0}}, {}, done); }).ok());
    }
    Overview counts()
    {
        return await<Overview>([&](auto done) { m_jobs->counts(done); }).value();
    }
    QByteArray keys() { return m_server.cli({QStringLiteral("KEYS"), QStringLiteral("*")}); }

    RedisServer m_server;
    std::vector<std::unique_ptr<redis::Link>> m_links;
    std::unique_ptr<Clock> m_clock;
    std::unique_ptr<redis::RedisStore> m_jobs;
    std::vector<std::unique_ptr<redis::RedisSchedules>> m_stores;
    IdMaker m_ids;
    qint64 m_now_ms = 0;
};

JUNBAN_TEST(TestRecurring)
#include "test_recurring.moc"
