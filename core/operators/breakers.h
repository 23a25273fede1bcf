#pragma once

#include "core/operators/matchers.h"
#include "core/store/constraintstore.h"

#include <QObject>
#include <memory>

namespace junban {

// Trips and resets breakers by hand. Threads: the engine's. Callbacks that are pending when it is destroyed are dropped.
class Breakers : public QObject
{
    Q_OBJECT

public:
    // Both must outlive it.
    Breakers(ConstraintStore &store, Matchers &matchers, QObject *parent = nullptr);

    struct Change {
        BreakerState to = BreakerState::Open;   // or Closed
        std::optional<QByteArray> key;          // as operators see it; nothing: all keys that have a bucket
        std::optional<qint64> openFor_ms;       // nothing: as long as the next opening takes by the parameters
    };
    struct Changed {
        qint64 buckets = 0;
        qint64 opensAt_ms = 0;                  // when the last of them lets probes through
    };
    // In force with the answer. NotFound (field "key" when no bucket has it); Conflict when the constraint is no breaker.
    void change(QByteArray constraint, Change change, QByteArray who, Callback<Changed> callback);

Q_SIGNALS:
    // Buckets were closed: jobs that they held may start.
    void changed();

private:
    struct Call;
    void begin(const std::shared_ptr<Call> &call);
    void slice(const std::shared_ptr<Call> &call);
    void switched(const std::shared_ptr<Call> &call, const Result<ConstraintStore::Switched> &slice);

    ConstraintStore &m_store;
    Matchers &m_matchers;
};

} // namespace junban
