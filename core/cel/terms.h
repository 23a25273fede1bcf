#pragma once

#include "core/cel/evaluation.h"

#include <QByteArray>
#include <QList>
#include <optional>

namespace junban::cel {

// A value of the job that an expression reads: job.argument.vendor is the int 7.
struct TermRead {
    QByteArray text;
    QByteArray type;               // the type's name in the language
    QByteArray value;              // for people, at most limits::preview_read_bytes_max
    QByteArray expected;           // the type that it is compared with, when that is another one
    friend bool operator==(const TermRead &, const TermRead &) = default;
};

// One of the conditions that an expression joins with && and ||. A condition is never an && or || itself.
struct Term {
    Problem place;                 // its place in the text; the message says why it has no value, and is empty when it has one
    QByteArray text;
    bool holds = false;
    QList<TermRead> reads;         // the first few that have a value
};
struct Terms {
    QList<Term> terms;             // in the order of the text
    bool complete = true;          // false: some are left out, as there were too many or they took too many steps
};

// Evaluates each condition of an expression for one job, to show people why the job matches or not. The result of the program must be a
// boolean.
Terms judgeTerms(const Program &program, const Bindings &bindings, Evaluation &evaluation);

} // namespace junban::cel
