#include "app/master/engine.h"

#include "core/base/reasons/engine.h"
#include "core/memory/besidestores.h"
#include "core/memory/memorydurability.h"
#include "core/memory/memorylimits.h"
#include "core/memory/memoryschedules.h"
#include "core/memory/memorystore.h"
#include "core/operators/auditor.h"
#include "core/operators/breakers.h"
#include "core/operators/inspector.h"
#include "core/operators/lookback.h"
#include "core/operators/masker.h"
#include "core/operators/matchereditor.h"
#include "core/operators/meter.h"
#include "core/operators/operations.h"
#include "core/operators/previewer.h"
#include "core/operators/situation.h"
#include "core/operators/workers.h"
#include "core/queue/changes.h"
#include "core/queue/newswaits.h"
#include "core/queue/queue.h"
#include "core/queue/scheduler.h"
#include "core/queue/sweeper.h"
#include "core/redis/doctor.h"
#include "core/redis/keys.h"
#include "core/redis/redisaudit.h"
#include "core/redis/redischanges.h"
#include "core/redis/redisconstraints.h"
#include "core/redis/redisdurability.h"
#include "core/redis/redisfilters.h"
#include "core/redis/redisfsck.h"
#include "core/redis/redismatchers.h"
#include "core/redis/redisoperations.h"
#include "core/redis/redispast.h"
#include "core/redis/redisschedules.h"
#include "core/redis/redisstore.h"
#include "core/redis/redissessions.h"
#include "core/redis/redistokens.h"
#include "core/redis/redisworkers.h"
#include "server/api/api.h"
#include "server/http/epolldispatcher.h"
#include "server/push/dispatcher.h"
#include "server/relay/hop.h"
#include "server/relay/relay.h"

#include <QSslCertificate>
#include <QTimer>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace junban::app {

namespace {

constexpr int certificate_look_ms = 1'000;

// The parts of an engine, from Redis to the API, in the order in which they are built. They live on the engine's thread.
struct Parts {
    explicit Parts(const EngineOptions &options);
    void equip(const EngineOptions &options);
    void start(); // all but `tokens`
    // No work begins by itself after this; waiting requests are answered. `idle` is called when no worker is being called.
    void stop(std::function<void()> idle);
    // After stop() and the last request: gives the namespace up to other masters.
    void leave(std::function<void()> left);
    // A store of this kind; beside an engine in memory the one that refuses what that does not have.
    template<typename Redis, typename Beside>
    std::unique_ptr<Redis> kept(const EngineOptions &options);
    // The store of the scripts, or that of the engine in memory.
    template<typename Of, typename Redis, typename Memory>
    std::unique_ptr<Of> storeOf(const EngineOptions &options);
    http::ServerOptions serverOptions(const EngineOptions &options) const;
    relay::Relay::Options relayOptions();
    void handle(const http::Exchange &exchange);

    redis::Link commands;
    redis::Link hints;
    Clock clock;
    std::unique_ptr<memory::MemoryStore> memoryStore; // one of these two
    std::unique_ptr<redis::RedisStore> redisStore;
    Store &store;
    redis::RedisAudit keptAudit;
    Auditor auditor;
    std::unique_ptr<memory::MemoryDurability> memoryDurability; // null without an engine in memory
    redis::RedisDurability durability;
    UnreadableRecords unreadable;
    Queue queue;
    redis::RedisDoctor doctor;
    redis::RedisFsck fsck;
    Inspector inspector;
    std::unique_ptr<redis::RedisPast> past;
    Lookback lookback;
    FailureTally failureTally;
    Sweeper sweeper;
    std::unique_ptr<ScheduleStore> schedules;
    Scheduler scheduler;
    Changes changes;
    std::unique_ptr<MatcherStore> keptMatchers;
    std::unique_ptr<ConstraintStore> constraints;
    Matchers matchers;
    Masker masker;
    Rereader rereader;
    MatcherEditor editor;
    Breakers breakers;
    ConstraintInspector constraintInspector;
    Situation situation;
    Meter meter;
    std::unique_ptr<redis::RedisChanges> lastChanges;
    NewsWaits news;
    Previewer previewer;
    std::unique_ptr<redis::RedisOperations> keptOperations;
    Freezer freezer;
    OperationRunner operationRunner;
    Operations operations;
    redis::RedisTokens keptTokens;
    Tokens tokens;
    redis::RedisSessions keptSessions;
    Sessions sessions;
    redis::RedisFilters filters;
    std::unique_ptr<redis::RedisWorkers> keptWorkers;
    LeaseWatch leaseWatch;
    Workers workers;
    push::Dispatcher dispatcher;
    api::Api api;
    IdMaker requestIds; // of requests that are passed on
    std::unique_ptr<relay::Relay> relay; // with the engine in memory
};

memory::MemoryStore::Options memoryOptions(const EngineOptions &options)
{
    return {options.redis, options.namespaceName, options.noteFile};
}

std::unique_ptr<redis::RedisStore> redisStoreOf(Parts &parts, const EngineOptions &options)
{
    return std::make_unique<redis::RedisStore>(
        parts.commands, &parts.hints, options.namespaceName, parts.clock, redis::ScriptClock::Redis);
}

template<typename Redis, typename Beside>
std::unique_ptr<Redis> Parts::kept(const EngineOptions &options)
{
    constexpr redis::ScriptClock scriptClock = redis::ScriptClock::Redis;
    if (!options.inMemory)
        return std::make_unique<Redis>(commands, options.namespaceName, clock, scriptClock);
    if constexpr (std::is_constructible_v<Beside, memory::MemoryStore &, redis::Link &, const QByteArray &, Clock &, redis::ScriptClock>)
        return std::make_unique<Beside>(*memoryStore, commands, options.namespaceName, clock, scriptClock);
    else
        return std::make_unique<Beside>(commands, options.namespaceName, clock, scriptClock);
}

template<typename Of, typename Redis, typename Memory>
std::unique_ptr<Of> Parts::storeOf(const EngineOptions &options)
{
    if (options.inMemory)
        return std::make_unique<Memory>(*memoryStore);
    return std::make_unique<Redis>(commands, options.namespaceName, clock, redis::ScriptClock::Redis);
}

Parts::Parts(const EngineOptions &options)
    : commands(options.redis)
    , hints(options.redis)
    , clock(options.clock)
    , memoryStore(options.inMemory ? std::make_unique<memory::MemoryStore>(memoryOptions(options), clock) : nullptr)
    , redisStore(options.inMemory ? nullptr : redisStoreOf(*this, options))
    , store(options.inMemory ? static_cast<Store &>(*memoryStore) : *redisStore)
    , keptAudit(commands, options.namespaceName, clock, redis::ScriptClock::Redis)
    , auditor(keptAudit, clock, options.auditFile)
    , memoryDurability(
          memoryStore ? std::make_unique<memory::MemoryDurability>(*memoryStore, options.redis, options.namespaceName) : nullptr)
    , durability(options.redis, options.namespaceName)
    , queue(store, clock)
    , doctor(commands, options.namespaceName, options.durability)
    , fsck(commands, options.namespaceName, redis::ScriptClock::Redis)
    , inspector(store)
    , past(kept<redis::RedisPast, memory::BesidePast>(options))
    , lookback(*past, store, queue)
    , failureTally(*past)
    , sweeper(store, queue, clock, &unreadable)
    , schedules(storeOf<ScheduleStore, redis::RedisSchedules, memory::MemorySchedules>(options))
    , scheduler(*schedules, queue, clock, &unreadable)
    , changes(store, clock)
    , keptMatchers(storeOf<MatcherStore, redis::RedisMatchers, memory::MemoryMatchers>(options))
    , constraints(storeOf<ConstraintStore, redis::RedisConstraints, memory::MemoryConstraints>(options))
    , matchers(*keptMatchers)
    , masker(matchers, options.maskKeys)
    , rereader(*constraints, matchers)
    , editor(*keptMatchers, *constraints, matchers, rereader, clock)
    , breakers(*constraints, matchers)
    , constraintInspector(store, *constraints, matchers, clock)
    , situation(inspector, *constraints, matchers, rereader, unreadable)
    , meter(inspector, situation, *past)
    , lastChanges(kept<redis::RedisChanges, memory::BesideChanges>(options))
    , news(*lastChanges)
    , previewer(store, matchers, clock)
    , keptOperations(kept<redis::RedisOperations, memory::BesideOperations>(options))
    , freezer({*keptOperations, store, inspector, lookback}, clock, options.views)
    , operationRunner(*keptOperations, store, changes, matchers, clock)
    , operations(*keptOperations, freezer, matchers, operationRunner)
    , keptTokens(commands, options.namespaceName, clock, redis::ScriptClock::Redis)
    , tokens(keptTokens, clock, options.pepper, options.tokens, options.tokenCircle)
    , keptSessions(commands, options.namespaceName)
    , sessions(keptSessions, tokens, clock, options.pepper, options.sessionTimes, options.knownSessions)
    , filters(commands, options.namespaceName, clock, unreadable)
    , keptWorkers(kept<redis::RedisWorkers, memory::BesideWorkers>(options))
    , leaseWatch(store)
    , workers(*keptWorkers)
    , dispatcher(queue, workers, tokens, clock, options.calls)
    , api(queue, inspector, changes, scheduler, lookback,
          {matchers, editor, rereader, constraintInspector, previewer, breakers, situation}, {freezer, operations}, meter, news,
          tokens, sessions, filters, workers, masker, auditor, clock, options.times, options.auth)
    , relay(memoryStore ? std::make_unique<relay::Relay>(api, relayOptions()) : nullptr)
{
    equip(options);
    queue.setResting([this](const QByteArray &worker) { return workers.isDraining(worker); });
    workers.setWatches(&leaseWatch, &failureTally);
    QObject::connect(&workers, &Workers::changed, &queue, &Queue::heedResting);
    inspector.setFailures(&failureTally);
    inspector.setDoctor(&doctor);
    inspector.setRollbackNotice(options.rollbackNotice.get());
    situation.setServerNotice(options.serverNotice.get());
    QObject::connect(&editor, &MatcherEditor::changed, &queue, &Queue::lookAgain);
    QObject::connect(&breakers, &Breakers::changed, &queue, &Queue::lookAgain);
    commands.setHome(redis::keyPrefix(options.namespaceName));
    hints.setHome(redis::keyPrefix(options.namespaceName));
    commands.setTimes(std::shared_ptr<Timings>(options.times, &options.times->calls));
    if (!options.webConsole)
        api.leaveOutConsole();
}

// The rights that are needed, and what only one of the two engines has.
void Parts::equip(const EngineOptions &options)
{
    commands.needPermissions(redis::keyPrefix(options.namespaceName));
    if (redisStore) {
        queue.setDurability(&durability, options.durability);
        redisStore->setRollbackNotice(options.rollbackNotice.get());
        redisStore->setClassifier(&matchers);
        redisStore->setUnreadableRecords(&unreadable);
        inspector.setFsck(&fsck);
    } else {
        queue.setDurability(memoryDurability.get(), options.durability);
        memoryStore->setRollbackNotice(options.rollbackNotice.get());
        memoryStore->setTokens([this](const QByteArray &id) { return tokens.known(id).has_value(); });
        meter.setJournal([this] { return memoryStore->journalNow(); });
        api.setUnsavedReads(memoryStore->unsavedReads());
    }
}

// Precondition: this is the engine in memory. With scripts in Redis all masters are equal, and each answers all by itself.
relay::Relay::Options Parts::relayOptions()
{
    relay::Relay::Options passing;
    passing.leads = [this] { return memoryStore->leads(); };
    passing.leader = [this] {
        const memory::MemoryStore::Leader other = memoryStore->otherLeader();
        return relay::Leader{other.address, other.certificate, other.secret};
    };
    passing.drawId = [this] { return requestIds.make(clock.now_ms()).bytes(); };
    return passing;
}

void Parts::handle(const http::Exchange &exchange)
{
    if (relay)
        relay->handle(exchange);
    else
        api.handle(exchange);
}

void Parts::start()
{
    commands.start();
    if (memoryStore) {
        memoryStore->start();
        memoryDurability->start();
    } else {
        hints.start();
    }
    sweeper.start();
    scheduler.start();
    operationRunner.start();
    rereader.start();
    editor.start();
    workers.start();
    dispatcher.start();
}

void Parts::stop(std::function<void()> idle)
{
    sweeper.stop();
    scheduler.stop();
    operationRunner.stop();
    rereader.stop();
    tokens.stop();
    workers.stop();
    editor.stop();
    dispatcher.stop(std::move(idle));
    queue.stopWaiting();
    news.stopWaiting();
    if (relay)
        relay->stop();
}

void Parts::leave(std::function<void()> left)
{
    if (memoryStore)
        memoryStore->leave(std::move(left));
    else
        left();
}

http::ServerOptions Parts::serverOptions(const EngineOptions &options) const
{
    http::ServerOptions server;
    server.tls = options.tls;
    server.counts = options.counts;
    if (options.auth.insecure)
        server.fields = "Junban-Insecure: true\r\n";
    if (options.behindTls)
        server.fields += "Junban-Behind-TLS: true\r\n";
    if (!options.environment.isEmpty())
        server.fields += "Junban-Environment: " + options.environment + "\r\n";
    if (memoryStore)
        server.judge = [secret = memoryStore->secret()](http::Request &request) { relay::judge(request, secret); };
    server.place = [this](const QByteArray &method, const QByteArray &path) { return api.place(method, path); };
    return server;
}

// The port; 0 for a unix socket.
Result<quint16> listenAt(http::HttpServer &server, const ListenAt &at, http::PortUse use)
{
    if (!at.socket)
        return server.listen(at.address, at.port, use);
    const Result<Done> listening = server.listen(*at.socket);
    return listening.ok() ? Result<quint16>(quint16(0)) : listening.error();
}

// Where other masters reach this one, as `lead` says it; empty: nowhere. What is plain stays on this machine, unless --advertise says
// otherwise: who hears the secret of a leadership can pretend to call from anywhere.
QByteArray addressForOthers(const EngineOptions &options, const QList<quint16> &ports)
{
    if (!options.advertise.isEmpty())
        return options.advertise;
    QByteArray here;
    for (qsizetype i = 0; i < options.listen.size(); ++i) {
        const QHostAddress &address = options.listen[i].address;
        const bool isAny = address == QHostAddress::Any || address == QHostAddress::AnyIPv4;
        if (options.listen[i].socket)
            continue;
        if (isAny || address == QHostAddress::LocalHost)
            here = "127.0.0.1:" + QByteArray::number(ports[i]);
        else if (options.tls && !address.isLoopback() && address.protocol() == QAbstractSocket::IPv4Protocol)
            return address.toString().toLatin1() + ':' + QByteArray::number(ports[i]);
    }
    return here;
}

// SHA-256 of the certificate that it shows now; empty: it speaks no TLS.
QByteArray certificateOf(const EngineOptions &options)
{
    const QSslCertificate certificate = options.tls ? options.tls->now().localCertificate() : QSslCertificate();
    return certificate.isNull() ? QByteArray() : certificate.digest(QCryptographicHash::Sha256).toHex();
}

} // namespace

Engine::Engine(EngineOptions options, QObject *parent)
    : QThread(parent)
    , m_options(std::move(options))
{
    qRegisterMetaType<QList<quint16>>();
    setEventDispatcher(new EpollDispatcher);
}

// QThread::wait() returns before libraries (OpenSSL is one) have freed what they keep for the thread. If the process ended then, they would
// free it twice.
Engine::~Engine()
{
    wait();
    for (int tries = 0; m_threadId != 0 && tries < 1'000 && ::syscall(SYS_tgkill, ::getpid(), m_threadId.load(), 0) == 0; ++tries)
        QThread::msleep(1);
}

void Engine::drain()
{
    m_draining = true;
    Q_EMIT drainAsked();
}

void Engine::run()
{
    m_threadId = int(::syscall(SYS_gettid));
    Parts parts(m_options);
    http::HttpServer server(parts.serverOptions(m_options), [&parts](const http::Exchange &exchange) {
        parts.handle(exchange);
    });
    QObject here; // lives on this thread, so the slots below run on it
    QTimer certificateLook;
    bool draining = false;
    const auto listenNow = [&] {
        QList<quint16> ports;
        for (const ListenAt &at : std::as_const(m_options.listen)) {
            const Result<quint16> port = draining ? Result<quint16>(quint16(0)) : listenAt(server, at, m_options.port);
            if (!port.ok()) {
                Q_EMIT failed(port.error().reason);
                quit();
                return;
            }
            ports.append(*port);
        }
        if (parts.memoryStore) {
            const auto tell = [this, &parts, address = addressForOthers(m_options, ports)] {
                parts.memoryStore->setAddress(address, certificateOf(m_options));
            };
            tell();
            connect(&certificateLook, &QTimer::timeout, &here, tell); // it can be changed
            certificateLook.start(certificate_look_ms);
        }
        Q_EMIT listening(ports);
    };
    const auto drainNow = [&] {
        if (std::exchange(draining, true))
            return;
        const auto oneLess = [this, &parts, left = std::make_shared<int>(2)] {
            if (--*left == 0)
                parts.leave([this] { quit(); });
        };
        parts.stop(oneLess);
        server.drain(oneLess);
        QTimer::singleShot(limits::drain_ms_max, &here, [this] { quit(); }); // workers may take longer: their leases decide
    };
    connect(this, &Engine::drainAsked, &here, drainNow);
    // drain() may have been called before the line above.
    if (m_draining)
        QMetaObject::invokeMethod(&here, drainNow, Qt::QueuedConnection);
    if (parts.memoryStore)
        parts.memoryStore->setStopped([this] { Q_EMIT failed(reasons::memoryEngineStopped()); });
    parts.start();
    // Not before: a token may have been made or revoked since the master read them.
    parts.tokens.start([&parts, listenNow] {
        if (parts.memoryStore)
            parts.memoryStore->whenServing(listenNow);
        else
            listenNow();
    });
    exec();
}

} // namespace junban::app
