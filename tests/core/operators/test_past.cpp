#include "core/msgpack/msgpackwriter.h"
#include "tests/core/lua/pastfixture.h"
#include "tests/support/testmain.h"

#include <QRandomGenerator>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace junban;
using namespace junban::test;

// Statistics and failure groups: what the scripts keep on the way.
class TestPast : public QObject, private PastFixture
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

    // --- Statistics
    void waitsCountFromTheEnqueueOrThePromotionAndRunsFromTheClaim()
    {
        push(named("a", 1));
        pass(3 * second_ms);
        const ClaimedJob first = claim();
        pass(500);
        QVERIFY(finish(first, failure("x")).ok());
        pass(2'400); // the backoff of two seconds and its jitter are over …
        sweep();
        pass(700);   // … and then the job waits
        const ClaimedJob again = claim();
        pass(40 * second_ms);
        QVERIFY(finish(again, success()).ok());
        const NameDistributions a = statistics("a");
        QCOMPARE(a.wait.count, 2);
        QCOMPARE(a.wait.sum_ms, 3'700);
        QCOMPARE(a.run.count, 2);
        QCOMPARE(a.run.sum_ms, 40'500);
        QCOMPARE(a.failures, 1);
        QCOMPARE(a.retries, 1);
        QCOMPARE(a.expiries, 0);
        QCOMPARE(a.run.bins[size_t(Distribution::binOf(500))], 1u);
        QCOMPARE(a.run.bins[size_t(Distribution::binOf(40'000))], 1u);
    }

    void allNamesAreSummedUpTogether()
    {
        for (const char *name : {"a", "b"}) {
            push(named(name));
            pass(3 * second_ms);
            const ClaimedJob job = claimOf(name);
            pass(500);
            QVERIFY(finish(job, success()).ok());
        }
        const WholeDistributions whole = await<WholeDistributions>([&](auto done) { m_past->measured(done); }).value();
        QCOMPARE(whole.wait.sum_ms, 6 * second_ms);
        QCOMPARE(whole.wait.bins[size_t(Distribution::binOf(3 * second_ms))], 2);
        QCOMPARE(whole.run.sum_ms, 1'000);
        QCOMPARE(whole.run.bins[size_t(Distribution::binOf(500))], 2);
    }

    void anExpiryCountsButHasNoRun()
    {
        JobSpec spec = named("a");
        spec.timeout_ms = 5 * second_ms;
        push(spec);
        claim();
        pass(5 * second_ms);
        QCOMPARE(sweep().expired, 1);
        const NameDistributions a = statistics("a");
        QCOMPARE(a.expiries, 1);
        QCOMPARE(a.failures, 1);
        QCOMPARE(a.retries, 0);
        QCOMPARE(a.run.count, 0);
        QCOMPARE(a.wait.count, 1);
    }

    void aWaitIsOfTheDayOfTheClaimAndARunOfTheDayOfTheReport()
    {
        push(named("a"));
        pass(10 * hour_ms);
        const ClaimedJob job = claim();
        pass(6 * hour_ms);
        QVERIFY(finish(job, success()).ok());
        const auto before = statisticsOf("a", m_now_ms / day_ms - 1);
        QCOMPARE(before.wait.count, 1);
        QCOMPARE(before.run.count, 0);
        const auto today = statistics("a");
        QCOMPARE(today.wait.count, 0);
        QCOMPARE(today.run.count, 1);
    }

    void statisticsAreThoseOfAPlainComputation()
    {
        const auto seed = QRandomGenerator::global()->generate();
        QRandomGenerator random(seed);
        qInfo("seed %u", seed);
        for (int i = 0; i < 300; ++i)
            push(named("a"));
        std::vector<double> waits, runs;
        QList<ClaimedJob> running;
        QList<qint64> startedAt;
        int claimed = 0;
        const qint64 pushed_ms = m_now_ms;
        while (claimed < 300 || !running.isEmpty()) {
            pass(qint64(std::exp2(random.generateDouble() * 15)) - 1); // 0 ms … 32 s
            if (m_now_ms / day_ms != pushed_ms / day_ms)
                setTime(pushed_ms); // all on one day; a clock may stand still
            if (claimed < 300) {
                const QList<ClaimedJob> jobs = claimMany(random.bounded(1, 6));
                for (const ClaimedJob &job : jobs) {
                    waits.push_back(double(m_now_ms - pushed_ms));
                    running.append(job);
                    startedAt.append(m_now_ms);
                    ++claimed;
                }
            }
            QList<FinishItem> items;
            for (int n = random.bounded(5); n > 0 && !running.isEmpty(); --n) {
                const int at = random.bounded(int(running.size()));
                items.append({running[at].id, running[at].lease, success(), 0});
                runs.push_back(double(std::max<qint64>(0, m_now_ms - startedAt[at])));
                running.removeAt(at);
                startedAt.removeAt(at);
            }
            finishAndClaim(items, {});
        }
        const NameDistributions a = statistics("a");
        compare(a.wait, waits);
        compare(a.run, runs);
    }

    void statisticsAreListedByNameAndGoAfterNinetyDays()
    {
        for (const char *name : {"c", "a", "b"}) {
            push(named(name));
            QVERIFY(finish(claim(), success()).ok());
        }
        const auto page = await<DistributionPage>([&](auto done) { m_past->statistics({{}, {}, 2, {}}, done); }).value();
        QCOMPARE(page.names.size(), 2);
        QVERIFY(!page.end);
        const auto rest = await<DistributionPage>(
            [&](auto done) { m_past->statistics({{}, {}, 2, page.names.last().name}, done); }).value();
        QCOMPARE(rest.names.size(), 1);
        QVERIFY(rest.end);
        pass(89 * day_ms);
        sweep();
        QCOMPARE(statisticsOf("a", m_now_ms / day_ms - 89).run.count, 1);
        pass(day_ms);
        sweep();
        QCOMPARE(statisticsOf("a", m_now_ms / day_ms - 90).run.count, 0);
    }

    // --- Failure groups
    void failuresOfOneCauseAreOneGroup()
    {
        const JobId first = failed("mail", "No route to 10.0.0.1 after 30 s");
        pass(2 * minute_ms);
        const JobId second_ = failed("mail", "No route to 10.2.3.4 after 5 s\nand a second line");
        failed("mail", "Disk full");
        failed("other", "No route to 10.0.0.1 after 30 s");
        const auto groups = groupsOf({});
        QCOMPARE(groups.size(), 3);
        const FailureGroup group = find(groups, "mail", "No route to <ip> after <n> s");
        QCOMPARE(group.count, 2);
        QCOMPARE(group.finalCount, 2);
        QCOMPARE(group.failedNow, 2);
        QCOMPARE(group.inPeriod, 2);
        QCOMPARE(group.firstAt_ms, m_now_ms - 2 * minute_ms);
        QCOMPARE(group.lastAt_ms, m_now_ms);
        QCOMPARE(group.samples, (QList<JobId>{second_, first}));
        QCOMPARE(group.workers, (QList<QPair<QByteArray, qint64>>{{"w", 2}}));
    }

    void aRetriedFailureCountsButItsJobIsNotFailedNow()
    {
        push(named("a", 1));
        QVERIFY(finish(claim(), failure("x")).ok());
        const FailureGroup group = groupsOf({}).first();
        QCOMPARE(group.count, 1);
        QCOMPARE(group.finalCount, 0);
        QCOMPARE(group.failedNow, 0);
        QCOMPARE(group.samples.size(), 1);
    }

    void aResolvedGroupOpensWithItsNextFailure()
    {
        failed("a", "x");
        const QByteArray signature = groupsOf({}).first().signature;
        change(signature, {true, {}});
        QVERIFY(groupOf(signature).resolved);
        QCOMPARE(groupOf(signature).resolvedAt_ms, m_now_ms);
        QVERIFY(groupsOf({86'400, GroupState::Open}).isEmpty());
        QCOMPARE(groupsOf({86'400, GroupState::Resolved}).size(), 1);
        change(signature, {{}, m_now_ms + hour_ms});
        QVERIFY(groupOf(signature).resolved); // whether it is muted is another matter
        change(signature, {{}, 0});
        failed("a", "x");
        QVERIFY(!groupOf(signature).resolved);
        QCOMPARE(groupOf(signature).resolvedAt_ms, 0);
    }

    void aMutedGroupIsHeardAgainWhenItsTimeIsOver()
    {
        failed("a", "x");
        const QByteArray signature = groupsOf({}).first().signature;
        change(signature, {{}, m_now_ms + hour_ms});
        QCOMPARE(groupsOf({86'400, GroupState::Muted}).size(), 1);
        QVERIFY(groupsOf({86'400, GroupState::Open}).isEmpty());
        pass(hour_ms);
        QCOMPARE(groupsOf({86'400, GroupState::Open}).size(), 1);
        QCOMPARE(await<Done>([&](auto done) { m_past->changeGroup(QByteArray(32, '0'), {true, {}}, done); }).error().code,
            ErrorCode::NotFound);
    }

    void aTrendIsTheSumOfItsSteps()
    {
        for (int i = 0; i < 20; ++i) {
            failed("a", "x");
            pass(47 * minute_ms);
        }
        const QByteArray signature = groupsOf({}).first().signature;
        const auto over = [&](qint64 period_s) {
            return await<FailureGroup>([&](auto done) { m_past->group(signature, period_s, done); }).value();
        };
        QCOMPARE(over(3'600).trend.size(), 12);
        QCOMPARE(over(3'600).inPeriod, 1);
        QCOMPARE(over(10'800).trend.size(), 36);
        QCOMPARE(over(10'800).inPeriod, 3);
        QCOMPARE(over(86'400).trend.size(), 24);
        QCOMPARE(over(86'400).inPeriod, 20);
        QCOMPARE(over(7 * 86'400).trend.size(), 168);
        QCOMPARE(over(7 * 86'400).inPeriod, 20);
        pass(6 * day_ms);
        failed("a", "x");
        QCOMPARE(over(7 * 86'400).inPeriod, 21);
        pass(2 * day_ms);
        QCOMPARE(over(7 * 86'400).inPeriod, 1);
        pass(5 * day_ms - hour_ms); // the next hour stands where the first one of the week stood
        failed("a", "x");
        pass(hour_ms);
        failed("a", "x");
        QCOMPARE(over(7 * 86'400).inPeriod, 2);
        pass(14 * day_ms - hour_ms); // the oldest hour of this week stands where the last failure stood
        failed("a", "x");
        QCOMPARE(over(7 * 86'400).inPeriod, 1);
    }

    void ofRetentionChangesThatExpectTheSameOneIsMade()
    {
        const auto before = await<RetentionSettings>([&](auto done) { m_past->retention(done); }).value();
        const auto isBefore = [before](const RetentionSettings &now) {
            return now.all == before.all && now.names == before.names;
        };
        QList<Result<RetentionChanged>> answers;
        for (qint64 count = 1; count <= 5; ++count) {
            Retention wanted;
            wanted.failed.count = count;
            m_lookback->changeRetention({{}, wanted, isBefore}, [&](const auto &changed) { answers.append(changed); });
        }
        Retention own;
        own.failed.count = 9;
        m_lookback->changeRetention({"mail", own, {}}, [&](const auto &changed) { answers.append(changed); });
        m_lookback->changeRetention({"mail", {}, isBefore}, [&](const auto &changed) { answers.append(changed); });
        QTRY_COMPARE(answers.size(), 7);
        QCOMPARE(answers[0]->settings.all.failed.count, 1);
        for (int i : {1, 2, 3, 4, 6})
            QCOMPARE(answers[i].error().code, ErrorCode::RevisionMismatch);
        const auto now = await<RetentionSettings>([&](auto done) { m_past->retention(done); }).value();
        QCOMPARE(now.all.failed.count, 1);
        QCOMPARE(now.names.size(), 1);
    }

    void groupsAreListedInPagesAndSummedUp()
    {
        for (int i = 0; i < 7; ++i) {
            failed(i % 2 ? "odd" : "even", "cause " + QByteArray(1, char('a' + i)));
            pass(second_ms);
        }
        Lookback::GroupsQuery query;
        query.limit = 3;
        QList<QByteArray> seen;
        do {
            const auto list = await<FailureList>([&](auto done) { m_lookback->groups(query, done); }).value();
            for (const FailureGroup &group : list.groups)
                seen.append(group.title);
            query.cursor = list.next;
        } while (!query.cursor.isEmpty());
        QCOMPARE(seen, (QList<QByteArray>{"cause g", "cause f", "cause e", "cause d", "cause c", "cause b", "cause a"}));
        const auto sums = await<FailureList>([&](auto done) {
            m_lookback->sums(86'400, GroupState::All, SumBy::Name, done);
        }).value();
        QCOMPARE(sums.sums.size(), 2);
        QCOMPARE(sums.sums[0].key, QByteArray("even"));
        QCOMPARE(sums.sums[0].count, 4);
        QCOMPARE(sums.sums[0].groups, 4);
        const auto byWorker = await<FailureList>([&](auto done) {
            m_lookback->sums(86'400, GroupState::All, SumBy::Worker, done);
        }).value();
        QCOMPARE(byWorker.sums.size(), 1);
        const FailureSum &worker = byWorker.sums[0];
        QCOMPARE(worker.count, 7);
        QCOMPARE(worker.groups, 7);
        QCOMPARE(worker.inPeriod, 7); // once, though seven groups have this worker
        QCOMPARE(worker.lastHour, 7);
        QCOMPARE(worker.trendStep_s, 3'600);
        QCOMPARE(worker.trend.size(), 24);
        QCOMPARE(std::accumulate(worker.trend.begin(), worker.trend.end(), qint64(0)), 7);
        pass(2 * hour_ms);
        const auto later = await<FailureList>([&](auto done) {
            m_lookback->sums(86'400, GroupState::All, SumBy::Worker, done);
        }).value();
        QCOMPARE(later.sums[0].inPeriod, 7);
        QCOMPARE(later.sums[0].lastHour, 0);
        query.cursor = "nonsense";
        QCOMPARE(await<FailureList>([&](auto done) { m_lookback->groups(query, done); }).error().field, QByteArray("cursor"));
    }

    void groupsAreFoundByWhatTheirJobsShare()
    {
        failed("mail.send", "No route to 10.0.0.1");
        failed("mail.digest", "Out of memory");
        failed("img.resize", "No route to 10.0.0.2");
        const auto found = [this](const char *expression) {
            Lookback::GroupsQuery query;
            if (!query.filter.setMatch(expression).isEmpty())
                return QByteArray("refused");
            QByteArrayList names;
            for (const FailureGroup &group : groupsOf(query))
                names.append(group.name);
            std::sort(names.begin(), names.end());
            return names.join(' ');
        };
        QCOMPARE(found("job.name.startsWith(\"mail.\")"), QByteArray("mail.digest mail.send"));
        QCOMPARE(found("job.message.contains(\"route\")"), QByteArray("img.resize mail.send"));
        QCOMPARE(found("job.message.contains(\"route\") && job.reason == \"other\" && job.name != \"img.resize\""),
            QByteArray("mail.send"));
        QCOMPARE(found("job.worker == \"w\""), QByteArray("img.resize mail.digest mail.send"));
        QCOMPARE(found("job.worker == \"another\""), QByteArray());
        QCOMPARE(found("job.priority == 0"), QByteArray("refused"));
        GroupFilter filter;
        QVERIFY(filter.setMatch("job.message.contains(\"route\")").isEmpty());
        const auto sums = await<FailureList>([&](auto done) { m_lookback->sums(86'400, filter, SumBy::Reason, done); }).value();
        QCOMPARE(sums.sums.size(), 1);
        QCOMPARE(sums.sums[0].groups, 2);
    }

    void resultsAreFoundByTheirJobs()
    {
        JobSpec spec;
        spec.keepResult = true;
        QList<JobId> ids;
        for (int i = 0; i < 5; ++i) {
            spec.name = i % 2 ? "odd" : "even";
            spec.argument = MsgpackWriter().integer(i).take();
            ids.append(push(spec));
            QVERIFY(finish(claim(), success()).ok());
            pass(second_ms);
        }
        const auto found = [this](const char *expression, int limit) {
            Lookback::ResultsQuery query;
            query.limit = limit;
            query.filter.setMatch(expression);
            QList<JobId> seen;
            do {
                const auto page = await<ResultPage>([&](auto done) { m_lookback->results(query, done); }).value();
                for (const KeptResult &result : page.results)
                    seen.append(result.id);
                query.cursor = page.next;
            } while (!query.cursor.isEmpty());
            return seen;
        };
        QCOMPARE(found("true", 2), ids);
        QCOMPARE(found("job.name == \"odd\"", 1), (QList<JobId>{ids[1], ids[3]}));
        QCOMPARE(found("job.argument >= 3", 50), (QList<JobId>{ids[3], ids[4]}));
        QVERIFY(found("job.argument > 9", 50).isEmpty());
    }

    // An answer with long arguments ends before its last row.
    void resultsOfJobsWithLongArgumentsAreAllLookedAt()
    {
        JobSpec spec;
        spec.name = "long";
        spec.keepResult = true;
        spec.argument = QByteArray::fromHex("c60003ff00") + QByteArray(0x3ff00, 'x'); // bin 32, nearly all that is allowed
        for (int i = 0; i < 20; ++i) {
            push(spec);
            QVERIFY(finish(claim(), success()).ok());
        }
        Lookback::ResultsQuery query;
        query.filter.setMatch("size(job.argument) > 1000");
        const auto page = await<ResultPage>([&](auto done) { m_lookback->results(query, done); }).value();
        QCOMPARE(page.results.size(), 20);
        QCOMPARE(page.scanned, 20);
    }

    void aPageOfGroupsSaysWhetherThereIsAnother()
    {
        for (int i = 0; i < 4; ++i) {
            failed("a", "cause " + QByteArray(1, char('a' + i)));
            pass(i == 1 ? 0 : second_ms); // two of them were seen last at the same time
        }
        const auto page = [this](int limit, const FailureGroup *last) {
            GroupsRequest request{limit, 86'400, {}};
            if (last)
                request.after = {last->lastAt_ms, last->signature};
            return await<GroupsPage>([&](auto done) { m_past->groups(request, done); }).value();
        };
        QVERIFY(page(4, nullptr).end);
        QCOMPARE(page(4, nullptr).groups.size(), 4);
        QVERIFY(page(5, nullptr).end);
        QVERIFY(!page(3, nullptr).end);
        QCOMPARE(page(3, nullptr).groups.size(), 3);
        QList<QByteArray> seen;
        GroupsPage one = page(1, nullptr);
        for (; !one.end; one = page(1, &one.groups.first()))
            seen.append(one.groups.first().signature);
        seen.append(one.groups.first().signature);
        QCOMPARE(QSet<QByteArray>(seen.begin(), seen.end()).size(), 4);
        QCOMPARE(seen.size(), 4);
    }

    void anOperatorOpensAGroupAgainAndUnmutesIt()
    {
        failed("a", "x");
        const QByteArray signature = groupsOf({}).first().signature;
        change(signature, {true, m_now_ms + hour_ms});
        QVERIFY(groupOf(signature).resolved);
        QCOMPARE(groupOf(signature).mutedUntil_ms, m_now_ms + hour_ms);
        change(signature, {false, {}});
        QVERIFY(!groupOf(signature).resolved);
        QCOMPARE(groupOf(signature).resolvedAt_ms, 0);
        QCOMPARE(groupOf(signature).mutedUntil_ms, m_now_ms + hour_ms);
        change(signature, {{}, 0});
        QCOMPARE(groupOf(signature).mutedUntil_ms, 0);
        QCOMPARE(command({"HEXISTS", "jq:{test}:fg:" + signature, "mu"}).integer(), 0);
    }

    void aWholeGroupRunsAgainInSlices()
    {
        for (int i = 0; i < 250; ++i)
            push(named("a"));
        QList<FinishItem> items;
        for (int i = 0; i < 3; ++i) {
            items.clear();
            for (const ClaimedJob &job : claimMany(i < 2 ? 100 : 50))
                items.append({job.id, job.lease, failure("x"), 0});
            finishAndClaim(items, {});
        }
        failed("a", "another cause");
        const QByteArray signature = find(groupsOf({}), "a", "x").signature;
        const auto retry = [&](int most, const QByteArray &cursor) {
            return await<GroupRetried>([&](auto done) { m_lookback->retryGroup(signature, most, cursor, anOperator, done); });
        };
        const auto some = retry(120, {}).value();
        QCOMPARE(some.retried, 120);
        QCOMPARE(some.left, 130);
        items.clear();
        pass(1);
        for (const ClaimedJob &job : claimMany(10)) // these fail again: they were not meant
            items.append({job.id, job.lease, failure("x"), 0});
        finishAndClaim(items, {});
        QCOMPARE(groupOf(signature).failedNow, 140);
        const auto rest = retry(1'000, some.next).value();
        QCOMPARE(rest.retried, 130);
        QCOMPARE(rest.left, 0);
        QVERIFY(rest.next.isEmpty());
        QCOMPARE(counts().count(JobState::Ready), 240);
        QCOMPARE(counts().count(JobState::Failed), 11);
        QCOMPARE(retry(1, "nonsense").error().field, QByteArray("cursor"));
    }

    void theOldestGroupGoesWhenThereAreTooMany()
    {
        const auto fill = [this](const char *verb, int count) {
            QList<QByteArray> words{verb, "jq:{test}:fgroups"};
            for (int i = 0; i < count; ++i) {
                if (verb == QByteArray("ZADD"))
                    words.append(QByteArray::number(i));
                words.append("group " + QByteArray::number(i));
            }
            command(words);
        };
        const JobId job = failed("a", "first");
        pass(1);
        fill("ZADD", limits::failure_groups_max - 2); // all older
        failed("a", "second");
        QCOMPARE(command({"ZCARD", "jq:{test}:fgroups"}).integer(), qint64(limits::failure_groups_max)); // none had to go
        failed("a", "third");
        QCOMPARE(command({"ZCARD", "jq:{test}:fgroups"}).integer(), qint64(limits::failure_groups_max));
        QCOMPARE(command({"ZSCORE", "jq:{test}:fgroups", "group 0"}).kind(), redis::Reply::Kind::Nil);
        QVERIFY(command({"ZSCORE", "jq:{test}:fgroups", "group 1"}).kind() != redis::Reply::Kind::Nil);
        fill("ZREM", limits::failure_groups_max - 2);
        QCOMPARE(groupsOf({}).size(), 3);
        // With the oldest goes what is kept of its jobs.
        const auto kept = [this] { return command({"KEYS", "jq:{test}:fgf:*"}).size(); };
        QCOMPARE(kept(), 3);
        command({"ZADD", "jq:{test}:fgroups", "-1", groupsOf({}).last().signature});
        fill("ZADD", limits::failure_groups_max - 3);
        failed("a", "fourth");
        QCOMPARE(kept(), 3);
        QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { m_store->retry({{job}}, done); })->first().ok());
    }

    void groupsAreBounded()
    {
        for (int i = 0; i < limits::failure_workers_max + 5; ++i) {
            push(named("a", 9));
            const auto job = finishAndClaim({}, {{"w" + QByteArray::number(i), {}, 1, 0}}).claimed.first().jobs.first();
            QVERIFY(finish(job, failure("x")).ok());
        }
        QCOMPARE(groupsOf({}).first().workers.size(), limits::failure_workers_max);
        QCOMPARE(groupsOf({}).first().count, limits::failure_workers_max + 5);
        pass(qint64(limits::failure_groups_s * 1000) - 1);
        sweep();
        QVERIFY(!groupsOf({40 * 86'400}).isEmpty());
        pass(2);
        sweep();
        QVERIFY(groupsOf({40 * 86'400}).isEmpty());
    }

private:
    NameDistributions statisticsOf(const QByteArray &name, qint64 day)
    {
        const auto page = await<DistributionPage>([&](auto done) { m_past->statistics({name, day, 1, {}}, done); }).value();
        return page.names.value(0);
    }
    NameDistributions statistics(const QByteArray &name) { return statisticsOf(name, m_now_ms / day_ms); }

    // A measure against the measured values themselves, in milliseconds.
    static void compare(const Distribution &measure, std::vector<double> values)
    {
        QCOMPARE(measure.count, qint64(values.size()));
        double sum = 0, squares = 0;
        std::array<quint32, Distribution::bins_count> bins{};
        for (const double value : values) {
            sum += value;
            ++bins[size_t(Distribution::binOf(qint64(value)))];
        }
        const double mean = sum / double(values.size());
        for (const double value : values)
            squares += (value - mean) * (value - mean);
        QCOMPARE(measure.sum_ms, qint64(sum));
        QVERIFY(measure.bins == bins);
        QVERIFY(std::abs(measure.mean_s() - mean / 1000) < 1e-9 * (1 + mean));
        const double variance = squares / double(values.size()) / 1e6;
        QVERIFY(std::abs(measure.variance_s2() - variance) < 1e-9 * (1 + variance));
        std::sort(values.begin(), values.end());
        for (const double share : {0.5, 0.95, 0.99}) {
            const double exact = values[size_t(std::ceil(share * double(values.size()))) - 1];
            const int bin = Distribution::binOf(qint64(exact));
            QVERIFY(measure.percentile_s(share) >= Distribution::binStart_ms(bin) / 1000 - 1e-12);
            QVERIFY(measure.percentile_s(share) <= Distribution::binEnd_ms(bin) / 1000 + 1e-12);
        }
    }

    QList<FailureGroup> groupsOf(const Lookback::GroupsQuery &query)
    {
        return await<FailureList>([&](auto done) { m_lookback->groups(query, done); }).value().groups;
    }
    FailureGroup groupOf(const QByteArray &signature)
    {
        return await<FailureGroup>([&](auto done) { m_past->group(signature, 86'400, done); }).value();
    }
    void change(const QByteArray &signature, const FailureGroupChange &change)
    {
        QVERIFY(await<Done>([&](auto done) { m_past->changeGroup(signature, change, done); }).ok());
    }
    static FailureGroup find(const QList<FailureGroup> &groups, const QByteArray &name, const QByteArray &title)
    {
        for (const FailureGroup &group : groups) {
            if (group.name == name && group.title == title)
                return group;
        }
        return {};
    }
};

JUNBAN_TEST(TestPast)
#include "test_past.moc"
