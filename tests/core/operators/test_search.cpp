#include "core/msgpack/payload.h"
#include "core/operators/inspector.h"
#include "tests/core/lua/pastfixture.h"
#include "tests/support/testmain.h"

#include <QRandomGenerator>
#include <QTest>
#include <algorithm>
#include <array>
#include <numeric>

using namespace junban;
using namespace junban::test;

// Jobs found by what is in them, and the pages of a store that are looked through for it.
class TestSearch : public QObject, private PastFixture
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
            const JobPage quick = list(inspector, expression);
            const JobPage slow = list(inspector, QByteArray(expression) + " && job.attempt >= 0");
            QCOMPARE(idsOf(quick.jobs), idsOf(slow.jobs));
            QCOMPARE(quick.coverage.scanned, slow.coverage.scanned);
            QCOMPARE(quick.coverage.scanned, quick.coverage.total);
            for (qsizetype i = 0; i < quick.jobs.size(); ++i) {
                QCOMPARE(quick.jobs[i].state, slow.jobs[i].state);
                QCOMPARE(quick.jobs[i].message, slow.jobs[i].message);
                QCOMPARE(quick.jobs[i].spec.argument, slow.jobs[i].spec.argument);
            }
        }
        QVERIFY(!list(inspector, "job.argument == 7").jobs.isEmpty());
    }

    // A page is put together of the jobs of each name, which are read in steps.
    void theJobsOfManyNamesStandInOneOrder_data()
    {
        QTest::addColumn<int>("names");
        for (const int names : {1, 3, 20})
            QTest::addRow("%d", names) << names;
    }
    void theJobsOfManyNamesStandInOneOrder()
    {
        QFETCH(int, names);
        QRandomGenerator random{quint32(names)};
        QList<std::tuple<int, JobId, bool>> order;
        for (int i = 0; i < 1'500; ++i) {
            JobSpec spec = named("n" + QByteArray::number(random.bounded(random.bounded(names) + 1))); // some have few
            spec.priority = int(random.bounded(4)) + (spec.name == "n0" ? i % 3 : 0);
            spec.argument = QByteArray(1, char(i % 5));
            const JobId id = push(spec);
            order.append({spec.priority, id, i % 5 == 4});
        }
        std::sort(order.begin(), order.end());
        QList<JobId> wanted, passing;
        for (const auto &[priority, id, passes] : std::as_const(order)) {
            wanted.append(id);
            if (passes)
                passing.append(id);
        }
        for (const PageDetail detail : {PageDetail::Listed, PageDetail::Pushed}) {
            for (const int limit : {7, 200, limits::page_rows_max}) {
                PageRequest request;
                request.limit = limit;
                request.detail = detail;
                QList<JobId> seen;
                for (bool end = false; !end;) {
                    const Page next = page(request);
                    QCOMPARE(next.jobs.size(), std::min<qsizetype>(limit, wanted.size() - seen.size()));
                    seen += idsOf(next.jobs);
                    request.after = next.last;
                    end = next.end;
                }
                QCOMPARE(seen, wanted);
            }
        }
        std::reverse(wanted.begin(), wanted.end());
        PageRequest request;
        request.limit = 200;
        request.reversed = true;
        QList<JobId> seen;
        for (bool end = false; !end;) {
            const Page next = page(request);
            seen += idsOf(next.jobs);
            request.after = next.last;
            end = next.end;
        }
        QCOMPARE(seen, wanted);
        Inspector inspector(*m_store);
        for (const int limit : {10, limits::page_rows_max})
            QCOMPARE(pageByPage(inspector, "job.argument == 4", limit), passing);
    }

    void everyStateIsListedFromBothEnds()
    {
        oneOfEachFate();
        oneOfEachFate();
        Inspector inspector(*m_store);
        for (int state = int(JobState::Scheduled); state <= int(JobState::Cancelled); ++state) {
            Inspector::ListRequest request;
            request.state = JobState(state);
            QList<JobId> there = idsOf(await<JobPage>([&](auto done) { inspector.list(request, done); }).value().jobs);
            std::reverse(there.begin(), there.end());
            request.reversed = true;
            request.limit = 1;
            QList<JobId> back;
            do {
                const JobPage page = await<JobPage>([&](auto done) { inspector.list(request, done); }).value();
                back += idsOf(page.jobs);
                request.cursor = page.next;
            } while (!request.cursor.isEmpty());
            QCOMPARE(back, there);
        }
    }

    void jobsAreCountedByStateUnderAFilter()
    {
        oneOfEachFate();
        Inspector inspector(*m_store);
        for (const char *expression : {"", "true", "job.name == \"b\"", "job.attempt > 0"}) {
            std::array<qint64, 9> wanted{};
            for (const Job &job : list(inspector, expression).jobs)
                ++wanted[size_t(job.state)];
            Inspector::ListRequest request;
            if (*expression)
                QVERIFY(request.filter.setMatch(expression).isEmpty());
            const JobCounts counts = await<JobCounts>([&](auto done) { inspector.count(request, done); }).value();
            QCOMPARE(counts.byState, wanted);
            QCOMPARE(counts.coverage.scanned, counts.coverage.total);
            QVERIFY(counts.coverage.complete && counts.next.isEmpty());
        }
        Inspector::ListRequest failed;
        failed.state = JobState::Failed;
        failed.filter.name = "a";
        const JobCounts counts = await<JobCounts>([&](auto done) { inspector.count(failed, done); }).value();
        QCOMPARE(counts.byState[size_t(JobState::Failed)], 1);
        QCOMPARE(std::accumulate(counts.byState.begin(), counts.byState.end(), qint64(0)), 1);
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
        QCOMPARE(pageByPage(inspector, "job.argument == 3", 50), wanted);
    }

    void pagesOfASearchGoFromStateToState()
    {
        oneOfEachFate();
        Inspector inspector(*m_store);
        const QList<JobId> all = idsOf(list(inspector, "true").jobs);
        QVERIFY(all.size() > 9);
        QCOMPARE(pageByPage(inspector, "true", 2), all);
    }

    // A page without any job that passes says how far it came, and the next one goes on there.
    void aSearchGoesOnBehindItsBound()
    {
        const int jobs = limits::page_scan_max + 700;
        JobId last;
        for (int made = 0; made < jobs;) {
            QList<EnqueueItem> items;
            for (; made < jobs && items.size() < limits::script_items_max; ++made) {
                last = m_ids.make(m_now_ms);
                JobSpec spec = named("a");
                spec.argument = QByteArray(1, char(made == jobs - 1 ? 1 : 0));
                items.append({last, spec, {}});
            }
            (void)await<QList<Result<Enqueued>>>([&](auto done) { m_store->enqueue(items, done); });
        }
        Inspector inspector(*m_store);
        Inspector::ListRequest request;
        request.state = JobState::Ready;
        QVERIFY(request.filter.setMatch("job.argument == 1").isEmpty());
        QList<JobId> seen;
        qint64 scanned = 0;
        int pages = 0;
        do {
            const JobPage found = await<JobPage>([&](auto done) { inspector.list(request, done); }).value();
            QCOMPARE(found.coverage.complete, found.next.isEmpty());
            seen += idsOf(found.jobs);
            scanned += found.coverage.scanned;
            request.cursor = found.next;
            ++pages;
        } while (!request.cursor.isEmpty());
        QCOMPARE(seen, QList<JobId>{last});
        QCOMPARE(scanned, jobs);
        QVERIFY(pages > 1);
        qint64 counted = 0;
        pages = 0;
        do {
            const JobCounts counts = await<JobCounts>([&](auto done) { inspector.count(request, done); }).value();
            QCOMPARE(counts.coverage.complete, counts.next.isEmpty());
            counted += counts.byState[size_t(JobState::Ready)];
            request.cursor = counts.next;
            ++pages;
        } while (!request.cursor.isEmpty());
        QCOMPARE(counted, 1);
        QVERIFY(pages > 1);
    }

    void anExpressionThatTakesLongLetsOthersHaveTheirTurn()
    {
        JobSpec spec = named("a");
        spec.argument = QByteArray::fromHex("dc0100") + QByteArray(256, 1); // 256 numbers: each with each is too much for one evaluation
        for (int i = 0; i < 200; ++i)
            push(spec);
        PageRequest request;
        request.detail = PageDetail::Pushed;
        request.limit = limits::page_rows_max;
        const Page whole = page(request);
        JobFilter filter;
        QVERIFY(filter.setMatch("job.argument.all(x, job.argument.all(y, x == y || x < y || x > y))").isEmpty());
        cel::Evaluation evaluation;
        const JobFilter::Sifted sifted = filter.sift(whole, 50, evaluation);
        QVERIFY(sifted.looked >= 1);
        QVERIFY(!sifted.all); // ten million steps take longer than a slice, on any machine
        QCOMPARE(sifted.after->second, whole.jobs[sifted.looked - 1].id);
    }

    void starredJobsAreSearchedWithTheirWholeArguments()
    {
        JobSpec spec = named("long");
        spec.argument = QByteArray::fromHex("c60003ff00") + QByteArray(0x3ff00, 'x');
        QSet<JobId> starred;
        for (int i = 0; i < 20; ++i) {
            const JobId id = push(spec);
            starred.insert(id);
            (void)await<Done>([&](auto done) { m_past->track(id, true, done); });
        }
        Lookback::JobsQuery query;
        QVERIFY(query.filter.setMatch("size(job.argument) == 261888").isEmpty());
        const auto found = await<JobPage>([&](auto done) { m_lookback->jobs(query, done); }).value();
        const QList<JobId> ids = idsOf(found.jobs);
        QCOMPARE(QSet<JobId>(ids.begin(), ids.end()), starred);
        QCOMPARE(found.coverage.scanned, 20);
        QCOMPARE(found.jobs.first().spec.argument, payload::nil); // lists leave them out
    }

    void aJobThatHasMovedOnIsNotARowOfWhereItWas()
    {
        const JobId first = push(named("a")), second = push(named("a"));
        const Page before = page({});
        QCOMPARE(idsOf(before.jobs), (QList<JobId>{first, second}));
        (void)finish(claim(), success());
        const auto rows = await<QList<Job>>([&](auto done) { readRows(*m_store, before.jobs, done); }).value();
        QCOMPARE(idsOf(rows), QList<JobId>{second});
    }

    // A job whose record is gone hides no other and ends no list.
    void whatCannotBeReadIsPassedOver()
    {
        const JobId gone = push(named("a")), there = push(named("a"));
        command({"DEL", "jq:{test}:j:" + gone.bytes()});
        Inspector inspector(*m_store);
        Inspector::ListRequest request;
        request.limit = 1;
        const auto found = await<JobPage>([&](auto done) { inspector.list(request, done); }).value();
        QCOMPARE(idsOf(found.jobs), QList<JobId>{there});
        QCOMPARE(idsOf(list(inspector, "true").jobs), QList<JobId>{there});
        const auto rows = await<QList<Job>>([&](auto done) { m_store->rows({gone, there}, PageDetail::Listed, done); });
        QCOMPARE(idsOf(rows.value()), QList<JobId>{there});
        command({"FLUSHALL"});
    }

    void whatIsWrongWithAnExpressionIsSaid()
    {
        JobFilter filter;
        QCOMPARE(filter.setMatch("job.argument ==").size(), 1);
        QVERIFY(!filter.narrows());
        QVERIFY(filter.setMatch("job.held_by == []").first().message().contains("explain"));
        QVERIFY(filter.setMatch("job.state == \"ready\"").isEmpty());
        QCOMPARE(filter.detail(), PageDetail::Whole);
        QVERIFY(filter.setMatch("job.argument.x == 1").isEmpty());
        QCOMPARE(filter.detail(), PageDetail::Pushed);
    }

private:
    Page page(const PageRequest &request)
    {
        return await<Page>([&](auto done) { m_store->page(request, done); }).value();
    }
    JobPage list(Inspector &inspector, const QByteArray &expression)
    {
        Inspector::ListRequest request;
        request.limit = limits::page_rows_max;
        if (!expression.isEmpty() && !request.filter.setMatch(expression).isEmpty())
            return {};
        return await<JobPage>([&](auto done) { inspector.list(request, done); }).value();
    }
    // All that are found, `limit` at a time; nothing when a page met its work bound.
    static QList<JobId> pageByPage(Inspector &inspector, const QByteArray &expression, int limit)
    {
        Inspector::ListRequest request;
        request.limit = limit;
        if (!request.filter.setMatch(expression).isEmpty())
            return {};
        QList<JobId> seen;
        do {
            const JobPage found = await<JobPage>([&](auto done) { inspector.list(request, done); }).value();
            if (!found.coverage.complete)
                return {};
            seen += idsOf(found.jobs);
            request.cursor = found.next;
        } while (!request.cursor.isEmpty());
        return seen;
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
        (void)await<Done>([&](auto done) { m_past->track(parent, true, done); });
        return ids;
    }
};

JUNBAN_TEST(TestSearch)
#include "test_search.moc"
