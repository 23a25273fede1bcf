#pragma once

#include "core/base/result.h"
#include "core/jobs/administration.h"

#include <QByteArray>
#include <QList>

namespace junban {

// Asks the store whether it is fit to keep jobs. Threads: the engine's. Callbacks: once each, later, on that thread.
class Doctor
{
public:
    Doctor() = default;
    Doctor(const Doctor &) = delete;
    Doctor &operator=(const Doctor &) = delete;
    virtual ~Doctor() = default;

    virtual void examine(Callback<Findings> callback) = 0;
};

} // namespace junban
