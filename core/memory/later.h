#pragma once

#include "core/base/result.h"

#include <QObject>
#include <utility>

namespace junban::memory {

// Answers a store's call after the call has returned, as the contract of Store wants it. When it is destroyed, the answers that are due
// still are dropped without a callback. Threads: one, with an event loop.
class Later
{
public:
    template<typename Answer>
    void refuse(Callback<Answer> callback, Error error)
    {
        tell(std::move(callback), Result<Answer>(std::move(error)));
    }
    template<typename Answer>
    void tell(Callback<Answer> callback, Result<Answer> answer)
    {
        QMetaObject::invokeMethod(
            &m_here, [callback = std::move(callback), answer = std::move(answer)] { callback(answer); }, Qt::QueuedConnection);
    }

private:
    QObject m_here;
};

} // namespace junban::memory
