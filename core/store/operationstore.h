#pragma once

#include "core/jobs/operation.h"
#include "core/store/store.h"

namespace junban {

enum class ViewState { Building, Complete, Cut };
struct FreezeItem {
    QByteArray view;
    qint64 sofar = 0;              // ids that it has; 0 makes the view
    ViewState state = ViewState::Building; // afterwards
    QByteArray owner;
    qint64 asOf_ms = 0;
    QList<JobId> ids;              // to add, at most limits::page_rows_max
    Selection selection = {};      // what it is made of, when this makes it
};
// The same with the next jobs in a state, all of which are wanted.
struct FreezeStateItem {
    QByteArray view;
    qint64 sofar = 0;
    QByteArray owner;
    qint64 asOf_ms = 0;
    JobState state = JobState::Failed; // not Ready
    std::optional<QPair<double, JobId>> after = {}; // the last job of the call before, as its (order, id)
    ListOrder order = ListOrder::Natural;
    Selection selection = {};
};
struct FrozenState {
    qint64 count = 0;
    std::optional<QPair<double, JobId>> last = {}; // none: there are no more
};
struct ViewStates {
    qint64 looked = 0;
    StateCounts counts;
};
// Whose an operation is.
struct OperationOwner {
    QByteArray token = {};
    QByteArray match = {};         // not empty: an expression over cel::matcherEnvironment() that must be true of a job when it is acted on
};
struct OperationSave {
    QByteArray id;
    BulkAction action = BulkAction::Retry;
    QByteArray view;               // ignored when it takes another operation back
    qint64 jobs = 0;               // so is this
    double rate = 0;
    std::optional<JobEdit> fields = {};
    OperationOwner owner = {};
    QByteArray undoes = {};
    Selection selection = {};      // what the view was made of
};
enum class OperationVerb { Start, Pause, Resume, Stop };
struct OperationChange {
    QByteArray id;
    OperationVerb verb = OperationVerb::Start;
    QByteArray by = {}, reason = {}; // of a start
};
struct OperateItem {
    QByteArray id;
    std::optional<qint64> position = {}; // of the jobs that were given to the caller …
    QList<QByteArray> outcomes = {};     // … and what it says of each: empty, it was changed (`set`) or may be acted on (other actions);
                                         // else why it is left as it is
};
struct Operated {
    bool busy = false;             // another master has it
    qint64 again_ms = 0;           // when to call again, on Redis' clock; 0: never, it does not run any more
    qint64 now_ms = 0;
    qint64 position = 0;
    QList<JobId> ids;              // jobs that the caller is to change (`set`) or to judge (OperationOwner::match)
    Hints hints;
};

// Frozen views and operations in the store; each call is one atomic step. Threads, callbacks and errors as for Store.
class OperationStore
{
public:
    OperationStore() = default;
    OperationStore(const OperationStore &) = delete;
    OperationStore &operator=(const OperationStore &) = delete;
    virtual ~OperationStore() = default;

    // The answer is how many ids the view has. NotFound when it has expired; Conflict when there are limits::views_max. Repeating it is
    // safe.
    virtual void freeze(FreezeItem item, Callback<qint64> callback) = 0;
    // Looks at limits::page_rows_max jobs. Errors as for freeze(); StoreUnavailable when a reply was lost: the view has to be made anew.
    virtual void freezeState(FreezeStateItem item, Callback<FrozenState> callback) = 0;
    virtual void view(QByteArray id, qint64 offset, int limit, Callback<ViewPage> callback) = 0;
    // Lets a view live for limits::view_s from now, unless an operation keeps it longer. `count`: how many ids it has.
    virtual void keep(QByteArray view, qint64 count) = 0;
    // All that are there, without rows, the oldest first.
    virtual void views(Callback<ViewList> callback) = 0;
    // NotFound; Conflict while an operation over it runs, or is paused.
    virtual void drop(QByteArray view, Callback<Done> callback) = 0;
    virtual void viewStates(QByteArray id, qint64 offset, int limit, Callback<ViewStates> callback) = 0;

    // Prepares an operation. NotFound; Conflict when the view has not got all its ids, when there are limits::operations_max, or when what
    // it takes back has not ended or was taken back already.
    virtual void save(OperationSave save, Callback<Done> callback) = 0;
    // NotFound; Conflict when its state does not allow it. Repeating it is safe.
    virtual void change(OperationChange change, Callback<Done> callback) = 0;
    virtual void get(QByteArray id, Callback<BulkOperation> callback) = 0;
    virtual void list(Callback<OperationList> callback) = 0;
    virtual void skipped(QByteArray id, qint64 offset, int limit, Callback<SkippedPage> callback) = 0;
    // The operations that run and that no master works on.
    virtual void free(Callback<QList<QByteArray>> callback) = 0;
    // Does the next part of an operation. No job is acted on twice, whichever masters call.
    virtual void operate(OperateItem item, Callback<Operated> callback) = 0;
};

} // namespace junban
