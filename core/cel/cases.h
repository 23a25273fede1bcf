#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QList>

namespace junban::cel {

// The outcome of a file of conformance cases.
struct CasesReport {
    int passed = 0;
    int failed = 0;
    QList<QByteArray> failures; // for each failed case "id: why"
};

// Runs every case of a JSON array of {id, expr, bindings, value | error}. Values are tagged with their type, as in
// tests/core/cel/conformance.json. Errors: Malformed, when the text is not such an array.
Result<CasesReport> runCases(QByteArrayView json);

} // namespace junban::cel
