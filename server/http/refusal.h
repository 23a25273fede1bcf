#pragma once

#include "core/msgpack/problem.h"
#include "server/http/message.h"

#include <QByteArrayView>

namespace junban::http {

// Why the HTTP layer refuses a request. The catalogue has the status.
struct Refusal {
    Refusal(Reason why) : reason(std::move(why)) {}
    Refusal(const Error &error) : reason(error.reason) {}
    int status() const;

    Reason reason;
};

// The reason phrase of the status in the IANA registry; "Status" for an unknown one.
const char *reasonPhrase(int status);

// The problem of a reason of the catalogue, with its code and status.
Problem problemOf(const Reason &reason);
// The refusal as an RFC 9457 problem document in JSON, (openapi/master.yaml, "Errors").
Response problemResponse(const Refusal &refusal);

} // namespace junban::http
