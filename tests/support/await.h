#pragma once

#include "core/base/result.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QTimer>
#include <memory>
#include <optional>

namespace junban::test {

// Starts an asynchronous call, runs the event loop until it has called back, and returns its result. `call` gets the callback.
template<typename T, typename Call>
Result<T> await(Call call, int limit_ms = 60'000)
{
    auto answer = std::make_shared<std::optional<Result<T>>>();
    call(Callback<T>([answer](Result<T> result) {
        if (answer->has_value())
            qFatal("a callback was called twice");
        answer->emplace(std::move(result));
    }));
    if (answer->has_value())
        qFatal("a callback was called from inside its call");
    const QDeadlineTimer deadline(limit_ms);
    QTimer wake; // wakes the loop below, so that it can check its deadline
    wake.start(100);
    while (!answer->has_value()) {
        if (deadline.hasExpired())
            return Error{ErrorCode::Internal, Reason("test", {}, "The callback was not called in time.")};
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    return std::move(**answer);
}

} // namespace junban::test
