#pragma once

#include "core/base/clock.h"
#include "core/operators/inspector.h"
#include "core/operators/lookback.h"
#include "core/store/operationstore.h"

namespace junban {

// Makes frozen views: the jobs that a list would show now, found page by page in the background. Threads, callbacks and errors as for
// Queue.
class Freezer
{
public:
    // All must outlive it.
    Freezer(OperationStore &views, Store &store, Inspector &inspector, Lookback &lookback, Clock &clock);

    struct Request {
        Selection selection;
        JobFilter filter = {};     // of the selection, and of the caller
        QByteArray owner = {};     // the caller's token
        double wait_s = limits::view_wait_s; // the answer comes when the view has all its ids, or after so long
    };
    // A view that is not complete by then goes on in the background.
    void freeze(Request request, Callback<View> callback);
    void view(QByteArray id, qint64 offset, int limit, Callback<ViewPage> callback);
    void drop(QByteArray id, Callback<Done> callback);

private:
    OperationStore &m_views;
    Store &m_store;
    Inspector &m_inspector;
    Lookback &m_lookback;
    Clock &m_clock;
    std::shared_ptr<int> m_alive = std::make_shared<int>();
};

// A random name for a view or an operation, which nobody guesses.
QByteArray randomName();

} // namespace junban
