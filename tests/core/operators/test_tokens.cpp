#include "core/base/durations.h"
#include "core/limits.h"
#include "core/operators/tokens.h"
#include "core/redis/redistokens.h"
#include "tests/support/await.h"
#include "tests/support/keychecker.h"
#include "tests/support/redisserver.h"
#include "tests/support/testmain.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>

using namespace junban;
using namespace junban::test;

// Tokens over a real Redis whose scripts read a test clock.
class TestTokens : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_server.start());
        m_link = std::make_unique<redis::Link>(*redis::Address::fromUrl(m_server.url()));
        m_link->start();
        QTRY_COMPARE(m_link->state(), redis::LinkState::Up);
        QVERIFY(m_directory.isValid());
        m_pepper = std::make_shared<const Pepper>(*Pepper::ofDirectory(m_directory.path(), "test"));
    }
    void init()
    {
        command({"FLUSHALL"});
        m_clock = std::make_unique<Clock>();
        m_store = std::make_unique<redis::RedisTokens>(*m_link, "test", *m_clock, redis::ScriptClock::TestKey);
        setTime(20'000 * day_ms);
        m_tokens = master(m_pepper);
    }
    void cleanup()
    {
        m_tokens.reset();
        const QByteArray wrong = wrongKeys(*m_link, "test");
        QCOMPARE(wrong, QByteArray());
        m_store.reset();
    }

    // --- The pepper
    void aPepperIsMadeOnceForItsOwnerAlone()
    {
        QTemporaryDir directory;
        const Pepper made = *Pepper::ofDirectory(directory.path(), "test");
        const QString path = directory.filePath(QStringLiteral("pepper"));
        struct stat about = {};
        QCOMPARE(::stat(QFile::encodeName(path).constData(), &about), 0);
        QCOMPARE(int(about.st_mode & 0777), 0600);
        QCOMPARE(Pepper::ofDirectory(directory.path(), "test")->mark(), made.mark());
        QCOMPARE(Pepper::read(path, "test")->mark(), made.mark());
        QVERIFY(m_pepper->mark() != made.mark());
        QCOMPARE(QDir(directory.path()).entryList(QDir::Files), QStringList{QStringLiteral("pepper")});
    }
    void aPepperThatOthersMayReadOrThatIsShortIsRefused()
    {
        QTemporaryDir directory;
        QVERIFY(Pepper::ofDirectory(directory.path(), "test").ok());
        const QString path = directory.filePath(QStringLiteral("pepper"));
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup));
        QCOMPARE(Pepper::read(path, "test").error().field, QByteArray("pepper-file"));
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(31, 'x') + '\n');
        file.close();
        QVERIFY(Pepper::read(path, "test").error().message().contains("must hold 32"));
        QVERIFY(!Pepper::read(directory.filePath(QStringLiteral("none")), "test").ok());
    }

    // --- Records
    void aRecordIsReadWithItsPepperAndItsIdAlone()
    {
        const Token token{"abc", {.note = "note", .roles = {Role::Viewer, Role::Admin}, .expiresAt_ms = 5'000}, 1'000, "open"};
        const QByteArray record = packToken(*m_pepper, {token, m_pepper->hash("jt_x")});
        const std::optional<KeptToken> kept = unpackToken(*m_pepper, "abc", record);
        QVERIFY(kept);
        QCOMPARE(kept->hash, m_pepper->hash("jt_x"));
        QCOMPARE(kept->token.spec.roles, (QList<Role>{Role::Viewer, Role::Admin}));
        QCOMPARE(kept->token.spec.note, QByteArray("note"));
        QCOMPARE(kept->token.spec.expiresAt_ms, 5'000);
        QVERIFY(!unpackToken(*m_pepper, "abd", record));
        QVERIFY(!unpackToken(*otherPepper(), "abc", record));
        for (qsizetype at = 0; at < record.size(); ++at) {
            QByteArray changed = record;
            changed[at] = char(changed[at] ^ 1);
            QVERIFY2(!unpackToken(*m_pepper, "abc", changed), QByteArray::number(at).constData());
        }
        QVERIFY(!unpackToken(*m_pepper, "abc", {}));
    }

    void aRecordOfAnotherNamespaceIsNotRead()
    {
        const Token token{"abc", {.roles = {Role::Admin}}, 1'000, "open"};
        const QByteArray record = packToken(*m_pepper, {token, m_pepper->hash("jt_x")});
        const Pepper there = *Pepper::ofDirectory(m_directory.path(), "other");
        QVERIFY(!unpackToken(there, "abc", record));
        QVERIFY(there.hash("jt_x") != m_pepper->hash("jt_x"));
        QVERIFY(there.mark() != m_pepper->mark());
    }

    // --- Tokens in force
    void aTokenIsFoundByItsTextUntilItIsRevoked()
    {
        QVERIFY(!m_tokens->needed());
        const CreatedToken created = create({.roles = {Role::Worker}});
        QVERIFY(m_tokens->needed());
        const auto found = m_tokens->find(created.text);
        QVERIFY(found);
        QCOMPARE(found->token.id, created.token.id);
        QVERIFY(found->token.createdAt_ms >= m_now_ms - second_ms && found->token.createdAt_ms < m_now_ms + minute_ms);
        QVERIFY(!m_tokens->find(created.text.chopped(1)));
        QVERIFY(!m_tokens->find({}));
        QVERIFY(revoke(created.token.id).ok());
        QVERIFY(!m_tokens->find(created.text));
        QVERIFY(!m_tokens->needed());
        QCOMPARE(revoke(created.token.id).error().code, ErrorCode::NotFound);
    }

    void redisHoldsNeitherTheTextNorWhatItIsMadeOfAlone()
    {
        const CreatedToken created = create({.roles = {Role::Worker}});
        const QByteArray record = command({"HGET", "jq:{test}:tokens", created.token.id}).bytes();
        QVERIFY(!record.isEmpty());
        QVERIFY(!record.contains(created.text));
        QVERIFY(!record.contains(created.text.mid(3)));
        QVERIFY(!record.contains(QCryptographicHash::hash(created.text, QCryptographicHash::Sha256)));
    }

    void aTokenEndsByRedisClock()
    {
        const CreatedToken created = create({.roles = {Role::Worker}, .expiresAt_ms = m_now_ms + 10 * second_ms});
        setTime(m_now_ms + 9 * second_ms);
        look();
        QVERIFY(m_tokens->find(created.text));
        setTime(m_now_ms + 2 * second_ms); // the estimate of Redis' clock may be behind, never ahead
        look();
        QVERIFY(!m_tokens->find(created.text));
        QVERIFY(m_tokens->needed()); // or the end of the last one would let everybody in
        const TokenSpec over{.roles = {Role::Worker}, .expiresAt_ms = m_now_ms - second_ms};
        const auto late = await<CreatedToken>([&](auto done) { m_tokens->create(over, "console", done); });
        QCOMPARE(late.error().field, QByteArray("expires_at"));
    }

    void useIsNotedAtMostOnceAMinute()
    {
        const CreatedToken created = create({.roles = {Role::Worker}});
        m_tokens->start();
        QVERIFY(m_tokens->find(created.text));
        QTRY_COMPARE(lastUsed(), m_now_ms);
        const qint64 first_ms = m_now_ms;
        setTime(m_now_ms + 59 * second_ms);
        look();
        QVERIFY(m_tokens->find(created.text));
        QVERIFY(await<Done>([&](auto done) { m_store->touch({created.token.id, "nobody"}, done); }).ok());
        QCOMPARE(lastUsed(), first_ms);
        QCOMPARE(command({"HLEN", "jq:{test}:tokenuses"}).integer(), 1);
        setTime(m_now_ms + 10 * second_ms);
        look();
        QVERIFY(m_tokens->find(created.text));
        QTRY_COMPARE(lastUsed(), m_now_ms);
        QVERIFY(revoke(created.token.id).ok());
        QCOMPARE(command({"EXISTS", "jq:{test}:tokenuses"}).integer(), 0);
    }

    void anotherMasterLearnsOfAChangeByItself()
    {
        const auto other = master(m_pepper);
        other->start();
        const CreatedToken created = create({.roles = {Role::Worker}});
        QTRY_VERIFY_WITH_TIMEOUT(other->find(created.text), 5'000);
        QVERIFY(revoke(created.token.id).ok());
        QTRY_VERIFY_WITH_TIMEOUT(!other->find(created.text), 5'000);
    }

    void theOtherThreadsKnowOfAChangeBeforeItIsAnswered()
    {
        const auto circle = std::make_shared<TokenCircle>();
        const auto one = master(m_pepper, circle), other = master(m_pepper, circle); // not started: they do not look by themselves
        const auto created = await<CreatedToken>([&](auto done) { one->create({.roles = {Role::Worker}}, "console", done); });
        QVERIFY(other->needed());
        QVERIFY(other->find(created->text));
        QVERIFY(await<Done>([&](auto done) { other->revoke(created->token.id, done); }).ok());
        QVERIFY(!one->needed());
        QVERIFY(!one->find(created->text));
    }
    void aThreadThatEndsHoldsNoChangeUp()
    {
        const auto circle = std::make_shared<TokenCircle>();
        const auto one = master(m_pepper, circle);
        auto other = master(m_pepper, circle);
        bool answered = false;
        one->create({.roles = {Role::Worker}}, "console", [&](const Result<CreatedToken> &) { answered = true; });
        other.reset();
        QTRY_VERIFY(answered);
    }

    void tokensThatRedisLosesLetNobodyIn()
    {
        const auto other = master(m_pepper);
        const CreatedToken created = create({.roles = {Role::Admin}});
        const auto lookOf = [](Tokens &tokens) { (void)await<TokenList>([&](auto done) { tokens.list(done); }); };
        lookOf(*other);
        QVERIFY(revoke(created.token.id).ok());
        lookOf(*other);
        QVERIFY(!m_tokens->needed() && !other->needed()); // the end of the last one is no loss
        setTime(m_now_ms + minute_ms);
        create({.roles = {Role::Admin}});
        lookOf(*other);
        command({"FLUSHALL"});
        setTime(m_now_ms); // the test clock is in Redis, too
        for (Tokens *tokens : {m_tokens.get(), other.get()}) {
            lookOf(*tokens);
            QVERIFY(tokens->needed() && tokens->lost());
        }
        QVERIFY(!master(m_pepper)->needed()); // a master that starts knows of none
        // A state of before, in which a token had been revoked as well.
        command({"HSET", "jq:{test}:access", "version", QByteArray::number(m_now_ms - minute_ms) + " -" + created.token.id});
        lookOf(*m_tokens);
        QVERIFY(m_tokens->lost());
        const CreatedToken again = create({.roles = {Role::Admin}});
        QVERIFY(m_tokens->needed() && !m_tokens->lost());
        QVERIFY(m_tokens->find(again.text));
    }

    void theFirstTokenIsAnAdminsForAllJobs()
    {
        const auto made = [this](const TokenSpec &spec) {
            return await<CreatedToken>([&](auto done) { m_tokens->create(spec, openCaller, done); });
        };
        QCOMPARE(made({.roles = {Role::Worker}}).error().field, QByteArray("roles"));
        QCOMPARE(made({.roles = {Role::Admin}, .names = {"a"}}).error().field, QByteArray("names"));
        QCOMPARE(made({.roles = {Role::Admin}, .match = "job.priority > 5"}).error().field, QByteArray("match"));
        QVERIFY(!m_tokens->needed());
        QVERIFY(made({.roles = {Role::Viewer, Role::Admin}}).ok());
    }

    void withoutRedisTheLastKnownTokensGoOn()
    {
        RedisServer server;
        QVERIFY(server.start());
        redis::Link link(*redis::Address::fromUrl(server.url()));
        link.start();
        QTRY_COMPARE(link.state(), redis::LinkState::Up);
        redis::RedisTokens store(link, "test", *m_clock, redis::ScriptClock::Redis);
        Tokens tokens(store, *m_clock, m_pepper, {"0"}, std::make_shared<TokenCircle>());
        const auto created = await<CreatedToken>([&](auto done) { tokens.create({.roles = {Role::Worker}}, "console", done); });
        QVERIFY(created.ok());
        tokens.start();
        server.kill9();
        QTest::qWait(2 * limits::tokens_look_ms);
        QVERIFY(tokens.find(created->text));
        QVERIFY(tokens.needed());
    }

    void anotherPepperKnowsNoTokenAndMakesNone()
    {
        const CreatedToken created = create({.roles = {Role::Worker}});
        const auto other = master(otherPepper());
        QVERIFY(other->needed());
        QVERIFY(!other->find(created.text));
        const auto refused = await<CreatedToken>([&](auto done) { other->create({.roles = {Role::Worker}}, "console", done); });
        QCOMPARE(refused.error().code, ErrorCode::Conflict);
        QVERIFY(refused.error().message().contains("another pepper"));
        const TokenList shown = await<TokenList>([&](auto done) { other->list(done); }).value();
        QCOMPARE(shown.tokens.size(), 1);
        QCOMPARE(shown.tokens.first().id, created.token.id);
        QVERIFY(shown.tokens.first().spec.roles.isEmpty());
        // It can clear the way, and begin with its own.
        QVERIFY(await<Done>([&](auto done) { other->revoke(created.token.id, done); }).ok());
        QVERIFY(await<CreatedToken>([&](auto done) { other->create({.roles = {Role::Worker}}, "console", done); }).ok());
    }

    void thereAreAtMostSoMany()
    {
        QList<QByteArray> words{"HSET", "jq:{test}:tokens"};
        for (int i = 0; i < limits::tokens_max; ++i)
            words << "t" + QByteArray::number(i) << "record";
        command(words);
        command({"HSET", "jq:{test}:access", "version", "planted", "pepper", m_pepper->mark()});
        const auto refused = await<CreatedToken>([&](auto done) { m_tokens->create({.roles = {Role::Worker}}, "console", done); });
        QCOMPARE(refused.error().code, ErrorCode::Conflict);
        QVERIFY(revoke("t0").ok());
        QVERIFY(await<CreatedToken>([&](auto done) { m_tokens->create({.roles = {Role::Worker}}, "console", done); }).ok());
    }

    // --- Scopes
    void aScopeHasTheNamesOfItsPatterns()
    {
        QVERIFY(scope({}).isAll());
        QVERIFY(scope({.names = {"*"}}).isAll());
        const Scope some = scope({.names = {"mail.*", "sum", "a"}});
        QVERIFY(!some.isAll() && !some.needsJob());
        for (const char *inside : {"mail.", "mail.x", "sum", "a"})
            QVERIFY2(!outside(some, inside), inside);
        for (const char *other : {"mail", "mailx", "summ", "su", "A", "x.mail."})
            QCOMPARE(outside(some, other), QByteArray("name"));
        QCOMPARE(Scope::of({.names = {"a", "b*c"}}).error().field, QByteArray("names[1]"));
        QCOMPARE(Scope::of({.names = {"**"}}).error().field, QByteArray("names[0]"));
    }
    void aScopeAsksTheJobAndNothingThatChanges()
    {
        const Scope some = scope({.match = "job.priority > 5"});
        QVERIFY(!some.isAll() && some.needsJob());
        JobSpec job;
        job.name = "n";
        cel::Evaluation evaluation;
        QCOMPARE(some.outside(job, evaluation), QByteArray(""));
        job.priority = 6;
        QVERIFY(some.has(job, evaluation));
        QVERIFY(!scope({.match = "job.argument.x == 1"}).has(job, evaluation)); // an error is not true
        for (const char *wrong : {"job.state == 'ready'", "1", "1 +"})
            QCOMPARE(Scope::of({.match = wrong}).error().field, QByteArray("match"));
    }
    void aTokenWithAScopeThatMakesNoSenseIsNotMade()
    {
        const auto refused = await<CreatedToken>(
            [&](auto done) { m_tokens->create({.roles = {Role::Pusher}, .names = {"a*b"}}, "console", done); });
        QCOMPARE(refused.error().field, QByteArray("names[0]"));
        const CreatedToken created = create({.roles = {Role::Pusher}, .names = {"a*"}, .match = "job.priority > 5"});
        const auto grant = m_tokens->find(created.text);
        QVERIFY(grant);
        QCOMPARE(outside(grant->scope, "b"), QByteArray("name"));
        QCOMPARE(outside(grant->scope, "a"), QByteArray(""));
    }

private:
    static Scope scope(const TokenSpec &spec) { return Scope::of(spec).value(); }
    static std::optional<QByteArray> outside(const Scope &scope, const char *name)
    {
        JobSpec job;
        job.name = name;
        cel::Evaluation evaluation;
        return scope.outside(job, evaluation);
    }
    redis::Reply command(const QList<QByteArray> &words)
    {
        return await<redis::Reply>([&](auto done) { m_link->command(words, done); }).value();
    }
    void setTime(qint64 at_ms)
    {
        m_now_ms = at_ms;
        command({"SET", "jq:{test}:testclock", QByteArray::number(at_ms)});
        m_clock->learn(at_ms, Clock::monotonic_ms());
    }
    // A reply of Redis teaches the clock.
    void look() { (void)await<TokenList>([&](auto done) { m_tokens->list(done); }); }
    std::unique_ptr<Tokens> master(std::shared_ptr<const Pepper> pepper, std::shared_ptr<TokenCircle> circle = {})
    {
        const TokenStore::All all = await<TokenStore::All>([&](auto done) { m_store->list({}, done); }).value();
        if (!circle)
            circle = std::make_shared<TokenCircle>();
        return std::make_unique<Tokens>(*m_store, *m_clock, std::move(pepper), all, std::move(circle));
    }
    std::shared_ptr<const Pepper> otherPepper()
    {
        QTemporaryDir directory;
        return std::make_shared<const Pepper>(*Pepper::ofDirectory(directory.path(), "test"));
    }
    CreatedToken create(const TokenSpec &spec)
    {
        return await<CreatedToken>([&](auto done) { m_tokens->create(spec, "console", done); }).value();
    }
    Result<Done> revoke(const QByteArray &id)
    {
        return await<Done>([&](auto done) { m_tokens->revoke(id, done); });
    }
    qint64 lastUsed()
    {
        return await<TokenList>([&](auto done) { m_tokens->list(done); }).value().tokens.first().lastUsedAt_ms;
    }

    RedisServer m_server;
    QTemporaryDir m_directory;
    std::unique_ptr<redis::Link> m_link;
    std::unique_ptr<Clock> m_clock;
    std::unique_ptr<redis::RedisTokens> m_store;
    std::shared_ptr<const Pepper> m_pepper;
    std::unique_ptr<Tokens> m_tokens;
    qint64 m_now_ms = 0;
};

JUNBAN_TEST(TestTokens)
#include "test_tokens.moc"
