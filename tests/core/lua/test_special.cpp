#include "core/base/isotime.h"
#include "tests/core/lua/pastfixture.h"
#include "tests/support/testmain.h"

using namespace junban;
using namespace junban::test;

// Edges of what is special of a job (unique, depends_on, then, hand-offs, windows, expiry) and of what a sweep tidies up, as
// named scenarios: each was a counter-example, or is a case that chance seldom draws. After each the keys must keep the invariants.
class TestSpecial : public QObject, private PastFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(start()); }
    void init()
    {
        begin();
        m_ids = IdMaker(); // ids never go back, but times do from one test to the next
    }
    void cleanup() { QCOMPARE(end(), QByteArray()); }

    // --- unique
    void aKeyGoesBackToTheJobAheadWhenTheOneBehindIsCancelled()
    {
        const JobId ahead = push(unique("k", OnConflict::Replace));
        const ClaimedJob running = claim();
        const JobId behind = push(unique("k", OnConflict::Replace));
        QCOMPARE(get(behind)->state, JobState::Depends);
        cancel(behind);
        const Result<Enqueued> same = enqueue(unique("k", OnConflict::Coalesce));
        QVERIFY(same->duplicate);
        QCOMPARE(same->id, ahead);
        (void)finish(running, success());
        QVERIFY(!enqueue(unique("k", OnConflict::Coalesce))->duplicate);
    }

    void aKeyThatIsFreeFromTheStartIsNotTakenBackByTheEnd()
    {
        JobSpec untilStarted = unique("k", OnConflict::Reject);
        untilStarted.unique->until = UniqueUntil::Started;
        const JobId first = push(untilStarted);
        QCOMPARE(enqueue(untilStarted).error().code, ErrorCode::Conflict);
        const ClaimedJob running = claim();
        QCOMPARE(running.id, first);
        const JobId second = push(untilStarted);
        (void)finish(running, success()); // must not free the second's key
        QCOMPARE(enqueue(untilStarted).error().code, ErrorCode::Conflict);
        QCOMPARE(claim().id, second);
        QVERIFY(enqueue(untilStarted).ok());
    }

    void whoCoalescesLaterMayAskForTheResult()
    {
        JobSpec plain = unique("k", OnConflict::Coalesce), asking = plain;
        asking.keepResult = true;
        const JobId id = push(plain);
        const ClaimedJob running = claim();
        QVERIFY(enqueue(asking)->duplicate); // while it runs
        (void)finish(running, success());
        QCOMPARE(take(id).status, ResultStatus::Ready);
        QCOMPARE(take(id).status, ResultStatus::Gone);
    }

    void theSameKeyOfAnotherNameIsAnotherKey()
    {
        push(unique("k", OnConflict::Reject));
        JobSpec other = unique("k", OnConflict::Reject);
        other.name = "b";
        QVERIFY(enqueue(other).ok());
    }

    // --- depends_on
    void aBadEndIsTheDependentsAsTheyChose()
    {
        const JobId parent = push(named("parent"));
        QList<JobId> children;
        for (const OnDependencyFailure choice : {OnDependencyFailure::Fail, OnDependencyFailure::Cancel, OnDependencyFailure::Run}) {
            JobSpec child = named("child");
            child.dependsOn = {parent};
            child.onDependencyFailure = choice;
            child.keepResult = true;
            children.append(push(child));
        }
        (void)finish(claimOf("parent"), failure("broke"));
        QCOMPARE(get(children[0])->state, JobState::Failed);
        QCOMPARE(get(children[0])->reason, QByteArray("dependency"));
        QVERIFY(take(children[0]).outcome.contains("A job it depends on failed."));
        QCOMPARE(get(children[1])->state, JobState::Cancelled);
        QCOMPARE(get(children[2])->state, JobState::Ready);
        const JobId gone = push(named("parent"));
        cancel(gone);
        JobSpec late = named("child");
        late.dependsOn = {gone};
        late.keepResult = true;
        const JobId lost = push(late); // the bad end has been already
        QCOMPARE(get(lost)->state, JobState::Failed);
        QVERIFY(take(lost).outcome.contains("A job it depends on was cancelled."));
    }

    void moreDependentsThanOneCallTellsAreAllFreed()
    {
        const JobId parent = push(named("parent"));
        JobSpec child = named("child");
        child.dependsOn = {parent};
        const int many = 2 * limits::script_items_max + 7;
        for (int i = 0; i < many; ++i)
            push(child);
        QCOMPARE(counts().count(JobState::Depends), many);
        (void)finish(claimOf("parent"), success());
        sweepAll();
        QCOMPARE(counts().count(JobState::Depends), 0);
        QCOMPARE(counts().count(JobState::Ready), many);
    }

    void aJobThatIsPurgedEarlyStillFreesItsDependents()
    {
        const Retention theLastOne{{{}, 1}, {}, {}};
        QVERIFY(await<RetentionChanged>([&](auto done) { m_past->setRetention("parent", theLastOne, done); }).ok());
        const JobId parent = push(named("parent"));
        JobSpec child = named("child");
        child.dependsOn = {parent};
        const int many = limits::script_items_max + 7; // more than one call tells
        for (int i = 0; i < many; ++i)
            push(child);
        (void)finish(claimOf("parent"), success());
        QCOMPARE(counts().count(JobState::Depends), 7);
        succeeded("parent");
        QVERIFY(!isThere(parent));
        sweepAll();
        QCOMPARE(counts().count(JobState::Ready), many);
        QCOMPARE(keys("dep:*"), 0);
    }

    void aDependentIsFreedByTheLastOfItsParentsOnly()
    {
        JobSpec child = named("child");
        child.dependsOn = {push(named("p")), push(named("p")), push(named("p"))};
        const JobId id = push(child);
        for (int left = 3; left > 0; --left) {
            QCOMPARE(get(id)->state, JobState::Depends);
            QCOMPARE(get(id)->dependenciesLeft, left);
            (void)finish(claimOf("p"), success());
        }
        QCOMPARE(get(id)->state, JobState::Ready);
    }

    // --- then
    void whatComesAfterIsEnqueuedOnceAndWhatIsRefusedIsTold()
    {
        push(unique("taken", OnConflict::Reject));
        JobSpec parent = named("parent"), refused = unique("taken", OnConflict::Reject), fine = named("fine");
        fine.delay_ms = minute_ms;
        parent.then = {refused, fine};
        const JobId id = push(parent);
        QCOMPARE(get(id)->spec.then, parent.then);
        const ClaimedJob running = claimOf("parent");
        const qint64 before = counts().totals.enqueued;
        pass(hour_ms);
        (void)finish(running, success());
        (void)finish(running, success()); // a repeat
        QCOMPARE(counts().totals.enqueued, before + 1);
        QCOMPARE(counts().count(JobState::Scheduled), 1); // its delay counts from the success
        const QList<Event> events = get(id)->events;
        QCOMPARE(events.size(), 1);
        QCOMPARE(events.first().what, QByteArray("then_refused"));
        sweep();
        QCOMPARE(counts().count(JobState::Scheduled), 1);
        pass(minute_ms);
        QCOMPARE(sweep().promoted, 1);
        QCOMPARE(claimOf("fine").attempt, 1);
    }

    void nothingComesAfterAFailureOrACancel()
    {
        JobSpec parent = named("parent");
        parent.then = {named("after")};
        push(parent);
        (void)finish(claimOf("parent"), failure("broke"));
        cancel(push(parent));
        QVERIFY(claimOf("after").id.isNull());
    }

    // --- hand-offs
    void aMessageKeyIsOneJobsAndDeadAfterItsTime()
    {
        push(named("a", 1));
        push(named("a"));
        const ClaimedJob first = claim(), second = claim();
        QCOMPARE(handOff(first, "key")->state, JobState::Awaiting);
        QCOMPARE(handOff(first, "key")->state, JobState::Awaiting); // a repeat
        QCOMPARE(handOff(second, "key").error().code, ErrorCode::Conflict);
        QCOMPARE(finish(first, success()).error().code, ErrorCode::LeaseLost);
        pass(minute_ms);
        QCOMPARE(sweep().expired, 1);
        QCOMPARE(get(first.id)->state, JobState::Scheduled); // it may be tried again
        QCOMPARE(message("key", success()).error().code, ErrorCode::NotFound);
        QCOMPARE(handOff(second, "key")->state, JobState::Awaiting); // the key is free
        QCOMPARE(message("key", success())->finished.state, JobState::Succeeded);
        QCOMPARE(message("key", success())->id, second.id); // a repeat
    }

    // --- windows and expiry
    void aJobLeavesItsLaneWhenItsWindowCloses()
    {
        sweep(); // the store learns Redis' clock
        JobSpec spec = named("a");
        spec.windows = {{10 * 60, 10 * 60 + 1, "UTC", 0x7f}}; // it is ten o'clock
        const JobId id = push(spec);
        spec.expiresIn_ms = hour_ms;
        const JobId late = push(spec);
        QCOMPARE(get(id)->state, JobState::Ready);
        pass(minute_ms - 1);
        sweep();
        QCOMPARE(get(id)->state, JobState::Ready);
        pass(1);
        QVERIFY(claim().id.isNull()); // even before a sweep
        QCOMPARE(get(id)->state, JobState::Scheduled);
        QCOMPARE(get(id)->runAt_ms, m_now_ms - minute_ms + day_ms);
        pass(hour_ms);
        sweep();
        QCOMPARE(get(late)->reason, QByteArray("expired")); // for all that
        pass(day_ms - minute_ms - hour_ms);
        QCOMPARE(sweep().promoted, 1);
        QCOMPARE(claim().id, id);
    }

    // Its windows are known for eight days.
    void aTimeFarAheadIsKeptUntilItsWindowsAreKnown()
    {
        sweep(); // the store learns Redis' clock
        JobSpec spec = named("a");
        spec.windows = {{14 * 60, 16 * 60, "UTC", 0x7f}}; // it is ten o'clock
        const qint64 due_ms = m_now_ms + 20 * day_ms + 2 * hour_ms;
        spec.runAt_ms = due_ms;
        const JobId id = push(spec);
        for (const qint64 at_ms : {m_now_ms, m_now_ms + 9 * day_ms, due_ms - minute_ms - 1}) {
            setTime(at_ms);
            QVERIFY(sweep().windowsWanted.isEmpty());
            QCOMPARE(get(id)->runAt_ms, due_ms);
        }
        pass(1);
        QCOMPARE(sweep().windowsWanted, QList<JobId>{id});
        tellWindows(id, spec);
        QCOMPARE(get(id)->runAt_ms, due_ms + 2 * hour_ms);
        setTime(due_ms + 2 * hour_ms - 1);
        QCOMPARE(sweep().promoted, 0);
        pass(1);
        QCOMPARE(sweep().promoted, 1);
        QCOMPARE(claim().id, id);
    }

    void aJobWhoseLastKnownWindowIsLongPastDoesNotStart()
    {
        sweep();
        JobSpec spec = named("a");
        spec.windows = {{10 * 60 - 30, 10 * 60 + 30, "UTC", 0x7f}}; // it is ten o'clock: open
        const qint64 due_ms = m_now_ms + 20 * day_ms + hour_ms;
        spec.runAt_ms = due_ms;
        const JobId id = push(spec);
        setTime(due_ms); // no master told of anything meanwhile
        QCOMPARE(sweep().windowsWanted, QList<JobId>{id});
        QVERIFY(claim().id.isNull());
        QCOMPARE(get(id)->state, JobState::Scheduled);
        tellWindows(id, spec);
        QCOMPARE(get(id)->runAt_ms, due_ms - 90 * minute_ms + day_ms);
        QVERIFY(sweep().windowsWanted.isEmpty());
    }

    void aReadyJobWaitsWhenItsNewWindowsAreClosed()
    {
        sweep();
        JobSpec spec = named("a");
        spec.windows = {{10 * 60 - 30, 10 * 60 + 30, "UTC", 0x7f}}; // it is ten o'clock: open
        const JobId id = push(spec);
        QCOMPARE(get(id)->state, JobState::Ready);
        spec.windows = {{11 * 60, 12 * 60, "UTC", 0x7f}};
        tellWindows(id, spec);
        QCOMPARE(get(id)->state, JobState::Scheduled);
        QVERIFY(claimMany(1).isEmpty());
        QCOMPARE(counts().count(JobState::Ready), 0);
        pass(hour_ms);
        QCOMPARE(sweep().promoted, 1);
        QCOMPARE(claim().id, id);
    }

    void windowsThatAreAlwaysOpenAreAskedForNoMore()
    {
        sweep();
        JobSpec spec = named("a");
        spec.windows = {{0, 24 * 60, "UTC", 0x7f}};
        const qint64 due_ms = m_now_ms + 20 * day_ms;
        spec.runAt_ms = due_ms;
        const JobId id = push(spec);
        setTime(due_ms);
        const Swept swept = sweep();
        QCOMPARE(swept.promoted, 1);
        QVERIFY(swept.windowsWanted.isEmpty());
        QCOMPARE(claim().id, id);
    }

    // Its reply was lost, and it is made again (a walk with cuts found that it was told of twice).
    void anEditIsToldOfOnceThoughAWindowPutsItsTimeOff()
    {
        sweep(); // the store learns Redis' clock
        JobSpec spec = named("a");
        spec.windows = {{11 * 60, 12 * 60, "UTC", 0x7f}}; // it is ten o'clock
        const EditItem item{push(spec), spec, spec, m_now_ms + day_ms - 90 * minute_ms, "\x80"};
        for (int i = 0; i < 2; ++i) {
            const auto edited = await<StateNow>([&](auto done) { m_store->edit(item, done); });
            QCOMPARE(edited->runAt_ms, m_now_ms + hour_ms + day_ms); // at half past eight it is closed
            QCOMPARE(get(item.id)->events.size(), 1);
        }
    }

    void onlyAJobThatNeverStartedExpires()
    {
        JobSpec spec = named("a", 3);
        spec.expiresIn_ms = hour_ms;
        spec.keepResult = true;
        const JobId tried = push(spec);
        (void)finish(claim(), failure("broke"));
        spec.dependsOn = {tried};
        const JobId waits = push(spec);
        pass(hour_ms);
        sweepAll();
        QCOMPARE(get(tried)->state, JobState::Ready);
        QCOMPARE(get(waits)->state, JobState::Failed);
        QCOMPARE(get(waits)->reason, QByteArray("expired"));
        const JobId due = push(named("z"));
        JobSpec old = named("old");
        old.expiresIn_ms = minute_ms;
        const JobId late = push(old);
        pass(minute_ms);
        QCOMPARE(claimOf("old").id, JobId()); // even before a sweep
        QCOMPARE(get(late)->reason, QByteArray("expired"));
        QCOMPARE(claimOf("z").id, due);
    }

    void aLeaseThatRanOutAfterAHeartbeatWasNotSilent()
    {
        const auto loseLeases = [this](const char *name, bool heard) {
            const JobId id = push(named(name, 9));
            for (int i = 0; i < limits::poison_expiries; ++i) {
                const ClaimedJob job = finishAndClaim({}, {{"w", {name}, 1, second_ms}}).claimed.first().jobs.value(0);
                if (heard) {
                    const auto beats
                        = await<QList<Result<Heartbeat>>>([&](auto done) { m_store->heartbeat({{job.id, job.lease}}, done); });
                    if (!beats->first().ok())
                        qFatal("the heartbeat was refused");
                }
                pass(hour_ms);
                sweepAll();
                pass(hour_ms); // the backoff is over
                sweepAll();
            }
            return id;
        };
        QCOMPARE(get(loseLeases("heard", true))->state, JobState::Ready);
        const JobId silent = loseLeases("silent", false);
        QCOMPARE(get(silent)->state, JobState::Failed);
        QCOMPARE(get(silent)->reason, QByteArray("poison"));
    }

    // --- what a sweep tidies up, and what is counted
    void idempotencyKeysAreForgottenAfterADay()
    {
        JobSpec spec = named("a");
        spec.idempotencyKey = "k";
        push(spec);
        pass(day_ms - 1);
        sweep();
        QCOMPARE(command({"ZCARD", "jq:{test}:idem"}).integer(), 1);
        pass(1);
        sweep();
        QCOMPARE(command({"ZCARD", "jq:{test}:idem"}).integer(), 0);
    }

    void theOldestIdempotencyKeyGoesWhenThereAreTooMany()
    {
        JobSpec first = named("a"), second = named("a"), third = named("a");
        first.idempotencyKey = "1";
        second.idempotencyKey = "2";
        third.idempotencyKey = "3";
        const JobId id = push(first);
        pass(second_ms);
        push(second);
        const QByteArray fill = "for i = ARGV[1], ARGV[1] + 4999 do redis.call('ZADD', KEYS[1], ARGV[2], i) end";
        for (qint64 filled = 0; filled < limits::idempotency_keys_max; filled += 5'000) // a call may take only so long
            command({"EVAL", fill, "1", "jq:{test}:idem", QByteArray::number(filled), QByteArray::number(m_now_ms + 2 * day_ms)});
        command({"ZREM", "jq:{test}:idem", "0", "1"});
        QCOMPARE(enqueue(first)->id, id);
        push(third); // one too many
        QCOMPARE(command({"ZCARD", "jq:{test}:idem"}).integer(), limits::idempotency_keys_max);
        QVERIFY(enqueue(second)->duplicate);
        QVERIFY(!enqueue(first)->duplicate);
        command({"UNLINK", "jq:{test}:idem"}); // to free a million members takes a busy machine seconds
    }

    void theOldestReadyJobIsFoundInWhicheverLane()
    {
        QCOMPARE(counts().oldestReadyAt_ms, 0);
        JobSpec late = named("late"), early = named("early");
        late.priority = -5;
        const qint64 first_ms = m_now_ms;
        push(early);
        pass(minute_ms);
        push(late); // stands first in the index
        pass(minute_ms);
        push(named("last"));
        QCOMPARE(counts().oldestReadyAt_ms, first_ms);
        claimOf("early");
        QCOMPARE(counts().oldestReadyAt_ms, first_ms + minute_ms);
    }

    void anOutcomeThatTheMasterMakesBearsTheRightDate_data()
    {
        QTest::addColumn<QByteArray>("at");
        for (const char *at : {"2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00.000Z", "2026-02-28T23:59:59.001Z",
                 "2026-03-01T00:00:00.000Z",
                 "2028-02-29T12:34:56.789Z", "2028-03-01T00:00:00.000Z", "2099-12-31T01:02:03.004Z", "2100-02-28T23:59:59.999Z",
                 "2100-03-01T00:00:00.000Z", "2026-07-31T09:00:00.010Z", "2026-08-31T10:10:10.100Z", "2026-09-30T00:01:00.000Z",
                 "2026-10-31T00:59:00.000Z", "2026-11-30T13:00:00.000Z", "2026-12-01T00:00:00.000Z", "2400-02-29T00:00:00.000Z"})
            QTest::newRow(at) << QByteArray(at);
    }
    void anOutcomeThatTheMasterMakesBearsTheRightDate()
    {
        QFETCH(QByteArray, at);
        setTime(*fromIsoTime(at) - minute_ms);
        JobSpec spec = named("a");
        spec.keepResult = true;
        spec.expiresIn_ms = minute_ms;
        const JobId id = push(spec);
        pass(minute_ms);
        sweep();
        const QByteArray outcome = take(id).outcome;
        QVERIFY2(outcome.contains(at), outcome.constData());
    }

    void aSweepThrowsOutWhatPointsNowhere()
    {
        const JobId ready = push(named("a"));
        const QByteArray nobody = m_ids.make(m_now_ms).bytes();
        for (const char *index : {"run", "await", "expire", "sched", "wclose"}) {
            for (const QByteArray &id : {nobody, ready.bytes()})
                command({"ZADD", QByteArray("jq:{test}:") + index, "1", id});
        }
        const Swept swept = sweep();
        for (const char *index : {"run", "await", "sched", "wclose"})
            QCOMPARE(command({"ZCARD", QByteArray("jq:{test}:") + index}).integer(), 0);
        QCOMPARE(command({"ZCARD", "jq:{test}:expire"}).integer(), 0);
        QVERIFY(!swept.more);
        QCOMPARE(swept.nextDue_ms, 0);
    }

    void aShownMessageIsCutAtACharacter_data()
    {
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<qsizetype>("shown_bytes");
        const QByteArray full(200, 'x');
        QTest::newRow("fits") << full << qsizetype(200);
        QTest::newRow("one more") << full + 'x' << qsizetype(200);
        QTest::newRow("two bytes across the end") << full.left(199) + "\xc3\x80" << qsizetype(199);
        QTest::newRow("three bytes across the end") << full.left(199) + "\xe6\xbf\xbf" << qsizetype(199);
        QTest::newRow("three bytes that end there") << full.left(197) + "\xe6\x97\xa5\xe6\x97\xa5" << qsizetype(200);
        QTest::newRow("a byte less") << full.left(198) + "\xe6\x97\xa5" << qsizetype(198);
    }
    void aShownMessageIsCutAtACharacter()
    {
        QFETCH(QByteArray, said);
        QFETCH(qsizetype, shown_bytes);
        const JobId id = failed("a", said);
        QCOMPARE(get(id)->message, said.left(shown_bytes));
    }

    void mastersOfLateAreKnownSoThatHintsReachThem()
    {
        sweep();
        const QByteArray own = command({"ZRANGE", "jq:{test}:engines", "0", "0"})[0].bytes();
        command({"ZADD", "jq:{test}:engines", QByteArray::number(m_now_ms), "other"});
        pass(qint64(limits::engine_seen_s * 1'000) - 1);
        sweep();
        QCOMPARE(command({"ZSCORE", "jq:{test}:engines", own}).bytes().toLongLong(), m_now_ms);
        QCOMPARE(command({"ZCARD", "jq:{test}:engines"}).integer(), 2);
        pass(1);
        sweep();
        QCOMPARE(command({"ZCARD", "jq:{test}:engines"}).integer(), 1);
        QCOMPARE(command({"HGET", "jq:{test}:meta", "layout"}).bytes().toInt(), limits::layout_version);
    }

private:
    static JobSpec unique(const QByteArray &key, OnConflict onConflict)
    {
        JobSpec spec = named("u");
        spec.unique = Unique{.key = key, .onConflict = onConflict};
        return spec;
    }
    void cancel(JobId id)
    {
        (void)await<QList<Result<StateNow>>>([&](auto done) { m_store->cancel({{id, false}}, done); });
    }
    ResultNow take(JobId id)
    {
        return await<ResultNow>([&](auto done) { m_store->takeResult(id, {}, Fetch::First, done); }).value();
    }
    // As a master does that was asked.
    void tellWindows(JobId id, const JobSpec &spec)
    {
        const QList<qint64> boundaries_ms = windowBoundaries_ms(spec.windows, m_now_ms);
        QVERIFY(await<Done>([&](auto done) { m_store->setWindows(id, boundaries_ms, done); }).ok());
    }
    Result<StateNow> handOff(const ClaimedJob &job, const QByteArray &key)
    {
        return await<StateNow>([&](auto done) { m_store->handOff({job.id, job.lease, key, minute_ms}, done); });
    }
    Result<MessageTaken> message(const QByteArray &key, const Outcome &outcome)
    {
        return await<MessageTaken>([&](auto done) { m_store->message({key, outcome, 0}, done); });
    }
};

JUNBAN_TEST(TestSpecial)
#include "test_special.moc"
