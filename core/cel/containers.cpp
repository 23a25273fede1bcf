#include "core/cel/containers.h"

#include <cmath>

namespace junban::cel {

namespace {

// Skips one value and returns the number of its heads, which is what it cost.
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
        return ordered(a.asDouble(), b.asDouble()); // CEL rounds an integer beyond 2^53
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
    case ValueType::String: // UTF-8 in the order of its bytes is in the order of its code points
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
