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
    // The value of the variable with this slot (Variable::slot). When it has none: an error value (UnboundVariable), for which has() is
    // false. The memory that the value refers to must live as long as the evaluation's result is used.
    virtual Value variable(qint32 slot) const = 0;
};

// A compiled expression: immutable, cheap to copy, shared between threads.
class Program
{
public:
    explicit Program(std::shared_ptr<const Code> code) : m_code(std::move(code)) {}

    const QByteArray &text() const;
    const Code &code() const { return *m_code; }
    // Where in the expression an error value came from, and a sentence that says why.
    Problem explain(const Value &error) const;

private:
    std::shared_ptr<const Code> m_code;
};

} // namespace junban::cel
