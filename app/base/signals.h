#pragma once

#include <QObject>
#include <QSocketNotifier>
#include <memory>

namespace junban::app {

// Turns SIGTERM and SIGINT into the Qt signal asked(), on the main thread. A second one ends the process at once. Only one object of this
// class may exist in a process.
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
