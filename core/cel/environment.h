#pragma once

#include <QByteArray>
#include <QList>

namespace junban::cel {

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

// What an expression is to give.
enum class Wanted { Any, Boolean, Number };

} // namespace junban::cel
