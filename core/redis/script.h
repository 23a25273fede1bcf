#pragma once

#include <QByteArray>

namespace junban::redis {

// A script of core/lua, embedded at build time with its shared pieces. Redis keeps it as a function in a library of its own, and both are
// called `function`. The name has a hash of the text in it, so masters of two versions can use one Redis.
struct Script {
    QByteArray name;               // the name of its file, without its extension
    QByteArray function;
    QByteArray flags;              // as EVAL takes them, with commas between them; e.g. allow-oom
    QByteArray body;               // as embed.py made it, with its marks --@head and --@call

    QByteArray library() const;    // for FUNCTION LOAD
    QByteArray text() const;       // for EVAL, for a server that takes no library now
};

// A script with these flags and this body, called junban_<name>_<hash>.
Script scriptOf(const QByteArray &name, QByteArray flags, QByteArray body);

} // namespace junban::redis
