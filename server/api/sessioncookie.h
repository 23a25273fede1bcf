#pragma once

#include "server/http/message.h"

#include <QByteArray>
#include <QList>
#include <QPair>
#include <optional>

// The cookie of a session. Browsers send a host's cookies to each of its ports and paths, so its name has the mark of the namespace
// (Sessions::mark()): queues on one host do not end each other's sessions, and all masters of one queue take the same one.
namespace junban::api::sessioncookie {

// Whether the browser speaks TLS, with this master or with a proxy before it, as far as the request says so.
bool isOverTls(const http::Request &request);

// The session's text; nothing when there is none. Over TLS only a cookie counts that was set over TLS.
std::optional<QByteArray> in(const http::Request &request, const QByteArray &mark);

using Fields = QList<QPair<QByteArray, QByteArray>>;
// Fields of the answer that set it, or have the browser forget it. Scripts cannot read it, and other sites' pages do not send it.
Fields setting(const http::Request &request, const QByteArray &mark, const QByteArray &text, qint64 length_s);
Fields clearing(const http::Request &request, const QByteArray &mark);

} // namespace junban::api::sessioncookie
