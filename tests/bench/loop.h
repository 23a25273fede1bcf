#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

// What every load generator stands on: one epoll loop, and connections that do as little as they can, so that what is measured is the
// server.
namespace bench {

double now_s(); // monotonic
[[noreturn]] void die(const char *what); // with errno's text

// Somebody who is told when a descriptor has something to read.
class Watched
{
public:
    virtual ~Watched() = default;
    virtual void readable() = 0;
};

class Loop
{
public:
    Loop();
    ~Loop();
    Loop(const Loop &) = delete;
    Loop &operator=(const Loop &) = delete;

    void watch(int fd, Watched *watched); // until the descriptor is closed
    // Runs until `done` says so or `limit_s` has passed; false when it was the limit.
    bool run(const std::function<bool()> &done, double limit_s);
    // Calls `function` at about `at_s` (monotonic).
    void at(double at_s, std::function<void()> function);

private:
    struct Timer {
        double at_s;
        std::function<void()> function;
    };
    int m_epoll = -1;
    std::vector<Timer> m_timers; // a heap, the earliest first
};

// A TCP connection to a server of this machine. Whatever arrives is collected in `m_in`, then `arrived` takes from it what is complete.
class Stream : public Watched
{
public:
    Stream(Loop &loop, int port);
    ~Stream() override;
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;

protected:
    void write(std::string_view bytes); // blocking: the servers always read
    virtual void arrived() = 0;
    std::string m_in;

private:
    void readable() override;
    int m_fd = -1;
};

} // namespace bench
