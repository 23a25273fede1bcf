#include "tests/core/lua/pastfixture.h"
#include "tests/support/testmain.h"

using namespace junban;
using namespace junban::test;

// Groups of jobs and their callbacks, as named scenarios.
class TestGroups : public QObject, private PastFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(start()); }
    void init()
    {
        begin();
        m_ids = IdMaker(); // ids never go back, but times do from one test to the next
    }
    void cleanup()
    {
        const QByteArray wrong = end();
        QCOMPARE(wrong, QByteArray());
    }

    void aGroupWhoseJobRunsAgainIsNotForgotten()
    {
        JobSpec member = named("a");
        member.group = "g";
        const JobId id = push(member);
        (void)finish(claim(), failure("broke"));
        QVERIFY(group("g")->endedAt_ms > 0);
        QCOMPARE(retry(id)->state, JobState::Ready);
        QCOMPARE(group("g")->endedAt_ms, 0);
        QCOMPARE(group("g")->pending, 1);
        pass(40 * day_ms);
        sweepAll();
        QVERIFY(group("g").ok());
        QCOMPARE(group("g")->pending, 1);
        (void)finish(claim(), success());
        QCOMPARE(group("g")->succeeded, 1);
        QCOMPARE(group("g")->failed, 0);
        pass(30 * day_ms - 1);
        sweepAll();
        QVERIFY(group("g").ok());
        pass(1);
        sweepAll();
        QCOMPARE(group("g").error().code, ErrorCode::NotFound);
    }

    void aGroupThatGetsAnotherJobHasNotEnded()
    {
        JobSpec member = named("a");
        member.group = "g";
        push(member);
        (void)finish(claim(), success());
        pass(29 * day_ms);
        push(member);
        QCOMPARE(group("g")->endedAt_ms, 0);
        pass(2 * day_ms);
        sweepAll();
        QCOMPARE(group("g")->pending, 1);
    }

    void theCallbackComesOnceWhenTheGroupIsClosedAndAllHaveEnded()
    {
        changeGroup({"g", m_ids.make(m_now_ms), true, named("callback")});
        JobSpec member = named("a");
        member.group = "g";
        const JobId id = push(member);
        (void)finish(claim(), failure("broke"));
        QVERIFY(group("g")->callback.isNull()); // it is open
        changeGroup({"g", m_ids.make(m_now_ms), false, {}});
        const JobId callback = group("g")->callback;
        QVERIFY(!callback.isNull());
        QVERIFY(retry(id).ok());
        (void)finish(claimOf("a"), success());
        QCOMPARE(counts().count(JobState::Ready), 1); // and not a second one
        QCOMPARE(claim().id, callback);
    }

    void anEmptyGroupDoesNotCallBack()
    {
        changeGroup({"g", m_ids.make(m_now_ms), false, named("callback")});
        QCOMPARE(counts().count(JobState::Ready), 0);
        JobSpec member = named("a");
        member.group = "g";
        cancel(push(member));
        QCOMPARE(counts().count(JobState::Ready), 1);
    }

    // The group's last job is found to be too old by the claim that starts the job which has the callback's key.
    void aCallbackReplacesNoJobThatTheSameClaimStarts()
    {
        JobSpec keyed = named("b");
        keyed.unique = Unique{.key = "k", .onConflict = OnConflict::Replace};
        changeGroup({"g", m_ids.make(m_now_ms), false, keyed});
        JobSpec member = named("a");
        member.group = "g";
        member.expiresIn_ms = second_ms;
        const JobId last = push(member);
        const JobId other = push(keyed);
        pass(second_ms);
        const QList<ClaimedJob> jobs = claimMany(2);
        QCOMPARE(get(last)->reason, QByteArray("expired"));
        QCOMPARE(jobs.size(), 1);
        QCOMPARE(jobs[0].id, other);
        QCOMPARE(get(other)->state, JobState::Running);
        const JobId callback = group("g")->callback;
        QCOMPARE(get(callback)->state, JobState::Depends); // it follows the one that runs
        QCOMPARE(finish(jobs[0], success())->state, JobState::Succeeded);
        QCOMPARE(claim().id, callback);
    }

private:
    void cancel(JobId id)
    {
        (void)await<QList<Result<StateNow>>>([&](auto done) { m_store->cancel({{id, false}}, done); });
    }
    Result<Group> group(const QByteArray &name)
    {
        return await<Group>([&](auto done) { m_store->group(name, done); });
    }
    void changeGroup(const GroupChange &change)
    {
        QVERIFY(await<Group>([&](auto done) { m_store->changeGroup(change, done); }).ok());
    }
};

JUNBAN_TEST(TestGroups)
#include "test_groups.moc"
