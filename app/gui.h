#pragma once

#include "app/master/options.h"

namespace junban::app {

// The desktop console, with a master in the same process or, with --connect, on one elsewhere. Returns the exit code.
int runGui(int &argc, char **argv, const Options &options);

// Whether there is a display to open a window on.
bool hasDisplay();

} // namespace junban::app
