#include "tests/core/engine/records.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

namespace {

constexpr qint64 start_ms = 1'750'000'000'000;

Outcome success()
{
    Outcome outcome;
    outcome.finishedAt = "2026-01-01T00:00:00Z";
    return outcome;
}

Outcome failure(bool shouldRetry = true)
{
    Outcome outcome = success();
    outcome.type = OutcomeType::Failure;
    outcome.shouldRetry = shouldRetry;
    outcome.message = "broke";
    return outcome;
}

JobSpec named(const QByteArray &name)
{
    JobSpec spec;
    spec.name = name;
    spec.backoff.jitter = 0;
    return spec;
}

} // namespace

// The transitions of the engine in memory, one function or more for each, by their numbers in docs/semantics.md.
class TestEngine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_now_ms = start_ms;
        m_random = 0;
        m_ids = IdMaker();
        m_records = {};
        m_engine = std::make_unique<engine::Engine>();
    }
    void cleanup() { QCOMPARE(loadedDifference(), QByteArray()); }

    void t1_jobsComeInReadyOrScheduled()
    {
        JobSpec late = named("a");
        late.delay_ms = 5'000;
        JobSpec past = named("b");
        past.runAt_ms = m_now_ms - 1;
        const auto decided = run([&](const auto &at) { return m_engine->enqueue({item(named("a")), item(late), item(past)}, at); });
        QCOMPARE(decided.answer[0]->state, JobState::Ready);
        QCOMPARE(decided.answer[1]->state, JobState::Scheduled);
        QCOMPARE(decided.answer[2]->state, JobState::Ready);
        QCOMPARE(decided.wake.readyNames, (QList<QByteArray>{"a", "b"}));
        QCOMPARE(m_engine->nextDue_ms(), m_now_ms + 5'000);
    }

    void t1_aReadyJobTakesOneFieldOfRedis()
    {
        JobSpec plain;
        plain.name = "a";
        push(plain);
        const auto decided = run([&](const auto &at) { return m_engine->enqueue({item(plain)}, at); });
        QCOMPARE(decided.writes.list().size(), 1);
        QVERIFY(decided.writes.bytes() < 60);
    }

    void t1_anIdFromTheFutureIsCreatedNow()
    {
        EnqueueItem early = item(named("a"));
        early.id = m_ids.make(m_now_ms + 700);
        run([&](const auto &at) { return m_engine->enqueue({early}, at); });
        QCOMPARE(m_engine->job(early.id)->createdAt_ms, m_now_ms);
    }

    void t2_anIdempotencyKeyGivesTheSameJobForADay()
    {
        JobSpec spec = named("a");
        spec.idempotencyKey = "k";
        const JobId first = push(spec);
        const auto again = [&](const JobSpec &with, const QByteArray &owner = {}) {
            EnqueueItem repeated = item(with);
            repeated.owner = owner;
            return run([&](const auto &at) { return m_engine->enqueue({repeated}, at); }).answer.first();
        };
        QCOMPARE(again(spec)->id, first);
        QVERIFY(again(spec)->duplicate);
        QVERIFY(!again(spec, "another token")->duplicate);
        JobSpec other = spec;
        other.priority = 1;
        QCOMPARE(again(other).error().code, ErrorCode::IdempotencyMismatch);
        m_now_ms += 86'400'000 - 1;
        QVERIFY(again(spec)->duplicate);
        m_now_ms += 1;
        QVERIFY(!again(spec)->duplicate);
    }

    void t2_aRepeatedPushIsAnsweredWithTheStateOfAPurgedJob()
    {
        engine::Settings settings;
        settings.retention[2].count = 0;
        use(settings);
        JobSpec spec = named("a");
        spec.idempotencyKey = "k";
        const JobId id = push(spec);
        cancel(id).ok();
        sweep();
        QCOMPARE(m_engine->job(id).error().code, ErrorCode::NotFound);
        const auto decided = run([&](const auto &at) { return m_engine->enqueue({item(spec)}, at); });
        QCOMPARE(decided.answer.first()->id, id);
        QCOMPARE(decided.answer.first()->state, JobState::Cancelled);
    }

    void t3_dueJobsBecomeReady()
    {
        JobSpec spec = named("a");
        spec.delay_ms = 1'000;
        const JobId id = push(spec);
        m_now_ms += 999;
        QCOMPARE(sweep().promoted, 0);
        m_now_ms += 1;
        const Swept swept = sweep();
        QCOMPARE(swept.promoted, 1);
        QCOMPARE(swept.readyNames, QList<QByteArray>{"a"});
        QCOMPARE(m_engine->job(id)->state, JobState::Ready);
    }

    void t4_theBestJobOfTheNamesIsClaimed()
    {
        JobSpec urgent = named("b");
        urgent.priority = -1;
        const JobId a1 = push(named("a")), a2 = push(named("a")), c = push(named("c")), b = push(urgent);
        QCOMPARE(claim({"a", "c"}).id, a1);
        QCOMPARE(claim({}).id, b);
        QCOMPARE(claim({"c", "b"}).id, c);
        QCOMPARE(claim({}).id, a2);
        QVERIFY(run([&](const auto &at) { return m_engine->claim({{"w", {}}}, at); }).answer.first().jobs.isEmpty());
    }

    void t4_theSameRequestAgainHasTheJobsThatItClaimed()
    {
        QList<JobId> ids;
        for (int i = 0; i < 6; ++i)
            ids.append(push(named("a")));
        const auto ask = [this](const QByteArray &request, bool isRepeated, int limit = 2) {
            const ClaimRequest claim{"w", {}, limit, 0, {}, false, request, isRepeated};
            return run([&](const auto &at) { return m_engine->claim({claim}, at); }).answer.first().jobs;
        };
        const auto idsOf = [](const QList<ClaimedJob> &jobs) {
            QSet<JobId> set;
            for (const ClaimedJob &job : jobs)
                set.insert(job.id);
            return set;
        };
        const QList<ClaimedJob> first = ask("one", false), second = ask("two", false);
        QVERIFY(first[0].lease != first[1].lease);
        const QList<ClaimedJob> again = ask("one", true);
        QCOMPARE(idsOf(again), idsOf(first));
        for (const ClaimedJob &job : again) {
            const ClaimedJob &then = job.id == first[0].id ? first[0] : first[1];
            QCOMPARE(job.lease, then.lease);
            QCOMPARE(job.leaseExpiresAt_ms, then.leaseExpiresAt_ms);
            QCOMPARE(job.deadline_ms, then.deadline_ms);
        }
        QCOMPARE(idsOf(ask("two", true)), idsOf(second));
        QVERIFY(finish(first[0], success()).ok());
        QCOMPARE(idsOf(ask("one", true)), QSet<JobId>{first[1].id});
        QVERIFY(finish(first[1], success()).ok());
        QCOMPARE(ask("one", true).size(), 2); // it has none any more, so it gets others
        QCOMPARE(m_engine->counts().byState[size_t(JobState::Running)], 4);
    }

    void t4_aLeaseIsNoLongerThanTheTimeout()
    {
        JobSpec spec = named("a");
        spec.timeout_ms = 10'000;
        push(spec);
        push(spec);
        const ClaimedJob whole = claim({}), brief = claim({}, 4'000);
        QCOMPARE(whole.leaseExpiresAt_ms, m_now_ms + 10'000);
        QCOMPARE(brief.leaseExpiresAt_ms, m_now_ms + 4'000);
        QCOMPARE(brief.deadline_ms, m_now_ms + 10'000);
        QVERIFY(whole.lease.startsWith("1.") && whole.lease.size() == 34 && whole.lease != brief.lease);
    }

    void t5_heartbeatsRenewTheLeaseUpToTheDeadline()
    {
        push(named("a"));
        const ClaimedJob job = claim({}, 20'000);
        m_now_ms += 5'000;
        QCOMPARE(heartbeat(job)->leaseExpiresAt_ms, m_now_ms + 20'000);
        m_now_ms += 10'000;
        QCOMPARE(heartbeat(job)->leaseExpiresAt_ms, job.deadline_ms);
        cancel(job.id).ok();
        QVERIFY(heartbeat(job)->cancel);
    }

    void t6_progressIsShownUntilTheNextClaim()
    {
        push(named("a"));
        const ClaimedJob job = claim({});
        run([&](const auto &at) { return m_engine->heartbeat({{job.id, job.lease, Progress{2, 3, "half"}}}, at); });
        QCOMPARE(m_engine->job(job.id)->progress.message, "half");
        release(job).ok();
        QCOMPARE(m_engine->job(job.id)->progress.done, 2);
        claim({});
        QCOMPARE(m_engine->job(job.id)->progress.total, 0);
    }

    void t7_theTwentyFirstReleaseIsAFailure()
    {
        const JobId id = push(named("a"));
        for (int i = 0; i < limits::releases_max; ++i)
            QCOMPARE(release(claim({}))->state, JobState::Ready);
        QCOMPARE(m_engine->job(id)->releases, 20);
        const ClaimedJob last = claim({});
        QCOMPARE(run([&](const auto &at) { return m_engine->release({{last.id, last.lease, 0, 0, true}}, at); }).answer.first()->state,
            JobState::Ready); // untouched: not counted
        QCOMPARE(release(claim({}))->state, JobState::Failed);
        QCOMPARE(m_engine->job(id)->reason, "other");
    }

    void t8_aSuccessKeepsTheResultIfAskedFor()
    {
        JobSpec spec = named("a");
        spec.keepResult = true;
        push(spec);
        const ClaimedJob job = claim({});
        m_now_ms += 70;
        const auto decided = run([&](const auto &at) { return m_engine->finish({{job.id, job.lease, success()}}, at); });
        QCOMPARE(decided.answer.first()->state, JobState::Succeeded);
        QCOMPARE(decided.answer.first()->worker, "w");
        QCOMPARE(decided.answer.first()->ran_ms, 70);
        QCOMPARE(decided.wake.finished, QList<JobId>{job.id});
        QCOMPARE(m_engine->peekResult(job.id).outcome, success().packed());
        QCOMPARE(m_engine->counts().resultsKept, 1);
        QCOMPARE(take(job.id, "r").outcome, success().packed());
        QCOMPARE(take(job.id, "another").status, ResultStatus::Gone);
        QCOMPARE(m_engine->peekResult(job.id).status, ResultStatus::Gone);
        m_now_ms += 59'999;
        QCOMPARE(take(job.id, "r").outcome, success().packed());
        m_now_ms += 1;
        QCOMPARE(take(job.id, "r").status, ResultStatus::Gone);
    }

    void t8_aResultOutlivesItsJob()
    {
        engine::Settings settings;
        settings.retention[0].count = 0;
        use(settings);
        JobSpec spec = named("a");
        spec.keepResult = true;
        spec.resultTtl_ms = 10'000;
        spec.argument = QByteArray("\xc5\x20\x00", 3) + QByteArray(8'192, 'x');
        push(spec);
        const ClaimedJob job = claim({});
        finish(job, success()).ok();
        QCOMPARE(sweep().purged, 1);
        QCOMPARE(loadedDifference(), QByteArray());
        QCOMPARE(m_engine->peekResult(job.id).status, ResultStatus::Ready);
        m_now_ms += 10'000;
        QCOMPARE(m_engine->counts().resultsKept, 1); // time passes with the next call
        sweep();
        QCOMPARE(m_engine->counts().resultsKept, 0);
        QCOMPARE(take(job.id, "").status, ResultStatus::Gone);
    }

    void t9_aFailureWaitsAndIsTriedAgain()
    {
        JobSpec spec = named("a");
        spec.maxRetry = 2;
        const JobId id = push(spec);
        QCOMPARE(finish(claim({}), failure())->runAt_ms, m_now_ms + 2'000);
        m_now_ms += 2'000;
        sweep();
        Outcome patient = failure();
        patient.retryAfter_ms = 60'000;
        QCOMPARE(finish(claim({}), patient)->runAt_ms, m_now_ms + 60'000);
        QCOMPARE(m_engine->job(id)->failures, 2);
        QCOMPARE(m_engine->job(id)->attempts.size(), 2);
    }

    void t10_aFailureIsFinalWithoutARetryLeft()
    {
        JobSpec spec = named("a");
        spec.maxRetry = 5;
        spec.keepResult = true;
        const JobId id = push(spec);
        const ClaimedJob job = claim({});
        Outcome outcome = failure(false);
        outcome.error = QByteArray("\xc5\x20\x00", 3) + QByteArray(8'192, 'x'); // stands apart in Redis
        QCOMPARE(finish(job, outcome)->state, JobState::Failed);
        QCOMPARE(m_engine->job(id)->reason, "other");
        QCOMPARE(m_engine->job(id)->outcome, outcome.packed());
        QCOMPARE(take(id, "").outcome, outcome.packed());
    }

    void t11_aLeaseThatRunsOutIsAFailure()
    {
        JobSpec spec = named("a");
        spec.maxRetry = 1;
        spec.backoff.base_ms = 0;
        const JobId id = push(spec);
        claim({}, 1'000);
        m_now_ms += 999;
        QCOMPARE(sweep().expired, 0);
        m_now_ms += 1;
        QCOMPARE(sweep().expired, 1);
        QCOMPARE(m_engine->job(id)->state, JobState::Ready);
        claim({}, 1'000);
        m_now_ms += 1'000;
        QCOMPARE(sweep().finished, QList<JobId>{id});
        QCOMPARE(m_engine->job(id)->reason, "timeout");
    }

    void t11_threeSilentLeasesAreAPoison()
    {
        JobSpec spec = named("a");
        spec.maxRetry = 100;
        spec.backoff.base_ms = 0;
        const JobId id = push(spec);
        const auto silently = [&] {
            claim({}, 1'000);
            m_now_ms += 1'000;
            sweep();
            return m_engine->job(id)->state;
        };
        QCOMPARE(silently(), JobState::Ready);
        QCOMPARE(silently(), JobState::Ready);
        const ClaimedJob heard = claim({}, 1'000);
        QVERIFY(heartbeat(heard).ok());
        m_now_ms += 1'000;
        sweep();
        QCOMPARE(silently(), JobState::Ready);
        QCOMPARE(silently(), JobState::Ready);
        QCOMPARE(silently(), JobState::Failed);
        QCOMPARE(m_engine->job(id)->reason, "poison");
        run([&](const auto &at) { return m_engine->retry({RetryItem(id)}, at); });
        QCOMPARE(silently(), JobState::Ready);
        QCOMPARE(silently(), JobState::Ready);
        QCOMPARE(release(claim({}))->state, JobState::Ready);
        QCOMPARE(silently(), JobState::Ready);
    }

    void t12_aLateSuccessCountsUntilTheNextClaim()
    {
        JobSpec spec = named("a");
        spec.maxRetry = 2;
        spec.backoff.base_ms = 0;
        push(spec);
        const ClaimedJob first = claim({}, 1'000);
        m_now_ms += 1'000;
        sweep();
        const ClaimedJob second = claim({}, 1'000);
        QCOMPARE(finish(first, success()).error().code, ErrorCode::LeaseLost);
        m_now_ms += 1'000;
        sweep();
        QCOMPARE(finish(second, failure()).error().code, ErrorCode::LeaseLost);
        QCOMPARE(finish(second, success())->state, JobState::Succeeded);
    }

    void t13_theSameReportGetsTheSameAnswer()
    {
        JobSpec spec = named("a");
        spec.maxRetry = 1;
        push(spec);
        const ClaimedJob job = claim({});
        const qint64 runAt_ms = finish(job, failure())->runAt_ms;
        m_now_ms += 2'000;
        sweep();
        claim({});
        const auto again = run([&](const auto &at) { return m_engine->finish({{job.id, job.lease, failure()}}, at); });
        QCOMPARE(again.answer.first()->runAt_ms, runAt_ms);
        QVERIFY(again.answer.first()->worker.isEmpty());
        QVERIFY(again.writes.isEmpty());
        QCOMPARE(finish(job, success()).error().code, ErrorCode::LeaseLost);
    }

    void t14_anotherLeaseIsLost()
    {
        const JobId id = push(named("a"));
        const auto refused = [&](const QByteArray &lease) {
            return run([&](const auto &at) { return m_engine->finish({{id, lease, success()}}, at); }).answer.first().error().code;
        };
        QCOMPARE(refused(""), ErrorCode::LeaseLost);
        const ClaimedJob job = claim({});
        QCOMPARE(refused("1.0"), ErrorCode::LeaseLost);
        QCOMPARE(refused(""), ErrorCode::LeaseLost);
        QCOMPARE(heartbeat({job.id, {}, 1, "1.0"}).error().code, ErrorCode::LeaseLost);
        QCOMPARE(release({job.id, {}, 1, "1.0"}).error().code, ErrorCode::LeaseLost);
        QCOMPARE(run([&](const auto &at) { return m_engine->finish({{m_ids.make(1), "1.0", success()}}, at); }).answer.first().error().code,
            ErrorCode::NotFound);
    }

    void t15_aMessageEndsAJobThatWasHandedOff()
    {
        JobSpec spec = named("a");
        spec.keepResult = true;
        const JobId id = push(spec);
        const ClaimedJob claimed = claim({});
        QCOMPARE(handOff(claimed, "k")->state, JobState::Awaiting);
        QCOMPARE(m_engine->job(id)->deadline_ms, m_now_ms + 60'000);
        QCOMPARE(m_engine->nextDue_ms(), m_now_ms + 60'000);
        QCOMPARE(handOff(claimed, "other")->state, JobState::Awaiting); // the same call again
        QCOMPARE(finish(claimed, success()).error().code, ErrorCode::LeaseLost);
        push(spec);
        QCOMPARE(handOff(claim({}), "k").error().reason.name, QByteArray("message_key_taken"));
        m_now_ms += 59'999;
        sweep();
        QCOMPARE(message("k", success())->finished.state, JobState::Succeeded);
        QCOMPARE(m_engine->peekResult(id).status, ResultStatus::Ready);
        QCOMPARE(m_engine->job(id)->events.last().what, "message");
        QCOMPARE(message("k", success())->id, id);
        QCOMPARE(message("k", failure()).error().code, ErrorCode::NotFound);
        m_now_ms += static_cast<qint64>(limits::receipt_s * 1000);
        QCOMPARE(message("k", success()).error().code, ErrorCode::NotFound);
    }

    void t15_withoutAMessageTheAttemptIsOver()
    {
        JobSpec spec = named("a");
        spec.maxRetry = 1;
        const JobId id = push(spec);
        const ClaimedJob first = claim({});
        handOff(first, "k").ok();
        m_now_ms += 60'000;
        QCOMPARE(sweep().expired, 1);
        QCOMPARE(m_engine->job(id)->state, JobState::Scheduled);
        QCOMPARE(m_engine->job(id)->message, "No message came in time.");
        QCOMPARE(message("k", success()).error().code, ErrorCode::NotFound);
        m_now_ms += 3'600'000;
        sweep();
        const ClaimedJob second = claim({});
        QCOMPARE(handOff(second, "k")->state, JobState::Awaiting);
        QCOMPARE(message("k", failure())->finished.state, JobState::Failed);
    }

    void t16_aJobThatAwaitsAMessageIsCancelledAtOnce()
    {
        const JobId id = push(named("a"));
        handOff(claim({}), "k").ok();
        QCOMPARE(cancel(id)->state, JobState::Cancelled);
        QCOMPARE(message("k", success()).error().code, ErrorCode::NotFound);
    }

    void t16_aWaitingJobIsCancelledAtOnce()
    {
        const JobId id = push(named("a"));
        QCOMPARE(cancel(id)->state, JobState::Cancelled);
        QCOMPARE(cancel(id)->state, JobState::Cancelled);
        QCOMPARE(m_engine->job(id)->reason, "cancelled");
        QCOMPARE(m_engine->job(id)->events.size(), 1);
        push(named("b"));
        const ClaimedJob done = claim({});
        finish(done, success()).ok();
        QCOMPARE(cancel(done.id).error().code, ErrorCode::Conflict);
    }

    void t17_aRunningJobIsAskedToStop()
    {
        push(named("a"));
        const ClaimedJob job = claim({});
        QVERIFY(cancel(job.id)->cancelRequested);
        QCOMPARE(m_engine->job(job.id)->state, JobState::Running);
        QCOMPARE(finish(job, failure())->state, JobState::Cancelled); // transition 24 (`end-cancelled`)
        push(named("a"));
        const ClaimedJob forced = claim({});
        QCOMPARE(cancel(forced.id, true)->state, JobState::Cancelled);
        QCOMPARE(finish(forced, success()).error().code, ErrorCode::LeaseLost);
    }

    void t17_afterAForcedCancelNoEarlierReportIsARepeat()
    {
        JobSpec spec = named("a");
        spec.maxRetry = 1;
        spec.backoff.base_ms = 0;
        push(spec);
        const ClaimedJob first = claim({});
        QCOMPARE(finish(first, failure())->state, JobState::Ready);
        QCOMPARE(cancel(claim({}).id, true)->state, JobState::Cancelled);
        QCOMPARE(finish(first, failure()).error().code, ErrorCode::LeaseLost);
    }

    void t18_aFailedJobIsRetriedFromTheBeginning()
    {
        JobSpec spec = named("a");
        spec.keepResult = true;
        const JobId id = push(spec);
        finish(claim({}), failure(false)).ok();
        const auto retry = [&] { return run([&](const auto &at) { return m_engine->retry({RetryItem(id)}, at); }).answer.first(); };
        QCOMPARE(retry()->state, JobState::Ready);
        QCOMPARE(retry().error().code, ErrorCode::Conflict);
        QCOMPARE(m_engine->job(id)->failures, 0);
        QVERIFY(m_engine->job(id)->outcome.isEmpty());
        QCOMPARE(m_engine->peekResult(id).status, ResultStatus::Pending);
        QCOMPARE(claim({}).attempt, 2);
    }

    void t19_anEditChangesAJobThatDoesNotRun()
    {
        const JobId first = push(named("a")), second = push(named("a"));
        EditItem item = editOf(second);
        item.after.priority = -1;
        item.after.argument = QByteArray("\xc5\x20\x00", 3) + QByteArray(8'192, 'x'); // Redis has it apart from the record
        item.oldValues = "\x81\xa8priority\x00";
        const auto decided = run([&](const auto &at) { return m_engine->edit(item, at); });
        QCOMPARE(decided.answer->state, JobState::Ready);
        QCOMPARE(decided.wake.readyNames, QList<QByteArray>{"a"});
        QCOMPARE(m_engine->job(second)->events.last().what, "edited");
        QCOMPARE(m_engine->job(second)->events.last().details, item.oldValues);
        QCOMPARE(edit(item)->state, JobState::Ready); // the same call again
        QCOMPARE(m_engine->job(second)->events.size(), 1);
        EditItem stale = item;
        stale.after.priority = 7;
        QCOMPARE(edit(stale).error().code, ErrorCode::RevisionMismatch);
        EditItem shorter = editOf(second);
        shorter.after.argument = "\x01";
        QVERIFY(edit(shorter).ok());
        for (const QByteArray &key : m_records.keys())
            QVERIFY2(!key.startsWith("v:"), key.constData());
        EditItem later = editOf(second);
        later.runAt_ms = m_now_ms + 1'000;
        QCOMPARE(edit(later)->runAt_ms, m_now_ms + 1'000);
        QCOMPARE(claim({}).id, first);
        m_now_ms += 1'000;
        sweep();
        const ClaimedJob claimed = claim({});
        QCOMPARE(claimed.spec.argument, "\x01");
        QCOMPARE(edit(editOf(second)).error().code, ErrorCode::Conflict);
    }

    void t19_aJobThatHasFailedIsEditedForItsRetry()
    {
        const JobId id = push(named("a"));
        finish(claim({}), failure(false)).ok();
        EditItem item = editOf(id);
        item.after.maxRetry = 0;
        QCOMPARE(edit(item)->state, JobState::Failed);
        item = editOf(id);
        item.runAt_ms = m_now_ms;
        QCOMPARE(edit(item).error().code, ErrorCode::Conflict);
        JobSpec retried = named("b");
        retried.maxRetry = 5;
        const JobId other = push(retried);
        for (int failures = 0; failures < 2; ++failures) {
            finish(claim({"b"}), failure()).ok();
            m_now_ms += 86'400'000;
            sweep();
        }
        item = editOf(other);
        item.after.maxRetry = 1;
        QCOMPARE(edit(item).error().field, "max_retry");
        item.after.maxRetry = 2;
        QVERIFY(edit(item).ok());
    }

    void t19_anEditMovesTheKeyThatTheArgumentIs()
    {
        JobSpec spec = named("a");
        spec.unique = Unique{};
        spec.argument = "\x01";
        const JobId first = push(spec);
        spec.argument = "\x02";
        const JobId second = push(spec);
        EditItem item = editOf(first);
        item.after.argument = "\x02";
        const Result<StateNow> taken = edit(item);
        QCOMPARE(taken.error().reason.name, QByteArray("unique_key_taken"));
        QCOMPARE(taken.error().field, "argument");
        QCOMPARE(m_engine->job(first)->spec.argument, "\x01");
        item.after.argument = "\x03";
        QVERIFY(edit(item).ok());
        const auto holderOf = [&](const QByteArray &argument) {
            JobSpec again = spec;
            again.argument = argument;
            return run([&](const auto &at) { return m_engine->enqueue({this->item(again)}, at); }).answer.first()->id;
        };
        QCOMPARE(holderOf("\x03"), first);
        QCOMPARE(holderOf("\x02"), second);
        QVERIFY(holderOf("\x01") != first);
    }

    void t20_finalJobsGoByAgeAndByNumber()
    {
        engine::Settings settings;
        settings.retention[0] = {10'000, 2};
        use(settings);
        QList<JobId> ids;
        for (int i = 0; i < 3; ++i) {
            push(named("a"));
            const ClaimedJob job = claim({});
            finish(job, success()).ok();
            ids.append(job.id);
            m_now_ms += 1'000;
        }
        QCOMPARE(sweep().purged, 1);
        QVERIFY(!m_engine->job(ids[0]).ok() && m_engine->job(ids[1]).ok());
        m_now_ms = start_ms + 11'000;
        QCOMPARE(sweep().purged, 1);
        QVERIFY(!m_engine->job(ids[1]).ok() && m_engine->job(ids[2]).ok());
    }

    void aSweepTakesSoManyAtATime()
    {
        JobSpec spec = named("a");
        spec.delay_ms = 1;
        for (int i = 0; i < limits::script_items_max + 1; ++i)
            push(spec);
        m_now_ms += 1;
        QVERIFY(sweep().more);
        QVERIFY(!sweep().more);
        QCOMPARE(m_engine->counts().count(JobState::Ready), limits::script_items_max + 1);
    }

    void segmentsAreFilledInTurnAndGoWhenTheyAreEmpty()
    {
        engine::Settings settings;
        settings.retention[2].count = 0;
        use(settings);
        QList<JobId> ids;
        for (int i = 0; i < engine::segment_jobs_max + 1; ++i)
            ids.append(push(named("a")));
        QCOMPARE(m_records.hash("s:1").size(), size_t(engine::segment_jobs_max));
        QCOMPARE(m_records.hash("s:2").size(), size_t(1));
        for (const JobId &id : std::as_const(ids))
            cancel(id).ok();
        while (sweep().more) { }
        const QList<QByteArray> keys = m_records.keys();
        QVERIFY(!keys.contains("s:1"));
        QCOMPARE(m_records.hash(engine::segmentsKey).size(), size_t(1)); // the one that is being filled
    }

    void aHistoryKeepsItsNewestEntries()
    {
        JobSpec spec = named("a");
        spec.maxRetry = 100;
        spec.backoff.base_ms = 0;
        const JobId id = push(spec);
        for (int i = 0; i < 3; ++i) {
            for (int n = 0; n < 90; ++n)
                finish(claim({}), failure()).ok();
            cancel(id).ok();
            run([&](const auto &at) { return m_engine->retry({RetryItem(id)}, at); });
        }
        const Result<Job> job = m_engine->job(id);
        QCOMPARE(job->attempts.size() + job->events.size(), limits::attempts_kept_max);
        QCOMPARE(job->events.last().what, "retried");
        QVERIFY(job->events.last().afterEnd);
    }

    void t25_aDeletedJobIsOnlyInTheTrash()
    {
        JobSpec late = named("b");
        late.delay_ms = 5'000;
        const JobId ready = push(named("a")), scheduled = push(late), bad = push(named("c"));
        finish(claim({"c"}), failure(false)).ok();
        m_now_ms += 1'000;
        QCOMPARE(deleted(ready).value().state, JobState::Cancelled);
        QCOMPARE(deleted(scheduled).value().state, JobState::Cancelled);
        QCOMPARE(deleted(bad).value().state, JobState::Failed);
        QCOMPARE(deleted(bad).value().state, JobState::Failed); // again
        const Overview counts = m_engine->counts();
        QCOMPARE(counts.count(JobState::Ready, JobState::Scheduled, JobState::Failed, JobState::Cancelled), 0);
        QCOMPARE(counts.totals.deleted, 3);
        QCOMPARE(counts.totals.cancelled, 0);
        QVERIFY(claim({}).id.isNull());
        const auto retried = run([&](const auto &at) { return m_engine->retry({RetryItem(bad)}, at); });
        QCOMPARE(retried.answer.first().error().code, ErrorCode::Conflict);
        QCOMPARE(edit(editOf(bad)).error().code, ErrorCode::Conflict);
        QCOMPARE(marked(JobSet::Trash), (QList<JobId>{bad, scheduled, ready}));
        QCOMPARE(m_engine->job(bad)->deletedAt_ms, m_now_ms);
        QCOMPARE(m_engine->job(ready)->reason, "deleted");
        push(named("d"));
        QCOMPARE(deleted(claim({"d"}).id).error().code, ErrorCode::Conflict); // a worker has it
    }

    void t25_aJobThatWaitsForADeletedOneSeesItCancelled()
    {
        const JobId parent = push(named("a"));
        JobSpec spec = named("b");
        spec.dependsOn = {parent};
        const JobId child = push(spec);
        deleted(parent).ok();
        QCOMPARE(m_engine->job(child)->message, "A job it depends on was cancelled.");
    }

    void t26_aRestoredJobIsWhereItWas()
    {
        JobSpec late = named("b");
        late.delay_ms = 5'000;
        const JobId ready = push(named("a")), scheduled = push(late), bad = push(named("c"));
        finish(claim({"c"}), failure(false)).ok();
        const qint64 ended_ms = m_now_ms, due_ms = m_engine->job(scheduled)->runAt_ms;
        for (const JobId &id : {ready, scheduled, bad})
            deleted(id).ok();
        m_now_ms += 1'000;
        QCOMPARE(restored(ready).value().state, JobState::Ready);
        QCOMPARE(restored(scheduled).value().state, JobState::Scheduled);
        QCOMPARE(restored(bad).value().state, JobState::Failed);
        QCOMPARE(restored(bad).error().code, ErrorCode::Conflict);
        QCOMPARE(m_engine->job(scheduled)->runAt_ms, due_ms);
        QCOMPARE(m_engine->job(bad)->finishedAt_ms, ended_ms);
        QVERIFY(m_engine->job(ready)->finishedAt_ms == 0 && m_engine->job(ready)->reason.isEmpty());
        QCOMPARE(claim({}).id, ready);
        QVERIFY(marked(JobSet::Trash).isEmpty());
    }

    void t26_aRestoredJobNeedsItsUniqueKey()
    {
        JobSpec spec = named("a");
        spec.unique = Unique{.key = "k", .onConflict = OnConflict::Coalesce};
        const JobId first = push(spec);
        deleted(first).ok();
        const JobId second = push(spec);
        QVERIFY(second != first && m_engine->job(second).ok());
        QCOMPARE(restored(first).error().field, "unique");
        QCOMPARE(marked(JobSet::Trash), (QList<JobId>{first}));
        cancel(second).ok();
        QCOMPARE(restored(first).value().state, JobState::Ready);
        QVERIFY(run([&](const auto &at) { return m_engine->enqueue({item(spec)}, at); }).answer.first()->duplicate);
    }

    // What its jobs came to while it was in the trash decides.
    void t26_aRestoredJobWaitsAgainOrEndsAsIfItHadWaited()
    {
        const JobId good = push(named("good")), broken = push(named("broken")), open = push(named("open"));
        QList<JobId> children;
        for (const JobId &parent : {good, broken, open}) {
            JobSpec spec = named("child");
            spec.dependsOn = {parent};
            children.append(push(spec));
            deleted(children.last()).ok();
        }
        finish(claim({"good"}), success()).ok();
        finish(claim({"broken"}), failure(false)).ok();
        for (const JobId &child : std::as_const(children))
            QCOMPARE(m_engine->job(child)->reason, "deleted");
        QCOMPARE(loadedDifference(), QByteArray());
        QCOMPARE(restored(children[0]).value().state, JobState::Ready);
        QCOMPARE(restored(children[1]).value().state, JobState::Failed);
        QCOMPARE(m_engine->job(children[1])->reason, "dependency");
        QCOMPARE(restored(children[2]).value().state, JobState::Depends);
        finish(claim({"open"}), success()).ok();
        QCOMPARE(m_engine->job(children[2])->state, JobState::Ready);
    }

    void t20_aNameMayKeepItsJobsLonger()
    {
        constexpr qint64 hour_ms = 3'600'000;
        setRetention("long", {{hour_ms, {}}, {}, {}}).ok(); // before it has a job
        setRetention({}, {{10'000, {}}, {}, {}}).ok();
        const JobId lasting = push(named("long")), starred = push(named("a")), brief = push(named("a"));
        for (int i = 0; i < 3; ++i)
            finish(claim({}), success()).ok();
        track(starred, true).ok();
        m_now_ms += 10'000;
        QCOMPARE(sweep().purged, 1);
        QVERIFY(!m_engine->job(brief).ok());
        track(starred, false).ok(); // the purge has passed over it
        QCOMPARE(sweep().purged, 1);
        QCOMPARE(loadedDifference(), QByteArray());
        m_now_ms += hour_ms - 10'001;
        QCOMPARE(sweep().purged, 0);
        ++m_now_ms;
        QCOMPARE(sweep().purged, 1);
        QVERIFY(!m_engine->job(lasting).ok());
    }

    void t20_aChangeReachesJobsThatAreThere()
    {
        const int jobs = 2 * 10 * limits::script_items_max + 5; // more than one call looks at
        for (int i = 0; i < jobs; ++i)
            push(named(i % 2 ? "odd" : "even"));
        for (int left = jobs; left > 0; --left)
            finish(claim({}), success()).ok();
        setRetention("odd", {{{}, 3}, {}, {}}).ok();
        int purged = 0;
        for (Swept swept{.more = true}; swept.more;) {
            swept = sweep();
            QVERIFY(swept.purged <= 2 * limits::script_items_max);
            purged += swept.purged;
        }
        QCOMPARE(purged, jobs / 2 - 3);
        run([&](const auto &at) { return m_engine->clearRetention("odd", at); });
        setRetention({}, {{{}, 1}, {}, {}}).ok();
        while (sweep().more) { }
        QCOMPARE(m_engine->counts().count(JobState::Succeeded), 1);
    }

    void t20_soManyNamesMayHaveTheirOwnRetention()
    {
        for (int i = 0; i < limits::retention_names_max; ++i)
            QVERIFY(setRetention("n" + QByteArray::number(i), {}).ok());
        QCOMPARE(setRetention("other", {}).error().code, ErrorCode::Conflict);
        QVERIFY(setRetention("n0", {{1'000, {}}, {}, {}}).ok());
        QVERIFY(setRetention({}, {}).ok());
    }

    void t20_theTrashIsEmptiedAfterADay()
    {
        const JobId starred = push(named("a")), other = push(named("a"));
        track(starred, true).ok();
        for (const JobId &id : {starred, other})
            deleted(id).ok();
        m_now_ms += qint64(limits::trash_s * 1000) - 1;
        QCOMPARE(sweep().purged, 0);
        m_now_ms += 1;
        QCOMPARE(sweep().purged, 2);
        QCOMPARE(restored(other).error().code, ErrorCode::NotFound);
        QVERIFY(marked(JobSet::Tracked).isEmpty());
    }

    void t20_aStarKeepsAJobFromThePurge()
    {
        engine::Settings settings;
        settings.retention[2] = {10'000, 1};
        use(settings);
        QList<JobId> ids;
        for (int i = 0; i < 3; ++i) {
            ids.append(push(named("a")));
            cancel(ids.last()).ok();
            m_now_ms += 1;
        }
        track(ids[0], true).ok();
        QCOMPARE(sweep().purged, 2); // one too many by number, and then by number again: the star counts, too
        QVERIFY(m_engine->job(ids[0])->tracked);
        QCOMPARE(marked(JobSet::Tracked), (QList<JobId>{ids[0]}));
        track(ids[0], false).ok();
        m_now_ms += 10'000;
        QCOMPARE(sweep().purged, 1);
    }

    void aResultIsListedUntilItIsTakenOrEnds()
    {
        QList<JobId> ids;
        for (const qint64 ttl_ms : {30'000, 10'000, 20'000}) {
            JobSpec spec = named("a");
            spec.keepResult = true;
            spec.resultTtl_ms = ttl_ms;
            ids.append(push(spec));
            finish(claim({}), success()).ok();
        }
        QCOMPARE(resultsNow(), (QList<JobId>{ids[1], ids[2], ids[0]}));
        QCOMPARE(run([&](const auto &at) { return m_engine->extendResult(ids[1], 25'000, at); }).answer.ok(), true);
        QCOMPARE(resultsNow(), (QList<JobId>{ids[2], ids[1], ids[0]}));
        QCOMPARE(m_engine->result(ids[1])->expiresAt_ms, m_now_ms + 25'000);
        take(ids[0], "receipt");
        QCOMPARE(run([&](const auto &at) { return m_engine->discardResult(ids[0], at); }).answer.error().code, ErrorCode::NotFound);
        QCOMPARE(run([&](const auto &at) { return m_engine->discardResult(ids[2], at); }).answer.ok(), true);
        QCOMPARE(resultsNow(), (QList<JobId>{ids[1]}));
        QCOMPARE(take(ids[2], {}).status, ResultStatus::Gone);
        m_now_ms += 25'000;
        QCOMPARE(run([&](const auto &at) { return m_engine->extendResult(ids[1], 1'000, at); }).answer.error().code, ErrorCode::NotFound);
        QVERIFY(resultsNow().isEmpty());
        QCOMPARE(m_engine->results({}).total, 0); // although no sweep has come by
    }

    void aResultOfAPurgedJobKnowsAllWhoMayHaveIt()
    {
        engine::Settings settings;
        settings.retention[0] = {1'000, 10};
        use(settings);
        JobSpec spec = named("a");
        spec.keepResult = true;
        spec.unique = Unique{.key = "k", .onConflict = OnConflict::Coalesce};
        const JobId id = push(spec);
        EnqueueItem other = item(spec);
        other.owner = "another token";
        run([&](const auto &at) { return m_engine->enqueue({other}, at); });
        finish(claim({}), success()).ok();
        QCOMPARE(m_engine->resultOwner(id).error().code, ErrorCode::NotFound); // the job says so itself
        m_now_ms += 1'000;
        QCOMPARE(sweep().purged, 1);
        const Result<Job> owner = m_engine->resultOwner(id);
        QCOMPARE(owner->spec.name, "a");
        QCOMPARE(owner->sharers, (QList<QByteArray>{"another token"}));
        QVERIFY(m_engine->result(id)->name.isEmpty());
    }

    void aGroupIsKeptWhileItHasJobsAndAMonthLonger()
    {
        const qint64 kept_ms = qint64(limits::group_kept_s * 1000);
        JobSpec member = named("a");
        member.group = "g";
        const JobId starred = push(member);
        QVERIFY(track(starred, true).ok());
        (void)finish(claim({}), success());
        const qint64 ended_ms = m_now_ms;
        m_now_ms += 2 * kept_ms;
        (void)sweep();
        QCOMPARE(group("g")->endedAt_ms, ended_ms); // its job is there
        QCOMPARE(loadedDifference(), QByteArray());
        QVERIFY(track(starred, false).ok());
        (void)sweep();
        QCOMPARE(group("g").error().code, ErrorCode::NotFound);
        QCOMPARE(loadedDifference(), QByteArray());

        (void)changeGroup({"empty", m_ids.make(m_now_ms)});
        m_now_ms += kept_ms - 1;
        (void)sweep();
        QVERIFY(group("empty").ok());
        ++m_now_ms;
        (void)sweep();
        QCOMPARE(group("empty").error().code, ErrorCode::NotFound);
    }

    // Another job of the call may join the group before it calls back.
    void aGroupCallsBackAtTheEndOfTheCall()
    {
        GroupChange change{"g", m_ids.make(m_now_ms)};
        change.callback = named("done");
        (void)changeGroup(change);
        JobSpec first = named("a");
        first.group = "g";
        first.unique = Unique{"k", UniqueUntil::Finished, OnConflict::Replace};
        push(first);
        push(first); // the first is cancelled by it
        QCOMPARE(group("g")->pending, 1);
        QVERIFY(group("g")->callback.isNull());
        (void)finish(claim({}), success());
        QCOMPARE(m_engine->job(group("g")->callback)->spec.name, QByteArray("done"));
    }

    void soManyJobsCanHaveAStar()
    {
        const JobId first = push(named("a"));
        track(first, true).ok();
        for (int i = 1; i < limits::tracked_max; ++i)
            track(push(named("a")), true).ok();
        const JobId last = push(named("a"));
        QCOMPARE(track(last, true).error().code, ErrorCode::Conflict);
        QVERIFY(track(first, true).ok()); // it has one
        QVERIFY(track(first, false).ok() && track(last, true).ok());
        QCOMPARE(track(m_ids.make(m_now_ms), true).error().code, ErrorCode::NotFound);
    }

    void t23_aJobWaitsForItsWindows()
    {
        constexpr qint64 minute_ms = 60'000;
        const int minute = int(m_now_ms / minute_ms % 1'440);
        m_now_ms -= m_now_ms % minute_ms;
        const auto from = [&](int begin, int end) { return Window{(minute + begin) % 1'440, (minute + end) % 1'440, "UTC", 0x7f}; };
        JobSpec now = named("now"), soon = named("soon"), late = named("late"), lost = named("lost");
        now.windows = {from(0, 2)};
        soon.windows = {from(1, 2)};
        late.windows = {from(1, 2)};
        late.delay_ms = 3 * minute_ms; // when they are closed again
        lost.windows = {Window{0, 1'440, "Nowhere/Lost", 0x7f}};
        const JobId nowId = push(now), soonId = push(soon), lateId = push(late), lostId = push(lost);
        QCOMPARE(m_engine->job(nowId)->state, JobState::Ready);
        QCOMPARE(m_engine->job(soonId)->runAt_ms, m_now_ms + minute_ms);
        QCOMPARE(m_engine->job(lateId)->runAt_ms, m_now_ms + 1'441 * minute_ms);
        QCOMPARE(m_engine->job(lostId)->state, JobState::Scheduled);
        QCOMPARE(m_engine->nextDue_ms(), std::min(m_now_ms + minute_ms, m_engine->job(lostId)->runAt_ms));
        m_now_ms += minute_ms;
        (void)sweep();
        QCOMPARE(m_engine->job(soonId)->state, JobState::Ready);
        QCOMPARE(loadedDifference(), QByteArray());
        m_now_ms += minute_ms; // both close: one is found by a claim, and both by a sweep
        QVERIFY(run([&](const auto &at) { return m_engine->claim({{"w", {"now"}, 1, 0}}, at); }).answer[0].jobs.isEmpty());
        QCOMPARE(m_engine->job(nowId)->runAt_ms, m_now_ms + 1'438 * minute_ms);
        (void)sweep();
        QCOMPARE(m_engine->job(soonId)->runAt_ms, m_now_ms + 1'439 * minute_ms);
        QCOMPARE(m_engine->job(lostId)->state, JobState::Scheduled);
    }

    void aFiringWhoseJobIsRefusedIsNoted()
    {
        ScheduleSpec spec = hourly(named("a"));
        spec.job.unique = Unique{"k", UniqueUntil::Finished, OnConflict::Reject};
        const qint64 due_ms = save("s", spec).next_ms;
        push(spec.job);
        m_now_ms = due_ms;
        const Fired fired = fire("s", due_ms);
        QVERIFY(!fired.stale);
        QCOMPARE(fired.outcome, RunOutcome::Refused);
        const Schedule now = *m_engine->schedule("s");
        QCOMPARE(now.runs.first().why.name, QByteArray("unique_key_taken"));
        QCOMPARE(now.next_ms, due_ms + 3'600'000);
        QCOMPARE(now.fired, 0);
        QVERIFY(fire("s", due_ms).stale); // once only
        QCOMPARE(runByHand("s").error().code, ErrorCode::Conflict);
    }

    void aFiringThatCoalescesHasTheOtherJob()
    {
        ScheduleSpec spec = hourly(named("a"));
        spec.job.unique = Unique{"k", UniqueUntil::Finished, OnConflict::Coalesce};
        m_now_ms = save("s", spec).next_ms;
        const JobId other = push(spec.job);
        QCOMPARE(fire("s", m_now_ms).job, other);
        QCOMPARE(m_engine->schedule("s")->lastJob, other);
        QCOMPARE(m_engine->counts().count(JobState::Ready), 1);
    }

    void aScheduleTakesAJobThatIsToStopForGone()
    {
        ScheduleSpec spec = hourly(named("a"));
        spec.overlap = Overlap::Skip;
        save("s", spec);
        const JobId first = runByHand("s")->fired[0].job;
        (void)claim({});
        QCOMPARE(runByHand("s").error().reason.name, QByteArray("schedule_overlaps"));
        cancel(first).ok();
        const Result<FiredAll> again = runByHand("s");
        QVERIFY(again.ok());
        QVERIFY(again->fired[0].job != first);
        QCOMPARE(m_engine->job(first)->state, JobState::Running);
    }

    void aFiringReplacesTheJobOfTheLastOne()
    {
        ScheduleSpec spec = hourly(named("a"));
        spec.overlap = Overlap::Replace;
        spec.job.group = "g";
        save("s", spec);
        const JobId first = runByHand("s")->fired[0].job, second = runByHand("s")->fired[0].job;
        QCOMPARE(m_engine->job(first)->state, JobState::Cancelled);
        QCOMPARE(m_engine->job(first)->reason, QByteArray("replaced"));
        QCOMPARE(claim({}).id, second);
        const JobId third = runByHand("s")->fired[0].job; // the worker hears of it
        QVERIFY(m_engine->job(second)->cancelRequested);
        QCOMPARE(m_engine->schedule("s")->lastJob, third);
        QCOMPARE(group("g")->pending, 2);
    }

    void aScheduleMayBeLoadedOnlyWhole()
    {
        save("s", hourly(named("a")));
        save("t", hourly(named("a")));
        for (const QByteArray &key : m_records.keys()) {
            if (!key.startsWith("sched:"))
                continue;
            const auto fields = m_records.hash(key);
            for (const auto &[field, value] : fields) {
                Records records = m_records;
                records.hash(key).erase(field);
                QVERIFY2(!records.load({}, m_now_ms).ok(), field.constData());
            }
        }
        run([&](const auto &at) { return m_engine->changeSchedule({"s", ScheduleChangeVerb::Delete}, at); }).answer.ok();
        run([&](const auto &at) { return m_engine->changeSchedule({"t", ScheduleChangeVerb::Delete}, at); }).answer.ok();
        for (const QByteArray &key : m_records.keys())
            QVERIFY2(!key.startsWith("sched:"), key.constData());
    }

    // A job that was asked to stop does not stand for another push, whatever becomes of those beside a job that goes on.
    void aPushWaitsForAUniqueJobThatIsToStop()
    {
        for (const OnConflict policy : {OnConflict::Coalesce, OnConflict::Reject, OnConflict::Replace}) {
            JobSpec spec = named("a");
            spec.unique = Unique{"k", UniqueUntil::Finished, policy};
            const JobId first = push(spec);
            const ClaimedJob running = claim({});
            cancel(first).ok();
            const Result<Enqueued> next = run([&](const auto &at) { return m_engine->enqueue({item(spec)}, at); }).answer.first();
            QVERIFY(next.ok() && !next->duplicate);
            QCOMPARE(next->state, JobState::Depends);
            QCOMPARE(loadedDifference(), QByteArray());
            QVERIFY(finish(running, success()).ok());
            QCOMPARE(claim({}).id, next->id);
            run([&](const auto &at) { return m_engine->cancel({{next->id, true}}, at); });
        }
    }

    void aReplacementTakesThePlaceOfAJobInItsBackoff()
    {
        JobSpec spec = named("a");
        spec.maxRetry = 3;
        spec.unique = Unique{"k", UniqueUntil::Finished, OnConflict::Replace};
        const JobId first = push(spec);
        finish(claim({}), failure()).ok();
        QCOMPARE(m_engine->job(first)->state, JobState::Scheduled);
        const JobId second = push(spec);
        QCOMPARE(m_engine->job(first)->reason, QByteArray("replaced"));
        QCOMPARE(claim({}).id, second);
    }

    // What cannot be read is never served as something else.
    void whatIsDamagedIsNotLoaded()
    {
        JobSpec spec = named("a");
        spec.keepResult = true;
        spec.idempotencyKey = "k";
        spec.group = "g";
        spec.argument = QByteArray("\xc5\x20\x00", 3) + QByteArray(8'192, 'x');
        push(spec);
        save("s", hourly(named("a")));
        setRetention("a", {{1'000'000, 5}, {}, {}}).ok();
        const ClaimedJob failed = claim({});
        finish(failed, failure(false)).ok();
        track(failed.id, true).ok();
        deleted(failed.id).ok();
        sweep();
        const Records whole = m_records;
        int damages = 0;
        for (const QByteArray &key : whole.keys()) {
            Records without = whole;
            without.remove(key);
            const bool mayBeMissing = key == engine::totalsKey || key.startsWith("idem:") || key == engine::segmentsKey
                || key == engine::retentionKey;
            QVERIFY2(mayBeMissing || key.startsWith("s:") || !without.load({}, m_now_ms).ok(), key.constData());
            Records copy = whole;
            for (const auto &[field, value] : copy.hash(key)) {
                for (const QByteArray &damaged : {value.chopped(1), value + 'x', QByteArray("\xff") + value.sliced(1)}) {
                    Records records = whole;
                    records.hash(key)[field] = damaged;
                    const auto loaded = records.load({}, m_now_ms);
                    const bool other = loaded.ok() && !engine::difference(*m_engine, **loaded).isEmpty();
                    QVERIFY2(!loaded.ok() || other || key.startsWith("idem:"), (key + ' ' + field).constData());
                    damages += loaded.ok() ? 0 : 1;
                }
            }
        }
        QVERIFY(damages > 15);
    }

private:
    EnqueueItem item(const JobSpec &spec) { return {m_ids.make(m_now_ms), spec, {}}; }
    JobId push(const JobSpec &spec)
    {
        return run([&](const auto &at) { return m_engine->enqueue({item(spec)}, at); }).answer.first()->id;
    }
    ClaimedJob claim(const QList<QByteArray> &names, qint64 lease_ms = 0)
    {
        const auto decided = run([&](const auto &at) { return m_engine->claim({{"w", names, 1, lease_ms}}, at); });
        return decided.answer.first().jobs.value(0);
    }
    Result<Finished> finish(const ClaimedJob &job, const Outcome &outcome)
    {
        return run([&](const auto &at) { return m_engine->finish({{job.id, job.lease, outcome}}, at); }).answer.first();
    }
    Result<Heartbeat> heartbeat(const ClaimedJob &job)
    {
        return run([&](const auto &at) { return m_engine->heartbeat({{job.id, job.lease}}, at); }).answer.first();
    }
    Result<StateNow> release(const ClaimedJob &job)
    {
        return run([&](const auto &at) { return m_engine->release({{job.id, job.lease}}, at); }).answer.first();
    }
    Result<StateNow> cancel(const JobId &id, bool force = false)
    {
        return run([&](const auto &at) { return m_engine->cancel({{id, force}}, at); }).answer.first();
    }
    Result<Done> track(const JobId &id, bool tracked)
    {
        return run([&](const auto &at) { return m_engine->track(id, tracked, at); }).answer;
    }
    Result<StateNow> deleted(const JobId &id)
    {
        return run([&](const auto &at) { return m_engine->moveToTrash({id}, "somebody", at); }).answer.first();
    }
    Result<StateNow> restored(const JobId &id)
    {
        return run([&](const auto &at) { return m_engine->restore({id}, "somebody", at); }).answer.first();
    }
    QList<JobId> marked(JobSet set) const
    {
        SetPageRequest request;
        request.set = set;
        QList<JobId> ids;
        for (const Job &job : m_engine->marked(request).jobs)
            ids.append(job.id);
        return ids;
    }
    QList<JobId> resultsNow() const
    {
        QList<JobId> ids;
        for (const KeptResult &result : m_engine->results({}).results)
            ids.append(result.id);
        return ids;
    }
    Result<Group> changeGroup(const GroupChange &change)
    {
        return run([&](const auto &at) { return m_engine->changeGroup(change, at); }).answer;
    }
    Result<Group> group(const QByteArray &name) const
    {
        const std::function<quint64()> none = [] { return 0; };
        return m_engine->group(name, {}, {m_now_ms, none});
    }
    ResultNow take(const JobId &id, const QByteArray &receipt)
    {
        return run([&](const auto &at) { return m_engine->takeResult(id, receipt, Fetch::First, at); }).answer;
    }
    Result<RetentionChanged> setRetention(const QByteArray &name, const Retention &retention)
    {
        return run([&](const auto &at) { return m_engine->setRetention(name, retention, at); }).answer;
    }
    static ScheduleSpec hourly(const JobSpec &job)
    {
        ScheduleSpec spec;
        spec.recurrence.interval = {3'600'000, 0};
        spec.job = job;
        spec.jobBody = "\x80";
        return spec;
    }
    Schedule save(const QByteArray &id, const ScheduleSpec &spec)
    {
        const ScheduleSave save{.id = id, .spec = spec, .next_ms = m_now_ms + 3'600'000};
        return run([&](const auto &at) { return m_engine->saveSchedule(save, at); }).answer->schedule;
    }
    Fired fire(const QByteArray &id, qint64 due_ms)
    {
        const FireItem item{id, m_engine->schedule(id)->revision, {due_ms, due_ms, due_ms + 3'600'000, 0}, m_ids.make(m_now_ms)};
        return run([&](const auto &at) { return m_engine->fireSchedules({item}, at); }).answer.fired.first();
    }
    Result<FiredAll> runByHand(const QByteArray &id)
    {
        const RunByHand item{id, m_ids.make(m_now_ms)};
        return run([&](const auto &at) { return m_engine->runSchedule(item, at); }).answer;
    }
    Swept sweep()
    {
        return run([&](const auto &at) { return m_engine->sweep(at); }).answer;
    }

    // Carries out a call now, and its writes.
    template<typename Call>
    auto run(Call call) -> std::invoke_result_t<Call, const engine::Moment &>
    {
        const std::function<quint64()> bits = [this] { return ++m_random; };
        auto decided = call(engine::Moment{m_now_ms, bits});
        m_records.apply(decided.writes);
        return decided;
    }
    Result<StateNow> handOff(const ClaimedJob &job, const QByteArray &key)
    {
        return run([&](const auto &at) { return m_engine->handOff({job.id, job.lease, key, 60'000}, at); }).answer;
    }
    Result<MessageTaken> message(const QByteArray &key, const Outcome &outcome)
    {
        return run([&](const auto &at) { return m_engine->takeMessage({key, outcome, 0}, at); }).answer;
    }
    Result<StateNow> edit(const EditItem &item) { return run([&](const auto &at) { return m_engine->edit(item, at); }).answer; }
    EditItem editOf(const JobId &id) const
    {
        const JobSpec now = m_engine->job(id)->spec;
        return {.id = id, .before = now, .after = now, .oldValues = {}};
    }
    void use(const engine::Settings &settings) { m_engine = std::make_unique<engine::Engine>(settings); }
    QByteArray loadedDifference()
    {
        const auto loaded = m_records.load({}, m_engine->now_ms());
        return loaded.ok() ? engine::difference(*m_engine, **loaded) : loaded.error().message();
    }

    qint64 m_now_ms = start_ms;
    quint64 m_random = 0;
    IdMaker m_ids;
    Records m_records;
    std::unique_ptr<engine::Engine> m_engine;
};

JUNBAN_TEST(TestEngine)
#include "test_engine.moc"
