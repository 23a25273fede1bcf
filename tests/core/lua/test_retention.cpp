#include "core/redis/layout.h"
#include "core/redis/scripts.h"
#include "tests/core/lua/pastfixture.h"
#include "tests/support/testmain.h"
#include "tests/support/walks.h"

#include <QRandomGenerator>
#include <QTest>

using namespace junban;
using namespace junban::test;

// How long what ended is kept, stars and kept results; and that nothing is left behind in the end.
class TestRetention : public QObject, private PastFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(start()); }
    void init() { begin(); }
    void cleanup()
    {
        const QByteArray wrong = end();
        QCOMPARE(wrong, QByteArray());
    }

    void eachStateIsKeptForItsOwnAge()
    {
        const JobId ok = succeeded("a"), bad = failed("a", "x"), dropped = cancelled("a");
        pass(qint64(limits::succeeded_kept_s * 1000));
        QCOMPARE(sweepAll(), 1);
        QVERIFY(!isThere(ok));
        pass(qint64((limits::cancelled_kept_s - limits::succeeded_kept_s) * 1000));
        QCOMPARE(sweepAll(), 1);
        QVERIFY(!isThere(dropped));
        QVERIFY(isThere(bad));
        pass(qint64(limits::failed_kept_s * 1000));
        QCOMPARE(sweepAll(), 1);
        QVERIFY(!isThere(bad));
    }

    // As a master of layout 1 left it: jobs that ended have no time to be purged at.
    void aNamespaceOfAnOlderLayoutIsBroughtUpToThisOne()
    {
        QList<JobId> ids;
        for (int i = 0; i < 250; ++i)
            ids.append(i % 2 ? succeeded("a") : cancelled("a"));
        command({"DEL", "jq:{test}:purge"});
        command({"HSET", "jq:{test}:meta", "layout", "1"});
        const auto upgrade = [this] {
            return await<int>([this](auto done) { redis::upgradeLayout(*m_link, "test", redis::ScriptClock::TestKey, done); }).value();
        };
        QCOMPARE(upgrade(), 1);
        QCOMPARE(upgrade(), limits::layout_version);
        pass(qint64(limits::cancelled_kept_s * 1000));
        QCOMPARE(sweepAll(), 250);
        QVERIFY(!isThere(ids.first()) && !isThere(ids.last()));
    }

    void settingsHoldForAllAndForOneName()
    {
        QVERIFY(set({}, {{60'000, {}}, {}, {}}).ok());
        QVERIFY(set("long", {{3'600'000, {}}, {}, {}}).ok());
        const RetentionSettings settings = await<RetentionSettings>([&](auto done) { m_past->retention(done); }).value();
        QCOMPARE(*settings.all.succeeded.age_ms, 60'000);
        QCOMPARE(*settings.all.succeeded.count, limits::succeeded_kept_max);
        QCOMPARE(*settings.all.failed.age_ms, qint64(limits::failed_kept_s * 1000));
        QCOMPARE(settings.names, (QList<QPair<QByteArray, Retention>>{{"long", {{3'600'000, {}}, {}, {}}}}));
        const JobId brief = succeeded("a"), lasting = succeeded("long");
        pass(minute_ms);
        sweepAll();
        QVERIFY(!isThere(brief));
        QVERIFY(isThere(lasting));
        pass(59 * minute_ms);
        sweepAll();
        QVERIFY(!isThere(lasting));
    }

    void aChangeSaysWhatItReplaced()
    {
        const Retention minute{{60'000, {}}, {}, {}}, hour{{hour_ms, {}}, {}, {}};
        const auto names = [](const Retention &retention) { return QList<QPair<QByteArray, Retention>>{{"n", retention}}; };
        const Result<RetentionChanged> first = set({}, minute), second = set("n", minute), third = set("n", hour);
        QCOMPARE(*first->before.all.succeeded.age_ms, qint64(limits::succeeded_kept_s * 1000));
        QCOMPARE(*second->before.all.succeeded.age_ms, 60'000);
        QVERIFY(second->before.names.isEmpty());
        QCOMPARE(second->settings.names, names(minute));
        QCOMPARE(third->before.names, names(minute));
        QCOMPARE(third->settings.names, names(hour));
        QCOMPARE(await<RetentionChanged>([&](auto done) { m_past->clearRetention("n", done); })->before.names, names(hour));
    }

    void aChangeAppliesToWhatIsThereAlready()
    {
        QList<JobId> jobs;
        for (int i = 0; i < 250; ++i) {
            jobs.append(succeeded(i % 2 ? "odd" : "even"));
            if (i % 50 == 0)
                pass(second_ms);
        }
        QVERIFY(set("odd", {{1'000, {}}, {}, {}}).ok());
        pass(second_ms);
        QCOMPARE(sweepAll(), 125);
        QVERIFY(!isThere(jobs[1]));
        QVERIFY(isThere(jobs[0]));
        QVERIFY(set("odd", {{hour_ms, {}}, {}, {}}).ok());
        const JobId odd = succeeded("odd");
        QVERIFY(await<RetentionChanged>([&](auto done) { m_past->clearRetention("odd", done); }).value().settings.names.isEmpty());
        sweepAll();
        pass(2 * hour_ms);
        sweepAll();
        QVERIFY(isThere(odd));
    }

    void aChangeReachesEachStateFromItsFirstJob()
    {
        const JobId bad = failed("a", "x");
        pass(second_ms);
        for (int i = 0; i <= limits::script_items_max; ++i) // more than one call places again
            succeeded("a");
        QVERIFY(set({}, {{}, {1'000, {}}, {}}).ok());
        pass(second_ms);
        QCOMPARE(sweepAll(), 1);
        QVERIFY(!isThere(bad));
        QCOMPARE(keys("replace"), 0);
    }

    void aNameWithoutSettingsOfItsOwnIsCountedByItselfNoMore()
    {
        QVERIFY(set("few", {{{}, 2}, {}, {}}).ok());
        succeeded("few");
        const JobId second = succeeded("few");
        QCOMPARE(keys("kept:*"), 1);
        QVERIFY(await<RetentionChanged>([&](auto done) { m_past->clearRetention("few", done); }).ok());
        sweepAll();
        QCOMPARE(keys("kept:*"), 0);
        QCOMPARE(command({"HEXISTS", "jq:{test}:s:" + second.bytes(), "kn"}).integer(), 0);
    }

    void theOldestGoWhenThereAreTooManyOfAStateOrAName()
    {
        QVERIFY(set({}, {{{}, 5}, {}, {}}).ok());
        QVERIFY(set("few", {{{}, 2}, {}, {}}).ok());
        QList<JobId> few, others;
        for (int i = 0; i < 4; ++i) {
            few.append(succeeded("few"));
            pass(1);
            others.append(succeeded("other"));
            pass(1);
        }
        QCOMPARE(counts().count(JobState::Succeeded), 6); // two of the one, at once; the other is counted by the sweep
        QCOMPARE(sweepAll(), 1);
        QVERIFY(!isThere(few[0]) && !isThere(few[1]) && isThere(few[2]) && isThere(few[3]));
        QVERIFY(!isThere(others[0]) && isThere(others[1]));
        QVERIFY(set("few", {{{}, 0}, {}, {}}).ok());
        sweepAll();
        QVERIFY(!isThere(few[3]));
        QVERIFY(!isThere(succeeded("few")));
    }

    void whatFailsAndGoesInOneSweepLeavesNothing()
    {
        QVERIFY(set({}, {{}, {{}, 2}, {}}).ok());
        JobSpec brief = named("a");
        brief.timeout_ms = 10'000;
        for (int i = 0; i < 20; ++i)
            push(brief);
        QCOMPARE(claimMany(20).size(), 20);
        for (int i = 0; i < 30; ++i) { // leases do not run out while nobody sweeps
            pass(1000);
            sweepAll();
        }
        QCOMPARE(counts().count(JobState::Failed), 2);
        const redis::Reply groups = command({"KEYS", "jq:{test}:fgf:*"});
        QCOMPARE(groups.size(), 1);
        QCOMPARE(command({"ZCARD", groups[0].bytes()}).integer(), 2);
    }

    void aRepeatTellsHowAJobEndedThatIsGone()
    {
        QVERIFY(set({}, {{}, {0, {}}, {0, {}}}).ok());
        JobSpec spec = named("a");
        spec.idempotencyKey = "failed";
        const JobId bad = push(spec);
        (void)finish(claim(), failure("it broke"));
        spec.idempotencyKey = "cancelled";
        const JobId none = push(spec);
        (void)await<QList<Result<StateNow>>>([&](auto done) { m_store->cancel({{none, false}}, done); });
        QCOMPARE(sweepAll(), 2);
        QVERIFY(!isThere(bad) && !isThere(none));
        Result<Enqueued> again = enqueue(spec);
        QVERIFY(again->duplicate && again->id == none);
        QCOMPARE(again->state, JobState::Cancelled);
        spec.idempotencyKey = "failed";
        again = enqueue(spec);
        QVERIFY(again->duplicate && again->id == bad);
        QCOMPARE(again->state, JobState::Failed);
        QVERIFY(command({"PTTL", "jq:{test}:gone:" + bad.bytes()}).integer() > 0);
    }

    void whatANameHasNotIsForgottenAllTheSame()
    {
        for (int i = 0; i < 2; ++i)
            QVERIFY(await<RetentionChanged>([&](auto done) { m_past->clearRetention("never", done); }).value().settings.names.isEmpty());
        QVERIFY(set("a", {{1'000, {}}, {}, {}}).ok());
        for (int i = 0; i < 2; ++i)
            QVERIFY(await<RetentionChanged>([&](auto done) { m_past->clearRetention("a", done); }).value().settings.names.isEmpty());
    }

    void aRetriedJobIsNotPurged()
    {
        QVERIFY(set("a", {{}, {minute_ms, 3}, {}}).ok());
        const JobId id = failed("a", "x");
        QVERIFY(retry(id).ok());
        pass(day_ms);
        sweepAll();
        QVERIFY(isThere(id));
        QVERIFY(finish(claim(), failure("x")).ok());
        pass(minute_ms);
        QCOMPARE(sweepAll(), 1);
    }

    // Its reply was lost; the job has run and failed since.
    void aRetryThatIsRepeatedRunsTheJobOnce()
    {
        const JobId id = failed("a", "x");
        const redis::Script script = redis::makeScript("retry", redis::ScriptClock::TestKey);
        const auto retried = [&] {
            return command({"EVAL", script.text(), "1", "jq:{test}:", "engine", "nonce", id.bytes()})[2][0][0].integer();
        };
        QCOMPARE(retried(), int(JobState::Ready));
        QCOMPARE(retried(), int(JobState::Ready));
        QVERIFY(finish(claim(), failure("x")).ok());
        QCOMPARE(retried(), int(JobState::Failed));
    }

    void aRetryThatIsRepeatedTellsWhenTheJobIsDueThatFailedSince()
    {
        JobSpec spec = named("a", 1);
        spec.backoff = {hour_ms, 1, hour_ms, 0};
        const JobId id = push(spec);
        QCOMPARE(finish(claim(), failure("x"))->state, JobState::Scheduled);
        pass(hour_ms);
        sweepAll();
        QCOMPARE(finish(claim(), failure("x"))->state, JobState::Failed);
        const redis::Script script = redis::makeScript("retry", redis::ScriptClock::TestKey);
        const auto retried = [&] { return command({"EVAL", script.text(), "1", "jq:{test}:", "engine", "nonce", id.bytes()}); };
        QCOMPARE(retried()[2][0][0].integer(), int(JobState::Ready));
        QCOMPARE(finish(claim(), failure("x"))->state, JobState::Scheduled);
        const redis::Reply again = retried();
        QCOMPARE(again[2][0][0].integer(), int(JobState::Scheduled));
        QCOMPARE(again[2][0][1].integer(), m_now_ms + hour_ms);
    }

    void aRetriedJobIsNotCountedAmongThoseThatFailed()
    {
        QVERIFY(set("a", {{}, {{}, 2}, {}}).ok());
        const JobId retried = failed("a", "x"), second = failed("a", "x");
        QVERIFY(retry(retried).ok());
        const ClaimedJob running = claim();
        const JobId third = failed("a", "x");
        QVERIFY(isThere(retried) && isThere(second) && isThere(third));
        QVERIFY(finish(running, success()).ok());
    }

    void onlySoManyNamesHaveSettings()
    {
        for (int i = 0; i < limits::retention_names_max; ++i)
            QVERIFY(set("n" + QByteArray::number(i), {{1, {}}, {}, {}}).ok());
        QCOMPARE(set("one more", {}).error().code, ErrorCode::Conflict);
        QVERIFY(set("n0", {{2, {}}, {}, {}}).ok());
    }

    // --- Stars
    void aTrackedJobOutlivesItsRetention()
    {
        const JobId id = succeeded("a"), waiting = push(named("b")), plain = succeeded("a");
        QVERIFY(track(id, true).ok() && track(waiting, true).ok());
        QCOMPARE(command({"HGET", "jq:{test}:s:" + waiting.bytes(), "st"}).bytes(), QByteArray("3"));
        QVERIFY(get(id)->tracked && get(waiting)->tracked && !get(plain)->tracked);
        pass(10 * day_ms);
        sweepAll();
        QVERIFY(isThere(id) && !isThere(plain));
        QVERIFY(set({}, {{{}, 0}, {}, {}}).ok());
        sweepAll();
        QVERIFY(isThere(id));
        const auto page = await<JobPage>([&](auto done) { m_lookback->jobs({}, done); }).value();
        QCOMPARE(page.jobs.size(), 2);
        QCOMPARE(page.coverage.total, 2);
        QVERIFY(track(id, false).ok() && track(waiting, false).ok());
        QVERIFY(!get(id)->tracked);
        sweepAll();
        QVERIFY(!isThere(id));
        QCOMPARE(track(id, true).error().code, ErrorCode::NotFound);
    }

    void whatWasStarredBeyondItsTimeGoesWithItsStar()
    {
        const JobId over = succeeded("a"), later = succeeded("b");
        QVERIFY(set("b", {{20 * day_ms, {}}, {}, {}}).ok());
        sweepAll();
        QVERIFY(track(over, true).ok() && track(later, true).ok());
        pass(10 * day_ms);
        sweepAll(); // puts off what would go
        QVERIFY(track(over, false).ok() && track(later, false).ok());
        sweepAll();
        QVERIFY(!isThere(over) && isThere(later));
        pass(10 * day_ms);
        sweepAll();
        QVERIFY(!isThere(later));
    }

    void onlySoManyJobsAreTracked()
    {
        for (int i = 0; i < limits::tracked_max; ++i)
            QVERIFY(track(push(named("a")), true).ok());
        const JobId one = push(named("a"));
        QCOMPARE(track(one, true).error().code, ErrorCode::Conflict);
        const auto list = await<JobPage>([&](auto done) { m_lookback->jobs({}, done); }).value();
        QVERIFY(track(list.jobs.first().id, true).ok()); // again
        QVERIFY(track(list.jobs.first().id, false).ok());
        QVERIFY(track(one, true).ok());
    }

    // --- Copies and groups
    void aDuplicateIsANewJobWithTheSameFields()
    {
        JobSpec spec = named("a", 3);
        spec.argument = QByteArray::fromHex("93010203");
        spec.tags = {"t"};
        spec.priority = -4;
        const JobSpec plain = spec;
        spec.unique = Unique{"key", UniqueUntil::Finished, OnConflict::Coalesce};
        const JobId id = push(spec);
        const Enqueued copy = await<Enqueued>([&](auto done) { m_lookback->duplicate(id, {}, done); }).value();
        QVERIFY(copy.id != id);
        QCOMPARE(get(copy.id)->spec, plain);
        QCOMPARE(get(copy.id)->state, JobState::Ready);
        const auto missing = await<Enqueued>([&](auto done) { m_lookback->duplicate(m_ids.make(m_now_ms), {}, done); });
        QCOMPARE(missing.error().code, ErrorCode::NotFound);
    }

    void aGroupThatNobodyClosesGoesAfterItsJobs()
    {
        const GroupChange opened{"g", m_ids.make(m_now_ms), true, {}};
        QVERIFY(await<Group>([&](auto done) { m_store->changeGroup(opened, done); }).ok());
        const auto isKnown = [this] { return await<Group>([this](auto done) { m_store->group("g", {}, done); }).ok(); };
        JobSpec member = named("a");
        member.group = "g";
        push(member);
        pass(40 * day_ms);
        sweepAll();
        QVERIFY(isKnown());
        QVERIFY(finish(claim(), success()).ok());
        pass(30 * day_ms - 1);
        sweepAll();
        QVERIFY(isKnown());
        pass(1);
        sweepAll();
        QVERIFY(!isKnown());
    }

    void aGroupWaitsForTheJobThatReplacesItsLast()
    {
        const GroupChange closed{"g", m_ids.make(m_now_ms), false, named("callback")};
        QVERIFY(await<Group>([&](auto done) { m_store->changeGroup(closed, done); }).ok());
        JobSpec member = named("a");
        member.group = "g";
        member.unique = Unique{"k", UniqueUntil::Finished, OnConflict::Replace};
        push(member);
        const JobId last = push(member);
        QCOMPARE(counts().count(JobState::Ready), 1);
        QVERIFY(finish(claim(), success()).ok());
        QVERIFY(get(last)->state == JobState::Succeeded && !claimOf("callback").id.isNull());
    }

    void aJobThatIsRetriedAfterItsGroupIsForgottenIsInNone()
    {
        JobSpec member = named("a");
        member.group = "g";
        const JobId id = push(member);
        QVERIFY(finish(claim(), failure("x")).ok());
        QVERIFY(track(id, true).ok());
        pass(31 * day_ms);
        sweepAll();
        QCOMPARE(retry(id).value().state, JobState::Ready);
        QCOMPARE(command({"HGET", "jq:{test}:s:" + id.bytes(), "ex"}).bytes(), QByteArray()); // it has no options any more
        QVERIFY(finish(claim(), success()).ok());
        QCOMPARE(keys("g:*"), 0);
        QVERIFY(track(id, false).ok());
    }

    void aPushIsRememberedWhenItsJobWentAtOnce()
    {
        QVERIFY(set("a", {{{}, 0}, {}, {}}).ok());
        EnqueueItem item{m_ids.make(m_now_ms), named("a"), {}};
        item.spec.idempotencyKey = "k";
        const auto pushed = [&] {
            return await<QList<Result<Enqueued>>>([&](auto done) { m_store->enqueue({item}, done); }).value().first();
        };
        QVERIFY(pushed().ok());
        QVERIFY(finish(claim(), success()).ok());
        QVERIFY(!isThere(item.id));
        QCOMPARE(pushed()->state, JobState::Succeeded); // the same call again
        QCOMPARE(counts().count(JobState::Ready), 0);
    }

    // --- Results
    void aResultThatOutlivesItsJobKeepsWhatSaysWhoseItIs()
    {
        const auto owner = [this](JobId id) { return await<Job>([&](auto done) { m_past->resultOwner(id, done); }); };
        QVERIFY(set({}, {{minute_ms, {}}, {}, {}}).ok());
        QList<JobId> jobs;
        for (const bool extras : {true, false}) {
            for (const bool keep : {true, false}) {
                JobSpec spec = named(QByteArray(limits::name_bytes_max, extras ? 'e' : 'p'));
                spec.keepResult = keep;
                spec.argument = QByteArray::fromHex("c4") + char(200) + QByteArray(200, 'x');
                if (extras)
                    setPusher(spec, "token-1");
                jobs.append(push(spec));
                QVERIFY(finish(claim(), success()).ok());
            }
        }
        QCOMPARE(owner(jobs[0]).error().code, ErrorCode::NotFound);
        pass(2 * minute_ms);
        sweepAll();
        QVERIFY(!isThere(jobs[0]) && !isThere(jobs[2]));
        QCOMPARE(owner(jobs[0])->spec.pusher, QByteArray("token-1"));
        QCOMPARE(owner(jobs[0])->spec.name, QByteArray(limits::name_bytes_max, 'e'));
        QCOMPARE(owner(jobs[2])->spec.name, QByteArray(limits::name_bytes_max, 'p'));
        QVERIFY(owner(jobs[2])->spec.pusher.isEmpty());
        for (const JobId &without : {jobs[1], jobs[3]})
            QCOMPARE(owner(without).error().code, ErrorCode::NotFound);
        for (const JobId &id : {jobs[0], jobs[2]})
            QVERIFY(!command({"HGET", "jq:{test}:owner:" + id.bytes(), "record"}).bytes().contains("xxx"));
        // When the result was taken, only a repeat of that call may still ask whose it was.
        QVERIFY(await<ResultNow>([&](auto done) { m_store->takeResult(jobs[0], "receipt", Fetch::First, done); }).ok());
        const qint64 left_ms = command({"PTTL", "jq:{test}:owner:" + jobs[0].bytes()}).integer();
        QVERIFY(left_ms > 0 && left_ms <= qint64(limits::receipt_s * 1000));
    }

    void aResultThatOutlivesItsJobKeepsWhoSharedTheJob()
    {
        QVERIFY(set({}, {{minute_ms, {}}, {}, {}}).ok());
        JobSpec spec = named("a");
        spec.keepResult = true;
        spec.unique = Unique{"k", UniqueUntil::Finished, OnConflict::Coalesce};
        setPusher(spec, "token-1");
        const JobId job = push(spec);
        const EnqueueItem same{m_ids.make(m_now_ms), spec, "token-2"};
        const auto shared = await<QList<Result<Enqueued>>>([&](auto done) { m_store->enqueue({same}, done); });
        QCOMPARE(shared->first()->id, job);
        QVERIFY(finish(claim(), success()).ok());
        pass(2 * minute_ms);
        sweepAll();
        QVERIFY(!isThere(job));
        const auto owner = await<Job>([&](auto done) { m_past->resultOwner(job, done); });
        QCOMPARE(owner->spec.pusher, QByteArray("token-1"));
        QCOMPARE(owner->sharers, QList<QByteArray>{"token-2"});
    }

    void whoseATakenResultWasIsKnownAsLongAsItsReceipt()
    {
        QVERIFY(set({}, {{minute_ms, {}}, {}, {}}).ok());
        JobSpec spec = named("a");
        spec.keepResult = true;
        const JobId job = push(spec);
        QVERIFY(finish(claim(), success()).ok());
        QVERIFY(await<ResultNow>([&](auto done) { m_store->takeResult(job, "receipt", Fetch::First, done); }).ok());
        pass(2 * minute_ms);
        sweepAll();
        QVERIFY(!isThere(job));
        QVERIFY(await<Job>([&](auto done) { m_past->resultOwner(job, done); }).ok());
    }

    void keptResultsAreListedByTheirExpiryAndCanBeDiscardedOrExtended()
    {
        QList<JobId> jobs;
        for (int i = 0; i < 5; ++i) {
            JobSpec spec = named("a");
            spec.keepResult = true;
            spec.resultTtl_ms = (10 - i) * minute_ms;
            jobs.append(push(spec));
            QVERIFY(finish(claim(), success()).ok());
        }
        QList<JobId> seen;
        QByteArray cursor;
        do {
            const auto list = await<ResultPage>([&](auto done) { m_lookback->results({{}, 2, cursor}, done); }).value();
            QCOMPARE(list.total, 5);
            for (const KeptResult &result : list.results) {
                QCOMPARE(result.name, QByteArray("a"));
                QCOMPARE(result.bytes, success().packed().size());
                QCOMPARE(result.finishedAt_ms, m_now_ms);
                seen.append(result.id);
            }
            cursor = list.next;
        } while (!cursor.isEmpty());
        std::reverse(seen.begin(), seen.end());
        QCOMPARE(seen, jobs);
        QVERIFY(await<Done>([&](auto done) { m_past->discardResult(jobs[0], done); }).ok());
        QVERIFY(await<Done>([&](auto done) { m_past->extendResult(jobs[1], hour_ms, done); }).ok());
        QCOMPARE(await<KeptResult>([&](auto done) { m_past->result(jobs[1], done); }).value().expiresAt_ms, m_now_ms + hour_ms);
        QCOMPARE(await<Done>([&](auto done) { m_past->discardResult(jobs[0], done); }).error().code, ErrorCode::NotFound);
        QCOMPARE(await<Done>([&](auto done) { m_past->extendResult(jobs[0], 1'000, done); }).error().code, ErrorCode::NotFound);
        QCOMPARE(await<ResultPage>([&](auto done) { m_lookback->results({{}, 9, {}}, done); }).value().total, 4);
    }

    // --- Memory
    void afterADrainAndItsRetentionNothingIsLeft()
    {
        sweepAll();
        for (const char *name : {"a", "b", "c"}) // what is known of a name stays
            succeeded(name);
        settle();
        const qsizetype baseline = keys();
        Walks walks("JUNBAN_SEED", 2, 200);
        const Row row("Nothing is left after a drain", walks, "violations");
        while (walks.next()) {
            const quint32 seed = walks.seed();
            const QByteArray repeat = "JUNBAN_SEED=" + QByteArray::number(seed);
            QVERIFY2(mixedLoad(seed), repeat);
            QVERIFY2(keys() > baseline + 200, repeat);
            settle();
            QVERIFY2(keys() == baseline, repeat);
            QCOMPARE(wrongKeys(*m_link, "test"), QByteArray());
        }
    }

private:
    Result<RetentionChanged> set(const QByteArray &name, const Retention &retention)
    {
        return await<RetentionChanged>([&](auto done) { m_past->setRetention(name, retention, done); });
    }
    // Past everything that is kept for a time: jobs, groups, days of statistics and of series. What Redis itself ends by time (results,
    // receipts, nonces, the keys of idempotent requests, the failures of workers) is ended here, for its clock is not the test's.
    void settle()
    {
        for (int i = 0; i < 4; ++i) {
            pass(40 * day_ms);
            sweepAll();
        }
        for (const char *pattern : {"res:*", "rcp:*", "nonce:*", "idem:*", "gone:*", "shared:*", "owner:*", "fgw:*", "probe"}) {
            const redis::Reply found = command({"KEYS", QByteArray("jq:{test}:") + pattern});
            for (qsizetype i = 0; i < found.size(); ++i)
                command({"DEL", found[i].bytes()});
        }
    }

    // Every way through the states, at random; whether nothing waits or runs in the end.
    bool mixedLoad(quint32 seed)
    {
        QRandomGenerator random(seed);
        QList<JobId> ids;
        for (int step = 0; step < 400; ++step) {
            const char *const names[] = {"a", "b", "c"};
            JobSpec spec = named(names[random.bounded(3)], random.bounded(3));
            spec.keepResult = random.bounded(2);
            spec.delay_ms = random.bounded(3) ? 0 : random.bounded(60'000);
            spec.timeout_ms = 1'000 * random.bounded(1, 60);
            if (random.bounded(8) == 0)
                spec.idempotencyKey = QByteArray::number(random.bounded(50));
            if (random.bounded(6) == 0 && !ids.isEmpty() && isThere(ids.last()) && get(ids.last())->deletedAt_ms == 0)
                spec.dependsOn = {ids.last()};
            if (const Result<Enqueued> pushed = enqueue(spec); pushed.ok())
                ids.append(pushed->id);
            const JobId any = ids[random.bounded(int(ids.size()))];
            switch (random.bounded(8)) {
            case 0: (void)remove(any); break;
            case 1: (void)restore(any); break;
            case 2: (void)retry(any); break;
            case 3: (void)track(any, true); break;
            case 4: pass(random.bounded(20'000)); break;
            case 5: sweep(); break;
            default: work(random, random.bounded(1, 5)); break;
            }
        }
        int idle = 0;
        for (int turn = 0; idle < 3 && turn < 1'000; ++turn) {
            pass(2 * hour_ms);
            sweepAll();
            idle = claimable(random) ? 0 : idle + 1;
        }
        for (const JobId &id : std::as_const(ids))
            (void)track(id, false);
        return idle == 3;
    }
    void work(QRandomGenerator &random, int limit)
    {
        QList<FinishItem> items;
        for (const ClaimedJob &job : claimMany(limit)) {
            if (random.bounded(10) == 0)
                continue; // lost: its lease runs out
            items.append({job.id, job.lease, random.bounded(2) ? success() : failure("cause " + QByteArray::number(random.bounded(4))), 0});
        }
        finishAndClaim(items, {});
    }
    bool claimable(QRandomGenerator &random)
    {
        const Overview before = counts();
        work(random, 100);
        return before.count(JobState::Ready, JobState::Scheduled, JobState::Running, JobState::Depends) > 0;
    }
};

JUNBAN_TEST(TestRetention)
#include "test_retention.moc"
