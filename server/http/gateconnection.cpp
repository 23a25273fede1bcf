#include "server/http/gateconnection.h"

#include "core/base/reasons/http.h"
#include "server/http/answer.h"
#include "server/http/gatelistener.h"
#include "server/http/gatesocket.h"
#include "server/http/handshake.h"

#include <algorithm>
#include <limits>

namespace junban::http {

GateConnection::GateConnection(ConnectionOwner &owner, GateListener &listener, quint64 id, Peer peer)
    : m_owner(owner), m_listener(listener), m_id(id), m_peer(std::move(peer))
{
}

GateConnection::~GateConnection()
{
    if (m_exchange != nullptr)
        m_exchange->detach();
    if (m_socket)
        m_owner.options().counts->leaveSocket();
    if (m_transport)
        m_transport->abort();
    // Only when the server ends: close() has hung up already.
    delete m_facade;
}

void GateConnection::start(int fd)
{
    const ServerOptions &options = m_owner.options();
    if (options.tls && !m_peer.user) {
        enter(State::Handshake, m_owner.now_ms() + options.handshake_deadline_ms);
        m_transport = makeTlsTransport(fd, options.tls->now(), *this);
        if (!m_transport)
            close();
        return;
    }
    enter(State::Idle, m_owner.now_ms() + options.idle_deadline_ms);
    m_transport = makePlainTransport(fd, *this);
}

void GateConnection::secured()
{
    if (m_state != State::Handshake)
        return;
    if (m_owner.draining())
        return close();
    enter(State::Idle, m_owner.now_ms() + m_owner.options().idle_deadline_ms);
}

void GateConnection::enter(State state, qint64 deadline_ms)
{
    m_state = state;
    m_deadline_ms = deadline_ms;
}

// --- Reading -----------------------------------------------------------------------------------------------------------------

void GateConnection::readable()
{
    if (m_state == State::Closed || m_state == State::Handshake)
        return;
    QByteArray &scratch = m_owner.scratch();
    const qint64 size = m_transport->read(scratch.data(), scratch.size());
    if (size < 0)
        return inputEnded();
    if (size == 0 || m_state == State::Lingering)
        return;
    take(QByteArrayView(scratch.constData(), size));
}

void GateConnection::take(QByteArrayView bytes)
{
    const bool reading = m_state == State::Idle || m_state == State::Head || m_state == State::Body || m_state == State::Socket;
    if (!reading || m_scheduled) {
        m_in.append(bytes);
        if (m_in.size() >= limits::http_read_ahead_bytes_max && !m_readingOff) {
            m_readingOff = true;
            m_transport->setReading(Transport::Reading::Off);
        }
        return;
    }
    // Most requests come whole, and nothing needs to be kept.
    if (m_state == State::Socket) {
        takeFrames(bytes);
    } else if (m_in.isEmpty()) {
        const qsizetype used = process(bytes);
        if (m_state != State::Closed && m_state != State::Lingering && used < bytes.size())
            m_in = bytes.sliced(used).toByteArray();
    } else {
        m_in.append(bytes);
        const qsizetype used = process(m_in);
        m_in.remove(0, used);
    }
    settle();
}

// Uses as many of the bytes as it can and returns how many.
qsizetype GateConnection::process(QByteArrayView bytes)
{
    qsizetype used = 0;
    int served = 0;
    while (true) {
        qsizetype took = 0;
        if (m_state == State::Idle || m_state == State::Head)
            took = takeHead(bytes.sliced(used));
        else if (m_state == State::Body)
            took = takeBody(bytes.sliced(used));
        used += took;
        if (m_state == State::Complete) {
            if (served++ == limits::http_pipelined_max) {
                m_scheduled = true;
                m_owner.resumeLater(*this);
                return used;
            }
            dispatch();
        } else if (took == 0 || (m_state != State::Idle && m_state != State::Head && m_state != State::Body)) {
            return used;
        }
    }
}

void GateConnection::resume()
{
    m_scheduled = false;
    if (m_state == State::Closed || m_state == State::Lingering)
        return;
    if (m_state == State::Complete)
        dispatch();
    if (m_state == State::Socket) {
        releaseFacade(); // QtHttpServer's part is over
        m_socket->open(m_owner.now_ms());
        takeFrames(std::exchange(m_in, {}));
    } else {
        const qsizetype used = process(m_in);
        m_in.remove(0, used);
    }
    settle();
}

// After bytes were used: reads on when there is room again, and gives up a client that has ended its side when nothing complete is left
// of what it sent.
void GateConnection::settle()
{
    if (m_state == State::Closed || m_state == State::Lingering)
        return;
    const bool full = m_socket && m_socket->isFull();
    if (full && !std::exchange(m_readingOff, true))
        m_transport->setReading(Transport::Reading::Off);
    if (m_readingOff && !m_ended && !full && m_in.size() < limits::http_read_ahead_bytes_max) {
        m_readingOff = false;
        m_transport->setReading(Transport::Reading::On);
    }
    if (m_ended && !m_scheduled && m_state != State::Writing)
        failed();
}

qsizetype GateConnection::takeHead(QByteArrayView bytes)
{
    if (bytes.isEmpty())
        return 0;
    const ServerOptions &options = m_owner.options();
    if (m_state == State::Idle) {
        // RFC 9112 §2.2: one empty line before a request is allowed.
        if (!m_blankLine && bytes.startsWith("\r\n")) {
            m_blankLine = true;
            return 2;
        }
        if (const qsizetype size = takeKnownHead(bytes))
            return size;
        enter(State::Head, m_owner.now_ms() + options.head_deadline_ms);
    }
    const HeadScan::Found found = m_scan.look(bytes);
    if (found == HeadScan::Found::BareLineFeed) {
        refuse(reasons::httpLineEnd());
        return 0;
    }
    const qsizetype size = found == HeadScan::Found::End ? m_scan.size() : bytes.size();
    // A first line this long cannot be valid any more.
    if (found == HeadScan::Found::Nothing && m_scan.lines() == 0 && size > options.target_bytes_max + 32) {
        refuse(reasons::targetTooLong(options.target_bytes_max));
        return 0;
    }
    if (size > options.head_bytes_max) {
        refuse(reasons::headTooLarge(options.head_bytes_max));
        return 0;
    }
    if (found == HeadScan::Found::Nothing)
        return 0;
    m_scan.reset();
    m_blankLine = false;
    auto parsed = parseHead(bytes.first(size), {options.head_bytes_max, options.target_bytes_max, options.fields_max});
    if (const auto *refusal = std::get_if<Refusal>(&parsed)) {
        refuse(*refusal);
        return 0;
    }
    Head &head = std::get<Head>(parsed);
    const Place place = options.place ? options.place(head.method, head.path) : Place();
    if (place.memo) {
        m_known[1] = std::move(m_known[0]);
        m_known[0] = std::make_unique<KnownHead>(bytes.first(size), head, place);
    }
    beginBody(std::move(head), place, bytes.size() > size);
    return m_state == State::Body || m_state == State::Complete ? size : 0;
}

qsizetype GateConnection::takeKnownHead(QByteArrayView bytes)
{
    for (std::unique_ptr<KnownHead> &known : m_known) {
        const qsizetype size = known ? known->take(bytes, m_owner.options().head_bytes_max) : 0;
        if (size == 0)
            continue;
        m_blankLine = false;
        std::swap(known, m_known[0]);
        beginBody(m_known[0]->head(), m_known[0]->place(), bytes.size() > size);
        return size;
    }
    return 0;
}

void GateConnection::beginBody(Head head, Place place, bool bodyHasBegun)
{
    m_keepAlive = head.keepAlive;
    m_toHead = head.method == "HEAD";
    m_request.method = std::move(head.method);
    m_request.path = std::move(head.path);
    m_request.query = std::move(head.query);
    m_request.minor = head.minor;
    m_request.fields = std::move(head.fields);
    m_request.place = std::move(place);
    if (head.framing == Framing::Nothing || (head.framing == Framing::Length && head.length == 0))
        return enter(State::Complete, std::numeric_limits<qint64>::max());
    const qint64 body_bytes_max = m_request.place.body_bytes_max;
    if (head.framing == Framing::Length && head.length > body_bytes_max)
        return refuse(reasons::bodyTooLarge(body_bytes_max));
    m_bodyLeft = head.length;
    if (head.framing == Framing::Chunked)
        m_chunks.emplace(body_bytes_max);
    else
        m_request.body.reserve(std::min<qint64>(head.length, limits::http_read_ahead_bytes_max));
    m_since_ms = m_owner.now_ms();
    enter(State::Body, bodyDeadline_ms());
    if (head.expectsContinue && !bodyHasBegun && !m_transport->write("HTTP/1.1 100 Continue\r\n\r\n"))
        close();
}

// A client has a fixed time, and more for each byte that it has sent.
qint64 GateConnection::bodyDeadline_ms() const
{
    const ServerOptions &options = m_owner.options();
    return m_since_ms + options.body_deadline_ms + m_request.body.size() * 1000 / std::max(options.body_rate_min, 1);
}

qsizetype GateConnection::takeBody(QByteArrayView bytes)
{
    if (bytes.isEmpty())
        return 0;
    qsizetype used = 0;
    bool complete = false;
    if (m_chunks) {
        used = m_chunks->take(bytes, m_request.body);
        if (m_chunks->fault()) {
            refuse(*m_chunks->fault());
            return 0;
        }
        complete = m_chunks->finished();
    } else {
        used = std::min<qsizetype>(m_bodyLeft, bytes.size());
        m_request.body.append(bytes.first(used));
        m_bodyLeft -= used;
        complete = m_bodyLeft == 0;
    }
    if (complete) {
        m_chunks.reset();
        enter(State::Complete, std::numeric_limits<qint64>::max());
    } else {
        m_deadline_ms = bodyDeadline_ms();
    }
    return used;
}

// --- Serving -----------------------------------------------------------------------------------------------------------------

void GateConnection::dispatch()
{
    m_request.peer = m_peer;
    m_request.secure = m_owner.options().tls && !m_peer.user;
    if (m_owner.options().judge)
        m_owner.options().judge(m_request);
    m_closeAfterwards = !m_keepAlive;
    enter(State::Busy, m_owner.now_ms() + m_owner.options().answer_deadline_ms);
    const bool isDirect = m_request.place.isDirect;
    auto exchange = std::make_shared<ExchangeState>(std::exchange(m_request, {}), this, ++m_sequence);
    m_exchange = exchange.get();
    m_released = false;
    m_dispatching = true;
    // QtHttpServer's parser sees nothing of what the client wrote. The body stays here, as QtHttpServer would keep three copies of it. A
    // listener that is closed has nobody to hand a facade to.
    if (isDirect || (!m_facade && m_owner.draining()))
        m_owner.serve(std::move(exchange));
    else
        facade().feed(std::move(exchange));
    m_dispatching = false;
}

// Most connections of pushers and workers never need one.
GateSocket &GateConnection::facade()
{
    if (!m_facade) {
        m_facade = new GateSocket(m_peer.address);
        m_listener.announce(m_facade);
    }
    return *m_facade;
}

void GateConnection::releaseFacade()
{
    if (m_facade)
        m_facade->releaseBuffers();
}

bool GateConnection::answer(quint64 sequence, Response response)
{
    if (sequence != m_sequence || m_state != State::Busy)
        return false;
    const ExchangeState *exchange = std::exchange(m_exchange, nullptr);
    if (response.socket)
        upgrade(exchange->request, response.socket);
    else
        send(response, m_closeAfterwards || m_owner.draining());
    return m_state != State::Closed;
}

void GateConnection::dropped(quint64 sequence)
{
    if (sequence != m_sequence || m_state != State::Busy)
        return;
    m_exchange = nullptr;
    send(problemResponse(reasons::requestDropped()), m_closeAfterwards || m_owner.draining());
}

// A request that is refused here is the last of its connection: where the next one would begin is not certain.
void GateConnection::refuse(Refusal refusal)
{
    m_request = {};
    m_chunks.reset();
    send(problemResponse(refusal), true);
}

void GateConnection::send(const Response &response, bool close)
{
    m_closeAfterwards = close;
    const QByteArray bytes = composeAnswer(response, {m_owner.date(), close, m_toHead, m_owner.options().fields});
    const bool inParts = response.parts && !m_toHead;
    m_toHead = false;
    if (!m_transport->write(bytes))
        return this->close();
    if (inParts)
        return sendParts(response.parts);
    const qint64 unsent = m_transport->unsent_bytes();
    if (unsent == 0)
        return answerSent();
    const ServerOptions &options = m_owner.options();
    enter(State::Writing, m_owner.now_ms() + options.write_deadline_ms + unsent * 1000 / std::max(options.body_rate_min, 1));
}

void GateConnection::sendParts(std::shared_ptr<BodyParts> parts)
{
    m_parts = std::move(parts);
    m_state = State::Streaming;
    askForPart();
}

// Asks when all that was written has left, so that no more than one part is here.
void GateConnection::askForPart()
{
    const ServerOptions &options = m_owner.options();
    const qint64 unsent = m_transport->unsent_bytes();
    if (unsent > 0) {
        m_deadline_ms = m_owner.now_ms() + options.write_deadline_ms + unsent * 1000 / std::max(options.body_rate_min, 1);
        return;
    }
    m_deadline_ms = m_owner.now_ms() + options.answer_deadline_ms;
    m_asking = std::make_shared<int>();
    m_parts->next([this, wanted = std::weak_ptr(m_asking)](const std::optional<QByteArray> &part) {
        if (!wanted.expired())
            takePart(part);
    });
}

void GateConnection::takePart(const std::optional<QByteArray> &part)
{
    m_asking.reset();
    if (!part)
        return close();
    if (!part->isEmpty()) {
        if (!m_transport->write(QByteArray::number(part->size(), 16) + "\r\n" + *part + "\r\n"))
            return close();
        return askForPart();
    }
    m_parts.reset();
    if (!m_transport->write("0\r\n\r\n"))
        return close();
    if (m_transport->unsent_bytes() == 0)
        return answerSent();
    enter(State::Writing, m_owner.now_ms() + m_owner.options().write_deadline_ms);
}

void GateConnection::written()
{
    if (m_state == State::Streaming && !m_asking)
        return askForPart();
    if (m_state == State::Socket && !m_scheduled)
        return settle();
    if (m_state != State::Writing || m_transport->unsent_bytes() > 0)
        return;
    answerSent();
    settle();
}

void GateConnection::answerSent()
{
    if (m_closeAfterwards)
        return linger();
    m_since_ms = m_owner.now_ms();
    enter(State::Idle, m_since_ms + m_owner.options().idle_deadline_ms);
    // During a call of the handler, process() goes on with what was read ahead. Otherwise resume() does, in a later turn: this answer may
    // come from another handler, and the next one must not run inside it.
    if (!m_dispatching && !m_in.isEmpty() && !m_scheduled) {
        m_scheduled = true;
        m_owner.resumeLater(*this);
    }
}

// --- As a WebSocket ----------------------------------------------------------------------------------------------------------

void GateConnection::upgrade(const Request &request, const std::shared_ptr<SocketUser> &user)
{
    const ServerOptions &options = m_owner.options();
    const auto shaken = shakeHands(request, user->protocol());
    if (const auto *refusal = std::get_if<Refusal>(&shaken)) {
        Response response = problemResponse(*refusal);
        if (refusal->status() == 426)
            response.fields.append({QByteArrayLiteral("Sec-WebSocket-Version"), QByteArrayLiteral("13")});
        return send(response, m_closeAfterwards || m_owner.draining());
    }
    if (m_owner.draining())
        return send(problemResponse(reasons::masterStopping()), true);
    if (!options.counts->enterSocket(options.sockets_max))
        return send(problemResponse(reasons::websocketsTooMany()), m_closeAfterwards);
    m_socket = std::make_unique<SocketEnd>(*m_transport, options, user);
    const auto &handshake = std::get<Handshake>(shaken);
    if (!m_transport->write(composeUpgrade(handshake.accept, handshake.protocol, {m_owner.date(), false, false, options.fields})))
        return close();
    enter(State::Socket, std::numeric_limits<qint64>::max());
    // Its user is told in a later turn: this may be a call of it.
    if (!std::exchange(m_scheduled, true))
        m_owner.resumeLater(*this);
}

void GateConnection::takeFrames(QByteArrayView bytes)
{
    m_socket->take(bytes);
    heedSocket();
}

void GateConnection::heedSocket()
{
    const SocketEnd::Over over = m_socket->over();
    if (over == SocketEnd::Over::No)
        return;
    over == SocketEnd::Over::Ended ? close() : linger();
    endSocket();
}

void GateConnection::endSocket()
{
    if (const auto socket = std::exchange(m_socket, nullptr)) {
        m_owner.options().counts->leaveSocket();
        socket->end();
    }
}

// --- Ending ------------------------------------------------------------------------------------------------------------------

void GateConnection::inputEnded()
{
    if (m_state == State::Writing || m_scheduled) {
        m_ended = true;
        m_readingOff = true;
        m_transport->setReading(Transport::Reading::Off);
        return;
    }
    failed();
}

// The client is gone, as far as can be told.
void GateConnection::failed()
{
    if (m_state == State::Closed)
        return;
    close();
    letGo();
    endSocket();
}

void GateConnection::letGo()
{
    if (ExchangeState *exchange = std::exchange(m_exchange, nullptr))
        exchange->gone();
}

// Ends our side and reads on for a while: closing over unread bytes would reset the connection before the client has read its
// answer (RFC 9112 §9.6).
void GateConnection::linger()
{
    enter(State::Lingering, m_owner.now_ms() + limits::http_linger_ms);
    m_in = {};
    if (m_ended)
        return close();
    if (std::exchange(m_readingOff, false))
        m_transport->setReading(Transport::Reading::On);
    m_transport->endOutput();
}

void GateConnection::close()
{
    if (m_state == State::Closed)
        return;
    m_state = State::Closed;
    if (m_transport)
        m_transport->abort();
    m_in = {};
    m_request = {};
    m_parts.reset();
    m_asking.reset();
    if (GateSocket *facade = std::exchange(m_facade, nullptr))
        facade->hangUp();
    m_owner.retire(*this);
}

void GateConnection::drain()
{
    m_closeAfterwards = true;
    if (m_state == State::Idle && !m_scheduled)
        linger();
    else if (m_state == State::Socket)
        m_socket->close(CloseCode::GoingAway, reasons::masterStopping().reason.text);
    else if (m_state == State::Handshake)
        close();
}

void GateConnection::tick(qint64 now)
{
    if (m_state == State::Idle && !m_released && !m_scheduled && now - m_since_ms >= limits::http_release_ms) {
        m_released = true;
        releaseFacade();
        m_in.squeeze();
        for (std::unique_ptr<KnownHead> &known : m_known)
            known.reset();
    }
    if (m_state == State::Streaming && !m_parts->mayGoOn())
        return close();
    if (m_state == State::Socket) {
        m_socket->tick(now);
        return heedSocket();
    }
    if (!expired(now))
        return;
    switch (m_state) {
    case State::Head: return refuse(reasons::headTooSlow());
    case State::Body: return refuse(reasons::bodyTooSlow());
    case State::Busy: {
        // The handler is told that its answer is no longer wanted.
        ExchangeState *exchange = std::exchange(m_exchange, nullptr);
        send(problemResponse(reasons::notAnsweredInTime()), m_closeAfterwards || m_owner.draining());
        if (exchange != nullptr)
            exchange->gone();
        return;
    }
    case State::Handshake:
    case State::Idle:
    case State::Writing:
    case State::Streaming:
    case State::Lingering: return close();
    case State::Complete:
    case State::Socket:
    case State::Closed: return;
    }
}

} // namespace junban::http
