#pragma once

#include "app/master/options.h"

namespace junban::app {

// Reads the options. Prints the help, the version or an error if there is one; then it returns nothing and sets `exitCode`.
std::optional<Options> optionsOrExit(const QStringList &arguments, const char *program, int &exitCode);

// The master without a window: runs until it is asked to stop. Returns the exit code.
int runHeadless(int &argc, char **argv, const Options &options);

} // namespace junban::app
