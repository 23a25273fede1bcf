#include "server/http/refusal.h"

#include "core/base/reasonwording.h"
#include "core/limits.h"
#include "core/msgpack/json.h"

namespace junban::http {

const char *reasonPhrase(int status)
{
    switch (status) {
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 411: return "Length Required";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 416: return "Range Not Satisfiable";
    case 417: return "Expectation Failed";
    case 421: return "Misdirected Request";
    case 422: return "Unprocessable Content";
    case 425: return "Too Early";
    case 426: return "Upgrade Required";
    case 428: return "Precondition Required";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    case 507: return "Insufficient Storage";
    default: return "Status";
    }
}

int Refusal::status() const
{
    return reasonInfo(reason.name)->status;
}

Problem problemOf(const Reason &reason)
{
    const ReasonInfo *info = reasonInfo(reason.name);
    return {"about:blank", reasonPhrase(info->status), info->status, info->word, reason};
}

Response problemResponse(const Refusal &refusal)
{
    Response response;
    Problem problem = problemOf(refusal.reason);
    response.status = problem.status;
    response.contentType = QByteArrayLiteral("application/problem+json");
    if (problem.status == 503) {
        problem.retryAfter_s = limits::http_retry_after_s;
        response.fields.append({QByteArrayLiteral("Retry-After"), QByteArray::number(limits::http_retry_after_s)});
    }
    response.body = json::fromMsgpack(pack(problemTable, problem));
    return response;
}

} // namespace junban::http
