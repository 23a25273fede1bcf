#include "app/master/engine.h"

#include "core/base/clock.h"
#include "core/operators/breakers.h"
#include "core/operators/inspector.h"
#include "core/operators/lookback.h"
#include "core/operators/matchereditor.h"
#include "core/operators/previewer.h"
#include "core/queue/changes.h"
#include "core/queue/queue.h"
#include "core/queue/scheduler.h"
#include "core/queue/sweeper.h"
#include "core/redis/doctor.h"
#include "core/redis/keys.h"
#include "core/redis/redisconstraints.h"
#include "core/redis/redisdurability.h"
#include "core/redis/redisfsck.h"
#include "core/redis/redismatchers.h"
#include "core/redis/redisrecords.h"
#include "core/redis/redisschedules.h"
#include "core/redis/redisstore.h"
#include "server/api/api.h"
#include "server/http/epolldispatcher.h"

#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace junban::app {

Engine::Engine(EngineOptions options, QObject *parent)
    : QThread(parent)
    , m_options(std::move(options))
{
    qRegisterMetaType<QList<quint16>>();
    setEventDispatcher(new EpollDispatcher);
}

// QThread::wait() returns before the thread has let go of what libraries keep for it, OpenSSL's among that, and the end of the process
// would let go of it a second time.
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
    redis::Link commands(m_options.redis);
    redis::Link hints(m_options.redis);
    Clock clock;
    redis::RedisStore store(commands, &hints, m_options.namespaceName, clock, redis::ScriptClock::Redis);
    redis::RedisDurability durability(m_options.redis, m_options.namespaceName);
    Queue queue(store, clock);
    queue.setDurability(&durability, m_options.durability);
    store.setRollbackNotice(m_options.history.get());
    redis::RedisDoctor doctor(commands, m_options.namespaceName);
    Inspector inspector(store);
    inspector.setDoctor(&doctor);
    redis::RedisFsck fsck(commands, m_options.namespaceName, redis::ScriptClock::Redis);
    inspector.setFsck(&fsck);
    inspector.setRollbackNotice(m_options.history.get());
    redis::RedisRecords records(commands, m_options.namespaceName, clock, redis::ScriptClock::Redis);
    Lookback lookback(records, store, queue);
    Sweeper sweeper(store, queue, clock);
    redis::RedisSchedules schedules(commands, m_options.namespaceName, clock, redis::ScriptClock::Redis);
    Scheduler scheduler(schedules, queue, clock);
    Changes changes(store, clock);
    redis::RedisMatchers keptMatchers(commands, m_options.namespaceName, clock, redis::ScriptClock::Redis);
    redis::RedisConstraints constraints(commands, m_options.namespaceName, clock, redis::ScriptClock::Redis);
    Matchers matchers(keptMatchers);
    store.setClassifier(&matchers);
    Rereader rereader(constraints, matchers);
    MatcherEditor editor(keptMatchers, matchers, rereader, clock);
    connect(&editor, &MatcherEditor::changed, &queue, &Queue::lookAgain);
    Breakers breakers(constraints, matchers);
    connect(&breakers, &Breakers::changed, &queue, &Queue::lookAgain);
    ConstraintInspector constraintInspector(store, constraints, matchers);
    Previewer previewer(store, matchers, clock);
    api::Api api(queue, inspector, changes, scheduler, lookback, {matchers, editor, rereader, constraintInspector, previewer, breakers},
        m_options.auth);
    http::ServerOptions serverOptions;
    serverOptions.tls = m_options.tls;
    serverOptions.counts = m_options.counts;
    serverOptions.bodyLimit = [&api](const QByteArray &method, const QByteArray &path) { return api.bodyLimit(method, path); };
    http::HttpServer server(serverOptions, [&api](const http::Exchange &exchange) { api.handle(exchange); });

    commands.setHome(redis::keyPrefix(m_options.namespaceName));
    hints.setHome(redis::keyPrefix(m_options.namespaceName));
    commands.start();
    hints.start();
    sweeper.start();
    scheduler.start();
    rereader.start();
    editor.start();
    QList<quint16> ports;
    for (const ListenAt &at : std::as_const(m_options.listen)) {
        const Result<quint16> port = server.listen(at.address, at.port, m_options.port);
        if (!port.ok()) {
            Q_EMIT failed(port.error().message);
            return;
        }
        ports.append(*port);
    }
    QObject here; // lives on this thread: what the signal below calls runs here
    bool draining = false;
    const auto drainNow = [&] {
        if (std::exchange(draining, true))
            return;
        sweeper.stop();
        scheduler.stop();
        rereader.stop();
        editor.stop();
        queue.stopWaiting();
        server.drain([this] { quit(); });
    };
    connect(this, &Engine::drainAsked, &here, drainNow);
    // Whoever asked before the line above was not heard by it.
    if (m_draining)
        QMetaObject::invokeMethod(&here, drainNow, Qt::QueuedConnection);
    Q_EMIT listening(ports);
    exec();
}

} // namespace junban::app
