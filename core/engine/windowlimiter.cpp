#include "core/engine/limiter.h"

namespace junban::engine {

extern const LimiterKind windowLimiter;

namespace {

// As far as boundaries_ms() looks. An opening after that is found by the next edit or load.
constexpr qint64 horizon_ms = 400 * day_ms;

// From when to when a window does not change, and when it closes next.
struct Span {
    qint64 from_ms = 0, to_ms = 0;
    qint64 opens_ms = 0, closes_ms = 0;  // when it does next; 0: not within the horizon
    bool open = false;

    bool has(qint64 at_ms) const { return from_ms <= at_ms && at_ms < to_ms; }
};

Span spanFrom(const WindowParameters &window, qint64 from_ms)
{
    const QList<qint64> next = boundaries_ms(window, from_ms, 2);
    const bool open = isOpen(window, from_ms);
    return {from_ms, next.value(0, from_ms + horizon_ms), next.value(open ? 1 : 0, 0), next.value(open ? 0 : 1, 0), open};
}

// The keys of one constraint share its parameters, and all are looked at when the window opens: the last span is computed once for them.
const Span &spanAt(const std::shared_ptr<const Parameters> &parameters, qint64 now_ms)
{
    thread_local std::shared_ptr<const Parameters> of;
    thread_local Span span;
    if (of != parameters || !span.has(now_ms)) {
        of = parameters;
        span = spanFrom(std::get<WindowParameters>(*parameters), now_ms);
    }
    return span;
}

// Jobs start only while the window is open.
class WindowLimiter : public Limiter
{
    Verdict admits(const Question &question) const override
    {
        if (!m_span.has(question.now_ms))
            m_span = spanAt(sharedParameters(), question.now_ms);
        return {m_span.open, m_span.open ? 0 : m_span.opens_ms};
    }
    qint64 cancelsAt_ms(qint64 since_ms) const override
    {
        const auto &window = parameters<WindowParameters>();
        if (window.onClose != OnClose::Cancel)
            return 0;
        return m_span.has(since_ms) ? m_span.closes_ms : spanFrom(window, since_ms).closes_ms;
    }
    void parametersChanged() override { m_span = {}; }

    mutable Span m_span;
};

} // namespace

constinit const LimiterKind windowLimiter{makeLimiter<WindowLimiter>};

} // namespace junban::engine
