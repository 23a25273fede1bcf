#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>
#include <memory>

namespace junban::http {

// The server's end of the WebSocket protocol (RFC 6455), without a connection: bytes in, messages and bytes out. The library wslay
// reads and makes the frames; it answers pings and closes, and closes by itself when the client breaks the protocol or sends a message of
// more than limits::socket_message_bytes_max.
class Frames
{
public:
    Frames();
    ~Frames();
    Frames(const Frames &) = delete;
    Frames &operator=(const Frames &) = delete;

    // Reads what has come. At most limits::socket_slice_bytes at a time, so that little has to be answered at once.
    void take(QByteArrayView bytes);
    void text(const QByteArray &message);
    void ping();
    void close(quint16 code, const QByteArray &reason);

    QList<QByteArray> takeMessages();  // texts, in UTF-8
    bool hadBinary() const;            // a message came that is no text
    bool takePong();                   // whether a pong has come since it was asked last
    QByteArray takeOutput();           // to be sent

    bool isClosing() const;            // a close was made, or the library failed: nothing more is read as messages
    bool isOver() const;               // the close was sent, and either answered or nothing is read any more
    bool isClosedByBoth() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::http
