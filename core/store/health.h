#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QList>

namespace junban {

enum class Severity { Warning, RefusedUnlessForced, Refused };
const char *severityWord(Severity severity); // "warning", "refused_unless_forced", "refused"

// Something about the store that an administrator should know before jobs are trusted to it.
struct Finding {
    Severity severity = Severity::Warning;
    QByteArray word;               // stable, e.g. "evicting"
    QByteArray message;
};

// Asks the store whether it is fit to keep jobs. Threads: the engine's. Callbacks: once each, later, on that thread.
class Doctor
{
public:
    Doctor() = default;
    Doctor(const Doctor &) = delete;
    Doctor &operator=(const Doctor &) = delete;
    virtual ~Doctor() = default;

    virtual void examine(Callback<QList<Finding>> callback) = 0;
};

} // namespace junban
