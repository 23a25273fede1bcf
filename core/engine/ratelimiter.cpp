#include "core/engine/limiter.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace junban::engine {

extern const LimiterKind rateLimiter;

namespace {

constexpr quint8 startVersion = 1;
constexpr double rounding_ms = 0.01;     // sums of steps are inexact by less; without it a start could come a millisecond late

// What has started, by one of three algorithms: gcra keeps the time at which all starts are paid for, fixed the sum of an aligned window,
// sliding each start of the last period. gcra and fixed also keep two sums, of the present window and of what came before it, so that
// another algorithm can go on from what has started.
class RateLimiter : public Limiter
{
public:
    Verdict admits(const Question &question) const override;
    bool paces(const Question &question, qint64 waiting) const override;
    bool charge(qint64 cost, qint64 now_ms) override;
    void uncharge(const Ended &ended) override;
    qint64 startedSince(qint64 since_ms) const override;
    qint64 matters_ms(qint64 now_ms) const override;

    bool hasState() const override { return m_state.counted; }
    void pack(Packer &packer) const override { fields(packer, m_state.algorithm, m_state.sums); }
    void unpack(Unpacker &unpacker) override
    {
        fields(unpacker, m_state.algorithm, m_state.sums);
        m_state.counted = true;
        if (m_state.algorithm > RateAlgorithm::Fixed)
            unpacker.refuse();
    }
    std::vector<LimiterPart> takeParts() override { return std::exchange(m_changed, {}); }
    std::vector<LimiterPart> allParts() const override;
    bool readPart(quint32 number, QByteArrayView value) override;

private:
    struct Start {
        qint64 at_ms = 0;
        qint64 cost = 1;
        quint32 number = 0;              // grows from start to start
    };
    using Starts = std::deque<Start>;    // oldest first

    struct Sums {
        qint64 windowStart_ms = 0, windowUsed = 0;   // of the present window
        qint64 earlierAt_ms = 0, earlierUsed = 0;    // of the last starts before it, and when the last of them was
        qint64 lastStart_ms = 0;
        double paidUntil_ms = 0;                     // gcra: when all starts are paid for
        double step_ms = 0;                          // gcra: what a unit of cost takes, and since when; 0: nothing has started
        qint64 stepSince_ms = 0;
    };
    struct State {
        bool counted = false;                        // something has started, which `algorithm` counted
        RateAlgorithm algorithm = RateAlgorithm::Gcra;
        Sums sums = {};                              // gcra, fixed
        Starts starts = {};                          // sliding
        qint64 recent = 0;                           // their cost
    };
    template<typename Archive, typename Algorithm, typename Of>
    static void fields(Archive &archive, Algorithm &algorithm, Of &sums)
    {
        archive(algorithm, sums.windowStart_ms, sums.windowUsed, sums.earlierAt_ms, sums.earlierUsed, sums.lastStart_ms);
        archive(sums.paidUntil_ms, sums.step_ms, sums.stepSince_ms);
    }

    struct Window {
        qint64 start_ms = 0, end_ms = 0;             // 0, 0: there is none
    };

    const RateParameters &rate() const { return parameters<RateParameters>(); }
    qint64 period_ms() const { return std::max<qint64>(1, wholeMs(rate().period_s)); }
    double step_ms() const { return double(period_ms()) / double(rate().limit); }
    Window windowAt(qint64 now_ms) const;

    State stateNow(qint64 now_ms) const;
    void carryOver(qint64 now_ms);
    Starts log() const;
    static double paidBy(const Starts &log, double step_ms);
    double paidAt(const State &state) const;
    void noteStart(qint64 cost, qint64 windowStart_ms, qint64 now_ms);
    void unnoteStart(qint64 cost, qint64 startedAt_ms);
    static LimiterPart partOf(const Start &start);
    void dropStart(size_t at);
    void addStart(qint64 at_ms, qint64 cost);

    Verdict gcraAdmits(const State &state, const Question &question) const;
    Verdict slidingAdmits(const State &state, const Question &question) const;
    Verdict fixedAdmits(const State &state, const Question &question) const;

    State m_state;
    quint32 m_next = 0;                  // the number of the next start
    std::vector<LimiterPart> m_changed;
    mutable Window m_window;             // the last one that was asked for, of a zone
    mutable QByteArray m_zone;
    mutable double m_zonePeriod_s = 0;
};

RateLimiter::Window RateLimiter::windowAt(qint64 now_ms) const
{
    const Kind &kind = kindOf(anyParameters());
    if (!kind.followsCalendar(addressOf(anyParameters()))) {
        const qint64 start_ms = now_ms / period_ms() * period_ms();
        return {start_ms, start_ms + period_ms()};
    }
    const bool known = m_zone == rate().tz && m_zonePeriod_s == rate().period_s && m_window.start_ms <= now_ms && now_ms < m_window.end_ms;
    if (!known) {
        const QList<qint64> boundaries_ms = kind.boundaries(addressOf(anyParameters()), now_ms);
        const bool within = boundaries_ms.size() > 1 && boundaries_ms[0] <= now_ms;
        m_window = within ? Window{boundaries_ms[0], boundaries_ms[1]} : Window{};
        m_zone = rate().tz;
        m_zonePeriod_s = rate().period_s;
    }
    return m_window;
}

// What is known of the starts, oldest first. Of gcra and fixed these are sums, at the time of the last start in each.
RateLimiter::Starts RateLimiter::log() const
{
    if (m_state.algorithm == RateAlgorithm::Sliding)
        return m_state.starts;
    const Sums &sums = m_state.sums;
    Starts log;
    if (sums.earlierUsed > 0)
        log.push_back({sums.earlierAt_ms, sums.earlierUsed});
    if (sums.windowUsed > 0)
        log.push_back({sums.lastStart_ms, sums.windowUsed});
    return log;
}

double RateLimiter::paidBy(const Starts &log, double step_ms)
{
    double paid_ms = 0;
    for (const Start &start : log)
        paid_ms = std::max(paid_ms, double(start.at_ms)) + double(start.cost) * step_ms;
    return paid_ms;
}

// The state as it would be if the algorithm of the parameters had counted the starts.
RateLimiter::State RateLimiter::stateNow(qint64 now_ms) const
{
    const RateAlgorithm wanted = rate().algorithm;
    if (!m_state.counted || m_state.algorithm == wanted)
        return m_state;
    const Starts known = log();
    State state;
    state.counted = true;
    state.algorithm = wanted;
    if (wanted == RateAlgorithm::Sliding) {
        state.starts = known;
        for (const Start &start : known)
            state.recent += start.cost;
        return state;
    }
    Sums &sums = state.sums;
    const Window window = windowAt(now_ms);
    sums.windowStart_ms = now_ms / period_ms() * period_ms();
    if (wanted == RateAlgorithm::Fixed)
        sums.windowStart_ms = window.end_ms > 0 ? window.start_ms : now_ms;
    for (const Start &start : known) {
        if (start.at_ms >= sums.windowStart_ms) {
            sums.windowUsed += start.cost;
        } else if (start.at_ms > now_ms - period_ms()) {
            sums.earlierAt_ms = start.at_ms;
            sums.earlierUsed += start.cost;
        }
        sums.lastStart_ms = start.at_ms;
    }
    sums.step_ms = step_ms();
    sums.paidUntil_ms = paidBy(known, sums.step_ms);
    sums.stepSince_ms = now_ms;
    return state;
}

void RateLimiter::carryOver(qint64 now_ms)
{
    const RateAlgorithm wanted = rate().algorithm;
    if (m_state.counted && m_state.algorithm != wanted) {
        State state = stateNow(now_ms);
        while (!m_state.starts.empty())
            dropStart(0);
        const Starts carried = std::exchange(state.starts, {});
        state.recent = 0;
        m_state = std::move(state);
        for (const Start &start : carried)
            addStart(start.at_ms, start.cost);
    }
    m_state.counted = true;
    m_state.algorithm = wanted;
}

// When all starts are paid for. After an edit of the step, what has started counts by the new one.
// A shorter step: the latest start owes the whole burst, or what it owed before. So a raised limit has its effect at once.
// A longer step: no more than limit + burst may start in any period, counted over the edit. Two times are sure to do for that, and the
// earlier one holds: the one that takes all starts for as close together as the old step permits, and the one that the sums give.
double RateLimiter::paidAt(const State &state) const
{
    const Sums &sums = state.sums;
    const double step = step_ms(), old = sums.step_ms, at_ms = sums.paidUntil_ms;
    if (old == 0 || old == step)
        return at_ms;
    const auto burst = double(rate().burst);
    const auto last_ms = double(sums.lastStart_ms);
    if (step < old)
        return std::min(at_ms, last_ms + std::max(burst, (at_ms - last_ms) / old) * step);
    const double closest_ms = at_ms - old + (1 - old / step) * (double(period_ms()) + (burst - 1) * step);
    Starts known;
    if (sums.earlierUsed > 0)
        known.push_back({sums.earlierAt_ms, sums.earlierUsed});
    if (sums.windowUsed > 0)
        known.push_back({sums.lastStart_ms, sums.windowUsed});
    return std::max(at_ms, std::min(closest_ms, paidBy(known, step) - step));
}

Verdict RateLimiter::gcraAdmits(const State &state, const Question &question) const
{
    const double spare_ms = double(std::max<qint64>(0, rate().burst - question.cost)) * step_ms();
    const auto opens_ms = qint64(std::ceil(paidAt(state) - spare_ms - rounding_ms));
    return {opens_ms <= question.now_ms, opens_ms};
}

Verdict RateLimiter::slidingAdmits(const State &state, const Question &question) const
{
    const qint64 from_ms = question.now_ms - period_ms();
    qint64 used = state.recent;
    auto next = state.starts.begin();
    for (; next != state.starts.end() && next->at_ms <= from_ms; ++next)
        used -= next->cost;
    qint64 excess = used + question.cost - rate().limit;
    if (excess <= 0 || used == 0)
        return {true, 0};
    qint64 opens_ms = 0;
    for (; next != state.starts.end() && excess > 0; ++next) {
        opens_ms = next->at_ms + period_ms();
        excess -= next->cost;
    }
    return {false, opens_ms};
}

Verdict RateLimiter::fixedAdmits(const State &state, const Question &question) const
{
    const Window window = windowAt(question.now_ms);
    if (window.end_ms == 0)
        return {false, 0};
    const qint64 used = state.sums.windowStart_ms >= window.start_ms ? state.sums.windowUsed : 0;
    return {used == 0 || used + question.cost <= rate().limit, window.end_ms};
}

Verdict RateLimiter::admits(const Question &question) const
{
    if (rate().limit <= 0)
        return {false, 0};
    const bool own = !m_state.counted || m_state.algorithm == rate().algorithm;
    State carried;
    if (!own)
        carried = stateNow(question.now_ms);
    const State &state = own ? m_state : carried;
    switch (rate().algorithm) {
    case RateAlgorithm::Gcra: return gcraAdmits(state, question);
    case RateAlgorithm::Sliding: return slidingAdmits(state, question);
    case RateAlgorithm::Fixed: break;
    }
    return fixedAdmits(state, question);
}

// The last start left no room for another, not long ago, and more wait than it starts in that time.
bool RateLimiter::paces(const Question &question, qint64 waiting) const
{
    if (rate().limit <= 0 || !m_state.counted || m_state.algorithm != rate().algorithm)
        return false;
    const double pace_ms = double(period_ms()) * double(question.cost) / double(rate().limit); // what a job of this cost takes
    if (double(waiting) <= std::max(1.0, limits::paces_ms / pace_ms))
        return false;
    const bool sliding = rate().algorithm == RateAlgorithm::Sliding;
    const qint64 last_ms = !sliding ? m_state.sums.lastStart_ms : m_state.starts.empty() ? 0 : m_state.starts.back().at_ms;
    Question then = question;
    then.now_ms = last_ms;
    return !admits(then).admits && double(last_ms + limits::paces_ms) + pace_ms > double(question.now_ms);
}

// Counts a start for another algorithm. When a new window begins, what was used in the last one becomes the sum of what came before, which
// loses nothing of the last period, also where windows are shorter.
void RateLimiter::noteStart(qint64 cost, qint64 windowStart_ms, qint64 now_ms)
{
    Sums &sums = m_state.sums;
    if (sums.windowStart_ms < windowStart_ms) {
        if (sums.windowUsed > 0) {
            sums.earlierUsed = sums.windowUsed + (sums.earlierAt_ms > now_ms - period_ms() ? sums.earlierUsed : 0);
            sums.earlierAt_ms = sums.lastStart_ms;
        }
        sums.windowStart_ms = windowStart_ms;
        sums.windowUsed = 0;
    }
    sums.windowUsed += cost;
    sums.lastStart_ms = now_ms;
}

void RateLimiter::unnoteStart(qint64 cost, qint64 startedAt_ms)
{
    if (startedAt_ms >= m_state.sums.windowStart_ms)
        m_state.sums.windowUsed -= cost;
}

LimiterPart RateLimiter::partOf(const Start &start)
{
    Packer packer(startVersion);
    packer(start.at_ms, start.cost);
    return {start.number, packer.bytes()};
}

std::vector<LimiterPart> RateLimiter::allParts() const
{
    std::vector<LimiterPart> parts;
    for (const Start &start : m_state.starts)
        parts.push_back(partOf(start));
    return parts;
}

void RateLimiter::addStart(qint64 at_ms, qint64 cost)
{
    m_state.starts.push_back({at_ms, cost, m_next++});
    m_changed.push_back(partOf(m_state.starts.back()));
    m_state.recent += cost;
}

void RateLimiter::dropStart(size_t at)
{
    m_changed.push_back({m_state.starts[at].number, {}});
    m_state.recent -= m_state.starts[at].cost;
    m_state.starts.erase(m_state.starts.begin() + std::ptrdiff_t(at));
}

bool RateLimiter::readPart(quint32 number, QByteArrayView value)
{
    Unpacker unpacker(value);
    Start start;
    unpacker(start.at_ms, start.cost);
    start.number = number;
    const bool sound = unpacker.version() == startVersion && unpacker.complete() && start.cost > 0;
    const auto place = std::upper_bound(m_state.starts.begin(), m_state.starts.end(), number,
        [](quint32 wanted, const Start &each) { return wanted < each.number; });
    m_state.starts.insert(place, start);
    m_state.recent += start.cost;
    m_next = std::max(m_next, number + 1);
    return sound;
}

bool RateLimiter::charge(qint64 cost, qint64 now_ms)
{
    if (rate().limit <= 0)
        return false; // it only observes
    changed();
    carryOver(now_ms);
    if (rate().algorithm == RateAlgorithm::Sliding) {
        while (!m_state.starts.empty() && m_state.starts.front().at_ms <= now_ms - period_ms())
            dropStart(0);
        addStart(now_ms, cost);
        return true;
    }
    if (rate().algorithm == RateAlgorithm::Fixed) {
        const Window window = windowAt(now_ms);
        noteStart(cost, window.end_ms > 0 ? window.start_ms : now_ms, now_ms);
        return true;
    }
    Sums &sums = m_state.sums;
    const double step = step_ms(), paid_ms = paidAt(m_state);
    if (sums.step_ms != step) {
        sums.stepSince_ms = sums.step_ms > 0 ? now_ms : 0;
        sums.step_ms = step;
    }
    noteStart(cost, now_ms / period_ms() * period_ms(), now_ms);
    sums.paidUntil_ms = std::max(paid_ms, double(now_ms)) + double(cost) * step;
    return true;
}

// Gives back a start that no worker has seen.
void RateLimiter::uncharge(const Ended &ended)
{
    const qint64 cost = ended.cost, startedAt_ms = ended.startedAt_ms;
    if (ended.how != AttemptEnd::Untouched || !ended.counted || rate().limit <= 0 || m_state.algorithm != rate().algorithm)
        return; // another algorithm may have counted it, within a sum
    if (rate().algorithm == RateAlgorithm::Fixed) {
        unnoteStart(cost, startedAt_ms);
        changed();
    } else if (rate().algorithm == RateAlgorithm::Gcra) {
        const double step = step_ms();
        if (m_state.sums.step_ms == step && startedAt_ms > m_state.sums.stepSince_ms) { // else it took another amount of time
            m_state.sums.paidUntil_ms -= double(cost) * step;
            changed();
            unnoteStart(cost, startedAt_ms);
        }
    } else {
        for (size_t at = m_state.starts.size(); at-- > 0;) {
            if (m_state.starts[at].at_ms == startedAt_ms && m_state.starts[at].cost == cost) {
                dropStart(at);
                changed();
                return;
            }
        }
    }
}

qint64 RateLimiter::startedSince(qint64 since_ms) const
{
    if (!m_state.counted)
        return 0;
    if (m_state.algorithm != RateAlgorithm::Sliding)
        return m_state.sums.windowStart_ms >= since_ms ? m_state.sums.windowUsed : 0;
    qint64 sum = 0;
    for (const Start &start : m_state.starts)
        sum += start.at_ms > since_ms ? start.cost : 0;
    return sum;
}

qint64 RateLimiter::matters_ms(qint64 now_ms) const
{
    if (!m_state.counted)
        return 0;
    const State state = rate().limit > 0 ? stateNow(now_ms) : m_state;
    const qint64 last_ms = state.algorithm == RateAlgorithm::Sliding ? (state.starts.empty() ? 0 : state.starts.back().at_ms)
                                                                    : state.sums.lastStart_ms;
    const qint64 paid_ms = state.algorithm == RateAlgorithm::Gcra && rate().limit > 0
        ? qint64(std::ceil(std::max(state.sums.paidUntil_ms, paidAt(state))))
        : 0;
    const Window window = state.algorithm == RateAlgorithm::Fixed ? windowAt(now_ms) : Window{};
    const bool used = state.sums.windowUsed > 0 && state.sums.windowStart_ms >= window.start_ms;
    return std::max({last_ms + period_ms(), paid_ms, used ? window.end_ms : 0});
}

} // namespace

constinit const LimiterKind rateLimiter{makeLimiter<RateLimiter>};

} // namespace junban::engine
