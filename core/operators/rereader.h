#pragma once

#include "core/limits/classifier.h"
#include "core/store/constraintstore.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace junban {

// After a change of the matchers, lets the new matchers read the jobs again (docs/decisions/epochs.md). Running jobs get their new buckets
// before the change is answered (recharge()). Ready jobs move to their new lanes in the background; jobs that a claim needs sooner are read
// for it first, so no job starts by old matchers. It runs in every master without a leader: both can be done twice, and when a master dies
// the others finish its work.
// Threads: the engine's. Callbacks that are still due when it is destroyed are dropped.
class Rereader : public QObject
{
    Q_OBJECT

public:
    // Both must outlive it.
    Rereader(ConstraintStore &store, Classifier &classifier, QObject *parent = nullptr);

    void start();
    // No work begins after this.
    void stop();
    // Gives running and awaiting jobs the buckets of the current matchers (of `epoch` or later), then answers. RevisionMismatch when the
    // matchers change all the time.
    void recharge(qint64 epoch, Callback<Done> callback);
    // Begins the work in the background at once.
    void hurry();
    // About how many ready jobs the current matchers had not read at the last look; at least 1 if the matchers are newer than that look.
    qint64 left() const;

private:
    struct Charging {
        qint64 epoch = 0;
        ConstraintStore::WhichJobs which = ConstraintStore::WhichJobs::Running;
        quint64 cursor = 0;
        int tries = limits::matcher_save_tries_max;
        Callback<Done> callback;
    };
    using ChargingPtr = std::shared_ptr<Charging>;
    void charge(const ChargingPtr &charging);
    void chargePage(const ChargingPtr &charging, const ConstraintStore::Unread &page);
    void charged(const ChargingPtr &charging, const ConstraintStore::Unread &page, const Result<Done> &done);
    void chargeAgain(const ChargingPtr &charging, const Error &error);
    void look();
    void looked(const Result<ConstraintStore::Stale> &stale);
    void relane(const ConstraintStore::Stale &stale);
    void lookIn(int ms);
    QList<JobBuckets> read(const QList<StoredJob> &jobs) const;

    ConstraintStore &m_store;
    Classifier &m_classifier;
    QTimer m_timer;
    bool m_running = false;
    bool m_looking = false;
    bool m_hurried = false;        // another look must follow this one at once
    int m_uncharged = 0;           // looks in a row that found running jobs not recharged: the master that should do it may have died
    qint64 m_left = 0;
    qint64 m_epoch = 0;            // the epoch of the last look
};

} // namespace junban
