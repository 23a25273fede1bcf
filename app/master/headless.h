#pragma once

#include "app/master/options.h"

namespace junban::app {

// Reads the options; prints help, version or what is wrong. Returns nothing when there is nothing left to run, with `exitCode` set.
std::optional<Options> optionsOrExit(const QStringList &arguments, const char *program, int &exitCode);

// The master without a window: runs until it is asked to stop. Returns the exit code.
int runHeadless(int &argc, char **argv, const Options &options);

} // namespace junban::app
