#include "app/master/master.h"

#include "app/base/tlsfiles.h"
#include "app/master/firsttoken.h"
#include "core/base/durations.h"
#include "core/base/reasons/engine.h"
#include "core/base/reasons/operators.h"
#include "core/base/reasons/start.h"
#include "core/redis/keys.h"
#include "core/redis/layout.h"
#include "core/redis/namespacekind.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace junban::app {

namespace {

constexpr int exitFailed = 1;
constexpr int exitUsage = 2;
constexpr int exitRedisRefused = 3;
constexpr int redis_wait_ms = 10'000; // how long a given Redis has to answer at the start
constexpr int redis_again_ms = 200;    // how soon it is examined again

Result<QSslConfiguration> tlsOf(const Options &options)
{
    Result<TlsIdentity> identity = readIdentity(options.tlsCertificate, options.tlsKey, "tls-certificate", "tls-key");
    if (!identity.ok())
        return identity.error();
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setLocalCertificateChain(identity->chain);
    configuration.setPrivateKey(identity->key);
    configuration.setProtocol(QSsl::TlsV1_2OrLater);
    configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
    if (!options.tlsClientCa.isEmpty()) {
        const Result<QList<QSslCertificate>> authorities = readAuthorities(options.tlsClientCa, "tls-client-ca");
        if (!authorities.ok())
            return authorities.error();
        configuration.setCaCertificates(*authorities);
        configuration.setPeerVerifyMode(QSslSocket::VerifyPeer);
    }
    return configuration;
}

// How workers are called.
Result<push::CallOptions> callsOf(const Options &options)
{
    push::CallOptions calls;
    if (!options.workerNetworks.isEmpty()) {
        const Result<push::Networks> networks = push::Networks::of(options.workerNetworks);
        if (!networks.ok())
            return networks.error();
        calls.networks = *networks;
    }
    calls.tls.setProtocol(QSsl::TlsV1_2OrLater);
    if (!options.workerCa.isEmpty()) {
        const Result<QList<QSslCertificate>> authorities = readAuthorities(options.workerCa, "worker-ca");
        if (!authorities.ok())
            return authorities.error();
        calls.tls.setCaCertificates(*authorities);
    }
    return calls;
}

QString urlOf(const ListenAt &at, quint16 port, bool secure)
{
    if (!at.path.isEmpty())
        return QStringLiteral("unix:") + QString::fromUtf8(at.path);
    const QString name = at.address.toString();
    return (secure ? QStringLiteral("https://") : QStringLiteral("http://"))
        + (at.address.protocol() == QAbstractSocket::IPv6Protocol ? QLatin1Char('[') + name + QLatin1Char(']') : name) + QLatin1Char(':')
        + QString::number(port);
}

} // namespace

Master::Master(Options options, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
    , m_consoleToken(makeTokenText())
{
}

Master::~Master()
{
    for (const auto &engine : m_engines) {
        engine->quit();
        engine->wait();
    }
}

Result<QList<ListenAt>> Master::listenAddresses() const
{
    QList<ListenAt> list;
    for (const QString &text : m_options.listen) {
        if (text.startsWith(QStringLiteral("unix:"))) {
            list.append({.path = text.mid(5).toUtf8()});
            continue;
        }
        const qsizetype colon = text.lastIndexOf(QLatin1Char(':'));
        QString name = text.left(colon);
        if (name.startsWith(QLatin1Char('[')) && name.endsWith(QLatin1Char(']')))
            name = name.mid(1, name.size() - 2);
        bool ok = false;
        const ushort port = text.mid(colon + 1).toUShort(&ok);
        const QHostAddress address(name == QStringLiteral("localhost") ? QStringLiteral("127.0.0.1") : name);
        if (colon < 0 || !ok || address.isNull())
            return ofField(reasons::listenExpected(text.toUtf8()), "listen");
        if (!address.isLoopback() && !m_options.insecure && !m_options.behindTls && m_options.tlsCertificate.isEmpty())
            return ofField(reasons::listenNeedsTls(text.toUtf8()), "listen");
        list.append({.address = address, .port = port});
    }
    return list;
}

void Master::start()
{
    Result<QList<ListenAt>> listen = listenAddresses();
    if (!listen.ok()) {
        fail(exitUsage, listen.error().reason);
        return;
    }
    m_engineOptions.listen = std::move(*listen);
    if (!m_options.tlsCertificate.isEmpty())
        m_engineOptions.tls = std::make_shared<http::TlsSettings>();
    if (const Result<Done> read = readChangeable(m_options); !read.ok()) {
        fail(exitUsage, read.error().reason);
        return;
    }
    const Result<push::CallOptions> calls = callsOf(m_options);
    if (!calls.ok()) {
        fail(exitUsage, calls.error().reason);
        return;
    }
    m_engineOptions.calls = *calls;
    m_engineOptions.auth.owner = ::geteuid();
    if (!m_options.redis.isEmpty()) {
        if (const auto address = redis::Address::fromUrl(m_options.redis); address.ok())
            useRedis(*address);
        else
            fail(exitUsage, reasons::optionWrong("--redis", address.error().reason).reason);
        return;
    }
    if (m_options.dev && !useMemory()) {
        fail(exitFailed, reasons::startDirectory(m_memory->errorString().toUtf8()));
        return;
    }
    m_embedded = std::make_unique<redis::EmbeddedRedis>(m_options.dataDirectory,
        m_options.durability == DurabilityLevel::Fsync ? redis::Fsync::Always : redis::Fsync::EverySecond,
        m_options.redisMemory);
    m_embedded->start([this](const Result<redis::Address> &address) {
        if (address.ok())
            useRedis(*address);
        else
            fail(exitFailed, reasons::startEmbeddedRedis(address.error().reason));
    });
}

// For --dev: a directory that is gone when this ends, in memory where the machine has such a file system.
bool Master::useMemory()
{
    const QString memory = QStringLiteral("/dev/shm");
    const QString place = QFileInfo(memory).isWritable() ? memory : QDir::tempPath();
    m_memory = std::make_unique<QTemporaryDir>(place + QStringLiteral("/junban-dev-XXXXXX"));
    m_options.dataDirectory = m_memory->path();
    return m_memory->isValid();
}

void Master::useRedis(const redis::Address &address)
{
    if (const Result<Done> read = readPepper(); !read.ok()) {
        fail(exitUsage, read.error().reason);
        return;
    }
    if (const Result<Done> opened = openAudit(); !opened.ok()) {
        fail(exitUsage, opened.error().reason);
        return;
    }
    m_engineOptions.redis = address;
    m_examined = std::make_unique<redis::Link>(address);
    m_examined->setHome(redis::keyPrefix(m_options.namespaceName));
    connect(m_examined.get(), &redis::Link::stateChanged, this, [this](redis::LinkState state) {
        if (state == redis::LinkState::Up)
            examineRedis();
    });
    QTimer::singleShot(redis_wait_ms, this, [this] {
        if (m_running == 0 && !m_stopping)
            fail(exitFailed, reasons::startRedisSilent(m_engineOptions.redis.text()));
    });
    m_examined->start();
}

// Repeated until it succeeds or redis_wait_ms is over: a connection may break during the examination.
void Master::examineRedis()
{
    if (m_examining || m_running > 0 || m_stopping || m_examined->state() != redis::LinkState::Up)
        return;
    m_examining = true;
    redis::examine(*m_examined, m_options.namespaceName, m_options.durability, [this](const Result<Findings> &examined) {
        if (m_stopping)
            return;
        if (examined.ok())
            heedDoctor(examined->findings);
        else
            examineAgain();
    });
}

void Master::examineAgain()
{
    m_examining = false;
    QTimer::singleShot(redis_again_ms, this, &Master::examineRedis);
}

void Master::heedDoctor(const QList<Finding> &findings)
{
    for (const Finding &finding : findings) {
        const bool embedded = m_embedded != nullptr;
        if (embedded && finding.severity == Severity::Warning)
            continue; // the embedded Redis has the settings that this program gave it
        const bool refused = finding.severity == Severity::Refused
            || (finding.severity == Severity::RefusedUnlessForced && !m_options.force);
        if (refused) {
            fail(exitRedisRefused, finding.severity == Severity::RefusedUnlessForced
                    ? reasons::startRedisUnfitUnlessForced(finding.word, finding.reason)
                    : reasons::startRedisUnfit(finding.word, finding.reason));
            return;
        }
        qWarning("redis: %s: %s", finding.word.constData(), finding.reason.text.constData());
    }
    m_engineOptions.namespaceName = m_options.namespaceName;
    m_engineOptions.durability = m_options.durability;
    m_watch = std::make_unique<redis::HistoryWatch>(*m_examined, m_options.namespaceName, m_engineOptions.redis,
        m_options.dataDirectory, m_engineOptions.rollbackNotice);
    m_serverWatch = std::make_unique<redis::ServerWatch>(*m_examined, m_engineOptions.serverNotice);
    m_engineOptions.auth.consoleToken = m_consoleToken;
    m_engineOptions.auth.insecure = m_options.insecure;
    m_engineOptions.sessionTimes = m_options.sessions;
    m_engineOptions.behindTls = m_options.behindTls;
    m_engineOptions.environment = m_options.environment;
    m_engineOptions.webConsole = m_options.web;
    m_engineOptions.inMemory = m_options.inMemory;
    m_engineOptions.advertise = m_options.advertise;
    const QByteArray which = m_engineOptions.redis.text() + ' ' + m_options.namespaceName;
    const QByteArray hash = QCryptographicHash::hash(which, QCryptographicHash::Sha1).toHex().first(16);
    m_engineOptions.noteFile = m_options.dataDirectory + QStringLiteral("/lead-") + QString::fromLatin1(hash);
    using redis::NamespaceKind;
    const NamespaceKind mine = m_options.inMemory ? NamespaceKind::Memory : NamespaceKind::Scripts;
    redis::claimNamespace(*m_examined, m_options.namespaceName, mine, [this, mine](const Result<NamespaceKind> &kind) {
        if (m_stopping)
            return;
        if (!kind.ok())
            examineAgain();
        else if (*kind != mine)
            fail(exitRedisRefused, *kind == NamespaceKind::Memory ? reasons::startNamespaceOfMemory() : reasons::startNamespaceOfScripts());
        else
            upgradeNamespace();
    });
}

void Master::upgradeNamespace()
{
    redis::upgradeLayout(*m_examined, m_options.namespaceName, redis::ScriptClock::Redis, [this](const Result<int> &found) {
        if (m_stopping)
            return;
        if (!found.ok() && found.error().code == ErrorCode::StoreUnavailable) {
            examineAgain();
            return;
        }
        if (!found.ok()) {
            fail(exitFailed, reasons::startLayout(found.error().reason));
            return;
        }
        if (*found > 0 && *found < limits::layout_version)
            qInfo("redis: upgraded the namespace from layout %d to %d", *found, limits::layout_version);
        m_libraries = std::make_unique<redis::Libraries>(*m_examined, m_options.namespaceName, m_engineOptions.clock);
        connect(m_watch.get(), &redis::HistoryWatch::otherLayout, this, &Master::heedLayout);
        askTime();
    });
}

// What a master writes into a namespace of another layout would be wrong there. An older one is upgraded by the next start.
void Master::heedLayout(qint64 layout)
{
    if (layout > limits::layout_version)
        fail(exitRedisRefused, reasons::startLayoutNewer(layout, limits::layout_version));
    else
        fail(exitFailed, reasons::startLayoutRestored(layout, limits::layout_version));
}

// Engines begin with Redis' time: they may make ids before Redis has answered them for the first time.
void Master::askTime()
{
    m_examined->command({"TIME"}, [this, sent_ms = Clock::monotonic_ms()](const Result<redis::Reply> &time) {
        if (m_stopping)
            return;
        if (!time.ok() && (time.error().code == ErrorCode::StoreUnavailable || time.error().code == ErrorCode::Ambiguous)) {
            examineAgain();
            return;
        }
        if (!time.ok() || time->size() < 2) {
            fail(exitFailed, time.ok() ? reasons::startTimeNoTime() : reasons::startTimeUnreadable(time.error().reason));
            return;
        }
        const qint64 redis_ms = (*time)[0].bytes().toLongLong() * second_ms + (*time)[1].bytes().toLongLong() / 1'000;
        m_engineOptions.clock.learn(redis_ms, sent_ms);
        askTokens();
    });
}

// And with the tokens, so that nobody is let in, or kept out, before an engine has heard of them.
void Master::askTokens()
{
    m_tokens = std::make_unique<redis::RedisTokens>(*m_examined, m_options.namespaceName, m_engineOptions.clock, redis::ScriptClock::Redis);
    m_tokens->list({}, [this](const Result<TokenStore::All> &all) {
        if (m_stopping)
            return;
        if (!all.ok() && all.error().code == ErrorCode::StoreUnavailable) {
            examineAgain();
            return;
        }
        if (!all.ok()) {
            fail(exitFailed, reasons::startTokens(all.error().reason));
            return;
        }
        const bool beyond = std::any_of(m_engineOptions.listen.begin(), m_engineOptions.listen.end(),
            [](const ListenAt &at) { return !at.isHere(); });
        if (all->rows.isEmpty() && !m_options.firstTokenFile.isEmpty()) {
            makeFirstToken();
            return;
        }
        if (beyond && all->rows.isEmpty() && !m_options.insecure) {
            fail(exitUsage, reasons::listenNeedsToken().reason);
            return;
        }
        if (m_options.behindTls && beyond && m_options.tlsCertificate.isEmpty())
            qInfo("--behind-tls: this master speaks plain HTTP; a proxy before it has to end TLS");
        if (m_options.insecure)
            qWarning("--insecure: what is sent may be read on the way, and callers of the network need no token while there is none");
        if (beyond && all->rows.isEmpty())
            qWarning("every caller of the network holds every role (--insecure), until there is a token");
        m_engineOptions.tokens = *all;
        makeSockets();
    });
}

// The administrator's token of --first-token-file, so that a master that other machines reach starts without a step by hand.
void Master::makeFirstToken()
{
    const Result<QByteArray> text = firstTokenText(m_options.firstTokenFile);
    if (!text.ok()) {
        fail(exitUsage, text.error().reason);
        return;
    }
    if (!m_engineOptions.pepper) {
        fail(exitUsage, reasons::pepperMissing().reason);
        return;
    }
    m_tokens->save(firstToken(*m_engineOptions.pepper, *text, m_engineOptions.clock.now_ms()), [this](const Result<Done> &saved) {
        if (m_stopping)
            return;
        if (!saved.ok() && saved.error().code != ErrorCode::StoreUnavailable && saved.error().code != ErrorCode::Ambiguous) {
            fail(exitFailed, reasons::startTokens(saved.error().reason));
            return;
        }
        if (saved.ok())
            qInfo("tokens: the first one is an administrator's, of %s", qUtf8Printable(m_options.firstTokenFile));
        askTokens();
    });
}

// Only now, when nothing else can go wrong: there was nobody here to answer before.
void Master::makeSockets()
{
    for (ListenAt &at : m_engineOptions.listen) {
        if (at.path.isEmpty())
            continue;
        Result<std::shared_ptr<http::UnixSocket>> socket = http::UnixSocket::listen(at.path);
        if (!socket.ok()) {
            fail(socket.error().code == ErrorCode::InvalidField ? exitUsage : exitFailed, socket.error().reason);
            return;
        }
        at.socket = *socket;
    }
    startEngines(m_engineOptions.listen);
}

// All of it, or nothing. Connections that are there go on with the certificates that they began with.
Result<Done> Master::readChangeable(const Options &options)
{
    api::Reach reach;
    for (const QString &host : options.hosts)
        reach.hosts.append(host.toLower().toUtf8());
    const Result<api::Proxies> proxies = api::Proxies::of(options.trustedProxies);
    if (!proxies.ok())
        return proxies.error();
    reach.proxies = *proxies;
    if (m_engineOptions.tls && !options.tlsCertificate.isEmpty()) {
        const Result<QSslConfiguration> tls = tlsOf(options);
        if (!tls.ok())
            return tls.error();
        m_engineOptions.tls->change(*tls);
    }
    m_engineOptions.auth.reach->change(reach);
    m_engineOptions.maskKeys->change(options.maskKeys);
    return Done{};
}

// The options that are given otherwise than at the start, and that a master cannot change while it serves. Whether there is TLS is one.
QList<QByteArray> Master::needingRestart(const Options &options) const
{
    const bool isTlsTurned = m_options.tlsCertificate.isEmpty() != options.tlsCertificate.isEmpty();
    QList<QByteArray> names;
    for (const OptionRow &row : optionRows) {
        const QByteArray name = row.name;
        const bool stays = row.isReread && !(isTlsTurned && name.startsWith("tls-"));
        if (!stays && options.given.value(name) != m_options.given.value(name))
            names.append(name);
    }
    return names;
}

void Master::reload(const Result<Options> &options)
{
    const Result<Done> changed = options.ok() ? readChangeable(*options) : Result<Done>(options.error());
    if (!changed.ok()) {
        qCritical("reload: %s; what was read before stays in use", changed.error().message().constData());
        return;
    }
    qInfo("reload: the options that can change while a master serves are in force as they are now");
    if (const QList<QByteArray> names = needingRestart(*options); !names.isEmpty())
        qWarning("reload: a restart is needed for %s", names.join(", ").constData());
}

Result<Done> Master::readPepper()
{
    if (m_options.pepperFile.isEmpty() && !m_embedded)
        return Done{};
    const QByteArray &name = m_options.namespaceName;
    const Result<Pepper> pepper = m_options.pepperFile.isEmpty() ? Pepper::ofDirectory(m_options.dataDirectory, name)
                                                                 : Pepper::read(m_options.pepperFile, name);
    if (!pepper.ok())
        return pepper.error();
    m_engineOptions.pepper = std::make_shared<const Pepper>(*pepper);
    return Done{};
}

Result<Done> Master::openAudit()
{
    if (m_options.auditFile.isEmpty())
        return Done{};
    const Result<std::shared_ptr<AuditFile>> file = AuditFile::open(m_options.auditFile, Clock::machine_ms());
    if (!file.ok())
        return file.error();
    m_engineOptions.auditFile = *file;
    qInfo("audit: %s", (*file)->summary().constData());
    auto *timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, [file = *file] { file->sync(); });
    timer->start(limits::audit_sync_ms);
    return Done{};
}

// Starts an engine. The first one takes the ports; the others share them.
void Master::startEngines(QList<ListenAt> at)
{
    const bool first = m_engines.empty();
    EngineOptions options = m_engineOptions;
    options.port = first ? http::PortUse::Alone : http::PortUse::Join;
    options.listen = std::move(at);
    auto engine = std::make_unique<Engine>(std::move(options));
    connect(engine.get(), &Engine::failed, this, [this](const Reason &why) { fail(exitFailed, why); });
    connect(engine.get(), &QThread::finished, this, &Master::engineEnded);
    if (first)
        connect(engine.get(), &Engine::listening, this, &Master::startFurther);
    ++m_running;
    engine->start();
    m_engines.push_back(std::move(engine));
}

void Master::startFurther(const QList<quint16> &ports)
{
    if (m_stopping)
        return;
    QList<ListenAt> shared = m_engineOptions.listen;
    for (qsizetype i = 0; i < shared.size(); ++i)
        shared[i].port = ports[i];
    for (int i = 1; i < m_options.threads; ++i)
        startEngines(shared);
    announce(ports);
}

void Master::announce(const QList<quint16> &ports)
{
    QStringList urls;
    for (qsizetype i = 0; i < ports.size(); ++i) {
        urls.append(urlOf(m_engineOptions.listen[i], ports[i], m_engineOptions.tls != nullptr));
        std::printf("junban: listening on %s\n", qUtf8Printable(urls.last()));
    }
    if (m_options.dev) {
        const QByteArray at = urls.first() == QStringLiteral("http://127.0.0.1:7717") ? QByteArray() : " --url " + urls.first().toUtf8();
        std::printf("\nIn memory, and gone when it ends. To begin with, in another shell:\n\n"
                    "    junbanctl%s work hello --exec cat &\n    junbanctl%s push hello --arg '\"world\"' --wait\n    xdg-open %s\n\n",
            at.constData(), at.constData(), qUtf8Printable(urls.first()));
    }
    std::fflush(stdout);
    qInfo("serving namespace %s on %s, redis %s", m_options.namespaceName.constData(), qUtf8Printable(urls.join(QStringLiteral(", "))),
        m_engineOptions.redis.text().constData());
    Q_EMIT listening(urls);
}

void Master::stop()
{
    if (m_stopping)
        return;
    m_stopping = true;
    if (!m_failure) // a failure is told at the end, as the last line
        qInfo("stopping");
    if (m_running == 0)
        QMetaObject::invokeMethod(this, [this] { engineEnded(); }, Qt::QueuedConnection);
    for (const ListenAt &at : std::as_const(m_engineOptions.listen)) {
        if (at.socket)
            at.socket->remove();
    }
    for (const auto &engine : m_engines)
        engine->drain();
}

void Master::engineEnded()
{
    if (m_running > 0)
        --m_running;
    if (m_running > 0 || !m_stopping)
        return;
    if (!m_embedded) {
        end();
        return;
    }
    m_embedded->stop([this](const Result<Done> &) { end(); });
}

// A master that cannot start or continue also ends its embedded Redis, as one that is asked to stop does.
void Master::fail(int exitCode, Reason why)
{
    if (m_stopping)
        return;
    m_failure = Failure{exitCode, std::move(why)};
    stop();
}

void Master::end()
{
    if (m_engineOptions.auditFile)
        qInfo("audit: %s", m_engineOptions.auditFile->summary().constData());
    if (m_failure)
        Q_EMIT failed(m_failure->exitCode, m_failure->why);
    else
        Q_EMIT stopped();
}

} // namespace junban::app
