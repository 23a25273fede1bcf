#include "core/redis/redisdurability.h"

#include "core/clock.h"
#include "core/limits.h"
#include "core/redis/keys.h"

#include <algorithm>

namespace junban::redis {

static constexpr int again_ms = 50;

// What is asked in one go, and what came of it.
struct RedisDurability::Batch {
    std::vector<Waiting> waiting;
    bool broken = false;           // the connection went: nothing is known
    bool synced = false;
    bool replicated = false;
    std::optional<qint64> replicas; // that must have the jobs; nothing when not all of them are there

    bool wants(DurabilityLevel level) const
    {
        return std::any_of(waiting.cbegin(), waiting.cend(), [level](const Waiting &one) { return one.level == level; });
    }
};

RedisDurability::RedisDurability(Address address, const QByteArray &namespaceName, QObject *parent)
    : QObject(parent)
    , m_link(std::move(address))
    , m_prefix(keyPrefix(namespaceName))
    , m_pass([this] { flush(); })
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

// Each server may be set up differently.
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

// Which of them a failover chooses is not known beforehand, so all that it may choose must have the jobs: those that are connected, but for
// those that have long been silent. Nothing when one has just left, for it may be the primary already while this server does not know it.
// One that was promoted has a history of its own (`master_replid`), and begins without replicas.
std::optional<qint64> RedisDurability::replicasNeeded(const QByteArray &info)
{
    QHash<QByteArray, QElapsedTimer> replicas;
    qint64 silent = 0;
    bool missing = false;
    QByteArray history;
    for (const QByteArray &line : info.split('\n')) {
        if (line.startsWith("master_replid:"))
            history = line;
        if (!line.startsWith("slave") || !line.contains("state=online"))
            continue;
        QByteArray address;
        for (const QByteArray &field : line.mid(line.indexOf(':') + 1).trimmed().split(',')) {
            if (field.startsWith("ip=") || field.startsWith("port="))
                address += field;
            else if (field.startsWith("lag="))
                silent += field.mid(4).toInt() > limits::replica_lag_s ? 1 : 0;
        }
        while (replicas.contains(address)) // of some nothing is known but where the connection comes from
            address += '+';
        replicas[address].invalidate(); // it is there
    }
    if (history == m_history) {
        for (auto [address, left] : m_replicas.asKeyValueRange()) {
            if (!left.isValid())
                left.start();
            if (!left.hasExpired(limits::replica_gone_ms) && !replicas.contains(address)) {
                replicas[address] = left;
                missing = true;
            }
        }
    }
    m_history = history;
    m_replicas = replicas;
    if (missing)
        return {};
    return std::max<qint64>(limits::durability_replicas, replicas.size() - silent);
}

void RedisDurability::after(DurabilityLevel level, JobId job, Callback<DurabilityLevel> callback)
{
    if (!std::exchange(m_started, true))
        m_link.start();
    m_waiting.push_back({level, job, std::move(callback), Clock::monotonic_ms()});
    m_pass.ask();
}

void RedisDurability::flush()
{
    if (m_busy || m_waiting.empty())
        return;
    const qint64 now_ms = Clock::monotonic_ms();
    const auto late = std::stable_partition(m_waiting.begin(), m_waiting.end(),
        [now_ms](const Waiting &one) { return now_ms - one.since_ms <= limits::durability_ms_max; });
    std::vector<Waiting> given(std::make_move_iterator(late), std::make_move_iterator(m_waiting.end()));
    m_waiting.erase(late, m_waiting.end());
    for (const Waiting &one : given)
        one.callback(DurabilityLevel::Default);
    if (m_busy || m_waiting.empty())
        return;
    if (!m_learnt || m_link.state() != LinkState::Up) {
        m_again.start();
        return;
    }
    auto batch = std::make_shared<Batch>();
    const size_t count = std::min(m_waiting.size(), size_t(limits::durability_jobs_max));
    batch->waiting.assign(std::make_move_iterator(m_waiting.begin()), std::make_move_iterator(m_waiting.begin() + qsizetype(count)));
    m_waiting.erase(m_waiting.begin(), m_waiting.begin() + qsizetype(count));
    m_busy = true;
    if (!batch->wants(DurabilityLevel::Replicated)) {
        send(batch);
        return;
    }
    m_link.command({"INFO", "replication"}, [this, batch](const Result<Reply> &info) {
        if (info.ok())
            batch->replicas = replicasNeeded(info->bytes());
        send(batch);
    });
}

// In one go, so that all of it meets one connection or fails.
void RedisDurability::send(const std::shared_ptr<Batch> &batch)
{
    for (Waiting &one : batch->waiting) {
        m_link.command({"EXISTS", m_prefix + "j:" + one.job.bytes()},
            [batch, &one](const Result<Reply> &reply) { one.present = reply.ok() && reply->integer() == 1; });
    }
    const QByteArray wait_ms = QByteArray::number(limits::durability_wait_ms);
    if (batch->replicas) {
        m_link.command({"SET", m_prefix + "probe", "1", "PX", "10000"}, [](const Result<Reply> &) {});
        m_link.command({"WAIT", QByteArray::number(*batch->replicas), wait_ms},
            [batch](const Result<Reply> &reply) { batch->replicated = reply.ok() && reply->integer() >= *batch->replicas; });
    }
    if (batch->wants(DurabilityLevel::Fsync) && m_waitaof && !m_fsyncAlways) {
        m_link.command({"SET", m_prefix + "probe", "1", "PX", "10000"}, [](const Result<Reply> &) {});
        m_link.command({"WAITAOF", "1", "0", wait_ms},
            [batch](const Result<Reply> &reply) { batch->synced = reply.ok() && (*reply)[0].integer() >= 1; });
    }
    // The last answer says whether the connection lived through all of it.
    m_link.command({"PING"}, [this, batch](const Result<Reply> &reply) {
        batch->broken = !reply.ok();
        end(batch);
    });
}

void RedisDurability::end(const std::shared_ptr<Batch> &batch)
{
    m_busy = false;
    if (batch->broken) {
        // Perhaps there is another primary now; it is asked the same, as long as that is worth the wait.
        m_waiting.insert(m_waiting.begin(), std::make_move_iterator(batch->waiting.begin()), std::make_move_iterator(batch->waiting.end()));
        m_again.start();
        return;
    }
    for (const Waiting &one : batch->waiting) {
        const bool reached = one.level == DurabilityLevel::Replicated ? batch->replicated
            : one.level == DurabilityLevel::Fsync                     ? m_fsyncAlways || batch->synced
                                                                      : true;
        if (!one.present)
            one.callback(Error{ErrorCode::StoreUnavailable, "Redis has lost the job before it was safe; push it again.", {}, 1});
        else
            one.callback(reached ? one.level : DurabilityLevel::Default);
    }
    if (!m_waiting.empty())
        m_pass.ask();
}

} // namespace junban::redis
