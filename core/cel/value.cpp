#include "core/cel/value.h"

#include "core/base/reasonwording.h"

#include <QtEndian>

namespace junban::cel {

namespace {

// The language's timestamps are from the year 1 to the year 9999.
constexpr qint64 seconds_min = -62'135'596'800;
constexpr qint64 seconds_max = 253'402'300'799;

// A MessagePack timestamp of 4, 8 or 12 bytes. Other extensions, and times out of the language's range, become bytes.
Value extensionValue(const payload::Token &token)
{
    const Value asBytes = Value::bytes(token.bytes);
    if (token.extension != -1)
        return asBytes;
    qint64 seconds = 0;
    quint32 nanoseconds = 0;
    const char *data = token.bytes.data();
    if (token.bytes.size() == 4) {
        seconds = qFromBigEndian<quint32>(data);
    } else if (token.bytes.size() == 8) {
        const auto both = qFromBigEndian<quint64>(data);
        nanoseconds = quint32(both >> 34);
        seconds = qint64(both & 0x3'ffff'ffffULL);
    } else if (token.bytes.size() == 12) {
        nanoseconds = qFromBigEndian<quint32>(data);
        seconds = qFromBigEndian<qint64>(data + 4);
    } else {
        return asBytes;
    }
    if (nanoseconds > 999'999'999 || seconds < seconds_min || seconds > seconds_max)
        return asBytes;
    return Value::timestamp(seconds, qint32(nanoseconds));
}

} // namespace

const char *causeWord(Cause cause)
{
    switch (cause) {
    case Cause::UnboundVariable: return "unbound_variable";
    case Cause::UnknownFunction: return "unknown_function";
    case Cause::NoSuchField: return "no_such_field";
    case Cause::NoSuchKey: return "no_such_key";
    case Cause::IndexOutOfRange: return "index_out_of_range";
    case Cause::WrongType: return "wrong_type";
    case Cause::Overflow: return "overflow";
    case Cause::DivisionByZero: return "division_by_zero";
    case Cause::BadConversion: return "bad_conversion";
    case Cause::BadKey: return "bad_key";
    case Cause::DuplicateKey: return "duplicate_key";
    case Cause::BadPattern: return "bad_pattern";
    case Cause::BadTimeZone: return "bad_time_zone";
    case Cause::Malformed: return "malformed";
    case Cause::TooMuchWork: return "too_much_work";
    case Cause::TooMuchMemory: return "too_much_memory";
    }
    return "";
}

Reason causeReason(Cause cause)
{
    const ReasonInfo *info = reasonInfo(QByteArray("evaluation_") + causeWord(cause));
    return info ? reasons::made(*info, {}) : Reason();
}

Value Value::boolean(bool value)
{
    Value result(ValueType::Bool);
    result.m_bool = value;
    return result;
}

Value Value::integer(qint64 value)
{
    Value result(ValueType::Int);
    result.m_int = value;
    return result;
}

Value Value::unsignedInteger(quint64 value)
{
    Value result(ValueType::UInt);
    result.m_uint = value;
    return result;
}

Value Value::real(double value)
{
    Value result(ValueType::Double);
    result.m_double = value;
    return result;
}

Value Value::string(QByteArrayView utf8)
{
    Value result(ValueType::String);
    result.m_data = utf8.data();
    result.m_size = utf8.size();
    return result;
}

Value Value::bytes(QByteArrayView bytes)
{
    Value result = string(bytes);
    result.m_type = ValueType::Bytes;
    return result;
}

Value Value::list(const Value *elements, qsizetype count)
{
    Value result(ValueType::List);
    result.m_items = elements;
    result.m_extra = quint32(count);
    return result;
}

Value Value::map(const Value *keysAndValues, qsizetype pairs)
{
    Value result = list(keysAndValues, pairs);
    result.m_type = ValueType::Map;
    return result;
}

Value Value::timestamp(qint64 seconds, qint32 nanoseconds)
{
    Value result = integer(seconds);
    result.m_type = ValueType::Timestamp;
    result.m_extra = quint32(nanoseconds);
    return result;
}

Value Value::duration(qint64 nanoseconds)
{
    Value result = integer(nanoseconds);
    result.m_type = ValueType::Duration;
    return result;
}

Value Value::typeOf(ValueType type)
{
    Value result(ValueType::Type);
    result.m_extra = quint32(type);
    return result;
}

Value Value::error(Cause cause, int node)
{
    Value result(ValueType::Error);
    result.m_cause = cause;
    result.m_extra = quint32(node);
    return result;
}

Value Value::packed(QByteArrayView msgpack)
{
    payload::Reader reader(msgpack);
    const std::optional<payload::Token> token = reader.next();
    if (!token)
        return error(Cause::Malformed);
    switch (token->type) {
    case payload::Type::Nil: return null();
    case payload::Type::Boolean: return boolean(token->boolean);
    case payload::Type::Int: return integer(token->integer);
    case payload::Type::UInt: return unsignedInteger(token->unsignedInteger);
    case payload::Type::Float32:
    case payload::Type::Float64: return real(token->real);
    case payload::Type::String: return token->bytes.isValidUtf8() ? string(token->bytes) : bytes(token->bytes);
    case payload::Type::Binary: return bytes(token->bytes);
    case payload::Type::Extension: return extensionValue(*token);
    case payload::Type::Array:
    case payload::Type::Map: break;
    }
    Value result(token->type == payload::Type::Array ? ValueType::List : ValueType::Map);
    result.m_packed = true;
    result.m_data = msgpack.data() + reader.offset();
    result.m_size = msgpack.size() - reader.offset();
    result.m_extra = token->count;
    return result;
}

double Value::asDouble() const
{
    switch (m_type) {
    case ValueType::Int: return double(m_int);
    case ValueType::UInt: return double(m_uint);
    default: return m_double;
    }
}

const char *typeName(ValueType type)
{
    switch (type) {
    case ValueType::Error: return "error";
    case ValueType::Null: return "null_type";
    case ValueType::Bool: return "bool";
    case ValueType::Int: return "int";
    case ValueType::UInt: return "uint";
    case ValueType::Double: return "double";
    case ValueType::String: return "string";
    case ValueType::Bytes: return "bytes";
    case ValueType::List: return "list";
    case ValueType::Map: return "map";
    case ValueType::Timestamp: return "google.protobuf.Timestamp";
    case ValueType::Duration: return "google.protobuf.Duration";
    case ValueType::Type: return "type";
    }
    return "";
}

} // namespace junban::cel
