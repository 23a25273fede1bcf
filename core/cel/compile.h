#pragma once

#include "core/cel/environment.h"
#include "core/cel/program.h"

namespace junban::cel {

// Lenient: unknown names and functions are errors of the evaluation, as the language says. Checked: they are refused, as when a
// matcher is saved, together with patterns that are no regular expressions and results that cannot be what is wanted.
enum class Mode { Lenient, Checked };

// Either a program or what is wrong, in the order of the text.
struct Compiled {
    std::shared_ptr<const Program> program; // null when there are problems
    QList<Problem> problems;
};

// Bounds: core/limits.h, matcher_*.
Compiled compile(QByteArrayView text, const Environment &environment, Mode mode, Wanted wanted = Wanted::Any);

} // namespace junban::cel
