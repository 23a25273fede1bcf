#include "tests/bench/loop.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace bench {

double now_s()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

void die(const char *what)
{
    std::fprintf(stderr, "bench: %s: %s\n", what, std::strerror(errno));
    std::exit(1);
}

Stream::Stream(Loop &loop, int port)
{
    m_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(m_fd, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
        die("connect");
    const int yes = 1;
    setsockopt(m_fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    loop.watch(m_fd, this);
}

Stream::~Stream()
{
    close(m_fd);
}

void Stream::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t sent = send(m_fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            die("send");
        bytes.remove_prefix(sent > 0 ? static_cast<size_t>(sent) : 0);
    }
}

void Stream::readable()
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
    arrived();
}

Loop::Loop()
    : m_epoll(epoll_create1(EPOLL_CLOEXEC))
{
}

Loop::~Loop()
{
    close(m_epoll);
}

void Loop::watch(int fd, Watched *watched)
{
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = watched;
    if (epoll_ctl(m_epoll, EPOLL_CTL_ADD, fd, &event) != 0)
        die("epoll_ctl");
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
            static_cast<Watched *>(events[i].data.ptr)->readable();
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
