#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QList>

namespace junban::cel {

// What a file of conformance cases came to.
struct CasesReport {
    int passed = 0;
    int failed = 0;
    QList<QByteArray> failures; // "id: what was expected, what came"
};

// Runs every case of a JSON file: an array of {id, expr, bindings, value | error}, the values tagged by type as in
// tests/core/cel/conformance.json. Errors: Malformed, when the text is no such array.
Result<CasesReport> runCases(QByteArrayView json);

} // namespace junban::cel
