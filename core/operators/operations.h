#pragma once

#include "core/operators/freezer.h"
#include "core/operators/operationrunner.h"

namespace junban {

// Operations as operators ask for them: prepared by a dry run, started with its token, watched, stopped, taken back. OperationRunner does
// the work. Threads, callbacks and errors as for Queue.
class Operations
{
public:
    // All must outlive it.
    Operations(OperationStore &operations, Freezer &freezer, Matchers &matchers, OperationRunner &runner);

    struct Request {
        NewOperation operation;
        Freezer::Request freeze = {}; // when it names no view
        OperationOwner owner = {};    // the caller
    };
    // The dry run. Conflict when the view has not got all its jobs within limits::operation_prepare_s_max.
    void prepare(Request request, Callback<OperationPreview> callback);
    // Repeating it is safe.
    void change(OperationChange change, Callback<BulkOperation> callback);
    // Begins an operation that takes another one back: a retry by cancelling the jobs that have not started since, a deletion by restoring.
    // NotFound; Conflict when that cannot be done.
    void undo(QByteArray id, OperationOwner owner, QByteArray by, QByteArray reason, Callback<BulkOperation> callback);

    // For calls that need nothing else.
    OperationStore &store() { return m_operations; }

private:
    OperationStore &m_operations;
    Freezer &m_freezer;
    Matchers &m_matchers;
    OperationRunner &m_runner;
    std::shared_ptr<int> m_alive = std::make_shared<int>();
};

} // namespace junban
