#pragma once

#include "core/redis/script.h"

namespace junban::test {

// A script of a test's own. A first line `#!lua flags=…` has its flags.
inline redis::Script testScript(QByteArray text)
{
    QByteArray flags;
    if (text.startsWith("#!lua")) {
        const qsizetype end = text.indexOf('\n');
        flags = text.first(end).mid(qsizetype(sizeof "#!lua flags=") - 1);
        text.remove(0, end + 1);
    }
    return redis::scriptOf("test", flags, "--@head\nlocal Begin = {}\nlocal function main()\n" + text + "\nend\n--@call\n");
}

} // namespace junban::test
