#pragma once

#include "core/base/expected.h"
#include "server/api/call.h"

#include <optional>

// Revisions in the header fields of requests and answers.
namespace junban::api {

// What If-Match and If-None-Match ask for; answers 400 when they are no revision of ours.
std::optional<Expected> expectedOf(const Call &call);
// The same where one of them is required; answers 428 when both are missing.
std::optional<Expected> revisionOf(const Call &call);

QList<QPair<QByteArray, QByteArray>> etagOf(qint64 revision);

} // namespace junban::api
