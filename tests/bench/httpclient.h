#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// The load generator's own HTTP client: keep-alive connections over one epoll loop, one request at a time on each. It does as
// little as it can, so that what is measured is the server.
namespace bench {

double now_s(); // monotonic

struct Reply {
    int status = 0;
    std::string_view body; // valid during the callback
};
using OnReply = std::function<void(const Reply &)>;

class Loop;

class Connection
{
public:
    Connection(Loop &loop, const std::string &host, int port);
    ~Connection();
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    // Nothing else may be under way on this connection.
    void post(std::string_view path, std::string_view body, OnReply callback);
    void get(std::string_view path, OnReply callback);

private:
    friend class Loop;
    void send(std::string request, OnReply callback);
    void readable();
    bool answerComplete(size_t &head, size_t &length, int &status) const;

    Loop &m_loop;
    int m_fd = -1;
    std::string m_in;
    OnReply m_callback;
};

class Loop
{
public:
    Loop();
    ~Loop();
    // Runs until `done` says so or `limit_s` has passed; false when it was the limit.
    bool run(const std::function<bool()> &done, double limit_s);
    // Calls `function` at about `at_s` (monotonic).
    void at(double at_s, std::function<void()> function);

private:
    friend class Connection;
    struct Timer {
        double at_s;
        std::function<void()> function;
    };
    int m_epoll = -1;
    std::vector<Timer> m_timers; // a heap, the earliest first
};

} // namespace bench
