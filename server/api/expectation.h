#pragma once

#include "core/base/expected.h"
#include "server/api/call.h"

#include <optional>

// Revisions, as the fields of requests and answers say them.
namespace junban::api {

// What If-Match and If-None-Match ask for; answers 400 when they are none of ours.
std::optional<Expected> expectedOf(const Call &call);
// The same where one of them must be there; answers 428 when none is.
std::optional<Expected> revisionOf(const Call &call);

QList<QPair<QByteArray, QByteArray>> etagOf(qint64 revision);

} // namespace junban::api
