#pragma once

#include <QObject>
#include <QSocketNotifier>
#include <memory>

namespace junban::app {

// SIGTERM and SIGINT as a signal of ours, on the main thread. A second one ends the process at once. One in a process.
class StopSignals : public QObject
{
    Q_OBJECT

public:
    explicit StopSignals(QObject *parent = nullptr);

Q_SIGNALS:
    void asked();

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
    bool m_asked = false;
};

} // namespace junban::app
