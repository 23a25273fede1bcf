#include "core/inspector.h"
#include "core/payload.h"
#include "tests/core/recordsfixture.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// Jobs found by what is in them, and the pages of a store that are looked through for it.
class TestSearch : public QObject, private RecordsFixture
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

    void aPageWithLongArgumentsEndsByItsBytesAndNothingIsMissed_data()
    {
        QTest::addColumn<PageDetail>("detail");
        QTest::newRow("whole") << PageDetail::Whole;
        QTest::newRow("pushed") << PageDetail::Pushed;
    }
    void aPageWithLongArgumentsEndsByItsBytesAndNothingIsMissed()
    {
        QFETCH(PageDetail, detail);
        JobSpec spec = named("long");
        spec.argument = QByteArray::fromHex("c60003ff00") + QByteArray(0x3ff00, 'x'); // bin 32, nearly all that is allowed
        QList<JobId> pushed;
        for (int i = 0; i < 40; ++i)
            pushed.append(push(spec));
        PageRequest request;
        const Page cut = page(request);
        QCOMPARE(cut.jobs.size(), pushed.size());
        QVERIFY(cut.end);
        QCOMPARE(cut.jobs.first().spec.argument, payload::nil);
        QCOMPARE(cut.jobs.first().argument_bytes, spec.argument.size());
        request.detail = detail;
        QList<JobId> seen;
        int pages = 0;
        for (bool last = false; !last; ++pages) {
            const Page whole = page(request);
            QVERIFY(!whole.jobs.isEmpty());
            for (const Job &job : whole.jobs) {
                QCOMPARE(job.spec.argument, spec.argument);
                seen.append(job.id);
            }
            last = whole.end;
            request.after = {whole.orders.last(), whole.jobs.last().id};
        }
        QCOMPARE(seen, pushed);
        QCOMPARE(pages, 3); // of 16 or 17 jobs: 4 MiB and a bit
    }

    // What a list shows of a job is what is known of it, whatever happened to it.
    void aRowSaysWhatTheJobSays()
    {
        const QList<JobId> ids = oneOfEachFate();
        Inspector inspector(*m_store);
        QList<JobId> seen;
        for (const Job &row : list(inspector, {}).jobs) {
            const Job job = get(row.id).value();
            QCOMPARE(row.state, job.state);
            QCOMPARE(row.attempt, job.attempt);
            QCOMPARE(row.failures, job.failures);
            QCOMPARE(row.releases, job.releases);
            QCOMPARE(row.worker, job.worker);
            QCOMPARE(row.startedAt_ms, job.startedAt_ms);
            QCOMPARE(row.finishedAt_ms, job.finishedAt_ms);
            QCOMPARE(row.runAt_ms, job.runAt_ms);
            QCOMPARE(row.reason, job.reason);
            QCOMPARE(row.message, job.message);
            QCOMPARE(row.dependenciesLeft, job.dependenciesLeft);
            QCOMPARE(row.expiresAt_ms, job.expiresAt_ms);
            QCOMPARE(row.tracked, job.tracked);
            QCOMPARE(row.leaseExpiresAt_ms, job.leaseExpiresAt_ms);
            seen.append(row.id);
        }
        QCOMPARE(QSet<JobId>(seen.begin(), seen.end()), QSet<JobId>(ids.begin(), ids.end()));
    }

    // An expression that only asks for what was pushed is answered from less, but the same.
    void bothWaysToLookFindTheSame()
    {
        oneOfEachFate();
        Inspector inspector(*m_store);
        for (const char *expression : {"true", "job.name == \"b\"", "job.argument == 7", "job.priority > 0", "job.argument.no == 1"}) {
            const Inspector::List quick = list(inspector, expression);
            const Inspector::List slow = list(inspector, QByteArray(expression) + " && job.attempt >= 0");
            QCOMPARE(idsOf(quick.jobs), idsOf(slow.jobs));
            QCOMPARE(quick.scanned, slow.scanned);
            QCOMPARE(quick.scanned, quick.total);
            for (qsizetype i = 0; i < quick.jobs.size(); ++i) {
                QCOMPARE(quick.jobs[i].state, slow.jobs[i].state);
                QCOMPARE(quick.jobs[i].message, slow.jobs[i].message);
            }
        }
        QVERIFY(!list(inspector, "job.argument == 7").jobs.isEmpty());
    }

    void pagesOfASearchFollowEachOther()
    {
        QList<JobId> wanted;
        for (int i = 0; i < 1'300; ++i) {
            JobSpec spec = named("a");
            spec.argument = QByteArray(1, char(i % 7));
            const JobId id = push(spec);
            if (i % 7 == 3)
                wanted.append(id);
        }
        Inspector inspector(*m_store);
        QList<JobId> seen;
        Inspector::ListRequest request;
        request.limit = 50;
        QVERIFY(request.filter.setMatch("job.argument == 3").isEmpty());
        do {
            const Inspector::List found = await<Inspector::List>([&](auto done) { inspector.list(request, done); }).value();
            QVERIFY(found.complete);
            seen += idsOf(found.jobs);
            request.cursor = found.next;
        } while (!request.cursor.isEmpty());
        QCOMPARE(seen, wanted);
    }

    void whatIsWrongWithAnExpressionIsSaid()
    {
        JobFilter filter;
        QCOMPARE(filter.setMatch("job.argument ==").size(), 1);
        QVERIFY(!filter.narrows());
        QVERIFY(filter.setMatch("job.held_by == []").first().message.contains("explain"));
        QVERIFY(filter.setMatch("job.state == \"ready\"").isEmpty());
        QVERIFY(!filter.asksForPushedOnly());
        QVERIFY(filter.setMatch("job.argument.x == 1").isEmpty());
        QVERIFY(filter.asksForPushedOnly());
    }

private:
    Page page(const PageRequest &request)
    {
        return await<Page>([&](auto done) { m_store->page(request, done); }).value();
    }
    Inspector::List list(Inspector &inspector, const QByteArray &expression)
    {
        Inspector::ListRequest request;
        request.limit = limits::page_rows_max;
        if (!expression.isEmpty() && !request.filter.setMatch(expression).isEmpty())
            return {};
        return await<Inspector::List>([&](auto done) { inspector.list(request, done); }).value();
    }
    static QList<JobId> idsOf(const QList<Job> &jobs)
    {
        QList<JobId> ids;
        for (const Job &job : jobs)
            ids.append(job.id);
        return ids;
    }

    QList<JobId> oneOfEachFate()
    {
        QList<JobId> ids{succeeded("a"), failed("a", "it broke"), cancelled("b")};
        const JobId runs = push(named("a"));
        (void)claim();
        const JobId again = failed("b", "once more"); // it ran, failed and waits again
        (void)retry(again);
        JobSpec spec = named("b");
        spec.priority = 1;
        spec.argument = QByteArray(1, 7);
        const JobId parent = push(spec);
        spec.expiresIn_ms = 60 * second_ms;
        ids << runs << again << parent << push(spec);
        spec.expiresIn_ms = 0;
        spec.delay_ms = 5 * second_ms;
        ids << push(spec);
        spec.delay_ms = 0;
        spec.dependsOn = {parent};
        const JobId waits = push(spec);
        spec.dependsOn = {failed("c", "never mind")};
        const JobId neverRan = push(spec); // failed by its dependency
        (void)retry(neverRan);
        ids << waits << spec.dependsOn.first() << neverRan << push(spec);
        (void)await<Done>([&](auto done) { m_records->track(parent, true, done); });
        return ids;
    }
};

QTEST_MAIN(TestSearch)
#include "test_search.moc"
