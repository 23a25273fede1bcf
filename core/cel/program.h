#pragma once

#include "core/cel/problem.h"
#include "core/cel/value.h"

#include <QByteArray>
#include <QList>
#include <memory>

namespace junban::cel {

struct Code;

// A variable an expression may name. The name may be dotted: "job.name" is one variable, and a longer name goes before a shorter.
struct Variable {
    QByteArray name;
    qint32 slot = 0;              // what Bindings are asked for
    QByteArray refusal = {};      // a sentence why it may not be used here; empty when it may
};

// Which variables there are. Compile-time only.
struct Environment {
    QList<Variable> variables;
};

// The values of the variables for one evaluation.
class Bindings
{
public:
    virtual ~Bindings() = default;
    // The value of a variable by its slot. An error value (UnboundVariable) when it has none; has() is false for it then. What the
    // value views must live until the evaluation's result is no longer used.
    virtual Value variable(qint32 slot) const = 0;
};

// Lenient: unknown names and functions are errors of the evaluation, as the language says. Checked: they are refused, as when a
// matcher is saved, together with patterns that are no regular expressions and results that cannot be what is wanted.
enum class Mode { Lenient, Checked };
enum class Wanted { Any, Boolean, Number };

// A compiled expression: immutable, cheap to copy, shared between threads.
class Program
{
public:
    explicit Program(std::shared_ptr<const Code> code) : m_code(std::move(code)) {}

    const QByteArray &text() const;
    const Code &code() const { return *m_code; }
    // Says of an error value where in the expression it came up, and why in a sentence.
    Problem explain(const Value &error) const;

private:
    std::shared_ptr<const Code> m_code;
};

// Either a program or what is wrong, in the order of the text.
struct Compiled {
    std::shared_ptr<const Program> program; // null when there are problems
    QList<Problem> problems;
};

// Bounds: core/limits.h, matcher_*.
Compiled compile(QByteArrayView text, const Environment &environment, Mode mode, Wanted wanted = Wanted::Any);

} // namespace junban::cel
