#pragma once

#include "core/operators/failuretally.h"
#include "core/operators/jobfilter.h"
#include "core/store/fsck.h"
#include "core/store/health.h"
#include "core/store/rollback.h"
#include "core/store/store.h"

#include <QObject>
#include <QTimer>
#include <deque>
#include <memory>

namespace junban {

// What operators read: lists of jobs, counters and rates. It changes nothing, and the work for each answer is bounded. Threads, callbacks
// and errors as for Queue.
class Inspector : public QObject
{
    Q_OBJECT

public:
    // The store must outlive the inspector.
    explicit Inspector(Store &store, QObject *parent = nullptr);

    struct ListRequest {
        std::optional<JobState> state = {}; // none: all states, running jobs first, cancelled ones last
        JobFilter filter = {};
        int limit = limits::page_rows_default;
        QByteArray cursor = {};             // `next` of the page before; empty: the first page
        bool reversed = false;              // of one state only
    };
    // InvalidField for "cursor" when it is not from an answer of this list.
    void list(ListRequest request, Callback<JobPage> callback);
    // How many jobs the filter finds in each state; `limit` and `reversed` do not count. InvalidField as list().
    void count(ListRequest request, Callback<JobCounts> callback);
    void get(JobId id, Callback<Job> callback);

    // Its rates are means over the last limits::rate_window_s. All masters sample the same totals, so they show about the same rates.
    void overview(Callback<Overview> callback);
    // NameRow::failed is 0 without FailureTally.
    void names(int limit, QByteArray after, Callback<NamePage> callback);
    // Runs a script that reads and writes; /readyz uses it.
    void probe(Callback<Done> callback);
    // As Doctor::examine(); StoreUnavailable when there is no doctor.
    void examine(Callback<Findings> callback);
    // As Fsck::look(); StoreUnavailable when there is no fsck.
    void look(Repair repair, QByteArray cursor, Callback<FsckReport> callback);
    // Optional parts. Each must outlive the inspector.
    void setFailures(FailureTally *failures) { m_failures = failures; }
    void setDoctor(Doctor *doctor) { m_doctor = doctor; }
    void setFsck(Fsck *fsck) { m_fsck = fsck; }
    void setRollbackNotice(const RollbackNotice *notice) { m_rollbackNotice = notice; }

private:
    void begin(ListRequest request, const std::shared_ptr<JobCounts> &counts, Callback<JobPage> callback);
    void sample(const Overview &counts);

    Store &m_store;
    FailureTally *m_failures = nullptr;
    Doctor *m_doctor = nullptr;
    Fsck *m_fsck = nullptr;
    const RollbackNotice *m_rollbackNotice = nullptr;
    std::deque<Overview> m_samples; // one for each second of the last limits::rate_window_s
    QTimer m_sampling;
};

} // namespace junban
