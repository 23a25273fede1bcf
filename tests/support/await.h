#pragma once

#include "core/result.h"

#include <QTest>
#include <memory>
#include <optional>

namespace junban::test {

// Runs the event loop until an asynchronous call has called back, and returns what it said. `call` gets the callback.
template<typename T, typename Call>
Result<T> await(Call call, int limit_ms = 10'000)
{
    auto answer = std::make_shared<std::optional<Result<T>>>();
    call(Callback<T>([answer](Result<T> result) {
        if (answer->has_value())
            qFatal("a callback was called twice");
        answer->emplace(std::move(result));
    }));
    if (answer->has_value())
        qFatal("a callback was called from inside its call");
    if (!QTest::qWaitFor([&] { return answer->has_value(); }, limit_ms))
        return Error{ErrorCode::Internal, "The callback was not called in time."};
    return std::move(**answer);
}

} // namespace junban::test
