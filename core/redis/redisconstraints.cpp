#include "core/redis/redisconstraints.h"

#include "core/redis/replies.h"

namespace junban::redis {

namespace {

QByteArray number(qint64 value)
{
    return QByteArray::number(value);
}

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

class RedisConstraints::Private
{
public:
    Private(Link &commands, Clock &theClock, QByteArray thePrefix)
        : link(commands)
        , clock(theClock)
        , prefix(std::move(thePrefix))
    {
    }

    template<typename T, typename Make>
    void run(const Script &script, QList<QByteArray> arguments, Callback<T> callback, Make make)
    {
        link.run(script, {prefix}, std::move(arguments),
            [this, callback = std::move(callback), make, alive = std::weak_ptr(life)](Result<Reply> reply) {
                if (alive.expired())
                    return;
                if (!reply.ok()) {
                    callback(reply.error());
                    return;
                }
                clock.learn((*reply)[0].integer());
                callback(make(*reply));
            });
    }
    // For verbs whose third part is −1 when the epoch is another one by now.
    void runAtEpoch(const Script &script, QList<QByteArray> arguments, Callback<qint64> callback)
    {
        run(script, std::move(arguments), std::move(callback), [](const Reply &reply) -> Result<qint64> {
            if (reply[2].integer() < 0)
                return Error{ErrorCode::RevisionMismatch, "The matchers were changed meanwhile."};
            return reply[2].integer();
        });
    }

    Link &link;
    Clock &clock;
    QByteArray prefix;
    QByteArray engine = "constraints"; // no engine of its own: every one hears its hints
    quint64 staleName = 0;             // where the search for stale plain lanes goes on
    std::shared_ptr<int> life = std::make_shared<int>();
    Script setConstraints, recharge, stale, relane, get, explain, buckets;
};

RedisConstraints::RedisConstraints(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock)
    : d(std::make_unique<Private>(commands, clock, "jq:{" + namespaceName + "}:"))
{
    d->setConstraints = makeScript("set_constraints", scriptClock);
    d->recharge = makeScript("recharge", scriptClock);
    d->stale = makeScript("stale", scriptClock);
    d->relane = makeScript("relane", scriptClock);
    d->get = makeScript("get", scriptClock);
    d->explain = makeScript("explain", scriptClock);
    d->buckets = makeScript("buckets", scriptClock);
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

void RedisConstraints::recharge(qint64 epoch, QList<JobBuckets> jobs, Callback<Done> callback)
{
    const auto done = [callback = std::move(callback)](const Result<qint64> &looked) {
        callback(looked.ok() ? Result<Done>(Done{}) : looked.error());
    };
    d->runAtEpoch(d->recharge, bucketsAfter({d->engine, number(epoch)}, jobs), done);
}

void RedisConstraints::stale(Callback<Stale> callback)
{
    d->run(d->stale, {number(qint64(d->staleName))}, std::move(callback), [p = d.get()](const Reply &reply) {
        Stale stale;
        stale.epoch = reply[1].integer();
        stale.lane = reply[2].bytes();
        for (qsizetype i = 0; i < reply[3].size(); ++i) {
            const auto id = JobId::fromBytes(reply[3][i][0].view());
            const auto spec = unpackRecord(reply[3][i][1].view());
            stale.jobs.append({id.value_or(JobId()), spec.value_or(JobSpec())});
        }
        stale.left = reply[4].integer();
        p->staleName = quint64(reply[5].integer());
        return Result<Stale>(std::move(stale));
    });
}

void RedisConstraints::relane(qint64 epoch, QByteArray lane, QList<JobBuckets> jobs, Callback<Done> callback)
{
    const auto done = [callback = std::move(callback)](const Result<qint64> &moved) {
        callback(moved.ok() ? Result<Done>(Done{}) : moved.error());
    };
    QList<QByteArray> arguments{d->engine, number(epoch), std::move(lane)};
    for (const JobBuckets &job : std::as_const(jobs))
        arguments << job.id.bytes() << packBuckets(job.buckets) << job.digest << job.record;
    d->runAtEpoch(d->relane, std::move(arguments), done);
}

void RedisConstraints::explain(JobId id, QList<CarriedBucket> buckets, Callback<Explanation> callback)
{
    const auto explained = [this, id, buckets = packBuckets(std::move(buckets)), callback](const Result<Job> &job) {
        if (!job.ok()) {
            callback(job.error());
            return;
        }
        d->run(d->explain, {id.bytes(), buckets}, callback, [job = *job](const Reply &reply) {
            Explanation explanation;
            explanation.job = job;
            explanation.now_ms = reply[0].integer();
            explanation.stale = reply[1].integer() != 0;
            explanation.position = reply[2].integer();
            for (qsizetype i = 0; i < reply[3].size(); ++i) {
                const Reply row = reply[3][i];
                Gate gate;
                gate.constraint = constraintOf(row[0].view());
                gate.cost = int(row[1].integer());
                gate.key = row[2].bytes();
                gate.admits = row[3].integer() != 0;
                gate.observed = row[4].integer() != 0;
                gate.used = row[5].integer();
                gate.waiting = row[6].integer();
                gate.opensAt_ms = row[7].integer();
                gate.holders = idsOf(row[8]);
                explanation.gates.append(std::move(gate));
            }
            return Result<Explanation>(std::move(explanation));
        });
    };
    d->run(d->get, {id.bytes()}, Callback<Job>(explained), [id](const Reply &reply) { return jobOf(id, reply); });
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
            state.key = row[1].bytes();
            state.used = row[2].integer();
            state.waiting = row[3].integer();
            state.wouldHold = row[4].integer();
            state.open = row[5].integer() != 0;
            state.opensAt_ms = row[6].integer();
            state.holders = idsOf(row[7]);
            page.buckets.append(std::move(state));
        }
        return Result<Buckets>(std::move(page));
    });
}

} // namespace junban::redis
