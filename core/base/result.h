#pragma once

#include "core/base/reason.h"

#include <functional>
#include <utility>
#include <variant>

namespace junban {

// What went wrong. Each code has one HTTP status (server/api/answers.cpp) and one word on the wire (errorWord).
enum class ErrorCode {
    InvalidField,      // a field is missing, unknown, of the wrong type or out of range; `field` names it
    Malformed,         // the bytes are not one complete value
    NotFound,
    Conflict,          // the state does not allow it
    LeaseLost,         // the report's lease is no longer the job's lease
    IdempotencyMismatch, // the same idempotency key with other fields
    RevisionMismatch,  // it has changed since it was read
    TooLarge,
    BacklogFull,       // a `backlog` constraint is reached: too many jobs wait; retry later
    StoreUnavailable,  // Redis cannot be reached or is loading, or too many commands are under way; retry later
    StoreFull,         // Redis is out of memory
    StoreReadOnly,     // Redis refuses writes (read-only replica, disk full)
    Ambiguous,         // the command may or may not have run (only between the Redis link and the store)
    Cancelled,         // the caller has gone, or the master is stopping
    Unauthorized,      // no token, or one that is not valid
    Forbidden,         // the token's roles do not allow it
    Unreachable,       // only in clients: no answer came from the master
    Internal,          // a bug, in a script or in C++
};

// The word on the wire (openapi/master.yaml, "Errors"): "invalid_field", "lease_lost", …
const char *errorWord(ErrorCode code);

struct Error {
    ErrorCode code = ErrorCode::Internal;
    Reason reason = {};
    QByteArray field = {};       // path of the field at fault, e.g. "jobs[3].priority"; empty when no field is
    double retryAfter_s = 0;     // > 0: the caller should try again after this many seconds

    const QByteArray &message() const { return reason.text; } // in English
};

// The same error, because of a field; and one after which the caller should try again.
inline Error ofField(Error error, QByteArray path)
{
    error.field = std::move(path);
    return error;
}
inline Error retryAfter(Error error, double seconds)
{
    error.retryAfter_s = seconds;
    return error;
}

// A value or an Error. This is how every function reports a failure; no exception leaves a file.
template<typename T>
class [[nodiscard]] Result
{
public:
    Result(T value) : m_content(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_content(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return m_content.index() == 0; }
    explicit operator bool() const { return ok(); }

    // Precondition: ok().
    const T &value() const & { return std::get<0>(m_content); }
    T &value() & { return std::get<0>(m_content); }
    T &&value() && { return std::get<0>(std::move(m_content)); }
    const T *operator->() const { return &value(); }
    T *operator->() { return &value(); }
    const T &operator*() const & { return value(); }
    T &operator*() & { return value(); }
    T &&operator*() && { return std::move(*this).value(); }

    // Precondition: !ok().
    const Error &error() const & { return std::get<1>(m_content); }
    Error &&error() && { return std::get<1>(std::move(m_content)); }

private:
    std::variant<T, Error> m_content;
};

// The value of a result that only says that it went well.
using Done = std::monostate;

// The last parameter of every asynchronous call. It is called exactly once, on the engine thread, and never from inside the
// call that took it.
template<typename T>
using Callback = std::function<void(Result<T>)>;

} // namespace junban
