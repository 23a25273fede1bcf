#include "core/limits.h"
#include "core/operators/auditor.h"
#include "core/redis/redisaudit.h"
#include "tests/support/await.h"
#include "tests/support/keychecker.h"
#include "tests/support/redisserver.h"
#include "tests/support/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using namespace junban;
using namespace junban::test;

// The audit over a real Redis, and over a store that fails when it is told to.
class TestAuditor : public QObject
{
    Q_OBJECT

    // Fails as long as it is to.
    struct FailingStore final : AuditStore {
        void append(QList<QByteArray> entries, Callback<Done> callback) override
        {
            if (!fails)
                kept += entries;
            QTimer::singleShot(0, [callback, failed = fails] {
                callback(failed ? Result<Done>(Error{ErrorCode::StoreUnavailable, Reason("test", {}, "away")}) : Result<Done>(Done{}));
            });
        }
        void page(QByteArray, qint64, int, Callback<QList<Row>>) override {}

        bool fails = true;
        QList<QByteArray> kept;
    };

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_server.start());
        m_link = std::make_unique<redis::Link>(*redis::Address::fromUrl(m_server.url()));
        m_link->start();
        QTRY_COMPARE(m_link->state(), redis::LinkState::Up);
    }
    void init()
    {
        command({"FLUSHALL"});
        command({"SET", "jq:{test}:testclock", "1728000000000"});
        m_store = std::make_unique<redis::RedisAudit>(*m_link, "test", m_clock, redis::ScriptClock::TestKey);
        m_auditor = std::make_unique<Auditor>(*m_store, m_clock, nullptr);
    }
    void cleanup()
    {
        m_auditor.reset();
        QCOMPARE(wrongKeys(*m_link, "test"), QByteArray());
        m_store.reset();
    }

    void whatIsNotedIsListedTheNewestFirst()
    {
        for (const char *target : {"a", "b", "c"})
            m_auditor->note(entry(target));
        QTRY_COMPARE(targets(list({.limit = 10})), (QList<QByteArray>{"c", "b", "a"}));
        const AuditPage page = list({.limit = 2});
        QCOMPARE(targets(page), (QList<QByteArray>{"c", "b"}));
        QCOMPARE(targets(list({.limit = 2, .cursor = page.next})), QList<QByteArray>{"a"});
        QVERIFY(list({.limit = 2, .cursor = page.next}).next.isEmpty());
        QVERIFY(list({.limit = 3}).next.isEmpty());
        QCOMPARE(page.entries.first().roles, QList<Role>{Role::Operator});
    }
    void aFilterFindsByActorNoteActionAndTarget()
    {
        m_auditor->note(entry("a"));
        AuditEntry other = entry("b");
        other.actor = "other";
        other.note = "ann";
        other.action = "pause";
        m_auditor->note(other);
        QTRY_COMPARE(list({.limit = 10}).entries.size(), 2);
        QCOMPARE(targets(list({.actor = "other", .limit = 10})), QList<QByteArray>{"b"});
        QCOMPARE(targets(list({.actor = "ann", .limit = 10})), QList<QByteArray>{"b"});
        QCOMPARE(targets(list({.action = "retryJob", .limit = 10})), QList<QByteArray>{"a"});
        QCOMPARE(targets(list({.target = "a", .limit = 10})), QList<QByteArray>{"a"});
        QVERIFY(list({.actor = "other", .target = "a", .limit = 10}).entries.isEmpty());
        QVERIFY(list({.since_ms = m_clock.now_ms() + 3'600'000, .limit = 10}).entries.isEmpty());
    }
    void aFilterGoesThroughManyEntriesAndKeepsItsPlace()
    {
        for (int i = 0; i < 1'300; ++i)
            command({"XADD", "jq:{test}:audit", "*", "actor", "fsck", "what", i == 3 ? "rare" : "repair", "key", QByteArray::number(i)});
        const AuditPage page = list({.action = "rare", .limit = 5});
        QCOMPARE(targets(page), QList<QByteArray>{"3"});
        QVERIFY(page.next.isEmpty());
    }
    void aCursorThatIsNoneIsRefused()
    {
        for (const char *cursor : {"x", "1", "1-", "-1", "1-2-3", "+"}) {
            const auto page = await<AuditPage>([&](auto done) { m_auditor->list({.limit = 1, .cursor = cursor}, done); });
            QVERIFY(!page.ok());
            QCOMPARE(page.error().field, QByteArray("cursor"));
        }
    }
    void theStreamIsBounded()
    {
        command({"EVAL", "for i = 1, 100500 do redis.call('XADD', KEYS[1], '*', 'actor', 'x') end", "1", "jq:{test}:audit"});
        m_auditor->note(entry("a"));
        QTRY_COMPARE(targets(list({.limit = 1})), QList<QByteArray>{"a"});
        const qint64 length = command({"XLEN", "jq:{test}:audit"}).integer();
        QVERIFY2(length >= limits::audit_entries_max && length < limits::audit_entries_max + 200, QByteArray::number(length));
    }
    void whatTheStoreDoesNotTakeWaitsAndIsBounded()
    {
        FailingStore store;
        Auditor auditor(store, m_clock, nullptr);
        const int more = 5;
        for (int i = 0; i < limits::audit_waiting_max + more; ++i)
            auditor.note(entry(QByteArray::number(i)));
        QTest::qWait(0);
        store.fails = false;
        QTRY_COMPARE_WITH_TIMEOUT(store.kept.size(), limits::audit_waiting_max + 1, 20'000);
        const AuditEntry told = *unpackAnswer(auditEntryTable, store.kept.first());
        QCOMPARE(told.action, QByteArray("lostAuditEntries"));
        QCOMPARE(unpackAnswer(auditEntryTable, store.kept[1])->target, QByteArray::number(more));
        QCOMPARE(unpackAnswer(auditEntryTable, store.kept.last())->target, QByteArray::number(limits::audit_waiting_max + more - 1));
    }

private:
    static AuditEntry entry(const QByteArray &target)
    {
        AuditEntry made{0, "ada"};
        made.roles = {Role::Operator};
        made.action = "retryJob";
        made.target = target;
        made.result = 200;
        return made;
    }
    redis::Reply command(const QList<QByteArray> &words)
    {
        return await<redis::Reply>([&](auto done) { m_link->command(words, done); }).value();
    }
    AuditPage list(const Auditor::Query &query)
    {
        return await<AuditPage>([&](auto done) { m_auditor->list(query, done); }).value();
    }
    static QList<QByteArray> targets(const AuditPage &page)
    {
        QList<QByteArray> all;
        for (const AuditEntry &entry : page.entries)
            all.append(entry.target);
        return all;
    }

    RedisServer m_server;
    std::unique_ptr<redis::Link> m_link;
    Clock m_clock;
    std::unique_ptr<redis::RedisAudit> m_store;
    std::unique_ptr<Auditor> m_auditor;
};

JUNBAN_TEST(TestAuditor)
#include "test_auditor.moc"
