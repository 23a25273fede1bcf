#include "core/msgpack/json.h"
#include "core/redis/redismatchers.h"
#include "tests/core/lua/lanesfixture.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// How matchers are kept: their saves, revisions and numbers of constraints, in a real Redis whose scripts read a test clock.
class TestMatcherStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_lanes.start());
        QTRY_COMPARE(m_lanes.link->state(), redis::LinkState::Up);
    }
    void init()
    {
        m_lanes.begin();
        m_store = std::make_unique<redis::RedisMatchers>(*m_lanes.link, "lanes", m_lanes.clock, redis::ScriptClock::TestKey);
        m_version = 0;
        m_kind = ModelLimit::Pause;
    }

    void aSavedMatcherIsListedWithItsRevisionAndNumbers()
    {
        const auto saved = save("m", 1, {"m.a", "m.b"});
        QVERIFY(saved.ok());
        QCOMPARE(saved->version, 1);
        QCOMPARE(saved->epoch, 0);
        QCOMPARE(saved->kept.numbers, (QHash<QByteArray, int>{{"m.a", 1}, {"m.b", 2}}));
        const auto page = list();
        QCOMPARE(page.version, 1);
        QCOMPARE(page.epoch, 0);
        QVERIFY(page.end);
        QCOMPARE(page.matchers.size(), 1);
        const KeptMatcher kept = page.matchers.first();
        QCOMPARE(kept.matcher.id, QByteArray("m"));
        QCOMPARE(kept.matcher.revision, 1);
        QCOMPARE(kept.matcher.editedAt_ms, m_lanes.now_ms);
        QCOMPARE(kept.matcher.editedBy, QByteArray("ann"));
        QCOMPARE(kept.numbers, saved->kept.numbers);
        QVERIFY(parameters(1) && parameters(2));
    }

    void whoKnowsTheVersionGetsNoRows()
    {
        QVERIFY(list().matchers.isEmpty());
        QVERIFY(list({}, 0).matchers.isEmpty());
        QVERIFY(save("m", 1).ok());
        QCOMPARE(list({}, 0).matchers.size(), 1);
        QVERIFY(list({}, 1).matchers.isEmpty());
        QVERIFY(list({}, 1).end);
    }

    void matchersAreListedInPagesById()
    {
        QList<QByteArray> all;
        for (int i = 0; i <= limits::script_items_max; ++i) {
            all.append("m" + QByteArray::number(1000 + i));
            if (i < limits::script_items_max)
                QVERIFY(save(all.last(), 1).ok());
        }
        QVERIFY(list().end); // a page and no more
        QVERIFY(save(all.last(), 1).ok());
        const auto first = list();
        QVERIFY(!first.end);
        QCOMPARE(first.matchers.size(), limits::script_items_max);
        const auto rest = list(first.matchers.last().matcher.id);
        QVERIFY(rest.end);
        QList<QByteArray> seen;
        for (const auto &page : {first, rest}) {
            for (const KeptMatcher &kept : page.matchers)
                seen.append(kept.matcher.id);
        }
        QCOMPARE(seen, all);
    }

    void aSaveThatWasThoughtOutBeforeAnotherIsRefused()
    {
        QVERIFY(save("m", 1).ok());
        m_version = 0;
        QCOMPARE(save("other", 1).error().field, QByteArray("version"));
        m_version = 1;
        QCOMPARE(save("m", 1).error().field, QByteArray("version")); // its second revision is due
        QCOMPARE(save("m", 3).error().field, QByteArray("version"));
        QVERIFY(save("m", 2).ok());
        QCOMPARE(list().version, 2);
    }

    void aSaveIsForTheRevisionItExpects()
    {
        const Expected missing{Expected::What::Missing}, first{Expected::What::Revision, 1}, second{Expected::What::Revision, 2};
        QCOMPARE(save("m", 1, {}, first).error().code, ErrorCode::NotFound);
        QVERIFY(save("m", 1, {}, missing).ok());
        QCOMPARE(save("m", 2, {}, missing).error().code, ErrorCode::RevisionMismatch);
        QCOMPARE(save("m", 2, {}, second).error().code, ErrorCode::RevisionMismatch);
        QVERIFY(save("m", 2, {}, first).ok());
        QVERIFY(save("m", 3).ok());
        QCOMPARE(remove("nobody", 1).error().code, ErrorCode::NotFound);
        QCOMPARE(remove("m", 4, first).error().code, ErrorCode::RevisionMismatch);
        QVERIFY(remove("m", 4).ok());
        QVERIFY(list().matchers.isEmpty());
    }

    void aConstraintKeepsItsNumberAsLongAsItsKind()
    {
        QCOMPARE(save("m", 1, {"m.a", "m.b", "m.c"})->kept.numbers, (QHash<QByteArray, int>{{"m.a", 1}, {"m.b", 2}, {"m.c", 3}}));
        m_kind = ModelLimit::Cooldown; // another kind keeps other things of its buckets
        QCOMPARE(save("m", 2, {"m.a"})->kept.numbers, (QHash<QByteArray, int>{{"m.a", 4}}));
        QVERIFY(!parameters(1) && !parameters(2) && !parameters(3) && parameters(4));
        QCOMPARE(save("m", 3, {"m.d", "m.a"})->kept.numbers, (QHash<QByteArray, int>{{"m.d", 5}, {"m.a", 4}}));
        QVERIFY(parameters(4) && parameters(5));
        QVERIFY(remove("m", 4).ok());
        QVERIFY(!parameters(4) && !parameters(5));
    }

    void anEpochComesWithTheSavesThatNeedOne()
    {
        QCOMPARE(save("m", 1, {}, {}, EpochChange::New)->epoch, 1);
        QCOMPARE(save("m", 2)->epoch, 1);
        QCOMPARE(list().epoch, 1);
        QCOMPARE(remove("m", 3, {}, EpochChange::New)->epoch, 2);
        QCOMPARE(list().epoch, 2);
    }

    void thereAreOnlySoManyMatchers()
    {
        const QByteArray fill = "for i = ARGV[1] + 1, ARGV[1] + 2500 do redis.call('ZADD', KEYS[1], 0, 'z' .. i) end";
        for (int filled = 0; filled < limits::matchers_max; filled += 2500)
            m_lanes.command({"EVAL", fill, "1", "jq:{lanes}:ma_ids", QByteArray::number(filled)});
        QCOMPARE(save("m", 1).error().code, ErrorCode::Conflict);
        m_lanes.command({"ZREM", "jq:{lanes}:ma_ids", "z1"});
        QVERIFY(save("m", 1).ok());
        QVERIFY(save("m", 2).ok()); // one that is there may change
    }

    void theLastRevisionsAreKept()
    {
        QCOMPARE(history("m").last, 0);
        QVERIFY(!history("m").deleted);
        for (int revision = 1; revision <= limits::matcher_revisions_max; ++revision)
            QVERIFY(save("m", revision).ok());
        QCOMPARE(history("m").revisions.size(), limits::matcher_revisions_max);
        m_lanes.passTime(1000);
        QVERIFY(save("m", limits::matcher_revisions_max + 1).ok());
        const auto kept = history("m");
        QCOMPARE(kept.last, limits::matcher_revisions_max + 1);
        QCOMPARE(kept.revisions.size(), limits::matcher_revisions_max);
        QCOMPARE(kept.revisions.first().revision, kept.last);
        QCOMPARE(kept.revisions.first().editedAt_ms, m_lanes.now_ms);
        QCOMPARE(kept.revisions.first().editedBy, QByteArray("ann"));
        QCOMPARE(kept.revisions.last().revision, 2);
        QVERIFY(!kept.deleted);
    }

    // The time of a key goes by Redis' own clock.
    void whatADeletedMatcherWasIsRememberedForAWhile()
    {
        const auto left_ms = [this] {
            return m_lanes.command({"EVAL", "return redis.call('PTTL', redis.call('KEYS', '*:mar:*')[1])", "0"}).integer();
        };
        QVERIFY(save("m", 1).ok());
        QCOMPARE(left_ms(), -1);
        QVERIFY(remove("m", 2).ok());
        QVERIFY(history("m").deleted);
        QCOMPARE(history("m").last, 2);
        QCOMPARE(history("m").revisions.size(), 1);
        QVERIFY(left_ms() > qint64(limits::matcher_history_s * 1000) - 3'600'000);
        QVERIFY(left_ms() <= qint64(limits::matcher_history_s * 1000));
        QCOMPARE(save("m", 1).error().field, QByteArray("version")); // its numbers go on
        QVERIFY(save("m", 3).ok());
        QVERIFY(!history("m").deleted);
        QCOMPARE(left_ms(), -1);
    }

    void boundariesAreOnlyToldOfWhatIsInForce()
    {
        QCOMPARE(save("m", 1, {"m.a"})->kept.numbers.value("m.a"), 1);
        const auto before = parameters(1);
        m_kind = ModelLimit::Cooldown;
        QCOMPARE(refresh(0, 1).error().code, ErrorCode::RevisionMismatch);
        QCOMPARE(refresh(1, 2).error().code, ErrorCode::RevisionMismatch);
        QCOMPARE(parameters(1), before);
        QVERIFY(!parameters(2));
        QVERIFY(refresh(1, 1).ok());
        QCOMPARE(parameters(1), std::optional(limit().packed()));
        QCOMPARE(list().version, 1);
    }

    void constraintsAreSetAtTheEpochTheyWereMadeForOrAtAny()
    {
        const auto set = [this](qint64 madeAt, EpochChange change) {
            return await<qint64>([&](auto done) {
                m_lanes.constraints->setConstraints({{1, limit().packed()}, {2, limit().packed()}}, madeAt, change, done);
            });
        };
        QCOMPARE(set(1, EpochChange::New).error().code, ErrorCode::RevisionMismatch);
        QVERIFY(!parameters(1));
        QCOMPARE(*set(0, EpochChange::New), 1);
        QVERIFY(parameters(1) && parameters(2));
        QCOMPARE(*set(-1, EpochChange::Keep), 1);
        QCOMPARE(set(0, EpochChange::New).error().code, ErrorCode::RevisionMismatch);
    }

private:
    ModelLimit limit() const
    {
        ModelLimit made;
        made.kind = m_kind;
        return made;
    }
    Result<MatcherStore::Saved> keep(MatcherStore::Save save)
    {
        save.version = m_version;
        save.who = "ann";
        const auto saved = await<MatcherStore::Saved>([&](auto done) { m_store->save(save, done); });
        if (saved.ok())
            m_version = saved->version;
        return saved;
    }
    Result<MatcherStore::Saved> save(const QByteArray &id, qint64 revision, const QList<QByteArray> &constraints = {},
        Expected expected = {}, EpochChange change = EpochChange::Keep)
    {
        const QByteArray plain = *json::toMsgpack(R"({"title": "t", "expression": "true"})");
        MatcherStore::Save save{0, expected, id, revision, *JobMatcher::fromMsgpack(id, plain), {}, change};
        for (const QByteArray &each : constraints) {
            save.matcher->constraints.append(*Constraint::fromMsgpack(*json::toMsgpack(R"({"kind": "pause"})"), "c"));
            save.matcher->constraints.last().id = each;
            save.parameters.append(limit().packed());
        }
        return keep(save);
    }
    Result<MatcherStore::Saved> remove(
        const QByteArray &id, qint64 revision, Expected expected = {}, EpochChange change = EpochChange::Keep)
    {
        return keep({0, expected, id, revision, {}, {}, change});
    }
    MatcherStore::Page list(const QByteArray &after = {}, qint64 known = -1)
    {
        return await<MatcherStore::Page>([&](auto done) { m_store->list(after, known, done); }).value();
    }
    MatcherStore::History history(const QByteArray &id)
    {
        return await<MatcherStore::History>([&](auto done) { m_store->history(id, done); }).value();
    }
    Result<Done> refresh(qint64 version, int number)
    {
        return await<Done>([&](auto done) { m_store->refresh(version, {number, limit().packed()}, done); });
    }
    // What the scripts know of a constraint.
    std::optional<QByteArray> parameters(int number)
    {
        const auto reply = m_lanes.command({"HGET", "jq:{lanes}:con", QByteArray::number(number)});
        return reply.kind() == redis::Reply::Kind::Nil ? std::nullopt : std::optional(reply.bytes());
    }

    Lanes m_lanes;
    std::unique_ptr<redis::RedisMatchers> m_store;
    ModelLimit::Kind m_kind = ModelLimit::Pause;
    qint64 m_version = 0;
};

JUNBAN_TEST(TestMatcherStore)
#include "test_matcherstore.moc"
