#include "core/redis/mending.h"

#include "core/base/clock.h"
#include "core/limits.h"
#include "core/lua/schema.h"
#include "core/redis/keys.h"

#include <utility>

namespace junban::redis {

namespace {

// KEYS: matchers, matcher_ids, the prefix of histories; ARGV[2]: the field of the last revision. A row of a matcher that is damaged or gone
// becomes one with the bytes that were there as the matcher; a revision that is damaged is deleted.
constexpr char matchersScript[] = R"(
local touched = {}
local function isRow(packed)
    local ok, row = pcall(cmsgpack.unpack, packed)
    return ok and type(row) == 'table' and type(row[1]) == 'string' and type(row[2]) == 'number'
end
for _, id in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
    local history, last, touch = KEYS[3] .. redis.sha1hex(id), 1, false
    local revisions = redis.call('HGETALL', history)
    for i = 1, #revisions, 2 do
        if revisions[i] ~= ARGV[2] and not isRow(revisions[i + 1]) then
            redis.call('HDEL', history, revisions[i])
            touch = true
        else
            last = math.max(last, tonumber(revisions[i] == ARGV[2] and revisions[i + 1] or revisions[i]) or 1)
        end
    end
    if not tonumber(redis.call('HGET', history, ARGV[2]) or '') then
        redis.call('HSET', history, ARGV[2], last)
        touch = true
    end
    local packed = redis.call('HGET', KEYS[1], id) or ''
    local ok, row = pcall(cmsgpack.unpack, packed)
    if not isRow(packed) or type(row[5]) ~= 'table' then
        redis.call('HSET', KEYS[1], id, cmsgpack.pack({ packed, last, 0, '', {} }))
        touch = true
    end
    if touch then
        touched[#touched + 1] = id
    end
end
return { '0', touched })";

// KEYS: schedule_ids, the prefix of schedules; ARGV[2…]: the fields id, revision and definition. What a schedule must have is put back.
constexpr char schedulesScript[] = R"(
local touched = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    local its = KEYS[2] .. redis.sha1hex(id)
    local kind = redis.call('TYPE', its).ok
    if kind ~= 'hash' and kind ~= 'none' then
        redis.call('DEL', its)
    end
    local has = redis.call('HMGET', its, ARGV[2], ARGV[3], ARGV[4])
    if has[1] ~= id or not tonumber(has[2] or '') or not has[3] then
        redis.call('HSET', its, ARGV[2], id, ARGV[3], tonumber(has[2] or '') or 1, ARGV[4], has[3] or '')
        touched[#touched + 1] = id
    end
end
return { '0', touched })";

// KEYS: the prefix of jobs, name_numbers, the prefix of lanes, the epoch; ARGV[1]: where SCAN goes on. A record whose head the scripts
// cannot read gets a head of a format that C++ refuses, with the name of the lane that the job waits in, and all its bytes behind.
constexpr char jobsScript[] = R"(
local pattern = string.gsub(KEYS[1], '[%*%?%[%]\\]', '\\%0') .. '*'
local found = redis.call('SCAN', ARGV[1], 'MATCH', pattern, 'COUNT', 1000)
local touched = {}
local function isRecord(record)
    local ok, _, flags, _, _, _, _, at = pcall(struct.unpack, '<BBi4I4I2Bc0', record)
    return ok and (flags % 4 < 2 or pcall(struct.unpack, '<I4dI4dI4I2', record, at))
end
local function nameOf(id)
    local numbers, epoch = redis.call('HGETALL', KEYS[2]), redis.call('GET', KEYS[4]) or '0'
    for i = 1, #numbers, 2 do
        for _, lane in ipairs({ '', 'e0', 'e' .. epoch }) do
            if redis.call('ZSCORE', KEYS[3] .. numbers[i + 1] .. lane, id) then
                return numbers[i]
            end
        end
    end
    return 'damaged'
end
for _, name in ipairs(found[2]) do
    if redis.call('TYPE', name).ok == 'string' then
        local record = redis.call('GETRANGE', name, 0, 511)
        if not isRecord(record) then
            local id = string.sub(name, #KEYS[1] + 1)
            local its = nameOf(id)
            redis.call('SET', name, struct.pack('<BBi4I4I2Bc0', 255, 0, 0, 60000, 0, #its, its) .. redis.call('GET', name))
            touched[#touched + 1] = id
        end
    end
end
return { found[1], touched })";

constexpr qint64 look_again_ms = 5'000; // a failure that no record causes comes again, and looking at all jobs is expensive

} // namespace

struct Mending::Looking {
    qint64 touched = 0;
};

Mending::Mending(Link &link, QByteArray namespaceName, Mends what)
    : m_link(link)
    , m_namespace(std::move(namespaceName))
    , m_prefix(keyPrefix(m_namespace))
    , m_what(what)
    , m_lookedAt_ms(Clock::monotonic_ms() - look_again_ms)
{
}

bool Mending::mayHelp() const
{
    return m_what != Mends::Nothing && (!m_waiting.isEmpty() || Clock::monotonic_ms() - m_lookedAt_ms >= look_again_ms);
}

void Mending::look(std::function<void(qint64 touched)> done)
{
    m_waiting.append(std::move(done));
    if (m_waiting.size() == 1)
        step(std::make_shared<Looking>(), "0");
}

void Mending::step(const std::shared_ptr<Looking> &looking, const QByteArray &cursor)
{
    QList<QByteArray> words;
    if (m_what == Mends::Matchers)
        words = {"EVAL", matchersScript, "3", m_prefix + key::matchers, m_prefix + key::matcher_ids, m_prefix + key::matcher_history,
            cursor, field_of::matcher_history::last};
    else if (m_what == Mends::Schedules)
        words = {"EVAL", schedulesScript, "2", m_prefix + key::schedule_ids, m_prefix + key::schedule, cursor, field_of::schedule::id,
            field_of::schedule::revision, field_of::schedule::definition};
    else
        words = {"EVAL", jobsScript, "4", m_prefix + key::job, m_prefix + key::name_numbers, m_prefix + key::lane, m_prefix + key::epoch,
            cursor};
    m_link.command(words, [this, looking, alive = std::weak_ptr(m_life)](const Result<Reply> &reply) {
        if (alive.expired())
            return;
        static constexpr const char *what[] = {"", "job", "matcher", "schedule"};
        const Reply touched = reply.ok() ? (*reply)[1] : Reply();
        for (qsizetype i = 0; i < touched.size(); ++i) {
            const QByteArray id = touched[i].bytes();
            qCritical("store: the record of the %s %s is damaged", what[size_t(m_what)],
                m_what == Mends::Jobs ? id.toHex().constData() : id.constData());
        }
        looking->touched += touched.size();
        const QByteArray next = reply.ok() && !reply->isError() ? (*reply)[0].bytes() : QByteArray("0");
        if (next != "0" && !next.isEmpty()) {
            step(looking, next);
            return;
        }
        if (m_what == Mends::Jobs && looking->touched > 0)
            putBack(looking->touched);
        else
            end(looking->touched);
    });
}

void Mending::putBack(qint64 touched)
{
    m_fsck = std::make_unique<RedisFsck>(m_link, m_namespace, ScriptClock::Redis);
    m_fsck->run(Repair::Yes, [this, touched, alive = std::weak_ptr(m_life)](const Result<FsckReport> &report) {
        if (alive.expired())
            return;
        if (report.ok())
            qWarning("store: fsck repaired %lld things after the failure", static_cast<long long>(report->repaired));
        end(touched);
    });
}

void Mending::end(qint64 touched)
{
    m_lookedAt_ms = Clock::monotonic_ms();
    for (const auto &done : std::exchange(m_waiting, {}))
        done(touched);
}

} // namespace junban::redis
