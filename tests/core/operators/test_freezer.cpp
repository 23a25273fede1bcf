#include "core/operators/freezer.h"
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
        m_gathered = std::make_shared<std::atomic<int>>(0);
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
        QCOMPARE(m_gathered->load(), limits::views_gathered_max);
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
        QCOMPARE(m_gathered->load(), 0); // although the timers of their answers still run
        QCOMPARE(await<View>([&](auto done) { m_freezer->freeze({}, done); })->count, 3);
    }

    void aViewThatCannotBeMadeLeavesItsPlace()
    {
        for (int i = 0; i < limits::views_max; ++i) {
            const FreezeItem other{"v" + QByteArray::number(i), 0, ViewState::Complete, {}, m_now_ms, {}};
            QVERIFY(await<qint64>([&](auto done) { m_views->freeze(other, done); }).ok());
        }
        const Result<View> none = await<View>([&](auto done) { m_freezer->freeze({}, done); });
        QCOMPARE(none.error().code, ErrorCode::Conflict);
        QCOMPARE(m_gathered->load(), 0);
    }

private:
    std::unique_ptr<Freezer> freezer()
    {
        return std::make_unique<Freezer>(Freezer::Sources{*m_views, *m_store, *m_inspector, *m_lookback}, *m_clock, m_gathered);
    }

    std::unique_ptr<redis::RedisOperations> m_views;
    std::unique_ptr<Inspector> m_inspector;
    Freezer::Gathered m_gathered;
    std::unique_ptr<Freezer> m_freezer;
};

JUNBAN_TEST(TestFreezer)
#include "test_freezer.moc"
