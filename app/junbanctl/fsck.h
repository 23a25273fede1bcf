#pragma once

#include <QCommandLineParser>

namespace junban::app {

// `junbanctl fsck --redis URL`: straight to Redis, beside whatever masters are at work. Runs an event loop of its own; returns the exit
// code: 0 when nothing was found, 1 when something was (repaired or not), 2 when it could not look.
int runFsck(const QCommandLineParser &flags);

} // namespace junban::app
