#pragma once

#include "tests/bench/loop.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

// A queue that the load generator drives: ours, or one that users would pick instead. All are asked the same by the same scenarios.
namespace bench {

struct Options {
    std::string scenario;
    std::string server = "junban";
    std::vector<int> ports{7717}; // several masters of one queue: its connections take turns
    int connections = 50;
    long jobs = 100'000;
    double rate = 200; // per second, latency only
    int batch = 1'000; // enqueue-batch, cycle-batch: jobs of one push
    int limit = 50;    // cycle-batch, work: jobs that a worker takes at a time
    std::string name = "bench.job"; // ours only
    bool apart = false;             // work, ours only: a worker reports in one request and takes in another
    int priority = 0;               // ours only
    long keys = 0;                  // ours only: so many different arguments instead of a text
    bool quorum = false;            // RabbitMQ's newer kind of queue
};

constexpr int argument_bytes = 98; // as a MessagePack string: 100

struct Taken {
    std::string id;
    std::string lease;
    double sent_s = 0; // when `push` was given a time
};

// One connection of somebody who pushes.
class Pusher
{
public:
    virtual ~Pusher() = default;
    // Pushes `count` jobs in one request, or without waiting for the answers in between; with `sent_s` as the argument when it is not 0.
    // Calls `pushed` when the server has acknowledged all of them. Nothing else may be under way.
    virtual void push(int count, double sent_s, std::function<void()> pushed) = 0;
};

// One connection of a worker.
class Worker
{
public:
    virtual ~Worker() = default;
    using Next = std::function<void(std::vector<Taken>)>;
    // Reports that `finished` are done, and takes at most `limit` others; waits for the first of these for two seconds or longer. Calls
    // `next` with what it got, after the server acknowledged the reports if its protocol does that.
    virtual void turn(std::vector<Taken> finished, int limit, Next next) = 0;
};

class Server
{
public:
    virtual ~Server() = default;
    virtual std::unique_ptr<Pusher> pusher(Loop &loop) = 0;
    virtual std::unique_ptr<Worker> worker(Loop &loop) = 0;
    // Whether it sends jobs before it is asked, more than a worker's turn wants; and does not acknowledge reports.
    virtual bool sendsAhead() const { return false; }
};

// A server whose connections know nothing of each other.
template <typename ItsPusher, typename ItsWorker, bool ahead = false>
class ServerOf : public Server
{
public:
    explicit ServerOf(const Options &options)
        : m_options(options)
    {
    }
    std::unique_ptr<Pusher> pusher(Loop &loop) override { return std::make_unique<ItsPusher>(loop, m_options); }
    std::unique_ptr<Worker> worker(Loop &loop) override { return std::make_unique<ItsWorker>(loop, m_options); }
    bool sendsAhead() const override { return ahead; }

private:
    Options m_options;
};

// By `options.server`; ends the program when there is none of this name.
std::unique_ptr<Server> serverOf(const Options &options);

std::unique_ptr<Server> junbanServer(const Options &options);
std::unique_ptr<Server> beanstalkdServer(const Options &options);
std::unique_ptr<Server> gearmanServer(const Options &options);
std::unique_ptr<Server> rabbitmqServer(const Options &options); // in a build with librabbitmq

} // namespace bench
