#include "core/limits/tiefields.h"

#include "core/base/text.h"
#include "core/cel/containers.h"
#include "core/cel/times.h"
#include "core/limits.h"
#include "core/msgpack/msgpackwriter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace junban {

using cel::JobVariable;
using cel::Op;
using cel::Value;
using cel::ValueType;

namespace {

constexpr int foldings_max = 2'000;  // nested macros over constants multiply
constexpr int at_max = 16;         // of an element that is named by its index
constexpr qint64 size_max = 256;   // of a value that is made as long as an expression demands
constexpr int pattern_text_max = 64;

void pack(const Value &value, MsgpackWriter &into)
{
    switch (value.type()) {
    case ValueType::Bool: into.boolean(value.toBool()); return;
    case ValueType::Int: into.integer(value.toInt()); return;
    case ValueType::UInt: into.unsignedInteger(value.toUInt()); return;
    case ValueType::Double: into.real(value.toDouble()); return;
    case ValueType::String: into.text(value.view()); return;
    case ValueType::Bytes: into.binary(value.view()); return;
    case ValueType::Timestamp: into.text(cel::times::timestampText(value)); return;
    case ValueType::Duration: into.text(cel::times::durationText(value)); return;
    case ValueType::List:
    case ValueType::Map: {
        const bool isMap = value.type() == ValueType::Map;
        if (isMap)
            into.map(value.count());
        else
            into.array(value.count());
        cel::Work work;
        cel::Walk walk(value, work);
        for (Value element; walk.next(element);)
            pack(element, into);
        return;
    }
    default: into.nil(); return;
    }
}

QByteArray packed(const Value &value)
{
    MsgpackWriter writer;
    pack(value, writer);
    return writer.take();
}

QByteArray arrayOf(const QList<QByteArray> &elements)
{
    MsgpackWriter writer;
    writer.array(elements.size());
    for (const QByteArray &element : elements)
        writer.raw(element);
    return writer.take();
}

void add(QList<TieChoice> &choices, TieChoice choice)
{
    if (!choices.contains(choice))
        choices.append(std::move(choice));
}

void addValue(QList<TieChoice> &choices, const Value &value)
{
    add(choices, {TieChoice::Kind::Value, packed(value)});
}

// The numbers among them, one less, one more, and what is between two neighbours.
QList<double> numbersNear(const QList<Value> &constants)
{
    QList<double> sorted;
    for (const Value &value : constants) {
        if (value.isNumber() && std::isfinite(value.asDouble()) && !sorted.contains(value.asDouble()))
            sorted.append(value.asDouble());
    }
    std::sort(sorted.begin(), sorted.end());
    QList<double> result = sorted;
    for (qsizetype i = 0; i < sorted.size(); ++i) {
        result.append(sorted[i] - 1);
        result.append(sorted[i] + 1);
        if (i > 0 && sorted[i] - sorted[i - 1] <= 1)
            result.append(sorted[i - 1] + (sorted[i] - sorted[i - 1]) / 2);
    }
    return result;
}

QList<QByteArray> textsAmong(const QList<Value> &constants)
{
    QList<QByteArray> texts;
    for (const Value &value : constants) {
        const QByteArray text = value.type() == ValueType::String ? value.view().toByteArray() : QByteArray();
        if (!text.isEmpty() && !texts.contains(text))
            texts.append(text);
    }
    return texts;
}

// None, one and two of them, and all but those: every subset of up to five.
QList<QList<QByteArray>> subsets(const QList<QByteArray> &all)
{
    QList<QList<QByteArray>> result;
    const auto split = [&](qsizetype a, qsizetype b) {
        QList<QByteArray> some;
        QList<QByteArray> others;
        for (qsizetype i = 0; i < all.size(); ++i)
            (i == a || i == b ? some : others).append(all[i]);
        for (const QList<QByteArray> &part : {some, others}) {
            if (!result.contains(part))
                result.append(part);
        }
    };
    split(-1, -1);
    for (qsizetype a = 0; a < all.size(); ++a) {
        for (qsizetype b = a; b < all.size(); ++b)
            split(a, b);
    }
    return result;
}

// A value and its neighbours.
void addNear(QList<TieChoice> &choices, const Value &value)
{
    addValue(choices, value);
    switch (value.type()) {
    case ValueType::Bool: addValue(choices, Value::boolean(!value.toBool())); break;
    case ValueType::Int:
        if (value.toInt() > std::numeric_limits<qint64>::min())
            addValue(choices, Value::integer(value.toInt() - 1));
        if (value.toInt() < std::numeric_limits<qint64>::max())
            addValue(choices, Value::integer(value.toInt() + 1));
        break;
    case ValueType::UInt:
        if (value.toUInt() > 0)
            addValue(choices, Value::unsignedInteger(value.toUInt() - 1));
        if (value.toUInt() < std::numeric_limits<quint64>::max())
            addValue(choices, Value::unsignedInteger(value.toUInt() + 1));
        break;
    case ValueType::String: {
        const QByteArray longer = value.view().toByteArray() + 'a';
        addValue(choices, Value::string(longer));
        addValue(choices, Value::string({}));
        break;
    }
    case ValueType::Timestamp:
        for (const qint64 second : {-1, 1}) {
            if (const auto time = cel::times::timestampAt(value.seconds() + second, value.nanoseconds()))
                addValue(choices, *time);
        }
        break;
    case ValueType::Duration:
        for (const qint64 second : {-1'000'000'000, 1'000'000'000}) {
            qint64 nanoseconds = 0;
            if (!qAddOverflow(value.durationNanoseconds(), second, &nanoseconds))
                addValue(choices, Value::duration(nanoseconds));
        }
        break;
    default: break;
    }
}

} // namespace

TieFields::TieFields() : m_ranges(limits::matcher_depth_max, -1)
{
    for (int variable = 0; variable <= int(JobVariable::Pusher); ++variable) {
        TieField field;
        field.variable = JobVariable(variable);
        m_fields.append(field);
    }
}

void TieFields::read(const cel::Code &code)
{
    m_visits = 0;
    relate(code, code.root);
}

QList<int> TieFields::mentioned(const cel::Code &code, qint32 node)
{
    m_visits = 0;
    Atom atom;
    gather(code, node, atom, false);
    return atom.fields;
}

// Every operand of && and ||, in macros too, by itself: its constants belong to its fields only.
void TieFields::relate(const cel::Code &code, qint32 index)
{
    const cel::Node &node = code.node(index);
    switch (node.op) {
    case Op::And:
    case Op::Or:
        for (qint32 i = 0; i < node.count; ++i)
            relate(code, code.child(node, i));
        return;
    case Op::Not: relate(code, node.a); return;
    case Op::Conditional:
        for (const qint32 part : {node.a, node.b, node.c})
            relate(code, part);
        return;
    case Op::All:
    case Op::Exists:
    case Op::ExistsOne:
        if (fieldAt(code, node.a) < 0) {
            Atom range;
            gather(code, node.a, range, false);
            assign(range);
        }
        m_ranges[node.slot] = node.a;
        relate(code, node.b);
        return;
    default: break;
    }
    Atom atom;
    gather(code, index, atom, false);
    assign(atom);
}

void TieFields::gather(const cel::Code &code, qint32 index, Atom &atom, bool sized)
{
    const cel::Node &node = code.node(index);
    const auto note = [&](int found) {
        if (!atom.fields.contains(found))
            atom.fields.append(found);
    };
    if (++m_visits > foldings_max)
        return;
    if (node.op == Op::Constant) {
        addConstant(node.constant, atom);
        return;
    }
    const int field = fieldAt(code, index);
    if (field >= 0) {
        note(field);
        if (sized)
            atom.sized.append(field);
        return;
    }
    const bool isMacro = node.op >= Op::All && node.op <= Op::Filter;
    const bool isSize = node.op == Op::Call && node.function == cel::Function::Size;
    if (node.op == Op::Local)
        gather(code, m_ranges[node.slot], atom, sized); // a list of constants, perhaps
    if (node.a >= 0)
        gather(code, node.a, atom, false);
    if (isMacro)
        m_ranges[node.slot] = node.a;
    for (const qint32 part : {node.b, node.c}) {
        if (part >= 0)
            gather(code, part, atom, false);
    }
    for (qint32 i = 0; i < node.count; ++i)
        gather(code, code.child(node, i), atom, isSize);
    const int container = node.op == Op::In ? fieldAt(code, node.b) : -1;
    if (container >= 0 && m_fields[container].variable == JobVariable::Argument) {
        // An element of a list, or a key of a map.
        note(below(container, {}, 0));
        const cel::Node &element = code.node(node.a);
        if (element.op == Op::Constant && element.constant.type() == ValueType::String)
            note(below(container, element.constant.view().toByteArray(), -1));
    }
    if (node.op == Op::Call && node.pattern >= 0) {
        // The first text in order that the pattern matches whole; where the pattern is cut short, at least its beginning.
        std::string first;
        std::string last;
        const bool known = code.patterns[size_t(node.pattern)]->PossibleMatchRange(&first, &last, pattern_text_max);
        if (known && QByteArrayView(first).isValidUtf8()) {
            m_texts.push_back(QByteArray::fromStdString(first));
            addConstant(Value::string(m_texts.back()), atom);
        }
    }
}

void TieFields::addConstant(const Value &value, Atom &atom)
{
    atom.constants.append(value);
    if (value.type() != ValueType::List && value.type() != ValueType::Map)
        return;
    cel::Work work;
    cel::Walk walk(value, work);
    for (Value element; walk.next(element);)
        atom.constants.append(element);
}

void TieFields::assign(const Atom &atom)
{
    const bool vague = std::any_of(atom.constants.begin(), atom.constants.end(),
        [](const Value &value) { return value.type() == ValueType::Null || value.type() == ValueType::Type; });
    for (const int index : atom.fields) {
        TieField &field = m_fields[index];
        if (atom.sized.contains(index)) {
            for (const Value &value : atom.constants) {
                if (value.isNumber() && std::abs(value.asDouble()) <= size_max)
                    field.sizes.append(qint64(value.asDouble()));
            }
            continue;
        }
        field.constants += atom.constants;
        field.open = field.open || vague || atom.constants.isEmpty();
    }
    if (atom.fields.size() > 1 && atom.constants.isEmpty())
        m_links.append(atom.fields);
}

// The field that a path is, made when it is not there yet: job.argument.x, job.argument["x"], job.argument[0], and what a macro goes over.
// Or −1.
int TieFields::fieldAt(const cel::Code &code, qint32 index)
{
    const cel::Node &node = code.node(index);
    switch (node.op) {
    case Op::Variable:
    case Op::HasVariable: return node.slot <= qint32(JobVariable::Pusher) ? node.slot : -1;
    case Op::Local: {
        const int range = fieldAt(code, m_ranges[node.slot]);
        return range < 0 ? -1 : below(range, {}, 0);
    }
    case Op::Select:
    case Op::Has: {
        const int parent = fieldAt(code, node.a);
        return parent < 0 ? -1 : below(parent, node.text, -1);
    }
    case Op::Index: {
        const cel::Node &key = code.node(node.b);
        const int parent = key.op == Op::Constant ? fieldAt(code, node.a) : -1;
        if (parent >= 0 && key.constant.type() == ValueType::String)
            return below(parent, key.constant.view().toByteArray(), -1);
        if (parent >= 0 && key.constant.type() == ValueType::Int && key.constant.toInt() >= 0 && key.constant.toInt() < at_max)
            return below(parent, {}, int(key.constant.toInt()));
        return -1;
    }
    case Op::Call: return node.function == cel::Function::Dyn ? fieldAt(code, code.child(node, 0)) : -1;
    default: return -1;
    }
}

int TieFields::below(int parent, const QByteArray &key, int at)
{
    if (m_fields[parent].variable != JobVariable::Argument)
        return parent;
    for (const int child : std::as_const(m_fields[parent].children)) {
        if (m_fields[child].at == at && m_fields[child].key == key)
            return child;
    }
    TieField field;
    field.variable = JobVariable::Argument;
    field.parent = parent;
    field.key = key;
    field.at = at;
    m_fields.append(field);
    m_fields[parent].children.append(int(m_fields.size()) - 1);
    return int(m_fields.size()) - 1;
}

void TieFields::choose(const cel::NameSet &names)
{
    for (const QList<int> &link : std::as_const(m_links)) {
        QList<Value> constants;
        for (const int index : link)
            constants += m_fields[index].constants;
        for (const int index : link)
            m_fields[index].constants = constants;
    }
    chooseName(names);
    for (int index = 0; index < m_fields.size(); ++index) {
        if (m_fields[index].variable == JobVariable::Argument)
            chooseArgument(index);
    }
    using Priority = std::numeric_limits<qint32>;
    chooseNumber(JobVariable::Priority, 1, Priority::min(), Priority::max(), limits::priority_default);
    chooseNumber(JobVariable::MaxRetry, 1, 0, limits::max_retry_max, limits::max_retry_default);
    chooseNumber(JobVariable::Timeout, 1000, limits::timeout_s_min, limits::timeout_s_max, limits::timeout_s_default);
    for (const double keep : {0., 1.})
        add(m_fields[int(JobVariable::KeepResult)].choices, {TieChoice::Kind::Value, {}, {}, keep});
    chooseTags();
    TieField &pusher = m_fields[int(JobVariable::Pusher)];
    add(pusher.choices, {TieChoice::Kind::Value, {}});
    for (const QByteArray &text : textsAmong(pusher.constants)) {
        add(pusher.choices, {TieChoice::Kind::Value, text});
        add(pusher.choices, {TieChoice::Kind::Value, text + 'a'});
    }
}

void TieFields::chooseName(const cel::NameSet &names)
{
    TieField &field = m_fields[int(JobVariable::Name)];
    const QList<QByteArray> texts = textsAmong(field.constants);
    const auto offer = [&](const QByteArray &name) {
        if (names.contains(name) && isPlainText(name, limits::name_bytes_max) && field.choices.size() < 2 * limits::matcher_names_max)
            add(field.choices, {TieChoice::Kind::Value, name});
    };
    for (const QByteArray &name : names.names() + names.prefixes() + QList<QByteArray>{"example"} + texts)
        offer(name);
    for (const QByteArray &prefix : names.prefixes() + texts) {
        offer(prefix + 'a');
        for (const QByteArray &text : texts)
            offer(prefix + text);
    }
}

void TieFields::chooseArgument(int index)
{
    TieField &field = m_fields[index];
    QList<TieChoice> &choices = field.choices;
    QList<QByteArray> elements; // what stands in a list, each packed
    for (const int child : std::as_const(field.children)) {
        add(choices, {m_fields[child].at < 0 ? TieChoice::Kind::Map : TieChoice::Kind::List});
        for (const Value &value : std::as_const(m_fields[child].constants)) {
            const QByteArray element = packed(value);
            if (m_fields[child].at >= 0 && !elements.contains(element) && elements.size() < limits::tags_max)
                elements.append(element);
        }
    }
    for (const Value &value : std::as_const(field.constants))
        addNear(choices, value);
    for (const double number : numbersNear(field.constants)) {
        if (number != std::floor(number))
            addValue(choices, Value::real(number));
    }
    if (field.open) {
        for (const Value &value : {Value::boolean(true), Value::integer(1), Value::string("a"), Value::null()})
            addNear(choices, value);
        add(choices, {TieChoice::Kind::Value, arrayOf({})});
        add(choices, {TieChoice::Kind::Value, MsgpackWriter().map(0).take()});
    }
    for (const qint64 size : std::as_const(field.sizes)) {
        for (qint64 count = std::max<qint64>(size - 1, 0); count <= size + 1; ++count) {
            const QByteArray letters(count, 'a');
            addValue(choices, Value::string(letters));
            add(choices, {TieChoice::Kind::Value, arrayOf(QList<QByteArray>(count, packed(Value::null())))});
        }
    }
    for (const QList<QByteArray> &some : subsets(elements)) {
        if (some.size() > 1)
            add(choices, {TieChoice::Kind::Value, arrayOf(some)});
    }
    add(choices, {TieChoice::Kind::Absent});
}

void TieFields::chooseNumber(JobVariable variable, double factor, double min, double max, double usual)
{
    TieField &field = m_fields[int(variable)];
    add(field.choices, {TieChoice::Kind::Value, {}, {}, usual * factor});
    for (const double number : numbersNear(field.constants)) {
        for (const double whole : {std::floor(number * factor), std::ceil(number * factor)}) {
            if (whole >= min * factor && whole <= max * factor)
                add(field.choices, {TieChoice::Kind::Value, {}, {}, whole});
        }
    }
}

void TieFields::chooseTags()
{
    TieField &field = m_fields[int(JobVariable::Tags)];
    QList<QByteArray> tags;
    for (const QByteArray &text : textsAmong(field.constants)) {
        if (isPlainText(text, limits::name_bytes_max) && tags.size() < limits::tags_max)
            tags.append(text);
    }
    for (const QList<QByteArray> &some : subsets(tags))
        add(field.choices, {TieChoice::Kind::Value, {}, some});
    for (const qint64 size : std::as_const(field.sizes)) {
        for (qint64 count = std::max<qint64>(size - 1, 0); count <= std::min<qint64>(size + 1, limits::tags_max); ++count) {
            QList<QByteArray> some = tags.first(std::min(qsizetype(count), tags.size()));
            while (some.size() < count)
                some.append("tag" + QByteArray::number(some.size() + 1));
            add(field.choices, {TieChoice::Kind::Value, {}, some});
        }
    }
    for (const QByteArray &tag : std::as_const(tags))
        add(field.choices, {TieChoice::Kind::Value, {}, {tag + 'a'}});
}

} // namespace junban
