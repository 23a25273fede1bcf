#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/payload.h"
#include "server/http/epolldispatcher.h"
#include "server/http/httpserver.h"

#include <QCoreApplication>
#include <QSocketNotifier>
#include <QTimer>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <hiredis/hiredis.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// The floor below a queue's full cycle: a server without any logic that answers the load generator as a master does, and writes to Redis
// what a master has to: a job's record when it is pushed, its state when it is claimed, both gone when it is done. No answer leaves
// before Redis has confirmed it. It checks nothing, loses everything at its end, and knows one name. Usage: bench_floor SOCKET [port];
// serves 127.0.0.1 until it is killed.

using namespace junban;
using namespace junban::http;

namespace {

[[noreturn]] void die(const char *what)
{
    std::fprintf(stderr, "bench_floor: %s\n", what);
    std::exit(1);
}

// One connection to Redis. The commands of a pass of the event loop leave together, and what waits for them is called when the last was
// answered.
class Redis
{
public:
    explicit Redis(const char *socket)
        : m_context(redisConnectUnixNonBlock(socket))
    {
        if (!m_context || m_context->err)
            die("cannot connect to Redis");
        m_readable = std::make_unique<QSocketNotifier>(m_context->fd, QSocketNotifier::Read);
        QObject::connect(m_readable.get(), &QSocketNotifier::activated, m_readable.get(), [this] { read(); });
        m_flush.setSingleShot(true);
        QObject::connect(&m_flush, &QTimer::timeout, &m_flush, [this] { flush(); });
    }

    void send(const std::vector<QByteArray> &words)
    {
        std::vector<const char *> texts;
        std::vector<size_t> sizes;
        for (const QByteArray &word : words) {
            texts.push_back(word.constData());
            sizes.push_back(size_t(word.size()));
        }
        redisAppendCommandArgv(m_context, int(words.size()), texts.data(), sizes.data());
        ++m_sent;
        if (!m_flush.isActive())
            m_flush.start(0);
    }
    // Calls `then` when all that was sent until now is confirmed.
    void confirmed(std::function<void()> then) { m_waiting.emplace_back(m_sent, std::move(then)); }

private:
    void flush()
    {
        int done = 0;
        while (!done) {
            if (redisBufferWrite(m_context, &done) != REDIS_OK)
                die("lost Redis");
        }
    }

    void read()
    {
        if (redisBufferRead(m_context) != REDIS_OK)
            die("lost Redis");
        void *reply = nullptr;
        while (redisReaderGetReply(m_context->reader, &reply) == REDIS_OK && reply) {
            if (static_cast<redisReply *>(reply)->type == REDIS_REPLY_ERROR)
                die("Redis refuses");
            freeReplyObject(reply);
            ++m_answered;
        }
        while (!m_waiting.empty() && m_waiting.front().first <= m_answered) {
            const auto then = std::move(m_waiting.front().second);
            m_waiting.pop_front();
            then();
        }
    }

    redisContext *m_context;
    std::unique_ptr<QSocketNotifier> m_readable;
    QTimer m_flush;
    quint64 m_sent = 0;
    quint64 m_answered = 0;
    std::deque<std::pair<quint64, std::function<void()>>> m_waiting;
};

class Floor
{
public:
    explicit Floor(const char *socket)
        : m_redis(socket)
    {
    }

    void handle(const Exchange &exchange)
    {
        if (exchange.request().path == "/v1/jobs")
            push(exchange);
        else
            turn(exchange);
    }

private:
    struct Job {
        qint64 number;
        QByteArray record; // the request's body
    };

    static constexpr qint64 segment_jobs = 512;
    static QByteArray key(qint64 number) { return "jq:floor:s:" + QByteArray::number(number / segment_jobs); }
    static QByteArray field(qint64 number, char kind)
    {
        const auto place = quint16(number % segment_jobs);
        return QByteArray(1, char(place >> 8)) + char(place & 0xff) + kind;
    }

    void push(const Exchange &exchange)
    {
        const Job job{++m_last, exchange.request().body};
        m_redis.send({"HSET", key(job.number), field(job.number, 'j'), job.record});
        m_redis.confirmed([this, exchange, job] {
            MsgpackWriter writer;
            writer.map(1).text("id").text(QByteArray::number(job.number));
            exchange.reply({201, QByteArrayLiteral("application/vnd.msgpack"), writer.take()});
            m_ready.push_back(job);
            serve();
        });
    }

    void turn(const Exchange &exchange)
    {
        const QByteArray &body = exchange.request().body;
        const payload::Step ended[] = {
            {.key = QByteArrayView("outcomes"), .index = -1}, {.key = {}, .index = 0}, {.key = QByteArrayView("id"), .index = -1}};
        if (const auto id = payload::find(body, ended)) {
            const qint64 number = payload::Reader(*id).next()->bytes.toLongLong();
            m_redis.send({"HDEL", key(number), field(number, 'j'), field(number, 's')});
        }
        const payload::Step claim[] = {{.key = QByteArrayView("claim"), .index = -1}};
        if (payload::find(body, claim)) {
            m_workers.push_back(exchange);
            serve();
        } else {
            m_redis.confirmed([exchange] { answer(exchange, {}); });
        }
    }

    void serve()
    {
        while (!m_ready.empty() && !m_workers.empty()) {
            const Job job = std::move(m_ready.front());
            const Exchange worker = std::move(m_workers.front());
            m_ready.pop_front();
            m_workers.pop_front();
            m_redis.send({"HSET", key(job.number), field(job.number, 's'), QByteArray(state_bytes, 's')});
            m_redis.confirmed([worker, job] { answer(worker, {job}); });
        }
    }

    static void answer(const Exchange &exchange, const std::vector<Job> &jobs)
    {
        MsgpackWriter writer;
        writer.map(1).text("jobs").array(qsizetype(jobs.size()));
        for (const Job &job : jobs) {
            const payload::Step argument[] = {{.key = QByteArrayView("argument"), .index = -1}};
            writer.map(3).text("id").text(QByteArray::number(job.number)).text("lease").text(QByteArray(lease_bytes, 'l'));
            writer.text("argument").raw(payload::find(job.record, argument).value_or(QByteArrayView(payload::nil, 1)));
        }
        exchange.reply({200, QByteArrayLiteral("application/vnd.msgpack"), writer.take()});
    }

    static constexpr qsizetype state_bytes = 60; // a lease, an attempt and its times, packed
    static constexpr qsizetype lease_bytes = 32;

    Redis m_redis;
    qint64 m_last = 0;
    std::deque<Job> m_ready;
    std::deque<Exchange> m_workers;
};

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2)
        die("usage: bench_floor SOCKET [port]");
    QCoreApplication::setEventDispatcher(new EpollDispatcher);
    QCoreApplication app(argc, argv);
    Floor floor(argv[1]);
    HttpServer server({}, [&](const Exchange &exchange) { floor.handle(exchange); });
    const Result<quint16> bound = server.listen(QHostAddress(QHostAddress::LocalHost), argc > 2 ? quint16(std::atoi(argv[2])) : quint16(0));
    if (!bound)
        die(bound.error().message().constData());
    std::printf("floor on 127.0.0.1:%d\n", *bound);
    std::fflush(stdout);
    return app.exec();
}
