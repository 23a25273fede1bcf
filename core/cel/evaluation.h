#pragma once

#include "core/cel/code.h"
#include "core/cel/program.h"
#include "core/cel/work.h"

#include <array>
#include <span>

namespace junban::cel {

// Evaluates programs one after another. Keep an instance for several evaluations: it has several KiB of memory of its own. One thread at a
// time. An evaluation that fails gives a value of type Error; Program::explain says where and why.
class Evaluation
{
public:
    // The value is valid until the next evaluation of this instance, and as long as the program and the bindings live.
    Value evaluate(const Program &program, const Bindings &bindings) { return evaluate(program.code(), program.code().root, bindings); }
    // Evaluates one node of a program; used for folding constants.
    Value evaluate(const Code &code, qint32 root, const Bindings &bindings);

    qint64 stepsUsed() const { return m_work.stepsUsed(); }

private:
    Value node(qint32 index);
    Value compute(const Node &node);
    Value selected(const Node &node);
    Value has(const Node &node);
    Value indexed(const Node &node);
    Value listOf(const Node &node);
    Value mapOf(const Node &node);
    Value logical(const Node &node, bool decisive);
    Value binary(const Node &node);
    Value called(const Node &node);
    Value quantified(const Node &node);
    Value collected(const Node &node);

    Work m_work;
    const Code *m_code = nullptr;
    const Bindings *m_bindings = nullptr;
    std::array<Value, limits::matcher_depth_max> m_locals;
};

// The operators and functions. Their errors have no node yet.
Value arithmetic(Op op, const Value &a, const Value &b, Work &work);
Value contained(const Value &element, const Value &container, Work &work);
// `arguments` begin with the receiver if there is one. `compiled` is the pattern of matches() when it is a constant, else null.
Value call(Function function, std::span<const Value> arguments, const re2::RE2 *compiled, Work &work);

} // namespace junban::cel
