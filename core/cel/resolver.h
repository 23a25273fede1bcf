#pragma once

#include "core/cel/code.h"
#include "core/cel/environment.h"
#include "core/cel/problem.h"

#include <QList>
#include <optional>

namespace junban::cel {

// Looks up the names of a parsed expression, checks types where it can, and folds constants. It changes the code in place.
class Resolver
{
public:
    Resolver(Code &code, const Environment &environment) : m_code(code), m_environment(environment) {}

    void resolve(qint32 root) { visit(root); }
    // The problems of an expression that is to be saved (Mode::Checked). In Mode::Lenient they are errors of the evaluation.
    const QList<Problem> &problems() const { return m_problems; }
    // The places that fail for every job, as a constant that cannot be read or values whose types do not go together.
    const QList<Problem> &hopeless() const { return m_hopeless; }

    // The type that every value of a node has; nothing when it is not known.
    std::optional<ValueType> typeOf(qint32 index) const;
    // Adds problems when the result, or what a Boolean result is put together from, is known to have another type than is wanted.
    void expect(qint32 root, Wanted wanted);

private:
    void visit(qint32 index);
    void visitChain(qint32 index);
    void visitHas(qint32 index);
    void visitMacro(qint32 index);
    void visitCall(qint32 index);
    void visitChildren(qint32 index);
    void fold(qint32 index);
    // Note what fails whatever the variables are.
    void noteFailure(const Node &node, Cause cause);
    void checkDivisor(const Node &node);
    void checkTypes(qint32 index);
    void checkResult(const Node &node, const QList<qint32> &operands);
    void checkIndex(const Node &node);
    void checkOrder(const Node &node);
    void checkZone(const Node &node);
    void expectBoolean(qint32 index);
    bool isConstant(qint32 index) const;
    // Whether an operand has one of these types, as far as its type is known.
    bool mayBe(qint32 index, std::initializer_list<ValueType> types) const;
    // Whether an operand is a variable, or a part of one: job.argument.x["y"][0].
    bool isPath(qint32 index) const;
    void noteHopeless(const Node &at, Reason reason);

    const Variable *variableNamed(QByteArrayView name) const;
    // The dotted name that a chain of selections spells, and the name it begins with; empty when it is not one.
    QByteArray chainName(qint32 index, QByteArray *root = nullptr) const;
    qint32 localNamed(const QByteArray &name) const;
    void complain(const Node &at, Reason reason);
    Reason unknownName(const QByteArray &name, const QByteArray &whole) const;

    Code &m_code;
    const Environment &m_environment;
    QList<QByteArray> m_locals; // of the macros around, outermost first
    QList<Problem> m_problems, m_hopeless;
};

} // namespace junban::cel
