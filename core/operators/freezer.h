#pragma once

#include "core/base/clock.h"
#include "core/operators/inspector.h"
#include "core/operators/lookback.h"
#include "core/store/operationstore.h"

#include <atomic>
#include <memory>

namespace junban {

// Makes frozen views: the jobs that a list would show now, found page by page in the background. Threads, callbacks and errors as for
// Queue.
class Freezer
{
public:
    // What views are made of. All must outlive the freezer.
    struct Sources {
        OperationStore &views;
        Store &store;
        Inspector &inspector;
        Lookback &lookback;
    };
    // How many views are being made that keep their ids in memory until they are complete; shared by a master's engines.
    using Gathered = std::shared_ptr<std::atomic<int>>;
    Freezer(Sources from, Clock &clock, Gathered gathered);

    struct Request {
        Selection selection;
        JobFilter filter = {};     // of the selection, and of the caller
        QByteArray owner = {};     // the caller's token
        double wait_s = limits::view_wait_s; // the answer comes when the view has all its ids, or after so long
    };
    // A view that is not complete by then goes on in the background. Conflict also when limits::views_gathered_max are being made that keep
    // their ids in memory: those of several states, as a job may go from one to another meanwhile.
    void freeze(Request request, Callback<View> callback);
    // With a scope, a job that is outside it now has no row, as if it were gone.
    void view(QByteArray id, qint64 offset, int limit, std::shared_ptr<const Scope> scope, Callback<ViewPage> callback);
    void drop(QByteArray id, Callback<Done> callback);

private:
    const Sources m_from;
    Clock &m_clock;
    const Gathered m_gathered;
    std::shared_ptr<int> m_alive = std::make_shared<int>();
};

// A random name for a view or an operation, which nobody guesses.
QByteArray randomName();

} // namespace junban
