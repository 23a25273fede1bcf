#pragma once

#include "core/base/result.h"
#include "core/jobs/administration.h"

#include <QByteArray>
#include <QList>

namespace junban {

// Checks whether the store is fit to keep jobs: its version, its settings, its memory. Threads: the engine's. Callbacks: once each, later,
// on that thread. Errors: those of the store.
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
