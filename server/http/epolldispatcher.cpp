#include "server/http/epolldispatcher.h"

#include "core/base/nextpass.h"

#include <QCoreApplication>
#include <QEvent>
#include <QtDebug>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace junban {

namespace {

constexpr int turn_events_max = 512; // the kernel keeps the others until the next turn
thread_local std::array<epoll_event, turn_events_max> events;

} // namespace

EpollDispatcher::EpollDispatcher(QObject *parent)
    : QAbstractEventDispatcher(parent), m_epoll(epoll_create1(EPOLL_CLOEXEC)), m_wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = m_wake;
    if (m_epoll < 0 || m_wake < 0 || epoll_ctl(m_epoll, EPOLL_CTL_ADD, m_wake, &event) < 0)
        qFatal("no event loop without epoll and eventfd: %s", std::strerror(errno));
}

EpollDispatcher::~EpollDispatcher()
{
    PassEnd::ofThread().serve(false);
    ::close(m_wake);
    ::close(m_epoll);
}

bool EpollDispatcher::processEvents(QEventLoop::ProcessEventsFlags flags)
{
    PassEnd &passEnd = PassEnd::ofThread();
    passEnd.serve();
    m_interrupted = false;
    Q_EMIT awake();
    QCoreApplication::sendPostedEvents();
    if (m_interrupted)
        return false;
    const int ready = waitForEvents(flags);
    int activated = 0;
    if (!flags.testFlag(QEventLoop::ExcludeSocketNotifiers))
        activated += activateNotifiers(ready);
    if (!flags.testFlag(QEventLoop::X11ExcludeTimers))
        activated += m_timers.fire();
    passEnd.run();
    return activated > 0 || ready > 0;
}

// Fetches events into `events` and returns their number; waits for them when the flags say so.
int EpollDispatcher::waitForEvents(QEventLoop::ProcessEventsFlags flags)
{
    int timeout_ms = 0;
    const bool timers = !flags.testFlag(QEventLoop::X11ExcludeTimers);
    if (flags.testFlag(QEventLoop::WaitForMoreEvents) && !m_interrupted && !PassEnd::ofThread().isDue()) {
        const std::optional<qint64> wait_ms = timers ? m_timers.wait_ms() : std::nullopt;
        timeout_ms = wait_ms ? static_cast<int>(std::min<qint64>(*wait_ms, std::numeric_limits<int>::max())) : -1;
        if (timeout_ms != 0)
            Q_EMIT aboutToBlock();
    }
    int count = epoll_wait(m_epoll, events.data(), turn_events_max, timeout_ms);
    if (count < 0) {
        if (errno != EINTR)
            qWarning("epoll_wait: %s", std::strerror(errno));
        count = 0;
    }
    for (int i = 0; i < count; ++i) {
        if (events[static_cast<size_t>(i)].data.fd != m_wake)
            continue;
        quint64 value = 0;
        [[maybe_unused]] const ssize_t size = ::read(m_wake, &value, sizeof value);
        // The flag is cleared only after the read. Otherwise a wakeUp() in between would set it and write, this read would take its byte,
        // and the flag would stay set with nothing left to read. What that caller has posted is sent in the next turn, before the loop
        // blocks.
        m_woken = false;
        break;
    }
    return count;
}

int EpollDispatcher::activateNotifiers(int count)
{
    // A handler may run the dispatcher again (a test that waits does), which would overwrite the array.
    std::array<epoll_event, turn_events_max> copy;
    std::copy_n(events.begin(), count, copy.begin());
    int activated = 0;
    for (int i = 0; i < count; ++i) {
        const int fd = copy[static_cast<size_t>(i)].data.fd;
        const quint32 happened = copy[static_cast<size_t>(i)].events;
        if (fd == m_wake)
            continue;
        // As with poll(2), an error or a hang-up activates both notifiers.
        constexpr quint32 ended = EPOLLERR | EPOLLHUP;
        if ((happened & (EPOLLIN | EPOLLRDHUP | ended)) != 0)
            activated += activate(fd, QSocketNotifier::Read);
        if ((happened & (EPOLLOUT | ended)) != 0)
            activated += activate(fd, QSocketNotifier::Write);
        if ((happened & (EPOLLPRI | ended)) != 0)
            activated += activate(fd, QSocketNotifier::Exception);
    }
    return activated;
}

// The notifier is looked up for each event, as an earlier event of the same turn may have removed it.
int EpollDispatcher::activate(int fd, QSocketNotifier::Type type)
{
    const size_t index = static_cast<size_t>(fd);
    QSocketNotifier *notifier = index < m_watches.size() ? m_watches[index].notifiers[type] : nullptr;
    if (notifier == nullptr)
        return 0;
    QEvent event(QEvent::SockAct);
    QCoreApplication::sendEvent(notifier, &event);
    return 1;
}

void EpollDispatcher::registerSocketNotifier(QSocketNotifier *notifier)
{
    const int fd = static_cast<int>(notifier->socket());
    if (fd < 0)
        return;
    const size_t index = static_cast<size_t>(fd);
    if (index >= m_watches.size())
        m_watches.resize(std::max(index + 1, m_watches.size() * 2));
    if (m_watches[index].notifiers[notifier->type()] != nullptr)
        qWarning("descriptor %d has two socket notifiers for the same event", fd);
    m_watches[index].notifiers[notifier->type()] = notifier;
    apply(fd);
}

void EpollDispatcher::unregisterSocketNotifier(QSocketNotifier *notifier)
{
    const int fd = static_cast<int>(notifier->socket());
    const size_t index = static_cast<size_t>(fd);
    if (fd < 0 || index >= m_watches.size() || m_watches[index].notifiers[notifier->type()] != notifier)
        return;
    m_watches[index].notifiers[notifier->type()] = nullptr;
    apply(fd);
}

// Tells epoll which events of the descriptor are wanted now. A closed descriptor has left epoll by itself, and another one may have its
// number already, so "no such entry" and "entry exists" are not errors.
void EpollDispatcher::apply(int fd)
{
    Watch &watch = m_watches[static_cast<size_t>(fd)];
    quint32 wanted = 0;
    if (watch.notifiers[QSocketNotifier::Read] != nullptr)
        wanted |= EPOLLIN;
    if (watch.notifiers[QSocketNotifier::Write] != nullptr)
        wanted |= EPOLLOUT;
    if (watch.notifiers[QSocketNotifier::Exception] != nullptr)
        wanted |= EPOLLPRI;
    epoll_event event{};
    event.events = wanted;
    event.data.fd = fd;
    const bool known = watch.events != 0;
    watch.events = wanted;
    if (wanted == 0) {
        epoll_ctl(m_epoll, EPOLL_CTL_DEL, fd, &event);
        return;
    }
    int result = epoll_ctl(m_epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event);
    if (result < 0 && errno == ENOENT)
        result = epoll_ctl(m_epoll, EPOLL_CTL_ADD, fd, &event);
    else if (result < 0 && errno == EEXIST)
        result = epoll_ctl(m_epoll, EPOLL_CTL_MOD, fd, &event);
    if (result < 0)
        qWarning("descriptor %d cannot be watched: %s", fd, std::strerror(errno));
}

void EpollDispatcher::registerTimer(int timerId, qint64 interval_ms, Qt::TimerType type, QObject *object)
{
    m_timers.add(timerId, interval_ms, type, object);
}

bool EpollDispatcher::unregisterTimer(int timerId)
{
    return m_timers.remove(timerId);
}

bool EpollDispatcher::unregisterTimers(QObject *object)
{
    return m_timers.removeAll(object);
}

QList<QAbstractEventDispatcher::TimerInfo> EpollDispatcher::registeredTimers(QObject *object) const
{
    return m_timers.timersOf(object);
}

int EpollDispatcher::remainingTime(int timerId)
{
    const std::optional<qint64> left_ms = m_timers.remaining_ms(timerId);
    return left_ms ? static_cast<int>(std::min<qint64>(*left_ms, std::numeric_limits<int>::max())) : -1;
}

void EpollDispatcher::wakeUp()
{
    if (m_woken.exchange(true))
        return; // an earlier write has not been read yet
    const quint64 one = 1;
    [[maybe_unused]] const ssize_t size = ::write(m_wake, &one, sizeof one);
}

void EpollDispatcher::interrupt()
{
    m_interrupted = true;
    wakeUp();
}

} // namespace junban
