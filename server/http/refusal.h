#pragma once

#include "core/base/reason.h"
#include "server/http/message.h"

#include <QByteArrayView>

namespace junban::http {

// Why the HTTP layer refuses a request: a status of 4xx or 5xx, and a reason of the catalogue.
struct Refusal {
    int status = 0;
    Reason reason = {};
    const char *code = nullptr; // null: the word for the status
};

// While the server drains.
Refusal stopping();

// The reason phrase of the status in the IANA registry; "Status" for an unknown one.
const char *reasonPhrase(int status);

// The refusal as an RFC 9457 problem document in JSON, with its word in `code` (openapi/master.yaml, "Errors").
Response problemResponse(const Refusal &refusal);

} // namespace junban::http
