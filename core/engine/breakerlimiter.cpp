#include "core/engine/limiter.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace junban::engine {

extern const LimiterKind breakerLimiter;

namespace {

constexpr int breakerSlots = 60;             // into which the window of a breaker is cut
constexpr auto breakerKept_ms = qint64(limits::breaker_kept_s * second_ms);

// When too many attempts of a window end badly, nothing starts for a time. Then it is half-open: some jobs, the probes, may start, and it
// closes when all of them succeed and opens again, for longer, when one fails.
class BreakerLimiter : public Limiter, private Breaker
{
    Verdict admits(const Question &question) const override
    {
        switch (state(question.now_ms)) {
        case BreakerState::Closed: return {true, 0};
        case BreakerState::Open: return {false, m_openUntil_ms};
        case BreakerState::HalfOpen: break;
        }
        return {m_goodProbes >= its().probes || m_probes + m_goodProbes < its().probes, 0};
    }
    bool charge(qint64 cost, qint64 now_ms) override;
    void uncharge(const Ended &ended) override;
    qint64 matters_ms(qint64) const override
    {
        if (m_state != BreakerState::Closed)
            return m_openUntil_ms + breakerKept_ms;
        return m_ends.empty() ? 0 : m_counted_ms + window_ms();
    }

    Breaker *breaker() override { return this; }
    // The stored state stays Open until the first probe starts.
    BreakerState state(qint64 now_ms) const override
    {
        return m_state == BreakerState::Open && m_openUntil_ms <= now_ms ? BreakerState::HalfOpen : m_state;
    }
    qint64 trip(std::optional<qint64> openFor_ms, qint64 now_ms) override
    {
        if (state(now_ms) == BreakerState::Open)
            --m_openings; // this opening begins again
        open(openFor_ms, now_ms);
        return m_openUntil_ms;
    }
    void reset() override { close(); }

    bool hasState() const override { return m_state != BreakerState::Closed || !m_ends.empty(); }
    void pack(Packer &packer) const override;
    void unpack(Unpacker &unpacker) override;

    const BreakerParameters &its() const { return parameters<BreakerParameters>(); }
    qint64 window_ms() const { return wholeMs(its().window_s); }
    void open(std::optional<qint64> openFor_ms, qint64 now_ms);
    void close();
    void countEnd(bool bad, qint64 now_ms);

    // What ended in one of the slots.
    struct Ends {
        qint64 slot = 0;                 // the time divided by a slot's length
        qint64 good = 0, bad = 0;
    };
    BreakerState m_state = BreakerState::Closed;
    qint64 m_openUntil_ms = 0;
    qint64 m_openings = 0;               // in a row, this one counted
    qint64 m_halfOpenSince_ms = 0;       // jobs that were probes earlier are none now
    qint64 m_probes = 0, m_goodProbes = 0; // of this time: that run; that have succeeded
    qint64 m_counted_ms = 0;             // when an end was counted last
    qint64 m_window_ms = 0;              // the window whose slots `m_ends` has
    std::deque<Ends> m_ends;             // oldest first
};

// Counted: it is a probe.
bool BreakerLimiter::charge(qint64, qint64 now_ms)
{
    if (state(now_ms) != BreakerState::HalfOpen)
        return false;
    changed();
    if (m_state == BreakerState::Open) {
        m_state = BreakerState::HalfOpen;
        m_halfOpenSince_ms = now_ms;
    }
    if (m_goodProbes >= its().probes) {
        close(); // an edit asks for fewer probes now than have succeeded
        return false;
    }
    ++m_probes;
    return true;
}

void BreakerLimiter::uncharge(const Ended &ended)
{
    const bool halfOpen = m_state == BreakerState::HalfOpen;
    const bool probe = halfOpen && ended.counted && ended.startedAt_ms >= m_halfOpenSince_ms;
    const bool bad = ended.how == AttemptEnd::Failure || ended.how == AttemptEnd::Expiry;
    if (probe) {
        --m_probes;
        changed();
    }
    if (!bad && ended.how != AttemptEnd::Success)
        return;
    if (probe && bad)
        open({}, ended.now_ms);
    else if (probe && ++m_goodProbes >= its().probes)
        close();
    else if (m_state == BreakerState::Closed)
        countEnd(bad, ended.now_ms);
}

void BreakerLimiter::countEnd(bool bad, qint64 now_ms)
{
    changed();
    if (std::exchange(m_window_ms, window_ms()) != window_ms())
        m_ends.clear();
    const auto slot = qint64(std::floor(double(now_ms) / (double(m_window_ms) / breakerSlots)));
    while (!m_ends.empty() && m_ends.front().slot <= slot - breakerSlots)
        m_ends.pop_front();
    if (m_ends.empty() || m_ends.back().slot < slot)
        m_ends.push_back({slot});
    ++(bad ? m_ends.back().bad : m_ends.back().good);
    m_counted_ms = now_ms;
    qint64 good = 0, failed = 0;
    for (const Ends &ends : m_ends) {
        good += ends.good;
        failed += ends.bad;
    }
    if (good + failed >= its().minSamples && double(failed) >= its().failureRate * double(good + failed))
        open({}, now_ms);
}

void BreakerLimiter::open(std::optional<qint64> openFor_ms, qint64 now_ms)
{
    const double own_ms = double(wholeMs(its().openFor_s)) * std::pow(its().factor, double(m_openings));
    m_openUntil_ms = now_ms + openFor_ms.value_or(qint64(std::floor(std::min(own_ms, double(wholeMs(its().maxOpen_s))))));
    ++m_openings;
    m_state = BreakerState::Open;
    m_probes = m_goodProbes = 0;
    m_ends.clear();
    changed();
}

void BreakerLimiter::close()
{
    m_state = BreakerState::Closed;
    m_openings = m_probes = m_goodProbes = 0;
    m_ends.clear();
    changed();
}

void BreakerLimiter::pack(Packer &packer) const
{
    packer(m_state, m_openUntil_ms, m_openings, m_halfOpenSince_ms, m_probes, m_goodProbes, m_counted_ms, m_window_ms, m_ends.size());
    qint64 before = 0;
    for (const Ends &ends : m_ends)
        packer(ends.slot - std::exchange(before, ends.slot), ends.good, ends.bad);
}

void BreakerLimiter::unpack(Unpacker &unpacker)
{
    qsizetype count = 0;
    unpacker(m_state, m_openUntil_ms, m_openings, m_halfOpenSince_ms, m_probes, m_goodProbes, m_counted_ms, m_window_ms, count);
    if (m_state > BreakerState::HalfOpen || count < 0 || count > breakerSlots)
        return unpacker.refuse();
    qint64 before = 0;
    for (; count > 0; --count) {
        Ends ends;
        unpacker(ends.slot, ends.good, ends.bad);
        before = ends.slot += before;
        m_ends.push_back(ends);
    }
}

} // namespace

constinit const LimiterKind breakerLimiter{makeLimiter<BreakerLimiter>};

} // namespace junban::engine
