#pragma once

#include "server/relay/upstreamanswer.h"

#include <QObject>
#include <QSslSocket>
#include <QTimer>
#include <functional>
#include <optional>

namespace junban::relay {

// What became of a request that was passed on.
enum class Fate {
    Answered,
    NotSent,                         // nobody has it
    Unknown,                         // it was sent, but no whole answer came
};

// A kept-alive connection to the leader, with one request at a time. Threads: the engine's.
class Upstream : public QObject
{
    Q_OBJECT

public:
    // Called once for each request, from the event loop, unless it is given up before.
    using Ended = std::function<void(Fate, http::Response)>;

    // As Leader has them.
    Upstream(const QByteArray &address, QByteArray certificate, QObject *parent);
    ~Upstream() override;

    // Precondition: isIdle().
    void send(QByteArray request, bool isHead, Ended ended);
    bool isIdle() const { return !m_ended && !m_isOver; }
    // It can take no further request.
    bool isOver() const { return m_isOver; }
    // Who asked has gone: the connection is closed, so that the leader learns it at once.
    void giveUp();

Q_SIGNALS:
    void over();

private:
    void encrypted();
    void write();
    void read();
    void lost();
    void end(Fate fate, http::Response response);

    const QByteArray m_certificate;
    QSslSocket m_socket;
    QTimer m_timer;                  // until it is connected; or until it has been idle for too long
    QByteArray m_request;            // not sent yet
    bool m_isTrusted = false;        // it is connected to the one who has the certificate
    bool m_isSent = false;
    bool m_isOver = false;
    std::optional<UpstreamAnswer> m_answer;
    Ended m_ended;                   // null: no request is under way
};

} // namespace junban::relay
