#pragma once

#include "core/limits/classifier.h"
#include "core/store/constraintstore.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace junban {

// After a change of the matchers: has them read what the older ones read. What runs is charged before the change is answered (recharge());
// ready jobs are sorted anew in the background, though none of them starts unread whether or not this was done. It runs in every master,
// with no leader: both are safe to do twice, and a master that dies in between leaves the rest to the others.
// Threads: the engine's. Callbacks that are pending when it is destroyed are dropped.
class Rereader : public QObject
{
    Q_OBJECT

public:
    // Both must outlive it.
    Rereader(ConstraintStore &store, Classifier &classifier, QObject *parent = nullptr);

    void start();
    // Nothing begins here after this.
    void stop();
    // Running and awaiting jobs carry the buckets of the matchers in force, those of `epoch` or later ones.
    void recharge(qint64 epoch, Callback<Done> callback);
    // Jobs of stale lanes that are to be read in the background begin at once.
    void hurry();
    // About how many ready jobs the matchers in force have not read, when it looked last; at least 1 if they are newer than that.
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
    bool m_hurried = false;        // a look is to follow at once
    int m_uncharged = 0;           // looks in a row that found running jobs not charged: its master may have died
    qint64 m_left = 0;
    qint64 m_epoch = 0;            // at which it looked last
};

} // namespace junban
