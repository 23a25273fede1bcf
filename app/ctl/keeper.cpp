#include "app/ctl/keeper.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace junban::app {

namespace {

struct Told {
    qint64 group = 0;
    qint64 end_ms = 0;               // 0: it has ended
};

void take(std::vector<Told> &groups, const Told &told)
{
    const auto isSame = [&told](const Told &other) { return other.group == told.group; };
    groups.erase(std::remove_if(groups.begin(), groups.end(), isSame), groups.end());
    if (told.end_ms > 0)
        groups.push_back(told);
}

// Ends the groups whose time has come. How long to wait for the next one; -1: there is none.
int endDue(std::vector<Told> &groups)
{
    constexpr qint64 look_ms_max = 1'000; // poll() stands still while the machine sleeps
    const qint64 now_ms = stopwatch_ms();
    qint64 next_ms = -1;
    for (Told &told : groups) {
        if (told.end_ms <= now_ms)
            ::kill(-pid_t(told.group), SIGKILL);
        else
            next_ms = next_ms < 0 ? told.end_ms - now_ms : std::min(next_ms, told.end_ms - now_ms);
    }
    groups.erase(std::remove_if(groups.begin(), groups.end(), [now_ms](const Told &told) { return told.end_ms <= now_ms; }), groups.end());
    return int(std::min(next_ms, look_ms_max));
}

// Hears of process groups until nobody can write any more.
[[noreturn]] void watch(int descriptor)
{
    std::vector<Told> groups;
    while (true) {
        pollfd pipe = {descriptor, POLLIN, 0};
        if (::poll(&pipe, 1, endDue(groups)) <= 0)
            continue;
        Told told;
        const ssize_t got = ::read(descriptor, &told, sizeof told); // as a whole: it is shorter than PIPE_BUF
        if (got == ssize_t(sizeof told))
            take(groups, told);
        else if (got >= 0 || errno != EINTR)
            break;
    }
    for (const Told &told : groups)
        ::kill(-pid_t(told.group), SIGKILL);
    ::_exit(0);
}

} // namespace

qint64 stopwatch_ms()
{
    timespec now = {};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return qint64(now.tv_sec) * 1'000 + now.tv_nsec / 1'000'000;
}

Keeper::Keeper()
    : m_program(::getpid())
{
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0)
        qFatal("no pipe for what keeps the commands");
    m_process = ::fork();
    if (m_process < 0)
        qFatal("no process for what keeps the commands");
    if (m_process == 0) {
        ::setsid();
        ::prctl(PR_SET_NAME, "junbanctl-keep");
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
            ::signal(signal, SIG_IGN);
        const int mine = ::dup2(ends[0], 0); // whoever reads what this program prints does not wait for this process
        ::close_range(1, ~0U, 0);
        watch(mine);
    }
    ::close(ends[0]);
    m_descriptor = ends[1];
}

Keeper::~Keeper()
{
    ::close(m_descriptor);
    ::waitpid(m_process, nullptr, 0);
}

void Keeper::keepThisChild(qint64 end_ms) const
{
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != m_program) // it has gone already
        ::_exit(1);
    keep(::getpid(), end_ms);
}

void Keeper::keep(pid_t group, qint64 end_ms) const
{
    const Told told{group, end_ms};
    [[maybe_unused]] const ssize_t written = ::write(m_descriptor, &told, sizeof told);
}

} // namespace junban::app
