#include "server/http/httpserver.h"

#include "server/http/gate.h"
#include "server/http/gatesocket.h"

#include <QAbstractHttpServer>
#include <QHttpServerRequest>
#include <QtDebug>
#include <exception>

namespace junban::http {

namespace {

// Handlers do not throw, but the libraries that they call may. Then the exchange is dropped, and answered with 500.
Gate::Serve guarded(HttpServer::Handler handler)
{
    return [handler = std::move(handler)](std::shared_ptr<ExchangeState> state) {
        try {
            handler(Exchange(std::move(state)));
        } catch (const std::exception &exception) {
            qCritical("the handler of a request failed: %s", exception.what());
        }
    };
}

// Qt's server, behind the gate. This class has everything that depends on its version; this is the interface of 6.4. Qt's server never
// writes: an exchange answers through its connection, because a responder of 6.4 is not safe when its socket has gone.
class Backend final : public QAbstractHttpServer
{
public:
    explicit Backend(Gate::Serve serve) : m_serve(std::move(serve)) {}

protected:
    bool handleRequest(const QHttpServerRequest &, QTcpSocket *socket) override
    {
        // None: it is over already, and the gate ends it.
        if (std::shared_ptr<ExchangeState> state = static_cast<GateSocket *>(socket)->takeExchange())
            m_serve(std::move(state));
        return true;
    }

    void missingHandler(const QHttpServerRequest &, QTcpSocket *) override {}

private:
    const Gate::Serve m_serve;
};

} // namespace

class HttpServer::Private
{
public:
    Private(ServerOptions options, const Gate::Serve &serve)
        : gate(std::make_unique<Gate>(std::move(options), serve)), backend(std::make_unique<Backend>(serve))
    {
    }
    ~Private()
    {
        // The connections and their GateSockets go first: they use the listeners, which the backend owns.
        gate->closeAll();
        backend.reset();
    }

    std::unique_ptr<Gate> gate;
    std::unique_ptr<Backend> backend;
};

HttpServer::HttpServer(ServerOptions options, Handler handler, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(std::move(options), guarded(std::move(handler))))
{
}

HttpServer::~HttpServer() = default;

Result<quint16> HttpServer::listen(const QHostAddress &address, quint16 port, PortUse use)
{
    Result<std::unique_ptr<GateListener>> listener = d->gate->makeListener(address, port, use);
    if (!listener)
        return listener.error();
    const quint16 bound = (*listener)->serverPort();
    d->backend->bind(std::move(listener).value().release()); // takes ownership
    return bound;
}

Result<Done> HttpServer::listen(const UnixSocket &socket)
{
    Result<std::unique_ptr<GateListener>> listener = d->gate->makeListener(socket);
    if (!listener)
        return listener.error();
    d->backend->bind(std::move(listener).value().release()); // takes ownership
    return Done{};
}

int HttpServer::connections() const
{
    return d->gate->connections();
}

void HttpServer::drain(std::function<void()> done)
{
    d->gate->drain(std::move(done));
}

} // namespace junban::http
