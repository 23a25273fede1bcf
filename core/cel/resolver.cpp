#include "core/cel/resolver.h"

#include "core/base/reasons/cel.h"
#include "core/calendar/timezone.h"
#include "core/calendar/zonelinks.h"
#include "core/cel/evaluation.h"
#include "core/cel/times.h"

#include <algorithm>

namespace junban::cel {

namespace {

// For evaluating constants, which have no variables.
class NoBindings : public Bindings
{
public:
    Value variable(qint32) const override { return Value::error(Cause::UnboundVariable); }
};

std::optional<ValueType> denotation(QByteArrayView name)
{
    for (int type = int(ValueType::Null); type <= int(ValueType::Type); ++type) {
        if (name == QByteArrayView(typeName(ValueType(type))))
            return ValueType(type);
    }
    return {};
}

// The name that a function of another language has here; empty when none is known.
QByteArray suggestion(const QByteArray &name)
{
    static constexpr const char *others[][2] = {{"length", "size"}, {"len", "size"}, {"count", "size"}, {"includes", "contains"},
        {"match", "matches"}, {"regex", "matches"}, {"any", "exists"}, {"some", "exists"}, {"every", "all"}, {"float", "double"},
        {"str", "string"}, {"hasprefix", "startsWith"}, {"hassuffix", "endsWith"}};
    static constexpr const char *known[] = {"startsWith", "endsWith", "contains", "matches", "size", "exists", "existsOne", "filter",
        "getFullYear", "getMonth", "getDate", "getHours", "getMinutes", "getSeconds", "getDayOfWeek", "timestamp", "duration"};
    const QByteArray lower = name.toLower();
    for (const auto &pair : others) {
        if (lower == pair[0])
            return pair[1];
    }
    for (const char *candidate : known) {
        if (lower == QByteArray(candidate).toLower())
            return candidate;
    }
    return {};
}

} // namespace

const Variable *Resolver::variableNamed(QByteArrayView name) const
{
    for (const Variable &variable : m_environment.variables) {
        if (variable.name == name)
            return &variable;
    }
    return nullptr;
}

QByteArray Resolver::chainName(qint32 index, QByteArray *root) const
{
    const Node &node = m_code.node(index);
    if (node.op == Op::Name) {
        if (root)
            *root = node.rooted ? QByteArray() : node.text;
        return node.text;
    }
    if (node.op != Op::Select || node.quoted)
        return {};
    const QByteArray before = chainName(node.a, root);
    return before.isEmpty() ? QByteArray() : before + '.' + node.text;
}

qint32 Resolver::localNamed(const QByteArray &name) const
{
    return name.isEmpty() ? -1 : qint32(m_locals.lastIndexOf(name)); // the innermost one of that name
}

void Resolver::complain(const Node &at, Reason reason)
{
    if (m_problems.size() < limits::matcher_problems_max)
        m_problems.append(problemAt(m_code.text, at.offset, at.length, std::move(reason)));
}

void Resolver::visit(qint32 index)
{
    switch (m_code.node(index).op) {
    case Op::Constant: return;
    case Op::Name:
    case Op::Select: visitChain(index); break;
    case Op::Has: visitHas(index); break;
    case Op::All:
    case Op::Exists:
    case Op::ExistsOne:
    case Op::Transform:
    case Op::Filter: visitMacro(index); break;
    case Op::Call: visitCall(index); break;
    default: visitChildren(index); break;
    }
    fold(index);
    const Node &node = m_code.node(index);
    if (node.op == Op::Divide || node.op == Op::Remainder)
        checkDivisor(node);
    checkTypes(index);
}

void Resolver::visitChildren(qint32 index)
{
    const Node node = m_code.node(index);
    for (const qint32 child : {node.a, node.b, node.c}) {
        if (child >= 0)
            visit(child);
    }
    for (qint32 i = 0; i < node.count; ++i)
        visit(m_code.child(node, i));
}

void Resolver::visitChain(qint32 index)
{
    Node &node = m_code.node(index);
    QByteArray root;
    const QByteArray name = chainName(index, &root);
    const qint32 local = localNamed(root);
    if (name.isEmpty() || (local >= 0 && node.op == Op::Select)) {
        visit(node.a);
        return;
    }
    if (local >= 0) {
        node.op = Op::Local;
        node.slot = local;
        return;
    }
    // The longest known name wins: this one, or else a part of it.
    if (const Variable *variable = variableNamed(name)) {
        node.op = variable->refusal.isEmpty() ? Op::Variable : Op::Unbound;
        node.slot = variable->slot;
        if (!variable->refusal.isEmpty())
            complain(node, variable->refusal);
    } else if (const auto type = denotation(name)) {
        node.op = Op::Constant;
        node.constant = Value::typeOf(*type);
    } else if (node.op == Op::Select) {
        const qsizetype before = m_problems.size();
        const qint32 below = node.a;
        visit(below);
        // An unknown name is reported once, together with the field that was selected from it.
        if (m_code.node(below).op == Op::Unbound && m_problems.size() > before && m_code.node(below).text == root)
            m_problems.last() = problemAt(m_code.text, node.offset, node.length, unknownName(root, name));
    } else {
        node.op = Op::Unbound;
        complain(node, unknownName(node.text, node.text));
    }
}

Reason Resolver::unknownName(const QByteArray &name, const QByteArray &whole) const
{
    QList<QByteArray> fields;
    for (const Variable &variable : m_environment.variables) {
        if (variable.refusal.isEmpty() && variable.name.startsWith(name + '.'))
            fields.append(variable.name);
        if (variable.name.endsWith('.' + name))
            return reasons::expressionVariableOfJob(name, variable.name);
    }
    if (!fields.isEmpty())
        return reasons::expressionUnknownField(whole, fields);
    if (m_environment.variables.isEmpty())
        return reasons::expressionUnknownVariable(name);
    return reasons::expressionVariableOrText(name);
}

void Resolver::visitHas(qint32 index)
{
    Node &node = m_code.node(index);
    QByteArray root;
    const QByteArray before = chainName(node.a, &root);
    const bool shadowed = before.isEmpty() || node.quoted || localNamed(root) >= 0;
    const Variable *variable = shadowed ? nullptr : variableNamed(before + '.' + node.text);
    if (!variable) {
        visit(node.a);
        return;
    }
    node.op = variable->refusal.isEmpty() ? Op::HasVariable : Op::Unbound;
    node.slot = variable->slot;
    if (!variable->refusal.isEmpty())
        complain(node, variable->refusal);
}

void Resolver::visitMacro(qint32 index)
{
    Node &node = m_code.node(index);
    visit(node.a);
    node.slot = qint32(m_locals.size());
    m_locals.append(node.text);
    m_code.locals = qMax(m_code.locals, qint32(m_locals.size()));
    const qint32 predicate = node.b;
    const qint32 result = node.c;
    if (predicate >= 0)
        visit(predicate);
    if (result >= 0)
        visit(result);
    m_locals.removeLast();
}

void Resolver::visitCall(qint32 index)
{
    visitChildren(index);
    Node &node = m_code.node(index);
    const FunctionRow *row = functionNamed(node.text);
    if (!row) {
        const QByteArray meant = suggestion(node.text);
        complain(node,
            meant.isEmpty() ? reasons::expressionUnknownFunction(node.text) : reasons::expressionMisnamedFunction(node.text, meant));
        return;
    }
    const bool form = node.receiver ? row->receiver : row->global;
    const qint32 given = node.count - (node.receiver || row->receiver ? 1 : 0);
    if (!form) {
        complain(node, node.receiver ? reasons::expressionFunctionForm(node.text) : reasons::expressionMethodForm(node.text));
        return;
    }
    if (given < row->arguments_min || given > row->arguments_max) {
        complain(node, reasons::expressionWrongArguments(node.text));
        return;
    }
    node.function = row->function;
    checkZone(node);
    if (node.function != Function::Matches || m_code.node(m_code.child(node, 1)).op != Op::Constant)
        return;
    const Node &pattern = m_code.node(m_code.child(node, 1));
    if (pattern.constant.type() != ValueType::String)
        return;
    auto compiled = compilePattern(pattern.constant.view(), limits::matcher_pattern_memory_bytes_max);
    if (!compiled) {
        complain(pattern, causeReason(Cause::BadPattern));
        return;
    }
    node.pattern = qint32(m_code.patterns.size());
    m_code.patterns.push_back(std::move(compiled));
}

void Resolver::noteFailure(const Node &node, Cause cause)
{
    // These are problems already.
    if (cause == Cause::BadPattern || cause == Cause::UnknownFunction || cause == Cause::UnboundVariable || cause == Cause::BadTimeZone)
        return;
    Reason reason = causeReason(cause);
    if (cause == Cause::BadConversion && node.function == Function::Duration)
        reason = reasons::expressionNoDuration();
    else if (cause == Cause::BadConversion && node.function == Function::Timestamp)
        reason = reasons::expressionNoTime();
    noteHopeless(node, std::move(reason));
}

void Resolver::noteHopeless(const Node &at, Reason reason)
{
    if (m_hopeless.size() < limits::matcher_problems_max)
        m_hopeless.append(problemAt(m_code.text, at.offset, at.length, std::move(reason)));
}

void Resolver::checkDivisor(const Node &node)
{
    const Node &divisor = m_code.node(node.b);
    if (divisor.op != Op::Constant || m_code.node(node.a).op == Op::Constant) // what is constant altogether was noted by fold()
        return;
    const Value &by = divisor.constant;
    if ((by.type() == ValueType::Int && by.toInt() == 0) || (by.type() == ValueType::UInt && by.toUInt() == 0))
        noteFailure(node, Cause::DivisionByZero);
}

// A zone that is written in the expression. One that looks like a real zone may have been known to the machine that saved the expression,
// so that its loss is told of an expression that was kept, too.
void Resolver::checkZone(const Node &node)
{
    const bool isPart = node.function >= Function::GetDate && node.function <= Function::GetSeconds;
    const bool named = isPart && node.count == 2 && m_code.node(m_code.child(node, 1)).op == Op::Constant;
    const Node *zone = named ? &m_code.node(m_code.child(node, 1)) : nullptr;
    if (!zone || zone->constant.type() != ValueType::String || times::zoneOffset_s(zone->constant.view(), 0))
        return;
    const QByteArrayView name = zone->constant.view();
    const bool wasKnown = TimeZone::looksNamed(name) && (name.contains('/') || !linkedZone(name).isEmpty());
    if (wasKnown)
        complain(*zone, TimeZone::lost(name).reason);
    else
        noteHopeless(*zone, causeReason(Cause::BadTimeZone));
}

namespace {

bool isNumber(ValueType type)
{
    return type == ValueType::Int || type == ValueType::UInt || type == ValueType::Double;
}

// Some value of a type; nothing for types whose values differ too much.
std::optional<Value> sampleOf(std::optional<ValueType> type)
{
    if (!type)
        return {};
    switch (*type) {
    case ValueType::Bool: return Value::boolean(true);
    case ValueType::Int: return Value::integer(1);
    case ValueType::UInt: return Value::unsignedInteger(1);
    case ValueType::Double: return Value::real(1);
    case ValueType::String: return Value::string("1");
    case ValueType::Bytes: return Value::bytes("1");
    case ValueType::Timestamp: return Value::timestamp(0, 0);
    case ValueType::Duration: return Value::duration(1);
    default: return {};
    }
}

} // namespace

// Notes an operation or a function that has no value for the types of its operands, whatever they are.
void Resolver::checkTypes(qint32 index)
{
    const Node &node = m_code.node(index);
    const bool isMacro = node.op >= Op::All && node.op <= Op::Filter;
    const bool wasFolded = !isMacro && isConstant(node.a) && isConstant(node.b) && isConstant(node.c);
    const auto operandIs = [&](qint32 operand, std::initializer_list<ValueType> types) {
        if (!wasFolded && !mayBe(operand, types))
            noteFailure(node, Cause::WrongType);
    };
    switch (node.op) {
    case Op::Add:
    case Op::Subtract:
    case Op::Multiply:
    case Op::Divide:
    case Op::Remainder: return checkResult(node, {node.a, node.b});
    case Op::Call: {
        QList<qint32> operands;
        for (qint32 i = 0; i < node.count; ++i)
            operands.append(m_code.child(node, i));
        return checkResult(node, operands);
    }
    case Op::Less:
    case Op::LessEqual:
    case Op::Greater:
    case Op::GreaterEqual: return checkOrder(node);
    case Op::Index: return checkIndex(node);
    case Op::Negate: return operandIs(node.a, {ValueType::Int, ValueType::Double});
    case Op::Select:
    case Op::Has: return operandIs(node.a, {ValueType::Map});
    case Op::In: return operandIs(node.b, {ValueType::List, ValueType::Map});
    case Op::All:
    case Op::Exists:
    case Op::ExistsOne:
    case Op::Transform:
    case Op::Filter: return operandIs(node.a, {ValueType::List, ValueType::Map});
    default: return;
    }
}

void Resolver::checkResult(const Node &node, const QList<qint32> &operands)
{
    QList<Value> samples;
    for (const qint32 operand : operands) {
        const std::optional<Value> sample = sampleOf(typeOf(operand));
        if (!sample)
            return;
        samples.append(*sample);
    }
    const bool constant = std::all_of(operands.cbegin(), operands.cend(), [this](qint32 operand) { return isConstant(operand); });
    if (constant || (node.op == Op::Call && node.function == Function::Unknown)) // fold() has tried it, or it is a problem already
        return;
    Work work;
    const Value tried = node.op == Op::Call ? call(node.function, {samples.constData(), size_t(samples.size())}, nullptr, work)
                                            : arithmetic(node.op, samples[0], samples[1], work);
    if (tried.isError() && tried.cause() == Cause::WrongType)
        noteFailure(node, Cause::WrongType);
}

// Lists have elements from 0 on, and the maps of a job's argument have texts as keys; a map that is written here may have others.
void Resolver::checkIndex(const Node &node)
{
    if (isConstant(node.a) && isConstant(node.b)) // fold() has tried it
        return;
    const bool ofJob = isPath(node.a) || typeOf(node.a) == ValueType::List;
    if (!mayBe(node.a, {ValueType::List, ValueType::Map})
        || !mayBe(node.b, {ValueType::Int, ValueType::UInt, ValueType::Double, ValueType::String, ValueType::Bool})
        || (ofJob && typeOf(node.b) == ValueType::Bool)
        || (typeOf(node.a) == ValueType::List && typeOf(node.b) == ValueType::String))
        return noteFailure(node, Cause::WrongType);
    const Value &index = m_code.node(node.b).constant;
    if (!ofJob || !isConstant(node.b) || !index.isNumber())
        return;
    const double at = index.type() == ValueType::Double ? index.toDouble()
        : index.type() == ValueType::Int                ? double(index.toInt())
                                                        : double(index.toUInt());
    if (!(at >= 0 && at < double(limits::argument_bytes_hard_max))) // an element takes a byte or more
        noteFailure(node, Cause::IndexOutOfRange);
    else if (at != double(qint64(at)))
        noteFailure(node, Cause::WrongType);
}

void Resolver::checkOrder(const Node &node)
{
    if (isConstant(node.a) && isConstant(node.b)) // fold() has tried it
        return;
    const auto first = typeOf(node.a), second = typeOf(node.b);
    for (const auto &type : {first, second}) {
        if (type == ValueType::Null || type == ValueType::List || type == ValueType::Map || type == ValueType::Type)
            return noteHopeless(node, reasons::expressionUnordered(typeName(*type)));
    }
    if (first && second && *first != *second && !(isNumber(*first) && isNumber(*second)))
        noteHopeless(node, reasons::expressionNoOrder(typeName(*first), typeName(*second)));
}

bool Resolver::mayBe(qint32 index, std::initializer_list<ValueType> types) const
{
    const auto type = typeOf(index);
    return !type || std::find(types.begin(), types.end(), *type) != types.end();
}

bool Resolver::isPath(qint32 index) const
{
    const Node *node = &m_code.node(index);
    while (node->op == Op::Select || node->op == Op::Index)
        node = &m_code.node(node->a);
    return node->op == Op::Variable;
}

bool Resolver::isConstant(qint32 index) const
{
    return index < 0 || m_code.node(index).op == Op::Constant;
}

// Replaces a node that depends on constants only by its value. When that is an error the node is kept, and fails when it is evaluated.
void Resolver::fold(qint32 index)
{
    Node &node = m_code.node(index);
    switch (node.op) {
    case Op::Constant:
    case Op::Name:
    case Op::Variable:
    case Op::Local:
    case Op::Unbound:
    case Op::HasVariable:
    case Op::All:
    case Op::Exists:
    case Op::ExistsOne:
    case Op::Transform:
    case Op::Filter: return;
    default: break;
    }
    bool constant = isConstant(node.a) && isConstant(node.b) && isConstant(node.c);
    for (qint32 i = 0; i < node.count && constant; ++i)
        constant = isConstant(m_code.child(node, i));
    if (!constant)
        return;
    Evaluation evaluation;
    const Value value = evaluation.evaluate(m_code, index, NoBindings());
    if (value.isError()) {
        noteFailure(node, value.cause());
        return;
    }
    node.constant = m_code.keep(value);
    node.op = Op::Constant;
}

std::optional<ValueType> Resolver::typeOf(qint32 index) const
{
    const Node &node = m_code.node(index);
    switch (node.op) {
    case Op::Constant: return node.constant.type();
    case Op::Variable:
        for (const Variable &variable : m_environment.variables) {
            if (variable.slot == node.slot)
                return variable.type;
        }
        return {};
    case Op::Has:
    case Op::HasVariable:
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::Equal:
    case Op::NotEqual:
    case Op::Less:
    case Op::LessEqual:
    case Op::Greater:
    case Op::GreaterEqual:
    case Op::In:
    case Op::All:
    case Op::Exists:
    case Op::ExistsOne: return ValueType::Bool;
    case Op::List:
    case Op::Transform:
    case Op::Filter: return ValueType::List;
    case Op::Map: return ValueType::Map;
    case Op::Conditional: {
        const auto first = typeOf(node.b);
        return first == typeOf(node.c) ? first : std::nullopt;
    }
    case Op::Add:
    case Op::Subtract:
    case Op::Multiply:
    case Op::Divide:
    case Op::Remainder: {
        const auto first = typeOf(node.a);
        const auto second = typeOf(node.b);
        return first == second ? first : std::nullopt;
    }
    case Op::Call: break;
    default: return {};
    }
    switch (node.function) {
    case Function::Unknown:
    case Function::Dyn: return {};
    case Function::Bool:
    case Function::Contains:
    case Function::StartsWith:
    case Function::EndsWith:
    case Function::Matches: return ValueType::Bool;
    case Function::Double: return ValueType::Double;
    case Function::UInt: return ValueType::UInt;
    case Function::String: return ValueType::String;
    case Function::Bytes: return ValueType::Bytes;
    case Function::Type: return ValueType::Type;
    case Function::Timestamp: return ValueType::Timestamp;
    case Function::Duration: return ValueType::Duration;
    default: return ValueType::Int; // the parts of a time, int() and size()
    }
}

void Resolver::expect(qint32 root, Wanted wanted)
{
    const auto type = typeOf(root);
    if (wanted == Wanted::Boolean)
        expectBoolean(root);
    else if (wanted == Wanted::Number && type && !isNumber(*type))
        complain(m_code.node(root), reasons::expressionNotNumber(typeName(*type)));
}

void Resolver::expectBoolean(qint32 index)
{
    const Node &node = m_code.node(index);
    switch (node.op) {
    case Op::And:
    case Op::Or:
        for (qint32 i = 0; i < node.count; ++i)
            expectBoolean(m_code.child(node, i));
        return;
    case Op::Not: return expectBoolean(node.a);
    case Op::Conditional:
        for (const qint32 part : {node.a, node.b, node.c})
            expectBoolean(part);
        return;
    default: break;
    }
    if (const auto type = typeOf(index); type && *type != ValueType::Bool)
        complain(node, reasons::expressionNotBoolean(typeName(*type)));
}

} // namespace junban::cel
