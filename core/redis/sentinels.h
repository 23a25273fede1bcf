#pragma once

#include "core/redis/connection.h"

#include <QObject>
#include <memory>
#include <vector>

namespace junban::redis {

// What a majority of the Sentinels agrees on.
struct Agreement {
    Endpoint primary;
    qint64 epoch = 0;              // Sentinel's config-epoch, which grows with each failover
    qsizetype sentinels = 0;       // how many Sentinels there are
    QList<Endpoint> others;        // the other servers that a Sentinel may promote
    QList<Endpoint> never;         // the servers that none may promote (replica-priority is 0)
};

// Asks the Sentinels where the primary is. One Sentinel alone is not enough: if it lags or was cut off, it may still name an old primary.
// The answer is the primary of the highest config-epoch, and only when a majority of all Sentinels knows that epoch; before, another
// failover may undo it. An epoch lower than an earlier one counts only if every Sentinel has it. Sentinels that the address does not name
// are learnt from those that it does. Their number is the largest one that a Sentinel reports, but at least the number in the address and
// the number at the last agreement, because a Sentinel that was just set up knows no others.
// Threads: one, that of the object. Callbacks: once, later, on that thread; none after its destruction.
class Sentinels : public QObject
{
    Q_OBJECT

public:
    // `address` must have a sentinelName.
    Sentinels(const Address &address, QObject *parent);
    ~Sentinels() override;

    // Asks all Sentinels at once; they have a second. StoreUnavailable when there is no majority; the message says why.
    void ask(Callback<Agreement> callback);
    // Checks the deadlines; the owner calls it several times a second. `now_ms` is on Clock::monotonic_ms().
    void tick(qint64 now_ms);

private:
    struct Seat;
    struct Opinion;
    struct Round;
    using RoundPtr = std::shared_ptr<Round>;

    Seat *seatFor(const Endpoint &at); // nullptr: no seat is left
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
    qint64 m_epoch = -1;           // of the last agreement
    qsizetype m_sentinels;         // Agreement::sentinels of the last agreement
};

} // namespace junban::redis
