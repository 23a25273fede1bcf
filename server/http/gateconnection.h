#pragma once

#include "server/http/chunks.h"
#include "server/http/exchangestate.h"
#include "server/http/gatetransport.h"
#include "server/http/head.h"
#include "server/http/knownhead.h"
#include "server/http/serveroptions.h"
#include "server/http/socketend.h"

#include <QHostAddress>
#include <memory>
#include <optional>

namespace junban::http {

class GateConnection;
class GateListener;
class GateSocket;

// What a connection needs of the gate that owns it.
class ConnectionOwner
{
public:
    virtual ~ConnectionOwner() = default;
    virtual const ServerOptions &options() const = 0;
    virtual bool draining() const = 0;
    virtual qint64 now_ms() const = 0;
    virtual const QByteArray &date() = 0;
    // The buffer to read into: one for all connections, because nothing in it is needed after a call.
    virtual QByteArray &scratch() = 0;
    // Calls the server's handler, at once. It does not throw; an exchange that the handler drops is answered with 500.
    virtual void serve(std::shared_ptr<ExchangeState> exchange) = 0;
    // Calls resume() of the connection in a later turn of the event loop.
    virtual void resumeLater(GateConnection &connection) = 0;
    // Deletes the connection, which is closed, in a later turn of the event loop.
    virtual void retire(GateConnection &connection) = 0;
};

// One connection of the gate, from the handshake to the lingering close. It reads requests strictly and one at a time: the next
// is handed to QtHttpServer, or to the handler itself (Place::isDirect), when the answer to the last has been sent. Its owner deletes it
// when it asks for that. Threads: that of its owner.
class GateConnection final : public TransportUser, public AnswerSink
{
public:
    GateConnection(ConnectionOwner &owner, GateListener &listener, quint64 id, Peer peer);
    ~GateConnection() override;

    void start(int fd);
    quint64 id() const { return m_id; }
    const Peer &peer() const { return m_peer; }

    // Checks whether a deadline has passed.
    void tick(qint64 now_ms);
    // Goes on with bytes that were read earlier.
    void resume();
    // Closes when idle, else after the answer under way.
    void drain();

    void secured() override;
    void readable() override;
    void written() override;
    void failed() override;

    bool answer(quint64 sequence, Response response) override;
    void dropped(quint64 sequence) override;

private:
    enum class State {
        Handshake,
        Idle,       // between requests
        Head,       // a head has begun
        Body,
        Complete,   // a request has come whole and waits for its turn
        Busy,       // a handler has it
        Writing,    // its answer does not fit the kernel's buffer
        Streaming,  // the answer leaves part by part
        Socket,     // it is a WebSocket, and serves no more requests
        Lingering,  // our side has ended; reads and throws away
        Closed,
    };

    void take(QByteArrayView bytes);
    qsizetype process(QByteArrayView bytes);
    qsizetype takeHead(QByteArrayView bytes);
    qsizetype takeKnownHead(QByteArrayView bytes);
    void beginBody(Head head, Place place, bool bodyHasBegun);
    qsizetype takeBody(QByteArrayView bytes);
    void dispatch();
    GateSocket &facade();
    void releaseFacade();
    void refuse(Refusal refusal);          // a copy: the refusal may be the decoder's, which ends here
    void send(const Response &response, bool close);
    void sendParts(std::shared_ptr<BodyParts> parts);
    void askForPart();
    void takePart(const std::optional<QByteArray> &part);
    void answerSent();
    void upgrade(const Request &request, const std::shared_ptr<SocketUser> &user);
    void takeFrames(QByteArrayView bytes);
    void heedSocket();
    void endSocket();
    void settle();
    void inputEnded();
    void letGo();
    void linger();
    void close();
    void enter(State state, qint64 deadline_ms);
    bool expired(qint64 now_ms) const { return m_deadline_ms <= now_ms; }
    qint64 bodyDeadline_ms() const;

    ConnectionOwner &m_owner;
    GateListener &m_listener;
    const quint64 m_id;
    const Peer m_peer;
    std::unique_ptr<Transport> m_transport;
    GateSocket *m_facade = nullptr;            // made for the first request that QtHttpServer has, and its own from then on

    State m_state = State::Idle;
    qint64 m_deadline_ms = 0;                  // of the state, by the owner's clock
    qint64 m_since_ms = 0;                     // when the state began
    bool m_ended = false;                      // the client has ended its side
    bool m_scheduled = false;                  // resume() will come
    bool m_dispatching = false;                // in a call of the handler
    bool m_released = true;                    // the facade's buffers are given back
    bool m_blankLine = false;                  // one was skipped before this request
    bool m_readingOff = false;                 // too much was read ahead
    bool m_closeAfterwards = false;            // no further request after the answer

    QByteArray m_in;                           // read, not yet used
    HeadScan m_scan;
    std::unique_ptr<KnownHead> m_known[2];     // the last heads that are worth it, the newest first
    Request m_request;                         // the one that is being read
    bool m_keepAlive = true;
    qint64 m_bodyLeft = 0;
    std::optional<ChunkDecoder> m_chunks;

    quint64 m_sequence = 0;
    ExchangeState *m_exchange = nullptr;     // under way; answer() and dropped() reset it
    bool m_toHead = false;
    std::shared_ptr<BodyParts> m_parts;        // of the answer that leaves
    std::shared_ptr<int> m_asking;             // a part is being made; expires when nobody wants it any more
    std::unique_ptr<SocketEnd> m_socket;       // from upgrade() on
};

} // namespace junban::http
