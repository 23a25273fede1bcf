#pragma once

#include "core/calendar/windows.h"
#include "core/jobs/job.h"
#include "core/limits.h"
#include "core/limits/kinds/kind.h"

#include <array>
#include <utility>
#include <variant>

// All kinds of constraints: the parameters of each, and at the end the list. A file of its name in this folder has the fields, bounds and
// checks of each kind.
namespace junban {

// At most `limit` jobs start in a period.
enum class RateAlgorithm : quint8 { Gcra, Sliding, Fixed };
struct RateParameters {
    qint64 limit = 0;
    double period_s = 1;
    qint64 burst = 1;
    Amount cost = {};
    RateAlgorithm algorithm = RateAlgorithm::Gcra;
    QByteArray tz = "UTC";      // Fixed: the zone that its windows are aligned to

    static const Kind kind;
    friend bool operator==(const RateParameters &, const RateParameters &) = default;
};

// At most `limit` jobs run at the same time.
struct ConcurrencyParameters {
    qint64 limit = 0;
    Amount cost = {};
    std::optional<double> reserveAfter_s = {};

    static const Kind kind;
    friend bool operator==(const ConcurrencyParameters &, const ConcurrencyParameters &) = default;
};

// A capacity of running jobs is divided among keys. What one key gets: bounds in units of the capacity, or a percentage of it (floored).
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

// Jobs start only at certain hours.
enum class OnClose : quint8 { Finish, Cancel };
// Hours of some days of the week; with dates ("2026-12-24"), of those days instead.
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

// Whether a `window` constraint is open: within one of `allow` (or there is none) and within none of `deny`. Hours overnight, and on days
// when clocks change, are as in core/calendar/windows.h. With dates a window opens on those days only, whatever `days` says.
bool isOpen(const WindowParameters &window, qint64 at_ms);

// The next `count` moments after `from_ms` at which it opens or closes, in turn: the first one closes it if it is open at `from_ms`.
// Fewer if it does not change so often within 400 days.
QList<qint64> boundaries_ms(const WindowParameters &window, qint64 from_ms, int count);

// No job starts until the pause ends.
struct PauseParameters {
    std::optional<qint64> until_ms = {};
    std::optional<qint64> for_ms = {};  // of a request only: settleTimes() makes `until_ms` of it
    QByteArray reason = {};

    static const Kind kind;
    friend bool operator==(const PauseParameters &, const PauseParameters &) = default;
};

// When too many of the last jobs failed, none starts for a while; then a few are tried.
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

// When a failure asks for a delay, no job starts for so long.
struct CooldownParameters {
    double max_s = limits::cooldown_s_default;

    static const Kind kind;
    friend bool operator==(const CooldownParameters &, const CooldownParameters &) = default;
};

// At most `maxReady` jobs are ready.
enum class Overflow : quint8 { Reject, DropOldest, Coalesce };
inline constexpr const char *overflowWords[] = {"reject", "drop_oldest", "coalesce"};
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

// Replaces fields of a job before it is kept.
struct SetParameters {
    std::optional<qint32> priority = {};
    std::optional<qint64> timeout_ms = {};
    std::optional<int> maxRetry = {};
    std::optional<Backoff> backoff = {};

    static const Kind kind;
    friend bool operator==(const SetParameters &, const SetParameters &) = default;
};

// --- The list, twice in one order: that in which operators see them. -------------------------------------------------------------------

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
// The struct of the parameters, as the functions and tables of their kind take it.
const void *addressOf(const Parameters &parameters);
void *addressOf(Parameters &parameters);
// A kind's parameters with their defaults.
Parameters defaultParameters(ConstraintKind kind);
// What a job is charged (rate, concurrency), or its key's weight (fair); null for the other kinds.
const Amount *amountOf(const Parameters &parameters);

} // namespace junban
