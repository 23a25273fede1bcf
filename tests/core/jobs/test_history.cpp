#include "core/jobs/history.h"
#include "core/jobs/jobcalls.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;

namespace {

constexpr qint64 t0 = 1'767'323'045'000;

Attempt ended(int number, qint64 from_ms, qint64 to_ms, const char *how, qint64 nextRun_ms = 0)
{
    return {number, "w" + QByteArray::number(number), t0 + from_ms, t0 + to_ms, how, "said", nextRun_ms > 0,
        nextRun_ms > 0 ? t0 + nextRun_ms : 0};
}

Event happened(qint64 at_ms, const char *what, const char *actor, int attempt)
{
    return {t0 + at_ms, what, actor, attempt, {}};
}

// "what actor worker attempt @ms" of each line.
QByteArrayList linesOf(const Job &job)
{
    QByteArrayList lines;
    const QList<Transition> history = historyOf(job);
    for (const Transition &line : history) {
        lines.append(line.what + ' ' + line.actor + ' ' + (line.worker.isEmpty() ? QByteArray("-") : line.worker) + ' '
            + QByteArray::number(line.attempt) + " @" + QByteArray::number(line.at_ms - t0));
    }
    return lines;
}

Job jobIn(JobState state, qint64 finished_ms = 0)
{
    Job job;
    job.state = state;
    job.createdAt_ms = t0;
    job.finishedAt_ms = finished_ms > 0 ? t0 + finished_ms : 0;
    return job;
}

} // namespace

class TestHistory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNewJobWasEnqueued() { QCOMPARE(linesOf(jobIn(JobState::Ready)), QByteArrayList{"enqueued pusher - 0 @0"}); }

    void attemptsAndEventsStandInTheOrderOfTime()
    {
        Job job = jobIn(JobState::Succeeded, 900);
        job.attempts = {ended(1, 10, 50, "failure", 250), ended(2, 300, 400, "timeout"), ended(3, 700, 900, "success")};
        job.events = {happened(500, "cancel_requested", "operator", 2), happened(600, "retried", "operator", 2)};
        const QByteArrayList wanted{"enqueued pusher - 0 @0", "started w1 w1 1 @10", "failed w1 w1 1 @50", "started w2 w2 2 @300",
            "timed_out master w2 2 @400", "cancel_requested operator - 2 @500", "retried operator - 2 @600", "started w3 w3 3 @700",
            "succeeded w3 w3 3 @900"};
        QCOMPARE(linesOf(job), wanted);
        const QList<Transition> history = historyOf(job);
        QCOMPARE(history[2].runAt_ms, t0 + 250);
        QCOMPARE(history[2].message, QByteArray("said"));
    }

    void whatFallsIntoOneMillisecondKeepsItsSense()
    {
        Job job = jobIn(JobState::Running);
        job.attempts = {ended(1, 5, 5, "failure"), Attempt{2, "w2", t0 + 5, 0, {}, {}, false, 0}};
        job.events = {happened(5, "handed_off", "w1", 1), happened(5, "message", "pusher", 1), happened(5, "retried", "operator", 1)};
        job.events[1].afterEnd = job.events[2].afterEnd = true; // the script stores the end before the message that brings it
        const QByteArrayList wanted{"enqueued pusher - 0 @0", "started w1 w1 1 @5", "handed_off w1 - 1 @5", "message pusher - 1 @5",
            "failed w1 w1 1 @5", "retried operator - 1 @5", "started w2 w2 2 @5"};
        QCOMPARE(linesOf(job), wanted);
    }

    // The events of a job are stored in the order in which they happened.
    void eventsOfOneMillisecondKeepTheirOrder_data()
    {
        QTest::addColumn<QByteArrayList>("events");
        QTest::addColumn<int>("attempt");
        for (const int attempt : {0, 1}) {
            const QByteArray row = attempt ? " after an attempt" : " before any";
            QTest::newRow("retried, deleted" + row) << QByteArrayList{"retried", "deleted"} << attempt;
            QTest::newRow("deleted, restored, edited" + row) << QByteArrayList{"deleted", "restored", "edited"} << attempt;
            QTest::newRow("cancelled, retried, cancelled" + row) << QByteArrayList{"cancelled", "retried", "cancelled"} << attempt;
            QTest::newRow("edited, cancelled, edited" + row) << QByteArrayList{"edited", "cancelled", "edited"} << attempt;
            QTest::newRow("freed, edited" + row) << QByteArrayList{"retried", "freed", "edited"} << attempt;
        }
    }
    void eventsOfOneMillisecondKeepTheirOrder()
    {
        QFETCH(QByteArrayList, events);
        QFETCH(int, attempt);
        Job job = jobIn(JobState::Ready);
        QByteArrayList wanted{"enqueued pusher - 0 @0"};
        if (attempt > 0) {
            job.attempts = {ended(1, 5, 5, "failure")};
            wanted << "started w1 w1 1 @5" << "failed w1 w1 1 @5";
        }
        for (const QByteArray &what : events) {
            const int its = what == "freed" ? 0 : attempt; // the scripts do not say it there
            job.events.append(happened(5, what.constData(), "operator", its));
            job.events.last().afterEnd = attempt > 0;
            wanted << what + " operator - " + QByteArray::number(its) + " @5";
        }
        QCOMPARE(linesOf(job), wanted);
    }

    void aReasonIsTakenOffTheNameOfWhoGaveIt()
    {
        Job job = jobIn(JobState::Cancelled, 60);
        job.attempts = {ended(1, 10, 60, "cancelled")};
        const QByteArray why = changedBy("ada (1)", "no vendor");
        job.events = {happened(40, "cancel_requested", why.constData(), 1), happened(70, "deleted", "ada (1)", 1)};
        const QList<Transition> history = historyOf(job);
        QByteArrayList lines;
        for (const Transition &line : history)
            lines.append(line.what + ", " + line.actor + ": " + line.reason);
        const QByteArrayList wanted{"enqueued, pusher: ", "started, w1: ", "cancel_requested, ada (1): no vendor",
            "cancelled, ada (1): no vendor", "deleted, ada (1): "};
        QCOMPARE(lines, wanted);
    }

    void anEndThatNoAttemptTellsIsTold_data()
    {
        QTest::addColumn<Job>("job");
        QTest::addColumn<QByteArray>("last");
        Job late = jobIn(JobState::Succeeded, 90);
        late.attempt = 1;
        late.worker = "w1";
        late.attempts = {ended(1, 10, 50, "timeout", 80)};
        QTest::newRow("a late success") << late << QByteArray("succeeded w1 w1 1 @90");
        Job replaced = jobIn(JobState::Cancelled, 70);
        replaced.reason = "replaced";
        QTest::newRow("replaced") << replaced << QByteArray("cancelled master - 0 @70");
        Job released = jobIn(JobState::Failed, 60);
        released.attempt = 21;
        released.attempts = {ended(21, 10, 60, "released")};
        QTest::newRow("released too often") << released << QByteArray("failed master - 21 @60");
        Job cancelled = jobIn(JobState::Cancelled, 60);
        cancelled.attempt = 1;
        cancelled.attempts = {ended(1, 10, 60, "failure")};
        QTest::newRow("failed after a cancel") << cancelled << QByteArray("cancelled master - 1 @60");
        Job expired = jobIn(JobState::Failed, 60);
        expired.events = {happened(60, "expired", "master", 0)};
        QTest::newRow("told already") << expired << QByteArray("expired master - 0 @60");
        Job byForce = jobIn(JobState::Cancelled, 60);
        byForce.attempts = {ended(1, 10, 60, "cancelled")};
        QTest::newRow("cancelled by force") << byForce << QByteArray("cancelled operator w1 1 @60");
    }
    void anEndThatNoAttemptTellsIsTold()
    {
        QFETCH(Job, job);
        QFETCH(QByteArray, last);
        const QByteArrayList lines = linesOf(job);
        QCOMPARE(lines.last(), last);
        QCOMPARE(lines.count(last), 1);
    }

    void theEnqueueStaysFirstWhenTheMastersClockIsAhead()
    {
        Job job = jobIn(JobState::Running);
        job.createdAt_ms = t0 + 7;
        job.attempts = {Attempt{1, "w1", t0 + 5, 0, {}, {}, false, 0}};
        QCOMPARE(linesOf(job), (QByteArrayList{"enqueued pusher - 0 @7", "started w1 w1 1 @5"}));
    }
};

JUNBAN_TEST(TestHistory)
#include "test_history.moc"
