#pragma once

#include "core/redis/reply.h"
#include "core/redis/script.h"

#include <QByteArray>
#include <QList>

// What Redis must permit the user that Junban connects as; packaging/junban.acl has the whole list (scripts/redis-acl writes it). Redis
// asks for each command of a script when the script comes to it: one that is not permitted would end the script half done. So this is
// asked before any other script runs.
namespace junban::redis {

enum class Need {
    Must,   // a master does not work without it
    Better, // it works with less: the doctor sees less, or a durability is not reached
    Tool,   // only junbanctl's export and import need it
};
struct LinkCommand {
    const char *command; // with its subcommand
    Need need;
};
// The commands that are sent outside of scripts. The embedded Redis gets some more, from its own master.
extern const QList<LinkCommand> linkCommands;

// Commands as the script `permissions` takes them: those that are sent and are needed so much, and with Need::Must those of the scripts.
QList<QByteArray> permissionsAsked(Need need);
const Script &permissionsScript();
// The names of the commands that the script's reply says are not permitted: "HSET, ZADD and 3 others". Empty: all are permitted.
QByteArray notPermitted(const Reply &reply);

} // namespace junban::redis
