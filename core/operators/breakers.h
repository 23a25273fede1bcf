#pragma once

#include "core/limits/limitanswers.h"
#include "core/limits/limitrequests.h"
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

    // The change applies when the callback is called. NotFound (field "key" when no bucket has the key); Conflict when the constraint is
    // not a breaker.
    void change(QByteArray constraint, BreakerQuery query, Callback<answers::BreakerChanged> callback);

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
