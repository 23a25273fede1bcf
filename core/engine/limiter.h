#pragma once

#include "core/base/durations.h"
#include "core/engine/packed.h"
#include "core/limits/kinds/kinds.h"
#include "core/store/constraintstore.h"

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace junban::engine {

// Parameters are in seconds, with fractions that binary numbers only come near to.
inline qint64 wholeMs(double seconds)
{
    return std::llround(seconds * second_ms);
}

// How an attempt ended, as limits hear of it. Untouched: the job certainly never reached its worker.
enum class AttemptEnd : quint8 { Success, Failure, Expiry, Untouched, Other };

// The attempt of a job under a bucket ended.
struct Ended {
    qint64 cost = 1;
    qint64 startedAt_ms = 0;
    bool counted = false;                // what charge() returned when it started
    AttemptEnd how = AttemptEnd::Other;
    qint64 retryAfter_ms = 0;            // of a failure: the delay that the report asked for; 0: none
    qint64 now_ms = 0;
};

// May a job of this cost start now?
struct Question {
    qint64 cost = 1;
    qint64 used = 0;                     // the cost of the jobs that run under the bucket
    qint64 usedOfAll = 0;                // under all keys of the constraint
    qint64 keptForOthers = 0;            // what other keys lack of what they are to have at least (Limiter::lacks())
    qint64 now_ms = 0;
};
struct Verdict {
    bool admits = true;
    qint64 opensAt_ms = 0;               // when time alone makes it admit this cost, if it does not; 0: only a change does
    qint64 ofAllKeys = 0;                // what keeps it from admitting is this use of all keys together; 0: what the key itself uses
};

// What operators may do with a breaker, and see of it.
class Breaker
{
public:
    virtual BreakerState state(qint64 now_ms) const = 0;
    // Opens it; nothing: for as long as its parameters say. One that is open begins this opening again. Returns until when.
    virtual qint64 trip(std::optional<qint64> openFor_ms, qint64 now_ms) = 0;
    virtual void reset() = 0;

protected:
    ~Breaker() = default;
};

// A part of a limiter's state that Redis has as a field of its own. No value: it is gone.
struct LimiterPart {
    quint32 number = 0;
    std::optional<QByteArray> value = {};

    friend bool operator==(const LimiterPart &, const LimiterPart &) = default;
};

// Decides for one bucket of a constraint, and has the state that this takes. A class for each kind of constraint, in a file of its own.
// What runs under a bucket is counted outside, for all of them (core/engine/buckets.h). docs/constraints.md says what each kind means.
class Limiter
{
public:
    Limiter() = default;
    Limiter(const Limiter &) = delete;
    Limiter &operator=(const Limiter &) = delete;
    virtual ~Limiter() = default;

    // The parameters of the bucket's key. What the state means by them is up to the next call.
    void setParameters(std::shared_ptr<const Parameters> parameters)
    {
        m_parameters = std::move(parameters);
        parametersChanged();
    }

    // A job that costs more is admitted only if one that costs less is.
    virtual Verdict admits(const Question &question) const = 0;
    // Whether it holds most of `waiting` ready jobs though it admits one at this moment: for those who watch, not for claims.
    virtual bool paces(const Question &, qint64 /*waiting*/) const { return false; }
    // A job starts. Returns whether this is counted, so that it can be given back.
    virtual bool charge(qint64 /*cost*/, qint64 /*now_ms*/) { return false; }
    // An attempt ended, or the job has left the bucket while it runs (AttemptEnd::Other).
    virtual void uncharge(const Ended &) {}
    // The cost of what has started since `since_ms`, as far as it is counted.
    virtual qint64 startedSince(qint64 /*since_ms*/) const { return 0; }
    // Until when its state has an effect though no job has the bucket; 0: it has none.
    virtual qint64 matters_ms(qint64 /*now_ms*/) const { return 0; }

    // What the key lacks of what it is to have at least, while it has `ready` jobs.
    virtual qint64 lacks(qint64 /*used*/, qint64 /*ready*/) const { return 0; }
    // When it wants what runs then to be cancelled, first after `since_ms`; 0: never.
    virtual qint64 cancelsAt_ms(qint64 /*since_ms*/) const { return 0; }
    virtual Breaker *breaker() { return nullptr; }

    // Whether what Redis has of it was changed since the last call.
    bool takeChanged() { return std::exchange(m_changed, false); }
    // What Redis has of it. Nothing when it has no state.
    virtual bool hasState() const { return false; }
    virtual void pack(Packer &) const {}
    virtual void unpack(Unpacker &) {}
    // Of the parts those that were changed since the last call.
    virtual std::vector<LimiterPart> takeParts() { return {}; }
    virtual std::vector<LimiterPart> allParts() const { return {}; }
    virtual bool readPart(quint32 /*number*/, QByteArrayView /*value*/) { return false; }

protected:
    // To be called when hasState() or what pack() and the parts give was changed.
    void changed() { m_changed = true; }
    template<typename Of>
    const Of &parameters() const
    {
        return std::get<Of>(*m_parameters);
    }
    const Parameters &anyParameters() const { return *m_parameters; }
    const std::shared_ptr<const Parameters> &sharedParameters() const { return m_parameters; }

private:
    virtual void parametersChanged() {}

    std::shared_ptr<const Parameters> m_parameters;
    bool m_changed = false;
};

// How the engine has a kind of constraint. `key` is the bucket's as operators see it.
struct LimiterKind {
    std::unique_ptr<Limiter> (*make)(const QByteArray &key);
    bool shares = false;                 // what a key may use depends on the others of its constraint
};
template<typename Of>
std::unique_ptr<Limiter> makeLimiter(const QByteArray & /*key*/)
{
    return std::make_unique<Of>();
}
// Null: the engine does not have this kind yet. limiters.cpp lists those that it has.
const LimiterKind *limiterKind(ConstraintKind kind);
// Of the constraint 0, which admits no job: those with too many buckets carry it, and those of matchers that cannot be read.
extern const LimiterKind holdsAll;

} // namespace junban::engine
