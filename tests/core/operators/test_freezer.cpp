#include "core/operators/freezer.h"
#include "core/queue/changes.h"
#include "core/redis/redisoperations.h"
#include "tests/core/lua/pastfixture.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// How frozen views are made and read: docs/decisions/operations.md.
class TestFreezer : public QObject, private PastFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(start()); }
    void init()
    {
        begin();
        m_views = std::make_unique<redis::RedisOperations>(*m_link, "test", *m_clock, redis::ScriptClock::TestKey);
        m_inspector = std::make_unique<Inspector>(*m_store);
        m_shared = std::make_shared<Freezer::Shared>();
        m_freezer = freezer();
    }
    void cleanup()
    {
        m_freezer.reset();
        m_inspector.reset();
        m_views.reset();
        const QByteArray wrong = end();
        QCOMPARE(wrong, QByteArray());
    }

    // Their ids are in memory until they are complete; the bound is the whole master's.
    void fewViewsOfSeveralStatesAreMadeAtOnce()
    {
        for (int i = 0; i < 3; ++i)
            (void)push(named("a"));
        pass(second_ms);
        const std::unique_ptr<Freezer> otherThread = freezer();
        QList<Result<View>> made;
        const auto take = [&made](const Result<View> &view) { made.append(view); };
        for (int i = 0; i < limits::views_gathered_max; ++i)
            (i % 2 == 0 ? m_freezer : otherThread)->freeze({}, take);
        QCOMPARE(m_shared->gathered.load(), limits::views_gathered_max);
        for (const auto &each : {m_freezer.get(), otherThread.get()}) {
            const Result<View> more = await<View>([&](auto done) { each->freeze({}, done); });
            QCOMPARE(more.error().code, ErrorCode::Conflict);
            QVERIFY(more.error().retryAfter_s > 0);
        }
        Freezer::Request one, named;
        one.selection.state = JobState::Ready; // no job is in it twice
        named.selection.ids = {m_ids.make(m_now_ms)};
        m_freezer->freeze(one, take);
        m_freezer->freeze(named, take);
        QTRY_COMPARE(made.size(), limits::views_gathered_max + 2);
        for (const Result<View> &view : made)
            QVERIFY(view.ok() && view->complete);
        QCOMPARE(m_shared->gathered.load(), 0); // although the timers of their answers still run
        QCOMPARE(await<View>([&](auto done) { m_freezer->freeze({}, done); })->count, 3);
    }

    void aViewThatCannotBeMadeLeavesItsPlace()
    {
        for (int i = 0; i < limits::views_max; ++i) {
            const FreezeItem other{"v" + QByteArray::number(i), 0, ViewState::Complete, {}, m_now_ms, {}};
            QVERIFY(await<qint64>([&](auto done) { m_views->freeze(other, done); }).ok());
        }
        QList<std::shared_ptr<void>> readers;
        for (int i = 0; i < limits::views_max; ++i)
            readers.append(m_freezer->holding("v" + QByteArray::number(i)));
        const Result<View> none = await<View>([&](auto done) { m_freezer->freeze({}, done); });
        QCOMPARE(none.error().code, ErrorCode::Conflict);
        QTRY_COMPARE(m_shared->gathered.load(), 0);
        readers.removeAt(5); // whose export is done
        QVERIFY(await<View>([&](auto done) { m_freezer->freeze({}, done); }).ok());
        QVERIFY(!names().contains("v5"));
        QCOMPARE(names().size(), limits::views_max);
    }

    void aTokensNextViewTakesThePlaceOfTheOneThatWasNotReadForLongest()
    {
        (void)push(named("a"));
        QList<QByteArray> others{ofToken("b"), ofToken("b")}, own;
        for (int i = 0; i < limits::views_of_token_max; ++i)
            own.append(ofToken("a"));
        for (qsizetype i = 0; i < own.size(); ++i)
            expireIn(own[i], 100'000 + 1'000 * i); // as if they were made one after the other, minutes ago
        for (const QByteArray &other : others)
            expireIn(other, 10'000);
        QCOMPARE(page(own[0], {}).ids.size(), 1); // read
        const QByteArray next = ofToken("a");
        const QByteArray given = own.takeAt(1);
        QList<QByteArray> left = own + others + QList{next};
        QList<QByteArray> found = names();
        std::sort(left.begin(), left.end());
        std::sort(found.begin(), found.end());
        QCOMPARE(found, left);
        QCOMPARE(await<ViewPage>([&](auto done) { m_freezer->view(given, 0, 1, {}, done); }).error().code, ErrorCode::NotFound);
        const std::shared_ptr<void> reader = m_freezer->holding(own[1]);
        (void)ofToken("a");
        QVERIFY(names().contains(own[1]));
        QVERIFY(!names().contains(own[2]));
    }

    void whoHasMostViewsMakesRoomForOthers()
    {
        for (const char *token : {"a", "b", "c"}) {
            for (int i = 0; i < limits::views_of_token_max; ++i)
                (void)ofToken(token);
        }
        const QByteArray last = ofToken("d");
        while (names().size() < limits::views_max)
            (void)ofToken("e");
        (void)ofToken("f");
        QVERIFY(names().contains(last));
        QCOMPARE(names().size(), limits::views_max);
    }

    void readingAViewKeepsIt()
    {
        (void)push(named("a"));
        const QByteArray view = ofToken("a");
        expireIn(view, 5'000);
        const ViewPage read = page(view, {});
        QTRY_VERIFY(lives_ms(view) > 500'000);
        QVERIFY(qAbs(read.view.expiresAt_ms - (m_clock->now_ms() + lives_ms(view))) < 60'000);
        // An operation lets its view live until it has ended.
        for (const QByteArray &itsKey : keysOf(view))
            QVERIFY(await<redis::Reply>([&](auto done) { m_link->command({"PERSIST", itsKey}, done); }).ok());
        m_views->keep(view, 1);
        (void)page(view, {});
        QCOMPARE(lives_ms(view), -1);
        QVERIFY(await<Done>([&](auto done) { m_freezer->drop(view, done); }).ok()); // fsck would find it
    }

    // For its caller a job that left the scope is as gone as one that was purged.
    void aJobThatIsOutsideTheScopeNowHasNoRow()
    {
        QList<JobId> ids;
        for (int i = 0; i < 6; ++i) {
            JobSpec spec = named("a");
            spec.priority = 1;
            spec.argument = QByteArray::fromHex("81a16b01"); // {"k": 1}
            if (i >= 4) // {"k": 1, "p": bytes}, too long for a list
                spec.argument = QByteArray::fromHex("82a16b01a170c600030000") + QByteArray(0x30000, 'x');
            ids.append(push(spec));
        }
        const auto scope = std::make_shared<const Scope>(Scope::of({{}, {}, {}, "job.priority == 1 && job.argument.k == 1"}).value());
        const View made = viewOf(ids, scope);
        QCOMPARE(made.count, ids.size());
        JobEdit other, another;
        other.priority = 2;
        another.argument = QByteArray::fromHex("81a16b07");
        change(ids[1], other);
        change(ids[2], another);
        change(ids[4], other);
        const ViewPage kept = page(made.id, scope);
        QCOMPARE(kept.ids, ids);
        QList<JobId> rows;
        for (const Job &job : kept.jobs)
            rows.append(job.id);
        QCOMPARE(rows, (QList<JobId>{ids[0], ids[3], ids[5]}));
        QVERIFY(kept.jobs.last().spec.argument.size() < 10); // cut, as in every list
        QCOMPARE(page(made.id, {}).jobs.size(), ids.size());
        QCOMPARE(viewOf(ids, scope).count, 3);
    }

    // Else a view of a busy queue would never be complete, and have what nobody saw.
    void aJobThatWasMadeLaterIsNotInAViewThatLooksForJobs()
    {
        m_now_ms -= 5 * second_ms; // only for ids
        const JobId old = push(named("a"));
        m_now_ms += 10 * second_ms;
        (void)push(named("a"));
        Freezer::Request all, ready;
        ready.selection.state = JobState::Ready;
        for (const Freezer::Request &request : {all, ready}) {
            const View made = await<View>([&](auto done) { m_freezer->freeze(request, done); }).value();
            QCOMPARE(page(made.id, {}).ids, QList<JobId>{old});
        }
    }

    // This engine's estimate of Redis' clock is a little late, and the id may have been made by another engine.
    void aJobThatIsNamedIsInTheViewHoweverLateTheClockIs()
    {
        const JobId old = push(named("a"));
        m_now_ms += 5 * second_ms; // only for ids
        const JobId young = push(named("a"));
        QVERIFY(young.created_ms() > m_clock->now_ms());
        QCOMPARE(viewOf({old, young}, {}).count, 2);
    }

private:
    static QList<QByteArray> keysOf(const QByteArray &view) { return {"jq:{test}:vw:" + view, "jq:{test}:vi:" + view + "|0"}; }
    QByteArray ofToken(const QByteArray &token)
    {
        Freezer::Request request;
        request.selection.state = JobState::Ready;
        request.owner = token;
        return await<View>([&](auto done) { m_freezer->freeze(request, done); }).value().id;
    }
    QList<QByteArray> names()
    {
        QList<QByteArray> all;
        const ViewList list = await<ViewList>([&](auto done) { m_freezer->views(done); }).value();
        for (const View &view : list.views)
            all.append(view.id);
        return all;
    }
    void expireIn(const QByteArray &view, qint64 ms)
    {
        for (const QByteArray &itsKey : keysOf(view))
            (void)await<redis::Reply>([&](auto done) { m_link->command({"PEXPIRE", itsKey, QByteArray::number(ms)}, done); });
    }
    qint64 lives_ms(const QByteArray &view)
    {
        return await<redis::Reply>([&](auto done) { m_link->command({"PTTL", keysOf(view).first()}, done); })->integer();
    }
    std::unique_ptr<Freezer> freezer()
    {
        return std::make_unique<Freezer>(Freezer::Sources{*m_views, *m_store, *m_inspector, *m_lookback}, *m_clock, m_shared);
    }
    View viewOf(const QList<JobId> &ids, const std::shared_ptr<const Scope> &scope)
    {
        Freezer::Request request;
        request.selection.ids = ids;
        request.filter.scope = scope;
        return await<View>([&](auto done) { m_freezer->freeze(request, done); }).value();
    }
    ViewPage page(const QByteArray &id, const std::shared_ptr<const Scope> &scope)
    {
        return await<ViewPage>([&](auto done) { m_freezer->view(id, 0, 100, scope, done); }).value();
    }
    void change(JobId id, const JobEdit &edit)
    {
        Changes changes(*m_store, *m_clock);
        QVERIFY(await<Job>([&](auto done) { changes.edit(id, edit, anOperator, done); }).ok());
    }

    std::unique_ptr<redis::RedisOperations> m_views;
    std::unique_ptr<Inspector> m_inspector;
    std::shared_ptr<Freezer::Shared> m_shared;
    std::unique_ptr<Freezer> m_freezer;
};

JUNBAN_TEST(TestFreezer)
#include "test_freezer.moc"
