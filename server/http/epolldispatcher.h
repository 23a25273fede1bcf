#pragma once

#include "server/http/timertable.h"

#include <QAbstractEventDispatcher>
#include <QSocketNotifier>
#include <atomic>
#include <vector>

namespace junban {

// An event dispatcher with epoll(7). A turn of the loop costs time for each event, and not for each open descriptor as Qt's dispatcher with
// poll(2) does. Give it to QThread::setEventDispatcher(), or to QCoreApplication::setEventDispatcher() before the application object is
// made; Qt then owns it. Timers of every type are precise: never early, and late by a millisecond or as long as the loop was busy. A turn
// ends with what is due then (core/base/nextpass.h). Threads: that of the loop; wakeUp() and interrupt() may be called from any thread.
class EpollDispatcher final : public QAbstractEventDispatcher
{
    Q_OBJECT

public:
    explicit EpollDispatcher(QObject *parent = nullptr);
    ~EpollDispatcher() override;

    bool processEvents(QEventLoop::ProcessEventsFlags flags) override;

    void registerSocketNotifier(QSocketNotifier *notifier) override;
    void unregisterSocketNotifier(QSocketNotifier *notifier) override;

    using QAbstractEventDispatcher::registerTimer;
    void registerTimer(int timerId, qint64 interval_ms, Qt::TimerType type, QObject *object) override;
    bool unregisterTimer(int timerId) override;
    bool unregisterTimers(QObject *object) override;
    QList<TimerInfo> registeredTimers(QObject *object) const override;
    int remainingTime(int timerId) override;

    void wakeUp() override;
    void interrupt() override;

private:
    struct Watch {
        QSocketNotifier *notifiers[3] = {}; // by QSocketNotifier::Type
        quint32 events = 0;                 // the events that epoll watches for
    };
    void apply(int fd);
    int waitForEvents(QEventLoop::ProcessEventsFlags flags);
    int activateNotifiers(int count);
    int activate(int fd, QSocketNotifier::Type type);

    int m_epoll = -1;
    int m_wake = -1;                        // eventfd
    std::atomic_bool m_woken = false;
    std::atomic_bool m_interrupted = false;
    std::vector<Watch> m_watches;           // by descriptor
    TimerTable m_timers;
};

} // namespace junban
