#pragma once

#include "core/base/isotime.h"
#include "core/jobs/job.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace junban::client {

// One MessagePack value of an answer, in place (the bytes must outlive it), read as what it should be. What it is not, it is as a
// default: a missing field and one that makes no sense are treated alike, and the caller checks what it cannot do without.
class Value
{
public:
    explicit Value(QByteArrayView bytes) : m_bytes(bytes), m_token(payload::Reader(bytes).next().value_or(payload::Token{})) {}

    QByteArrayView bytes() const { return m_bytes; }
    bool isNil() const { return m_token.type == payload::Type::Nil; }
    bool isMap() const { return m_token.type == payload::Type::Map; }
    QByteArray text() const { return m_token.type == payload::Type::String ? m_token.bytes.toByteArray() : QByteArray(); }
    bool boolean() const { return m_token.type == payload::Type::Boolean && m_token.boolean; }
    qint64 integer() const { return m_token.type == payload::Type::Int ? m_token.integer : 0; }
    double real() const
    {
        switch (m_token.type) {
        case payload::Type::Int: return double(m_token.integer);
        case payload::Type::UInt: return double(m_token.unsignedInteger);
        case payload::Type::Float32:
        case payload::Type::Float64: return std::isfinite(m_token.real) ? m_token.real : 0;
        default: return 0;
        }
    }
    qint64 time_ms() const { return m_token.type == payload::Type::String ? fromIsoTime(m_token.bytes).value_or(0) : 0; }
    qint64 duration_ms() const { return qint64(std::llround(std::clamp(real() * 1000, 0.0, 9e15))); }
    int small() const
    {
        return int(std::clamp<qint64>(integer(), std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
    }
    std::optional<JobId> id() const
    {
        return m_token.type == payload::Type::String ? JobId::fromText(m_token.bytes) : std::nullopt;
    }
    std::optional<JobState> state() const
    {
        return m_token.type == payload::Type::String ? stateFromWord(m_token.bytes) : std::nullopt;
    }

    // Calls `take(key, value)` for each pair with a string key; false when this is no complete map.
    template<typename Take>
    bool eachField(Take take) const
    {
        payload::Reader reader(m_bytes);
        const std::optional<payload::Token> head = reader.next();
        if (!head || head->type != payload::Type::Map)
            return false;
        for (quint32 i = 0; i < head->count; ++i) {
            const std::optional<QByteArrayView> key = reader.skip();
            const std::optional<QByteArrayView> value = key ? reader.skip() : std::nullopt;
            if (!value)
                return false;
            const std::optional<payload::Token> name = payload::Reader(*key).next();
            if (name && name->type == payload::Type::String)
                take(name->bytes, Value(*value));
        }
        return true;
    }

    // Calls `take(value)` for each element, until it returns false; false when this is no complete array or `take` said so.
    template<typename Take>
    bool eachElement(Take take) const
    {
        payload::Reader reader(m_bytes);
        const std::optional<payload::Token> head = reader.next();
        if (!head || head->type != payload::Type::Array)
            return false;
        for (quint32 i = 0; i < head->count; ++i) {
            const std::optional<QByteArrayView> value = reader.skip();
            if (!value || !take(Value(*value)))
                return false;
        }
        return true;
    }

private:
    QByteArrayView m_bytes;
    payload::Token m_token;
};

} // namespace junban::client
