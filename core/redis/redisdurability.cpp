#include "core/redis/redisdurability.h"

#include "core/base/reasons/store.h"
#include "core/limits.h"
#include "core/lua/schema.h"
#include "core/redis/keys.h"

#include <algorithm>

namespace junban::redis {

static constexpr int again_ms = 50;
static constexpr int unwritten_ms = 10; // how soon it is checked again whether the append-only file has been written

// The jobs that are checked together, and what is known about them.
struct RedisDurability::Batch {
    std::vector<Waiting> waiting;
    bool broken = false;           // the connection or the server has changed, so nothing is known
    bool synced = false;
    bool replicated = false;       // one server at least may take over, and all of them have it
    bool everywhere = false;       // all of them have it, if there are any
    ReplicationState before;       // after the jobs were found and before waiting for the replicas
    ReplicationState after;        // the last one
    std::optional<Successors> successors; // asked for after waiting for the replicas
    qint64 since_ms = Clock::monotonic_ms();

    bool wants(DurabilityLevel level) const
    {
        return std::any_of(waiting.cbegin(), waiting.cend(),
            [level](const Waiting &one) { return one.wanted == Wanted::Level && one.level == level; });
    }
    bool wantsCoverage() const
    {
        return std::any_of(waiting.cbegin(), waiting.cend(), [](const Waiting &one) { return one.wanted == Wanted::Coverage; });
    }
};

RedisDurability::RedisDurability(Address address, const QByteArray &namespaceName, QObject *parent)
    : QObject(parent)
    , m_link(std::move(address))
    , m_prefix(keyPrefix(namespaceName))
    , m_pass([this] { flush(); }, NextPass::Stage::Write)
{
    m_link.setHome(m_prefix);
    m_again.setSingleShot(true);
    m_again.setInterval(again_ms);
    connect(&m_again, &QTimer::timeout, this, &RedisDurability::flush);
    connect(&m_link, &Link::stateChanged, this, [this](LinkState state) {
        if (state == LinkState::Up)
            learn();
    });
}

RedisDurability::~RedisDurability() = default;

// Reads the server's settings, after each connect: servers may differ.
void RedisDurability::learn()
{
    m_learnt = false;
    m_link.command({"CONFIG", "GET", "appendfsync"}, [this](const Result<Reply> &reply) {
        m_fsyncAlways = reply.ok() && (*reply)[1].view() == "always";
    });
    m_link.command({"CONFIG", "GET", "appendonly"}, [this](const Result<Reply> &reply) {
        m_fsyncAlways = m_fsyncAlways && reply.ok() && (*reply)[1].view() == "yes";
    });
    m_link.command({"COMMAND", "INFO", "WAITAOF"}, [this](const Result<Reply> &reply) {
        m_waitaof = reply.ok() && (*reply)[0].size() > 0;
        m_learnt = reply.ok();
        flush();
    });
}

// Remembers the replicas for limits::replica_gone_ms after they have left. An operator may just be promoting one that has left.
void RedisDurability::noteReplicas(const ReplicationState &state)
{
    if (state.history != m_history) {
        m_replicas.clear(); // a server that was just started or promoted has had no replicas yet
        m_fileBegun = false;
    }
    m_history = state.history;
    m_fileBegun = m_fileBegun || !state.file || !state.file->rewriting;
    for (auto at = m_replicas.begin(); at != m_replicas.end();) {
        if (!at->isValid())
            at->start();
        at = at->hasExpired(limits::replica_gone_ms) ? m_replicas.erase(at) : std::next(at);
    }
    for (auto [address, replica] : state.replicas.asKeyValueRange()) {
        if (replica.online && replica.silent_s <= limits::replica_lag_s)
            m_replicas[address].invalidate(); // it follows now
        else
            m_replicas.remove(address);
    }
}

QList<QByteArray> RedisDurability::mustHave(const ReplicationState &state, const Successors &successors) const
{
    if (successors.chooser == Successors::Chooser::Operator)
        return m_replicas.keys();
    QList<QByteArray> all;
    for (auto [address, replica] : state.replicas.asKeyValueRange()) {
        if (replica.port != 0)
            all.append(address); // the others may not know it yet, but soon will
    }
    for (const Endpoint &server : successors.servers) {
        if (!all.contains(server.text()))
            all.append(server.text());
    }
    for (const Endpoint &server : successors.never)
        all.removeAll(server.text());
    return all;
}

void RedisDurability::after(DurabilityLevel level, JobId job, Callback<DurabilityLevel> callback)
{
    Sought key{{"EXISTS", m_prefix + key::job + job.bytes()}, [](const Reply &reply) { return reply.integer() == 1; }};
    after(level, std::move(key), std::move(callback));
}

void RedisDurability::after(DurabilityLevel level, Sought sought, Callback<DurabilityLevel> callback)
{
    await({.wanted = Wanted::Level, .level = level, .sought = std::move(sought), .callback = std::move(callback)});
}

void RedisDurability::whetherCovered(Sought sought, Callback<bool> callback)
{
    auto told = [callback = std::move(callback)](const Result<DurabilityLevel> &reached) {
        callback(reached.ok() && *reached == DurabilityLevel::Replicated);
    };
    await({.wanted = Wanted::Coverage, .level = DurabilityLevel::Replicated, .sought = std::move(sought), .callback = std::move(told)});
}

void RedisDurability::await(Waiting waiting)
{
    if (!std::exchange(m_started, true))
        m_link.start();
    m_waiting.push_back(std::move(waiting));
    m_pass.ask();
}

// Answers with Default for jobs that have not reached their level in time.
void RedisDurability::answerLate()
{
    const qint64 now_ms = Clock::monotonic_ms();
    const auto late = std::stable_partition(m_waiting.begin(), m_waiting.end(),
        [now_ms](const Waiting &one) { return now_ms - one.since_ms <= limits::durability_ms_max; });
    const std::vector<Waiting> given(std::make_move_iterator(late), std::make_move_iterator(m_waiting.end()));
    m_waiting.erase(late, m_waiting.end());
    for (const Waiting &one : given) {
        if (one.missed)
            one.callback(retryAfter(reasons::redisLostJob(), 1));
        else
            one.callback(DurabilityLevel::Default);
    }
}

void RedisDurability::flush()
{
    if (m_busy)
        return;
    answerLate();
    if (m_busy || m_waiting.empty())
        return;
    if (!m_learnt || m_link.state() != LinkState::Up) {
        m_again.start();
        return;
    }
    auto batch = std::make_shared<Batch>();
    const auto count = qsizetype(std::min(m_waiting.size(), size_t(limits::durability_jobs_max)));
    batch->waiting.assign(std::make_move_iterator(m_waiting.begin()), std::make_move_iterator(m_waiting.begin() + count));
    m_waiting.erase(m_waiting.begin(), m_waiting.begin() + count);
    m_busy = true;
    send(batch);
}

void RedisDurability::send(const BatchPtr &batch)
{
    for (Waiting &one : batch->waiting) {
        m_link.command(one.sought.question,
            [batch, &one](const Result<Reply> &reply) { one.present = reply.ok() && one.sought.isThere(*reply); });
    }
    if ((batch->wants(DurabilityLevel::Fsync) || batch->wantsCoverage()) && m_waitaof && !m_fsyncAlways) {
        writeALittle();
        m_link.command({"WAITAOF", "1", "0", QByteArray::number(limits::durability_wait_ms)},
            [batch](const Result<Reply> &reply) { batch->synced = reply.ok() && (*reply)[0].integer() >= 1; });
    }
    m_link.command({"INFO", "replication", "persistence"}, [batch](const Result<Reply> &info) {
        if (info.ok()) // INFO may not be permitted
            batch->before = ReplicationState::fromInfo(info->bytes());
    });
    // The reply to the last command says whether the connection held for all of them.
    m_link.command({"PING"}, [this, batch](const Result<Reply> &reply) {
        batch->broken = !reply.ok();
        const bool asksReplicas = batch->wants(DurabilityLevel::Replicated) || (batch->wantsCoverage() && canSync());
        if (reply.ok() && batch->before.primary && asksReplicas)
            waitForReplicas(batch);
        else
            end(batch);
    });
}

// WAIT and WAITAOF wait only for writes of their own connection, so it writes something, after the jobs.
void RedisDurability::writeALittle()
{
    m_link.command({"SET", m_prefix + key::probe, "1", "PX", "10000"}, [](const Result<Reply> &) {});
}

// Waits for all replicas that follow now; judge() checks whether one is missing.
void RedisDurability::waitForReplicas(const BatchPtr &batch)
{
    noteReplicas(batch->before);
    const auto follows = [](const ReplicaState &one) { return one.online && one.silent_s <= limits::replica_lag_s; };
    const auto count = std::count_if(batch->before.replicas.cbegin(), batch->before.replicas.cend(), follows);
    if (count == 0 || m_missing) {
        look(batch);
        return;
    }
    writeALittle();
    m_link.command({"WAIT", QByteArray::number(count), QByteArray::number(limits::durability_wait_ms)},
        [this, batch](const Result<Reply> &) { look(batch); });
}

void RedisDurability::look(const BatchPtr &batch)
{
    auto left = std::make_shared<int>(2);
    const auto done = [this, batch, left] {
        if (--*left == 0)
            judge(batch);
    };
    m_link.command({"INFO", "replication", "persistence"}, [batch, done](const Result<Reply> &info) {
        batch->broken = !info.ok();
        if (info.ok())
            batch->after = ReplicationState::fromInfo(info->bytes());
        done();
    });
    m_link.askSuccessors([batch, done](const Result<Successors> &successors) {
        batch->successors = successors.ok() ? std::optional(*successors) : std::nullopt;
        done();
    });
}

void RedisDurability::judge(const BatchPtr &batch)
{
    const ReplicationState &after = batch->after;
    batch->broken = batch->broken || !after.primary || after.history != batch->before.history;
    if (batch->broken || !batch->successors) {
        end(batch);
        return;
    }
    noteReplicas(after);
    const QList<QByteArray> all = mustHave(after, *batch->successors);
    const auto has = [&](const QByteArray &server) {
        const ReplicaState replica = after.replicas.value(server);
        return replica.online && replica.offset > 0 && replica.offset >= batch->before.offset;
    };
    m_missing = std::any_of(all.cbegin(), all.cend(), [&](const QByteArray &server) {
        return !after.replicas.value(server).online || after.replicas.value(server).silent_s > limits::replica_lag_s;
    });
    batch->everywhere = std::all_of(all.cbegin(), all.cend(), has);
    batch->replicated = batch->everywhere && all.size() >= limits::durability_replicas;
    if (batch->replicated && !(m_fileBegun && after.hasWrittenSince(batch->before))) {
        batch->replicated = false;
        if (Clock::monotonic_ms() - batch->since_ms < limits::durability_wait_ms) {
            QTimer::singleShot(unwritten_ms, this, [this, batch] { look(batch); });
            return;
        }
    }
    end(batch);
}

void RedisDurability::end(const BatchPtr &batch)
{
    m_busy = false;
    if (batch->broken) {
        // There may be another primary now. The jobs are checked again there, until their time is over.
        m_waiting.insert(m_waiting.begin(), std::make_move_iterator(batch->waiting.begin()), std::make_move_iterator(batch->waiting.end()));
        m_again.start();
        return;
    }
    const bool synced = m_fsyncAlways || batch->synced;
    for (Waiting &one : batch->waiting) {
        const bool reached = one.wanted == Wanted::Coverage       ? synced && batch->everywhere
            : one.level == DurabilityLevel::Replicated ? batch->replicated
            : one.level == DurabilityLevel::Fsync      ? synced
                                                       : true;
        if (one.present) {
            one.callback(reached ? one.level : DurabilityLevel::Default);
        } else if (one.sought.mayReturn) {
            one.missed = true;
            m_waiting.push_back(std::move(one));
        } else {
            one.callback(retryAfter(reasons::redisLostJob(), 1));
        }
    }
    if (std::any_of(m_waiting.cbegin(), m_waiting.cend(), [](const Waiting &one) { return one.missed; }))
        m_again.start();
    else if (!m_waiting.empty())
        m_pass.ask();
}

} // namespace junban::redis
