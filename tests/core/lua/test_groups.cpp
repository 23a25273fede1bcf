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

    void theSameEnqueueAgainJoinsTheGroupOnce()
    {
        EnqueueItem item{m_ids.make(m_now_ms), named("a"), {}};
        item.spec.group = "g";
        for (int call = 0; call < 2; ++call) {
            const auto made = await<QList<Result<Enqueued>>>([&](auto done) { m_store->enqueue({item}, done); });
            QCOMPARE(made->first()->id, item.id);
        }
        QCOMPARE(group("g")->total, 1);
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

    void aCallbackWithTheKeyOfAJobThatIsThereIsThatJob()
    {
        JobSpec keyed = named("b");
        keyed.unique = Unique{.key = "k", .onConflict = OnConflict::Coalesce};
        const JobId there = push(keyed);
        changeGroup({"g", m_ids.make(m_now_ms), false, keyed});
        JobSpec member = named("a");
        member.group = "g";
        push(member);
        (void)finish(claimOf("a"), success());
        QCOMPARE(group("g")->callback, there);
        QCOMPARE(counts().count(JobState::Ready), 1);
    }

    void whatDependsOnAJobThatACallbackReplacesIsToldAtOnce()
    {
        JobSpec keyed = named("b");
        keyed.unique = Unique{.key = "k", .onConflict = OnConflict::Replace};
        const JobId there = push(keyed);
        JobSpec after = named("c");
        after.dependsOn = {there};
        const JobId dependent = push(after);
        JobSpec member = named("a");
        member.group = "g";
        push(member);
        (void)finish(claimOf("a"), success());
        changeGroup({"g", m_ids.make(m_now_ms), true, {}});
        changeGroup({"g", m_ids.make(m_now_ms), false, keyed});
        QCOMPARE(get(there)->state, JobState::Cancelled);
        QCOMPARE(get(dependent)->state, JobState::Failed);
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

    void aGroupIsTheTokensThatMadeItUntilThatIsRevoked()
    {
        const GroupCaller maker{"t1", true}, other{"t2", true}, anOperator{"t3", false};
        knowTokens({"t1", "t2", "t3"});
        QCOMPARE(change("g", true, maker)->pusher, maker.token);
        QCOMPARE(change("g", false, other).error().code, ErrorCode::Forbidden);
        QCOMPARE(group("g", other).error().code, ErrorCode::NotFound);
        QCOMPARE(join("g", other).error().code, ErrorCode::Forbidden);
        QCOMPARE(join("g", other).error().field, QByteArray("group"));
        QVERIFY(join("g", maker).ok());
        QVERIFY(join("g", anOperator).ok());
        QCOMPARE(change("g", false, anOperator)->pusher, maker.token); // it does not become the operator's
        QVERIFY(group("g").ok());
        QCOMPARE(group("g", maker)->total, 2);
        command({"HDEL", "jq:{test}:tokens", "t1"});
        QVERIFY(group("g", other).ok()); // it is nobody's now
        QVERIFY(join("g", anOperator).ok());
        QVERIFY(join("g", other).ok());
        QCOMPARE(group("g")->pusher, other.token);
        knowTokens({"t1"});
        QCOMPARE(change("g", true, maker).error().code, ErrorCode::Forbidden);
    }

    void aGroupIsTheTokensThatPushedItsFirstJob()
    {
        knowTokens({"t1", "t2", "t3"});
        QVERIFY(join("first", {"t1", true}).ok());
        QCOMPARE(change("first", true, {"t2", true}).error().code, ErrorCode::Forbidden);
        QVERIFY(join("operators", {"t3", false}).ok());
        QCOMPARE(join("operators", {"t1", true}).error().code, ErrorCode::Forbidden);
        QVERIFY(join("nobodys", {}).ok()); // without a token
        QVERIFY(group("nobodys")->pusher.isEmpty());
        QVERIFY(group("nobodys", {"t2", true}).ok());
        QCOMPARE(change("nobodys", true, {"t2", true})->pusher, QByteArray("t2"));
        QCOMPARE(join("nobodys", {"t1", true}).error().code, ErrorCode::Forbidden);
    }

    void othersMaySeeASharedGroupAndPushIntoItButNotChangeIt()
    {
        const GroupCaller maker{"t1", true}, other{"t2", true};
        knowTokens({"t1", "t2"});
        QVERIFY(!change("g", true, maker)->shared);
        GroupChange sharing{"g", m_ids.make(m_now_ms)};
        sharing.shared = true;
        sharing.caller = maker;
        changeGroup(sharing);
        QVERIFY(join("g", other).ok());
        QVERIFY(group("g", other)->shared);
        QCOMPARE(group("g", other)->pusher, maker.token); // pushing into it does not take it over
        QCOMPARE(change("g", false, other).error().code, ErrorCode::Forbidden);
        sharing.shared = false;
        changeGroup(sharing);
        QCOMPARE(join("g", other).error().code, ErrorCode::Forbidden);
        QCOMPARE(group("g", other).error().code, ErrorCode::NotFound);
    }

    void whatFollowsAJobKeepsToItsPushersGroups()
    {
        knowTokens({"t1", "t2"});
        QVERIFY(change("g", true, {"t1", true}).ok());
        JobSpec first = named("a"), next = named("b");
        next.group = "g";
        first.then = {next};
        setPusher(first, "t2");
        keepToOwnGroups(first);
        const JobId id = push(first);
        (void)finish(claim(), success());
        QCOMPARE(get(id)->events.last().what, QByteArray("then_refused"));
        QCOMPARE(group("g")->total, 0);
        GroupChange mine{"mine", m_ids.make(m_now_ms), false, next};
        mine.caller = {"t2", true};
        setPusher(*mine.callback, "t2");
        keepToOwnGroups(*mine.callback);
        changeGroup(mine);
        QVERIFY(join("mine", mine.caller).ok());
        (void)finish(claim(), success());
        QVERIFY(group("mine")->callbackRefused.name == "group_of_another");
    }

private:
    void knowTokens(const QList<QByteArray> &tokens)
    {
        for (const QByteArray &token : tokens)
            command({"HSET", "jq:{test}:tokens", token, "its record"});
    }
    Result<Group> change(const QByteArray &name, bool open, const GroupCaller &caller)
    {
        GroupChange change{name, m_ids.make(m_now_ms), open};
        change.caller = caller;
        return await<Group>([&](auto done) { m_store->changeGroup(change, done); });
    }
    Result<Enqueued> join(const QByteArray &name, const GroupCaller &caller)
    {
        JobSpec member = named("a");
        member.group = name;
        setPusher(member, caller.token);
        if (caller.onlyOwn)
            keepToOwnGroups(member);
        return enqueue(member);
    }
    void cancel(JobId id)
    {
        (void)await<QList<Result<StateNow>>>([&](auto done) { m_store->cancel({{id, false}}, done); });
    }
    Result<Group> group(const QByteArray &name, const GroupCaller &caller = {})
    {
        return await<Group>([&](auto done) { m_store->group(name, caller, done); });
    }
    void changeGroup(const GroupChange &change)
    {
        QVERIFY(await<Group>([&](auto done) { m_store->changeGroup(change, done); }).ok());
    }
};

JUNBAN_TEST(TestGroups)
#include "test_groups.moc"
