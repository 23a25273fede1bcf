#pragma once

#include "core/cel/value.h"

#include <QByteArray>
#include <QList>
#include <optional>

namespace junban::cel {

// A variable that an expression may use. The name may have dots: "job.name" is one variable. A longer name wins over a shorter one.
struct Variable {
    QByteArray name;
    qint32 slot = 0;              // the number by which Bindings know it
    Reason refusal = {};          // why it may not be used here; empty when it may
    std::optional<ValueType> type = {}; // of all of its values but errors; nothing: they may be of any type
};

// The variables that exist. Needed only for compiling.
struct Environment {
    QList<Variable> variables;
};

// The type of result that the caller needs.
enum class Wanted { Any, Boolean, Number };

} // namespace junban::cel
