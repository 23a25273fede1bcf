#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QList>

namespace junban {
struct ExpressionProblem;
}

// Errors, as openapi/master.yaml has them.
namespace junban::api {

// An RFC 9457 problem document.
QByteArray encodeProblem(const Error &error);
// Of a reason whose code no Error has.
QByteArray encodeProblem(const Reason &reason);
// Of expressions that do not compile: status 422.
QByteArray encodeProblem(const QList<ExpressionProblem> &problems);

} // namespace junban::api
