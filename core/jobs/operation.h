#pragma once

#include "core/jobs/jobcalls.h"

#include <array>

// Frozen views of jobs, and operations: one action on each job of a view (docs/decisions/operations.md).
namespace junban {

enum class ListOrder { Natural, Reversed };
inline constexpr const char *listOrderWords[] = {"natural", "reversed"};

// Which jobs a view is made of. Those that are given must all be met.
struct Selection {
    std::optional<JobState> state = {};
    QByteArray name = {}, tag = {};
    QByteArray match = {};           // an expression over cel::searchEnvironment()
    bool trash = false;              // deleted jobs, instead of those that are not
    QByteArray signature = {};       // the failed jobs of this group of failures
    QList<JobId> ids = {};           // these jobs
    ListOrder order = ListOrder::Natural; // reversed: of one state only
};

struct View {
    QByteArray id;
    qint64 asOf_ms = 0;
    qint64 count = 0;                // ids so far
    bool building = false;           // ids still come
    bool complete = true;            // false: there were more jobs than a view may have, or ids still come
    qint64 expiresAt_ms = 0;         // 0: when its operations have ended
    Selection selection = {};        // what it was made of; of the ids, the first limits::selection_told_ids_max
    QByteArray owner = {};           // the token that it was made with
};
struct ViewList {
    QList<View> views;
};
struct ViewPage {
    View view;
    qint64 offset = 0;
    QList<JobId> ids;                // of these rows, in order
    QList<Job> jobs;                 // as they are now; those that are gone are left out
};

// How many jobs of a view are in each state now.
struct StateCounts {
    std::array<qint64, 9> byState{}; // by JobState's value
    qint64 trash = 0;
    qint64 gone = 0;

    qint64 &of(JobState state) { return byState[size_t(state)]; }
    qint64 of(JobState state) const { return byState[size_t(state)]; }
};

enum class BulkAction { Retry, Cancel, Delete, Restore, Release, Set };
inline constexpr const char *bulkActionWords[] = {"retry", "cancel", "delete", "restore", "release", "set"};
// Whether the action can be done with a job in this state, as far as the state decides it.
bool mayAct(BulkAction action, JobState state, bool inTrash);
// The action that takes it back; none: nothing does.
std::optional<BulkAction> undoOf(BulkAction action);

// A request: what to prepare, or which preparation to start.
struct NewOperation {
    std::optional<BulkAction> action = {};
    QByteArray view = {};            // empty: one is made of the selection
    Selection selection = {};
    std::optional<JobEdit> fields = {}; // of Set
    double rate = 0;                 // jobs per second; 0: no bound
    bool dryRun = false;
    QByteArray token = {};           // not empty: starts what a dry run has prepared
};

// A limit that the jobs will meet.
struct LimitMet {
    QByteArray matcher, title, constraint, kind;
    double share = 0;                // of the jobs
    double perSecond = 0;            // how many it lets start; 0: it does not bound the rate
    qint64 maxReady = 0;             // of a backlog: how many jobs may be ready …
    QByteArray overflow = {};        // … and what comes of one more, one of overflowWords (core/limits/kinds/kinds.h)
};
struct OperationPreview {
    QByteArray token;
    BulkAction action = BulkAction::Retry;
    QByteArray view;
    qint64 asOf_ms = 0;
    bool complete = true;
    qint64 jobs = 0;                 // that it would act on
    StateCounts counts;              // of all in the view
    StateCounts excluded;            // those that it would leave as they are
    QList<Job> samples;
    QList<LimitMet> limits;
    double drain_s = 0;              // how long they take to start at least, by its rate and these limits
    qint64 expiresAt_ms = 0;
};

enum class OperationState { Prepared, Running, Paused, Stopped, Ended };
inline constexpr const char *operationStateWords[] = {"prepared", "running", "paused", "stopped", "done"};

struct SkippedWhy {
    QByteArray reason;               // the state that does not allow it, or trash, gone, unique, started, …
    qint64 jobs = 0;
};
struct BulkOperation {
    QByteArray id;
    BulkAction action = BulkAction::Retry;
    OperationState state = OperationState::Prepared;
    QByteArray view;
    qint64 count = 0;                // ids of the view
    qint64 position = 0;             // ids that it has been through
    qint64 jobs = 0;                 // that it was to act on when it was prepared
    qint64 done = 0;
    qint64 skipped = 0;
    QList<SkippedWhy> skippedBy;
    double rate = 0;
    std::optional<JobEdit> fields = {};
    QByteArray by = {}, reason = {};
    qint64 preparedAt_ms = 0, startedAt_ms = 0, endedAt_ms = 0;
    QByteArray undoes = {}, undoneBy = {};
    bool undoable = false;
    Selection selection = {};        // what the view was made of, as View says it
    QByteArray owner = {};           // the token that it was prepared with; not told
    QByteArray match = {};           // what its jobs must meet when they are acted on; not told
};
struct OperationList {
    QList<BulkOperation> operations; // the latest first
};

// How far an operation is. One that takes another back goes through the same view, and is done with what the other one had changed.
struct OperationProgress {
    qint64 passed = 0; // jobs
    qint64 all = 0;
    qint64 unreached = 0; // that one which was stopped would have acted on

    explicit OperationProgress(const BulkOperation &operation);
    qint64 percent() const { return all > 0 ? 100 * passed / all : 100; }
};

struct SkippedJob {
    JobId id;
    QByteArray reason;
};
struct SkippedPage {
    QList<SkippedJob> skipped;
    qint64 total = 0;                // that are kept; the operation's own count may be larger
};

extern const TableOf<Selection> newViewTable;
extern const TableOf<View> viewTable;
extern const TableOf<ViewList> viewListTable;
extern const TableOf<ViewPage> viewPageTable;
extern const TableOf<NewOperation> newOperationTable;
extern const TableOf<OperationPreview> operationPreviewTable;
extern const TableOf<BulkOperation> operationTable;
extern const TableOf<OperationList> operationListTable;
extern const TableOf<SkippedPage> skippedPageTable;

} // namespace junban
