#include "core/cel/evaluation.h"

#include "core/cel/containers.h"

namespace junban::cel {

Value Evaluation::evaluate(const Code &code, qint32 root, const Bindings &bindings)
{
    m_work.restart();
    m_code = &code;
    m_bindings = &bindings;
    const Value result = node(root);
    // When steps or memory are used up there is no value, even if an || has ignored that error.
    return m_work.spent() ? Value::error(*m_work.spent(), root) : result;
}

Value Evaluation::node(qint32 index)
{
    const Node &here = m_code->node(index);
    if (here.op == Op::Constant)
        return here.constant;
    m_work.charge(1);
    if (m_work.spent())
        return Value::error(*m_work.spent(), index);
    const Value value = compute(here);
    return value.isError() && value.node() < 0 ? Value::error(value.cause(), index) : value;
}

Value Evaluation::compute(const Node &here)
{
    switch (here.op) {
    case Op::Constant: return here.constant;
    case Op::Variable: return m_bindings->variable(here.slot);
    case Op::Local: return m_locals[size_t(here.slot)];
    case Op::Name:
    case Op::Unbound: return Value::error(Cause::UnboundVariable);
    case Op::Select: return selected(here);
    case Op::Has: return has(here);
    case Op::HasVariable: return Value::boolean(!m_bindings->variable(here.slot).isError());
    case Op::Index: return indexed(here);
    case Op::List: return listOf(here);
    case Op::Map: return mapOf(here);
    case Op::Not: {
        const Value value = node(here.a);
        if (value.isError())
            return value;
        return value.type() == ValueType::Bool ? Value::boolean(!value.toBool()) : Value::error(Cause::WrongType);
    }
    case Op::Negate: {
        const Value value = node(here.a);
        if (value.isError())
            return value;
        if (value.type() == ValueType::Double)
            return Value::real(-value.toDouble());
        if (value.type() != ValueType::Int)
            return Value::error(Cause::WrongType);
        return arithmetic(Op::Subtract, Value::integer(0), value, m_work);
    }
    case Op::And: return logical(here, false);
    case Op::Or: return logical(here, true);
    case Op::Conditional: {
        const Value condition = node(here.a);
        if (condition.isError())
            return condition;
        return condition.type() == ValueType::Bool ? node(condition.toBool() ? here.b : here.c) : Value::error(Cause::WrongType);
    }
    case Op::Call: return called(here);
    case Op::All:
    case Op::Exists:
    case Op::ExistsOne: return quantified(here);
    case Op::Transform:
    case Op::Filter: return collected(here);
    default: return binary(here);
    }
}

Value Evaluation::selected(const Node &here)
{
    const Value value = node(here.a);
    if (value.isError())
        return value;
    return value.type() == ValueType::Map ? fieldOf(value, here.text, m_work) : Value::error(Cause::WrongType);
}

Value Evaluation::has(const Node &here)
{
    const Value value = node(here.a);
    if (value.isError())
        return value;
    if (value.type() != ValueType::Map)
        return Value::error(Cause::WrongType);
    const Value field = fieldOf(value, here.text, m_work);
    return field.isError() && field.cause() != Cause::NoSuchField ? field : Value::boolean(!field.isError());
}

Value Evaluation::indexed(const Node &here)
{
    const Value container = node(here.a);
    if (container.isError())
        return container;
    const Value index = node(here.b);
    if (index.isError())
        return index;
    if (container.type() == ValueType::Map)
        return lookUp(container, index, m_work);
    if (container.type() != ValueType::List)
        return Value::error(Cause::WrongType);
    switch (index.type()) {
    case ValueType::Int: return elementAt(container, index.toInt(), m_work);
    case ValueType::UInt:
        return index.toUInt() < container.count() ? elementAt(container, qint64(index.toUInt()), m_work)
                                                  : Value::error(Cause::IndexOutOfRange);
    case ValueType::Double: {
        const double at = index.toDouble();
        if (!(at >= 0 && at < double(container.count())))
            return Value::error(Cause::IndexOutOfRange);
        return double(qint64(at)) == at ? elementAt(container, qint64(at), m_work) : Value::error(Cause::WrongType);
    }
    default: return Value::error(Cause::WrongType);
    }
}

Value Evaluation::listOf(const Node &here)
{
    Value *elements = m_work.values(here.count);
    if (!elements)
        return Value::error(Cause::TooMuchMemory);
    for (qint32 i = 0; i < here.count; ++i) {
        elements[i] = node(m_code->child(here, i));
        if (elements[i].isError())
            return elements[i];
    }
    return Value::list(elements, here.count);
}

Value Evaluation::mapOf(const Node &here)
{
    Value *entries = m_work.values(here.count);
    if (!entries)
        return Value::error(Cause::TooMuchMemory);
    for (qint32 i = 0; i < here.count; ++i) {
        entries[i] = node(m_code->child(here, i));
        if (entries[i].isError())
            return entries[i];
        if (i % 2 == 1)
            continue; // a value
        const ValueType type = entries[i].type();
        if (type != ValueType::Int && type != ValueType::UInt && type != ValueType::Bool && type != ValueType::String)
            return Value::error(Cause::BadKey, m_code->child(here, i));
        for (qint32 earlier = 0; earlier < i; earlier += 2) {
            if (sameKey(entries[earlier], entries[i], m_work))
                return Value::error(Cause::DuplicateKey, m_code->child(here, i));
        }
    }
    return Value::map(entries, here.count / 2);
}

// One deciding operand (true for ||, false for &&) is enough, even if others are errors. Without one, the first error is the result.
Value Evaluation::logical(const Node &here, bool decisive)
{
    Value fault = Value::null();
    for (qint32 i = 0; i < here.count; ++i) {
        const qint32 operand = m_code->child(here, i);
        Value value = node(operand);
        if (value.type() == ValueType::Bool) {
            if (value.toBool() == decisive)
                return value;
            continue;
        }
        if (!fault.isError())
            fault = value.isError() ? value : Value::error(Cause::WrongType, operand);
    }
    return fault.isError() ? fault : Value::boolean(!decisive);
}

Value Evaluation::binary(const Node &here)
{
    const Value a = node(here.a);
    if (a.isError())
        return a;
    const Value b = node(here.b);
    if (b.isError())
        return b;
    switch (here.op) {
    case Op::Equal: return Value::boolean(equal(a, b, m_work));
    case Op::NotEqual: return Value::boolean(!equal(a, b, m_work));
    case Op::In: return contained(a, b, m_work);
    case Op::Less:
    case Op::LessEqual:
    case Op::Greater:
    case Op::GreaterEqual: break;
    default: return arithmetic(here.op, a, b, m_work);
    }
    switch (compare(a, b, m_work)) {
    case Order::Less: return Value::boolean(here.op == Op::Less || here.op == Op::LessEqual);
    case Order::Equal: return Value::boolean(here.op == Op::LessEqual || here.op == Op::GreaterEqual);
    case Order::Greater: return Value::boolean(here.op == Op::Greater || here.op == Op::GreaterEqual);
    case Order::Unordered: return Value::boolean(false);
    case Order::Incomparable: break;
    }
    return Value::error(Cause::WrongType);
}

Value Evaluation::called(const Node &here)
{
    if (here.function == Function::Unknown)
        return Value::error(Cause::UnknownFunction);
    std::array<Value, 2> arguments; // no function takes more, with its receiver
    for (qint32 i = 0; i < here.count; ++i) {
        arguments[size_t(i)] = node(m_code->child(here, i));
        if (arguments[size_t(i)].isError())
            return arguments[size_t(i)];
    }
    const re2::RE2 *pattern = here.pattern >= 0 ? m_code->patterns[size_t(here.pattern)].get() : nullptr;
    return call(here.function, std::span(arguments.data(), size_t(here.count)), pattern, m_work);
}

namespace {

bool isContainer(const Value &value)
{
    return value.type() == ValueType::List || value.type() == ValueType::Map;
}

// Gets the next element of a list, or the next key of a map.
bool nextElement(Walk &walk, const Value &container, Value &element)
{
    if (!walk.next(element))
        return false;
    if (container.type() == ValueType::Map)
        walk.skip();
    return true;
}

} // namespace

Value Evaluation::quantified(const Node &here)
{
    const Value range = node(here.a);
    if (range.isError())
        return range;
    if (!isContainer(range))
        return Value::error(Cause::WrongType, here.a);
    Value &element = m_locals[size_t(here.slot)];
    Value fault = Value::null();
    int matches = 0;
    Walk walk(range, m_work);
    while (nextElement(walk, range, element)) {
        Value value = element.isError() ? element : node(here.b);
        if (!value.isError() && value.type() != ValueType::Bool)
            value = Value::error(Cause::WrongType, here.b);
        if (value.isError()) {
            if (here.op == Op::ExistsOne || m_work.spent())
                return value;
            if (!fault.isError())
                fault = value;
        } else if (here.op == Op::All && value.isFalse()) {
            return value;
        } else if (here.op == Op::Exists && value.isTrue()) {
            return value;
        } else {
            matches += value.isTrue() ? 1 : 0;
        }
    }
    if (fault.isError())
        return fault;
    return Value::boolean(here.op == Op::All || (here.op == Op::ExistsOne && matches == 1));
}

Value Evaluation::collected(const Node &here)
{
    const Value range = node(here.a);
    if (range.isError())
        return range;
    if (!isContainer(range))
        return Value::error(Cause::WrongType, here.a);
    Value *results = m_work.values(qsizetype(range.count()));
    if (!results)
        return Value::error(Cause::TooMuchMemory);
    Value &element = m_locals[size_t(here.slot)];
    qsizetype count = 0;
    Walk walk(range, m_work);
    while (nextElement(walk, range, element)) {
        if (element.isError())
            return element;
        if (here.b >= 0) {
            const Value wanted = node(here.b);
            if (wanted.isError())
                return wanted;
            if (wanted.type() != ValueType::Bool)
                return Value::error(Cause::WrongType, here.b);
            if (!wanted.toBool())
                continue;
        }
        results[count] = here.op == Op::Filter ? element : node(here.c);
        if (results[count].isError())
            return results[count];
        ++count;
    }
    return Value::list(results, count);
}

} // namespace junban::cel
