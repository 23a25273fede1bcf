#include "tests/bench/servers/junban.h"

#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/payload.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace bench {

using junban::MsgpackWriter;
namespace payload = junban::payload;

std::string_view view(const QByteArray &bytes)
{
    return {bytes.constData(), static_cast<size_t>(bytes.size())};
}

void fail(const char *what, const Reply &reply)
{
    std::fprintf(stderr, "bench: %s: status %d: %.*s\n", what, reply.status, int(std::min<size_t>(reply.body.size(), 300)),
        reply.body.data());
    std::exit(1);
}

std::vector<Taken> jobsOf(std::string_view body)
{
    const payload::Step path[] = {{.key = QByteArrayView("jobs"), .index = -1}};
    std::vector<Taken> jobs;
    const auto found = payload::find(QByteArrayView(body.data(), qsizetype(body.size())), path);
    if (!found)
        return jobs;
    payload::Reader reader(*found);
    const auto list = reader.next();
    for (quint32 i = 0; list && i < list->count; ++i) {
        const auto job = reader.next();
        Taken taken;
        for (quint32 field = 0; job && field < job->count; ++field) {
            const auto key = reader.next();
            const auto value = reader.skip();
            if (!key || !value)
                break;
            if (key->bytes == "id")
                taken.id = payload::Reader(*value).next()->bytes.toByteArray().toStdString();
            else if (key->bytes == "lease")
                taken.lease = payload::Reader(*value).next()->bytes.toByteArray().toStdString();
            else if (key->bytes == "argument")
                taken.sent_s = payload::Reader(*value).next()->real;
        }
        jobs.push_back(std::move(taken));
    }
    return jobs;
}

QByteArray packOutcomes(const std::vector<Taken> &finished, int limit, double wait_s)
{
    MsgpackWriter writer;
    writer.map(limit > 0 ? 3 : 2).text("worker").text("bench").text("outcomes").array(qsizetype(finished.size()));
    for (const Taken &job : finished) {
        writer.map(5).text("id").text(QByteArray::fromStdString(job.id)).text("lease").text(QByteArray::fromStdString(job.lease));
        writer.text("type").text("success").text("finished_at").text("2026-01-01T00:00:00Z").text("result").nil();
    }
    if (limit > 0)
        writer.text("claim").map(2).text("limit").integer(limit).text("wait").real(wait_s);
    return writer.take();
}

namespace {

QByteArray packJob(const Options &options, double sent_s, long key)
{
    MsgpackWriter writer;
    writer.map(options.priority ? 3 : 2).text("name").text(QByteArray::fromStdString(options.name)).text("argument");
    if (sent_s > 0)
        writer.real(sent_s);
    else if (options.keys > 0)
        writer.integer(key);
    else
        writer.text(QByteArray(argument_bytes, 'x'));
    if (options.priority)
        writer.text("priority").integer(options.priority);
    return writer.take();
}

class JunbanPusher : public Pusher
{
public:
    JunbanPusher(Loop &loop, const Options &options, int port, long &next)
        : m_connection(loop, port)
        , m_options(options)
        , m_job(packJob(options, 0, 0))
        , m_next(next)
    {
    }

    void push(int count, double sent_s, std::function<void()> pushed) override
    {
        m_pushed = std::move(pushed);
        const auto answered = [this](const Reply &reply) {
            if (reply.status != 200 && reply.status != 201)
                fail("push", reply);
            std::exchange(m_pushed, nullptr)();
        };
        if (count == 1) {
            m_connection.post("/v1/jobs", view(sent_s > 0 || m_options.keys > 0 ? packJob(m_options, sent_s, key()) : m_job), answered);
            return;
        }
        if (count != m_batched || m_options.keys > 0) {
            m_batched = count;
            MsgpackWriter writer;
            writer.map(1).text("jobs").array(count);
            for (int i = 0; i < count; ++i)
                writer.raw(m_options.keys > 0 ? packJob(m_options, 0, key()) : m_job);
            m_batch = writer.take();
        }
        m_connection.post("/v1/jobs/batch", view(m_batch), answered);
    }

private:
    long key() { return m_options.keys > 0 ? m_next++ % m_options.keys : 0; }

    Connection m_connection;
    Options m_options;
    QByteArray m_job;
    long &m_next; // of all pushers
    QByteArray m_batch;
    int m_batched = 0;
    std::function<void()> m_pushed;
};

class JunbanWorker : public Worker
{
public:
    JunbanWorker(Loop &loop, int port)
        : m_connection(loop, port)
    {
    }

    void turn(std::vector<Taken> finished, int limit, Next next) override
    {
        m_next = std::move(next);
        m_connection.post("/v1/outcomes", view(packOutcomes(finished, limit, 2)), [this](const Reply &reply) {
            if (reply.status != 200)
                fail("outcomes", reply);
            std::exchange(m_next, nullptr)(jobsOf(reply.body));
        });
    }

private:
    Connection m_connection;
    Next m_next;
};

class Junban : public Server
{
public:
    explicit Junban(const Options &options)
        : m_options(options)
    {
    }
    std::unique_ptr<Pusher> pusher(Loop &loop) override
    {
        return std::make_unique<JunbanPusher>(loop, m_options, m_options.ports[m_pushers++ % m_options.ports.size()], m_key);
    }
    std::unique_ptr<Worker> worker(Loop &loop) override
    {
        return std::make_unique<JunbanWorker>(loop, m_options.ports[m_workers++ % m_options.ports.size()]);
    }

private:
    Options m_options;
    size_t m_pushers = 0;
    size_t m_workers = 0;
    long m_key = 0;
};

} // namespace

std::unique_ptr<Server> junbanServer(const Options &options)
{
    return std::make_unique<Junban>(options);
}

} // namespace bench
