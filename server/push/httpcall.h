#pragma once

#include "core/base/reason.h"
#include "server/push/httpanswer.h"
#include "server/push/networks.h"

#include <QAbstractSocket>
#include <QByteArrayList>
#include <QObject>
#include <QSslConfiguration>
#include <QTimer>
#include <QUrl>
#include <functional>
#include <memory>
#include <vector>

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

// The addresses in the order in which they are tried: the families in turn, from that of the first one.
QList<QHostAddress> inTurn(const QList<QHostAddress> &addresses);

// One request on a connection of its own: when such a connection breaks, it is known whether the worker can have the request. Host names
// are looked up once, and what is connected to is an address that was checked. Of several addresses each is tried a moment after the one
// before, IPv6 and IPv4 in turn, and the first one that connects gets the request (RFC 8305), so a silent address keeps nobody from
// the others. Redirects are not followed. Threads: the engine's.
class HttpCall : public QObject
{
    Q_OBJECT

public:
    // `trouble` says what went wrong, if there is no answer. Not called when the call is destroyed before.
    using Ended = std::function<void(Fate fate, const HttpAnswer &answer, const Reason &trouble)>;

    // `deadline_ms` 0: none.
    HttpCall(const CallOptions &options, const QUrl &url, CallRequest request, qint64 deadline_ms, Ended ended, QObject *parent);
    ~HttpCall() override;

private:
    // A connection that is being made to one of the addresses.
    struct Attempt {
        QHostAddress address;
        std::unique_ptr<QTcpSocket> socket;
    };
    void lookUp();
    void tryNext();
    void gaveUp(QTcpSocket *socket, const QByteArray &trouble);
    void send(QTcpSocket *socket);
    void lost(QAbstractSocket::SocketError error);
    void read();
    void failed(const Reason &trouble);
    void end(Fate fate, const Reason &trouble);

    const CallOptions m_options;
    const QUrl m_url;
    const CallRequest m_request;
    Ended m_ended;
    QList<QHostAddress> m_addresses;     // that may still be tried
    int m_lookUp = -1;
    std::vector<Attempt> m_attempts;
    QByteArrayList m_troubles;           // of attempts that failed
    std::unique_ptr<QTcpSocket> m_socket; // the one that was connected first
    QTimer m_connecting;
    QTimer m_stagger;                    // until the next address is tried beside those that have not answered
    bool m_sent = false;
    HttpAnswer m_answer;
};

} // namespace junban::push
