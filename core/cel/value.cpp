#include "core/cel/value.h"

#include "core/cel/work.h"

#include <QtEndian>
#include <cmath>

namespace junban::cel {

namespace {

// Timestamps are from the year 1 to the year 9999, as the language has them.
constexpr qint64 seconds_min = -62'135'596'800;
constexpr qint64 seconds_max = 253'402'300'799;

// Passes over one value and returns how many heads it had: what it cost.
qint64 skipValue(payload::Reader &reader)
{
    qint64 passed = 0;
    for (quint64 heads = 1; heads > 0; --heads) {
        const std::optional<payload::Token> token = reader.next();
        ++passed;
        if (!token)
            return passed;
        if (token->type == payload::Type::Array)
            heads += token->count;
        else if (token->type == payload::Type::Map)
            heads += 2ULL * token->count;
    }
    return passed;
}

// A MessagePack timestamp of 4, 8 or 12 bytes; other bytes, and times out of the language's range, stay bytes.
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

Order ordered(double a, double b)
{
    if (std::isnan(a) || std::isnan(b))
        return Order::Unordered;
    return a < b ? Order::Less : a > b ? Order::Greater : Order::Equal;
}

template<typename T>
Order orderOf(T a, T b)
{
    return a < b ? Order::Less : b < a ? Order::Greater : Order::Equal;
}

Order numbersOrdered(const Value &a, const Value &b)
{
    if (a.type() == b.type()) {
        switch (a.type()) {
        case ValueType::Int: return orderOf(a.toInt(), b.toInt());
        case ValueType::UInt: return orderOf(a.toUInt(), b.toUInt());
        default: return ordered(a.toDouble(), b.toDouble());
        }
    }
    if (a.type() == ValueType::Double || b.type() == ValueType::Double)
        return ordered(a.asDouble(), b.asDouble()); // an integer beyond 2^53 is rounded, as CEL has it
    if (a.type() == ValueType::Int)
        return a.toInt() < 0 ? Order::Less : orderOf(quint64(a.toInt()), b.toUInt());
    return b.toInt() < 0 ? Order::Greater : orderOf(a.toUInt(), quint64(b.toInt()));
}

bool listsEqual(const Value &a, const Value &b, Work &work)
{
    if (a.count() != b.count())
        return false;
    Walk left(a, work);
    Walk right(b, work);
    Value x;
    Value y;
    while (left.next(x) && right.next(y)) {
        if (work.spent() || x.isError() || y.isError() || !equal(x, y, work))
            return false;
    }
    return true;
}

bool mapsEqual(const Value &a, const Value &b, Work &work)
{
    if (a.count() != b.count())
        return false;
    Walk left(a, work);
    Value key;
    Value value;
    while (left.next(key) && left.next(value)) {
        const Value other = lookUp(b, key, work);
        if (work.spent() || value.isError() || other.isError() || !equal(value, other, work))
            return false;
    }
    return true;
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

const char *causeSentence(Cause cause)
{
    switch (cause) {
    case Cause::UnboundVariable: return "There is no variable of this name.";
    case Cause::UnknownFunction: return "There is no function of this name.";
    case Cause::NoSuchField: return "The map has no such field; has() asks whether it is there.";
    case Cause::NoSuchKey: return "The map has no such key; 'key in map' asks whether it is there.";
    case Cause::IndexOutOfRange: return "The list has no element at this index.";
    case Cause::WrongType: return "This cannot be done with values of these types.";
    case Cause::Overflow: return "The result is out of the type's range.";
    case Cause::DivisionByZero: return "Division by zero.";
    case Cause::BadConversion: return "The value cannot be converted to this type.";
    case Cause::BadKey: return "A map's key must be an int, a uint, a bool or a string.";
    case Cause::DuplicateKey: return "The map has the same key twice.";
    case Cause::BadPattern: return "This is not a regular expression of RE2, or it is too large.";
    case Cause::BadTimeZone: return "There is no such time zone.";
    case Cause::Malformed: return "The bytes are not MessagePack.";
    case Cause::TooMuchWork: return "The evaluation takes too many steps.";
    case Cause::TooMuchMemory: return "The evaluation makes values that are too large.";
    }
    return "";
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

Walk::Walk(const Value &container, Work &work)
    : m_work(work)
    , m_reader(container.m_packed ? QByteArrayView(container.m_data, container.m_size) : QByteArrayView())
    , m_left(container.type() == ValueType::Map ? 2ULL * container.count() : container.count())
{
    if (!container.m_packed)
        m_items = container.m_items;
}

bool Walk::next(Value &element)
{
    if (m_left == 0)
        return false;
    --m_left;
    if (m_items) {
        m_work.charge(1);
        element = *m_items++;
        return true;
    }
    element = Value::packed(m_reader.bytes().sliced(m_reader.offset()));
    m_work.charge(1 + skipValue(m_reader) / 4);
    if (m_reader.failed())
        m_left = 0;
    return true;
}

void Walk::skip(qint64 elements)
{
    elements = qMin(elements, qint64(m_left));
    m_left -= quint64(elements);
    if (m_items) {
        m_items += elements;
        return;
    }
    for (; elements > 0 && !m_work.spent(); --elements)
        m_work.charge(1 + skipValue(m_reader) / 4);
    if (m_reader.failed())
        m_left = 0;
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

bool equal(const Value &a, const Value &b, Work &work)
{
    work.charge(1);
    if (a.isNumber() && b.isNumber())
        return numbersOrdered(a, b) == Order::Equal;
    if (a.type() != b.type())
        return false;
    switch (a.type()) {
    case ValueType::Null: return true;
    case ValueType::Bool: return a.toBool() == b.toBool();
    case ValueType::String:
    case ValueType::Bytes:
        if (a.view().size() != b.view().size())
            return false;
        work.charge(a.view().size() / 64);
        return a.view() == b.view();
    case ValueType::List: return listsEqual(a, b, work);
    case ValueType::Map: return mapsEqual(a, b, work);
    case ValueType::Timestamp: return a.seconds() == b.seconds() && a.nanoseconds() == b.nanoseconds();
    case ValueType::Duration: return a.durationNanoseconds() == b.durationNanoseconds();
    case ValueType::Type: return a.denoted() == b.denoted();
    default: return false;
    }
}

bool sameKey(const Value &a, const Value &b, Work &work)
{
    if (!a.isNumber() || !b.isNumber() || a.type() == b.type())
        return equal(a, b, work);
    const Value &real = a.type() == ValueType::Double ? a : b;
    const Value &whole = a.type() == ValueType::Double ? b : a;
    if (real.type() != ValueType::Double)
        return numbersOrdered(a, b) == Order::Equal;
    work.charge(1);
    const double number = real.toDouble();
    if (whole.type() == ValueType::Int)
        return number >= -0x1p63 && number < 0x1p63 && double(qint64(number)) == number && qint64(number) == whole.toInt();
    return number >= 0 && number < 0x1p64 && double(quint64(number)) == number && quint64(number) == whole.toUInt();
}

Order compare(const Value &a, const Value &b, Work &work)
{
    work.charge(1);
    if (a.isNumber() && b.isNumber())
        return numbersOrdered(a, b);
    if (a.type() != b.type())
        return Order::Incomparable;
    switch (a.type()) {
    case ValueType::Bool: return orderOf(a.toBool(), b.toBool());
    case ValueType::String: // UTF-8 sorts by bytes as by code points
    case ValueType::Bytes: {
        work.charge(std::min(a.view().size(), b.view().size()) / 64);
        const int difference = a.view().compare(b.view());
        return orderOf(difference, 0);
    }
    case ValueType::Timestamp:
        if (a.seconds() != b.seconds())
            return orderOf(a.seconds(), b.seconds());
        return orderOf(a.nanoseconds(), b.nanoseconds());
    case ValueType::Duration: return orderOf(a.durationNanoseconds(), b.durationNanoseconds());
    default: return Order::Incomparable;
    }
}

Value lookUp(const Value &map, const Value &key, Work &work)
{
    Walk walk(map, work);
    Value candidate;
    while (!work.spent() && walk.next(candidate)) {
        if (candidate.isError())
            return candidate;
        if (sameKey(candidate, key, work)) {
            Value value;
            return walk.next(value) ? value : Value::error(Cause::Malformed);
        }
        walk.skip();
    }
    return Value::error(Cause::NoSuchKey);
}

Value fieldOf(const Value &map, QByteArrayView name, Work &work)
{
    if (!map.m_packed) {
        const Value found = lookUp(map, Value::string(name), work);
        return found.isError() && found.cause() == Cause::NoSuchKey ? Value::error(Cause::NoSuchField) : found;
    }
    payload::Reader reader(QByteArrayView(map.m_data, map.m_size));
    for (quint32 i = 0; i < map.count() && !work.spent(); ++i) {
        work.charge(1);
        payload::Reader ahead = reader;
        const std::optional<payload::Token> key = ahead.next();
        if (!key)
            return Value::error(Cause::Malformed);
        if (key->type == payload::Type::String && key->bytes == name)
            return Value::packed(ahead.bytes().sliced(ahead.offset()));
        if (key->type == payload::Type::Array || key->type == payload::Type::Map)
            work.charge(skipValue(reader) / 4);
        else
            reader = ahead;
        work.charge(skipValue(reader) / 4);
    }
    return Value::error(reader.failed() ? Cause::Malformed : Cause::NoSuchField);
}

Value elementAt(const Value &list, qint64 index, Work &work)
{
    if (index < 0 || index >= qint64(list.count()))
        return Value::error(Cause::IndexOutOfRange);
    Walk walk(list, work);
    walk.skip(index);
    Value value;
    return walk.next(value) ? value : Value::error(Cause::Malformed);
}

} // namespace junban::cel
