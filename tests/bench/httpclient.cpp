#include "tests/bench/httpclient.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace bench {

namespace {

[[noreturn]] void die(const char *what)
{
    std::fprintf(stderr, "bench: %s: %s\n", what, std::strerror(errno));
    std::exit(1);
}

} // namespace

double now_s()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

Connection::Connection(Loop &loop, const std::string &host, int port)
    : m_loop(loop)
{
    m_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    inet_pton(AF_INET, host.c_str(), &address.sin_addr);
    if (connect(m_fd, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
        die("connect");
    const int yes = 1;
    setsockopt(m_fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = this;
    epoll_ctl(m_loop.m_epoll, EPOLL_CTL_ADD, m_fd, &event);
}

Connection::~Connection()
{
    close(m_fd);
}

void Connection::post(std::string_view path, std::string_view body, OnReply callback)
{
    std::string request;
    request.reserve(body.size() + 160);
    request.append("POST ").append(path).append(" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/vnd.msgpack\r\n");
    request.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n").append(body);
    send(std::move(request), std::move(callback));
}

void Connection::get(std::string_view path, OnReply callback)
{
    std::string request = "GET ";
    request.append(path).append(" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    send(std::move(request), std::move(callback));
}

void Connection::send(std::string request, OnReply callback)
{
    m_callback = std::move(callback);
    size_t done = 0;
    while (done < request.size()) { // blocking: the server always reads
        const ssize_t sent = ::send(m_fd, request.data() + done, request.size() - done, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            die("send");
        done += sent > 0 ? static_cast<size_t>(sent) : 0;
    }
}

bool Connection::answerComplete(size_t &head, size_t &length, int &status) const
{
    const size_t end = m_in.find("\r\n\r\n");
    if (end == std::string::npos)
        return false;
    head = end + 4;
    status = std::atoi(m_in.c_str() + 9);
    std::string fields = m_in.substr(0, end);
    std::transform(fields.begin(), fields.end(), fields.begin(), [](unsigned char c) { return std::tolower(c); });
    const size_t field = fields.find("\r\ncontent-length:");
    length = field == std::string::npos ? 0 : static_cast<size_t>(std::atoll(fields.c_str() + field + 17));
    return m_in.size() >= head + length;
}

void Connection::readable()
{
    char buffer[65'536];
    const ssize_t count = recv(m_fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (count == 0) {
        std::fprintf(stderr, "bench: the server closed a connection\n");
        std::exit(1);
    }
    if (count < 0) {
        if (errno == EAGAIN || errno == EINTR)
            return;
        die("recv");
    }
    m_in.append(buffer, static_cast<size_t>(count));
    size_t head = 0, length = 0;
    int status = 0;
    if (!answerComplete(head, length, status))
        return;
    const std::string answer = std::move(m_in);
    m_in = answer.substr(head + length);
    const OnReply callback = std::move(m_callback);
    m_callback = nullptr;
    callback(Reply{status, std::string_view(answer).substr(head, length)});
}

Loop::Loop()
    : m_epoll(epoll_create1(EPOLL_CLOEXEC))
{
}

Loop::~Loop()
{
    close(m_epoll);
}

void Loop::at(double at_s, std::function<void()> function)
{
    const auto later = [](const Timer &a, const Timer &b) { return a.at_s > b.at_s; };
    m_timers.push_back({at_s, std::move(function)});
    std::push_heap(m_timers.begin(), m_timers.end(), later);
}

bool Loop::run(const std::function<bool()> &done, double limit_s)
{
    const auto later = [](const Timer &a, const Timer &b) { return a.at_s > b.at_s; };
    const double end_s = now_s() + limit_s;
    epoll_event events[256];
    while (!done()) {
        const double now = now_s();
        if (now > end_s)
            return false;
        double wait_s = std::min(end_s - now, 0.1);
        if (!m_timers.empty())
            wait_s = std::min(wait_s, m_timers.front().at_s - now);
        const timespec wait{0, static_cast<long>(std::max(wait_s, 0.0) * 1e9)};
        const int count = epoll_pwait2(m_epoll, events, 256, &wait, nullptr);
        for (int i = 0; i < count; ++i)
            static_cast<Connection *>(events[i].data.ptr)->readable();
        while (!m_timers.empty() && m_timers.front().at_s <= now_s()) {
            std::pop_heap(m_timers.begin(), m_timers.end(), later);
            const Timer timer = std::move(m_timers.back());
            m_timers.pop_back();
            timer.function();
        }
    }
    return true;
}

} // namespace bench
