#pragma once

#include "core/cel/environment.h"
#include "core/cel/program.h"

namespace junban::cel {

// Lenient: an unknown name or function is an error of the evaluation, as CEL defines it. Checked, for a matcher that is saved: unknown
// names, unknown functions, invalid regular expressions, results of a wrong type and what has no value for any job, as duration("1d"), are
// problems of the compilation. Kept, for one that was saved before: only what this master does not understand (any more) is a problem, as
// a time zone that it lacks. Older versions did not know the others, and such an expression never matched.
enum class Mode { Lenient, Kept, Checked };

// Either a program or its problems, in the order of the text.
struct Compiled {
    std::shared_ptr<const Program> program; // null when there are problems
    QList<Problem> problems;
};

// Compiles an expression within the bounds limits::matcher_*. May be called from any thread.
Compiled compile(QByteArrayView text, const Environment &environment, Mode mode, Wanted wanted = Wanted::Any);

} // namespace junban::cel
