#include "core/redis/redisconstraints.h"

#include "core/base/reasons/store.h"
#include "core/lua/schema.h"
#include "core/redis/caller.h"
#include "core/redis/lanepieces.h"
#include "core/redis/numbers.h"
#include "core/redis/replies.h"

namespace junban::redis {

namespace {

QList<JobId> idsOf(const Reply &rows)
{
    QList<JobId> ids;
    for (qsizetype i = 0; i < rows.size(); ++i)
        ids.append(JobId::fromBytes(rows[i].view()).value_or(JobId()));
    return ids;
}

// "<number>.<hash>"
int constraintOf(QByteArrayView bucket)
{
    return bucket.first(bucket.indexOf('.')).toByteArray().toInt();
}

QList<QByteArray> bucketsAfter(QList<QByteArray> arguments, const QList<JobBuckets> &jobs)
{
    for (const JobBuckets &job : jobs)
        arguments << job.id.bytes() << packBuckets(job.buckets);
    return arguments;
}

} // namespace

class RedisConstraints::Private : public Caller
{
public:
    Private(Link &commands, const QByteArray &namespaceName, Clock &theClock)
        : Caller(commands, namespaceName, theClock, "constraints", Mends::Jobs)
    {
    }

    // For verbs whose reply is now, transaction, number; the number is −1 when the epoch has changed.
    void runAtEpoch(const Script &script, QList<QByteArray> arguments, Callback<qint64> callback)
    {
        run(script, std::move(arguments), std::move(callback), [](const Reply &reply) -> Result<qint64> {
            if (reply[2].integer() < 0)
                return reasons::matchersChanged();
            return reply[2].integer();
        });
    }

    // The scripts keep what a rate has used in two ways (core/lua/kinds/rate.lua): as the sum of a window, or as single starts, of which
    // old ones stay until the next start.
    void countStarts(const RateBucket &bucket, Callback<qint64> callback)
    {
        if (bucket.sliding) {
            const QList<QByteArray> words{"ZRANGEBYSCORE", prefix + key::rate_starts + bucket.id, '(' + number(bucket.since_ms), "+inf"};
            read(words, [callback = std::move(callback), alive = std::weak_ptr(life)](const Result<Reply> &starts) {
                if (alive.expired())
                    return;
                qint64 used = 0;
                for (qsizetype i = 0; starts.ok() && i < starts->size(); ++i)
                    used += (*starts)[i].bytes().mid((*starts)[i].bytes().lastIndexOf('|') + 1).toLongLong();
                callback(starts.ok() ? Result<qint64>(used) : starts.error());
            });
            return;
        }
        const QList<QByteArray> words{"HMGET", prefix + key::bucket + bucket.id, field_of::bucket::window_start,
            field_of::bucket::window_used};
        read(words, [callback = std::move(callback), since_ms = bucket.since_ms, alive = std::weak_ptr(life)](
                        const Result<Reply> &window) {
            if (alive.expired())
                return;
            if (!window.ok())
                callback(window.error());
            else // an edit that made windows longer leaves one that began later
                callback((*window)[0].bytes().toLongLong() >= since_ms ? (*window)[1].bytes().toLongLong() : 0);
        });
    }

    QByteArray engine = "constraints"; // not the name of an engine, so every engine gets the hints
    quint64 staleName = 0;             // where the search for stale plain lanes continues
    Script setConstraints, unread, recharge, stale, relane, explain, buckets, held, waiting, holds, switchBreaker;
};

RedisConstraints::RedisConstraints(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock)
    : d(std::make_unique<Private>(commands, namespaceName, clock))
{
    d->setConstraints = makeScript("set_constraints", scriptClock);
    d->unread = makeScript("unread", scriptClock);
    d->recharge = makeScript("recharge", scriptClock);
    d->stale = makeScript("stale", scriptClock);
    d->relane = makeScript("relane", scriptClock);
    d->explain = makeScript("explain", scriptClock);
    d->buckets = makeScript("buckets", scriptClock);
    d->held = makeScript("held", scriptClock);
    d->waiting = makeScript("waiting", scriptClock);
    d->holds = makeScript("holds", scriptClock);
    d->switchBreaker = makeScript("switch_breaker", scriptClock);
}

RedisConstraints::~RedisConstraints() = default;

void RedisConstraints::setConstraints(
    QList<ConstraintParameters> parameters, qint64 madeAt, EpochChange change, Callback<qint64> callback)
{
    QList<QByteArray> arguments{d->engine, number(madeAt), change == EpochChange::New ? "1" : "0"};
    for (const ConstraintParameters &constraint : std::as_const(parameters))
        arguments << number(constraint.number) << constraint.packed;
    d->runAtEpoch(d->setConstraints, std::move(arguments), std::move(callback));
}

void RedisConstraints::unread(WhichJobs which, quint64 cursor, Callback<Unread> callback)
{
    d->run(d->unread, {which == WhichJobs::Running ? "r" : "a", QByteArray::number(cursor)}, std::move(callback),
        [](const Reply &reply) {
            Unread unread;
            unread.epoch = reply[1].integer();
            unread.next = reply[2].bytes().toULongLong();
            unread.end = reply[3].integer() != 0;
            unread.jobs = storedJobsOf(reply[4], reply[5]);
            return Result<Unread>(std::move(unread));
        });
}

void RedisConstraints::recharge(qint64 epoch, QList<JobBuckets> jobs, Recharged recharged, Callback<Done> callback)
{
    const auto done = [callback = std::move(callback)](const Result<qint64> &looked) {
        callback(looked.ok() ? Result<Done>(Done{}) : looked.error());
    };
    d->runAtEpoch(d->recharge, bucketsAfter({d->engine, number(epoch), recharged == Recharged::All ? "1" : "0"}, jobs), done);
}

void RedisConstraints::stale(Callback<Stale> callback)
{
    d->run(d->stale, {number(qint64(d->staleName))}, std::move(callback), [p = d.get()](const Reply &reply) {
        Stale stale;
        stale.epoch = reply[1].integer();
        stale.lanes = lanePiecesOf(reply[2]);
        stale.left = reply[3].integer();
        stale.recharged = reply[5].integer();
        p->staleName = quint64(reply[4].integer());
        return Result<Stale>(std::move(stale));
    });
}

void RedisConstraints::relane(qint64 epoch, QList<LanePiece<JobBuckets>> pieces, Callback<Done> callback)
{
    const auto done = [callback = std::move(callback)](const Result<qint64> &moved) {
        callback(moved.ok() ? Result<Done>(Done{}) : moved.error());
    };
    d->runAtEpoch(d->relane, QList<QByteArray>{d->engine, number(epoch)} + relaneArguments(pieces), done);
}

void RedisConstraints::explain(JobId id, QList<CarriedBucket> buckets, Callback<JobGates> callback)
{
    const auto withAhead = [this, id, callback = std::move(callback), alive = std::weak_ptr(d->life)](const Result<JobGates> &gates) {
        if (alive.expired() || !gates.ok()) {
            callback(gates);
            return;
        }
        d->read({"HGET", d->prefix + key::state + id.bytes(), field::unique_ahead},
            [callback, gates = *gates](const Result<Reply> &reply) mutable {
                if (reply.ok() && !reply->isNil())
                    gates.ahead = JobId::fromBytes(reply->view());
                callback(reply.ok() ? Result<JobGates>(std::move(gates)) : Result<JobGates>(reply.error()));
            });
    };
    d->run<JobGates>(d->explain, {id.bytes(), packBuckets(std::move(buckets))}, withAhead, [](const Reply &reply) {
        JobGates explanation;
        explanation.now_ms = reply[0].integer();
        explanation.stale = reply[1].integer() != 0;
        explanation.position = reply[2].integer();
        for (qsizetype i = 0; i < reply[3].size(); ++i) {
            const Reply row = reply[3][i];
            BucketGate gate;
            gate.constraint = constraintOf(row[0].view());
            gate.id = row[0].bytes();
            gate.cost = int(row[1].integer());
            gate.key = row[2].bytes();
            gate.admits = row[3].integer() != 0;
            gate.observed = row[4].integer() != 0;
            gate.used = row[5].integer();
            gate.waiting = row[6].integer();
            gate.opensAt_ms = row[7].integer();
            gate.holders = idsOf(row[8]);
            gate.ofAllKeys = row[9].integer() != 0;
            gate.paces = row[10].integer() != 0;
            explanation.gates.append(std::move(gate));
        }
        for (qsizetype i = 0; i < reply[4].size(); ++i)
            explanation.asked.append(AskedNames::fromPacked(reply[4][i].view()));
        return Result<JobGates>(std::move(explanation));
    });
}

void RedisConstraints::buckets(int constraint, quint64 cursor, Callback<Buckets> callback)
{
    d->run(d->buckets, {number(constraint), QByteArray::number(cursor)}, std::move(callback), [constraint](const Reply &reply) {
        Buckets page;
        page.next = reply[1].bytes().toULongLong();
        for (qsizetype i = 0; i < reply[2].size(); ++i) {
            const Reply row = reply[2][i];
            BucketState state;
            state.constraint = constraint;
            state.id = row[0].bytes();
            state.key = row[1].bytes();
            state.used = row[2].integer();
            state.waiting = row[3].integer();
            state.wouldHold = row[4].integer();
            state.open = row[5].integer() != 0;
            state.opensAt_ms = row[6].integer();
            state.holders = idsOf(row[7]);
            const QByteArrayView word = row[8].view();
            state.breaker = word == "o" ? BreakerState::Open : word == "h" ? BreakerState::HalfOpen : BreakerState::Closed;
            page.buckets.append(std::move(state));
        }
        return Result<Buckets>(std::move(page));
    });
}

void RedisConstraints::switchBreaker(int constraint, BreakerSwitch what, quint64 cursor, Callback<Switched> callback)
{
    QList<QByteArray> arguments{d->engine, number(constraint), what.to == BreakerState::Open ? "o" : "c",
        what.openFor_ms ? number(*what.openFor_ms) : QByteArray(), QByteArray::number(cursor), what.key ? '=' + *what.key : QByteArray(),
        what.only ? bucketId(*what.only) : QByteArray()};
    d->run(d->switchBreaker, std::move(arguments), std::move(callback), [](const Reply &reply) -> Result<Switched> {
        const qint64 buckets = reply[3].integer();
        if (buckets == -1)
            return reasons::constraintNotFound();
        if (buckets == -2)
            return reasons::constraintNotBreaker();
        return Switched{int(buckets), reply[4].integer(), reply[2].bytes().toULongLong()};
    });
}

void RedisConstraints::held(QList<int> constraints, int buckets_max, Callback<Held> callback)
{
    QList<QByteArray> arguments{number(buckets_max)};
    for (const int constraint : std::as_const(constraints))
        arguments << number(constraint);
    d->run(d->held, std::move(arguments), std::move(callback), [](const Reply &reply) {
        Held held;
        held.complete = reply[1].integer() != 0;
        held.unmet = reply[3].integer();
        for (qsizetype i = 0; i < reply[2].size(); ++i) {
            const Reply row = reply[2][i];
            const std::optional<JobId> oldest = JobId::fromBytes(row[6].view());
            held.buckets.append({constraintOf(row[0].view()), row[1].bytes(), row[2].integer(), row[3].integer(), row[4].integer(),
                row[5].integer() != 0, oldest ? oldest->created_ms() : 0, row[7].integer(), row[0].bytes()});
        }
        return Result<Held>(std::move(held));
    });
}

void RedisConstraints::started(QList<RateBucket> buckets, Callback<QList<qint64>> callback)
{
    struct Counting {
        QList<qint64> used;
        qsizetype left = 0;
        std::optional<Error> error = {};
        Callback<QList<qint64>> callback;
    };
    auto counting = std::make_shared<Counting>(Counting{QList<qint64>(buckets.size()), buckets.size(), {}, std::move(callback)});
    if (buckets.isEmpty()) {
        counting->callback(QList<qint64>());
        return;
    }
    for (qsizetype i = 0; i < buckets.size(); ++i) {
        d->countStarts(buckets[i], [counting, i](const Result<qint64> &used) {
            if (used.ok())
                counting->used[i] = *used;
            else
                counting->error = used.error();
            if (--counting->left == 0)
                counting->callback(counting->error ? Result<QList<qint64>>(*counting->error) : counting->used);
        });
    }
}

void RedisConstraints::waiting(Callback<Waiting> callback)
{
    d->run(d->waiting, {}, std::move(callback), [](const Reply &reply) {
        const auto made_ms = [](const Reply &id) {
            const std::optional<JobId> oldest = JobId::fromBytes(id.view());
            return oldest ? oldest->created_ms() : 0;
        };
        Waiting waiting;
        waiting.now_ms = reply[0].integer();
        waiting.complete = reply[1].integer() != 0;
        for (qsizetype i = 0; i < reply[2].size(); ++i)
            waiting.names.append({reply[2][i][0].bytes(), reply[2][i][1].integer(), made_ms(reply[2][i][2])});
        for (qsizetype i = 0; i < reply[3].size(); ++i)
            waiting.priorities.append({reply[3][i][0].bytes().toInt(), reply[3][i][1].integer(), made_ms(reply[3][i][2])});
        for (qsizetype i = 0; i < reply[4].size(); ++i)
            waiting.asked.append(AskedNames::fromPacked(reply[4][i].view()));
        return Result<Waiting>(std::move(waiting));
    });
}

void RedisConstraints::holds(QList<JobId> ids, Callback<QList<Hold>> callback)
{
    QList<QByteArray> arguments;
    for (const JobId &id : std::as_const(ids))
        arguments << id.bytes();
    d->run(d->holds, std::move(arguments), std::move(callback), [](const Reply &reply) {
        QList<Hold> holds;
        for (qsizetype i = 0; i < reply[1].size(); ++i) {
            const Reply row = reply[1][i];
            holds.append(row.size() == 0 ? Hold{} : Hold{constraintOf(row[0].view()), row[1].bytes(), row[2].integer()});
        }
        return Result<QList<Hold>>(std::move(holds));
    });
}

} // namespace junban::redis
