#pragma once

#include "core/operators/jobfilter.h"
#include "core/store/fsck.h"
#include "core/store/health.h"
#include "core/store/rollback.h"
#include "core/store/store.h"

#include <QObject>
#include <QTimer>
#include <deque>

namespace junban {

// The operators' side: bounded looks at jobs, counters and rates. It changes nothing. Threads and callbacks as Queue's.
class Inspector : public QObject
{
    Q_OBJECT

public:
    // The store must outlive the inspector.
    explicit Inspector(Store &store, QObject *parent = nullptr);

    struct ListRequest {
        std::optional<JobState> state = {}; // none: all states, what happens now first, cancelled jobs last
        JobFilter filter = {};
        int limit = limits::page_rows_default;
        QByteArray cursor = {};             // `next` of the page before; empty: the first page
    };
    // InvalidField with field "cursor" when the cursor is not one of ours.
    void list(ListRequest request, Callback<JobPage> callback);
    void get(JobId id, Callback<Job> callback);
    void peekResult(JobId id, Callback<ResultNow> callback);

    // Its rates are those of the last ten seconds. Every master samples the same totals, so all say the same.
    void overview(Callback<Overview> callback);
    void names(int limit, QByteArray after, Callback<NamePage> callback);
    // Runs a real script: what /readyz asks.
    void probe(Callback<Done> callback);
    // Whether the store is fit to keep jobs; StoreUnavailable without a doctor.
    void examine(Callback<Findings> callback);
    // A bounded part of a look for broken invariants, as Fsck says; StoreUnavailable without one.
    void look(Repair repair, QByteArray cursor, Callback<FsckReport> callback);
    // All outlive the inspector, and are looked at by nobody else here. None is needed.
    void setDoctor(Doctor *doctor) { m_doctor = doctor; }
    void setFsck(Fsck *fsck) { m_fsck = fsck; }
    void setRollbackNotice(const RollbackNotice *notice) { m_rollbackNotice = notice; }

private:
    void sample(const Overview &counts);

    Store &m_store;
    Doctor *m_doctor = nullptr;
    Fsck *m_fsck = nullptr;
    const RollbackNotice *m_rollbackNotice = nullptr;
    std::deque<Overview> m_samples; // one a second, of the last limits::rate_window_s
    QTimer m_sampling;
};

} // namespace junban
