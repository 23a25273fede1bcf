#pragma once

#include "core/limits/classifier.h"

#include <QByteArray>
#include <QList>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace junban::test {

// The share of one key; −1: not given.
struct ModelShare {
    int min = -1, max = -1, percent = -1;
};

// A constraint's parameters. Those that an override may replace for a key are in Numbers.
struct ModelLimit {
    enum Kind { Concurrency, Rate, Pause, Window, Cooldown, Share, Breaker, Fair };
    enum Algorithm { Gcra, Sliding, Fixed };
    struct Numbers {
        int limit = 1;                  // concurrency, rate
        int burst = 1;                  // rate, gcra
        int probes = 1;                 // breaker
        qint64 cooldown_ms = 2000;      // cooldown: the maximum
    };
    Kind kind = Concurrency;
    QByteArray mode = "enforce";
    Numbers numbers;
    std::map<QByteArray, Numbers> overrides;
    Algorithm algorithm = Gcra;
    qint64 period_ms = 1000;            // rate
    qint64 reserve_ms = -1;             // concurrency: reserve_after
    qint64 until_ms = -1;               // pause; −1: until resumed
    QList<qint64> boundaries;           // window: openings and closings in turn; fixed: begins of windows
    bool cancelAtClose = false;         // window
    int capacity = 4;                   // share
    std::map<QByteArray, ModelShare> shares;
    ModelShare otherwise;
    bool borrow = false;
    qint64 window_ms = 6000;            // breaker
    int samples = 3;
    double failureRate = 0.5;
    qint64 openFor_ms = 1000;
    double factor = 2;
    qint64 openMost_ms = 4000;

    const Numbers &of(const QByteArray &key) const;
    QByteArray packed() const;          // for the scripts
    QByteArray shown() const;
};

// The limits of constraints in plain C++: whether all buckets of a job let it start, by the running, waiting and past jobs. The scripts are
// compared with it. Every call gets the time.
class LimitModel
{
public:
    enum class End { Success, Failure, Expiry, Other, Untouched };
    // Whether waiting jobs count: a job that the matchers have not read is not in a backlog yet.
    enum class Backlog { Known, Unknown };

    void set(int constraint, const ModelLimit &limit) { m_limits[constraint] = limit; }
    const std::map<int, ModelLimit> &limits() const { return m_limits; }

    // Adds (+1) or removes (−1) a ready job with these buckets.
    void waits(const QList<CarriedBucket> &carried, int n, qint64 now_ms);
    void started(const QByteArray &job, const QList<CarriedBucket> &carried, qint64 now_ms);
    void ended(const QByteArray &job, End how, qint64 retryAfter_ms, qint64 now_ms);
    // Switches a breaker by hand; `long_ms` −1: for the time of its next opening.
    void trip(int constraint, const QByteArray &key, qint64 long_ms, qint64 now_ms);
    void reset(int constraint, const QByteArray &key);
    // Gives a running job other buckets. The scripts forget where its start was counted; the engine in memory knows it for those it keeps.
    enum class Counted { Forgotten, Kept };
    void recharged(const QByteArray &job, const QList<CarriedBucket> &carried, Counted counted);
    // While running jobs are not yet charged to the buckets of new matchers, limits on what runs admit nothing.
    void setCharging(bool charging) { m_charging = charging; }

    bool admits(const CarriedBucket &bucket, qint64 now_ms, Backlog backlog = Backlog::Known) const;
    bool admits(const QList<CarriedBucket> &carried, qint64 now_ms, Backlog backlog = Backlog::Known) const;
    // The virtual time of the job's key of a `fair` constraint; nothing when its order is (priority, id) alone.
    std::optional<qint64> turn(const QList<CarriedBucket> &carried) const;
    // Takes over the turns of all keys from the store: after jobs were read again they depend on the order of that.
    void setTurns(const std::function<qint64(int constraint, const QByteArray &key)> &turnOf, qint64 latest);
    // Whether the limit itself holds a job, in any mode.
    bool passes(const CarriedBucket &bucket, qint64 now_ms, Backlog backlog = Backlog::Known) const;
    QByteArray shown(const QList<CarriedBucket> &carried, qint64 now_ms) const;
    // How many started jobs this bucket would have held if it did not only observe.
    int wouldHold(int constraint, const QByteArray &key) const;
    int used(int constraint, const QByteArray &key) const;

private:
    using Key = std::pair<int, QByteArray>;
    struct Start {
        qint64 at_ms = 0;
        qint64 window_ms = 0; // fixed: where its window begins
        int cost = 1;
        QByteArray job;
    };
    struct State {
        std::map<QByteArray, int> running; // job → cost
        int waiting = 0;
        int would = 0;
        double tat_ms = 0;
        double latest_ms = 0;      // the latest start
        double step_ms = 0;   // gcra: the time for one start, and since when that holds
        qint64 stepSince_ms = 0;
        std::vector<Start> starts;
        // Another algorithm goes on from what the one that counted last knows: the starts, or of gcra and fixed these sums.
        std::optional<ModelLimit::Algorithm> counted;
        qint64 windowStart_ms = 0, earlierAt_ms = 0;
        int windowUsed = 0, earlierUsed = 0;
        qint64 cooldown_ms = 0;
        enum { Closed, Open, HalfOpen } breaker = Closed;
        qint64 openUntil_ms = 0;
        int openings = 0;
        std::vector<std::pair<qint64, bool>> samples; // slot, bad
        std::map<QByteArray, bool> probes;            // jobs that are probes now
        int probesGood = 0;
        qint64 turn = 0;              // fair: its virtual time
        qint64 lastStart_ms = 0;
    };

    const State &state(const Key &key) const;
    bool shareAdmits(const Key &key, const ModelLimit &limit, int cost, Backlog backlog) const;
    static std::vector<Start> logOf(const State &state);
    static State carriedOver(State state, const ModelLimit &limit, const ModelLimit::Numbers &numbers, qint64 now_ms);
    static void noteStart(State &state, const ModelLimit &limit, int cost, qint64 window_ms, qint64 now_ms);
    static double paidBy(const std::vector<Start> &log, double step);
    static double paidAt(const State &state, const ModelLimit &limit, const ModelLimit::Numbers &numbers, double step);
    bool rateAdmits(const State &known, const ModelLimit &limit, const ModelLimit::Numbers &numbers, int cost, qint64 now_ms) const;
    void chargeRate(State &state, const ModelLimit &limit, const ModelLimit::Numbers &numbers, const Start &start);
    void refundRate(State &state, const ModelLimit &limit, const ModelLimit::Numbers &numbers, int cost, const QByteArray &job,
        qint64 startedAt_ms);
    static void breakerOpens(State &state, const ModelLimit &limit, qint64 long_ms, qint64 now_ms);
    static void breakerCloses(State &state);
    void breakerHears(State &state, const ModelLimit &limit, const ModelLimit::Numbers &numbers, const QByteArray &job, End how,
        qint64 now_ms);

    bool m_charging = false;
    qint64 m_latestTurn = 0;
    std::map<int, ModelLimit> m_limits;
    std::map<Key, State> m_states;
    std::map<QByteArray, QList<CarriedBucket>> m_carried; // of running jobs
    std::map<QByteArray, QList<CarriedBucket>> m_uncounted; // of these, where their start is not known to be counted
    std::map<QByteArray, qint64> m_startedAt_ms;
};

} // namespace junban::test
