#include "core/redis/redisstore.h"

#include "core/failuresignature.h"
#include "core/redis/replies.h"

#include <QRandomGenerator>
#include <algorithm>

namespace junban::redis {

namespace {

QByteArray randomHex(int bytes)
{
    QByteArray random(bytes, Qt::Uninitialized);
    for (char &byte : random)
        byte = char(QRandomGenerator::system()->bounded(256));
    return random.toHex();
}

QByteArray number(qint64 value)
{
    return QByteArray::number(value);
}

QByteArray fraction(double value)
{
    return QByteArray::number(value, 'g', 12);
}

} // namespace

class RedisStore::Private
{
public:
    Private(Link &commands, const QByteArray &namespaceName, Clock &theClock, ScriptClock scriptClock);

    // Runs a script; a reply teaches the clock and is made a value by `make`.
    template<typename T, typename Make>
    void run(const Script &script, QList<QByteArray> arguments, Callback<T> callback, Make make)
    {
        link.run(script, {prefix}, std::move(arguments),
            [this, callback = std::move(callback), make, alive = std::weak_ptr(life)](Result<Reply> reply) {
                if (alive.expired())
                    return;
                if (!reply.ok()) {
                    if (reply.error().code == ErrorCode::Internal)
                        qCritical("store: %s", reply.error().message.constData());
                    callback(reply.error());
                    return;
                }
                clock.learn((*reply)[0].integer());
                callback(make(*reply));
            });
    }

    // For verbs whose reply is now, transaction, items.
    template<typename T>
    void runItems(
        const Script &script, QList<QByteArray> arguments, Callback<QList<Result<T>>> callback, Result<T> (*makeItem)(const Reply &))
    {
        run(script, std::move(arguments), std::move(callback), [makeItem](const Reply &reply) -> Result<QList<Result<T>>> {
            QList<Result<T>> items;
            const Reply rows = reply[2];
            items.reserve(rows.size());
            for (qsizetype i = 0; i < rows.size(); ++i)
                items.append(makeItem(rows[i]));
            return items;
        });
    }

    // A place for a claim call's nonce that no other call under way uses.
    int takeSlot();
    static QByteArray idempotencyHash(const EnqueueItem &item);

    Link &link;
    Clock &clock;
    QByteArray prefix;
    QByteArray engine = randomHex(8);
    QList<bool> usedSlots;
    std::function<void(const Hints &)> hintHandler;
    std::shared_ptr<int> life = std::make_shared<int>();
    Script enqueue, finish, heartbeat, release, cancel, retry, sweep, takeResult, get, page, counts, names, probe;
};

RedisStore::Private::Private(Link &commands, const QByteArray &namespaceName, Clock &theClock, ScriptClock scriptClock)
    : link(commands)
    , clock(theClock)
    , prefix("jq:{" + namespaceName + "}:")
    , enqueue(makeScript("enqueue", scriptClock))
    , finish(makeScript("finish", scriptClock))
    , heartbeat(makeScript("heartbeat", scriptClock))
    , release(makeScript("release", scriptClock))
    , cancel(makeScript("cancel", scriptClock))
    , retry(makeScript("retry", scriptClock))
    , sweep(makeScript("sweep", scriptClock))
    , takeResult(makeScript("take_result", scriptClock))
    , get(makeScript("get", scriptClock))
    , page(makeScript("page", scriptClock))
    , counts(makeScript("counts", scriptClock))
    , names(makeScript("names", scriptClock))
    , probe(makeScript("probe", scriptClock))
{
}

int RedisStore::Private::takeSlot()
{
    const qsizetype free = usedSlots.indexOf(false);
    if (free < 0) {
        usedSlots.append(true);
        return int(usedSlots.size()) - 1;
    }
    usedSlots[free] = true;
    return int(free);
}

QByteArray RedisStore::Private::idempotencyHash(const EnqueueItem &item)
{
    if (item.spec.idempotencyKey.isEmpty())
        return {};
    return item.owner + '\0' + item.spec.idempotencyKey;
}

RedisStore::RedisStore(Link &commands, Link *hints, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock)
    : d(std::make_unique<Private>(commands, namespaceName, clock, scriptClock))
{
    if (!hints)
        return;
    hints->subscribe(d->prefix + "hint", [p = d.get(), alive = std::weak_ptr(d->life)](QByteArrayView, QByteArrayView message) {
        if (alive.expired() || !p->hintHandler)
            return;
        const Hints heard = hintsOf(message, p->engine);
        if (!heard.readyNames.isEmpty() || !heard.finished.isEmpty())
            p->hintHandler(heard);
    });
}

RedisStore::~RedisStore() = default;

bool RedisStore::validNamespace(const QByteArray &name)
{
    return !name.isEmpty() && name.size() <= 64 && std::all_of(name.cbegin(), name.cend(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    });
}

void RedisStore::enqueue(QList<EnqueueItem> items, Callback<QList<Result<Enqueued>>> callback)
{
    QList<QByteArray> arguments{d->engine};
    arguments.reserve(1 + 6 * items.size());
    for (const EnqueueItem &item : std::as_const(items)) {
        const QByteArray idempotency = Private::idempotencyHash(item);
        arguments << item.id.bytes() << packRecord(item.spec) << number(item.spec.runAt_ms.value_or(0)) << number(item.spec.delay_ms)
                  << idempotency << (idempotency.isEmpty() ? QByteArray() : item.spec.fingerprint());
    }
    d->runItems<Enqueued>(d->enqueue, std::move(arguments), std::move(callback), enqueuedOf);
}

void RedisStore::finishAndClaim(QList<FinishItem> items, QList<ClaimRequest> claims, Callback<FinishAndClaimReply> callback)
{
    const int slot = d->takeSlot();
    QList<QByteArray> arguments{d->engine, number(slot), randomHex(8), number(items.size()), number(claims.size())};
    arguments.reserve(5 + 10 * items.size() + 4 * claims.size());
    for (const FinishItem &item : std::as_const(items)) {
        const Outcome &outcome = item.outcome;
        const bool success = outcome.type == OutcomeType::Success;
        arguments << item.id.bytes() << item.lease << (success ? "s" : "f") << outcome.packed() << (outcome.shouldRetry ? "1" : "0")
                  << number(outcome.retryAfter_ms.value_or(0)) << fraction(item.jitter) << outcome.message
                  << failureReasonWord(outcome.reason) << (success ? QByteArray() : normalisedFailure(outcome.message));
    }
    for (const ClaimRequest &claim : std::as_const(claims)) {
        arguments << claim.worker << number(claim.limit) << number(claim.lease_ms) << number(claim.names.size());
        arguments << claim.names;
    }
    const qsizetype reports = items.size();
    const Callback<FinishAndClaimReply> freeing = [this, slot, alive = std::weak_ptr(d->life), callback = std::move(callback)](
                                                      Result<FinishAndClaimReply> reply) {
        if (!alive.expired())
            d->usedSlots[slot] = false;
        callback(std::move(reply));
    };
    d->run(d->finish, std::move(arguments), freeing, [reports, count = claims.size()](const Reply &reply) {
        FinishAndClaimReply answer;
        for (qsizetype i = 0; i < reports; ++i)
            answer.finished.append(finishedOf(reply[2][i]));
        for (qsizetype i = 0; i < count; ++i)
            answer.claimed.append(claimedOf(reply[3][i]));
        return Result<FinishAndClaimReply>(std::move(answer));
    });
}

void RedisStore::heartbeat(QList<HeartbeatItem> items, Callback<QList<Result<Heartbeat>>> callback)
{
    QList<QByteArray> arguments{d->engine};
    for (const HeartbeatItem &item : std::as_const(items)) {
        arguments << item.id.bytes() << item.lease;
        if (item.progress)
            arguments << fraction(item.progress->done) << fraction(item.progress->total) << item.progress->message;
        else
            arguments << QByteArray() << QByteArray() << QByteArray();
    }
    d->runItems<Heartbeat>(d->heartbeat, std::move(arguments), std::move(callback), heartbeatOf);
}

void RedisStore::release(QList<ReleaseItem> items, Callback<QList<Result<StateNow>>> callback)
{
    QList<QByteArray> arguments{d->engine};
    for (const ReleaseItem &item : std::as_const(items))
        arguments << item.id.bytes() << item.lease << number(item.delay_ms) << fraction(item.jitter) << (item.untouched ? "1" : "0");
    d->runItems<StateNow>(d->release, std::move(arguments), std::move(callback), stateNowOf);
}

void RedisStore::cancel(QList<CancelItem> items, Callback<QList<Result<StateNow>>> callback)
{
    QList<QByteArray> arguments{d->engine};
    for (const CancelItem &item : std::as_const(items))
        arguments << item.id.bytes() << (item.force ? "1" : "0");
    d->runItems<StateNow>(d->cancel, std::move(arguments), std::move(callback), stateNowOf);
}

void RedisStore::retry(QList<JobId> ids, Callback<QList<Result<StateNow>>> callback)
{
    QList<QByteArray> arguments{d->engine};
    for (const JobId &id : std::as_const(ids))
        arguments << id.bytes();
    d->runItems<StateNow>(d->retry, std::move(arguments), std::move(callback), stateNowOf);
}

void RedisStore::sweep(Callback<Swept> callback)
{
    const QByteArray jitter = fraction(QRandomGenerator::global()->generateDouble());
    d->run(d->sweep, {d->engine, jitter}, std::move(callback), [](const Reply &reply) { return Result<Swept>(sweptOf(reply)); });
}

void RedisStore::takeResult(JobId id, QByteArray receipt, Callback<ResultNow> callback)
{
    const auto make = [](const Reply &reply) { return Result<ResultNow>(resultNowOf(reply)); };
    d->run(d->takeResult, {id.bytes(), std::move(receipt), "0"}, std::move(callback), make);
}

void RedisStore::peekResult(JobId id, Callback<ResultNow> callback)
{
    const auto make = [](const Reply &reply) { return Result<ResultNow>(resultNowOf(reply)); };
    d->run(d->takeResult, {id.bytes(), QByteArray(), "1"}, std::move(callback), make);
}

void RedisStore::get(JobId id, Callback<Job> callback)
{
    d->run(d->get, {id.bytes()}, std::move(callback), [id](const Reply &reply) { return jobOf(id, reply); });
}

void RedisStore::page(PageRequest request, Callback<Page> callback)
{
    QList<QByteArray> arguments{number(int(request.state)), number(request.limit), request.name};
    if (request.after)
        arguments << "1" << QByteArray::number(request.after->first, 'g', 17) << request.after->second.bytes();
    else
        arguments << "0" << QByteArray() << QByteArray();
    arguments << number(limits::page_record_bytes_max);
    if (request.state == JobState::Depends || request.state == JobState::Awaiting) {
        QMetaObject::invokeMethod(&d->link, [callback = std::move(callback)] { callback(Page{}); }, Qt::QueuedConnection);
        return;
    }
    d->run(d->page, std::move(arguments), std::move(callback),
        [state = request.state](const Reply &reply) { return Result<Page>(pageOf(reply, state)); });
}

void RedisStore::counts(Callback<Counts> callback)
{
    d->run(d->counts, {}, std::move(callback), [](const Reply &reply) { return Result<Counts>(countsOf(reply)); });
}

void RedisStore::names(int limit, QByteArray after, Callback<QList<NameCounts>> callback)
{
    const auto make = [](const Reply &reply) { return Result<QList<NameCounts>>(namesOf(reply)); };
    d->run(d->names, {number(limit), std::move(after)}, std::move(callback), make);
}

void RedisStore::probe(Callback<Done> callback)
{
    d->run(d->probe, {}, std::move(callback), [](const Reply &) { return Result<Done>(Done{}); });
}

void RedisStore::setHintHandler(std::function<void(const Hints &)> handler)
{
    d->hintHandler = std::move(handler);
}

} // namespace junban::redis
