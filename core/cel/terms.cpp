#include "core/cel/terms.h"

#include "core/base/reasons/cel.h"
#include "core/base/text.h"
#include "core/cel/times.h"

#include <algorithm>

namespace junban::cel {

namespace {

// A value as text for people. Of a list or a map only the size is shown: its text may be as long as the argument.
QByteArray valueText(const Value &value)
{
    switch (value.type()) {
    case ValueType::Null: return "null";
    case ValueType::Bool: return value.toBool() ? "true" : "false";
    case ValueType::Int: return QByteArray::number(value.toInt());
    case ValueType::UInt: return QByteArray::number(value.toUInt());
    case ValueType::Double: return QByteArray::number(value.toDouble(), 'g', 17);
    case ValueType::String: return shown(value.view(), limits::preview_read_bytes_max);
    case ValueType::Bytes: return QByteArray::number(value.view().size()) + " bytes";
    case ValueType::List: return QByteArray::number(value.count()) + " elements";
    case ValueType::Map: return QByteArray::number(value.count()) + " fields";
    case ValueType::Timestamp: return times::timestampText(value);
    case ValueType::Duration: return times::durationText(value);
    case ValueType::Type: return typeName(value.denoted());
    case ValueType::Error: break;
    }
    return {};
}

class Judge
{
public:
    Judge(const Program &program, const Bindings &bindings, Evaluation &evaluation)
        : m_program(program)
        , m_code(program.code())
        , m_bindings(bindings)
        , m_evaluation(evaluation)
    {
    }

    Terms terms()
    {
        collect(m_code.root);
        return std::move(m_terms);
    }

private:
    // The recursion is as deep as brackets are nested, which the parser bounds.
    void collect(qint32 index)
    {
        const Node &node = m_code.node(index);
        if (node.op == Op::And || node.op == Op::Or) {
            for (qint32 i = 0; i < node.count; ++i)
                collect(m_code.child(node, i));
        } else if (m_terms.terms.size() < limits::preview_terms_max && m_steps < limits::preview_steps_max) {
            m_terms.terms.append(judged(index));
        } else {
            m_terms.complete = false;
        }
    }

    Value evaluate(qint32 index)
    {
        const Value value = m_evaluation.evaluate(m_code, index, m_bindings);
        m_steps += m_evaluation.stepsUsed() + 1;
        return value;
    }

    Term judged(qint32 index)
    {
        const Node &node = m_code.node(index);
        Term term;
        term.place = problemAt(m_code.text, node.offset, node.length, {});
        term.text = m_code.text.mid(node.offset, node.length);
        const Value value = evaluate(index);
        if (value.isError())
            term.place.reason = m_program.explain(value).reason;
        else if (value.type() != ValueType::Bool)
            term.place.reason = reasons::evaluationNotBoolean(typeName(value.type()));
        term.holds = value.isTrue();
        read(index, -1, term.reads);
        return term;
    }

    // job.argument.x, job.argument["x"], job.argument[0].
    bool isPath(qint32 index) const
    {
        const Node *node = &m_code.node(index);
        while (node->op == Op::Select || node->op == Op::Index)
            node = &m_code.node(node->a);
        return node->op == Op::Variable;
    }

    static bool isComparison(Op op) { return op >= Op::Equal && op <= Op::GreaterEqual; }
    static bool isMacro(Op op) { return op >= Op::All && op <= Op::Filter; }

    // The paths below a node, each once. `other` is what the node is compared with, or −1. The body of a macro is left out: its parts have
    // another value for each element.
    void read(qint32 index, qint32 other, QList<TermRead> &reads)
    {
        const Node &node = m_code.node(index);
        if (isPath(index)) {
            note(node, index, other, reads);
            return;
        }
        const bool compares = isComparison(node.op);
        if (node.a >= 0 && node.op != Op::Has)
            read(node.a, compares ? node.b : -1, reads);
        if (node.b >= 0 && !isMacro(node.op))
            read(node.b, compares ? node.a : -1, reads);
        if (node.c >= 0 && !isMacro(node.op))
            read(node.c, -1, reads);
        for (qint32 i = 0; i < node.count; ++i)
            read(m_code.child(node, i), -1, reads);
    }

    void note(const Node &node, qint32 index, qint32 other, QList<TermRead> &reads)
    {
        const QByteArray text = m_code.text.mid(node.offset, node.length);
        const auto same = [&](const TermRead &read) { return read.text == text; };
        if (reads.size() >= limits::preview_reads_max || std::any_of(reads.begin(), reads.end(), same)
            || m_steps >= limits::preview_steps_max)
            return;
        const Value value = evaluate(index);
        if (value.isError())
            return; // the term says why
        TermRead read{text, typeName(value.type()), valueText(value), {}};
        const bool isNumber = value.isNumber();
        if (other >= 0) {
            const Value against = evaluate(other);
            if (!against.isError() && typeName(against.type()) != read.type && !(isNumber && against.isNumber()))
                read.expected = typeName(against.type());
        }
        reads.append(read);
    }

    const Program &m_program;
    const Code &m_code;
    const Bindings &m_bindings;
    Evaluation &m_evaluation;
    Terms m_terms;
    qint64 m_steps = 0;
};

} // namespace

Terms judgeTerms(const Program &program, const Bindings &bindings, Evaluation &evaluation)
{
    return Judge(program, bindings, evaluation).terms();
}

} // namespace junban::cel
