#include "app/base/signals.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace junban::app {

namespace {

int pipeEnds[2] = {-1, -1};

// Writes a byte into the pipe, which is all that a signal handler may safely do.
void heard(int signal)
{
    const char byte = signal == SIGHUP ? 'r' : 's';
    [[maybe_unused]] const ssize_t written = ::write(pipeEnds[1], &byte, 1);
}

} // namespace

StopSignals::StopSignals(Reload reload, QObject *parent)
    : QObject(parent)
{
    if (::pipe2(pipeEnds, O_CLOEXEC | O_NONBLOCK) != 0)
        qFatal("no pipe for signals");
    m_notifier = std::make_unique<QSocketNotifier>(pipeEnds[0], QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        [[maybe_unused]] const ssize_t taken = ::read(pipeEnds[0], &byte, 1);
        if (byte == 'r') {
            Q_EMIT reloadAsked();
            return;
        }
        if (m_asked)
            ::_exit(1);
        m_asked = true;
        Q_EMIT asked();
    });
    struct sigaction action = {};
    action.sa_handler = heard;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGTERM, &action, nullptr);
    ::sigaction(SIGINT, &action, nullptr);
    if (reload == Reload::Yes)
        ::sigaction(SIGHUP, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

} // namespace junban::app
