#include "core/redis/permissions.h"

#include "core/lua/embeddedscripts.h"
#include "core/redis/scripts.h"

namespace junban::redis {

namespace {

constexpr qsizetype named_max = 8;

// The words of a command with a key or a channel of the namespace wherever one may be.
QByteArray asked(const QByteArray &command)
{
    if (command == "PUBLISH" || command == "SUBSCRIBE")
        return command + " &";
    if (command == "EVAL" || command == "FCALL")
        return command + " 0 1 @";
    return command.contains(' ') ? command : command + " @ @ @";
}

} // namespace

const QList<LinkCommand> linkCommands = {
    {"EVAL", Need::Must}, {"EXISTS", Need::Must}, {"FCALL", Need::Must}, {"FUNCTION LOAD", Need::Must}, {"GET", Need::Must},
    {"HDEL", Need::Must}, {"HGET", Need::Must}, {"HGETALL", Need::Must}, {"HMGET", Need::Must}, {"HSET", Need::Must},
    {"HSETNX", Need::Must}, {"PING", Need::Must}, {"SCAN", Need::Must}, {"SET", Need::Must},
    {"PEXPIRE", Need::Must}, {"SUBSCRIBE", Need::Must}, {"TIME", Need::Must}, {"ZCOUNT", Need::Must}, {"ZRANGE", Need::Must},
    {"ZRANGEBYSCORE", Need::Must},
    {"CLIENT SETNAME", Need::Better}, {"CLUSTER NODES", Need::Better}, {"CLUSTER SLOTS", Need::Better}, {"COMMAND INFO", Need::Better},
    {"FUNCTION DELETE", Need::Better}, {"FUNCTION LIST", Need::Better}, {"INFO", Need::Better}, {"ROLE", Need::Better},
    {"SELECT", Need::Better}, {"WAIT", Need::Better},
    {"HSCAN", Need::Tool}, {"LRANGE", Need::Tool}, {"PEXPIREAT", Need::Tool},
    {"PTTL", Need::Tool}, {"RPUSH", Need::Tool}, {"SADD", Need::Tool}, {"SSCAN", Need::Tool}, {"TYPE", Need::Tool},
    {"UNLINK", Need::Tool}, {"XADD", Need::Tool}, {"XRANGE", Need::Tool}, {"ZADD", Need::Tool}, {"ZSCAN", Need::Tool},
};

QList<QByteArray> permissionsAsked(Need need)
{
    QList<QByteArray> all;
    for (const LinkCommand &sent : linkCommands) {
        if (sent.need == need)
            all.append(asked(sent.command));
    }
    if (need == Need::Must) {
        for (const char *const *command = scriptCommands; *command; ++command) {
            if (!all.contains(asked(*command)))
                all.append(asked(*command));
        }
    }
    return all;
}

const Script &permissionsScript()
{
    static const Script script = makeScript("permissions", ScriptClock::Redis);
    return script;
}

QByteArray notPermitted(const Reply &reply)
{
    QByteArrayList names;
    for (qsizetype i = 0; i < reply.size(); ++i) {
        QByteArrayList words = reply[i].bytes().split(' ');
        words.removeIf([](const QByteArray &word) { return word == "@" || word == "&" || word == "0" || word == "1"; });
        names.append(words.join(' '));
    }
    const qsizetype others = names.size() - named_max;
    QByteArray text = names.mid(0, named_max).join(", ");
    if (others > 0)
        text += " and " + QByteArray::number(others) + " others";
    return text;
}

} // namespace junban::redis
