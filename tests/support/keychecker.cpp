#include "tests/support/keychecker.h"

#include "core/lua/schema.h"
#include "tests/support/await.h"

namespace junban::test {

namespace {

// In two parts, because a literal is at most 64 KiB long and functions are short: first the indexes, then the jobs.
const char indexes[] = R"LUA(
local P, wrong, places, deps, pending = ARGV[1], {}, {}, {}, {}
local function bad(what, of)
    wrong[#wrong + 1] = what .. ' ' .. string.gsub(of or '', '[^%w:._{}-]', function(c) return string.format('%02x', string.byte(c)) end)
end
local function get(id, ...) return redis.call('HMGET', P .. 's:' .. id, ...) end
local function exists(id) return redis.call('EXISTS', P .. 'j:' .. id) == 1 end
local function stateOf(id) return get(id, 'st')[1] or (exists(id) and '3') or 'none' end
local function has(id, letter) return string.find(get(id, 'ex')[1] or '', letter, 1, true) ~= nil end
local function place(id, state, score, lid)
    if places[id] then bad('in two places', id) end
    places[id] = { state = state, score = tonumber(score), lid = lid }
end
local function placeAll(key, state, lid)
    local rows = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
    for i = 1, #rows, 2 do place(rows[i], state, rows[i + 1], lid) end
    return rows
end

local lanes, waiting = 0, 0
local check = {}
function check.s(id) if not exists(id) then bad('state of no job', id) end end
function check.h(id) if not exists(id) then bad('history of no job', id) end end
function check.t(id) if not has(id, 't') then bad('jobs after no such job', id) end end
function check.w(id) if not has(id, 'w') then bad('windows of no such job', id) end end
function check.lane(lid, key)
    local rows = placeAll(key, '3', lid)
    lanes, waiting = lanes + 1, waiting + #rows / 2
    if redis.call('ZSCORE', P .. 'ready', rows[1] .. lid) ~= rows[2] then bad('not in the ready index by its head', key) end
end
function check.res(id)
    if not exists(id) then return end
    local state, keep = stateOf(id), string.byte(redis.call('GETRANGE', P .. 'j:' .. id, 1, 1)) % 2 == 1
    if not keep or (state ~= '6' and state ~= '7') then bad('a result that nobody keeps', id) end
end
function check.dep(id, key) -- those that were cancelled stay until the parent has ended
    local state = stateOf(id)
    if state == 'none' then bad('dependents of no job', id) end
    for _, child in ipairs(redis.call('ZRANGE', key, 0, -1)) do
        deps[child] = (deps[child] or 0) + 1
        if stateOf(child) == '2' and tonumber(state) >= 6 and not redis.call('ZSCORE', P .. 'freeing', id .. state) then
            bad('nobody tells the dependents', id)
        end
    end
end
function check.uq(hash, key)
    local id = redis.call('GET', key)
    local state = stateOf(id)
    if state == 'none' or tonumber(state) >= 6 or get(id, 'uq')[1] ~= hash then bad('a unique key of no living job', id) end
end
function check.msg(hash, key)
    local id = redis.call('GET', key)
    if #id == 16 and (stateOf(id) ~= '5' or get(id, 'mk')[1] ~= hash) then bad('a message key of no awaiting job', id) end
end
function check.g(hash) pending[hash] = (pending[hash] or 0) - (redis.call('HGET', P .. 'g:' .. hash, 'pending') or 0) end
function check.kept(set, key)
    for _, id in ipairs(redis.call('ZRANGE', key, 0, -1)) do
        if get(id, 'kn')[1] ~= set then bad('counted as kept elsewhere', id) end
    end
end
function check.fgf(group, key)
    for _, id in ipairs(redis.call('ZRANGE', key, 0, -1)) do
        local s = get(id, 'st', 'fg')
        if s[1] ~= '7' or s[2] ~= group then bad('not failed, but in a group of failures', id) end
    end
end
-- What lives for a time or for ever says itself which.
local function lives(what, key, forEver)
    if (redis.call('PTTL', key) < 0) ~= forEver then bad(what .. ' lives too long or too short', key) end
end
local function used(view) return tonumber(redis.call('HGET', P .. 'vw:' .. view, 'u') or 0) > 0 end
local function undone(op) -- the bits of an operation that is being taken back
    local by = redis.call('HGET', P .. 'op:' .. op, 'ub')
    return by and redis.call('PTTL', P .. 'op:' .. by) == -1
end
local function goesOn(op) local state = redis.call('HGET', P .. 'op:' .. op, 'st') return state == 'running' or state == 'paused' end
local users = {}
function check.vw(view, key)
    lives('a view', key, used(view))
    users[view] = (users[view] or 0) - redis.call('HGET', key, 'u')
end
function check.vi(rest, key) lives('a part of a view', key, used(string.match(rest, '^(.*)|'))) end
function check.op(op, key)
    local o = redis.call('HMGET', key, 'st', 'n', 'pos', 'ok', 'no', 'un', 'vw')
    lives('an operation', key, goesOn(op))
    if goesOn(op) then users[o[7]] = (users[o[7]] or 0) + 1 end
    if (o[1] == 'running') ~= (redis.call('ZSCORE', P .. 'oping', op) ~= false) then bad('runs and does not', key) end
    if not o[6] and tonumber(o[3]) ~= o[4] + o[5] or tonumber(o[3]) > tonumber(o[2]) or o[1] == 'done' and o[3] ~= o[2] then
        bad('an operation has been elsewhere', key)
    end
end
function check.opd(op, key) lives('bits', key, goesOn(op) or undone(op) or false) end
function check.opk(op, key) lives('a list', key, goesOn(op)) end
function check.wk(hash, key)
    local w = redis.call('HMGET', key, 'rg', 'dr')
    lives('a worker', key, w[1] ~= false or w[2] ~= false)
end
local schedules, dueSchedules = 0, 0
function check.sch(hash, key)
    local s = redis.call('HMGET', key, 'id', 'nx')
    local due = redis.call('ZSCORE', P .. 'sch', s[1])
    if redis.sha1hex(s[1]) ~= hash or not redis.call('ZSCORE', P .. 'sch_ids', s[1]) then bad('a schedule under a wrong key', key) end
    if (due or '0') ~= s[2] then bad('a schedule is not due when it is', key) end
    schedules, dueSchedules = schedules + 1, dueSchedules + (due and 1 or 0)
end
function check.schr(hash) if redis.call('EXISTS', P .. 'sch:' .. hash) == 0 then bad('firings of no schedule', hash) end end
for _, key in ipairs(redis.call('KEYS', '*')) do
    local name = string.sub(key, #P + 1)
    local kind, rest = string.match(name, '^([a-z]+):(.*)$')
    local life = LIVES[kind and kind .. ':' or name]
    local forTime = life == 2 or (life == 3 and redis.call('STRLEN', key) > 16)
    if string.sub(key, 1, #P) ~= P or not life then bad('outside the schema', key)
    elseif life ~= 4 and (redis.call('PTTL', key) >= 0) ~= forTime then bad('lives too long or too short', key)
    elseif kind and check[kind] then check[kind](rest, key) end
end
for view, n in pairs(users) do if n ~= 0 then bad('a view counts other operations', view) end end
if redis.call('ZCARD', P .. 'sch_ids') ~= schedules or redis.call('ZCARD', P .. 'sch') ~= dueSchedules then
    bad('schedules that are gone')
end
if redis.call('ZCARD', P .. 'ready') ~= lanes then bad('the ready index knows other lanes') end
if tonumber(redis.call('HGET', P .. 'count', 'ready') or 0) ~= waiting then bad('the count of ready jobs is wrong') end
)LUA";

const char jobs[] = R"LUA(
local finals, trashed = 0, 0
for set, state in pairs({ sched = '1', depends = '2', run = '4', await = '5', succeeded = '6', failed = '7', cancelled = '8' }) do
    placeAll(P .. set, state)
end
for _, row in ipairs(redis.call('ZRANGE', P .. 'freeing', 0, -1)) do
    if redis.call('EXISTS', P .. 'dep:' .. string.sub(row, 1, 16)) == 0 then bad('tells no dependents', row) end
end
for set, letter in pairs({ expire = 'e', wclose = 'w', wwant = 'w' }) do
    for _, id in ipairs(redis.call('ZRANGE', P .. set, 0, -1)) do
        local state = stateOf(id)
        if state == 'none' or not has(id, letter) or tonumber(state) >= 6 then bad('in ' .. set .. ' without need', id) end
        if set == 'wclose' and state ~= '3' then bad('its window closes, but it is not ready', id) end
        if set == 'expire' and (get(id, 'a')[1] or tonumber(get(id, 'xp')[1]) ~= tonumber(redis.call('ZSCORE', P .. set, id))) then
            bad('expires wrongly', id)
        end
    end
end
for _, key in ipairs(redis.call('KEYS', P .. 'j:*')) do
    local id = string.sub(key, #P + 3)
    local _, _, priority, _, retries, name = struct.unpack('<BBi4I4I2Bc0', redis.call('GET', key))
    local s, flat = {}, redis.call('HGETALL', P .. 's:' .. id)
    for i = 1, #flat, 2 do s[flat[i]] = flat[i + 1] end
    local state, at, ex = s.st or '3', places[id] or { state = 'no place' }, s.ex or ''
    local final = tonumber(state) >= 6
    if s.tr then
        if tonumber(redis.call('ZSCORE', P .. 'trash', id) or 0) ~= tonumber(s.tr) or not final or places[id] then
            bad('deleted, but not only in the trash', id)
        end
        trashed, final, at.state, at.score = trashed + 1, false, state, tonumber(s.fi)
    end
    if (s.tk == '1') ~= (redis.call('ZSCORE', P .. 'tracked', id) ~= false) then bad('tracked in one place', id) end
    if at.state ~= state then bad('job of state ' .. state .. ' stands at ' .. at.state, id)
    elseif state == '3' and at.score ~= priority then bad('in its lane by another priority', id)
    elseif state == '3' and redis.call('HGET', P .. 'lane_names', at.lid) ~= name then bad('in a lane of another name', id)
    elseif state == '1' and at.score ~= tonumber(s.ra) then bad('scheduled for two times', id)
    elseif (state == '4' or state == '5') and string.match(s.l or '', '^(%d+)%.%x+$') ~= s.a then bad('running under a bad lease', id)
    elseif state == '4' and at.score > tonumber(s.dl) then bad('its lease outlives its deadline', id)
    elseif state == '5' and redis.call('GET', P .. 'msg:' .. (s.mk or '')) ~= id then bad('awaits no message', id)
    elseif state == '2' and tonumber(s.dn or 0) ~= (deps[id] or 0) then bad('depends on another number of jobs', id)
    elseif final and at.score ~= tonumber(s.fi) then bad('finished at two times', id)
    elseif final ~= (redis.call('ZSCORE', P .. 'purge', id) ~= false) then bad('final and purge differ', id)
    elseif state == '7' and (s.rs or '') == '' then bad('failed without a reason', id)
    elseif state == '7' and not s.tr and not redis.call('ZSCORE', P .. 'fgf:' .. (s.fg or ''), id) then
        bad('failed in no group of failures', id)
    elseif tonumber(s.f or 0) > retries + 1 then bad('too many failures', id)
    elseif string.find(ex, 't', 1, true) and redis.call('EXISTS', P .. 't:' .. id) == 0 then bad('lost the jobs after it', id)
    elseif string.find(ex, 'w', 1, true) and redis.call('EXISTS', P .. 'w:' .. id) == 0 then bad('lost its windows', id)
    elseif string.find(ex, 'e', 1, true) and tonumber(state) < 6 and not s.a
        and not redis.call('ZSCORE', P .. 'expire', id) then
        bad('would never expire', id)
    end
    if s.gr and tonumber(state) < 6 then pending[s.gr] = (pending[s.gr] or 0) + 1 end
    finals = finals + (final and 1 or 0)
    places[id] = nil
end
if redis.call('ZCARD', P .. 'purge') ~= finals then bad('purge of jobs that are gone') end
if redis.call('ZCARD', P .. 'trash') ~= trashed then bad('trash of jobs that are gone') end
for id in pairs(places) do bad('indexed but gone', id) end
for group, wrongBy in pairs(pending) do if wrongBy ~= 0 then bad('a group counts others', group) end end
return table.concat(wrong, ', ')
)LUA";

// How long a family's keys live, by its name (core/lua/schema.h).
QByteArray livesTable()
{
    QByteArray table = "local LIVES = {";
    for (const redis::Family &family : redis::families)
        table += " ['" + QByteArray(family.name) + "'] = " + QByteArray::number(family.lives) + ",";
    return table + " }\n";
}

} // namespace

QByteArray wrongKeys(redis::Link &link, const QByteArray &namespaceName)
{
    const QList<QByteArray> words{"EVAL", livesTable() + indexes + jobs, "0", "jq:{" + namespaceName + "}:"};
    const Result<redis::Reply> reply = await<redis::Reply>([&](auto done) { link.command(words, done); });
    return reply.ok() ? reply->bytes() : reply.error().message();
}

} // namespace junban::test
