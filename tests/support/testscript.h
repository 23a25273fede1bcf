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
    const auto library = redis::makeLibrary("test", {{"test", flags}},
        "--@head\nlocal Begin, Main = {}, {}\nfunction Main.test()\n" + text + "\nend\n--@call\n");
    return redis::Script{library, library->functions.first()};
}

} // namespace junban::test
