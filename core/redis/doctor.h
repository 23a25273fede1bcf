#pragma once

#include "core/redis/link.h"

#include <QList>
#include <QObject>

namespace junban::redis {

enum class Severity { Warning, RefusedUnlessForced, Refused };

// Something about a Redis that an administrator should know before jobs are trusted to it.
struct Finding {
    Severity severity;
    const char *word;    // stable: "evicting", "replica", "not_durable", "config_hidden", "no_maxmemory",
                         // "newer_layout"
    QByteArray message;
};

// Asks a Redis whether it is fit to keep jobs (semantics.md §6). `link` must outlive the call. What it must not ask it cannot judge,
// and says so as a warning.
void examine(Link &link, const QByteArray &namespaceName, Callback<QList<Finding>> callback);

} // namespace junban::redis
