// The load generator: one scenario a run, its figures as one line of JSON on standard output. See tests/bench/run.
#include "core/msgpack/msgpackwriter.h"
#include "core/msgpack/payload.h"
#include "tests/bench/httpclient.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

using namespace bench;
using junban::MsgpackWriter;
namespace payload = junban::payload;

namespace {

struct Options {
    std::string scenario;
    int port = 7717;
    int connections = 50;
    long jobs = 100'000;
    double rate = 200; // per second, latency only
    int batch = 1'000; // enqueue-batch, cycle-batch
    int limit = 50;    // cycle-batch: jobs a claim
    std::string name = "bench.job"; // enqueue-batch
    int priority = 0;               // enqueue-batch
};

const QByteArray argument100 = [] { // one MessagePack string of 100 bytes
    MsgpackWriter writer;
    writer.text(QByteArray(98, 'x'));
    return writer.take();
}();

std::string_view view(const QByteArray &bytes)
{
    return {bytes.constData(), static_cast<size_t>(bytes.size())};
}

QByteArray packJob(double sent_s = 0)
{
    MsgpackWriter writer;
    writer.map(2).text("name").text("bench.job").text("argument");
    if (sent_s > 0)
        writer.real(sent_s);
    else
        writer.raw(argument100);
    return writer.take();
}

QByteArray packBatch(int count, const std::string &name = "bench.job", int priority = 0)
{
    MsgpackWriter one;
    one.map(priority ? 3 : 2).text("name").text(QByteArray::fromStdString(name)).text("argument").raw(argument100);
    if (priority)
        one.text("priority").integer(priority);
    const QByteArray job = one.take();
    MsgpackWriter writer;
    writer.map(1).text("jobs").array(count);
    for (int i = 0; i < count; ++i)
        writer.raw(job);
    return writer.take();
}

[[noreturn]] void fail(const char *what, const Reply &reply)
{
    std::fprintf(stderr, "bench: %s: status %d: %.*s\n", what, reply.status, int(std::min<size_t>(reply.body.size(), 300)),
        reply.body.data());
    std::exit(1);
}

struct Lease {
    QByteArray id;
    QByteArray lease;
    double sent_s = 0; // the argument, when it is a float
};

// The jobs of a claims or an outcomes answer.
std::vector<Lease> jobsOf(std::string_view body)
{
    const payload::Step path[] = {{.key = QByteArrayView("jobs"), .index = -1}};
    std::vector<Lease> leases;
    const auto found = payload::find(QByteArrayView(body.data(), qsizetype(body.size())), path);
    if (!found)
        return leases;
    payload::Reader reader(*found);
    const auto list = reader.next();
    for (quint32 i = 0; list && i < list->count; ++i) {
        const auto job = reader.next();
        Lease lease;
        for (quint32 field = 0; job && field < job->count; ++field) {
            const auto key = reader.next();
            const auto value = reader.skip();
            if (!key || !value)
                break;
            if (key->bytes == "id")
                lease.id = payload::Reader(*value).next()->bytes.toByteArray();
            else if (key->bytes == "lease")
                lease.lease = payload::Reader(*value).next()->bytes.toByteArray();
            else if (key->bytes == "argument")
                lease.sent_s = payload::Reader(*value).next()->real;
        }
        leases.push_back(std::move(lease));
    }
    return leases;
}

QByteArray packOutcomes(const std::vector<Lease> &leases, int limit, double wait_s)
{
    MsgpackWriter writer;
    writer.map(limit > 0 ? 3 : 2).text("worker").text("bench").text("outcomes").array(qsizetype(leases.size()));
    for (const Lease &lease : leases) {
        writer.map(5).text("id").text(lease.id).text("lease").text(lease.lease).text("type").text("success");
        writer.text("finished_at").text("2026-01-01T00:00:00Z").text("result").nil();
    }
    if (limit > 0)
        writer.text("claim").map(2).text("limit").integer(limit).text("wait").real(wait_s);
    return writer.take();
}

using Connections = std::vector<std::unique_ptr<Connection>>;

Connections connect(Loop &loop, const Options &options, int count)
{
    Connections connections;
    for (int i = 0; i < count; ++i)
        connections.push_back(std::make_unique<Connection>(loop, "127.0.0.1", options.port));
    return connections;
}

void report(const Options &options, const std::map<std::string, double> &figures)
{
    std::printf("{\"scenario\": \"%s\"", options.scenario.c_str());
    for (const auto &[name, value] : figures)
        std::printf(", \"%s\": %.6g", name.c_str(), value);
    std::printf("}\n");
}

// Posts `total` bodies over all connections, each as soon as the answer before it is there. Returns seconds.
double pump(Loop &loop, const Connections &connections, const char *path, const QByteArray &body, long total)
{
    long sent = 0, answered = 0;
    std::function<void(Connection &)> next = [&](Connection &connection) {
        if (sent == total)
            return;
        ++sent;
        connection.post(path, view(body), [&](const Reply &reply) {
            if (reply.status != 200 && reply.status != 201)
                fail(path, reply);
            ++answered;
            next(connection);
        });
    };
    const double start_s = now_s();
    for (const auto &connection : connections)
        next(*connection);
    if (!loop.run([&] { return answered == total; }, 600))
        std::exit(1);
    return now_s() - start_s;
}

void enqueue(const Options &options)
{
    Loop loop;
    const Connections connections = connect(loop, options, options.connections);
    const double took_s = pump(loop, connections, "/v1/jobs", packJob(), options.jobs);
    report(options, {{"jobs_per_s", double(options.jobs) / took_s}, {"jobs", double(options.jobs)}});
}

void enqueueBatch(const Options &options)
{
    Loop loop;
    const Connections connections = connect(loop, options, options.connections);
    const long requests = options.jobs / options.batch;
    const double took_s = pump(loop, connections, "/v1/jobs/batch", packBatch(options.batch, options.name, options.priority), requests);
    report(options, {{"jobs_per_s", double(requests * options.batch) / took_s}, {"jobs", double(requests * options.batch)}});
}

void echo(const Options &options)
{
    Loop loop;
    const Connections connections = connect(loop, options, options.connections);
    const double took_s = pump(loop, connections, "/echo", packJob(), options.jobs);
    report(options, {{"requests_per_s", double(options.jobs) / took_s}});
}

// Workers that report and claim in one trip, until `total` jobs are finished.
class Workers
{
public:
    Workers(Loop &loop, const Options &options, int count, int limit, long total)
        : m_connections(connect(loop, options, count))
        , m_limit(limit)
        , m_total(total)
    {
    }

    void start()
    {
        for (const auto &connection : m_connections)
            turn(*connection, {});
    }
    bool done() const { return m_finished >= m_total; }
    std::function<void(const Lease &)> onJob;

private:
    void turn(Connection &connection, std::vector<Lease> leases)
    {
        const long reported = long(leases.size());
        // No more than there will be, so that no report's answer waits for a job that never comes.
        const int limit = int(std::min<long>(m_limit, m_total - m_asked));
        if (limit == 0 && reported == 0)
            return;
        m_asked += limit;
        const QByteArray body = packOutcomes(leases, limit, 2);
        connection.post("/v1/outcomes", view(body), [this, &connection, reported, limit](const Reply &reply) {
            if (reply.status != 200)
                fail("outcomes", reply);
            m_finished += reported;
            std::vector<Lease> jobs = jobsOf(reply.body);
            m_asked -= limit - long(jobs.size());
            if (onJob) {
                for (const Lease &lease : jobs)
                    onJob(lease);
            }
            if (!done())
                turn(connection, std::move(jobs));
        });
    }

    Connections m_connections;
    int m_limit;
    long m_total;
    long m_asked = 0; // and not answered without a job
    long m_finished = 0;
};

// Pushers and workers at the same time; a job counts when its report was acknowledged.
void cycle(const Options &options, const char *path, const QByteArray &body, int jobsEach, int limit)
{
    Loop loop;
    Workers workers(loop, options, options.connections, limit, options.jobs);
    const Connections pushers = connect(loop, options, options.connections);
    long sent = 0;
    std::function<void(Connection &)> push = [&](Connection &connection) {
        if (sent >= options.jobs)
            return;
        sent += jobsEach;
        connection.post(path, view(body), [&](const Reply &reply) {
            if (reply.status != 200 && reply.status != 201)
                fail(path, reply);
            push(connection);
        });
    };
    const double start_s = now_s();
    workers.start();
    for (const auto &pusher : pushers)
        push(*pusher);
    if (!loop.run([&] { return workers.done(); }, 600))
        std::exit(1);
    report(options, {{"jobs_per_s", double(options.jobs) / (now_s() - start_s)}, {"jobs", double(options.jobs)}});
}

// Workers alone, on jobs that are there.
void work(const Options &options)
{
    Loop loop;
    Workers workers(loop, options, options.connections, options.limit, options.jobs);
    const double start_s = now_s();
    workers.start();
    if (!loop.run([&] { return workers.done(); }, 600))
        std::exit(1);
    report(options, {{"jobs_per_s", double(options.jobs) / (now_s() - start_s)}, {"jobs", double(options.jobs)}});
}

void reportLatencies(const Options &options, std::vector<double> latencies_s, std::map<std::string, double> further)
{
    std::sort(latencies_s.begin(), latencies_s.end());
    const auto percentile_ms = [&](double share) {
        return latencies_s[std::min(latencies_s.size() - 1, size_t(share * double(latencies_s.size())))] * 1000;
    };
    further["p50_ms"] = percentile_ms(0.5);
    further["p99_ms"] = percentile_ms(0.99);
    further["p999_ms"] = percentile_ms(0.999);
    further["jobs"] = double(latencies_s.size());
    report(options, further);
}

// Open loop: a job every 1/rate seconds whatever the answers do; the time from its sending to a waiting worker's hands.
void latency(const Options &options)
{
    Loop loop;
    Workers workers(loop, options, 4, 1, options.jobs);
    Connections pushers = connect(loop, options, 16);
    std::vector<Connection *> idle;
    for (const auto &pusher : pushers)
        idle.push_back(pusher.get());
    std::vector<double> latencies;
    workers.onJob = [&](const Lease &lease) { latencies.push_back(now_s() - lease.sent_s); };
    workers.start();
    const double start_s = now_s() + 0.2;
    long sent = 0, skipped = 0;
    std::function<void()> push = [&] {
        if (idle.empty()) {
            ++skipped;
        } else {
            Connection *connection = idle.back();
            idle.pop_back();
            connection->post("/v1/jobs", view(packJob(now_s())), [&idle, connection](const Reply &reply) {
                if (reply.status != 201)
                    fail("push", reply);
                idle.push_back(connection);
            });
            ++sent;
        }
        if (sent < options.jobs)
            loop.at(start_s + double(sent + skipped) / options.rate, push);
    };
    loop.at(start_s, push);
    if (!loop.run([&] { return workers.done(); }, 600))
        std::exit(1);
    reportLatencies(options, std::move(latencies), {{"skipped", double(skipped)}});
}

// Two workers at a limit of one: the time from the report of the one until the other, who waits, has the next job in hand.
class Handover
{
public:
    Handover(Loop &loop, const Options &options)
        : m_loop(loop)
        , m_connections(connect(loop, options, 3))
        , m_total(options.jobs)
    {
    }

    void start() { claim(*m_connections[0]); }
    bool done() const { return long(m_latencies_s.size()) >= m_total; }
    const std::vector<double> &latencies_s() const { return m_latencies_s; }

private:
    static constexpr double settle_s = 0.005; // until the one who asks is known to wait

    void claim(Connection &connection)
    {
        MsgpackWriter writer;
        writer.map(3).text("worker").text("bench").text("limit").integer(1).text("wait").real(10);
        const QByteArray body = writer.take();
        connection.post("/v1/claims", view(body), [this](const Reply &reply) {
            std::vector<Lease> jobs = jobsOf(reply.body);
            if (reply.status != 200 || jobs.size() != 1)
                fail("claims", reply);
            if (m_reported_s > 0)
                m_latencies_s.push_back(now_s() - m_reported_s);
            m_turn = !m_turn;
            if (!done()) {
                // The other asks, and gets nothing yet; then this one reports.
                m_loop.at(now_s(), [this] { claim(*m_connections[m_turn ? 1 : 0]); });
                m_loop.at(now_s() + settle_s, [this, jobs = std::move(jobs)] { finish(jobs); });
            }
        });
    }

    void finish(const std::vector<Lease> &jobs)
    {
        const QByteArray body = packOutcomes(jobs, 0, 0);
        m_reported_s = now_s();
        m_connections[2]->post("/v1/outcomes", view(body), [](const Reply &reply) {
            if (reply.status != 200)
                fail("outcomes", reply);
        });
    }

    Loop &m_loop;
    Connections m_connections; // two that claim, one that reports
    long m_total;
    bool m_turn = false;
    double m_reported_s = 0;
    std::vector<double> m_latencies_s;
};

void handover(const Options &options)
{
    Loop loop;
    const Connections pushers = connect(loop, options, 1);
    pump(loop, pushers, "/v1/jobs/batch", packBatch(options.batch), options.jobs / options.batch + 1);
    Handover workers(loop, options);
    workers.start();
    if (!loop.run([&] { return workers.done(); }, 600))
        std::exit(1);
    reportLatencies(options, workers.latencies_s(), {});
}

Options parse(int argc, char **argv)
{
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto value = [&] { return i + 1 < argc ? argv[++i] : ""; };
        if (word == "--port")
            options.port = std::atoi(value());
        else if (word == "--connections")
            options.connections = std::atoi(value());
        else if (word == "--jobs")
            options.jobs = std::atol(value());
        else if (word == "--rate")
            options.rate = std::atof(value());
        else if (word == "--batch")
            options.batch = std::atoi(value());
        else if (word == "--limit")
            options.limit = std::atoi(value());
        else if (word == "--name")
            options.name = value();
        else if (word == "--priority")
            options.priority = std::atoi(value());
        else
            options.scenario = word;
    }
    return options;
}

} // namespace

int main(int argc, char **argv)
{
    const Options options = parse(argc, argv);
    if (options.scenario == "enqueue")
        enqueue(options);
    else if (options.scenario == "enqueue-batch")
        enqueueBatch(options);
    else if (options.scenario == "cycle")
        cycle(options, "/v1/jobs", packJob(), 1, 1);
    else if (options.scenario == "cycle-batch")
        cycle(options, "/v1/jobs/batch", packBatch(options.batch), options.batch, options.limit);
    else if (options.scenario == "work")
        work(options);
    else if (options.scenario == "latency")
        latency(options);
    else if (options.scenario == "handover")
        handover(options);
    else if (options.scenario == "echo")
        echo(options);
    else {
        std::fprintf(stderr,
            "usage: junban-load enqueue|enqueue-batch|cycle|cycle-batch|work|latency|handover|echo [--port N] [--connections N] [--jobs N]"
            " [--rate N] [--batch N] [--limit N] [--name NAME] [--priority N]\n");
        return 2;
    }
    return 0;
}
