#pragma once

#include "server/http/httpserver.h"

#include <QByteArray>
#include <QList>
#include <QThread>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace junban::test {

// An HttpServer in its own thread on an EpollDispatcher, with handlers for tests: /echo gives the body back, /head the request's
// method, path, query and fields, /peer who the client is, /hold answers when release() is called, /never keeps the exchange, /drop forgets
// it, /fail throws, /socket is a WebSocket (EchoUser), /hold?socket becomes one, /status?N answers with that status and a body, /big?N with
// N bytes, /inject with fields that must not get out.
class HttpFixture
{
public:
    explicit HttpFixture(http::ServerOptions options = {}, const QHostAddress &address = QHostAddress(QHostAddress::LocalHost),
                         quint16 port = 0, http::PortUse use = http::PortUse::Alone);
    ~HttpFixture();

    // Whether the gate calls the handler of servers that are made from now on.
    static inline bool isDirect = false;

    quint16 port() const { return m_port; }
    const QByteArray &error() const { return m_error; }

    // Runs in the server's thread and waits for it.
    void inServer(const std::function<void(http::HttpServer &)> &function);
    int connections();
    // Answers what is held, the last first, with the text of its body; returns how many of the answers were taken.
    int release();
    // The same, and the server drains in the same turn of its loop.
    void releaseAndDrain();
    int held();

    std::atomic_int handled = 0;   // requests that reached a handler
    std::atomic_int gone = 0;      // onGone() calls
    std::atomic_int deadReplies = 0; // replies that found their client gone
    std::atomic_bool drained = false;
    std::atomic_int opened = 0;    // WebSockets
    std::atomic_int ended = 0;
    std::atomic_int filled = 0;    // messages of 1 KiB that were taken

private:
    void handle(http::Exchange exchange);
    int releaseHeld();

    QThread m_thread;
    QObject *m_context = nullptr;  // in m_thread
    std::unique_ptr<http::HttpServer> m_server;
    QList<http::Exchange> m_held;
    QList<http::Exchange> m_kept;
    quint16 m_port = 0;
    QByteArray m_error;
};

struct Answer {
    int status = 0;                // 0: there was none
    QByteArray head;
    QByteArray body;
    QByteArray field(const QByteArray &name) const; // name in lower case
    bool has(const QByteArray &name) const { return !field(name).isNull(); }
};

// A frame as it came; opcode -1: the connection has ended.
struct Frame {
    int opcode = -1;
    bool final = true;
    QByteArray payload;
    // The code of a close; 0: it has none; -1: it is no close.
    int closeCode() const;
};
enum Opcode { Continuation = 0, Text = 1, Binary = 2, Close = 8, Ping = 9, Pong = 10 };

// A client that writes the bytes it is told to. Blocking, with a limit of its own so that a test ends.
class RawClient
{
public:
    explicit RawClient(quint16 port, const QByteArray &address = "127.0.0.1");
    ~RawClient();
    RawClient(const RawClient &) = delete;
    RawClient &operator=(const RawClient &) = delete;

    bool connected() const { return m_fd >= 0; }
    bool send(const QByteArray &bytes);
    // One complete answer; interim ones (1xx) are counted and skipped. `toHead`: one without a body.
    enum class Expect { Body, HeadOnly };
    Answer answer(Expect expect = Expect::Body);
    // The next frame of a WebSocket.
    Frame frame();
    // Whether the server ends the connection and says nothing more before.
    bool endsSilently();
    QByteArray rest();             // all until the end
    int interim() const { return m_interim; }
    void endOutput();              // FIN
    void reset();                  // RST
    void close();

private:
    bool fill();
    bool has(qsizetype size);

    int m_fd = -1;
    QByteArray m_in;
    int m_interim = 0;
};

// A request with a Host; `fields` are lines that end in CRLF.
QByteArray request(const QByteArray &method, const QByteArray &target, const QByteArray &body = {},
                   const QByteArray &fields = {});

// A request for the WebSocket /socket.
QByteArray upgrade(const QByteArray &fields = {});
// A client's frame. `first`: the opcode, and the bits before it (0x80: the last fragment).
QByteArray frame(int first, const QByteArray &payload = {});
QByteArray closeFrame(int code, const QByteArray &reason = {});

// One connection, these bytes, the first answer.
Answer exchange(quint16 port, const QByteArray &bytes);

// Waits, without an event loop, until it holds.
bool eventually(const std::function<bool()> &condition);

} // namespace junban::test
