#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace junban {

// What tells the cause in a failure's message, which may be a stack trace of any language.
struct TellingLines {
    QByteArray thrown; // the error that reached the worker
    QByteArray cause;  // what it was made from, of a chain the first; empty: that is not said, or `thrown` says it
};

// Which line tells differs by language: in Python the one below the last trace, elsewhere the one above the first. A text that is no
// trace gives its first line. It accepts any bytes and takes linear time. May be called from any thread.
TellingLines tellingLines(QByteArrayView message);

} // namespace junban
