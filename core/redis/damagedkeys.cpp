#include "core/redis/damagedkeys.h"

#include "core/base/reasons/fsck.h"
#include "core/lua/schema.h"
#include "core/redis/numbers.h"

#include <memory>
#include <utility>

namespace junban::redis {

namespace {

// KEYS: the numbers of names, the names of numbers, the lanes by epoch, the constraints, the last number of a name, the last number of a
// constraint, and the other counters, of which the first `ARGV[4]` restart at 0. ARGV: where SCAN goes on, the prefix of all keys, 1 to
// repair, that number, and each family's name and type. A family with many keys ends in a colon. Replies where SCAN goes on and {key, type,
// expected}; the type is `number` of a counter that is none, `lane` of a lane that is none, `field` of a hash with a field that is no
// number, `record` of a claim that cannot be read.
//
// The last number of a name or constraint goes on from the greatest number in use, because scripts walk from 1 to it. Another counter goes
// on from the time in ms, which no counter has reached by counting. A number has at most 18 digits, so that Redis can count on.
constexpr char keysScript[] = R"(
local damaged, types = {}, {}
local repairs = ARGV[3] == '1'
for i = 5, #ARGV, 2 do
    types[ARGV[i]] = ARGV[i + 1]
end
local function isNumber(text)
    return string.find(text, '^%d+$') and #text <= 18
end
local function isHash(name)
    return redis.call('TYPE', name).ok == 'hash'
end
local function greatest(last, command, name)
    for _, number in ipairs(isHash(name) and redis.call(command, name) or {}) do
        last = isNumber(number) and math.max(last, tonumber(number)) or last
    end
    return last
end
-- The state of a job by the list that has it; a ready job is in none of them.
local function stateOf(id)
    for state, list in pairs(STATES) do
        if redis.call('TYPE', ARGV[2] .. list).ok == 'zset' and redis.call('ZSCORE', ARGV[2] .. list, id) then
            return state
        end
    end
    return 3
end
-- What the jobs cost that run in a bucket.
local function usedOf(bucket)
    local sum = 0
    local running = ARGV[2] .. RUNNING .. bucket
    local jobs = redis.call('TYPE', running).ok == 'zset' and redis.call('ZRANGE', running, 0, -1, 'WITHSCORES') or {}
    for i = 2, #jobs, 2 do
        sum = sum + tonumber(jobs[i])
    end
    return string.format('%.0f', sum)
end
local function restart(i)
    if i == 5 then
        redis.call('SET', KEYS[5], greatest(greatest(0, 'HVALS', KEYS[1]), 'HKEYS', KEYS[2]))
    elseif i == 6 then
        redis.call('SET', KEYS[6], greatest(0, 'HKEYS', KEYS[4]))
    elseif i > 6 + tonumber(ARGV[4]) then
        local now = redis.call('TIME')
        redis.call('SET', KEYS[i], string.format('%.0f', now[1] * 1000 + math.floor(now[2] / 1000)))
    end
end

local pattern = string.gsub(ARGV[2], '[%*%?%[%]\\]', '\\%0') .. '*'
local found = redis.call('SCAN', ARGV[1], 'MATCH', pattern, 'COUNT', 1000)
local counters = {}
for i = 5, #KEYS do
    counters[KEYS[i]] = i
end
local function note(name, kind, expected)
    damaged[#damaged + 1] = { string.sub(name, #ARGV[2] + 1), kind, expected }
    return repairs
end
-- Fields that each script reads as numbers; what is not written again here, fsck derives, or it begins anew.
local function checkFields(name, family, id)
    if family == BUCKET then
        for i, value in ipairs(redis.call('HMGET', name, unpack(NUMBERS))) do
            if value and not tonumber(value) and note(name, 'field', '') then
                redis.call('HDEL', name, NUMBERS[i])
                if NUMBERS[i] == USED then
                    redis.call('HSET', name, USED, usedOf(id))
                end
            end
        end
    elseif family == STATE then
        local state = redis.call('HGET', name, STATE_FIELD)
        if state and not string.find(state, '^[1-8]$') and note(name, 'field', '') then
            redis.call('HSET', name, STATE_FIELD, stateOf(id))
        end
    elseif family == NONCE then
        local read, claim = pcall(cmsgpack.unpack, redis.call('GET', name))
        if not (read and type(claim) == 'table' and type(claim[2]) == 'table') and note(name, 'record', '') then
            redis.call('DEL', name)
        end
    end
end
for _, name in ipairs(found[2]) do
    local bare = string.sub(name, #ARGV[2] + 1)
    local family = string.match(bare, '^[^:]*:')
    local expected = types[bare] or types[family or '']
    local kind = redis.call('TYPE', name).ok
    local lane = family == LANE and string.sub(bare, #family + 1)
    if lane and not (string.find(lane, '^%d+$') or string.find(lane, '^%d+e%d+$') or string.find(lane, '^[cf]x?%x+$')) then
        if note(name, 'lane', '') then
            redis.call('DEL', name)
            redis.call('ZREM', KEYS[3], lane)
        end
    elseif expected and kind ~= 'none' and (kind ~= expected or counters[name] and not isNumber(redis.call('GET', name))) then
        if note(name, kind == expected and 'number' or kind, expected) then
            redis.call('DEL', name)
            if counters[name] then
                restart(counters[name])
            end
        end
    elseif family and kind == expected then
        checkFields(name, family, string.sub(bare, #family + 1))
    end
end
if ARGV[1] == '0' and isHash(KEYS[1]) and isHash(KEYS[2]) then
    local numberOf = {}
    local names = redis.call('HGETALL', KEYS[2])
    for i = 1, #names, 2 do
        if isNumber(names[i]) then
            numberOf[names[i + 1]] = names[i]
        elseif note(KEYS[2], 'number', '') then
            redis.call('HDEL', KEYS[2], names[i])
        end
    end
    local numbers = redis.call('HGETALL', KEYS[1])
    for i = 1, #numbers, 2 do
        if not isNumber(numbers[i + 1]) and note(KEYS[1], 'number', '') then
            redis.call('HDEL', KEYS[1], numbers[i])
            if numberOf[numbers[i]] then
                redis.call('HSET', KEYS[1], numbers[i], numberOf[numbers[i]])
            end
        end
    end
end
return { found[1], damaged })";

// They begin again at 0: the matchers charge all running jobs again, and jobs that take turns start over.
constexpr const char *restarting[] = {key::recharged, key::latest_turn};
constexpr const char *counting[] = {key::transaction, key::steering, key::epoch, key::version, key::matcher_version};

// The numbers of a bucket.
constexpr const char *bucketNumbers[] = {
    field_of::bucket::ready, field_of::bucket::used, field_of::bucket::would, field_of::bucket::waiter_since,
    field_of::bucket::waiter_cost, field_of::bucket::cools_until, field_of::bucket::lack, field_of::bucket::lack_version,
    field_of::bucket::open_until, field_of::bucket::openings, field_of::bucket::ring_start, field_of::bucket::ring_window,
    field_of::bucket::counted, field_of::bucket::good_probes, field_of::bucket::paid_until, field_of::bucket::step,
    field_of::bucket::step_since, field_of::bucket::last_start, field_of::bucket::last_cost, field_of::bucket::recent,
    field_of::bucket::window_start, field_of::bucket::window_used, field_of::bucket::earlier_at, field_of::bucket::earlier_used,
    field_of::bucket::algorithm, field_of::bucket::turn, field_of::bucket::turn_at};

// The names of the layout that the script uses, as Lua.
QByteArray keyNames()
{
    const auto quoted = [](QByteArrayView name) { return QByteArray("'").append(name).append('\''); };
    QByteArray numbers;
    for (const char *field : bucketNumbers)
        numbers += quoted(field) + ',';
    const std::pair<int, const char *> lists[] = {{1, key::scheduled}, {2, key::depends}, {4, key::running}, {5, key::awaiting},
                                                  {6, key::succeeded}, {7, key::failed}, {8, key::cancelled}};
    QByteArray states;
    for (const auto &[state, list] : lists)
        states += '[' + number(qint64(state)) + "]=" + quoted(list) + ',';
    return "local BUCKET, STATE, NONCE, LANE, RUNNING = " + quoted(key::bucket) + ',' + quoted(key::state) + ','
        + quoted(key::nonce) + ',' + quoted(key::lane) + ',' + quoted(key::bucket_running)
        + "\nlocal USED, STATE_FIELD = "
        + quoted(field_of::bucket::used) + ',' + quoted(field::state) + "\nlocal NUMBERS, STATES = {" + numbers + "}, {" + states + '}';
}

struct Search {
    Link &link;
    QByteArray prefix;
    QByteArray repair;
    std::function<void(QList<DamagedKey>)> done;
    QList<DamagedKey> found = {};
};

QList<QByteArray> commandOf(const Search &search, const QByteArray &cursor)
{
    QList<QByteArray> keys{key::name_numbers, key::names, key::lane_epochs, key::constraints, key::last_number, key::last_constraint};
    keys.append({std::begin(restarting), std::end(restarting)});
    keys.append({std::begin(counting), std::end(counting)});
    QList<QByteArray> command{"EVAL", keyNames() + keysScript, number(qint64(keys.size()))};
    for (const QByteArray &name : keys)
        command << search.prefix + name;
    command << cursor << search.prefix << search.repair << number(qint64(std::size(restarting)));
    for (const Family &family : families)
        command << family.name << family.type;
    return command;
}

Reason damageOf(const QByteArray &kind, const QByteArray &expected)
{
    if (kind == "number")
        return reasons::fsckNoNumber();
    if (kind == "lane")
        return reasons::fsckNoLane();
    if (kind == "field")
        return reasons::fsckNoNumberField();
    if (kind == "record")
        return reasons::fsckUnreadableClaim();
    return reasons::fsckWrongType(kind, expected);
}

void step(const std::shared_ptr<Search> &search, const QByteArray &cursor)
{
    search->link.command(commandOf(*search, cursor), [search](const Result<Reply> &reply) {
        const bool answered = reply.ok() && !reply->isError();
        const Reply rows = answered ? (*reply)[1] : Reply();
        for (qsizetype i = 0; i < rows.size(); ++i)
            search->found.append({rows[i][0].bytes(), damageOf(rows[i][1].bytes(), rows[i][2].bytes())});
        const QByteArray next = answered ? (*reply)[0].bytes() : QByteArray("0");
        if (next == "0" || next.isEmpty())
            search->done(std::move(search->found));
        else
            step(search, next);
    });
}

} // namespace

void findDamagedKeys(Link &link, const QByteArray &prefix, Repair repair, std::function<void(QList<DamagedKey>)> done)
{
    step(std::make_shared<Search>(Search{link, prefix, repair == Repair::Yes ? "1" : "0", std::move(done)}), "0");
}

} // namespace junban::redis
