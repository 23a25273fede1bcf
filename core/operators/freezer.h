#pragma once

#include "core/base/clock.h"
#include "core/operators/inspector.h"
#include "core/operators/lookback.h"
#include "core/store/operationstore.h"

#include <QHash>
#include <atomic>
#include <memory>
#include <mutex>

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
    // What a master's engines share.
    struct Shared {
        std::atomic<int> gathered = 0;  // views that are being made and keep their ids in memory until they are complete
        std::mutex mutex;
        QHash<QByteArray, int> held;    // by the view: how many read all of it
    };
    Freezer(Sources from, Clock &clock, std::shared_ptr<Shared> shared);

    struct Request {
        Selection selection;
        JobFilter filter = {};     // of the selection, and of the caller
        QByteArray owner = {};     // the caller's token
        double wait_s = limits::view_wait_s; // the answer comes when the view has all its ids, or after so long
    };
    // A view that is not complete by then goes on in the background. Conflict also when limits::views_gathered_max are being made that keep
    // their ids in memory: those of several states, as a job may go from one to another meanwhile.
    // When the owner has limits::views_of_token_max, or there are limits::views_max of all, the one that was not used for longest is given
    // up for it: first of the owner's, else of whom has most. Conflict when all of these are in use.
    void freeze(Request request, Callback<View> callback);
    // Reading a view keeps it for limits::view_s. With a scope, a job that is outside it now has no row, as if it were gone.
    void view(QByteArray id, qint64 offset, int limit, std::shared_ptr<const Scope> scope, Callback<ViewPage> callback);
    void drop(QByteArray id, Callback<Done> callback);
    // Those that are there, the oldest first.
    void views(Callback<ViewList> callback);

    // A view is not given up for another one while this lives: somebody reads all of it.
    std::shared_ptr<void> holding(const QByteArray &id);

private:
    const Sources m_from;
    Clock &m_clock;
    void makeRoom(const QByteArray &owner, Callback<Done> callback);
    void keepRead(Result<ViewPage> &page);

    const std::shared_ptr<Shared> m_shared;
    std::shared_ptr<int> m_alive = std::make_shared<int>();
};

// A random name for a view or an operation, which nobody guesses.
QByteArray randomName();

} // namespace junban
