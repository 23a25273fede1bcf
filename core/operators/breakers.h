#pragma once

#include "core/operators/matchers.h"
#include "core/store/constraintstore.h"

#include <QObject>
#include <memory>

namespace junban {

// Opens and closes breakers by hand. Threads: the engine's. Callbacks that are still due when it is destroyed are dropped.
class Breakers : public QObject
{
    Q_OBJECT

public:
    // Both must outlive it.
    Breakers(ConstraintStore &store, Matchers &matchers, QObject *parent = nullptr);

    struct Change {
        BreakerState to = BreakerState::Open;   // or Closed
        std::optional<QByteArray> key;          // the key's text as operators see it; nothing: all keys that have a bucket
        std::optional<qint64> openFor_ms;       // nothing: as long as the parameters say for the next opening
    };
    struct Changed {
        qint64 buckets = 0;
        qint64 opensAt_ms = 0;                  // when the last of these buckets lets probes through; on Redis' clock
    };
    // The change applies when the callback is called. NotFound (field "key" when no bucket has the key); Conflict when the constraint is
    // not a breaker.
    void change(QByteArray constraint, Change change, QByteArray who, Callback<Changed> callback);

Q_SIGNALS:
    // Breakers were closed: jobs that they held may start.
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
