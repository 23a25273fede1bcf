#pragma once

#include "core/cel/environment.h"
#include "core/cel/program.h"

namespace junban::cel {

// Lenient: an unknown name or function is an error of the evaluation, as CEL defines it. Checked, for a matcher that is saved: unknown
// names, unknown functions, invalid regular expressions and results of a wrong type are problems of the compilation. Kept, for one that
// was saved before: as Checked, but it may have a wrong type, which older versions did not know.
enum class Mode { Lenient, Kept, Checked };

// Either a program or its problems, in the order of the text.
struct Compiled {
    std::shared_ptr<const Program> program; // null when there are problems
    QList<Problem> problems;
};

// Compiles an expression within the bounds limits::matcher_*. May be called from any thread.
Compiled compile(QByteArrayView text, const Environment &environment, Mode mode, Wanted wanted = Wanted::Any);

} // namespace junban::cel
