#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QList>

namespace junban {
struct ExpressionProblem;
}

// Errors, as openapi/master.yaml has them.
namespace junban::api {

// The HTTP status of an error (openapi/master.yaml, "Errors").
int statusOf(const Error &error);
// An RFC 9457 problem document.
QByteArray encodeProblem(const Error &error);
QByteArray encodeProblem(int status, QByteArrayView code, const Reason &reason);
// Of expressions that do not compile: status 422.
QByteArray encodeProblem(const QList<ExpressionProblem> &problems);

} // namespace junban::api
