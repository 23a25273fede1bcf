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
    };
    struct List {
        QList<Job> jobs;
        QByteArray next;                    // empty: this is the last page
        qint64 scanned = 0;                 // jobs looked at for this page
        qint64 total = 0;                   // jobs in the requested states, before filtering
        bool complete = true;               // false: the page is not full because limits::page_scan_max or page_scan_s_max was reached
    };
    // InvalidField for "cursor" when it is not from an answer of this list.
    void list(ListRequest request, Callback<List> callback);
    void get(JobId id, Callback<Job> callback);
    void peekResult(JobId id, Callback<ResultNow> callback);

    struct Overview {
        Counts counts;
        // Means over the last limits::rate_window_s. All masters sample the same totals, so they show about the same rates.
        double enqueuedPerS = 0, startedPerS = 0, succeededPerS = 0, failuresPerS = 0;
        Rollback rollback;
    };
    void overview(Callback<Overview> callback);
    void names(int limit, QByteArray after, Callback<QList<NameCounts>> callback);
    // Runs a script that reads and writes; /readyz uses it.
    void probe(Callback<Done> callback);
    // As Doctor::examine(); StoreUnavailable when there is no doctor.
    void examine(Callback<QList<Finding>> callback);
    // As Fsck::look(); StoreUnavailable when there is no fsck.
    void look(Repair repair, QByteArray cursor, Callback<FsckReport> callback);
    // Optional parts. Each must outlive the inspector.
    void setDoctor(Doctor *doctor) { m_doctor = doctor; }
    void setFsck(Fsck *fsck) { m_fsck = fsck; }
    void setRollbackNotice(const RollbackNotice *history) { m_history = history; }

private:
    void sample(const Counts &counts);

    Store &m_store;
    Doctor *m_doctor = nullptr;
    Fsck *m_fsck = nullptr;
    const RollbackNotice *m_history = nullptr;
    std::deque<Counts> m_samples; // one for each second of the last limits::rate_window_s
    QTimer m_sampling;
};

} // namespace junban
