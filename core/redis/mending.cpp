#include "core/redis/mending.h"

#include "core/base/clock.h"
#include "core/limits.h"
#include "core/jobs/jobid.h"
#include "core/jobs/operation.h"
#include "core/lua/schema.h"
#include "core/redis/damagedkeys.h"
#include "core/redis/keys.h"
#include "core/redis/numbers.h"

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

// KEYS: the prefixes of jobs, states and lanes, of what a lane carries and of a name's totals; the totals, name_numbers, the epoch, the
// constraints, and the prefix of a sliding rate's starts; ARGV[1]: where SCAN goes on, the prefix of all keys, the fields buckets and
// uncertain, the parameters kind and mode, and the fields that are numbers. A record whose head the scripts cannot read gets a head of a
// format that C++ refuses, with the name of the lane that the job waits in, and all its bytes behind. In a state, what is no number becomes
// 0, and buckets that cannot be read are forgotten; the state itself is mended with the keys (core/redis/damagedkeys.h). What a lane
// carries is deleted when it cannot be read; a total that is no number becomes 0. A constraint whose parameters cannot be read becomes a
// pause, which admits no job until the constraint's matcher is saved again; starts of a rate that cannot be read are forgotten. fsck mends
// what does not go together then.
constexpr char jobsScript[] = R"(
local job, state, lane, carries, name_totals, totals = unpack(KEYS, 1, 6)
local pattern = string.gsub(ARGV[2], '[%*%?%[%]\\]', '\\%0') .. '*'
local found = redis.call('SCAN', ARGV[1], 'MATCH', pattern, 'COUNT', 1000)
local touched = {}
local function isRecord(record)
    local ok, _, flags, _, _, _, _, at = pcall(struct.unpack, '<BBi4I4I2Bc0', record)
    return ok and (flags % 4 < 2 or pcall(struct.unpack, '<I4dI4dI4I2', record, at))
end
local function isTable(packed)
    local ok, unpacked = pcall(cmsgpack.unpack, packed)
    return ok and type(unpacked) == 'table'
end
local function nameOf(id)
    local numbers, epoch = redis.call('HGETALL', KEYS[7]), redis.call('GET', KEYS[8]) or '0'
    for i = 1, #numbers, 2 do
        for _, suffix in ipairs({ '', 'e0', 'e' .. epoch }) do
            if redis.call('ZSCORE', lane .. numbers[i + 1] .. suffix, id) then
                return numbers[i]
            end
        end
    end
    return 'damaged'
end
local function mend(name)
    local kind = redis.call('TYPE', name).ok
    if string.sub(name, 1, #job) == job and kind == 'string' then
        if not isRecord(redis.call('GETRANGE', name, 0, 511)) then
            local its = nameOf(string.sub(name, #job + 1))
            redis.call('SET', name, struct.pack('<BBi4I4I2Bc0', 255, 0, 0, 60000, 0, #its, its) .. redis.call('GET', name))
            return string.sub(name, #job + 1)
        end
    elseif string.sub(name, 1, #state) == state and kind == 'hash' then
        local id, hurt = string.sub(name, #state + 1), false
        local packed = redis.call('HGET', name, ARGV[3])
        if packed and packed ~= '' and not isTable(packed) then
            redis.call('HDEL', name, ARGV[3])
            redis.call('HSET', name, ARGV[4], 1)
            hurt = true
        end
        for i = 7, #ARGV do
            local value = redis.call('HGET', name, ARGV[i])
            if value and not tonumber(value) then
                redis.call('HSET', name, ARGV[i], 0)
                hurt = true
            end
        end
        return hurt and id
    elseif string.sub(name, 1, #carries) == carries and kind == 'string' then
        if not isTable(redis.call('GET', name)) then
            redis.call('DEL', name)
            return string.sub(name, #ARGV[2] + 1)
        end
    elseif name == KEYS[9] and kind == 'hash' then
        local constraints, hurt = redis.call('HGETALL', name), false
        for i = 1, #constraints, 2 do
            if not isTable(constraints[i + 1]) then
                redis.call('HSET', name, constraints[i], cmsgpack.pack({ [ARGV[5]] = 'pause', [ARGV[6]] = 'enforce' }))
                hurt = true
            end
        end
        return hurt and string.sub(name, #ARGV[2] + 1)
    elseif string.sub(name, 1, #KEYS[10]) == KEYS[10] and kind == 'zset' then
        local hurt = false
        for _, start in ipairs(redis.call('ZRANGE', name, 0, -1)) do
            if not tonumber(string.match(start, '|([^|]*)$') or '') then
                redis.call('ZREM', name, start)
                hurt = true
            end
        end
        return hurt and string.sub(name, #ARGV[2] + 1)
    elseif (name == totals or string.sub(name, 1, #name_totals) == name_totals) and kind == 'hash' then
        local counted, hurt = redis.call('HGETALL', name), false
        for i = 1, #counted, 2 do
            if not string.find(counted[i + 1], '^%-?%d+$') then
                redis.call('HSET', name, counted[i], 0)
                hurt = true
            end
        end
        return hurt and string.sub(name, #ARGV[2] + 1)
    end
end
for _, name in ipairs(found[2]) do
    local id = mend(name)
    if id then
        touched[#touched + 1] = id
    end
end
return { found[1], touched })";

// KEYS: views, the prefixes of views and of their ids; operations, operating and the prefix of operations; ARGV[1]: nothing, the fields
// count, as_of and state of a view, the fields state and action of an operation, how many of its fields are numbers, these, and the words
// of actions. A view that cannot be read goes, as its jobs are in their places anyway. So does an operation whose action cannot be read; of
// another one, what is no number becomes 0, and an operator resumes or stops it, unless it had ended, as its record's expiry tells.
constexpr char operationsScript[] = R"(
local views, view, ids, operations, operating, operation = unpack(KEYS)
local touched = {}
local function isWhole(value)
    return string.find(value or '', '^%d+$')
end
for _, id in ipairs(redis.call('ZRANGE', views, 0, -1)) do
    local its = view .. id
    local kind = redis.call('TYPE', its).ok
    local has = kind == 'hash' and redis.call('HMGET', its, ARGV[2], ARGV[3], ARGV[4])
    if kind ~= 'none' and not (has and isWhole(has[1]) and isWhole(has[2]) and string.find(has[3] or '', '^[012]$')) then
        redis.call('DEL', its)
        redis.call('ZREM', views, id)
        local chunk = 0
        while redis.call('DEL', ids .. id .. '|' .. chunk) == 1 do
            chunk = chunk + 1
        end
        touched[#touched + 1] = id
    end
end
local numbers, actions = {}, {}
for i = 8, #ARGV do
    if i < 8 + tonumber(ARGV[7]) then
        numbers[#numbers + 1] = ARGV[i]
    else
        actions[ARGV[i]] = true
    end
end
local states = { prepared = true, running = true, paused = true, stopped = true, done = true }
for _, id in ipairs(redis.call('ZRANGE', operations, 0, -1)) do
    local its = operation .. id
    local kind = redis.call('TYPE', its).ok
    local has = kind == 'hash' and redis.call('HMGET', its, ARGV[5], ARGV[6])
    if kind ~= 'none' and not (has and actions[has[2] or '']) then
        redis.call('DEL', its)
        redis.call('ZREM', operations, id)
        redis.call('ZREM', operating, id)
        touched[#touched + 1] = id
    elseif has then
        local unknown, ended = not states[has[1] or ''], redis.call('PTTL', its) >= 0
        local hurt = unknown
        for _, field in ipairs(numbers) do
            local value = redis.call('HGET', its, field)
            if value and not tonumber(value) then
                redis.call('HSET', its, field, 0)
                hurt = true
            end
        end
        if hurt then
            if unknown or has[1] == 'running' then
                redis.call('HSET', its, ARGV[5], ended and 'stopped' or 'paused')
                redis.call('ZREM', operating, id)
            end
            touched[#touched + 1] = id
        end
    end
end
return { '0', touched })";

// After a look that found nothing: a failure that no record causes comes again, and looking at all jobs is expensive.
constexpr qint64 look_again_ms = 5'000;

QList<QByteArray> called(
    const char *script, const QByteArray &prefix, std::initializer_list<const char *> keys, const QList<QByteArray> &arguments)
{
    QList<QByteArray> words{"EVAL", script, number(qint64(keys.size()))};
    for (const char *name : keys)
        words.append(prefix + name);
    return words + arguments;
}

QList<QByteArray> wordsOf(Mends what, const QByteArray &prefix, const QByteArray &cursor)
{
    switch (what) {
    case Mends::KeysAlone:
    case Mends::Matchers:
        return called(matchersScript, prefix, {key::matchers, key::matcher_ids, key::matcher_history},
            {cursor, field_of::matcher_history::last});
    case Mends::Schedules:
        return called(schedulesScript, prefix, {key::schedule_ids, key::schedule},
            {cursor, field_of::schedule::id, field_of::schedule::revision, field_of::schedule::definition});
    case Mends::Jobs: {
        namespace of = field;
        return called(jobsScript, prefix,
            {key::job, key::state, key::lane, key::lane_info, key::name_totals, key::totals, key::name_numbers, key::epoch,
                key::constraints, key::rate_starts},
            {cursor, prefix, of::buckets, of::uncertain, field_of::constraints::kind, field_of::constraints::mode, of::attempt,
                of::failures, of::releases, of::silent, of::started, of::deadline, of::lease_ms, of::finished, of::run_at, of::result_ttl,
                of::ready_since, of::created, of::deleted, of::epoch, of::failed_over, of::expires, of::depends});
    }
    case Mends::Operations: {
        namespace of = field_of::operation;
        const QList<QByteArray> numbers{of::count, of::wanted, of::position, of::done, of::skipped, of::rate, of::credit, of::credit_at,
            of::made, of::started, of::ended};
        QList<QByteArray> arguments{cursor, field_of::view::count, field_of::view::as_of, field_of::view::state, of::state, of::action,
            number(qint64(numbers.size()))};
        arguments += numbers;
        arguments.append({std::begin(bulkActionWords), std::end(bulkActionWords)});
        return called(operationsScript, prefix,
            {key::views, key::view, key::view_ids, key::operations, key::operating, key::operation}, arguments);
    }
    }
    return {};
}

} // namespace

struct Mending::Looking {
    qint64 touched = 0;
    bool misplaced = false; // what fsck puts right
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
    return !m_waiting.isEmpty() || Clock::monotonic_ms() - m_lookedAt_ms >= look_again_ms;
}

void Mending::look(std::function<void(qint64 touched)> done)
{
    m_waiting.append(std::move(done));
    if (m_waiting.size() > 1)
        return;
    findDamagedKeys(m_link, m_prefix, Repair::Yes, [this, alive = std::weak_ptr(m_life)](const QList<DamagedKey> &damaged) {
        if (alive.expired())
            return;
        for (const DamagedKey &each : damaged)
            qCritical("store: the key %s: %s", each.key.toPercentEncoding(":|").constData(), each.damage.text.constData());
        const auto looking = std::make_shared<Looking>(Looking{damaged.size(), !damaged.isEmpty()});
        if (m_what == Mends::KeysAlone)
            finish(looking);
        else
            step(looking, "0");
    });
}

void Mending::step(const std::shared_ptr<Looking> &looking, const QByteArray &cursor)
{
    m_link.command(wordsOf(m_what, m_prefix, cursor), [this, looking, alive = std::weak_ptr(m_life)](const Result<Reply> &reply) {
        if (alive.expired())
            return;
        static constexpr const char *what[] = {"", "job", "matcher", "schedule", "operation"};
        const Reply touched = reply.ok() ? (*reply)[1] : Reply();
        for (qsizetype i = 0; i < touched.size(); ++i) {
            const QByteArray id = touched[i].bytes();
            const bool isJob = m_what == Mends::Jobs && id.size() == JobId::size;
            qCritical("store: the record of the %s %s is damaged", m_what == Mends::Jobs && !isJob ? "key" : what[size_t(m_what)],
                isJob ? id.toHex().constData() : id.constData());
        }
        looking->touched += touched.size();
        const QByteArray next = reply.ok() && !reply->isError() ? (*reply)[0].bytes() : QByteArray("0");
        if (next != "0" && !next.isEmpty()) {
            step(looking, next);
            return;
        }
        looking->misplaced = looking->misplaced || (m_what == Mends::Jobs && looking->touched > 0);
        finish(looking);
    });
}

void Mending::finish(const std::shared_ptr<Looking> &looking)
{
    if (looking->misplaced)
        putBack(looking->touched);
    else
        end(looking->touched);
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
    m_lookedAt_ms = Clock::monotonic_ms() - (touched > 0 ? look_again_ms : 0);
    for (const auto &done : std::exchange(m_waiting, {}))
        done(touched);
}

} // namespace junban::redis
