#pragma once

#include "client/apiclient.h"
#include "client/apidecode.h"

// What the calls of ApiClient have in common; only its own files include this.
namespace junban::client {

inline constexpr char messagePack[] = "application/vnd.msgpack";

inline QByteArray seconds(qint64 value_ms)
{
    return QByteArray::number(double(value_ms) / 1000, 'f', value_ms % 1000 == 0 ? 0 : 3);
}

inline QString jobPath(const JobId &id, const char *verb = "")
{
    return QStringLiteral("/v1/jobs/%1%2").arg(QLatin1String(id.text()), QLatin1String(verb));
}

// What an operator named, as one segment of a path: a slash of its own does not part it.
inline QString namedPath(const char *collection, const QByteArray &id, const char *verb = "")
{
    return QLatin1String(collection) + QLatin1String(QUrl::toPercentEncoding(QString::fromUtf8(id))) + QLatin1String(verb);
}

inline bool isMessagePack(QByteArrayView type)
{
    return type.startsWith(messagePack) || type.startsWith("application/msgpack") || type.startsWith("application/x-msgpack");
}

template<typename T>
CallId ApiClient::call(const Request &request, std::function<Result<T>(const Answer &)> decode, Callback<T> callback)
{
    return send(request, [decode = std::move(decode), callback = std::move(callback)](Result<Answer> answer) {
        if (!answer.ok()) {
            callback(answer.error());
        } else if (answer->status < 200 || answer->status > 299) {
            callback(decodeProblem(answer->status, answer->type, answer->body));
        } else if (!isMessagePack(answer->type)) {
            callback(Error{ErrorCode::Malformed, "Something answered that is no Junban master (" + answer->type + ").", {}, 0});
        } else {
            callback(decode(*answer));
        }
    });
}

} // namespace junban::client
