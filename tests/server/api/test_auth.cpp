#include "core/base/reasonwording.h"
#include "core/limits.h"
#include "server/api/auth.h"
#include "server/api/sessioncookie.h"
#include "tests/support/await.h"
#include "tests/support/later.h"
#include "tests/support/testmain.h"

#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace junban;
using namespace junban::test;
using api::Auth;
using api::Caller;

namespace {

const QHostAddress here(QLatin1String("127.0.0.1")), proxied(QLatin1String("::ffff:127.0.0.1")), away(QLatin1String("192.0.2.7"));

// Tokens in memory.
class PlainTokens : public TokenStore
{
public:
    void list(QByteArray, Callback<All> callback) override { later<All>(callback, all); }
    void save(Save save, Callback<Done> callback) override
    {
        all.version += '+';
        all.changedAt_ms = ++changes;
        all.revoked = false;
        all.pepper = save.pepper;
        all.rows.append({save.id, save.record, 0});
        later<Done>(callback, Done{});
    }
    void remove(QByteArray, Callback<Done> callback) override
    {
        all.version += '-';
        all.changedAt_ms = ++changes;
        all.revoked = true;
        all.rows.clear();
        later<Done>(callback, Done{});
    }
    void touch(QList<QByteArray>, Callback<Done> callback) override { later<Done>(callback, Done{}); }
    All all{"0"};
    int changes = 0;
};

// Sessions in memory.
class PlainSessions : public SessionStore
{
public:
    void get(QByteArray key, Callback<Row> callback) override
    {
        ++reads;
        if (away)
            later<Row>(callback, Error{ErrorCode::StoreUnavailable, {}});
        else
            later<Row>(callback, rows.value(key, Row{key, {}}));
    }
    void list(Callback<QList<Row>> callback) override { later<QList<Row>>(callback, rows.values()); }
    void save(Row row, Callback<Done> callback) override
    {
        rows.insert(row.key, row);
        later<Done>(callback, Done{});
    }
    void touch(QByteArray key, qint64 at_ms, Callback<Done> callback) override
    {
        if (const auto found = rows.find(key); found != rows.end())
            found->usedAt_ms = at_ms;
        later<Done>(callback, Done{});
    }
    void remove(QList<QByteArray> keys, Callback<Done> callback) override
    {
        for (const QByteArray &key : keys)
            rows.remove(key);
        later<Done>(callback, Done{});
    }
    QHash<QByteArray, Row> rows;
    int reads = 0;
    bool away = false;
};

api::Route route(const QList<QByteArray> &roles, const QByteArray &method = "GET")
{
    api::Route made;
    made.method = method;
    made.roles = roles;
    return made;
}

http::Request from(const QHostAddress &peer, const QByteArray &authorization = {})
{
    http::Request made;
    made.method = "GET";
    made.peer.address = peer;
    if (!authorization.isEmpty())
        made.fields.append({"authorization", authorization});
    return made;
}

// Over a unix socket.
http::Request over(quint32 user)
{
    http::Request made = from({});
    made.peer.user = user;
    return made;
}

} // namespace

// Who may call what.
class TestAuth : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_directory.isValid());
        m_pepper = std::make_shared<const Pepper>(*Pepper::ofDirectory(m_directory.path(), "test"));
    }
    void init()
    {
        m_store = std::make_unique<PlainTokens>();
        m_tokens = std::make_unique<Tokens>(*m_store, m_clock, m_pepper, m_store->all, std::make_shared<TokenCircle>());
        m_options = {"jt_console"};
        m_keptSessions = std::make_unique<PlainSessions>();
        m_sessions = sessions();
    }

    void withoutATokenThisMachineHoldsEveryRoleAndOthersNone()
    {
        QCOMPARE(status(from(here), route({"admin"})), 0);
        QCOMPARE(m_caller.who, QByteArray("open"));
        QCOMPARE(m_caller.actor(), QByteArray("loopback"));
        QCOMPARE(status(from(proxied), route({"admin"})), 0);
        QCOMPARE(status(from(away), route({"viewer"})), 401);
        QCOMPARE(status(from(here, "Bearer jt_wrong"), route({"viewer"})), 401);
    }
    void withATokenEverybodyNeedsOne()
    {
        const QByteArray text = make({Role::Viewer});
        QCOMPARE(status(from(here), route({"viewer"})), 401);
        QCOMPARE(status(from(here, "Bearer " + text), route({"viewer"})), 0);
        QCOMPARE(status(from(away, "Bearer " + text), route({"viewer"})), 0);
        QCOMPARE(status(from(away, "bearer  " + text + ' '), route({"viewer"})), 0);
        const QList<QByteArray> others{"Basic " + text, text, "Bearer", "Bearer ", "Bearer " + text + 'x'};
        for (const QByteArray &wrong : others)
            QCOMPARE(status(from(here, wrong), route({"viewer"})), 401);
        QVERIFY(await<Done>([&](auto done) { m_tokens->revoke({}, done); }).ok());
        QCOMPARE(status(from(here), route({"viewer"})), 0);
    }
    void theConsoleHoldsEveryRoleAndDoesNotCount()
    {
        QCOMPARE(status(from(here, "Bearer jt_console"), route({"worker"})), 0);
        QCOMPARE(m_caller.who, QByteArray("console"));
        QCOMPARE(status(from(here), route({"admin"})), 0);
        make({Role::Viewer});
        QCOMPARE(status(from(here, "Bearer jt_console"), route({"admin"})), 0);
        m_options.consoleToken.clear();
        QCOMPARE(status(from(here, "Bearer "), route({"admin"})), 401);
    }
    void insecureServesOthersUntilThereIsAToken()
    {
        m_options.insecure = true;
        QCOMPARE(status(from(away), route({"admin"})), 0);
        make({Role::Viewer});
        QCOMPARE(status(from(away), route({"viewer"})), 401);
    }
    void tokensThatAreLostLetNobodyIn()
    {
        make({Role::Admin});
        m_store->all = {"0"};
        (void)await<TokenList>([&](auto done) { m_tokens->list(done); });
        QCOMPARE(status(from(here), route({"viewer"})), 401);
        QVERIFY(m_refusal.reason.text.contains("lost"));
        m_options.insecure = true;
        QCOMPARE(status(from(here), route({"viewer"})), 401);
        QCOMPARE(status(from(here, "Bearer jt_console"), route({"viewer"})), 0);
    }
    void whatNeedsNoRoleIsOpen()
    {
        make({Role::Viewer});
        QCOMPARE(status(from(away), route({})), 0);
    }
    void aUnixSocketIsAsLoopback()
    {
        m_options.owner = 1'000;
        QCOMPARE(status(over(1'000), route({"admin"})), 0);
        QCOMPARE(m_caller.who, QByteArray(openCaller));
        QCOMPARE(status(over(1'001), route({"admin"})), 0); // who could open it may use it
        const QByteArray text = make({Role::Admin});
        QCOMPARE(status(over(1'000), route({"viewer"})), 401);
        QCOMPARE(status(over(0), route({"viewer"})), 401);
        http::Request known = over(1'001);
        known.fields.append({"authorization", "Bearer " + text});
        QCOMPARE(status(known, route({"admin"})), 0);
    }
    void theOwnerOfAUnixSocketCanMakeATokenWhenAllAreLost()
    {
        m_options.owner = 1'000;
        make({Role::Admin});
        m_store->all = {"0"};
        (void)await<TokenList>([&](auto done) { m_tokens->list(done); });
        QCOMPARE(status(over(1'001), route({"admin"})), 401);
        QCOMPARE(status(over(1'000), route({"admin"})), 0);
        QCOMPARE(m_caller.who, QByteArray(openCaller));
        QCOMPARE(status(over(0), route({"admin"})), 0);
        http::Request forwarded = over(1'000);
        forwarded.fields.append(qMakePair(QByteArray("x-forwarded-for"), QByteArray("127.0.0.1")));
        QCOMPARE(status(forwarded, route({"admin"})), 401);
    }

    // --- Proxies
    void whatAProxyPassesOnNeedsATokenFromTheStart()
    {
        for (const char *name : {"x-forwarded-for", "forwarded"}) {
            http::Request forwarded = from(here);
            forwarded.fields.append(qMakePair(QByteArray(name), QByteArray("127.0.0.1")));
            QCOMPARE(status(forwarded, route({"viewer"})), 401);
            m_options.reach->change({.proxies = *api::Proxies::of({QStringLiteral("127.0.0.1")})});
            QCOMPARE(status(forwarded, route({"viewer"})), 401);
            m_options.insecure = true;
            QCOMPARE(status(forwarded, route({"viewer"})), 0);
            m_options = {};
        }
    }
    void theClientIsTheLastAddressBeforeTrustedProxies_data()
    {
        QTest::addColumn<QString>("peer");
        QTest::addColumn<QByteArray>("forwarded");
        QTest::addColumn<QString>("client");
        const auto row = [](const char *peer, const char *forwarded, const char *client) {
            QTest::addRow("%s %s", peer, forwarded) << QString::fromLatin1(peer) << QByteArray(forwarded) << QString::fromLatin1(client);
        };
        row("192.0.2.7", "198.51.100.1", "192.0.2.7"); // not believed
        row("127.0.0.1", "198.51.100.1", "198.51.100.1");
        row("::ffff:127.0.0.1", "198.51.100.1:4711", "198.51.100.1");
        row("127.0.0.1", "203.0.113.9, 198.51.100.1", "198.51.100.1"); // the first may be invented
        row("127.0.0.1", "203.0.113.9, 198.51.100.1, 10.1.2.3", "198.51.100.1");
        row("127.0.0.1", "10.1.2.3, 10.1.2.4", "10.1.2.3");
        row("127.0.0.1", "[2001:db8::1]:80", "2001:db8::1");
        row("127.0.0.1", "2001:db8::1", "2001:db8::1");
        row("127.0.0.1", "198.51.100.1, unknown", "127.0.0.1");
        row("127.0.0.1", "198.51.100.1, nobody, 10.1.2.3", "10.1.2.3");
        row("127.0.0.1", "", "127.0.0.1");
        row("fd00::5", "198.51.100.1", "198.51.100.1");
        row("", "198.51.100.1", ""); // over a unix socket
    }
    void theClientIsTheLastAddressBeforeTrustedProxies()
    {
        QFETCH(QString, peer);
        QFETCH(QByteArray, forwarded);
        QFETCH(QString, client);
        const QStringList trusted{QStringLiteral("127.0.0.1"), QStringLiteral("10.0.0.0/8"), QStringLiteral("fd00::/8")};
        const api::Proxies proxies = *api::Proxies::of(trusted);
        http::Request asked = peer.isEmpty() ? over(33) : from(QHostAddress(peer));
        for (const QByteArray &part : forwarded.split(','))
            asked.fields.append(qMakePair(QByteArray("x-forwarded-for"), part));
        QCOMPARE(proxies.clientOf(asked), QHostAddress(client));
        if (peer.isEmpty())
            QCOMPARE(api::Proxies::of({QStringLiteral("unix")})->clientOf(asked), QHostAddress(QStringLiteral("198.51.100.1")));
    }
    void onlyAddressesNetworksAndUnixAreProxies()
    {
        for (const char *wrong : {"", "proxy.example", "10.0.0.0/33", "10.0.0.0/x", "/8", "unix:/x"})
            QCOMPARE(api::Proxies::of({QString::fromLatin1(wrong)}).error().field, QByteArray("trusted-proxy"));
    }
    void failuresAreTheClientsBehindATrustedProxy()
    {
        m_options.reach->change({.proxies = *api::Proxies::of({QStringLiteral("127.0.0.1")})});
        const auto failed = [this](const char *client) {
            http::Request asked = from(here, "Bearer jt_wrong");
            asked.fields.append(qMakePair(QByteArray("x-forwarded-for"), QByteArray(client)));
            return status(asked, route({"viewer"}));
        };
        for (int i = 0; i < limits::failed_logins_max; ++i)
            QCOMPARE(failed("198.51.100.1"), 401);
        QCOMPARE(failed("198.51.100.1"), 429);
        QCOMPARE(failed("198.51.100.2"), 401);
        QCOMPARE(m_caller.address, QHostAddress(QStringLiteral("198.51.100.2")));
    }

    void aMissingRoleIsNamed()
    {
        const QByteArray text = make({Role::Pusher, Role::Viewer});
        QCOMPARE(status(from(here, "Bearer " + text), route({"pusher", "operator"})), 0);
        QCOMPARE(status(from(here, "Bearer " + text), route({"operator"})), 403);
        QCOMPARE(m_refusal.reason.text, QByteArray("This needs the role \"operator\" or \"admin\"."));
        QCOMPARE(status(from(here, "Bearer " + text), route({"worker"})), 403);
        QCOMPARE(m_refusal.reason.text, QByteArray("This needs the role \"worker\"."));
    }
    void anAdminMayWhatAnOperatorMayAndNoWorkersWork()
    {
        const QByteArray text = make({Role::Admin});
        QCOMPARE(status(from(here, "Bearer " + text), route({"pusher", "operator"})), 0);
        QCOMPARE(status(from(here, "Bearer " + text), route({"admin"})), 0);
        QCOMPARE(status(from(here, "Bearer " + text), route({"worker"})), 403);
    }
    void aScopedTokenMayCallWhatKeepsToItsJobsAlone()
    {
        const QByteArray text = make({Role::Operator, Role::Admin}, {"mail.*"});
        api::Route list = route({"viewer", "operator"});
        QCOMPARE(status(from(here, "Bearer " + text), list), 403);
        QVERIFY(m_refusal.reason.text.contains("'names'"));
        list.scoped = true;
        QCOMPARE(status(from(here, "Bearer " + text), list), 0);
        QVERIFY(m_caller.isScoped());
        QCOMPARE(status(from(here, "Bearer " + make({Role::Operator}, {"*"})), route({"operator"})), 0);
        QVERIFY(!m_caller.isScoped());
    }
    void whoFailsTooOftenIsToldToWait()
    {
        const QByteArray text = make({Role::Viewer});
        for (int i = 0; i < limits::failed_logins_max; ++i)
            QCOMPARE(status(from(away, "Bearer jt_wrong"), route({"viewer"})), 401);
        QCOMPARE(status(from(away, "Bearer jt_wrong"), route({"viewer"})), 429);
        QCOMPARE(m_refusal.fields.first().first, QByteArray("Retry-After"));
        QCOMPARE(status(from(here, "Bearer jt_wrong"), route({"viewer"})), 401);
        QCOMPARE(status(from(away, "Bearer " + text), route({"viewer"})), 0);
        QCOMPARE(status(from(away), route({"viewer"})), 401); // no attempt at all
    }

    void onlyOurNamesAreServed()
    {
        m_options.reach->change({.hosts = {"queue.example"}});
        const Auth auth(m_options, *m_tokens, *m_sessions);
        for (const char *ours : {"localhost", "LOCALHOST:80", "127.0.0.1:1", "[::1]:7411", "queue.example", "Queue.Example:443"})
            QVERIFY2(auth.knowsHost(ours), ours);
        for (const char *foreign : {"", "localhost.", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "a@localhost",
                 "queue.example.evil"})
            QVERIFY2(!auth.knowsHost(foreign), foreign);
    }

    void pagesOfOtherSitesMayChangeNothing_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<bool>("allowed");
        const auto row = [](const char *name, const char *value, bool allowed) {
            QTest::addRow("%s: %s", name, value) << QByteArray(name) << QByteArray(value) << allowed;
        };
        row("sec-fetch-site", "cross-site", false);
        row("sec-fetch-site", "same-site", false);
        row("sec-fetch-site", "same-origin", true);
        row("sec-fetch-site", "none", true);
        row("origin", "http://localhost:7411", true);
        row("origin", "https://evil.example", false);
        row("origin", "http://localhost:7412", false);
        row("origin", "http://evil.localhost:7411", false);
        row("origin", "null", false);
    }
    void pagesOfOtherSitesMayChangeNothing()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        QFETCH(bool, allowed);
        http::Request asked = from(here);
        asked.method = "POST";
        asked.fields = {{"host", "localhost:7411"}, {name, value}};
        QCOMPARE(status(asked, route({"pusher"})), allowed ? 0 : 403);
    }

    // --- Sessions
    void aSessionMayWhatItsTokenMayAsAPerson()
    {
        const QByteArray text = open({Role::Operator, Role::Worker, Role::Pusher});
        QCOMPARE(status(with(text), route({"viewer"})), 403);
        QCOMPARE(status(with(text), route({"operator"})), 0);
        QCOMPARE(m_caller.who, m_token.id);
        QVERIFY(!m_caller.session.isEmpty());
        for (const char *programs : {"worker", "pusher"}) {
            QCOMPARE(status(with(text), route({programs})), 403);
            QCOMPARE(status(from(here, "Bearer " + m_text), route({programs})), 0);
        }
        QCOMPARE(status(with(text), route({"pusher", "operator"})), 0);
    }
    void programsDoNotSignIn()
    {
        make({Role::Admin});
        const QByteArray worker = make({Role::Worker, Role::Pusher});
        const Auth auth(m_options, *m_tokens, *m_sessions);
        Caller caller;
        QCOMPARE(auth.signIn(worker, caller)->reason.name, QByteArray("session_role_needed"));
        caller = {};
        for (int i = 0; i < limits::failed_logins_max; ++i)
            QCOMPARE(auth.signIn("jt_wrong", caller)->reason.name, QByteArray("token_unknown"));
        QCOMPARE(auth.signIn("jt_wrong", caller)->reason.name, QByteArray("token_guesses_too_many"));
    }
    void aSessionEndsWithItsToken()
    {
        const QByteArray text = open({Role::Viewer});
        QCOMPARE(status(with(text), route({"viewer"})), 0);
        const QByteArray key = m_caller.session;
        QVERIFY(m_sessions->isInForce(key));
        m_store->all.rows.removeFirst();
        m_store->all.version += '*';
        (void)await<TokenList>([&](auto done) { m_tokens->list(done); });
        make({Role::Admin});
        QCOMPARE(status(with(text), route({"viewer"})), 401);
        QCOMPARE(m_refusal.reason.name, QByteArray("session_ended"));
        QVERIFY(!m_sessions->isInForce(key));
    }
    void aSessionEndsWhenItIsClosedHereOrElsewhere()
    {
        const QByteArray text = open({Role::Viewer});
        const std::unique_ptr<Sessions> elsewhere = sessions(std::make_shared<KnownSessions>());
        QVERIFY(!elsewhere->isFresh(text));
        QVERIFY(await<Done>([&](auto done) { elsewhere->look(text, done); }).ok());
        QVERIFY(elsewhere->find(text));
        QVERIFY(await<Done>([&](auto done) { elsewhere->close(text, done); }).ok());
        QVERIFY(!elsewhere->find(text));
        QVERIFY(await<Done>([&](auto done) { m_sessions->look(text, done); }).ok());
        QCOMPARE(status(with(text), route({"viewer"})), 401);
    }
    void everywhereEndsTheSessionsOfOneTokenAndNoOthers()
    {
        const QByteArray mine = open({Role::Viewer});
        const QByteArray again = await<Sessions::Opened>([&](auto done) { m_sessions->open(m_token, done); })->text;
        const QByteArray id = m_token.id, theirs = open({Role::Viewer});
        QVERIFY(await<Done>([&](auto done) { m_sessions->closeAllOf(id, done); }).ok());
        QVERIFY(!m_sessions->find(mine) && !m_sessions->find(again));
        QVERIFY(m_sessions->find(theirs));
        QCOMPARE(m_keptSessions->rows.size(), 1);
    }
    void aSessionEndsWhenItIsNotUsedAndAtItsEnd()
    {
        const QByteArray text = open({Role::Viewer});
        const QByteArray key = sessionKey(*m_pepper, text);
        const qint64 now_ms = m_clock.now_ms(), idle_ms = SessionTimes{}.idle_ms;
        const auto isThere = [&](qint64 created_ms, qint64 ends_ms, qint64 used_ms) {
            m_keptSessions->rows[key] = {key, packSession(*m_pepper, key, {m_token.id, created_ms, ends_ms}), used_ms};
            const std::unique_ptr<Sessions> other = sessions(std::make_shared<KnownSessions>());
            (void)await<Done>([&](auto done) { other->look(text, done); });
            return other->find(text).has_value();
        };
        QVERIFY(isThere(now_ms - idle_ms / 2, now_ms + idle_ms, 0));
        QVERIFY(m_keptSessions->rows[key].usedAt_ms >= now_ms); // by that look
        QVERIFY(!isThere(now_ms - idle_ms, now_ms + idle_ms, 0));
        QVERIFY(isThere(now_ms - 2 * idle_ms, now_ms + idle_ms, now_ms - idle_ms / 2));
        QVERIFY(!isThere(now_ms - 2 * idle_ms, now_ms - 1, now_ms));
        // The next one who signs in sweeps what is over.
        (void)open({Role::Viewer});
        QTRY_VERIFY(!m_keptSessions->rows.contains(key));
    }
    void nobodyMakesOrStretchesASessionInRedis()
    {
        const QByteArray text = open({Role::Viewer}), key = sessionKey(*m_pepper, text);
        const QByteArray record = m_keptSessions->rows[key].record;
        const QByteArray other = sessionKey(*m_pepper, makeSessionText());
        QByteArray longer = record;
        longer[longer.size() - 1] = longer.back() == '9' ? '8' : '9';
        QVERIFY(unpackSession(*m_pepper, key, record));
        QVERIFY(!unpackSession(*m_pepper, key, longer));
        QVERIFY(!unpackSession(*m_pepper, other, record));
        QVERIFY(!unpackSession(*m_pepper, key, {}));
    }
    void whileRedisIsAwayTheKnownOnesGoOn()
    {
        const QByteArray text = open({Role::Viewer});
        m_keptSessions->away = true;
        QVERIFY(await<Done>([&](auto done) { m_sessions->look(text, done); }).ok());
        QVERIFY(m_sessions->find(text));
        QVERIFY(!await<Done>([&](auto done) { m_sessions->look(makeSessionText(), done); }).ok());
    }
    void oneTokenHasSoManySessionsAndNoMore()
    {
        const QByteArray first = open({Role::Viewer});
        QByteArray last;
        for (int i = 0; i < limits::sessions_of_token_max; ++i)
            last = await<Sessions::Opened>([&](auto done) { m_sessions->open(m_token, done); })->text;
        QTRY_COMPARE(m_keptSessions->rows.size(), limits::sessions_of_token_max);
        QVERIFY(m_keptSessions->rows.contains(sessionKey(*m_pepper, last)));
    }
    void onlyPagesOfThisMasterUseASession_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<int>("expected");
        const auto row = [](const char *method, const char *name, const char *value, int expected) {
            QTest::addRow("%s %s: %s", method, name, value) << QByteArray(method) << QByteArray(name) << QByteArray(value) << expected;
        };
        for (const char *changing : {"POST", "PUT", "DELETE"}) {
            row(changing, "accept", "*/*", 403); // neither field
            row(changing, "origin", "http://localhost:7411", 0);
            row(changing, "origin", "http://localhost:7412", 403);
            row(changing, "origin", "null", 403);
            row(changing, "sec-fetch-site", "same-origin", 0);
            row(changing, "sec-fetch-site", "same-site", 403);
        }
        row("GET", "accept", "*/*", 0);
        row("GET", "sec-fetch-site", "same-origin", 0);
        row("GET", "sec-fetch-site", "none", 0);
        row("GET", "sec-fetch-site", "same-site", 401); // as without a session
        row("GET", "sec-fetch-site", "cross-site", 401);
    }
    void onlyPagesOfThisMasterUseASession()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        QFETCH(int, expected);
        http::Request asked = with(open({Role::Operator}));
        asked.method = method;
        asked.fields.emplaceBack("host", "localhost:7411");
        asked.fields.append({name, value});
        QCOMPARE(status(asked, route({"operator"}, method)), expected);
        if (name != "accept" || method != "GET")
            return;
        api::Route socket = route({"operator"});
        socket.isSocket = true; // any page may read what it says
        QCOMPARE(status(asked, socket), 403);
        asked.fields.emplaceBack("origin", "http://localhost:7411");
        QCOMPARE(status(asked, socket), 0);
    }
    void aCookieThatWasSetOverTlsIsTheOnlyOneThere()
    {
        namespace cookie = api::sessioncookie;
        http::Request plain = from(here), secure = from(here), behind = from(here);
        secure.secure = true;
        behind.fields.emplaceBack("origin", "https://queue.example");
        QCOMPARE(cookie::setting(plain, "mark", "js_1", 60).first().second,
            QByteArray("junban-mark=js_1; Path=/; Max-Age=60; HttpOnly; SameSite=Strict"));
        for (const http::Request &overTls : {secure, behind}) {
            const QByteArray set = cookie::setting(overTls, "mark", "js_1", 60).first().second;
            QVERIFY(set.startsWith("__Host-junban-mark=js_1; Path=/;") && set.endsWith("; Secure"));
            http::Request asked = overTls;
            asked.fields.emplaceBack("cookie", "a=b; junban-mark=js_2");
            QVERIFY(!cookie::in(asked, "mark"));
            asked.fields.last().second += "; __Host-junban-mark=js_3";
            QCOMPARE(cookie::in(asked, "mark").value_or(QByteArray()), QByteArray("js_3"));
        }
        plain.fields.emplaceBack("cookie", "junban-other=js_1;junban-mark=js_2");
        QCOMPARE(cookie::in(plain, "mark").value_or(QByteArray()), QByteArray("js_2"));
        QVERIFY(!cookie::in(plain, "third"));
        QVERIFY(!cookie::in(plain, {}));
        QCOMPARE(cookie::clearing(plain, "mark").size(), 1);
    }
    void namespacesAndPeppersHaveCookiesOfTheirOwn()
    {
        QTemporaryDir directory;
        const auto markOf = [&](const QString &path, const QByteArray &name) {
            const auto pepper = std::make_shared<const Pepper>(*Pepper::ofDirectory(path, name));
            return Sessions(*m_keptSessions, *m_tokens, m_clock, pepper, {}, std::make_shared<KnownSessions>()).mark();
        };
        const QString here = m_directory.path();
        const QSet<QByteArray> marks{markOf(here, "test"), markOf(here, "other"), markOf(directory.path(), "test")};
        QCOMPARE(marks.size(), 3);
        QVERIFY(marks.contains(m_sessions->mark()));
    }
    void anUnknownSessionLetsThisMachineInWhileThereIsNoToken()
    {
        QCOMPARE(status(with(makeSessionText()), route({"admin"})), 0);
        QCOMPARE(m_caller.actor(), QByteArray("loopback"));
        make({Role::Admin});
        QCOMPARE(status(with(makeSessionText()), route({"admin"})), 401);
        QCOMPARE(status(with("x"), route({"admin"})), 401);
    }

    // --- What is counted of failures
    void failuresAreForgottenAfterAMinute()
    {
        api::FailedLogins failed;
        for (int i = 0; i < limits::failed_logins_max; ++i)
            QCOMPARE(failed.add(away, 1'000), 0);
        QCOMPARE(failed.add(away, 31'000), 30'000);
        QCOMPARE(failed.add(away, 1'000 + limits::failed_logins_s * 1'000), 0);
    }
    void aNetworkOfIpv6IsOneCaller()
    {
        api::FailedLogins failed;
        for (int i = 0; i < limits::failed_logins_max; ++i)
            QCOMPARE(failed.add(QHostAddress(QStringLiteral("2001:db8::%1").arg(i + 1)), 0), 0);
        QVERIFY(failed.add(QHostAddress(QStringLiteral("2001:db8::ffff")), 0) > 0);
        QCOMPARE(failed.add(QHostAddress(QStringLiteral("2001:db8:0:1::1")), 0), 0);
    }
    void theTableIsBounded()
    {
        api::FailedLogins failed;
        for (int i = 0; i < limits::failed_addresses_max; ++i)
            QCOMPARE(failed.add(QHostAddress(quint32(i)), 0), 0);
        QVERIFY(failed.add(away, 0) > 0);
        QCOMPARE(failed.add(QHostAddress(quint32(5)), 0), 0);
    }

private:
    std::unique_ptr<Sessions> sessions(std::shared_ptr<KnownSessions> known = {})
    {
        return std::make_unique<Sessions>(*m_keptSessions, *m_tokens, m_clock, m_pepper, SessionTimes{},
            known ? known : std::make_shared<KnownSessions>());
    }
    // The session of a new token, which is m_token with the text m_text.
    QByteArray open(const QList<Role> &roles)
    {
        const Result<CreatedToken> made = await<CreatedToken>([&](auto done) { m_tokens->create({.roles = roles}, "console", done); });
        m_token = made->token;
        m_text = made->text;
        return await<Sessions::Opened>([&](auto done) { m_sessions->open(m_token, done); })->text;
    }
    http::Request with(const QByteArray &session) const
    {
        http::Request made = from(here);
        made.fields.append({"cookie", "junban-" + m_sessions->mark() + '=' + session});
        return made;
    }
    QByteArray make(const QList<Role> &roles, const QList<QByteArray> &names = {})
    {
        return await<CreatedToken>([&](auto done) { m_tokens->create({.roles = roles, .names = names}, "console", done); })->text;
    }
    // 0: the call may go on.
    int status(const http::Request &asked, const api::Route &route)
    {
        m_caller = {};
        const auto refusal = Auth(m_options, *m_tokens, *m_sessions).check(asked, route, m_caller);
        m_refusal = refusal.value_or(Auth::Refusal{});
        return refusal ? reasonInfo(refusal->reason.name)->status : 0;
    }

    QTemporaryDir m_directory;
    std::shared_ptr<const Pepper> m_pepper;
    Clock m_clock;
    std::unique_ptr<PlainTokens> m_store;
    std::unique_ptr<Tokens> m_tokens;
    std::unique_ptr<PlainSessions> m_keptSessions;
    std::unique_ptr<Sessions> m_sessions;
    Token m_token;
    QByteArray m_text;
    api::AuthOptions m_options;
    Caller m_caller;
    Auth::Refusal m_refusal{};
};

JUNBAN_TEST(TestAuth)
#include "test_auth.moc"
