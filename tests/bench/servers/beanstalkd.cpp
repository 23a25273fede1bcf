#include "tests/bench/servers/server.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

// beanstalkd, in its own protocol: https://github.com/beanstalkd/beanstalkd/blob/master/doc/protocol.txt
namespace bench {

namespace {

[[noreturn]] void unexpected(std::string_view line)
{
    std::fprintf(stderr, "bench: beanstalkd answers: %.*s\n", int(line.size()), line.data());
    std::exit(1);
}

// Takes the answers from what arrived, line by line; the body of a reserved job with its line.
class Lines : public Stream
{
public:
    Lines(Loop &loop, const Options &options)
        : Stream(loop, options.ports.front())
    {
    }

protected:
    virtual void answered(std::string_view line, std::string_view body) = 0;

private:
    void arrived() override
    {
        size_t at = 0;
        for (size_t end = m_in.find("\r\n"); end != std::string::npos; end = m_in.find("\r\n", at)) {
            const std::string line = m_in.substr(at, end - at);
            size_t body = 0;
            if (line.starts_with("RESERVED "))
                body = std::strtoull(line.c_str() + line.rfind(' '), nullptr, 10) + 2;
            if (m_in.size() < end + 2 + body)
                break;
            const std::string value = body ? m_in.substr(end + 2, body - 2) : std::string();
            at = end + 2 + body;
            answered(line, value);
        }
        m_in.erase(0, at);
    }
};

class BeanstalkdPusher : public Pusher, Lines
{
public:
    using Lines::Lines;

    void push(int count, double sent_s, std::function<void()> pushed) override
    {
        const std::string argument = sent_s > 0 ? std::to_string(sent_s) : std::string(argument_bytes, 'x');
        const std::string put = "put 0 0 30 " + std::to_string(argument.size()) + "\r\n" + argument + "\r\n";
        std::string all;
        for (int i = 0; i < count; ++i)
            all += put;
        m_open = count;
        m_pushed = std::move(pushed);
        write(all);
    }

private:
    void answered(std::string_view line, std::string_view) override
    {
        if (!line.starts_with("INSERTED "))
            unexpected(line);
        if (--m_open == 0)
            std::exchange(m_pushed, nullptr)();
    }

    int m_open = 0;
    std::function<void()> m_pushed;
};

class BeanstalkdWorker : public Worker, Lines
{
public:
    using Lines::Lines;

    void turn(std::vector<Taken> finished, int limit, Next next) override
    {
        std::string all;
        for (const Taken &job : finished)
            all += "delete " + job.id + "\r\n";
        for (int i = 0; i < limit; ++i)
            all += i == 0 ? "reserve-with-timeout 2\r\n" : "reserve-with-timeout 0\r\n";
        m_open = int(finished.size()) + limit;
        m_next = std::move(next);
        write(all);
    }

private:
    void answered(std::string_view line, std::string_view body) override
    {
        if (line.starts_with("RESERVED ")) {
            const size_t from = 9;
            m_taken.push_back({std::string(line.substr(from, line.find(' ', from) - from)), {}, std::atof(std::string(body).c_str())});
        } else if (line != "DELETED" && line != "TIMED_OUT") {
            unexpected(line);
        }
        if (--m_open == 0)
            std::exchange(m_next, nullptr)(std::exchange(m_taken, {}));
    }

    int m_open = 0;
    std::vector<Taken> m_taken;
    Next m_next;
};

} // namespace

std::unique_ptr<Server> beanstalkdServer(const Options &options)
{
    return std::make_unique<ServerOf<BeanstalkdPusher, BeanstalkdWorker>>(options);
}

} // namespace bench
