#pragma once

#include "server/http/message.h"

#include <QByteArrayView>

namespace junban::http {

// Why the HTTP layer refuses a request: a status of 4xx or 5xx, and a sentence, which must be a literal without '"' and '\'.
struct Refusal {
    int status = 0;
    const char *detail = "";
};

// The reason phrase of the status in the IANA registry; "Status" for an unknown one.
const char *reasonPhrase(int status);

// The refusal as an RFC 9457 problem document in JSON, with the word for its status in `code` (openapi/master.yaml, "Errors").
Response problemResponse(const Refusal &refusal);

} // namespace junban::http
