#include "tests/support/testmain.h"
#include "ui/jobs/jobtablemodel.h"
#include "ui/jobs/jobtableview.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QRandomGenerator>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace junban;
using namespace junban::ui;

namespace {

Job jobOf(int number, JobState state = JobState::Ready)
{
    Job job;
    QByteArray bytes(16, '\0');
    bytes[14] = char(number >> 8);
    bytes[15] = char(number);
    bytes[0] = 1;
    job.id = *JobId::fromBytes(bytes);
    job.spec.name = "n" + QByteArray::number(number);
    job.argument_bytes = job.spec.argument.size();
    job.state = state;
    job.createdAt_ms = 1'000;
    return job;
}

QList<Job> jobsOf(const QList<int> &numbers)
{
    QList<Job> jobs;
    for (const int number : numbers)
        jobs.append(jobOf(number));
    return jobs;
}

// The rows by their names, "n1 n2 n3".
QByteArray names(const JobTableModel &model)
{
    QByteArrayList all;
    for (int row = 0; row < model.rowCount(); ++row)
        all.append(model.index(row, JobTableModel::Name).data().toString().toUtf8());
    return all.join(' ');
}

} // namespace

class TestJobTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoDropsGhostsWhileRowsGoDoesNotTakeThemTwice()
    {
        JobTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.apply(jobsOf({1, 2, 3}), {});
        model.apply({}, {jobOf(1).id, jobOf(2).id, jobOf(3).id});
        QCOMPARE(model.rowCount(), 3); // all are ghosts
        connect(&model, &QAbstractItemModel::rowsAboutToBeRemoved, &model, [&model] { model.dropGhosts({}); });
        model.clear();
        QCOMPARE(model.rowCount(), 0);
    }

    void rowsBecomeWhatTheListSays()
    {
        JobTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        model.apply(jobsOf({1, 2, 3}), {});
        QCOMPARE(names(model), QByteArray("n1 n2 n3"));
        model.apply(jobsOf({0, 2, 4, 1, 5}), {});
        QCOMPARE(names(model), QByteArray("n0 n2 n4 n1 n5"));
        model.clear();
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(reset.size(), 0);
    }

    void onlyRowsThatChangedAreSaidToHaveChanged()
    {
        JobTableModel model;
        model.apply(jobsOf({1, 2, 3, 4, 5}), {});
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.apply(jobsOf({1, 2, 3, 4, 5}), {});
        QCOMPARE(changed.size(), 0);
        QList<Job> jobs = jobsOf({1, 2, 3, 4, 5});
        jobs[1].state = jobs[2].state = JobState::Running;
        model.apply(jobs, {});
        QCOMPARE(changed.size(), 1); // one run of two rows
        QCOMPARE(changed[0][0].toModelIndex().row(), 1);
        QCOMPARE(changed[0][1].toModelIndex().row(), 2);
    }

    void aSelectedJobThatLeftStaysAsAGhostWhereItWas()
    {
        JobTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.apply(jobsOf({1, 2, 3, 4}), {});
        model.apply(jobsOf({0, 1, 3, 4, 5}), {jobOf(2).id});
        QCOMPARE(names(model), QByteArray("n0 n1 n2 n3 n4 n5"));
        QVERIFY(model.index(2, 0).data(JobTableModel::GhostRole).toBool());
        QCOMPARE(model.ghosts(), 1);
        // What became of it is patched in, and it stays a ghost.
        model.patch(jobOf(2, JobState::Succeeded));
        QCOMPARE(model.find(jobOf(2).id)->state, JobState::Succeeded);
        QVERIFY(model.index(2, 0).data(JobTableModel::GhostRole).toBool());
        // It comes back to life when it comes back.
        model.apply(jobsOf({0, 1, 2}), {});
        QVERIFY(!model.index(2, 0).data(JobTableModel::GhostRole).toBool());
        model.apply(jobsOf({0}), {jobOf(1).id, jobOf(2).id});
        QCOMPARE(model.rowCount(), 3);
        model.dropGhosts({jobOf(1).id});
        QCOMPARE(names(model), QByteArray("n0 n1"));
    }

    void pagesComeBehindAndPatchWhatIsThere()
    {
        JobTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.apply(jobsOf({1, 2, 3}), {});
        QList<Job> more = jobsOf({3, 4, 4, 5});
        more[0].state = JobState::Failed;
        model.append(more);
        QCOMPARE(names(model), QByteArray("n1 n2 n3 n4 n5"));
        QCOMPARE(model.find(jobOf(3).id)->state, JobState::Failed);
    }

    // The table's promise: whatever comes, the current row and the selection stay on their jobs unless those are gone.
    void randomListsNeverMoveTheSelectionToAnotherJob()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        JobTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        JobTableView view;
        view.setModel(&model);
        for (int round = 0; round < 400; ++round) {
            QList<int> numbers;
            for (int number = 0; number < 60; ++number) {
                if (random.bounded(3) > 0)
                    numbers.append(number);
            }
            if (random.bounded(4) == 0)
                std::shuffle(numbers.begin(), numbers.end(), random);
            QList<Job> jobs = jobsOf(numbers);
            for (Job &job : jobs)
                job.attempt = int(random.bounded(3));
            const JobId current = view.currentId();
            const QSet<JobId> selected = view.selectedIds();
            const QSet<JobId> kept = random.bounded(2) ? selected : QSet<JobId>();
            switch (random.bounded(8)) {
            case 0: model.append(jobs); break;
            case 1: model.dropGhosts(kept); break;
            case 2: model.clear(); break;
            default: model.apply(jobs, kept);
            }
            QSet<JobId> ids;
            for (int row = 0; row < model.rowCount(); ++row) {
                ids.insert(model.jobAt(row)->id);
                QCOMPARE(model.rowOf(model.jobAt(row)->id), row);
            }
            QCOMPARE(ids.size(), model.rowCount());
            if (!current.isNull() && ids.contains(current))
                QCOMPARE(view.currentId(), current);
            QCOMPARE(view.selectedIds(), QSet<JobId>(selected).intersect(ids));
            if (model.rowCount() > 0 && random.bounded(3) == 0)
                view.selectRow(int(random.bounded(model.rowCount())));
        }
    }

    void rowsAboveWhatIsVisibleDoNotMoveIt()
    {
        JobTableModel model;
        JobTableView view;
        view.setModel(&model);
        view.resize(600, 300);
        view.show();
        QList<int> numbers;
        for (int number = 100; number < 300; ++number)
            numbers.append(number);
        model.apply(jobsOf(numbers), {});
        QTRY_VERIFY(view.verticalScrollBar()->maximum() > 50); // the view lays itself out later
        view.verticalScrollBar()->setValue(50);
        QCOMPARE(view.rowAt(2), 50);
        numbers.removeOne(120);
        for (int number = 0; number < 10; ++number)
            numbers.prepend(number);
        view.rememberTop();
        model.apply(jobsOf(numbers), {});
        view.restoreTop();
        QCOMPARE(model.jobAt(view.rowAt(2))->id, jobOf(150).id);
        // At the very top the newest rows are what is wanted.
        view.verticalScrollBar()->setValue(0);
        view.rememberTop();
        model.apply(jobsOf({999, 100, 101, 102}), {});
        view.restoreTop();
        QCOMPARE(view.rowAt(2), 0);
    }

    void keysOfTheTable()
    {
        JobTableModel model;
        JobTableView view;
        view.setModel(&model);
        view.show();
        model.apply(jobsOf({1, 2, 3}), {});
        view.selectRow(0);
        QSignalSpy freeze(&view, &JobTableView::freezeRequested), open(&view, &JobTableView::openRequested);
        QTest::keyClick(&view, Qt::Key_J);
        QCOMPARE(view.currentId(), jobOf(2).id);
        QTest::keyClick(&view, Qt::Key_J, Qt::ShiftModifier);
        QCOMPARE(view.selectedIds().size(), 2);
        QTest::keyClick(&view, Qt::Key_K);
        QCOMPARE(view.currentId(), jobOf(2).id);
        QTest::keyClick(&view, Qt::Key_Space);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(freeze.size(), 1);
        QCOMPARE(open.size(), 1);
    }

    void theStateIsSaidAsASentence()
    {
        JobTableModel model;
        model.setNow(61'000);
        Job job = jobOf(1, JobState::Running);
        job.spec.maxRetry = 4;
        job.attempt = 2;
        job.failures = 1;
        model.apply({job}, {});
        QCOMPARE(model.index(0, JobTableModel::State).data(Qt::AccessibleTextRole).toString(),
                 QStringLiteral("n1: running, attempt 2 of 5, enqueued 1 m 00 s ago"));
        QCOMPARE(model.index(0, JobTableModel::Attempts).data().toString(), QStringLiteral("2/5"));
    }

    void aRowThatWasAskedToStopSaysSoInAWord()
    {
        JobTableModel model;
        Job job = jobOf(1, JobState::Running);
        job.progress = {3, 4, {}};
        job.cancelRequested = true;
        model.apply({job}, {});
        QCOMPARE(model.index(0, JobTableModel::State).data().toString(), QStringLiteral("cancelling"));
        job.cancelRequested = false;
        model.apply({job}, {});
        QCOMPARE(model.index(0, JobTableModel::State).data().toString(), QStringLiteral("running 75 %"));
    }

    void aHeldRowSaysSoAndByWhat()
    {
        JobTableModel model;
        model.setNow(61'000);
        Job job = jobOf(1);
        job.heldBy = {"m", "Mail vendor", "c", "rate", "acme", 63'000};
        model.apply({job}, {});
        QCOMPARE(model.index(0, JobTableModel::State).data().toString(), QStringLiteral("ready, held"));
        QVERIFY(model.index(0, JobTableModel::HeldBy).data().toString().startsWith(QLatin1String("Mail vendor for acme, again in ")));
        const QString sentence = model.index(0, JobTableModel::State).data(Qt::AccessibleTextRole).toString();
        QVERIFY(sentence.contains(QLatin1String("held by Mail vendor")));
        job.heldBy = {"pause-1", "outage", "c", "pause", {}, 0};
        model.apply({job}, {});
        QCOMPARE(model.index(0, JobTableModel::HeldBy).data().toString(), QStringLiteral("Pause “outage”"));
        job.heldBy = {};
        model.setNow(61'000 + limits::held_lingers_ms);
        model.apply({job}, {});
        QCOMPARE(model.index(0, JobTableModel::HeldBy).data().toString(), QString());
    }

    void aRowBehindALimitThatOpensForAMomentStaysHeld()
    {
        JobTableModel model;
        Job job = jobOf(1);
        const auto state = [&model] { return model.index(0, JobTableModel::State).data().toString(); };
        const auto comes = [&](const char *kind, qint64 now_ms) {
            job.heldBy = *kind ? JobHold{"m", "Mail vendor", "c", kind, {}, 0} : JobHold();
            model.setNow(now_ms);
            model.apply({job}, {});
        };
        comes("rate", 61'000);
        comes("", 62'000);
        QCOMPARE(state(), QStringLiteral("ready, held"));
        comes("rate", 63'000); // which counts from now on
        comes("", 62'500 + limits::held_lingers_ms);
        QCOMPARE(state(), QStringLiteral("ready, held"));
        comes("", 63'000 + limits::held_lingers_ms);
        QCOMPARE(state(), QStringLiteral("ready"));
        // A pause that was ended holds nothing any more.
        comes("pause", 100'000);
        comes("", 100'001);
        QCOMPARE(state(), QStringLiteral("ready"));
    }

    void whatJobsSayIsShownAndNotObeyed()
    {
        JobTableModel model;
        Job job = jobOf(1, JobState::Failed);
        job.spec.name = "a\x1b[31m\xe2\x80\xae" "b";
        job.message = "<img src=http://192.0.2.1/x>\n\xff";
        model.apply({job}, {});
        QCOMPARE(model.index(0, JobTableModel::Name).data().toString(), QStringLiteral("a\\x1b[31m\\u202eb"));
        QCOMPARE(model.index(0, JobTableModel::Message).data().toString(), QStringLiteral("<img src=http://192.0.2.1/x> …"));
        const QString tip = model.index(0, JobTableModel::Message).data(Qt::ToolTipRole).toString();
        QVERIFY(!tip.contains(QLatin1String("<img")));
        QVERIFY(tip.contains(QLatin1String("&lt;img")));
    }
};

JUNBAN_TEST(TestJobTable)
#include "test_jobtable.moc"
