#pragma once

#include "core/access/auditfile.h"
#include "core/base/clock.h"
#include "core/limits/mask.h"
#include "core/operators/freezer.h"
#include "core/redis/link.h"
#include "core/store/durability.h"
#include "core/store/rollback.h"
#include "core/store/servernotice.h"
#include "server/api/auth.h"
#include "server/api/times.h"
#include "server/http/httpserver.h"
#include "server/push/httpcall.h"

#include <QHostAddress>
#include <QThread>
#include <atomic>
#include <functional>

namespace junban::app {

// An address and a port, or a unix socket.
struct ListenAt {
    QHostAddress address = {};
    quint16 port = 0;
    QByteArray path = {};
    std::shared_ptr<http::UnixSocket> socket = {}; // shared by a master's engines, once it is there

    bool isHere() const { return !path.isEmpty() || address.isLoopback(); }
};

struct EngineOptions {
    redis::Address redis;
    QByteArray namespaceName;
    bool inMemory = false;                    // the queue's engine is in this process (--engine memory); then there is one thread
    QByteArray advertise = {};                // where other masters reach this one, host:port; empty: where it listens
    QString noteFile = {};                    // where the engine in memory notes its last batch
    Clock clock; // copied; it should have learnt Redis' time
    QList<ListenAt> listen;
    http::PortUse port = http::PortUse::Alone; // Join: other engines of this process listen on the same port
    std::shared_ptr<http::ConnectionCounts> counts = std::make_shared<http::ConnectionCounts>(); // shared by a master's engines
    std::shared_ptr<RollbackNotice> rollbackNotice = std::make_shared<RollbackNotice>(); // shared by a master's engines
    std::shared_ptr<ServerNotice> serverNotice = std::make_shared<ServerNotice>(); // shared by a master's engines
    DurabilityLevel durability = DurabilityLevel::Default; // of enqueues that do not name one
    api::AuthOptions auth;
    bool behindTls = false;                   // answers say so
    QByteArray environment = {};              // answers name it; empty: they do not
    bool webConsole = true;
    std::shared_ptr<const Pepper> pepper = {}; // none: no tokens
    std::shared_ptr<Changeable<KeyMask>> maskKeys = std::make_shared<Changeable<KeyMask>>(KeyMask::usual()); // shared by a master's engines
    std::shared_ptr<AuditFile> auditFile = {}; // shared by a master's engines; none: the audit is in Redis alone
    SessionTimes sessionTimes = {};
    std::shared_ptr<KnownSessions> knownSessions = std::make_shared<KnownSessions>(); // shared by a master's engines
    TokenStore::All tokens = {};              // as they were at the start
    std::shared_ptr<TokenCircle> tokenCircle = std::make_shared<TokenCircle>(); // shared by a master's engines
    std::shared_ptr<api::Times> times = std::make_shared<api::Times>(); // shared by a master's engines
    push::CallOptions calls = {};            // to workers that serve HTTP
    std::shared_ptr<Freezer::Shared> views = std::make_shared<Freezer::Shared>(); // shared by a master's engines
    std::shared_ptr<http::TlsSettings> tls = {}; // null: plain; shared by a master's engines
};

// One engine thread. It has its own links to Redis, its own queue and its own listeners on the shared ports. All state that must survive is
// in Redis. The object lives on the thread that made it; its signals come from the engine's thread.
class Engine : public QThread
{
    Q_OBJECT

public:
    explicit Engine(EngineOptions options, QObject *parent = nullptr);
    // Waits until the thread has ended.
    ~Engine() override;

    // Stops accepting, answers waiting requests, lets requests under way finish, and ends the thread (finished()). May be called at any
    // time, also while the thread is starting.
    void drain();

Q_SIGNALS:
    void listening(QList<quint16> ports);
    void failed(Reason why);
    void drainAsked();

protected:
    void run() override;

private:
    EngineOptions m_options;
    std::atomic<bool> m_draining = false;
    std::atomic<int> m_threadId = 0; // the kernel's id of the thread; 0: it has not run
};

} // namespace junban::app
