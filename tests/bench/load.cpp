// The load generator: one scenario a run, its figures as one line of JSON on standard output. See tests/bench/run.
#include "tests/bench/servers/junban.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

using namespace bench;

namespace {

using Pushers = std::vector<std::unique_ptr<Pusher>>;

Pushers pushersOf(Loop &loop, Server &server, int count)
{
    Pushers pushers;
    for (int i = 0; i < count; ++i)
        pushers.push_back(server.pusher(loop));
    return pushers;
}

void report(const Options &options, const std::map<std::string, double> &figures)
{
    std::printf("{\"scenario\": \"%s\"", options.scenario.c_str());
    for (const auto &[name, value] : figures)
        std::printf(", \"%s\": %.6g", name.c_str(), value);
    std::printf("}\n");
}

void runUntil(Loop &loop, const std::function<bool()> &done)
{
    if (loop.run(done, 600))
        return;
    std::fprintf(stderr, "bench: not done after ten minutes\n");
    std::exit(1);
}

// Pushes `total` jobs over all connections, `batch` at a time, each as soon as the answer before it is there.
class Pushing
{
public:
    Pushing(Loop &loop, Server &server, int connections, long total, int batch)
        : m_pushers(pushersOf(loop, server, connections))
        , m_total(total)
        , m_batch(batch)
    {
    }

    void start()
    {
        for (const auto &pusher : m_pushers)
            push(*pusher);
    }
    bool done() const { return m_answered >= m_total; }

private:
    void push(Pusher &pusher)
    {
        if (m_sent >= m_total)
            return;
        m_sent += m_batch;
        pusher.push(m_batch, 0, [this, &pusher] {
            m_answered += m_batch;
            push(pusher);
        });
    }

    Pushers m_pushers;
    long m_total;
    int m_batch;
    long m_sent = 0;
    long m_answered = 0;
};

void enqueue(const Options &options, Server &server, int batch)
{
    Loop loop;
    Pushing pushing(loop, server, options.connections, options.jobs, batch);
    const double start_s = now_s();
    pushing.start();
    runUntil(loop, [&] { return pushing.done(); });
    report(options, {{"jobs_per_s", double(options.jobs) / (now_s() - start_s)}, {"jobs", double(options.jobs)}});
}

void echo(const Options &options)
{
    Loop loop;
    std::vector<std::unique_ptr<Connection>> connections;
    const std::string body(120, 'x');
    long sent = 0, answered = 0;
    std::function<void(Connection &)> next = [&](Connection &connection) {
        if (sent == options.jobs)
            return;
        ++sent;
        connection.post("/echo", body, [&](const Reply &reply) {
            if (reply.status != 200)
                fail("echo", reply);
            ++answered;
            next(connection);
        });
    };
    const double start_s = now_s();
    for (int i = 0; i < options.connections; ++i) {
        connections.push_back(std::make_unique<Connection>(loop, options.ports.front()));
        next(*connections.back());
    }
    runUntil(loop, [&] { return answered == options.jobs; });
    report(options, {{"requests_per_s", double(options.jobs) / (now_s() - start_s)}});
}

// Workers that report and take in one turn, until `total` jobs are finished.
class Workers
{
public:
    // Apart: what was taken is reported by a request of its own, and the next one takes.
    enum class Turns { Together, Apart };

    Workers(Loop &loop, Server &server, int count, int limit, long total, Turns turns = Turns::Together)
        : m_sentAhead(server.sendsAhead())
        , m_turns(turns)
        , m_limit(limit)
        , m_total(total)
    {
        for (int i = 0; i < count; ++i)
            m_workers.push_back(server.worker(loop));
    }

    void start()
    {
        for (const auto &worker : m_workers)
            turn(*worker, {});
    }
    bool done() const { return m_finished >= m_total; }
    std::function<void(const Taken &)> onJob;

private:
    void turn(Worker &worker, std::vector<Taken> finished)
    {
        const long reported = long(finished.size());
        if (m_sentAhead)
            m_finished += reported;
        // No more than there will be, so that no report's answer waits for a job that never comes.
        const bool reportsAlone = m_turns == Turns::Apart && reported > 0;
        const int limit = m_sentAhead ? m_limit : reportsAlone ? 0 : int(std::min<long>(m_limit, m_total - m_asked));
        if (limit == 0 && reported == 0)
            return;
        m_asked += limit;
        worker.turn(std::move(finished), limit, [this, &worker, reported, limit](std::vector<Taken> jobs) {
            if (!m_sentAhead)
                m_finished += reported;
            m_asked -= limit - long(jobs.size());
            if (onJob) {
                for (const Taken &job : jobs)
                    onJob(job);
            }
            if (!done())
                turn(worker, std::move(jobs));
        });
    }

    std::vector<std::unique_ptr<Worker>> m_workers;
    bool m_sentAhead;
    Turns m_turns;
    int m_limit;
    long m_total;
    long m_asked = 0; // and not answered without a job
    long m_finished = 0;
};

// Pushers and workers at the same time; a job counts when its report was acknowledged.
void cycle(const Options &options, Server &server, int batch, int limit)
{
    Loop loop;
    Workers workers(loop, server, options.connections, limit, options.jobs);
    Pushing pushing(loop, server, options.connections, options.jobs, batch);
    const double start_s = now_s();
    workers.start();
    pushing.start();
    runUntil(loop, [&] { return workers.done(); });
    report(options, {{"jobs_per_s", double(options.jobs) / (now_s() - start_s)}, {"jobs", double(options.jobs)}});
}

// Workers alone, on jobs that are there.
void work(const Options &options, Server &server)
{
    Loop loop;
    const auto turns = options.apart ? Workers::Turns::Apart : Workers::Turns::Together;
    Workers workers(loop, server, options.connections, options.limit, options.jobs, turns);
    const double start_s = now_s();
    workers.start();
    runUntil(loop, [&] { return workers.done(); });
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
void latency(const Options &options, Server &server)
{
    Loop loop;
    Workers workers(loop, server, 4, 1, options.jobs);
    const Pushers pushers = pushersOf(loop, server, 16);
    std::vector<Pusher *> idle;
    for (const auto &pusher : pushers)
        idle.push_back(pusher.get());
    std::vector<double> latencies;
    workers.onJob = [&](const Taken &job) { latencies.push_back(now_s() - job.sent_s); };
    workers.start();
    const double start_s = now_s() + 0.2;
    long sent = 0, skipped = 0;
    std::function<void()> push = [&] {
        if (idle.empty()) {
            ++skipped;
        } else {
            Pusher *pusher = idle.back();
            idle.pop_back();
            pusher->push(1, now_s(), [&idle, pusher] { idle.push_back(pusher); });
            ++sent;
        }
        if (sent < options.jobs)
            loop.at(start_s + double(sent + skipped) / options.rate, push);
    };
    loop.at(start_s, push);
    runUntil(loop, [&] { return workers.done(); });
    reportLatencies(options, std::move(latencies), {{"skipped", double(skipped)}});
}

// Two workers at a limit of one: the time from the report of the one until the other, who waits, has the next job in hand.
class Handover
{
public:
    Handover(Loop &loop, const Options &options)
        : m_loop(loop)
        , m_total(options.jobs)
    {
        for (int i = 0; i < 3; ++i)
            m_connections.push_back(std::make_unique<Connection>(loop, options.ports.front()));
    }

    void start() { claim(*m_connections[0]); }
    bool done() const { return long(m_latencies_s.size()) >= m_total; }
    const std::vector<double> &latencies_s() const { return m_latencies_s; }

private:
    static constexpr double settle_s = 0.005; // until the one who asks is known to wait

    void claim(Connection &connection)
    {
        connection.post("/v1/outcomes", view(packOutcomes({}, 1, 10)), [this](const Reply &reply) {
            std::vector<Taken> jobs = jobsOf(reply.body);
            if (reply.status != 200 || jobs.size() != 1)
                fail("claim", reply);
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

    void finish(const std::vector<Taken> &jobs)
    {
        const QByteArray body = packOutcomes(jobs, 0, 0);
        m_reported_s = now_s();
        m_connections[2]->post("/v1/outcomes", view(body), [](const Reply &reply) {
            if (reply.status != 200)
                fail("outcomes", reply);
        });
    }

    Loop &m_loop;
    std::vector<std::unique_ptr<Connection>> m_connections; // two that claim, one that reports
    long m_total;
    bool m_turn = false;
    double m_reported_s = 0;
    std::vector<double> m_latencies_s;
};

void handover(const Options &options, Server &server)
{
    Loop loop;
    Pushing pushing(loop, server, 1, options.jobs + options.batch, options.batch);
    pushing.start();
    runUntil(loop, [&] { return pushing.done(); });
    Handover workers(loop, options);
    workers.start();
    runUntil(loop, [&] { return workers.done(); });
    reportLatencies(options, workers.latencies_s(), {});
}

std::vector<int> portsOf(const std::string &text) // with commas between
{
    std::vector<int> ports;
    for (size_t at = 0; at < text.size(); at = text.find(',', at) == std::string::npos ? text.size() : text.find(',', at) + 1)
        ports.push_back(std::atoi(text.c_str() + at));
    return ports;
}

Options parse(int argc, char **argv)
{
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto value = [&] { return i + 1 < argc ? argv[++i] : ""; };
        if (word == "--server")
            options.server = value();
        else if (word == "--port")
            options.ports = portsOf(value());
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
        else if (word == "--keys")
            options.keys = std::atol(value());
        else if (word == "--apart")
            options.apart = true;
        else if (word == "--quorum")
            options.quorum = true;
        else
            options.scenario = word;
    }
    return options;
}

} // namespace

namespace bench {

std::unique_ptr<Server> serverOf(const Options &options)
{
    if (options.server == "junban")
        return junbanServer(options);
    if (options.server == "beanstalkd")
        return beanstalkdServer(options);
    if (options.server == "gearmand")
        return gearmanServer(options);
#ifdef BENCH_RABBITMQ
    if (options.server == "rabbitmq")
        return rabbitmqServer(options);
#endif
    std::fprintf(stderr, "bench: no server is called \"%s\" in this build\n", options.server.c_str());
    std::exit(2);
}

} // namespace bench

int main(int argc, char **argv)
{
    const Options options = parse(argc, argv);
    const std::unique_ptr<Server> server = serverOf(options);
    if (options.scenario == "enqueue")
        enqueue(options, *server, 1);
    else if (options.scenario == "enqueue-batch")
        enqueue(options, *server, options.batch);
    else if (options.scenario == "cycle" || options.scenario == "cycle-128") // the second is what the other queues' programs call it
        cycle(options, *server, 1, 1);
    else if (options.scenario == "cycle-batch")
        cycle(options, *server, options.batch, options.limit);
    else if (options.scenario == "work")
        work(options, *server);
    else if (options.scenario == "latency")
        latency(options, *server);
    else if (options.scenario == "handover")
        handover(options, *server);
    else if (options.scenario == "echo")
        echo(options);
    else {
        std::fprintf(stderr,
            "usage: junban-load enqueue|enqueue-batch|cycle|cycle-batch|work|latency|handover|echo [--server junban|beanstalkd|gearmand|"
            "rabbitmq]\n    [--port N[,N…]] [--connections N] [--jobs N] [--rate N] [--batch N] [--limit N] [--apart] [--quorum]"
            " [--name NAME] [--priority N] [--keys N]\n");
        return 2;
    }
    return 0;
}
