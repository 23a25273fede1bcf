#pragma once

#include "core/cel/problem.h"
#include "core/cel/value.h"

#include <QByteArray>
#include <QList>
#include <memory>

namespace junban::cel {

struct Code;

// The values of the variables for one evaluation.
class Bindings
{
public:
    virtual ~Bindings() = default;
    // The value of a variable by its slot. An error value (UnboundVariable) when it has none; has() is false for it then. What the
    // value views must live until the evaluation's result is no longer used.
    virtual Value variable(qint32 slot) const = 0;
};

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

} // namespace junban::cel
