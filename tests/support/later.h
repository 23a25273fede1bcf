#pragma once

#include "core/base/result.h"

#include <QTimer>

namespace junban::test {

// Calls back in a later pass of the event loop, as every asynchronous call must.
template<typename T>
void later(Callback<T> callback, Result<T> result)
{
    QTimer::singleShot(0, [callback = std::move(callback), result = std::move(result)] { callback(result); });
}

} // namespace junban::test
