#include "core/redis/link.h"

#include "core/clock.h"
#include "core/limits.h"
#include "core/nextpass.h"

#include <QFile>
#include <QLocalSocket>
#include <QPointer>
#include <QRandomGenerator>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTimer>
#include <algorithm>
#include <deque>
#include <hiredis/hiredis.h>

namespace junban::redis {

namespace {

constexpr int tick_ms = 100;

Error unavailable(const char *why)
{
    return Error{ErrorCode::StoreUnavailable, why, {}, 1};
}

// Errors that say: nothing was executed, and a moment later it may be.
bool passes(QByteArrayView error)
{
    for (const char *word : {"LOADING", "BUSY ", "TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN", "NOREPLICAS", "MOVED", "ASK", "READONLY"}) {
        if (error.startsWith(word))
            return true;
    }
    return false;
}

// What a reply of kind error means (semantics.md §6).
Error errorOf(QByteArrayView text)
{
    if (text.startsWith("OOM"))
        return Error{ErrorCode::StoreFull, "Redis is out of memory.", {}, 1};
    if (text.startsWith("READONLY") || text.startsWith("MISCONF"))
        return Error{ErrorCode::StoreReadOnly, "Redis refuses writes: " + text.toByteArray(), {}, 1};
    if (passes(text))
        return Error{ErrorCode::StoreUnavailable, "Redis cannot answer now: " + text.toByteArray(), {}, 1};
    return Error{ErrorCode::Internal, "Redis: " + text.toByteArray()};
}

struct Pending {
    Callback<Reply> callback;
    qint64 deadline_ms;
};

} // namespace

class Link::Private
{
public:
    // A script on its way, with all that asking again needs.
    struct Call {
        const Script *script;
        QList<QByteArray> words; // EVALSHA sha count keys… arguments…
        Callback<Reply> callback;
        qint64 since_ms;
        bool loaded = false;
    };

    Private(Link &link, Address where);

    void connectNow();
    void connected();
    void handshake(QList<QByteArray> words);
    void drop(const char *why);
    void setState(LinkState next);
    void append(const QList<QByteArray> &words, Callback<Reply> callback);
    void flush();
    void read();
    void push(const Reply &reply);
    void tick();
    void attempt(std::shared_ptr<Call> call);
    void answered(const std::shared_ptr<Call> &call, Result<Reply> reply);
    void holdOrFail(const std::shared_ptr<Call> &call, Error error);
    void resume();
    void later(std::function<void()> function) { QMetaObject::invokeMethod(&q, std::move(function), Qt::QueuedConnection); }

    Link &q;
    Address address;
    QIODevice *device = nullptr;
    std::unique_ptr<redisReader, decltype(&redisReaderFree)> reader;
    NextPass pass;
    QTimer ticker;
    QTimer reconnect;
    LinkState state = LinkState::Down;
    bool started = false;
    qint64 downSince_ms = 0;
    qint64 connectDeadline_ms = 0;
    int reconnect_ms = limits::reconnect_ms_min;
    QByteArray out;
    std::deque<Pending> pending;
    size_t unsent = 0; // the last so many of `pending` stand in `out` still
    std::deque<std::shared_ptr<Call>> held; // scripts that wait for the link, in order
    QByteArray channel;
    std::function<void(QByteArrayView, QByteArrayView)> pushHandler;
};

Link::Private::Private(Link &link, Address where)
    : q(link)
    , address(std::move(where))
    , reader(redisReaderCreate(), &redisReaderFree)
    , pass([this] { flush(); })
    , downSince_ms(Clock::monotonic_ms())
{
    reconnect.setSingleShot(true);
    QObject::connect(&reconnect, &QTimer::timeout, &q, [this] { connectNow(); });
    ticker.setInterval(tick_ms);
    QObject::connect(&ticker, &QTimer::timeout, &q, [this] { tick(); });
}

void Link::Private::connectNow()
{
    setState(LinkState::Connecting);
    connectDeadline_ms = Clock::monotonic_ms() + limits::connect_deadline_ms;
    const auto lost = [this] { drop("The connection to Redis was lost."); };
    if (!address.socketPath.isEmpty()) {
        auto *socket = new QLocalSocket(&q);
        device = socket;
        QObject::connect(socket, &QLocalSocket::connected, &q, [this] { connected(); });
        QObject::connect(socket, &QLocalSocket::disconnected, &q, lost);
        QObject::connect(socket, &QLocalSocket::errorOccurred, &q, lost);
        QObject::connect(socket, &QIODevice::readyRead, &q, [this] { read(); });
        socket->connectToServer(QString::fromUtf8(address.socketPath));
        return;
    }
    auto *socket = new QSslSocket(&q);
    device = socket;
    QObject::connect(socket, &QAbstractSocket::disconnected, &q, lost);
    QObject::connect(socket, &QAbstractSocket::errorOccurred, &q, lost);
    QObject::connect(socket, &QIODevice::readyRead, &q, [this] { read(); });
    if (address.tls) {
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        if (!address.caFile.isEmpty())
            tls.setCaCertificates(QSslCertificate::fromPath(QString::fromUtf8(address.caFile)));
        tls.setPeerVerifyMode(address.verifyPeer ? QSslSocket::VerifyPeer : QSslSocket::VerifyNone);
        socket->setSslConfiguration(tls);
        QObject::connect(socket, &QSslSocket::encrypted, &q, [this] { connected(); });
        socket->connectToHostEncrypted(QString::fromUtf8(address.host), address.port);
    } else {
        QObject::connect(socket, &QAbstractSocket::connected, &q, [this, socket] {
            socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
            connected();
        });
        socket->connectToHost(QString::fromUtf8(address.host), address.port);
    }
}

void Link::Private::connected()
{
    reader.reset(redisReaderCreate());
    if (!address.password.isEmpty())
        handshake(address.user.isEmpty() ? QList<QByteArray>{"AUTH", address.password}
                                         : QList<QByteArray>{"AUTH", address.user, address.password});
    if (address.database != 0)
        handshake({"SELECT", QByteArray::number(address.database)});
    if (!channel.isEmpty()) {
        // The handler hears the subscription's own confirmation too, as a push, and passes over it.
        const char *words[] = {"SUBSCRIBE", channel.constData()};
        const size_t lengths[] = {9, size_t(channel.size())};
        char *command = nullptr;
        const int size = redisFormatCommandArgv(&command, 2, words, lengths);
        flush();
        device->write(command, size);
        free(command);
        setState(LinkState::Up);
        return;
    }
    append({"CLIENT", "SETNAME", "junban"}, [this](Result<Reply> reply) {
        if (!reply.ok() && reply.error().code != ErrorCode::Internal)
            return; // the connection went again
        reconnect_ms = limits::reconnect_ms_min;
        setState(LinkState::Up);
        resume();
    });
    flush();
}

void Link::Private::handshake(QList<QByteArray> words)
{
    append(words, [this, what = words[0]](Result<Reply> reply) {
        if (!reply.ok() && reply.error().code == ErrorCode::Internal) {
            qWarning("redis: %s was refused: %s", what.constData(), reply.error().message.constData());
            later([this] { drop("Redis refused the connection."); });
        }
    });
}

void Link::Private::setState(LinkState next)
{
    if (state == next)
        return;
    if (state == LinkState::Up)
        downSince_ms = Clock::monotonic_ms();
    state = next;
    Q_EMIT q.stateChanged(next);
}

void Link::Private::drop(const char *why)
{
    if (!device)
        return;
    QObject::disconnect(device, nullptr, &q, nullptr);
    device->close();
    device->deleteLater();
    device = nullptr;
    out.clear();
    setState(LinkState::Down);
    if (started) {
        const int jitter_ms = QRandomGenerator::global()->bounded(reconnect_ms / 2 + 1);
        reconnect.start(reconnect_ms + jitter_ms);
        reconnect_ms = std::min(reconnect_ms * 2, limits::reconnect_ms_max);
    }
    const std::deque<Pending> lost = std::move(pending);
    pending.clear();
    const size_t sent = lost.size() - unsent;
    unsent = 0;
    const QPointer<Link> alive(&q);
    for (size_t i = 0; i < lost.size() && alive; ++i)
        lost[i].callback(i < sent ? Error{ErrorCode::Ambiguous, why, {}, 1} : unavailable(why));
}

void Link::Private::append(const QList<QByteArray> &words, Callback<Reply> callback)
{
    QVarLengthArray<const char *, 64> starts(words.size());
    QVarLengthArray<size_t, 64> lengths(words.size());
    for (qsizetype i = 0; i < words.size(); ++i) {
        starts[i] = words[i].constData();
        lengths[i] = size_t(words[i].size());
    }
    char *command = nullptr;
    const int size = redisFormatCommandArgv(&command, int(words.size()), starts.data(), lengths.data());
    out.append(command, size);
    free(command);
    pending.push_back({std::move(callback), Clock::monotonic_ms() + limits::command_deadline_ms});
    ++unsent;
    pass.ask();
}

void Link::Private::flush()
{
    if (!device || out.isEmpty())
        return;
    unsent = 0;
    const QByteArray bytes = std::exchange(out, {});
    device->write(bytes);
    if (auto *socket = qobject_cast<QAbstractSocket *>(device))
        socket->flush();
    else if (auto *local = qobject_cast<QLocalSocket *>(device))
        local->flush();
}

void Link::Private::read()
{
    const QByteArray bytes = device->readAll();
    redisReaderFeed(reader.get(), bytes.constData(), size_t(bytes.size()));
    const QPointer<Link> alive(&q);
    while (alive && device) {
        void *raw = nullptr;
        if (redisReaderGetReply(reader.get(), &raw) != REDIS_OK) {
            drop("Redis sent bytes that are no reply.");
            return;
        }
        if (!raw)
            return;
        const Reply reply(std::shared_ptr<const redisReply>(
            static_cast<redisReply *>(raw), [](const redisReply *r) { freeReplyObject(const_cast<redisReply *>(r)); }));
        if (!pending.empty()) {
            const Callback<Reply> callback = std::move(pending.front().callback);
            pending.pop_front();
            if (reply.isError()) {
                if (reply.view().startsWith("READONLY")) // a demoted primary: look for the new one
                    later([this] { drop("Redis became read-only."); });
                callback(errorOf(reply.view()));
            } else {
                callback(reply);
            }
        } else {
            push(reply);
        }
    }
}

void Link::Private::push(const Reply &reply)
{
    if (reply.size() == 3 && reply[0].view() == "message") {
        if (pushHandler)
            pushHandler(reply[1].view(), reply[2].view());
    } else if (reply.isError()) {
        drop("Redis refused the subscription.");
    } else {
        reconnect_ms = limits::reconnect_ms_min;
    }
}

void Link::Private::tick()
{
    const qint64 now_ms = Clock::monotonic_ms();
    if (state == LinkState::Connecting && now_ms > connectDeadline_ms)
        drop("Redis did not accept the connection in time.");
    else if (!pending.empty() && now_ms > pending.front().deadline_ms)
        drop("Redis did not answer in time.");
    while (!held.empty() && now_ms - held.front()->since_ms > limits::away_ms_max) {
        const std::shared_ptr<Call> call = held.front();
        held.pop_front();
        call->callback(unavailable("Redis cannot be reached."));
    }
}

void Link::Private::attempt(std::shared_ptr<Call> call)
{
    append(call->words, [this, call](Result<Reply> reply) { answered(call, std::move(reply)); });
}

void Link::Private::answered(const std::shared_ptr<Call> &call, Result<Reply> reply)
{
    if (reply.ok()) {
        call->callback(std::move(reply));
        return;
    }
    const Error &error = reply.error();
    if (error.code == ErrorCode::Internal && error.message.contains("NOSCRIPT") && !call->loaded) {
        // Nothing ran; the same bytes under EVAL run and are remembered.
        call->loaded = true;
        QList<QByteArray> words = call->words;
        words[0] = "EVAL";
        words[1] = call->script->text;
        append(words, [this, call](Result<Reply> again) { answered(call, std::move(again)); });
        return;
    }
    const bool again = error.code == ErrorCode::Ambiguous || error.code == ErrorCode::StoreUnavailable
        || (error.code == ErrorCode::StoreReadOnly && error.message.contains("READONLY"));
    if (again)
        holdOrFail(call, error);
    else
        call->callback(error);
}

void Link::Private::holdOrFail(const std::shared_ptr<Call> &call, Error error)
{
    if (Clock::monotonic_ms() - call->since_ms > limits::away_ms_max) {
        if (error.code == ErrorCode::Ambiguous)
            error.code = ErrorCode::StoreUnavailable;
        call->callback(std::move(error));
        return;
    }
    call->loaded = false;
    held.push_back(call);
    if (state == LinkState::Up)
        QTimer::singleShot(limits::reconnect_ms_min, &q, [this] { resume(); });
}

void Link::Private::resume()
{
    while (state == LinkState::Up && !held.empty()) {
        const std::shared_ptr<Call> call = held.front();
        held.pop_front();
        attempt(call);
    }
}

Link::Link(Address address, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(*this, std::move(address)))
{
}

Link::~Link() = default;

void Link::start()
{
    d->started = true;
    d->ticker.start();
    d->connectNow();
}

LinkState Link::state() const
{
    return d->state;
}

qint64 Link::away_ms() const
{
    return d->state == LinkState::Up ? 0 : Clock::monotonic_ms() - d->downSince_ms;
}

int Link::inFlight() const
{
    return int(d->pending.size() + d->held.size());
}

void Link::command(QList<QByteArray> words, Callback<Reply> callback)
{
    if (d->state != LinkState::Up || inFlight() >= limits::commands_in_flight_max) {
        const char *why = d->state == LinkState::Up ? "Too many commands are under way." : "Redis cannot be reached.";
        d->later([callback = std::move(callback), why] { callback(unavailable(why)); });
        return;
    }
    d->append(words, std::move(callback));
}

void Link::run(const Script &script, QList<QByteArray> keys, QList<QByteArray> arguments, Callback<Reply> callback)
{
    const bool away = d->state != LinkState::Up && away_ms() > limits::away_ms_max;
    if (away || inFlight() >= limits::commands_in_flight_max) {
        const char *why = away ? "Redis cannot be reached." : "Too many commands are under way.";
        d->later([callback = std::move(callback), why] { callback(unavailable(why)); });
        return;
    }
    QList<QByteArray> words{"EVALSHA", script.sha1, QByteArray::number(keys.size())};
    words.reserve(3 + keys.size() + arguments.size());
    words.append(std::move(keys));
    words.append(std::move(arguments));
    auto call = std::make_shared<Private::Call>(
        Private::Call{&script, std::move(words), std::move(callback), Clock::monotonic_ms()});
    if (d->state == LinkState::Up)
        d->attempt(std::move(call));
    else
        d->held.push_back(std::move(call));
}

void Link::subscribe(QByteArray channel, std::function<void(QByteArrayView, QByteArrayView)> handler)
{
    d->channel = std::move(channel);
    d->pushHandler = std::move(handler);
}

} // namespace junban::redis
