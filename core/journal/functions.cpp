#include "core/journal/functions.h"

#include "core/journal/lead.h"

#include <QCryptographicHash>

namespace junban::journal::functions {

namespace {

// @FIELDS: the fields of `lead`. @FIRST: what comes before the first write.
constexpr char common[] = R"lua(
local function time()
    local now = redis.call('TIME')
    return now[1] * 1000 + math.floor(now[2] / 1000)
end

local function answer(word, lead)
    return { word, time(), redis.call('HMGET', lead, @FIELDS) }
end
)lua";

constexpr char takeText[] = R"lua(
local function take(keys, words)
    local lead = keys[1] .. 'lead'
    local id, n, beat, term, layout = unpack(redis.call('HMGET', lead, 'id', 'n', 'beat', 'term', 'layout'))
    local same = (id or '') == words[1] and (not id or n == words[2] and beat == words[3])
    if not same or tonumber(layout or 0) > tonumber(words[5]) then
        return answer('FENCED', lead)
    end
@FIRST    redis.call('HSET', lead, 'id', words[4], 'n', n or '0', 'base', n or '0', 'beat', '0', 'layout', words[5], 'address', words[6],
        'certificate', words[7], 'secret', words[8], 'term', string.format('%d', (term or 0) + 1))
    redis.call('HDEL', lead, 'gone')
    return answer('TAKEN', lead)
end
)lua";

constexpr char applyText[] = R"lua(
local function apply(keys, words)
    local prefix = keys[1]
    local lead = prefix .. 'lead'
    local found = redis.call('HMGET', lead, 'id', 'n')
    if found[1] ~= words[1] or found[2] ~= words[2] then
        return answer('FENCED', lead)
    end
@FIRST    if words[3] == words[2] then
        redis.call('HSET', lead, 'beat', words[4])
        return time()
    end
    local at, last = 5, #words
    while at < last do
        local to = at + 2 + words[at + 2]
        redis.call(words[at], prefix .. words[at + 1], unpack(words, at + 3, to))
        at = to + 1
    end
    redis.call('HSET', lead, 'n', words[3], 'at', words[4])
    return time()
end
)lua";

// Before Redis 7 a script has no flags. What it does after its first write is not refused for memory, and DEL never is: so the first write
// of a script is a DEL of nothing. A function has a flag for it.
enum class As { Function, Script };

QByteArray textOf(const QByteArray &text, As as)
{
    QByteArray all = text;
    all.replace("@FIELDS", '\'' + Lead::fields().join("', '") + '\'');
    return all.replace("@FIRST", as == As::Script ? "    redis.call('DEL', keys[1] .. 'none')\n" : "");
}

QByteArray mark()
{
    static const QByteArray all = textOf(QByteArray(common) + takeText + applyText, As::Function);
    static const QByteArray hash = '_' + QCryptographicHash::hash(all, QCryptographicHash::Sha1).toHex().first(16);
    return hash;
}

} // namespace

const QByteArray &library()
{
    // Without memory a batch is carried out all the same: jobs end and make room. New jobs are refused before they are decided (step 11).
    static const QByteArray text = [] {
        const auto registered = [](Name name, const char *function) {
            return "redis.register_function{ function_name = '" + called(name) + "', flags = { 'allow-oom' }, callback = " + function
                + " }\n";
        };
        return QByteArray("#!lua name=junban_journal" + mark() + textOf(QByteArray(common) + takeText + applyText, As::Function)
            + registered(Name::Take, "take") + registered(Name::Apply, "apply"));
    }();
    return text;
}

QByteArray called(Name name)
{
    static const QByteArray take = "junban_take" + mark(), apply = "junban_apply" + mark();
    return name == Name::Take ? take : apply;
}

QByteArray script(Name name)
{
    const bool take = name == Name::Take;
    const QByteArray call = QByteArray("return ") + (take ? "take" : "apply") + "(KEYS, ARGV)\n";
    return textOf(QByteArray(common) + (take ? takeText : applyText), As::Script) + call;
}

} // namespace junban::journal::functions
