#include "core/redis/redisstore.h"
#include "tests/support/await.h"
#include "tests/support/redisserver.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

namespace {

JobSpec jobNamed(const char *name, qint32 priority = 0)
{
    JobSpec spec;
    spec.name = name;
    spec.priority = priority;
    return spec;
}

Outcome success(const char *hex = "07")
{
    Outcome outcome;
    outcome.finishedAt = "2026-01-01T00:00:00Z";
    outcome.result = QByteArray::fromHex(hex);
    return outcome;
}

Outcome failure(bool retry = true)
{
    Outcome outcome;
    outcome.type = OutcomeType::Failure;
    outcome.finishedAt = "2026-01-01T00:00:00Z";
    outcome.shouldRetry = retry;
    outcome.message = "it broke";
    return outcome;
}

} // namespace

// The transitions of docs/semantics.md on a real Redis whose scripts read a test clock.
class TestStore : public QObject
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
    void init()
    {
        m_server.cli({QStringLiteral("FLUSHALL")});
        m_clock = std::make_unique<Clock>();
        m_store = std::make_unique<redis::RedisStore>(*m_link, nullptr, "test", *m_clock, redis::ScriptClock::TestKey);
        m_now_ms = 1'750'000'000'000;
        setTime();
    }
    void cleanup() { m_store.reset(); }

    void jobsAreClaimedByPriorityThenByOrder()
    {
        const JobId late = push(jobNamed("a", 5));
        const JobId first = push(jobNamed("b", -1));
        const JobId second = push(jobNamed("a", -1));
        const JobId last = push(jobNamed("c", 5));
        const auto jobs = claim({}, 10);
        QCOMPARE(idsOf(jobs), (QList<JobId>{first, second, late, last}));
        QCOMPARE(jobs[0].attempt, 1);
        QCOMPARE(jobs[0].deadline_ms, m_now_ms + 30'000);
        QVERIFY(claim({}, 1).isEmpty());
    }

    void aClaimForNamesGetsOnlyThose()
    {
        push(jobNamed("a"));
        const JobId b = push(jobNamed("b", 3));
        const JobId c = push(jobNamed("c", 2));
        QCOMPARE(idsOf(claim({"b", "c", "unknown"}, 10)), (QList<JobId>{c, b}));
        QCOMPARE(counts().count(JobState::Ready), 1);
    }

    void oneCallServesClaimsWithTheSameNamesInTheirOrder()
    {
        QList<JobId> pushed;
        for (int i = 0; i < 5; ++i)
            pushed.append(push(jobNamed("a")));
        const auto reply = finishAndClaim({}, {{"w1", {}, 2, 0}, {"w2", {}, 2, 0}, {"w3", {"a"}, 2, 0}});
        QCOMPARE(idsOf(reply.claimed[0].jobs), pushed.mid(0, 2));
        QCOMPARE(idsOf(reply.claimed[1].jobs), pushed.mid(2, 2));
        QCOMPARE(idsOf(reply.claimed[2].jobs), pushed.mid(4, 1));
        QCOMPARE(get(pushed[2]).worker, QByteArray("w2"));
    }

    void aSuccessIsFinalAndItsResultIsTakenOnce()
    {
        JobSpec spec = jobNamed("a");
        spec.keepResult = true;
        const JobId id = push(spec);
        QCOMPARE(take(id).status, ResultStatus::Pending);
        const ClaimedJob job = claim({}, 1).first();
        QCOMPARE(finish(job, success("93c0c203")).value().state, JobState::Succeeded);
        QCOMPARE(peek(id).status, ResultStatus::Ready);
        QCOMPARE(take(id).outcome, success("93c0c203").packed());
        QCOMPARE(take(id).status, ResultStatus::Gone);
        QCOMPARE(get(id).state, JobState::Succeeded);
    }

    void theSameReceiptGetsTheSameResultAgainForAMinute()
    {
        JobSpec spec = jobNamed("a");
        spec.keepResult = true;
        const JobId id = push(spec);
        QVERIFY(finish(claim({}, 1).first(), success()).ok());
        QCOMPARE(take(id, "mine").status, ResultStatus::Ready);
        QCOMPARE(take(id, "mine").outcome, success().packed());
        QCOMPARE(take(id, "other").status, ResultStatus::Gone);
        QCOMPARE(take(id).status, ResultStatus::Gone);
    }

    void whoWaitedForTheResultOfASharedJobGetsItAfterTheFirst()
    {
        JobSpec spec = jobNamed("a");
        spec.keepResult = true;
        spec.unique = Unique{"k", UniqueUntil::Finished, OnConflict::Coalesce};
        const JobId id = push(spec);
        QCOMPARE(push(spec), id);
        QVERIFY(finish(claim({}, 1).first(), success()).ok());
        QCOMPARE(take(id, "first").status, ResultStatus::Ready);
        const auto waited = await<ResultNow>([&](auto done) { m_store->takeResult(id, "second", Fetch::Waited, done); });
        QCOMPARE(waited->outcome, success().packed());
        QCOMPARE(take(id, "third").status, ResultStatus::Gone);
    }

    void aResultThatIsNotKeptIsGoneAtOnce()
    {
        const JobId id = push(jobNamed("a"));
        QCOMPARE(take(id).status, ResultStatus::Gone);
    }

    void aFailureIsTriedAgainAfterItsBackoff()
    {
        JobSpec spec = jobNamed("a", 4);
        spec.maxRetry = 2;
        const JobId id = push(spec);
        const Finished first = finish(claim({}, 1).first(), failure(), 0.5).value();
        QCOMPARE(first.state, JobState::Scheduled);
        QCOMPARE(first.runAt_ms, m_now_ms + 2'200); // base 2 s, jitter 0.2, half of it drawn
        QVERIFY(claim({}, 1).isEmpty());
        m_now_ms += 2'200;
        setTime();
        QCOMPARE(sweep().promoted, 1);
        const ClaimedJob again = claim({}, 1).first();
        QCOMPARE(again.attempt, 2);
        QCOMPARE(finish(again, failure()).value().runAt_ms, m_now_ms + 4'000);
        m_now_ms += 4'000;
        setTime();
        sweep();
        QCOMPARE(finish(claim({}, 1).first(), failure()).value().state, JobState::Failed);
        const Job job = get(id);
        QCOMPARE(job.failures, 3);
        QCOMPARE(job.reason, QByteArray("other"));
        QCOMPARE(job.attempts.size(), 3);
        QCOMPARE(job.attempts[0].message, QByteArray("it broke"));
        QCOMPARE(job.outcome, failure().packed());
    }

    void aBackoffIsCappedBeforeItsJitterIsAdded()
    {
        JobSpec spec = jobNamed("a");
        spec.maxRetry = 9;
        spec.backoff = {2'000, 2, 5'000, 0.2};
        push(spec);
        for (const qint64 delay_ms : {2'200, 4'400, 5'500, 5'500}) {
            QCOMPARE(finish(claim({}, 1).first(), failure(), 0.5)->runAt_ms, m_now_ms + delay_ms);
            m_now_ms += delay_ms;
            setTime();
            QCOMPARE(sweep().promoted, 1);
        }
    }

    void aFailureThatSaysSoIsNotTriedAgain()
    {
        JobSpec spec = jobNamed("a");
        spec.maxRetry = 5;
        push(spec);
        QCOMPARE(finish(claim({}, 1).first(), failure(false)).value().state, JobState::Failed);
    }

    void aLaterRetryAfterWinsOverTheBackoff()
    {
        JobSpec spec = jobNamed("a");
        spec.maxRetry = 1;
        push(spec);
        Outcome outcome = failure();
        outcome.retryAfter_ms = 60'000;
        QCOMPARE(finish(claim({}, 1).first(), outcome).value().runAt_ms, m_now_ms + 60'000);
    }

    void theSameReportAgainGetsTheSameAnswer()
    {
        JobSpec spec = jobNamed("a");
        spec.maxRetry = 1;
        push(spec);
        const ClaimedJob job = claim({}, 1).first();
        const Finished once = finish(job, failure()).value();
        QCOMPARE(finish(job, failure()).value().runAt_ms, once.runAt_ms);
        m_now_ms = once.runAt_ms;
        setTime();
        sweep();
        const ClaimedJob next = claim({}, 1).first();
        QCOMPARE(finish(job, failure()).value().runAt_ms, once.runAt_ms); // remembered after the next claim too
        QCOMPARE(finish(job, success()).error().code, ErrorCode::LeaseLost);
        QCOMPARE(finish(next, success()).value().state, JobState::Succeeded);
        QCOMPARE(finish(next, success()).value().state, JobState::Succeeded);
        QCOMPARE(finish(next, failure()).error().code, ErrorCode::LeaseLost);
    }

    void aLostLeaseIsTriedAgainAndItsWorkerMaySucceedLate()
    {
        JobSpec spec = jobNamed("a");
        spec.maxRetry = 3;
        spec.keepResult = true;
        const JobId id = push(spec);
        const ClaimedJob job = claim({}, 1, 5'000).first();
        QCOMPARE(job.leaseExpiresAt_ms, m_now_ms + 5'000);
        m_now_ms += 5'001;
        setTime();
        QCOMPARE(sweep().expired, 1);
        QCOMPARE(get(id).state, JobState::Scheduled);
        QCOMPARE(finish(job, success()).value().state, JobState::Succeeded);
        QCOMPARE(counts().count(JobState::Scheduled), 0);
        QCOMPARE(take(id).outcome, success().packed());
    }

    void anAttemptPastItsTimeoutFailsWithAnOutcomeTheMasterMade()
    {
        JobSpec spec = jobNamed("a");
        spec.keepResult = true;
        const JobId id = push(spec);
        claim({}, 1);
        m_now_ms += 30'000;
        setTime();
        const Swept swept = sweep();
        QCOMPARE(swept.finished, QList<JobId>{id});
        QCOMPARE(get(id).reason, QByteArray("timeout"));
        Outcome expected;
        expected.type = OutcomeType::Failure;
        expected.reason = FailureReason::Timeout;
        expected.finishedAt = "2025-06-15T15:07:10.000Z";
        expected.message = "The attempt took longer than its timeout.";
        QCOMPARE(take(id).outcome.toHex(), expected.packed().toHex());
    }

    void threeSilentLostLeasesAreAPoisonousJob()
    {
        JobSpec spec = jobNamed("a");
        spec.maxRetry = 100;
        const JobId id = push(spec);
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(claim({}, 1, 1'000).size(), 1);
            m_now_ms += 1'001;
            setTime();
            sweep();
            m_now_ms += 60'000;
            setTime();
            sweep();
        }
        QCOMPARE(get(id).state, JobState::Failed);
        QCOMPARE(get(id).reason, QByteArray("poison"));
    }

    void aHeartbeatRenewsTheLeaseUpToTheDeadline()
    {
        const JobId id = push(jobNamed("a"));
        const ClaimedJob job = claim({}, 1, 10'000).first();
        m_now_ms += 8'000;
        setTime();
        QCOMPARE(heartbeat({id, job.lease, Progress{1, 4, "one"}}).value().leaseExpiresAt_ms, m_now_ms + 10'000);
        QCOMPARE(get(id).progress.total, 4.0);
        m_now_ms += 15'000;
        setTime();
        QCOMPARE(heartbeat({id, job.lease, {}}).value().leaseExpiresAt_ms, job.deadline_ms);
        QCOMPARE(heartbeat({id, "1.wrong", {}}).error().code, ErrorCode::LeaseLost);
    }

    void aReleasedJobIsReadyAgainAndTwentyReleasesAreAFailure()
    {
        const JobId id = push(jobNamed("a"));
        for (int i = 0; i < limits::releases_max; ++i)
            QCOMPARE(release({id, claim({}, 1).first().lease, 0, 0, false}).value().state, JobState::Ready);
        QCOMPARE(release({id, claim({}, 1).first().lease, 0, 0, true}).value().state, JobState::Ready);
        QCOMPARE(release({id, claim({}, 1).first().lease, 0, 0, false}).value().state, JobState::Failed);
    }

    void aJobThatNeverStartedHasLostEveryLeaseAndOneThatIsNotThereIsNotFound()
    {
        ClaimedJob job;
        job.lease = "1.none";
        for (const bool there : {true, false}) {
            job.id = there ? push(jobNamed("a")) : IdMaker().make(m_now_ms);
            const ErrorCode expected = there ? ErrorCode::LeaseLost : ErrorCode::NotFound;
            QCOMPARE(release({job.id, job.lease, 0, 0, false}).error().code, expected);
            QCOMPARE(finish(job, success()).error().code, expected);
            QCOMPARE(heartbeat({job.id, job.lease, {}}).error().code, expected);
        }
    }

    void aJobsHistoryIsBounded()
    {
        const JobId id = push(jobNamed("a"));
        for (int entry = 0; entry <= limits::attempts_kept_max; entry += 2) {
            QVERIFY(finish(claim({}, 1).first(), failure(false)).ok());
            QVERIFY(retry(id).ok());
        }
        const auto entries = [&] { return get(id).attempts.size() + get(id).events.size(); };
        QCOMPARE(entries(), limits::attempts_kept_max);
        QVERIFY(finish(claim({}, 1).first(), failure(false)).ok());
        QCOMPARE(entries(), limits::attempts_kept_max);
    }

    void aCancelStopsWhatWaitsAndFlagsWhatRuns()
    {
        const JobId waiting = push(jobNamed("a"));
        QCOMPARE(cancel({waiting, false}).value().state, JobState::Cancelled);
        QVERIFY(claim({}, 1).isEmpty());
        JobSpec delayed = jobNamed("a");
        delayed.delay_ms = 5'000;
        QCOMPARE(cancel({push(delayed), false}).value().state, JobState::Cancelled);
        QCOMPARE(counts().count(JobState::Scheduled), 0);
        const JobId id = push(jobNamed("a"));
        const ClaimedJob job = claim({}, 1).first();
        QCOMPARE(cancel({id, false}).value().state, JobState::Running);
        QVERIFY(heartbeat({id, job.lease, {}}).value().cancel);
        QCOMPARE(finish(job, failure()).value().state, JobState::Cancelled);
        QCOMPARE(cancel({id, false}).value().state, JobState::Cancelled);
        const JobId forced = push(jobNamed("a"));
        const ClaimedJob dead = claim({}, 1).first();
        QCOMPARE(cancel({forced, true}).value().state, JobState::Cancelled);
        QCOMPARE(finish(dead, success()).error().code, ErrorCode::LeaseLost);
        QCOMPARE(counts().count(JobState::Running), 0);
    }

    void anOperatorRunsAFailedJobAgain()
    {
        const JobId id = push(jobNamed("a"));
        QVERIFY(finish(claim({}, 1).first(), failure()).ok());
        QCOMPARE(retry(id).value().state, JobState::Ready);
        QCOMPARE(get(id).failures, 0);
        const ClaimedJob again = claim({}, 1).first();
        QCOMPARE(again.attempt, 2);
        QVERIFY(finish(again, success()).ok());
        QCOMPARE(retry(id).error().code, ErrorCode::Conflict);
        QCOMPARE(retry(*JobId::fromText("0192f0c1-2222-7333-8444-555555555555")).error().code, ErrorCode::NotFound);
    }

    void anIdempotencyKeyMakesOneJob()
    {
        JobSpec spec = jobNamed("a");
        spec.idempotencyKey = "k";
        const JobId id = push(spec);
        const auto again = enqueue(spec, "");
        QVERIFY(again->duplicate);
        QCOMPARE(again->id, id);
        QVERIFY(!enqueue(spec, "someone else")->duplicate);
        spec.priority = 1;
        QCOMPARE(enqueue(spec, "").error().code, ErrorCode::IdempotencyMismatch);
        QCOMPARE(counts().count(JobState::Ready), 2);
    }

    void theSameEnqueueCallAgainMakesNothingNew()
    {
        const EnqueueItem item{m_ids.make(m_now_ms), jobNamed("a"), {}};
        for (int i = 0; i < 2; ++i) {
            const auto reply = await<QList<Result<Enqueued>>>([&](auto done) { m_store->enqueue({item}, done); });
            QVERIFY(reply.value()[0].ok());
            QVERIFY(!reply.value()[0]->duplicate);
        }
        QCOMPARE(counts().count(JobState::Ready), 1);
        QCOMPARE(counts().totals.enqueued, 1);
    }

    void delayedJobsBecomeReadyInTheirOrder()
    {
        JobSpec spec = jobNamed("a");
        spec.delay_ms = 2'000;
        const JobId later = push(spec);
        spec.delay_ms = 0;
        spec.runAt_ms = m_now_ms + 1'000;
        const JobId sooner = push(spec);
        QCOMPARE(counts().count(JobState::Scheduled), 2);
        QCOMPARE(sweep().nextDue_ms, m_now_ms + 1'000);
        m_now_ms += 1'000;
        setTime();
        const Swept swept = sweep();
        QCOMPARE(swept.promoted, 1);
        QCOMPARE(swept.readyNames, QList<QByteArray>{"a"});
        QCOMPARE(idsOf(claim({}, 5)), QList<JobId>{sooner});
        QCOMPARE(get(later).runAt_ms, m_now_ms + 1'000);
    }

    void aSweepThatCouldNotDoAllSaysSo()
    {
        JobSpec spec = jobNamed("a");
        spec.delay_ms = 1'000;
        for (int i = 0; i <= limits::script_items_max; ++i)
            push(spec);
        QVERIFY(!sweep().more);
        m_now_ms += 1'000;
        setTime();
        const Swept first = sweep(), second = sweep();
        QCOMPARE(first.promoted, limits::script_items_max);
        QVERIFY(first.more);
        QCOMPARE(second.promoted, 1);
        QVERIFY(!second.more);
    }

    void pagesGoThroughEveryStateWithoutGapOrRepeat()
    {
        QList<JobId> pushed;
        for (int i = 0; i < 25; ++i)
            pushed.append(push(jobNamed(i % 3 == 0 ? "a" : i % 3 == 1 ? "b" : "c", i % 4)));
        QList<JobId> seen;
        PageRequest request;
        request.limit = 4;
        for (bool end = false; !end;) {
            const Page page = await<Page>([&](auto done) { m_store->page(request, done); }).value();
            QCOMPARE(page.total, 25);
            for (const Job &job : page.jobs)
                seen.append(job.id);
            end = page.end;
            if (!page.jobs.isEmpty())
                request.after = {page.orders.last(), page.jobs.last().id};
        }
        QCOMPARE(seen, idsOf(claim({}, 100)));
        QCOMPARE(QSet<JobId>(seen.begin(), seen.end()), QSet<JobId>(pushed.begin(), pushed.end()));
    }

    void finishedJobsArePurgedAndTheirResultOutlivesThem()
    {
        JobSpec spec = jobNamed("a");
        spec.keepResult = true;
        spec.resultTtl_ms = 30LL * 86'400'000;
        const JobId id = push(spec);
        QVERIFY(finish(claim({}, 1).first(), success()).ok());
        m_now_ms += qint64(limits::succeeded_kept_s * 1000) + 1;
        setTime();
        QCOMPARE(sweep().purged, 1);
        QCOMPARE(await<Job>([&](auto done) { m_store->get(id, done); }).error().code, ErrorCode::NotFound);
        QCOMPARE(take(id).status, ResultStatus::Ready);
    }

    // Only a change that was made shows that changes can be made.
    void aProbeWrites()
    {
        QVERIFY(await<Done>([&](auto done) { m_store->probe(done); }).ok());
        const auto written = await<redis::Reply>([&](auto done) { m_link->command({"GET", "jq:{test}:probe"}, done); });
        QCOMPARE(written->bytes(), QByteArray::number(m_now_ms));
        const auto left_ms = await<redis::Reply>([&](auto done) { m_link->command({"PTTL", "jq:{test}:probe"}, done); });
        QVERIFY(left_ms->integer() > 0); // and it goes by itself
    }
    // The library of a script stays in Redis from call to call, and what a call gathered must not: what it counts, whom it tells, which
    // lanes and numbers it knows. A call that an error ends leaves everything as it stands then.
    void aCallSeesNothingOfTheOneBefore()
    {
        QList<Hints> told;
        m_store->setHintHandler([&](const Hints &hints) { told.append(hints); });
        const auto ask = [&](const QList<QByteArray> &words) {
            return await<redis::Reply>([&](auto done) { m_link->command(words, done); }).value();
        };
        const JobId first = push(jobNamed("a"));
        const JobId second = push(jobNamed("b"));
        QCOMPARE(ask({"HGET", "jq:{test}:count", "enqueued"}).integer(), 2);
        QVERIFY(cancel({first, false}).ok() && cancel({second, false}).ok());
        QCOMPARE(told.size(), 2);
        QCOMPARE(told[0].finished, QList<JobId>{first});
        QCOMPARE(told[1].finished, QList<JobId>{second});
        QCOMPARE(ask({"HGET", "jq:{test}:count", "cancelled"}).integer(), 2);
        ask({"RENAME", "jq:{test}:count", "kept"});
        ask({"SET", "jq:{test}:count", "no hash"});
        const EnqueueItem item{m_ids.make(m_now_ms), jobNamed("c"), {}};
        // An error ends the first call; the store deletes the key, and calls again.
        const auto again = await<QList<Result<Enqueued>>>([&](auto done) { m_store->enqueue({item}, done); });
        QVERIFY(again.ok() && again->first().ok());
        ask({"RENAME", "kept", "jq:{test}:count"});
        push(jobNamed("d"));
        QCOMPARE(ask({"HGET", "jq:{test}:count", "enqueued"}).integer(), 3);
        ask({"FLUSHALL"}); // all names get other numbers
        setTime();
        const JobId last = push(jobNamed("d"));
        QCOMPARE(idsOf(claim({"d"}, 2)), QList<JobId>{last});
        QVERIFY(claim({"d"}, 1).isEmpty());
    }
    void namesAreCounted()
    {
        push(jobNamed("first"));
        push(jobNamed("second"));
        QVERIFY(finish(claim({"second"}, 1).first(), success()).ok());
        const auto names = await<QList<NameRow>>([&](auto done) { m_store->names(10, {}, done); }).value();
        QCOMPARE(names.size(), 2);
        QCOMPARE(names[0].name, QByteArray("first"));
        QCOMPARE(names[0].ready, 1);
        QCOMPARE(names[1].totals.succeeded, 1);
        QCOMPARE(await<QList<NameRow>>([&](auto done) { m_store->names(10, "first", done); }).value().size(), 1);
    }

    void aJobWhoseIdIsAheadWasCreatedWhenItWasPushed()
    {
        const qint64 pushed_ms = m_now_ms;
        m_now_ms += 700; // the clock of their master is ahead by so much
        JobSpec later = jobNamed("later");
        later.delay_ms = 1'000;
        const JobId plain = push(jobNamed("plain")), scheduled = push(later);
        QCOMPARE(plain.created_ms(), m_now_ms);
        m_now_ms = pushed_ms;
        const JobId exact = push(jobNamed("exact"));
        for (const JobId &id : {plain, scheduled, exact})
            QCOMPARE(get(id).createdAt_ms, pushed_ms);
        QCOMPARE(page(JobState::Ready).first().createdAt_ms, pushed_ms);
        QCOMPARE(page(JobState::Scheduled).first().createdAt_ms, pushed_ms);
        QVERIFY(finish(claim({"plain"}, 1).first(), success()).ok());
        const Job job = get(plain);
        QVERIFY(job.createdAt_ms <= job.startedAt_ms && job.startedAt_ms <= job.finishedAt_ms);
        QCOMPARE(page(JobState::Succeeded).first().createdAt_ms, pushed_ms);
    }

    void theTimesOfAJobDoNotGoBackWithTheClockOfRedis()
    {
        JobSpec spec = jobNamed("a");
        spec.maxRetry = 2;
        spec.backoff = {0, 1, 0, 0};
        const JobId id = push(spec);
        const auto clockBack = [this] { m_now_ms -= 5'000; setTime(); };
        const qint64 first_ms = m_now_ms;
        clockBack();
        ClaimedJob job = claim({}, 1).first();
        QCOMPARE(get(id).startedAt_ms, first_ms);
        clockBack();
        QVERIFY(finish(job, failure()).ok());
        clockBack();
        job = claim({}, 1).first();
        clockBack();
        QVERIFY(finish(job, success()).ok());
        clockBack();
        const Job now = get(id);
        QCOMPARE(now.attempts.size(), 2);
        qint64 last_ms = now.createdAt_ms;
        for (const Attempt &attempt : now.attempts) {
            QVERIFY(attempt.startedAt_ms >= last_ms && attempt.endedAt_ms >= attempt.startedAt_ms);
            last_ms = attempt.endedAt_ms;
        }
        QVERIFY(now.finishedAt_ms >= last_ms && now.startedAt_ms >= now.createdAt_ms);
        const Job row = page(JobState::Succeeded).first();
        QVERIFY(row.createdAt_ms <= row.startedAt_ms && row.startedAt_ms <= row.finishedAt_ms);
    }

private:
    QList<Job> page(JobState state)
    {
        PageRequest request;
        request.state = state;
        return await<Page>([&](auto done) { m_store->page(request, done); }).value().jobs;
    }
    void setTime()
    {
        m_server.cli({QStringLiteral("SET"), QStringLiteral("jq:{test}:testclock"), QString::number(m_now_ms)});
    }
    Result<Enqueued> enqueue(const JobSpec &spec, const QByteArray &owner)
    {
        const EnqueueItem item{m_ids.make(m_now_ms), spec, owner};
        return await<QList<Result<Enqueued>>>([&](auto done) { m_store->enqueue({item}, done); }).value().first();
    }
    JobId push(const JobSpec &spec) { return enqueue(spec, {}).value().id; }
    FinishAndClaimReply finishAndClaim(const QList<FinishItem> &items, const QList<ClaimRequest> &claims)
    {
        return await<FinishAndClaimReply>([&](auto done) { m_store->finishAndClaim(items, claims, done); }).value();
    }
    QList<ClaimedJob> claim(const QList<QByteArray> &names, int limit, qint64 lease_ms = 0)
    {
        return finishAndClaim({}, {{"w", names, limit, lease_ms}}).claimed.first().jobs;
    }
    Result<Finished> finish(const ClaimedJob &job, const Outcome &outcome, double jitter = 0)
    {
        return finishAndClaim({{job.id, job.lease, outcome, jitter}}, {}).finished.first();
    }
    Result<Heartbeat> heartbeat(const HeartbeatItem &item)
    {
        return await<QList<Result<Heartbeat>>>([&](auto done) { m_store->heartbeat({item}, done); }).value().first();
    }
    Result<StateNow> release(const ReleaseItem &item)
    {
        return await<QList<Result<StateNow>>>([&](auto done) { m_store->release({item}, done); }).value().first();
    }
    Result<StateNow> cancel(const CancelItem &item)
    {
        return await<QList<Result<StateNow>>>([&](auto done) { m_store->cancel({item}, done); }).value().first();
    }
    Result<StateNow> retry(JobId id)
    {
        return await<QList<Result<StateNow>>>([&](auto done) { m_store->retry({id}, done); }).value().first();
    }
    Swept sweep()
    {
        return await<Swept>([&](auto done) { m_store->sweep(done); }).value();
    }
    ResultNow take(JobId id, const QByteArray &receipt = {})
    {
        return await<ResultNow>([&](auto done) { m_store->takeResult(id, receipt, Fetch::First, done); }).value();
    }
    ResultNow peek(JobId id)
    {
        return await<ResultNow>([&](auto done) { m_store->peekResult(id, done); }).value();
    }
    Job get(JobId id)
    {
        return await<Job>([&](auto done) { m_store->get(id, done); }).value();
    }
    Overview counts()
    {
        return await<Overview>([&](auto done) { m_store->counts(done); }).value();
    }
    static QList<JobId> idsOf(const QList<ClaimedJob> &jobs)
    {
        QList<JobId> ids;
        for (const ClaimedJob &job : jobs)
            ids.append(job.id);
        return ids;
    }

    RedisServer m_server;
    std::unique_ptr<redis::Link> m_link;
    std::unique_ptr<Clock> m_clock;
    std::unique_ptr<redis::RedisStore> m_store;
    IdMaker m_ids;
    qint64 m_now_ms = 0;
};

JUNBAN_TEST(TestStore)
#include "test_store.moc"
