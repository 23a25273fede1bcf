#include "core/redis/link.h"

#include "core/base/clock.h"
#include "core/base/reasons/store.h"
#include "core/limits.h"
#include "core/redis/calls.h"
#include "core/redis/connection.h"
#include "core/redis/permissions.h"
#include "core/redis/replication.h"
#include "core/redis/sentinels.h"
#include "core/redis/trouble.h"

#include <QPointer>
#include <QRandomGenerator>
#include <QTimer>
#include <algorithm>

namespace junban::redis {

namespace {

constexpr int tick_ms = 100;
constexpr qint64 steady_ms = 1'000;      // after a connection that held this long, reconnecting begins with short pauses again
constexpr int redirects_max = 5;         // redirects in a row that are followed without a pause
constexpr qsizetype candidates_max = 64;
constexpr qint64 sentinelLook_ms = 500;          // how often the Sentinels are asked whether the primary is still the same
constexpr qint64 quiet_ms = 5'000;       // a subscription that has heard nothing for this long sends a PING

Error unavailable(Error why)
{
    return retryAfter(std::move(why), 1);
}

} // namespace

class Link::Private
{
public:
    Private(Link &link, Address where);

    void connectNow();
    void openTo(const Endpoint &at);
    void greet();
    void must(const QList<QByteArray> &words);
    void askRole();
    void askHome();
    void askPermissions();
    bool isStill(const Agreement &agreement);
    void learnNodes(const Reply &table);
    void up();
    void refuse(const Error &reason);
    void redirect(const Endpoint &to);
    void elsewhere(Trouble trouble, QByteArrayView error);
    enum class Pause { Usual, None };
    void send(const QList<QByteArray> &words, Callback<Reply> callback);
    void drop(const Error &reason, Pause pause = Pause::Usual);
    void again(Pause pause);
    void setState(LinkState next);
    void push(const Reply &reply);
    void tick();
    void later(std::function<void()> function) { QMetaObject::invokeMethod(&q, std::move(function), Qt::QueuedConnection); }

    Link &q;
    Address address;
    QByteArray home;
    QByteArray permissionsOf;   // the prefix of the keys they are needed for; empty: they are not asked for
    std::unique_ptr<Sentinels> sentinels;
    qint64 epoch = 0;           // of the Sentinels' agreement that led to this connection
    qint64 looked_ms = 0;       // when the Sentinels were last asked
    Connection *connection = nullptr;
    QTimer ticker;
    QTimer reconnect;
    Calls calls;
    LinkState state = LinkState::Down;
    std::shared_ptr<Timings> times; // none: nobody wants them
    bool started = false;
    qint64 downSince_ms = 0;
    qint64 upSince_ms = 0;
    int reconnect_ms = limits::reconnect_ms_min;
    QList<Endpoint> candidates; // without Sentinels: the servers to try, in turn
    qsizetype candidate = 0;
    int redirects = 0;
    Error why = unavailable(reasons::redisUnreachable());
    QByteArray said;            // the last refusal that was logged
    std::optional<Endpoint> last; // the last server that was up
    QByteArray channel;
    std::function<void(QByteArrayView, QByteArrayView)> pushHandler;
    qint64 heard_ms = 0;
    bool asked = false;         // a PING was sent because of quiet_ms
};

Link::Private::Private(Link &link, Address where)
    : q(link)
    , address(std::move(where))
    , calls(link,
          {[this] { return state == LinkState::Up; },
              [this](const QList<QByteArray> &words, Callback<Reply> callback) { send(words, std::move(callback)); },
              [this](Trouble trouble, QByteArrayView error) { elsewhere(trouble, error); }})
    , downSince_ms(Clock::monotonic_ms())
    , candidates(address.endpoints)
{
    reconnect.setSingleShot(true);
    QObject::connect(&reconnect, &QTimer::timeout, &q, [this] { connectNow(); });
    ticker.setInterval(tick_ms);
    QObject::connect(&ticker, &QTimer::timeout, &q, [this] { tick(); });
    if (!address.sentinelName.isEmpty())
        sentinels = std::make_unique<Sentinels>(address, &q);
}

void Link::Private::connectNow()
{
    setState(LinkState::Connecting);
    if (!sentinels) {
        openTo(candidates[candidate]);
        return;
    }
    sentinels->ask([this](const Result<Agreement> &agreement) {
        if (!agreement.ok()) {
            refuse(agreement.error());
            return;
        }
        epoch = agreement->epoch;
        openTo(agreement->primary);
    });
}

// Whether the connection is to the agreed primary. If it is not, it is closed.
bool Link::Private::isStill(const Agreement &agreement)
{
    const bool still = connection && agreement.primary == connection->endpoint() && agreement.epoch == epoch;
    if (connection && !still)
        drop(reasons::redisPrimaryChanged(), Pause::None);
    return still;
}

void Link::Private::openTo(const Endpoint &at)
{
    connection = new Connection(at, address, &q);
    QObject::connect(connection, &Connection::opened, &q, [this] { greet(); });
    QObject::connect(connection, &Connection::lost, &q, [this](const Error &reason) { drop(reason); });
    QObject::connect(connection, &Connection::pushed, &q, [this](const Reply &reply) { push(reply); });
    connection->open();
}

// Sends all commands of the greeting at once. A refusal closes the connection, so when the last reply comes, all commands have succeeded.
void Link::Private::greet()
{
    if (!address.password.isEmpty())
        must(address.user.isEmpty() ? QList<QByteArray>{"AUTH", address.password}
                                    : QList<QByteArray>{"AUTH", address.user, address.password});
    if (address.database != 0)
        must({"SELECT", QByteArray::number(address.database)});
    if (sentinels)
        askRole();
    if (!home.isEmpty() && address.endpoints.first().socketPath.isEmpty())
        askHome();
    if (!permissionsOf.isEmpty())
        askPermissions();
    connection->send({"CLIENT", "SETNAME", "junban"}, [this](const Result<Reply> &reply) {
        if (!reply.ok())
            return; // the connection has ended
        if (reply->isError() && troubleOf(reply->view()) == Trouble::NotAllowed && reply->view().startsWith("NOAUTH"))
            refuse(reasons::redisNeedsPassword(reply->view()));
        else if (channel.isEmpty())
            up();
        else
            connection->sendPushing({"SUBSCRIBE", channel});
    });
}

void Link::Private::must(const QList<QByteArray> &words)
{
    connection->send(words, [this, what = words[0]](const Result<Reply> &reply) {
        if (reply.ok() && reply->isError())
            refuse(reasons::redisRefusedCommand(what, reply->view()));
    });
}

// The server that the Sentinels agree on may not know yet that it is the primary, or may be a replica again.
void Link::Private::askRole()
{
    connection->send({"ROLE"}, [this](const Result<Reply> &reply) {
        if (reply.ok() && (*reply)[0].view() != "master")
            refuse(reasons::redisNotPrimary());
    });
}

void Link::Private::askHome()
{
    connection->send({"CLUSTER", "SLOTS"}, [this](const Result<Reply> &reply) {
        if (reply.ok())
            learnNodes(*reply);
    });
    connection->send({"EXISTS", home}, [this](const Result<Reply> &reply) {
        if (!reply.ok() || !reply->isError())
            return;
        const std::optional<Endpoint> to = movedTo(reply->view(), connection->endpoint());
        if (troubleOf(reply->view()) == Trouble::Moved && to)
            redirect(*to);
        else if (reply->view().startsWith("CLUSTERDOWN"))
            refuse(reasons::redisSays(reply->view()));
    });
}

void Link::Private::askPermissions()
{
    const QList<QByteArray> words{"EVAL", permissionsScript().text(), "1", permissionsOf};
    connection->send(words + permissionsAsked(Need::Must), [this](const Result<Reply> &reply) {
        if (!reply.ok())
            return;
        const bool denied = reply->isError() && troubleOf(reply->view()) == Trouble::NotAllowed;
        if (denied && !reply->view().startsWith("NOAUTH"))
            refuse(reasons::redisEvalNotPermitted(reply->view()));
        else if (!reply->isError() && reply->size() > 0)
            refuse(reasons::redisCommandsNotPermitted(notPermitted(*reply)));
    });
}

// Remembers the other nodes, to try them when this one has gone. Each entry: first slot, last slot, then nodes {host, port, …}.
void Link::Private::learnNodes(const Reply &table)
{
    QList<Endpoint> known{connection->endpoint()};
    const auto add = [&known](const Endpoint &endpoint) {
        if (known.size() < candidates_max && !known.contains(endpoint))
            known.append(endpoint);
    };
    for (qsizetype i = 0; i < table.size(); ++i) {
        for (qsizetype j = 2; j < table[i].size(); ++j) {
            const QByteArray host = table[i][j][0].bytes();
            add(Endpoint{host.isEmpty() ? connection->endpoint().host : host, quint16(table[i][j][1].integer())});
        }
    }
    if (known.size() == 1)
        return; // it is not a cluster
    for (const Endpoint &endpoint : std::as_const(address.endpoints))
        add(endpoint);
    candidates = known;
    candidate = 0;
}

void Link::Private::up()
{
    redirects = 0;
    upSince_ms = heard_ms = Clock::monotonic_ms();
    asked = false;
    said.clear();
    if (last && *last != connection->endpoint())
        qInfo("redis: now at %s", connection->endpoint().text().constData());
    last = connection->endpoint();
    setState(LinkState::Up);
    calls.resume();
}

void Link::Private::refuse(const Error &reason)
{
    if (said != reason.message())
        qWarning("redis: %s", reason.message().constData());
    said = reason.message();
    drop(reason);
}

void Link::Private::redirect(const Endpoint &to)
{
    candidates.removeAll(to);
    candidates.prepend(to);
    while (candidates.size() > candidates_max)
        candidates.removeLast();
    const Pause pause = redirects++ < redirects_max ? Pause::None : Pause::Usual;
    drop(reasons::redisKeyElsewhere(), pause);
    candidate = 0;
}

// Leaves this server, after the replies that came together with this one have been handled.
void Link::Private::elsewhere(Trouble trouble, QByteArrayView error)
{
    const std::optional<Endpoint> to = trouble == Trouble::Moved ? movedTo(error, connection->endpoint()) : std::nullopt;
    later([this, to, told = errorOf(error), of = QPointer(connection)] {
        if (!of || of != connection)
            return;
        if (to)
            redirect(*to);
        else
            drop(reasons::redisBecameReadonly());
        why = told;
    });
}

// A connection that has carried a reply was good: when it is lost, reconnecting begins with short pauses.
void Link::Private::send(const QList<QByteArray> &words, Callback<Reply> callback)
{
    connection->send(words, [this, callback = std::move(callback)](Result<Reply> reply) {
        if (reply.ok() && !reply->isError())
            reconnect_ms = limits::reconnect_ms_min;
        callback(std::move(reply));
    });
}

void Link::Private::drop(const Error &reason, Pause pause)
{
    why = unavailable(reason);
    if (state == LinkState::Up && Clock::monotonic_ms() - upSince_ms > steady_ms)
        reconnect_ms = limits::reconnect_ms_min;
    else if (state != LinkState::Up)
        candidate = (candidate + 1) % candidates.size();
    Connection *const old = std::exchange(connection, nullptr);
    setState(LinkState::Down);
    if (started)
        again(pause);
    if (!old)
        return;
    old->deleteLater();
    old->close(why);
}

void Link::Private::again(Pause pause)
{
    if (pause == Pause::None) {
        reconnect.start(0);
        return;
    }
    const int jitter_ms = QRandomGenerator::global()->bounded(reconnect_ms / 2 + 1);
    reconnect.start(reconnect_ms + jitter_ms);
    // Sentinels are asked more often than a server is tried: they may have chosen another primary.
    reconnect_ms = std::min(reconnect_ms * 2, sentinels ? int(sentinelLook_ms) : limits::reconnect_ms_max);
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

void Link::Private::push(const Reply &reply)
{
    heard_ms = Clock::monotonic_ms();
    asked = false;
    if (reply.size() == 3 && reply[0].view() == "message") {
        if (pushHandler)
            pushHandler(reply[1].view(), reply[2].view());
    } else if (reply.isError()) {
        refuse(reasons::redisRefusedSubscription(reply.view()));
    } else if (reply[0].view() == "subscribe") {
        up();
    }
}

void Link::Private::tick()
{
    const qint64 now_ms = Clock::monotonic_ms();
    if (sentinels)
        sentinels->tick(now_ms);
    if (sentinels && state == LinkState::Up && now_ms - looked_ms >= sentinelLook_ms) {
        looked_ms = now_ms;
        sentinels->ask([this, of = QPointer(connection)](const Result<Agreement> &agreement) {
            if (agreement.ok() && of && of == connection)
                isStill(*agreement);
        });
    }
    if (connection)
        connection->tick(now_ms);
    if (state == LinkState::Up && !channel.isEmpty() && now_ms - heard_ms > quiet_ms) {
        if (now_ms - heard_ms > 2 * quiet_ms)
            drop(reasons::redisSilent());
        else if (!std::exchange(asked, true))
            connection->sendPushing({"PING"});
    }
    calls.tick(now_ms, why);
}

Link::Link(Address address, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(*this, std::move(address)))
{
}

Link::~Link() = default;

void Link::setHome(QByteArray key)
{
    d->home = std::move(key);
}

void Link::needPermissions(QByteArray prefix)
{
    d->permissionsOf = std::move(prefix);
}

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
    return d->state == LinkState::Up ? d->calls.gated_ms() : Clock::monotonic_ms() - d->downSince_ms;
}

int Link::inFlight() const
{
    return (d->connection ? d->connection->pending() : 0) + d->calls.waiting();
}

Endpoint Link::endpoint() const
{
    return d->connection ? d->connection->endpoint() : d->last.value_or(d->candidates[d->candidate]);
}

void Link::askSuccessors(Callback<Successors> callback)
{
    if (d->state == LinkState::Up && d->sentinels) {
        d->sentinels->ask([p = d.get(), of = QPointer(d->connection), callback = std::move(callback)](const Result<Agreement> &agreement) {
            if (!agreement.ok())
                callback(agreement.error());
            else if (!of || of != p->connection || !p->isStill(*agreement))
                callback(unavailable(reasons::redisPrimaryChanged()));
            else
                callback(Successors{Successors::Chooser::Sentinels, agreement->others, agreement->never});
        });
    } else {
        command({"INFO", "cluster"}, [this, callback = std::move(callback)](const Result<Reply> &info) {
            if (!info.ok())
                callback(info.error());
            else if (info->bytes().contains("cluster_enabled:1"))
                askCluster(callback);
            else
                callback(Successors());
        });
    }
}

void Link::askCluster(Callback<Successors> callback)
{
    command({"CLUSTER", "NODES"}, [callback = std::move(callback)](const Result<Reply> &nodes) {
        if (nodes.ok())
            callback(successorsInCluster(nodes->bytes()));
        else
            callback(nodes.error());
    });
}

void Link::command(QList<QByteArray> words, Callback<Reply> callback)
{
    if (d->state != LinkState::Up || inFlight() >= limits::commands_in_flight_max) {
        const Error why = d->state == LinkState::Up ? unavailable(reasons::storeTooManyCommands()) : d->why;
        d->later([callback = std::move(callback), why] { callback(why); });
        return;
    }
    d->connection->send(words, [p = d.get(), callback = std::move(callback)](const Result<Reply> &reply) {
        if (!reply.ok() || !reply->isError()) {
            callback(reply);
            return;
        }
        const Trouble trouble = troubleOf(reply->view());
        if (p->connection && (trouble == Trouble::NotPrimary || trouble == Trouble::Moved))
            p->elsewhere(trouble, reply->view());
        callback(errorOf(reply->view()));
    });
}

void Link::setTimes(std::shared_ptr<Timings> times)
{
    d->times = std::move(times);
}

void Link::run(const Script &script, QList<QByteArray> keys, QList<QByteArray> arguments, Callback<Reply> callback)
{
    std::optional<Error> refusal;
    if (inFlight() >= limits::commands_in_flight_max)
        refusal = unavailable(reasons::storeTooManyCommands());
    else if (d->state != LinkState::Up && away_ms() > limits::away_ms_max)
        refusal = d->why;
    else if (d->calls.gated_ms() > limits::away_ms_max && d->calls.waiting() > 0)
        refusal = d->calls.gatedWhy();
    if (refusal) {
        d->later([callback = std::move(callback), error = *refusal] { callback(error); });
        return;
    }
    if (d->times) {
        callback = [times = d->times, name = script.function.script, begun_s = Timings::now_s(), told = std::move(callback)](
                       const Result<Reply> &reply) {
            times->add(name, Timings::now_s() - begun_s);
            told(reply);
        };
    }
    d->calls.run(script, std::move(keys), std::move(arguments), std::move(callback));
}

void Link::subscribe(QByteArray channel, std::function<void(QByteArrayView, QByteArrayView)> handler)
{
    d->channel = std::move(channel);
    d->pushHandler = std::move(handler);
}

} // namespace junban::redis
