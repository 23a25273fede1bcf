#pragma once

#include <QByteArray>

namespace junban::app {

// Tells the service manager that started this process how it is, as sd_notify(3) does: "READY=1". Does nothing without one.
void notifyServiceManager(const QByteArray &state);

} // namespace junban::app
