#pragma once

#include "core/calendar/windows.h"
#include "core/jobs/job.h"
#include "core/limits.h"
#include "core/limits/kinds/kind.h"

#include <array>
#include <utility>
#include <variant>

// All kinds of constraints: their parameters here, and at the end the list of them. Each has its fields, bounds and checks in a file of
// its name in this folder.
namespace junban {

// So many starts within a time.
enum class RateAlgorithm : quint8 { Gcra, Sliding, Fixed };
struct RateParameters {
    qint64 limit = 0;
    double period_s = 1;
    qint64 burst = 1;
    Amount cost = {};
    RateAlgorithm algorithm = RateAlgorithm::Gcra;
    QByteArray tz = "UTC";      // Fixed: where its windows are aligned

    static const Kind kind;
    friend bool operator==(const RateParameters &, const RateParameters &) = default;
};

// So many at a time.
struct ConcurrencyParameters {
    qint64 limit = 0;
    Amount cost = {};
    std::optional<double> reserveAfter_s = {};

    static const Kind kind;
    friend bool operator==(const ConcurrencyParameters &, const ConcurrencyParameters &) = default;
};

// What one key of a `share` gets: bounds in units of the capacity, or a percentage of it (floored).
struct ShareOf {
    std::optional<qint64> min = {};
    std::optional<qint64> max = {};
    std::optional<double> percent = {};
    friend bool operator==(const ShareOf &, const ShareOf &) = default;
};
struct ShareParameters {
    qint64 capacity = 0;
    QList<std::pair<QByteArray, ShareOf>> shares = {}; // by the key's text, in the order given
    ShareOf otherwise = {};                            // keys that are not listed
    bool borrow = false;

    static const Kind kind;
    friend bool operator==(const ShareParameters &, const ShareParameters &) = default;
};

// Starts at certain hours only.
enum class OnClose : quint8 { Finish, Cancel };
// Some hours of some days; with dates, of those days only ("2026-12-24").
struct ConstraintWindow {
    Window window = {};
    QList<QByteArray> dates = {};
    friend bool operator==(const ConstraintWindow &, const ConstraintWindow &) = default;
};
struct WindowParameters {
    QList<ConstraintWindow> allow = {}; // none: always, but for `deny`
    QList<ConstraintWindow> deny = {};
    QByteArray tz = "UTC";
    OnClose onClose = OnClose::Finish;

    static const Kind kind;
    friend bool operator==(const WindowParameters &, const WindowParameters &) = default;
};

// When a `window` constraint is open: within one of `allow` (always, when there is none) and within none of `deny`. Hours are as
// core/calendar/windows.h has them, so overnight and on days when clocks are changed; with dates, the window opens on those days only,
// whatever `days` says.
bool isOpen(const WindowParameters &window, qint64 at_ms);

// The next `count` moments after `from_ms` at which it opens or closes, in turns: the first one closes it when it is open at `from_ms`.
// Fewer when it does not change so often within 400 days.
QList<qint64> boundaries_ms(const WindowParameters &window, qint64 from_ms, int count);

// Nothing starts.
struct PauseParameters {
    std::optional<qint64> until_ms = {};
    QByteArray reason = {};

    static const Kind kind;
    friend bool operator==(const PauseParameters &, const PauseParameters &) = default;
};

// Too few of the last jobs succeeded.
struct BreakerParameters {
    double window_s = limits::breaker_window_s_default;
    qint64 minSamples = limits::breaker_samples_default;
    double failureRate = limits::breaker_failure_rate_default;
    double openFor_s = limits::breaker_open_s_default;
    double factor = limits::backoff_factor_default;
    double maxOpen_s = limits::breaker_open_s_max_default;
    qint64 probes = 1;

    static const Kind kind;
    friend bool operator==(const BreakerParameters &, const BreakerParameters &) = default;
};

// A worker asked to wait.
struct CooldownParameters {
    double max_s = limits::cooldown_s_default;

    static const Kind kind;
    friend bool operator==(const CooldownParameters &, const CooldownParameters &) = default;
};

// So many ready jobs at most.
enum class Overflow : quint8 { Reject, DropOldest, Coalesce };
struct BacklogParameters {
    qint64 maxReady = 0;
    Overflow overflow = Overflow::Reject;

    static const Kind kind;
    friend bool operator==(const BacklogParameters &, const BacklogParameters &) = default;
};

// Keys take turns, by their weights.
struct FairParameters {
    Amount weight = {};

    static const Kind kind;
    friend bool operator==(const FairParameters &, const FairParameters &) = default;
};

// Other values for fields of a job, before it is kept.
struct SetParameters {
    std::optional<qint32> priority = {};
    std::optional<qint64> timeout_ms = {};
    std::optional<int> maxRetry = {};
    std::optional<Backoff> backoff = {};

    static const Kind kind;
    friend bool operator==(const SetParameters &, const SetParameters &) = default;
};

// --- The list, in the order that operators see. ---------------------------------------------------------------------------------------

enum class ConstraintKind : quint8 { Rate, Concurrency, Share, Window, Pause, Breaker, Cooldown, Backlog, Fair, Set };
using Parameters = std::variant<RateParameters, ConcurrencyParameters, ShareParameters, WindowParameters, PauseParameters,
    BreakerParameters, CooldownParameters, BacklogParameters, FairParameters, SetParameters>;

inline constexpr auto constraintKinds = []<size_t... index>(std::index_sequence<index...>) {
    return std::array<const Kind *, sizeof...(index)>{&std::variant_alternative_t<index, Parameters>::kind...};
}(std::make_index_sequence<std::variant_size_v<Parameters>>());

inline const Kind &kindOf(ConstraintKind kind)
{
    return *constraintKinds[size_t(kind)];
}
inline const Kind &kindOf(const Parameters &parameters)
{
    return *constraintKinds[parameters.index()];
}
inline const char *kindWord(ConstraintKind kind) // "rate", "concurrency", …
{
    return kindOf(kind).word;
}
std::optional<ConstraintKind> kindFromWord(QByteArrayView word);
// The parameters as the functions and tables of their kind take them.
const void *addressOf(const Parameters &parameters);
void *addressOf(Parameters &parameters);
// What the parameters of a kind are before any is given.
Parameters defaultParameters(ConstraintKind kind);
// What a job is charged (rate, concurrency), or its key's weight (fair); null for the other kinds.
const Amount *amountOf(const Parameters &parameters);

} // namespace junban
