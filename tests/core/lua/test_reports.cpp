#include "core/redis/redispast.h"
#include "tests/core/redis/fsckfixture.h"
#include "tests/support/testmain.h"

#include <QHash>

using namespace junban;
using namespace junban::test;

// What attempts and groups leave behind for those who ask later: reports that come again, failures that were, callbacks that were refused.
class TestReports : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_f.start()); }
    void init() { m_f.clear(); }
    void cleanup() { QCOMPARE(text(m_f.look(Repair::No)), QByteArray()); }

    void aReportIsRememberedUntilALaterAttemptHasEnded_data()
    {
        QTest::addColumn<QByteArray>("end");
        for (const char *end :
            {"success", "failure", "release", "expiry", "handoff", "cancel heard", "cancel forced", "awaiting cancelled"})
            QTest::newRow(end) << QByteArray(end);
    }
    void aReportIsRememberedUntilALaterAttemptHasEnded()
    {
        QFETCH(QByteArray, end);
        JobSpec spec = named("a");
        spec.maxRetry = 5;
        const JobId id = m_f.push(spec);
        const ClaimedJob first = m_f.claim("a");
        QCOMPARE(m_f.finish(first, OutcomeType::Failure, true).state, JobState::Scheduled);
        m_f.wait(5'000);
        m_f.sweep();
        const ClaimedJob second = m_f.claim("a");
        QCOMPARE(second.id, id);
        QCOMPARE(m_f.finish(first, OutcomeType::Failure, true).state, JobState::Scheduled); // its reply may have been lost
        endAttempt(second, end);
        for (const OutcomeType type : {OutcomeType::Failure, OutcomeType::Success}) {
            const Result<Finished> again = report(first, type);
            QVERIFY2(!again.ok(), "it is answered as if it were the last");
            QCOMPARE(again.error().code, ErrorCode::LeaseLost);
        }
    }

    // I6: failures ≤ max_retry + 1, whatever an edit wants.
    void maxRetryIsNotLoweredBelowTheFailuresThatWere()
    {
        JobSpec spec = named("a");
        spec.maxRetry = 5;
        spec.backoff = {1, 1, 1, 0};
        const JobId id = m_f.push(spec);
        for (int i = 0; i < 2; ++i) {
            m_f.finish(m_f.claim("a"), OutcomeType::Failure, true);
            m_f.wait(5'000);
            m_f.sweep();
        }
        const Result<StateNow> refused = edit(id, spec, 1);
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, ErrorCode::InvalidField);
        QCOMPARE(refused.error().field, QByteArray("max_retry"));
        QVERIFY2(refused.error().message().contains("2 times"), refused.error().message().constData());
        spec = edited(spec, 2);
        QCOMPARE(edit(id, edited(spec, 5), 2).value().state, JobState::Ready); // the attempt it waits for is its last
        QCOMPARE(m_f.finish(m_f.claim("a"), OutcomeType::Failure, true).state, JobState::Failed);
        QVERIFY(!edit(id, spec, 1).ok());
        QVERIFY(edit(id, spec, 3).ok());
        // Run again by an operator its failures are forgotten.
        QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { m_f.store().retry({id}, done); }).value()[0].ok());
        QVERIFY(edit(id, edited(spec, 3), 0).ok());
    }

    // It takes its place among others when it is enqueued, not when it was thought of.
    void aCallbackStandsBehindWhatCameBeforeTheGroupsEnd()
    {
        JobSpec member = named("member");
        member.group = "batch";
        m_f.push(member);
        QVERIFY(changeGroup({"batch", IdMaker().make(m_f.now_ms()), {}, named("callback")}).callback.isNull());
        m_f.wait(1000);
        const JobId before = m_f.push(named("callback"));
        m_f.wait(1000);
        m_f.finish(m_f.claim("member"), OutcomeType::Success);
        QCOMPARE(m_f.claim("callback").id, before);
        const JobId callback = m_f.claim("callback").id;
        QCOMPARE(group().callback, callback);
        QCOMPARE(callback.created_ms(), m_f.now_ms());
    }

    void aCallbackThatIsRefusedIsTold()
    {
        JobSpec holder = named("callback"), callback = named("callback"), member = named("member");
        holder.unique = Unique{"key", UniqueUntil::Finished, OnConflict::Reject};
        callback.unique = holder.unique;
        member.group = "batch";
        m_f.push(holder);
        m_f.push(member);
        GroupChange change{"batch", IdMaker().make(m_f.now_ms()), {}, callback};
        QVERIFY(changeGroup(change).callbackRefused.isEmpty());
        m_f.finish(m_f.claim("member"), OutcomeType::Success);
        const Group refused = group();
        QCOMPARE(refused.callbackRefused.name, "unique_key_taken");
        QVERIFY(refused.callback.isNull());
        QVERIFY(refused.endedAt_ms > 0);
        redis::RedisPast past(m_f.link(), "test", m_f.clock(), redis::ScriptClock::TestKey);
        const auto groups = await<GroupsPage>([&](auto done) { past.groups({}, done); });
        QCOMPARE(groups.value().groups.size(), 1);
        const FailureGroup failure = groups.value().groups[0];
        QCOMPARE(failure.name, QByteArray("callback"));
        QCOMPARE(failure.reason, QByteArray("refused"));
        QVERIFY(failure.samples.isEmpty());
        QCOMPARE(m_f.command({"XLEN", m_f.key("audit")}), QByteArray("1"));
        // Asked for again when the key is free, it comes.
        m_f.finish(m_f.claim("callback"), OutcomeType::Success);
        QCOMPARE(changeGroup({"batch", {}, {}, {}}).callbackRefused.name, refused.callbackRefused.name);
        const Group called = changeGroup(change);
        QVERIFY(called.callbackRefused.isEmpty());
        QCOMPARE(m_f.claim("callback").id, called.callback);
        QCOMPARE(m_f.command({"XLEN", m_f.key("audit")}), QByteArray("1"));
    }

private:
    Result<Finished> report(const ClaimedJob &job, OutcomeType type)
    {
        Outcome outcome;
        outcome.type = type;
        outcome.shouldRetry = true;
        outcome.finishedAt = "2026-01-01T00:00:00Z";
        return await<FinishAndClaimReply>([&](auto done) { m_f.store().finishAndClaim({{job.id, job.lease, outcome, 0}}, {}, done); })
            .value()
            .finished[0];
    }
    void cancel(JobId id, bool force)
    {
        QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { m_f.store().cancel({{id, force}}, done); }).value()[0].ok());
    }
    void handOff(const ClaimedJob &job)
    {
        QVERIFY(await<StateNow>([&](auto done) { m_f.store().handOff({job.id, job.lease, "m", 60'000}, done); }).ok());
    }
    void endAttempt(const ClaimedJob &job, const QByteArray &how)
    {
        if (how == "success" || how == "failure") {
            QVERIFY(report(job, how == "success" ? OutcomeType::Success : OutcomeType::Failure).ok());
        } else if (how == "release") {
            const auto released = await<QList<Result<StateNow>>>([&](auto done) { m_f.store().release({{job.id, job.lease}}, done); });
            QVERIFY(released.value()[0].ok());
        } else if (how == "expiry") {
            m_f.wait(60'000);
            QCOMPARE(m_f.sweep().expired, 1);
        } else if (how == "handoff") {
            handOff(job);
        } else if (how == "cancel heard") {
            cancel(job.id, false);
            QVERIFY(report(job, OutcomeType::Failure).ok());
        } else {
            if (how == "awaiting cancelled")
                handOff(job);
            cancel(job.id, true);
        }
    }

    static JobSpec edited(JobSpec spec, int maxRetry)
    {
        spec.maxRetry = maxRetry;
        return spec;
    }
    Result<StateNow> edit(JobId id, const JobSpec &before, int maxRetry)
    {
        const EditItem item{id, before, edited(before, maxRetry), {}, {}};
        return await<StateNow>([&](auto done) { m_f.store().edit(item, done); });
    }
    Group changeGroup(const GroupChange &change)
    {
        return await<Group>([&](auto done) { m_f.store().changeGroup(change, done); }).value();
    }
    Group group()
    {
        return await<Group>([&](auto done) { m_f.store().group("batch", {}, done); }).value();
    }

    FsckFixture m_f;
};

JUNBAN_TEST(TestReports)
#include "test_reports.moc"
