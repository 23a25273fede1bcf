#pragma once

#include "core/redis/connection.h"

#include <QObject>
#include <memory>
#include <vector>

namespace junban::redis {

// Where the primary is, as a majority of the Sentinels has it.
struct Agreement {
    Endpoint primary;
    qint64 epoch = 0;              // Sentinel's config-epoch: each failover has a higher one
    qsizetype sentinels = 0;       // how many there are
    QList<Endpoint> others;        // every other server that one of them may promote
    QList<Endpoint> never;         // those that none of them may promote (replica-priority is 0)
};

// Asks Sentinels where the primary is. None of them is believed alone: one that lags, or was cut off, may still name a server that was
// the primary. What counts is the highest configuration epoch that any of those who answer knows, and only once a majority of all
// Sentinels knows it, for until then another failover may undo it. An epoch lower than one seen before is not believed, unless every
// Sentinel has it. Sentinels that the address does not name are learnt from those it does. There are as many as the one that knows of
// most says, no fewer than the address names, and no fewer than at the last agreement: one that was set up anew knows of no others.
// Threads: one, that of the object. Callbacks: once, later, on that thread; none after its destruction.
class Sentinels : public QObject
{
    Q_OBJECT

public:
    // `address` has a sentinelName.
    Sentinels(const Address &address, QObject *parent);
    ~Sentinels() override;

    // All are asked at once, and are given a second. StoreUnavailable: there is no majority, and why.
    void ask(Callback<Agreement> callback);
    // Looks at the deadlines; the owner calls it several times a second.
    void tick(qint64 now_ms);

private:
    struct Seat;
    struct Opinion;
    struct Round;
    using RoundPtr = std::shared_ptr<Round>;

    Seat *seatFor(const Endpoint &at); // nullptr: there is none left
    void open(Seat &seat);
    void question(Seat &seat, const RoundPtr &round);
    void answered(const RoundPtr &round, qsizetype seat, Result<Opinion> opinion);
    void askColleagues(const RoundPtr &round);
    void judge(const RoundPtr &round);
    void finish(const RoundPtr &round, Result<Agreement> result);
    Result<Agreement> verdict(const Round &round) const;

    Address m_address;
    std::vector<std::unique_ptr<Seat>> m_seats;
    std::vector<RoundPtr> m_rounds;
    qint64 m_epoch = -1;           // the last that was agreed on
    qsizetype m_sentinels;         // that there are, at the last agreement
};

} // namespace junban::redis
