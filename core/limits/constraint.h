#pragma once

#include "core/base/result.h"
#include "core/calendar/windows.h"
#include "core/jobs/job.h"

#include <QByteArray>
#include <QList>
#include <optional>
#include <utility>
#include <variant>

namespace junban {

class Fields;

// The order of Parameters below.
enum class ConstraintKind : quint8 { Rate, Concurrency, Share, Window, Pause, Breaker, Cooldown, Backlog, Fair, Set };
const char *kindWord(ConstraintKind kind); // "rate", "concurrency", …
std::optional<ConstraintKind> kindFromWord(QByteArrayView word);

enum class ConstraintMode : quint8 { Enforce, Observe, Off };
const char *modeWord(ConstraintMode mode);
// What a job counts for whose `by` has no value: all such jobs share one bucket, or the constraint leaves them alone.
enum class OnMissing : quint8 { Share, Exempt };

// A number, or an expression of the matcher language that gives one for each job.
struct Amount {
    qint64 number = 1;
    QByteArray expression = {}; // empty: the number counts
    friend bool operator==(const Amount &, const Amount &) = default;
};

enum class RateAlgorithm : quint8 { Gcra, Sliding, Fixed };
struct RateParameters {
    qint64 limit = 0;
    double period_s = 1;
    qint64 burst = 1;
    Amount cost = {};
    RateAlgorithm algorithm = RateAlgorithm::Gcra;
    QByteArray tz = "UTC";      // Fixed: where its windows are aligned
    friend bool operator==(const RateParameters &, const RateParameters &) = default;
};

struct ConcurrencyParameters {
    qint64 limit = 0;
    Amount cost = {};
    std::optional<double> reserveAfter_s = {};
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
    friend bool operator==(const ShareParameters &, const ShareParameters &) = default;
};

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
    friend bool operator==(const WindowParameters &, const WindowParameters &) = default;
};

struct PauseParameters {
    std::optional<qint64> until_ms = {};
    QByteArray reason = {};
    friend bool operator==(const PauseParameters &, const PauseParameters &) = default;
};

struct BreakerParameters {
    double window_s = limits::breaker_window_s_default;
    qint64 minSamples = limits::breaker_samples_default;
    double failureRate = limits::breaker_failure_rate_default;
    double openFor_s = limits::breaker_open_s_default;
    double factor = limits::backoff_factor_default;
    double maxOpen_s = limits::breaker_open_s_max_default;
    qint64 probes = 1;
    friend bool operator==(const BreakerParameters &, const BreakerParameters &) = default;
};

struct CooldownParameters {
    double max_s = limits::cooldown_s_default;
    friend bool operator==(const CooldownParameters &, const CooldownParameters &) = default;
};

enum class Overflow : quint8 { Reject, DropOldest, Coalesce };
struct BacklogParameters {
    qint64 maxReady = 0;
    Overflow overflow = Overflow::Reject;
    friend bool operator==(const BacklogParameters &, const BacklogParameters &) = default;
};

struct FairParameters {
    Amount weight = {};
    friend bool operator==(const FairParameters &, const FairParameters &) = default;
};

struct SetParameters {
    std::optional<qint32> priority = {};
    std::optional<qint64> timeout_ms = {};
    std::optional<int> maxRetry = {};
    std::optional<Backoff> backoff = {};
    friend bool operator==(const SetParameters &, const SetParameters &) = default;
};

using Parameters = std::variant<RateParameters, ConcurrencyParameters, ShareParameters, WindowParameters, PauseParameters,
    BreakerParameters, CooldownParameters, BacklogParameters, FairParameters, SetParameters>;

// Other parameters for one bucket: a MessagePack map of those that differ.
struct Override {
    QByteArray key;     // the bucket's key as text (keyText)
    QByteArray fields;
    friend bool operator==(const Override &, const Override &) = default;
};

// One limit of a matcher (docs/constraints.md). A value; whoever makes one from a request does it by fromMsgpack, which checks it. Its
// expressions are checked by compiling the matcher (core/limits/matcher.h).
struct Constraint {
    QByteArray id;                   // empty until one is given; it outlives edits, and its buckets with it
    Parameters parameters;
    QList<QByteArray> by;            // expressions: one bucket for each distinct tuple of values
    OnMissing onMissing = OnMissing::Share;
    QList<Override> overrides;
    ConstraintMode mode = ConstraintMode::Enforce;
    std::optional<qint64> expiresAt_ms; // then the revision before comes back
    qint64 revision = 0;             // of the matcher, when this constraint changed last

    ConstraintKind kind() const { return ConstraintKind(parameters.index()); }
    // The parameters of the bucket with this key: the override's, where there is one.
    Parameters parametersFor(const QByteArray &keyText) const;

    // Errors: InvalidField with the path below `path`.
    static Result<Constraint> fromMsgpack(QByteArrayView map, const QByteArray &path);
    // The same map back; what has its default is left out where that is plain.
    QByteArray packed() const;
    friend bool operator==(const Constraint &, const Constraint &) = default;
};

// Reads the parameters of a kind from a map's fields; what is not there is as in `base`. Used for constraints and for overrides.
Parameters readParameters(ConstraintKind kind, Fields &fields, const Parameters &base);
// What a job is charged (rate, concurrency), or its key's weight (fair); null for the other kinds.
const Amount *amountOf(const Parameters &parameters);
// What the parameters of a kind are before any is given.
Parameters defaultParameters(ConstraintKind kind);

} // namespace junban
