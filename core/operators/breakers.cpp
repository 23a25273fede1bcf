#include "core/operators/breakers.h"

#include "core/base/reasons/operators.h"
#include "core/limits/bucketkey.h"

#include <QPointer>
#include <algorithm>

namespace junban {

struct Breakers::Call {
    QByteArray constraint;
    BreakerSwitch what;
    int number = 0;
    quint64 cursor = 0;
    answers::BreakerChanged sofar;
    Callback<answers::BreakerChanged> callback;
};

Breakers::Breakers(ConstraintStore &store, Matchers &matchers, QObject *parent)
    : QObject(parent)
    , m_store(store)
    , m_matchers(matchers)
{
}

void Breakers::change(QByteArray constraint, BreakerQuery query, Callback<answers::BreakerChanged> callback)
{
    auto call = std::make_shared<Call>();
    const BreakerState to = query.verb == BreakerVerb::Trip ? BreakerState::Open : BreakerState::Closed;
    const auto openFor_ms = query.openFor_ms > 0 ? std::optional(query.openFor_ms) : std::nullopt;
    call->what = {to, std::move(query.key), openFor_ms};
    call->constraint = std::move(constraint);
    call->callback = std::move(callback);
    m_matchers.refresh([this, call, self = QPointer<Breakers>(this)](const Result<Done> &loaded) {
        if (!self)
            return;
        if (loaded.ok())
            begin(call);
        else
            call->callback(loaded.error());
    });
}

void Breakers::begin(const std::shared_ptr<Call> &call)
{
    const Matchers::Place place = m_matchers.constraint(call->constraint);
    if (!place.constraint) {
        call->callback(m_matchers.noConstraint(call->constraint));
        return;
    }
    call->number = place.number;
    if (place.constraint->by.isEmpty() && call->what.key.value_or(QByteArray()).isEmpty())
        call->what.only = CarriedBucket{place.number, {}, 1, bucketkey::key({})};
    slice(call);
}

void Breakers::slice(const std::shared_ptr<Call> &call)
{
    m_store.switchBreaker(call->number, call->what, call->cursor,
        [this, call, self = QPointer<Breakers>(this)](const Result<ConstraintStore::Switched> &slice) {
            if (self)
                switched(call, slice);
        });
}

void Breakers::switched(const std::shared_ptr<Call> &call, const Result<ConstraintStore::Switched> &done)
{
    if (!done.ok()) {
        call->callback(done.error());
        return;
    }
    call->sofar.buckets += done->buckets;
    call->sofar.opensAt_ms = std::max(call->sofar.opensAt_ms, done->opensAt_ms);
    call->cursor = done->next;
    if (call->cursor != 0) {
        slice(call);
        return;
    }
    if (call->what.to == BreakerState::Closed)
        Q_EMIT changed();
    if (call->what.key && call->sofar.buckets == 0)
        call->callback(ofField(reasons::bucketNotFound(), "key"));
    else
        call->callback(call->sofar);
}

} // namespace junban
