#include "app/ctl/commandrun.h"
#include "app/ctl/keeper.h"
#include "core/base/clock.h"
#include "core/base/isotime.h"
#include "core/msgpack/json.h"
#include "tests/support/testmain.h"

#include <QElapsedTimer>
#include <QtTest>
#include <csignal>
#include <functional>
#include <memory>

using namespace junban;
using namespace junban::app;

namespace {

constexpr int patience_ms = 30'000;

// As a master whose clock is ahead of this machine's by so much hands it out.
ClaimedJob claimedWhere(qint64 ahead_ms, qint64 timeout_ms, qint64 lease_ms = 0)
{
    ClaimedJob job;
    job.spec.name = "run";
    job.spec.timeout_ms = timeout_ms;
    const qint64 claimed_ms = Clock::machine_ms() + ahead_ms;
    job.deadline_ms = claimed_ms + timeout_ms;
    job.leaseExpiresAt_ms = lease_ms > 0 ? claimed_ms + lease_ms : job.deadline_ms;
    return job;
}

} // namespace

class TestCommandRun : public QObject
{
    Q_OBJECT

    const Keeper m_keeper;

    Outcome outcomeOf(const ClaimedJob &job, const char *command, qint64 grace_ms = 0, std::function<void(CommandRun &)> meanwhile = {})
    {
        CommandRun run(job, {QString::fromUtf8(command), OutputFormat::Json, grace_ms}, m_keeper);
        QSignalSpy ended(&run, &CommandRun::ended);
        if (meanwhile)
            meanwhile(run);
        if (ended.isEmpty() && !ended.wait(patience_ms))
            qFatal("the command does not end");
        return run.outcome();
    }

private Q_SLOTS:
    void theClocksOfWorkerAndMasterMayDiffer_data()
    {
        QTest::addColumn<qint64>("ahead_ms");
        for (const qint64 ahead_ms : {-3'600'000, -10'000, 0, 10'000, 3'600'000})
            QTest::addRow("the master is ahead by %d ms", int(ahead_ms)) << qint64(ahead_ms);
    }
    void theClocksOfWorkerAndMasterMayDiffer()
    {
        QFETCH(qint64, ahead_ms);
        QCOMPARE(outcomeOf(claimedWhere(ahead_ms, 20'000), "sleep 0.3; echo 7").type, OutcomeType::Success);
        QCOMPARE(outcomeOf(claimedWhere(ahead_ms, 20'000, 10'000), "sleep 0.3; echo 7").type, OutcomeType::Success);
        const Outcome late = outcomeOf(claimedWhere(ahead_ms, 1'000), "sleep 60");
        QCOMPARE(late.type, OutcomeType::Failure);
        QCOMPARE(late.reason, FailureReason::Timeout);
        QVERIFY(late.shouldRetry);
        QCOMPARE(late.message, QByteArray("The command took longer than the job's timeout."));
    }

    void theDeadlineThatACommandIsToldIsByItsOwnClock()
    {
        const qint64 now_ms = Clock::machine_ms();
        const Outcome told = outcomeOf(claimedWhere(3'600'000, 60'000), "echo $JUNBAN_JOB_DEADLINE");
        const std::optional<qint64> deadline_ms = fromIsoTime(json::fromMsgpack(told.result).sliced(1).chopped(3)); // "…\n"
        QVERIFY(deadline_ms && *deadline_ms >= now_ms + 60'000 && *deadline_ms < now_ms + 60'000 + patience_ms);
    }

    void aLeaseThatIsNotRenewedEndsTheCommandAndOneThatIsDoesNot()
    {
        const Outcome lost = outcomeOf(claimedWhere(-3'600'000, 60'000, 1'000), "echo begun >&2; sleep 60");
        QCOMPARE(lost.type, OutcomeType::Failure);
        QCOMPARE(lost.message, QByteArray("The lease could not be renewed.\nbegun"));
        const auto renew = [](CommandRun &run) {
            auto *beat = new QTimer(&run);
            connect(beat, &QTimer::timeout, &run, [&run] { run.renewed(stopwatch_ms()); });
            beat->start(100);
        };
        QCOMPARE(outcomeOf(claimedWhere(0, 60'000, 1'000), "sleep 2; echo 7", 0, renew).type, OutcomeType::Success);
    }

    void whatIsDoneIsDoneAlsoWhenACancelCame()
    {
        const auto cancel = [](CommandRun &run) { QTimer::singleShot(300, &run, &CommandRun::cancel); };
        QCOMPARE(outcomeOf(claimedWhere(0, 60'000), "trap '' TERM; sleep 1; echo 7", 20'000, cancel).type, OutcomeType::Success);
        const Outcome ended = outcomeOf(claimedWhere(0, 60'000), "echo so far >&2; exec sleep 60", 20'000, cancel);
        QCOMPARE(ended.type, OutcomeType::Failure);
        QVERIFY(!ended.shouldRetry);
        QCOMPARE(ended.message, QByteArray("The job was cancelled.\nso far"));
    }

    void aCommandThatDoesNotHeedIsKilledAfterTheGrace()
    {
        const auto cancel = [](CommandRun &run) { QTimer::singleShot(300, &run, &CommandRun::cancel); };
        const Outcome ended = outcomeOf(claimedWhere(0, 60'000), "trap '' TERM; while :; do sleep 0.1; done", 500, cancel);
        QCOMPARE(ended.type, OutcomeType::Failure);
        QCOMPARE(ended.message, QByteArray("The job was cancelled."));
    }

    void anExitStatusSaysWhetherToTryAgain()
    {
        QVERIFY(outcomeOf(claimedWhere(0, 60'000), "exit 75").shouldRetry);
        QVERIFY(!outcomeOf(claimedWhere(0, 60'000), "exit 100").shouldRetry);
        QCOMPARE(outcomeOf(claimedWhere(0, 60'000), "exit 3").message, QByteArray("Exit status 3."));
        QCOMPARE(outcomeOf(claimedWhere(0, 60'000), "kill -9 $$").message, QByteArray("The command was ended by a signal."));
        const Outcome tooLong = outcomeOf(claimedWhere(0, 60'000), "head -c 2000000 /dev/zero");
        QCOMPARE(tooLong.type, OutcomeType::Failure);
        QVERIFY(!tooLong.shouldRetry);
    }
};

JUNBAN_TEST(TestCommandRun)
#include "test_commandrun.moc"
