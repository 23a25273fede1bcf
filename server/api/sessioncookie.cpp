#include "server/api/sessioncookie.h"

namespace junban::api::sessioncookie {

namespace {

QByteArray nameOf(const QByteArray &mark, bool secure)
{
    return (secure ? "__Host-junban-" : "junban-") + mark;
}

std::optional<QByteArray> valueOf(const http::Request &request, const QByteArray &name)
{
    const QList<QByteArray> cookies = request.field("cookie").split(';');
    for (const QByteArray &cookie : cookies) {
        const QByteArray each = cookie.trimmed();
        if (each.startsWith(name + '='))
            return each.mid(name.size() + 1);
    }
    return {};
}

QPair<QByteArray, QByteArray> fieldOf(const QByteArray &mark, bool secure, const QByteArray &text, qint64 length_s)
{
    return {"Set-Cookie", nameOf(mark, secure) + '=' + text + "; Path=/; Max-Age=" + QByteArray::number(length_s)
            + "; HttpOnly; SameSite=Strict" + (secure ? "; Secure" : "")};
}

} // namespace

bool isOverTls(const http::Request &request)
{
    return request.secure || request.field("origin").startsWith("https://") || request.field("x-forwarded-proto") == "https";
}

std::optional<QByteArray> in(const http::Request &request, const QByteArray &mark)
{
    if (mark.isEmpty() || request.field("cookie").isEmpty())
        return {};
    const std::optional<QByteArray> secure = valueOf(request, nameOf(mark, true));
    return secure || isOverTls(request) ? secure : valueOf(request, nameOf(mark, false));
}

Fields setting(const http::Request &request, const QByteArray &mark, const QByteArray &text, qint64 length_s)
{
    return {fieldOf(mark, isOverTls(request), text, length_s)};
}

Fields clearing(const http::Request &request, const QByteArray &mark)
{
    Fields fields;
    for (const bool secure : {false, true}) {
        if (valueOf(request, nameOf(mark, secure)))
            fields.append(fieldOf(mark, secure, {}, 0));
    }
    return fields;
}

} // namespace junban::api::sessioncookie
