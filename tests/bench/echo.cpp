#include "server/http/epolldispatcher.h"
#include "server/http/httpserver.h"

#include <QCoreApplication>
#include <QThread>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

// The bare POST echo through the product's own HTTP layer: what the throughput of the API is compared with. Usage:
// bench_echo [port [threads]]; serves 127.0.0.1 until it is killed.

using namespace junban;
using namespace junban::http;

namespace {

void echo(const Exchange &exchange)
{
    const Request &request = exchange.request();
    exchange.reply({200, QByteArrayLiteral("application/vnd.msgpack"), request.body});
}

quint16 listenOrExit(HttpServer &server, quint16 port, PortUse use)
{
    const Result<quint16> bound = server.listen(QHostAddress(QHostAddress::LocalHost), port, use);
    if (!bound) {
        std::fprintf(stderr, "%s\n", bound.error().message().constData());
        std::exit(1);
    }
    return *bound;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication::setEventDispatcher(new EpollDispatcher);
    QCoreApplication app(argc, argv);
    const quint16 port = argc > 1 ? static_cast<quint16>(std::atoi(argv[1])) : quint16(8080);
    const int threads = argc > 2 ? std::atoi(argv[2]) : 1;
    const ServerOptions options;

    HttpServer server(options, echo);
    const quint16 bound = listenOrExit(server, port, PortUse::Alone);
    std::vector<std::unique_ptr<QThread>> more;
    for (int i = 1; i < threads; ++i) {
        auto thread = std::make_unique<QThread>();
        thread->setEventDispatcher(new EpollDispatcher);
        thread->start();
        auto *context = new QObject; // lives, with its server, until the process is killed
        context->moveToThread(thread.get());
        QMetaObject::invokeMethod(context, [=] {
            auto *joined = new HttpServer(options, echo, context);
            listenOrExit(*joined, bound, PortUse::Join);
        });
        more.push_back(std::move(thread));
    }
    std::printf("echo on 127.0.0.1:%d, %d thread%s\n", bound, threads, threads == 1 ? "" : "s");
    std::fflush(stdout);
    return app.exec();
}
