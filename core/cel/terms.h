#pragma once

#include "core/cel/evaluation.h"

#include <QByteArray>
#include <QList>
#include <optional>

namespace junban::cel {

// Something of the job that an expression reads, and what stands there: job.argument.vendor is the int 7.
struct TermRead {
    QByteArray text;
    QByteArray type;               // as the language calls it
    QByteArray value;              // for people, at most limits::preview_read_bytes_max of it
    QByteArray expected;           // the type that it is compared with, where that is another
    friend bool operator==(const TermRead &, const TermRead &) = default;
};

// One operand of the && and || that an expression consists of, by itself. Operands that are && or || again stand there by theirs.
struct Term {
    Problem place;                 // where it stands; its message is why it has no value, and empty when it has one
    QByteArray text;
    bool holds = false;
    QList<TermRead> reads;         // the first few, where they have a value
};
struct Terms {
    QList<Term> terms;             // in the order of the text
    bool complete = true;          // false: there are more, or they were too much work
};

// What each part of an expression says of one job, so that people see why it does not match. The program must be a predicate.
Terms judgeTerms(const Program &program, const Bindings &bindings, Evaluation &evaluation);

} // namespace junban::cel
