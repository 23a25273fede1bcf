#pragma once

#include "server/http/message.h"

#include <QByteArrayView>

namespace junban::http {

// Why the HTTP layer itself refuses a request: a status of 4xx or 5xx and a sentence (a literal, so it costs nothing to carry).
struct Refusal {
    int status = 0;
    const char *detail = "";
};

// The reason phrase that the IANA registry has for the status; "Status" for one that it does not know.
const char *reasonPhrase(int status);

// The refusal as an RFC 9457 problem document in JSON, with the stable word for its status in `code` (openapi/master.yaml, "Errors").
Response problemResponse(const Refusal &refusal);

} // namespace junban::http
