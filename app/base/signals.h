#pragma once

#include <QObject>
#include <QSocketNotifier>
#include <memory>

namespace junban::app {

// Turns SIGTERM and SIGINT into the Qt signal asked(), on the main thread; a second one ends the process at once. If wanted, turns SIGHUP
// into reloadAsked(). Only one object of this class may exist in a process.
class StopSignals : public QObject
{
    Q_OBJECT

public:
    enum class Reload { No, Yes }; // No: SIGHUP ends the process, as it does when a terminal is closed
    explicit StopSignals(Reload reload = Reload::No, QObject *parent = nullptr);

Q_SIGNALS:
    void asked();
    void reloadAsked();

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
    bool m_asked = false;
};

} // namespace junban::app
