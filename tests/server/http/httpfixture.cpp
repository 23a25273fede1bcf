#include "tests/server/http/httpfixture.h"

#include "server/http/epolldispatcher.h"
#include "server/http/socket.h"

#include <QDeadlineTimer>
#include <QtEndian>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace junban::test {

using namespace junban::http;

namespace {

constexpr int patience_ms = 15'000;

QByteArray describe(const Request &request)
{
    QByteArray text = request.method + ' ' + request.path + '\n' + request.query + '\n';
    for (const auto &[name, value] : request.fields)
        text += name + '=' + value + '\n';
    return text;
}

const QByteArray textType = QByteArrayLiteral("text/plain");

// Sends texts back. "close" closes, "fill" sends messages of 1 KiB until one is not taken.
class EchoUser final : public SocketUser
{
public:
    explicit EchoUser(HttpFixture &fixture) : m_fixture(fixture) {}

    QByteArray protocol() const override { return "test.echo"; }
    void opened(Socket &socket) override
    {
        m_socket = &socket;
        ++m_fixture.opened;
    }
    void received(const QByteArray &text) override
    {
        if (text == "close")
            m_socket->close(CloseCode::Unauthorized, "As asked.");
        else if (text == "fill")
            while (m_socket->send(QByteArray(1'024, 'x')))
                ++m_fixture.filled;
        else
            m_socket->send(text);
    }
    void ended() override { ++m_fixture.ended; }

private:
    HttpFixture &m_fixture;
    Socket *m_socket = nullptr;
};

} // namespace

HttpFixture::HttpFixture(ServerOptions options, const QHostAddress &address, quint16 port, PortUse use)
{
    options.place = [place = std::exchange(options.place, nullptr), direct = isDirect](const QByteArray &method, const QByteArray &path) {
        Place found = place ? place(method, path) : Place();
        found.isDirect = direct;
        return found;
    };
    m_thread.setEventDispatcher(new EpollDispatcher);
    m_thread.start();
    m_context = new QObject;
    m_context->moveToThread(&m_thread);
    QMetaObject::invokeMethod(m_context, [&] {
        m_server = std::make_unique<HttpServer>(std::move(options), [this](Exchange exchange) { handle(std::move(exchange)); });
        const Result<quint16> bound = m_server->listen(address, port, use);
        if (bound)
            m_port = *bound;
        else
            m_error = bound.error().message();
    }, Qt::BlockingQueuedConnection);
}

HttpFixture::~HttpFixture()
{
    QMetaObject::invokeMethod(m_context, [&] {
        m_server.reset();
        m_held.clear();
        m_kept.clear();
        delete m_context;
    }, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

void HttpFixture::inServer(const std::function<void(HttpServer &)> &function)
{
    QMetaObject::invokeMethod(m_context, [&] { function(*m_server); }, Qt::BlockingQueuedConnection);
}

int HttpFixture::connections()
{
    int count = 0;
    inServer([&](HttpServer &server) { count = server.connections(); });
    return count;
}

int HttpFixture::held()
{
    int count = 0;
    inServer([&](HttpServer &) { count = static_cast<int>(m_held.size()); });
    return count;
}

int HttpFixture::release()
{
    int taken = 0;
    inServer([&](HttpServer &) { taken = releaseHeld(); });
    return taken;
}

void HttpFixture::releaseAndDrain()
{
    inServer([&](HttpServer &server) {
        releaseHeld();
        server.drain([this] { drained = true; });
    });
}

int HttpFixture::releaseHeld()
{
    int taken = 0;
    while (!m_held.isEmpty()) {
        const Exchange exchange = m_held.takeLast();
        const bool alive = exchange.alive();
        Response response{200, textType, exchange.request().body};
        if (exchange.request().query == "socket")
            response.socket = std::make_shared<EchoUser>(*this);
        const bool replied = exchange.reply(std::move(response));
        // A live one may find out just now, by writing, that its client is gone.
        if (replied && !alive)
            qFatal("a dead exchange took an answer");
        replied ? ++taken : ++deadReplies;
    }
    return taken;
}

void HttpFixture::handle(Exchange exchange)
{
    ++handled;
    const Request &request = exchange.request();
    if (request.path == "/hold" || request.path == "/never") {
        exchange.onGone([this] { ++gone; });
        (request.path == "/hold" ? m_held : m_kept).append(exchange);
    } else if (request.path == "/drop") {
        return;
    } else if (request.path == "/fail") {
        throw std::runtime_error("as asked"); // what a library may do
    } else if (request.path == "/socket") {
        Response response;
        response.socket = std::make_shared<EchoUser>(*this);
        exchange.reply(std::move(response));
    } else if (request.path == "/head") {
        exchange.reply({200, textType, describe(request)});
    } else if (request.path == "/peer") {
        exchange.reply({200, textType, request.peer.user ? "user " + QByteArray::number(*request.peer.user)
                                                         : request.peer.address.toString().toUtf8()});
    } else if (request.path == "/status") {
        exchange.reply({request.query.toInt(), textType, "text"});
    } else if (request.path == "/big") {
        exchange.reply({200, textType, QByteArray(request.query.toInt(), 'x')});
    } else if (request.path == "/inject") {
        exchange.reply({200, textType, "text", {{"X-A", "1\r\nX-B: 2"}, {"X C", "3"}, {"Content-Length", "0"},
                                                {"Connection", "upgrade"}, {"X-Good", "4"}, {"Cache-Control", "max-age=5"}}});
    } else {
        exchange.reply({200, request.body.isEmpty() ? QByteArray() : textType, request.body});
    }
}

QByteArray Answer::field(const QByteArray &name) const
{
    for (const QByteArray &line : head.split('\n')) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0 && line.first(colon).toLower() == name)
            return line.sliced(colon + 1).trimmed().append(""); // empty, but not null
    }
    return {};
}

RawClient::RawClient(quint16 port, const QByteArray &address)
{
    sockaddr_in v4{};
    sockaddr_in6 v6{};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    const bool isV6 = address.contains(':');
    inet_pton(isV6 ? AF_INET6 : AF_INET, address.constData(), isV6 ? static_cast<void *>(&v6.sin6_addr) : &v4.sin_addr);
    m_fd = ::socket(isV6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto *where = isV6 ? reinterpret_cast<const sockaddr *>(&v6) : reinterpret_cast<const sockaddr *>(&v4);
    const int on = 1;
    setsockopt(m_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // each send() is a packet
    if (::connect(m_fd, where, isV6 ? sizeof v6 : sizeof v4) != 0)
        close();
}

RawClient::~RawClient()
{
    close();
}

bool RawClient::send(const QByteArray &bytes)
{
    qsizetype sent = 0;
    const QDeadlineTimer limit(patience_ms);
    while (sent < bytes.size() && !limit.hasExpired()) {
        const ssize_t size = ::send(m_fd, bytes.constData() + sent, static_cast<size_t>(bytes.size() - sent),
                                    MSG_NOSIGNAL | MSG_DONTWAIT);
        if (size > 0) {
            sent += size;
        } else if (size < 0 && errno == EAGAIN) {
            pollfd ready{m_fd, POLLOUT, 0};
            poll(&ready, 1, 100);
        } else {
            return false;
        }
    }
    return sent == bytes.size();
}

// Reads some more; false at the end, on an error and when it takes too long.
bool RawClient::fill()
{
    if (m_fd < 0)
        return false;
    pollfd ready{m_fd, POLLIN, 0};
    if (poll(&ready, 1, patience_ms) <= 0)
        qFatal("the server did not answer, nor end the connection");
    char buffer[65'536];
    const ssize_t size = ::recv(m_fd, buffer, sizeof buffer, 0);
    if (size > 0)
        m_in.append(buffer, size);
    return size > 0;
}

Answer RawClient::answer(Expect expect)
{
    Answer answer;
    qsizetype end = -1;
    while ((end = m_in.indexOf("\r\n\r\n")) < 0) {
        if (!fill())
            return {};
    }
    answer.head = m_in.first(end + 2);
    m_in.remove(0, end + 4);
    if (!answer.head.startsWith("HTTP/1.1 "))
        return {};
    answer.status = answer.head.mid(9, 3).toInt();
    if (answer.status < 200 && answer.status != 101) {
        ++m_interim;
        return this->answer(expect);
    }
    if (expect == Expect::HeadOnly)
        return answer;
    const qsizetype size = answer.field("content-length").toInt();
    while (m_in.size() < size) {
        if (!fill())
            return {};
    }
    answer.body = m_in.first(size);
    m_in.remove(0, size);
    return answer;
}

bool RawClient::has(qsizetype size)
{
    while (m_in.size() < size) {
        if (!fill())
            return false;
    }
    return true;
}

Frame RawClient::frame()
{
    if (!has(2))
        return {};
    Frame frame{m_in[0] & 0x0f, (m_in[0] & 0x80) != 0, {}};
    qsizetype size = quint8(m_in[1]);
    if (size > 126)
        qFatal("the server's frame is masked or too long");
    const qsizetype begin = size == 126 ? 4 : 2;
    if (!has(begin))
        return {};
    if (size == 126)
        size = qFromBigEndian<quint16>(m_in.constData() + 2);
    if (!has(begin + size))
        return {};
    frame.payload = m_in.mid(begin, size);
    m_in.remove(0, begin + size);
    return frame;
}

int Frame::closeCode() const
{
    if (opcode != Close)
        return -1;
    return payload.size() < 2 ? 0 : qFromBigEndian<quint16>(payload.constData());
}

bool RawClient::endsSilently()
{
    return rest().isEmpty();
}

QByteArray RawClient::rest()
{
    while (fill()) { }
    return std::exchange(m_in, {});
}

void RawClient::endOutput()
{
    ::shutdown(m_fd, SHUT_WR);
}

void RawClient::reset()
{
    const linger now{1, 0};
    setsockopt(m_fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
}

void RawClient::close()
{
    if (m_fd >= 0)
        ::close(m_fd);
    m_fd = -1;
}

QByteArray request(const QByteArray &method, const QByteArray &target, const QByteArray &body, const QByteArray &fields)
{
    QByteArray text = method + ' ' + target + " HTTP/1.1\r\nHost: localhost\r\n" + fields;
    if (!body.isNull())
        text += "Content-Length: " + QByteArray::number(body.size()) + "\r\n";
    return text + "\r\n" + body;
}

QByteArray upgrade(const QByteArray &fields)
{
    return request("GET", "/socket", {}, "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" + fields);
}

QByteArray frame(int first, const QByteArray &payload)
{
    QByteArray bytes(1, char(first));
    if (payload.size() < 126) {
        bytes += char(0x80 | payload.size());
    } else {
        bytes += char(0xfe);
        bytes += char(payload.size() >> 8);
        bytes += char(payload.size() & 0xff);
    }
    const QByteArray mask = "\x12\x34\x56\x78";
    bytes += mask;
    for (qsizetype i = 0; i < payload.size(); ++i)
        bytes += char(payload[i] ^ mask[i % 4]);
    return bytes;
}

QByteArray closeFrame(int code, const QByteArray &reason)
{
    QByteArray payload(2, '\0');
    qToBigEndian(quint16(code), payload.data());
    return frame(0x80 | Close, payload + reason);
}

Answer exchange(quint16 port, const QByteArray &bytes)
{
    RawClient client(port);
    client.send(bytes);
    return client.answer();
}

bool eventually(const std::function<bool()> &condition)
{
    const QDeadlineTimer limit(patience_ms);
    while (!condition()) {
        if (limit.hasExpired())
            return false;
        QThread::msleep(5);
    }
    return true;
}

} // namespace junban::test
