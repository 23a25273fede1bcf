#include "core/redis/wrongtypes.h"

#include "core/lua/schema.h"
#include "core/redis/numbers.h"

#include <memory>
#include <utility>

namespace junban::redis {

namespace {

// KEYS: the last number of a constraint, and the constraints; ARGV: where SCAN goes on, the prefix of all keys, 1 to delete, and each
// family's name and type. A family with many keys ends in a colon.
constexpr char typesScript[] = R"(
local pattern = string.gsub(ARGV[2], '[%*%?%[%]\\]', '\\%0') .. '*'
local found = redis.call('SCAN', ARGV[1], 'MATCH', pattern, 'COUNT', 1000)
local types, wrong = {}, {}
for i = 4, #ARGV, 2 do
    types[ARGV[i]] = ARGV[i + 1]
end
for _, name in ipairs(found[2]) do
    local bare = string.sub(name, #ARGV[2] + 1)
    local expected = types[bare] or types[string.match(bare, '^[^:]*:') or '']
    local kind = redis.call('TYPE', name).ok
    if expected and kind ~= expected and kind ~= 'none' then
        wrong[#wrong + 1] = { bare, kind, expected }
        if ARGV[3] == '1' then
            redis.call('DEL', name)
        end
        if ARGV[3] == '1' and name == KEYS[1] and redis.call('TYPE', KEYS[2]).ok == 'hash' then
            local last = 0
            for _, number in ipairs(redis.call('HKEYS', KEYS[2])) do
                last = math.max(last, tonumber(number) or 0)
            end
            redis.call('SET', name, last)
        end
    end
end
return { found[1], wrong })";

struct Search {
    Link &link;
    QByteArray prefix;
    QByteArray repair;
    std::function<void(QList<WrongType>)> done;
    QList<WrongType> found = {};
};

void step(const std::shared_ptr<Search> &search, const QByteArray &cursor)
{
    QList<QByteArray> command{"EVAL", typesScript, "2", search->prefix + key::last_constraint, search->prefix + key::constraints, cursor,
        search->prefix, search->repair};
    for (const Family &family : families)
        command << family.name << family.type;
    search->link.command(command, [search](const Result<Reply> &reply) {
        const bool answered = reply.ok() && !reply->isError();
        const Reply rows = answered ? (*reply)[1] : Reply();
        for (qsizetype i = 0; i < rows.size(); ++i)
            search->found.append({rows[i][0].bytes(), rows[i][1].bytes(), rows[i][2].bytes()});
        const QByteArray next = answered ? (*reply)[0].bytes() : QByteArray("0");
        if (next == "0" || next.isEmpty())
            search->done(std::move(search->found));
        else
            step(search, next);
    });
}

} // namespace

void findWrongTypes(Link &link, const QByteArray &prefix, Repair repair, std::function<void(QList<WrongType>)> done)
{
    step(std::make_shared<Search>(Search{link, prefix, repair == Repair::Yes ? "1" : "0", std::move(done)}), "0");
}

} // namespace junban::redis
