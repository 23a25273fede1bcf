#pragma once

#include "core/base/reason.h"

namespace junban::cel {

// What is wrong with an expression, and where. Lines and columns count from 1, columns in characters; offset and length in bytes.
struct Problem {
    int line = 1;
    int column = 1;
    int offset = 0;
    int length = 0;
    Reason reason;
    const QByteArray &message() const { return reason.text; } // in English
    friend bool operator==(const Problem &, const Problem &) = default;
};

// Finds the line and column of `offset` in `text`.
Problem problemAt(QByteArrayView text, qsizetype offset, qsizetype length, Reason reason);

} // namespace junban::cel
