#pragma once

#include <QByteArray>

namespace junban::redis {

// A script of core/lua, embedded at build time with its shared pieces included.
struct Script {
    QByteArray name;
    QByteArray text;
    QByteArray sha1;               // of the text, in hexadecimal digits, for EVALSHA
};

} // namespace junban::redis
