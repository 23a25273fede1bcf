#include "core/redis/redisstore.h"

#include "core/base/reasons/store.h"
#include "core/jobs/failuresignature.h"
#include "core/lua/schema.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/redis/caller.h"
#include "core/redis/lanepieces.h"
#include "core/redis/numbers.h"
#include "core/redis/randomhex.h"
#include "core/redis/replies.h"

#include <QCryptographicHash>
#include <QRandomGenerator>
#include <algorithm>

namespace junban::redis {

namespace {

// Appends type, object, should_retry, retry_after, jitter, message (its beginning is kept), reason, and the normalised message.
void appendOutcome(QList<QByteArray> &arguments, const Outcome &outcome, double jitter)
{
    arguments << (outcome.type == OutcomeType::Success ? "s" : "f") << outcome.packed() << (outcome.shouldRetry ? "1" : "0")
              << number(outcome.retryAfter_ms.value_or(0)) << fraction(jitter) << headedFailure(outcome.message)
              << failureReasonWord(outcome.reason)
              << (outcome.type == OutcomeType::Success ? QByteArray() : normalisedFailure(outcome.message));
}

// A message key as part of a Redis key, which never has a user's own string.
QByteArray messageHash(const QByteArray &key)
{
    return QCryptographicHash::hash(key, QCryptographicHash::Sha1).toHex();
}

} // namespace

template<typename T>
QList<Result<T>> itemsOf(const Reply &rows, Result<T> (*makeItem)(const Reply &))
{
    QList<Result<T>> items;
    items.reserve(rows.size());
    for (qsizetype i = 0; i < rows.size(); ++i)
        items.append(makeItem(rows[i]));
    return items;
}

class RedisStore::Private : public Caller
{
public:
    Private(RedisStore &owner, Link &commands, const QByteArray &namespaceName, Clock &theClock, ScriptClock scriptClock);

    // For the reply of a call that may change something: notes its transaction (second part), and gives its hints (last part) to the
    // requests that wait at this engine.
    void tell(const Reply &reply)
    {
        transactions.note(reply[1].integer());
        if (!hintHandler)
            return;
        const Hints told = hintsOf(reply[reply.size() - 1]);
        if (told.any())
            hintHandler(told);
    }

    // For verbs whose reply is now, transaction, items, hints.
    template<typename T>
    void runItems(
        const Script &script, QList<QByteArray> arguments, Callback<QList<Result<T>>> callback, Result<T> (*makeItem)(const Reply &))
    {
        run(script, std::move(arguments), std::move(callback), [this, makeItem](const Reply &reply) -> Result<QList<Result<T>>> {
            tell(reply);
            return itemsOf<T>(reply[2], makeItem);
        });
    }

    // For verbs whose reply is now, transaction, one item, hints.
    template<typename T>
    void runOne(const Script &script, QList<QByteArray> arguments, Callback<T> callback, Result<T> (*make)(const Reply &))
    {
        run(script, std::move(arguments), std::move(callback), [this, make](const Reply &reply) {
            tell(reply);
            return make(reply[2]);
        });
    }
    void enqueueAt(QList<EnqueueItem> items, int triesLeft, Callback<QList<Result<Enqueued>>> callback);
    void readAgain(const Reply &stale, std::function<void(const Result<Done> &)> then);

    // Reports and claims, in as many calls as the claims take.
    struct Claiming {
        QList<ClaimRequest> claims;
        QList<qsizetype> left;      // the places of those that have no jobs yet
        FinishAndClaimReply answer;
        Callback<FinishAndClaimReply> callback;
        bool begun = false;         // the first call is done, so the reports are
    };
    using ClaimingPtr = std::shared_ptr<Claiming>;
    void claim(const ClaimingPtr &claiming, const QList<FinishItem> &items);
    void claimed(const ClaimingPtr &claiming, Result<FinishAndClaimReply> reply, const std::optional<Reply> &stale);

    void putBack(const QList<Unusable> &unusable);
    // A slot for the nonce of a claim call that no other call under way uses.
    int takeSlot();
    static QByteArray idempotencyHash(const EnqueueItem &item);

    RedisStore &store;
    RollbackNotice::Watch transactions;
    QByteArray engine = randomHex(8);
    QList<bool> usedSlots;
    std::function<void(const Hints &)> hintHandler;
    Classifier *classifier = nullptr;
    UnreadableRecords *records = nullptr;
    Script enqueue, finish, heartbeat, release, cancel, retry, handOff, message, edit, editAtAnyTime, group, setWindows, relane, sweep,
        takeResult, get, page, rows, counts, names, asked, probe;
};

RedisStore::Private::Private(
    RedisStore &owner, Link &commands, const QByteArray &namespaceName, Clock &theClock, ScriptClock scriptClock)
    : Caller(commands, namespaceName, theClock, "store", Mends::Jobs)
    , store(owner)
    , enqueue(makeScript("enqueue", scriptClock))
    , finish(makeScript("finish", scriptClock))
    , heartbeat(makeScript("heartbeat", scriptClock))
    , release(makeScript("release", scriptClock))
    , cancel(makeScript("cancel", scriptClock))
    , retry(makeScript("retry", scriptClock))
    , handOff(makeScript("handoff", scriptClock))
    , message(makeScript("message", scriptClock))
    , edit(makeScript("edit", scriptClock))
    , editAtAnyTime(makeScript("edit", scriptClock, WhenFull::Runs))
    , group(makeScript("group", scriptClock))
    , setWindows(makeScript("set_windows", scriptClock))
    , relane(makeScript("relane", scriptClock))
    , sweep(makeScript("sweep", scriptClock))
    , takeResult(makeScript("take_result", scriptClock))
    , get(makeScript("get", scriptClock))
    , page(makeScript("page", scriptClock))
    , rows(makeScript("rows", scriptClock))
    , counts(makeScript("counts", scriptClock))
    , names(makeScript("names", scriptClock))
    , asked(makeScript("asked", scriptClock))
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
    : d(std::make_unique<Private>(*this, commands, namespaceName, clock, scriptClock))
{
    if (!hints)
        return;
    hints->subscribe(d->prefix + key::hint, [p = d.get(), alive = std::weak_ptr(d->life)](QByteArrayView, QByteArrayView message) {
        if (alive.expired() || !p->hintHandler)
            return;
        if (const Hints heard = hintsOf(message, p->engine); heard.any())
            p->hintHandler(heard);
    });
}

RedisStore::~RedisStore() = default;

void RedisStore::setClassifier(Classifier *classifier)
{
    d->classifier = classifier;
}

void RedisStore::setUnreadableRecords(UnreadableRecords *records)
{
    d->records = records;
}

void RedisStore::setRollbackNotice(RollbackNotice *notice)
{
    d->transactions = RollbackNotice::Watch(notice);
}

bool RedisStore::validNamespace(const QByteArray &name)
{
    return !name.isEmpty() && name.size() <= limits::namespace_bytes_max && std::all_of(name.cbegin(), name.cend(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    });
}

void RedisStore::enqueue(QList<EnqueueItem> items, Callback<QList<Result<Enqueued>>> callback)
{
    d->enqueueAt(std::move(items), limits::epoch_tries_max, std::move(callback));
}

void RedisStore::Private::enqueueAt(QList<EnqueueItem> items, int triesLeft, Callback<QList<Result<Enqueued>>> callback)
{
    QList<QByteArray> arguments{engine, number(classifier ? classifier->epoch() : 0)};
    arguments.reserve(2 + 9 * items.size());
    const qint64 now_ms = clock.now_ms();
    for (const EnqueueItem &item : std::as_const(items)) {
        const QByteArray idempotency = Private::idempotencyHash(item);
        const ReadJob read = readBy(classifier, item.spec);
        arguments << item.id.bytes() << packRecord(read.spec) << number(item.spec.runAt_ms.value_or(0)) << number(item.spec.delay_ms)
                  << idempotency << (idempotency.isEmpty() ? QByteArray() : item.spec.fingerprint()) << packOptions(item.spec, now_ms)
                  << packBuckets(read.buckets) << item.owner;
    }
    const auto ready = [this, items = std::move(items), triesLeft, callback = std::move(callback)](
                           Result<QList<Result<Enqueued>>> enqueued) {
        if (enqueued.ok() || enqueued.error().code != ErrorCode::RevisionMismatch || triesLeft == 0 || !classifier) {
            callback(std::move(enqueued));
            return;
        }
        classifier->reload([this, items, triesLeft, callback, alive = std::weak_ptr(life)](const Result<Done> &loaded) {
            if (alive.expired())
                return;
            if (loaded.ok())
                enqueueAt(items, triesLeft - 1, callback);
            else
                callback(loaded.error());
        });
    };
    run(enqueue, std::move(arguments), Callback<QList<Result<Enqueued>>>(ready),
        [this](const Reply &reply) -> Result<QList<Result<Enqueued>>> {
            if (reply[2].kind() != Reply::Kind::Array)
                return reasons::matchersChanging();
            tell(reply);
            QList<Result<Enqueued>> made = itemsOf<Enqueued>(reply[2], enqueuedOf);
            for (qsizetype i = 0; classifier && i < made.size(); ++i) {
                if (!made[i].ok() && made[i].error().code == ErrorCode::BacklogFull)
                    made[i] = backlogFull(reply[2][i].view(), *classifier);
            }
            return made;
        });
}

void RedisStore::finishAndClaim(QList<FinishItem> items, QList<ClaimRequest> claims, Callback<FinishAndClaimReply> callback)
{
    auto claiming = std::make_shared<Private::Claiming>();
    for (qsizetype place = 0; place < claims.size(); ++place)
        claiming->left.append(place);
    claiming->answer.claimed.resize(claims.size());
    claiming->claims = std::move(claims);
    claiming->callback = std::move(callback);
    d->claim(claiming, items);
}

// One call of the script, for the claims that are left.
void RedisStore::Private::claim(const ClaimingPtr &claiming, const QList<FinishItem> &items)
{
    const int slot = takeSlot();
    const qsizetype reports = items.size(), count = claiming->left.size();
    QList<QByteArray> arguments{engine, number(slot), randomHex(8), number(reports), number(count)};
    arguments.reserve(5 + 10 * reports + 6 * count);
    for (const FinishItem &item : items) {
        arguments << item.id.bytes() << item.lease;
        appendOutcome(arguments, item.outcome, item.jitter);
    }
    for (const qsizetype place : std::as_const(claiming->left)) {
        const ClaimRequest &claim = claiming->claims[place];
        arguments << claim.worker << number(claim.limit) << number(claim.lease_ms) << claim.token << (claim.served ? "1" : "0")
                  << number(claim.names.size());
        arguments << claim.names;
    }
    auto stale = std::make_shared<std::optional<Reply>>(); // has a value when the call reached a bound
    const Callback<FinishAndClaimReply> ready = [this, slot, claiming, stale](Result<FinishAndClaimReply> reply) {
        usedSlots[slot] = false;
        claimed(claiming, std::move(reply), *stale);
    };
    run(finish, std::move(arguments), ready, [this, reports, stale, count](const Reply &reply) {
        tell(reply);
        FinishAndClaimReply answer;
        QList<Unusable> unusable;
        for (qsizetype i = 0; i < reports; ++i)
            answer.finished.append(finishedOf(reply[2][i]));
        for (qsizetype i = 0; i < count; ++i)
            answer.claimed.append(claimedOf(reply[3][i], unusable));
        putBack(unusable);
        if (reply[4].integer() != 0)
            *stale = reply[5];
        return Result<FinishAndClaimReply>(std::move(answer));
    });
}

// No attempt is lost: no worker has had the job.
void RedisStore::Private::putBack(const QList<Unusable> &unusable)
{
    if (unusable.isEmpty())
        return;
    QList<QByteArray> arguments{engine};
    for (const Unusable &job : unusable) {
        if (records)
            records->note("job", job.id.text(), job.why);
        if (job.windowed)
            store.setWindows(job.id, closedBoundaries_ms(clock.now_ms()), [](const auto &) {});
        arguments << job.id.bytes() << job.lease << number(limits::unreadable_again_ms) << fraction(0) << "1";
    }
    run(release, std::move(arguments), Callback<Done>([](const Result<Done> &) { /* if it fails, the lease expires */ }),
        [this](const Reply &reply) {
            tell(reply);
            return Result<Done>(Done{});
        });
}

// After a call that reached a bound, those that got nothing claim again.
void RedisStore::Private::claimed(const ClaimingPtr &claiming, Result<FinishAndClaimReply> reply, const std::optional<Reply> &stale)
{
    if (!reply.ok()) {
        claiming->begun ? claiming->callback(std::move(claiming->answer)) : claiming->callback(reply.error());
        return;
    }
    if (!std::exchange(claiming->begun, true))
        claiming->answer.finished = std::move(reply->finished);
    QList<qsizetype> left;
    for (qsizetype i = 0; i < claiming->left.size(); ++i) {
        const qsizetype place = claiming->left[i];
        claiming->answer.claimed[place] = std::move(reply->claimed[i]);
        if (claiming->answer.claimed[place].jobs.isEmpty())
            left.append(place);
    }
    claiming->left = std::move(left);
    if (!stale) {
        claiming->callback(std::move(claiming->answer));
        return;
    }
    readAgain(*stale, [this, claiming](const Result<Done> &read) {
        if (read.ok() && !claiming->left.isEmpty())
            claim(claiming, {});
        else
            claiming->callback(std::move(claiming->answer));
    });
}

// The best lane, and perhaps the ones after it, were read by older matchers: reads their first jobs again.
void RedisStore::Private::readAgain(const Reply &stale, std::function<void(const Result<Done> &)> then)
{
    if (stale.size() == 0) {
        then(Done{});
        return;
    }
    if (!classifier) {
        then(reasons::storeWithoutClassifier());
        return;
    }
    const auto read = junban::readAgain(*classifier, lanePiecesOf(stale));
    const Callback<qint64> moved = [this, then](const Result<qint64> &count) {
        if (!count.ok())
            then(count.error());
        else if (*count < 0)
            classifier->reload(then);
        else
            then(Done{});
    };
    const QList<QByteArray> arguments = QList<QByteArray>{engine, number(classifier->epoch())} + relaneArguments(read);
    runOne<qint64>(relane, arguments, moved, [](const Reply &count) { return Result<qint64>(count.integer()); });
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
        arguments << item.id.bytes() << (item.force ? "1" : "0") << item.by;
    d->runItems<StateNow>(d->cancel, std::move(arguments), std::move(callback), stateNowOf);
}

void RedisStore::retry(QList<RetryItem> items, Callback<QList<Result<StateNow>>> callback)
{
    QList<QByteArray> arguments{d->engine, randomHex(8)};
    for (const RetryItem &item : std::as_const(items))
        arguments << item.id.bytes() << item.by;
    d->runItems<StateNow>(d->retry, std::move(arguments), std::move(callback), placedOf);
}

void RedisStore::handOff(HandoffItem item, Callback<StateNow> callback)
{
    d->runOne<StateNow>(d->handOff, {d->engine, item.id.bytes(), item.lease, messageHash(item.key), number(item.timeout_ms)},
        std::move(callback), placedOf);
}

void RedisStore::message(MessageItem item, Callback<MessageTaken> callback)
{
    QList<QByteArray> arguments{d->engine, messageHash(item.key)};
    appendOutcome(arguments, item.outcome, item.jitter);
    d->runOne<MessageTaken>(d->message, std::move(arguments), std::move(callback), messageTakenOf);
}

void RedisStore::edit(EditItem item, Callback<StateNow> callback)
{
    const QByteArray before = packRecord(item.before), after = packRecord(item.after);
    const QByteArray digest = QCryptographicHash::hash(before, QCryptographicHash::Sha1).toHex();
    d->runOne<StateNow>(after.size() <= before.size() ? d->editAtAnyTime : d->edit,
        {d->engine, item.id.bytes(), digest, after, number(item.runAt_ms.value_or(-1)), item.oldValues, item.by},
        std::move(callback), placedOf);
}

void RedisStore::changeGroup(GroupChange change, Callback<Group> callback)
{
    const auto flag = [](std::optional<bool> on) -> QByteArray { return !on ? "" : *on ? "1" : "0"; };
    const QByteArray pushes = change.callback ? packPushes({*change.callback}) : QByteArray();
    d->runOne<Group>(d->group,
        {d->engine, change.group, "change", flag(change.open), pushes, change.callbackId.bytes(), change.caller.token,
            flag(change.caller.onlyOwn), flag(change.shared)},
        std::move(callback), groupOf);
}

void RedisStore::group(QByteArray group, GroupCaller caller, Callback<Group> callback)
{
    d->runOne<Group>(d->group, {d->engine, std::move(group), "get", {}, {}, {}, caller.token, caller.onlyOwn ? "1" : "0", {}},
        std::move(callback), groupOf);
}

void RedisStore::setWindows(JobId id, QList<qint64> boundaries, Callback<Done> callback)
{
    MsgpackWriter writer;
    writer.array(boundaries.size());
    for (const qint64 at_ms : std::as_const(boundaries))
        writer.integer(at_ms);
    d->run(d->setWindows, {d->engine, id.bytes(), writer.take()}, std::move(callback),
        [p = d.get()](const Reply &reply) {
            p->tell(reply);
            return Result<Done>(Done{});
        });
}

void RedisStore::sweep(Callback<Swept> callback)
{
    const QByteArray jitter = fraction(QRandomGenerator::global()->generateDouble());
    d->run(d->sweep, {d->engine, jitter}, std::move(callback), [](const Reply &reply) { return Result<Swept>(sweptOf(reply)); });
}

void RedisStore::takeResult(JobId id, QByteArray receipt, Fetch fetch, Callback<ResultNow> callback)
{
    // A call whose reply was lost is repeated. Without a receipt of its own it would find that the result is gone.
    double kept_ms = limits::receipt_s * 1000;
    if (receipt.isEmpty()) {
        receipt = randomHex(8);
        kept_ms = limits::away_ms_max + limits::command_deadline_ms;
    }
    d->run(d->takeResult, {id.bytes(), std::move(receipt), "0", fetch == Fetch::Waited ? "1" : "0", number(qint64(kept_ms))},
        std::move(callback), &resultNowOf);
}

void RedisStore::peekResult(JobId id, Callback<ResultNow> callback)
{
    d->run(d->takeResult, {id.bytes(), QByteArray(), "1", "0", "0"}, std::move(callback), &resultNowOf);
}

void RedisStore::get(JobId id, Callback<Job> callback)
{
    d->run(d->get, {id.bytes()}, std::move(callback), [id](const Reply &reply) { return jobOf(id, reply); });
}

void RedisStore::page(PageRequest request, Callback<Page> callback)
{
    QList<QByteArray> arguments{number(int(request.state)), number(request.limit), request.name};
    const auto make = request.detail == PageDetail::Pushed ? pushedPageOf : pageOf;
    arguments << afterWords(request.after) << cutAt(request.detail) << (make == pushedPageOf ? "1" : "0") << (request.reversed ? "1" : "0");
    d->run(d->page, std::move(arguments), std::move(callback),
        [state = request.state, make](const Reply &reply) { return Result<Page>(make(reply, state)); });
}

void RedisStore::rows(QList<JobId> ids, PageDetail detail, Callback<QList<Job>> callback)
{
    QList<QByteArray> arguments{cutAt(detail)};
    for (const JobId &id : std::as_const(ids))
        arguments << id.bytes();
    const auto make = [](const Reply &reply) { return Result<QList<Job>>(pageOf(reply, JobState::Ready).jobs); };
    d->run(d->rows, std::move(arguments), std::move(callback), make);
}

void RedisStore::counts(Callback<Overview> callback)
{
    d->run(d->counts, {}, std::move(callback), [](const Reply &reply) { return Result<Overview>(countsOf(reply)); });
}

void RedisStore::names(int limit, QByteArray after, Callback<QList<NameRow>> callback)
{
    const auto make = [](const Reply &reply) { return Result<QList<NameRow>>(namesOf(reply)); };
    d->run(d->names, {number(limit), std::move(after)}, std::move(callback), make);
}

void RedisStore::publishAskedNames(AskedNames names, Callback<Done> callback)
{
    d->run(d->asked, {d->engine, names.packed()}, std::move(callback), [](const Reply &) { return Result<Done>(Done{}); });
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
