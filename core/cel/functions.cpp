#include "core/cel/containers.h"
#include "core/cel/evaluation.h"
#include "core/cel/numbers.h"
#include "core/cel/times.h"

#include <charconv>
#include <cstring>
#include <limits>

namespace junban::cel {

namespace {

Value fault(Cause cause)
{
    return Value::error(cause);
}

Value orFault(const std::optional<Value> &value, Cause cause)
{
    return value ? *value : fault(cause);
}

template<typename T, typename Make>
Value integers(Op op, T a, T b, Make make)
{
    T result = 0;
    switch (op) {
    case Op::Add: return __builtin_add_overflow(a, b, &result) ? fault(Cause::Overflow) : make(result);
    case Op::Subtract: return __builtin_sub_overflow(a, b, &result) ? fault(Cause::Overflow) : make(result);
    case Op::Multiply: return __builtin_mul_overflow(a, b, &result) ? fault(Cause::Overflow) : make(result);
    default: break;
    }
    if (b == 0)
        return fault(Cause::DivisionByZero);
    if (std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == T(-1))
        return fault(Cause::Overflow);
    return make(op == Op::Divide ? T(a / b) : T(a % b));
}

Value reals(Op op, double a, double b)
{
    switch (op) {
    case Op::Add: return Value::real(a + b);
    case Op::Subtract: return Value::real(a - b);
    case Op::Multiply: return Value::real(a * b);
    case Op::Divide: return Value::real(a / b);
    default: return fault(Cause::WrongType);
    }
}

// A text in the evaluation's memory; an error when the memory is used up.
template<typename Make>
Value kept(QByteArrayView first, QByteArrayView second, Work &work, Make make)
{
    const qsizetype size = first.size() + second.size();
    char *room = work.characters(size);
    if (!room)
        return fault(Cause::TooMuchMemory);
    work.charge(size / 64);
    std::copy(first.begin(), first.end(), room);
    std::copy(second.begin(), second.end(), room + first.size());
    return make(QByteArrayView(room, size));
}

Value text(const QByteArray &made, Work &work)
{
    return kept(made, {}, work, Value::string);
}

Value joined(const Value &a, const Value &b, Work &work)
{
    const qsizetype count = qsizetype(a.count()) + qsizetype(b.count());
    Value *elements = work.values(count);
    if (!elements)
        return fault(Cause::TooMuchMemory);
    qsizetype filled = 0;
    for (const Value *part : {&a, &b}) {
        Walk walk(*part, work);
        while (filled < count && walk.next(elements[filled])) {
            if (elements[filled].isError() || work.spent())
                return fault(work.spent().value_or(Cause::Malformed));
            ++filled;
        }
    }
    return Value::list(elements, filled);
}

Value dates(Op op, const Value &a, const Value &b)
{
    const bool timeFirst = a.type() == ValueType::Timestamp;
    const bool timeSecond = b.type() == ValueType::Timestamp;
    const bool durationFirst = a.type() == ValueType::Duration;
    const bool durationSecond = b.type() == ValueType::Duration;
    if (durationFirst && durationSecond && (op == Op::Add || op == Op::Subtract))
        return integers(op, a.durationNanoseconds(), b.durationNanoseconds(), Value::duration);
    if (timeFirst && durationSecond && (op == Op::Add || op == Op::Subtract))
        return orFault(times::shifted(a, b, op == Op::Add ? 1 : -1), Cause::Overflow);
    if (durationFirst && timeSecond && op == Op::Add)
        return orFault(times::shifted(b, a, 1), Cause::Overflow);
    if (timeFirst && timeSecond && op == Op::Subtract)
        return orFault(times::between(a, b), Cause::Overflow);
    return fault(Cause::WrongType);
}

// The integer that the whole text spells; "+1" is accepted for signed integers.
template<typename T>
std::optional<T> parsed(QByteArrayView text)
{
    if constexpr (std::is_signed_v<T>) {
        if (text.size() > 1 && text.startsWith('+') && text[1] != '-')
            text = text.sliced(1);
    }
    T number{};
    const auto [end, problem] = std::from_chars(text.begin(), text.end(), number);
    return problem == std::errc() && end == text.end() && !text.isEmpty() ? std::optional(number) : std::nullopt;
}

Value toInt(const Value &value)
{
    switch (value.type()) {
    case ValueType::Int: return value;
    case ValueType::UInt:
        return value.toUInt() <= quint64(std::numeric_limits<qint64>::max()) ? Value::integer(qint64(value.toUInt()))
                                                                             : fault(Cause::Overflow);
    case ValueType::Double:
        // The bounds themselves are refused: such a double may be a rounded integer beyond them.
        return value.toDouble() > -0x1p63 && value.toDouble() < 0x1p63 ? Value::integer(qint64(value.toDouble()))
                                                                       : fault(Cause::Overflow);
    case ValueType::String: {
        const auto number = parsed<qint64>(value.view());
        return number ? Value::integer(*number) : fault(Cause::BadConversion);
    }
    case ValueType::Timestamp: return Value::integer(value.seconds());
    default: return fault(Cause::WrongType);
    }
}

Value toUInt(const Value &value)
{
    switch (value.type()) {
    case ValueType::UInt: return value;
    case ValueType::Int: return value.toInt() >= 0 ? Value::unsignedInteger(quint64(value.toInt())) : fault(Cause::Overflow);
    case ValueType::Double:
        return value.toDouble() >= 0 && value.toDouble() < 0x1p64 ? Value::unsignedInteger(quint64(value.toDouble()))
                                                                  : fault(Cause::Overflow);
    case ValueType::String: {
        const auto number = parsed<quint64>(value.view());
        return number ? Value::unsignedInteger(*number) : fault(Cause::BadConversion);
    }
    default: return fault(Cause::WrongType);
    }
}

Value toReal(const Value &value)
{
    if (value.isNumber())
        return Value::real(value.asDouble());
    if (value.type() != ValueType::String)
        return fault(Cause::WrongType);
    const auto number = parseReal(value.view());
    return number ? Value::real(*number) : fault(Cause::BadConversion);
}

Value toBool(const Value &value)
{
    if (value.type() == ValueType::Bool)
        return value;
    if (value.type() != ValueType::String)
        return fault(Cause::WrongType);
    for (const char *word : {"1", "t", "T", "true", "TRUE", "True"}) {
        if (value.view() == QByteArrayView(word))
            return Value::boolean(true);
    }
    for (const char *word : {"0", "f", "F", "false", "FALSE", "False"}) {
        if (value.view() == QByteArrayView(word))
            return Value::boolean(false);
    }
    return fault(Cause::BadConversion);
}

Value toText(const Value &value, Work &work)
{
    switch (value.type()) {
    case ValueType::String: return value;
    case ValueType::Bool: return Value::string(value.toBool() ? "true" : "false");
    case ValueType::Int: return text(QByteArray::number(value.toInt()), work);
    case ValueType::UInt: return text(QByteArray::number(value.toUInt()), work);
    case ValueType::Double: return text(realText(value.toDouble()), work);
    case ValueType::Bytes:
        work.charge(value.view().size() / 64);
        return value.view().isValidUtf8() ? Value::string(value.view()) : fault(Cause::BadConversion);
    case ValueType::Timestamp: return text(times::timestampText(value), work);
    case ValueType::Duration: return text(times::durationText(value), work);
    default: return fault(Cause::WrongType);
    }
}

Value toTimestamp(const Value &value)
{
    switch (value.type()) {
    case ValueType::Timestamp: return value;
    case ValueType::Int: return orFault(times::timestampAt(value.toInt(), 0), Cause::Overflow);
    case ValueType::String: return orFault(times::parseTimestamp(value.view()), Cause::BadConversion);
    default: return fault(Cause::WrongType);
    }
}

Value toDuration(const Value &value)
{
    if (value.type() == ValueType::Duration)
        return value;
    return value.type() == ValueType::String ? orFault(times::parseDuration(value.view()), Cause::BadConversion) : fault(Cause::WrongType);
}

Value sizeOf(const Value &value, Work &work)
{
    switch (value.type()) {
    case ValueType::String: {
        work.charge(value.view().size() / 64);
        qint64 characters = 0;
        for (const char c : value.view())
            characters += (quint8(c) & 0xc0) != 0x80;
        return Value::integer(characters);
    }
    case ValueType::Bytes: return Value::integer(value.view().size());
    case ValueType::List:
    case ValueType::Map: return Value::integer(value.count());
    default: return fault(Cause::WrongType);
    }
}

Value searched(Function function, const Value &value, const Value &wanted, Work &work)
{
    if (value.type() != ValueType::String || wanted.type() != ValueType::String)
        return fault(Cause::WrongType);
    const QByteArrayView text = value.view();
    const QByteArrayView part = wanted.view();
    work.charge((function == Function::Contains ? text.size() + part.size() : part.size()) / 64);
    switch (function) {
    case Function::StartsWith: return Value::boolean(text.startsWith(part));
    case Function::EndsWith: return Value::boolean(text.endsWith(part));
    default:
        // memmem takes linear time at most.
        return Value::boolean(part.isEmpty()
            || (!text.isEmpty() && memmem(text.data(), size_t(text.size()), part.data(), size_t(part.size())) != nullptr));
    }
}

Value matched(const Value &value, const Value &pattern, const re2::RE2 *compiled, Work &work)
{
    if (value.type() != ValueType::String || pattern.type() != ValueType::String)
        return fault(Cause::WrongType);
    std::unique_ptr<const re2::RE2> own;
    if (!compiled) {
        if (pattern.view().size() > limits::matcher_pattern_bytes_max)
            return fault(Cause::BadPattern);
        work.charge(1'000 + 20 * pattern.view().size()); // compiling is expensive
        if (work.spent())
            return fault(*work.spent());
        own = compilePattern(pattern.view(), limits::matcher_pattern_memory_bytes_max / 4);
        compiled = own.get();
        if (!compiled)
            return fault(Cause::BadPattern);
    }
    // In the worst case every character is compared with every instruction.
    work.charge(2 + value.view().size() * compiled->ProgramSize() / 256);
    if (work.spent())
        return fault(*work.spent());
    const re2::StringPiece subject(value.view().data(), size_t(value.view().size()));
    return Value::boolean(re2::RE2::PartialMatch(subject, *compiled));
}

std::optional<times::Part> partOf(Function function)
{
    switch (function) {
    case Function::GetFullYear: return times::Part::FullYear;
    case Function::GetMonth: return times::Part::Month;
    case Function::GetDate: return times::Part::Date;
    case Function::GetDayOfMonth: return times::Part::DayOfMonth;
    case Function::GetDayOfWeek: return times::Part::DayOfWeek;
    case Function::GetDayOfYear: return times::Part::DayOfYear;
    case Function::GetHours: return times::Part::Hours;
    case Function::GetMinutes: return times::Part::Minutes;
    case Function::GetSeconds: return times::Part::Seconds;
    case Function::GetMilliseconds: return times::Part::Milliseconds;
    default: return {};
    }
}

Value partValue(times::Part part, std::span<const Value> arguments, Work &work)
{
    const Value &of = arguments[0];
    if (of.type() == ValueType::Duration) {
        const bool known = part == times::Part::Hours || part == times::Part::Minutes || part == times::Part::Seconds
            || part == times::Part::Milliseconds;
        return known && arguments.size() == 1 ? Value::integer(times::durationPart(of, part)) : fault(Cause::WrongType);
    }
    if (of.type() != ValueType::Timestamp || (arguments.size() == 2 && arguments[1].type() != ValueType::String))
        return fault(Cause::WrongType);
    if (arguments.size() == 2)
        work.charge(200); // looking up a zone by its name is expensive
    if (work.spent())
        return fault(*work.spent());
    const auto number = times::part(of, part, arguments.size() == 2 ? arguments[1].view() : QByteArrayView("UTC"));
    return number ? Value::integer(*number) : fault(Cause::BadTimeZone);
}

} // namespace

Value arithmetic(Op op, const Value &a, const Value &b, Work &work)
{
    if (a.type() == ValueType::Timestamp || a.type() == ValueType::Duration)
        return dates(op, a, b);
    if (a.type() != b.type())
        return fault(Cause::WrongType);
    switch (a.type()) {
    case ValueType::Int: return integers(op, a.toInt(), b.toInt(), Value::integer);
    case ValueType::UInt: return integers(op, a.toUInt(), b.toUInt(), Value::unsignedInteger);
    case ValueType::Double: return reals(op, a.toDouble(), b.toDouble());
    default: break;
    }
    if (op != Op::Add)
        return fault(Cause::WrongType);
    switch (a.type()) {
    case ValueType::String: return kept(a.view(), b.view(), work, Value::string);
    case ValueType::Bytes: return kept(a.view(), b.view(), work, Value::bytes);
    case ValueType::List: return joined(a, b, work);
    default: return fault(Cause::WrongType);
    }
}

Value contained(const Value &element, const Value &container, Work &work)
{
    if (container.type() == ValueType::Map) {
        const Value found = lookUp(container, element, work);
        return found.isError() && found.cause() != Cause::NoSuchKey ? found : Value::boolean(!found.isError());
    }
    if (container.type() != ValueType::List)
        return fault(Cause::WrongType);
    Walk walk(container, work);
    for (Value candidate; !work.spent() && walk.next(candidate);) {
        if (candidate.isError())
            return candidate;
        if (equal(candidate, element, work))
            return Value::boolean(true);
    }
    return Value::boolean(false);
}

Value call(Function function, std::span<const Value> arguments, const re2::RE2 *compiled, Work &work)
{
    const Value &first = arguments[0];
    switch (function) {
    case Function::Bool: return toBool(first);
    case Function::Bytes:
        if (first.type() == ValueType::Bytes)
            return first;
        return first.type() == ValueType::String ? Value::bytes(first.view()) : fault(Cause::WrongType);
    case Function::Double: return toReal(first);
    case Function::Duration: return toDuration(first);
    case Function::Dyn: return first;
    case Function::Int: return toInt(first);
    case Function::Size: return sizeOf(first, work);
    case Function::String: return toText(first, work);
    case Function::Timestamp: return toTimestamp(first);
    case Function::Type: return Value::typeOf(first.type());
    case Function::UInt: return toUInt(first);
    case Function::Contains:
    case Function::StartsWith:
    case Function::EndsWith: return searched(function, first, arguments[1], work);
    case Function::Matches: return matched(first, arguments[1], compiled, work);
    default: break;
    }
    const auto part = partOf(function);
    return part ? partValue(*part, arguments, work) : fault(Cause::UnknownFunction);
}

} // namespace junban::cel
