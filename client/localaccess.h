#pragma once

#include <QNetworkAccessManager>
#include <QNetworkRequest>

namespace junban::client {

// Network access that can also ask a server on a unix socket: its path is the request's attribute `socketPath`, and of the URL only path
// and query count. A connection for each such request. Threads: that of the object.
class LocalAccess : public QNetworkAccessManager
{
public:
    using QNetworkAccessManager::QNetworkAccessManager;

    static constexpr QNetworkRequest::Attribute socketPath = QNetworkRequest::User;
    // Of a reply: the Reason of its error.
    static constexpr auto failure = QNetworkRequest::Attribute(QNetworkRequest::User + 1);

protected:
    QNetworkReply *createRequest(Operation operation, const QNetworkRequest &request, QIODevice *body) override;
};

} // namespace junban::client
