#include "tests/core/lua/pastfixture.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// Jobs that an operator deletes stand in the trash for a day and may come back to where they were.
class TestTrash : public QObject, private PastFixture
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

    void aDeletedJobIsNowhereButInTheTrashAndComesBack()
    {
        JobSpec later = named("a");
        later.delay_ms = hour_ms;
        const JobId bad = failed("b", "x"), ready = push(named("a")), scheduled = push(later);
        for (const JobId &id : {ready, scheduled, bad})
            QCOMPARE(remove(id).value().state, id == bad ? JobState::Failed : JobState::Cancelled);
        QCOMPARE(remove(ready).value().state, JobState::Cancelled); // again
        QVERIFY(claimMany(5).isEmpty());
        const Overview none = counts();
        QCOMPARE(none.totals.deleted, 3); // each counts once
        QCOMPARE(none.count(JobState::Ready, JobState::Scheduled, JobState::Failed, JobState::Cancelled), 0);
        QVERIFY(get(bad)->deletedAt_ms == m_now_ms);
        QCOMPARE(retry(bad).error().code, ErrorCode::Conflict);
        Lookback::JobsQuery query;
        query.set = JobSet::Trash;
        QCOMPARE(await<JobPage>([&](auto done) { m_lookback->jobs(query, done); }).value().jobs.size(), 3);
        QCOMPARE(restore(ready).value().state, JobState::Ready);
        QCOMPARE(restore(scheduled).value().state, JobState::Scheduled);
        for (const JobId &id : {ready, scheduled}) // nothing is left of their end
            QVERIFY(get(id)->finishedAt_ms == 0 && get(id)->reason.isEmpty());
        QCOMPARE(restore(bad).value().state, JobState::Failed);
        QCOMPARE(restore(bad).error().code, ErrorCode::Conflict);
        QCOMPARE(get(scheduled)->runAt_ms, m_now_ms + hour_ms);
        QCOMPARE(claim().id, ready);
        QCOMPARE(get(bad)->deletedAt_ms, 0);
        QList<QByteArray> told;
        const Job back = get(bad).value();
        for (const Event &event : back.events)
            told.append(event.what);
        QCOMPARE(told, (QList<QByteArray>{"deleted", "restored"}));
    }

    void aDeletedJobIsGoneAfterADay()
    {
        const JobId id = push(named("a"));
        QVERIFY(remove(id).ok());
        pass(day_ms - 1);
        sweepAll();
        QVERIFY(isThere(id));
        pass(1);
        QCOMPARE(sweepAll(), 1);
        QVERIFY(!isThere(id));
        QCOMPARE(restore(id).error().code, ErrorCode::NotFound);
    }

    void aStarredJobWhoseTimeIsOverStandsBehindThoseThatGo()
    {
        const JobId id = succeeded("a");
        QVERIFY(track(id, true).ok());
        pass(100 * day_ms);
        sweepAll();
        QVERIFY(isThere(id));
        const QByteArray looksAgain = command({"ZSCORE", "jq:{test}:purge", id.bytes()}).bytes();
        QCOMPARE(looksAgain, QByteArray::number(m_now_ms + qint64(limits::tracked_put_off_s * second_ms)));
    }

    void aRunningJobIsNotDeleted()
    {
        const JobId id = push(named("a"));
        const ClaimedJob job = claim();
        QCOMPARE(remove(id).error().code, ErrorCode::Conflict);
        QVERIFY(finish(job, success()).ok());
        QVERIFY(remove(id).ok());
        QCOMPARE(remove(m_ids.make(m_now_ms)).error().code, ErrorCode::NotFound);
    }

    void aRestoredJobsRetentionGoesOnFromItsEnd()
    {
        const JobId id = succeeded("a");
        pass(hour_ms);
        QVERIFY(remove(id).ok());
        pass(hour_ms);
        QVERIFY(restore(id).ok());
        pass(qint64(limits::succeeded_kept_s * 1000) - 2 * hour_ms - 1);
        sweepAll();
        QVERIFY(isThere(id));
        pass(1);
        sweepAll();
        QVERIFY(!isThere(id));
    }

    void aDeletedJobIsCancelledForThoseWhoDependOnIt()
    {
        const JobId parent = push(named("a"));
        JobSpec spec = named("b");
        spec.dependsOn = {parent};
        const JobId child = push(spec);
        QCOMPARE(get(child)->state, JobState::Depends);
        QVERIFY(remove(parent).ok());
        QCOMPARE(get(child)->state, JobState::Failed);
        QCOMPARE(get(child)->reason, QByteArray("dependency"));
        QCOMPARE(restore(parent).value().state, JobState::Ready);
    }

    void aDependentThatWasInTheTrashHearsOfItsDependenciesWhenItComesBack()
    {
        const JobId good = push(named("a")), other = push(named("a"));
        JobSpec spec = named("b");
        spec.dependsOn = {good, other};
        const JobId child = push(spec), second = push(spec);
        spec.onDependencyFailure = OnDependencyFailure::Cancel;
        const JobId third = push(spec);
        QVERIFY(remove(child).ok() && remove(second).ok() && remove(third).ok());
        QVERIFY(finish(claim(), success()).ok());
        sweepAll();
        QCOMPARE(restore(child).value().state, JobState::Depends);
        QVERIFY(finish(claim(), failure("x")).ok());
        sweepAll();
        QCOMPARE(get(child)->state, JobState::Failed);
        QCOMPARE(restore(second).value().state, JobState::Failed);
        QCOMPARE(restore(third).value().state, JobState::Cancelled);
    }

    void aDependentWhoseDependencyEndedMeanwhileIsReadyWhenItComesBack()
    {
        JobSpec spec = named("b");
        spec.dependsOn = {push(named("a"))};
        const JobId child = push(spec);
        QVERIFY(remove(child).ok());
        QVERIFY(finish(claim(), success()).ok());
        sweepAll();
        QCOMPARE(restore(child).value().state, JobState::Ready);
        QCOMPARE(command({"HEXISTS", "jq:{test}:s:" + child.bytes(), "dn"}).integer(), 0); // it waits for none
    }

    void aDeletedJobIsNotCountedAmongThoseThatItsNameKeeps()
    {
        const Retention few{{{}, 2}, {}, {}};
        QVERIFY(await<RetentionChanged>([&](auto done) { m_past->setRetention("a", few, done); }).ok());
        const JobId id = succeeded("a");
        QCOMPARE(keys("kept:*"), 1);
        QVERIFY(remove(id).ok());
        QCOMPARE(keys("kept:*"), 0);
        QCOMPARE(command({"HEXISTS", "jq:{test}:s:" + id.bytes(), "kn"}).integer(), 0);
    }

    void aJobThatWasStartedInTimeDoesNotExpireAfterTheTrash()
    {
        JobSpec spec = named("a", 1);
        spec.expiresIn_ms = minute_ms;
        spec.backoff = {hour_ms, 1, hour_ms, 0};
        const JobId id = push(spec);
        QCOMPARE(finish(claim(), failure("x")).value().state, JobState::Scheduled);
        QVERIFY(remove(id).ok() && restore(id).ok());
        pass(hour_ms);
        sweepAll();
        QCOMPARE(get(id)->state, JobState::Ready);
    }

    void aDependentInTheTrashHearsOfAnEndThatNobodyElseWaitsFor()
    {
        const JobId first = push(named("a"));
        JobSpec spec = named("b");
        spec.dependsOn = {first};
        const JobId child = push(spec);
        QVERIFY(remove(child).ok());
        QVERIFY(finish(claim(), success()).ok());
        QCOMPARE(restore(child).value().state, JobState::Ready);
        QCOMPARE(claim().id, child);
    }

    // --- Unique keys
    void aJobThatGaveItsKeyAwayWhenItStartedTakesItFromNobody()
    {
        JobSpec spec = named("a", 1);
        spec.unique = Unique{"k", UniqueUntil::Started, OnConflict::Coalesce};
        spec.backoff = {hour_ms, 1, hour_ms, 0};
        const JobId id = push(spec);
        QCOMPARE(finish(claim(), failure("x")).value().state, JobState::Scheduled);
        const JobId other = push(spec);
        QVERIFY(other != id && remove(id).ok());
        QCOMPARE(restore(id).value().state, JobState::Scheduled);
        QCOMPARE(push(spec), other);
        QCOMPARE(claim().id, other);
        QVERIFY(remove(id).ok() && restore(id).ok());
        QVERIFY(push(spec) != id);
    }

    void aWaitingJobHasItsKeyAgainWhenItIsRestored()
    {
        JobSpec spec = named("a");
        spec.unique = Unique{"k", UniqueUntil::Finished, OnConflict::Coalesce};
        const JobId id = push(spec);
        QVERIFY(remove(id).ok() && restore(id).ok());
        QCOMPARE(push(spec), id);
        QVERIFY(remove(id).ok());
        const JobId other = push(spec);
        QVERIFY(other != id);
        QCOMPARE(restore(id).error().code, ErrorCode::Conflict);
        QCOMPARE(push(spec), other);
    }

    // It comes back behind the one that it waits for, whose bad end is none of its business.
    void aReplacementComesBackToWaitForTheOneItReplaces()
    {
        const JobId needed = push(named("needed"));
        JobSpec spec = named("a");
        spec.unique = Unique{"k", UniqueUntil::Finished, OnConflict::Replace};
        push(spec);
        const ClaimedJob running = claimOf("a");
        spec.dependsOn = {needed};
        const JobId next = push(spec);
        QVERIFY(remove(next).ok());
        QCOMPARE(restore(next).value().state, JobState::Depends);
        QVERIFY(remove(next).ok());
        QVERIFY(finish(running, failure("x")).ok());
        QCOMPARE(restore(next).value().state, JobState::Depends);
        QVERIFY(finish(claimOf("needed"), success()).ok());
        QCOMPARE(claim().id, next);
    }

    void aFailedJobIsNotEditedThere()
    {
        const JobId id = failed("a", "x");
        QVERIFY(remove(id).ok());
        const JobSpec spec = get(id)->spec;
        EditItem item{id, spec, spec, {}, "\x80"};
        item.after.priority = 1;
        QCOMPARE(await<StateNow>([&](auto done) { m_store->edit(item, done); }).error().code, ErrorCode::Conflict);
    }
};

JUNBAN_TEST(TestTrash)
#include "test_trash.moc"
