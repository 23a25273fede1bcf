#pragma once

#include "server/push/httpanswer.h"
#include "server/push/networks.h"

#include <QObject>
#include <QSslConfiguration>
#include <QTimer>
#include <QUrl>
#include <functional>
#include <memory>

class QTcpSocket;

namespace junban::push {

// How this master calls workers.
struct CallOptions {
    Networks networks = {};
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
};

struct CallRequest {
    QByteArray method;
    QByteArray path;                 // behind the worker's URL: "/v1/run"
    QByteArray body = {};
    QByteArray contentType = {};
    QByteArray fields = {};          // further lines of the head, each with its end
};

// What became of a request.
enum class Fate {
    Answered,
    NotSent,                         // no byte of it left this machine
    Unknown,                         // it was sent, but no whole answer came
};

// One request on a connection of its own: when such a connection breaks, it is known whether the worker can have the request. Host names
// are looked up once, and what is connected to is the address that was checked. Redirects are not followed. Threads: the engine's.
class HttpCall : public QObject
{
    Q_OBJECT

public:
    // `trouble` says what went wrong, if there is no answer. Not called when the call is destroyed before.
    using Ended = std::function<void(Fate fate, const HttpAnswer &answer, const QByteArray &trouble)>;

    // `deadline_ms` 0: none.
    HttpCall(const CallOptions &options, const QUrl &url, CallRequest request, qint64 deadline_ms, Ended ended, QObject *parent);
    ~HttpCall() override;

private:
    void lookUp();
    void connectNext();
    void send();
    void read();
    void failed(const QByteArray &trouble);
    void end(Fate fate, const QByteArray &trouble);

    const CallOptions m_options;
    const QUrl m_url;
    const CallRequest m_request;
    Ended m_ended;
    QList<QHostAddress> m_addresses;     // that may still be tried
    int m_lookUp = -1;
    std::unique_ptr<QTcpSocket> m_socket;
    QTimer m_connecting;
    bool m_sent = false;
    HttpAnswer m_answer;
};

} // namespace junban::push
