#pragma once

#include "server/http/frames.h"
#include "server/http/gatetransport.h"
#include "server/http/serveroptions.h"
#include "server/http/socket.h"

#include <memory>

namespace junban::http {

// The server's end of a connection that has become a WebSocket: between its transport, the frames and its user. It asks the client whether
// it is there, closes when the client reads nothing, and tells its connection when it is over. Threads: that of the server.
class SocketEnd final : public Socket
{
public:
    // The transport and the options must outlive it.
    SocketEnd(Transport &transport, const ServerOptions &options, std::shared_ptr<SocketUser> user);

    void open(qint64 now_ms);
    void take(QByteArrayView bytes);
    void tick(qint64 now_ms);
    // Tells the user that it is over.
    void end();

    bool send(const QByteArray &text) override;
    void close(CloseCode code, const QByteArray &reason) override;

    // More is unsent than may be: nothing should be read.
    bool isFull() const;
    enum class Over {
        No,
        Ended,         // the transport can be closed
        Lingers,       // the client may still send, or has not read all
    };
    Over over() const;

private:
    void heed();
    void flush();

    Transport &m_transport;
    const ServerOptions &m_options;
    std::shared_ptr<SocketUser> m_user;
    Frames m_frames;
    bool m_opened = false;
    bool m_broken = false;             // the transport, or it took too long
    qint64 m_now_ms = 0;               // at the last tick
    qint64 m_ping_ms = 0;              // when the next one is due
    qint64 m_pongUntil_ms = 0;         // 0: none is waited for
    qint64 m_roomUntil_ms = 0;         // when it must not be full any more; 0: it is not
    qint64 m_closeUntil_ms = 0;        // 0: it is not closing
};

} // namespace junban::http
