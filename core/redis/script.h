#pragma once

#include <QByteArray>
#include <QList>
#include <memory>

namespace junban::redis {

// A function library of Redis: scripts of core/lua with their shared pieces, which the build put together. All names have a hash of the
// text in them, so masters of two versions can use one Redis.
struct Library {
    struct Function {
        QByteArray script;         // the name of its file, without its extension
        QByteArray flags;          // as EVAL takes them, with commas between them; e.g. allow-oom
        QByteArray name = {};      // makeLibrary() gives it
    };

    QByteArray name;
    QByteArray body;               // as embed.py made it, with its marks --@head and --@call
    QList<Function> functions;

    QByteArray text() const;       // for FUNCTION LOAD
};

// A script of core/lua: a function of a library.
struct Script {
    std::shared_ptr<const Library> library;
    Library::Function function;

    QByteArray text() const;       // for EVAL, for a server that takes no library now
};

// The library junban_<name>_<hash>. A script may be in it twice, with other flags.
std::shared_ptr<const Library> makeLibrary(const QByteArray &name, QList<Library::Function> functions, QByteArray body);

} // namespace junban::redis
