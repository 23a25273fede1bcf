#pragma once

#include "app/master/options.h"

namespace junban::app {

// From now on every log line goes to standard error with time and level, as text or as one JSON object. Arguments, results and
// tokens never go into a log.
void startLog(Options::LogFormat format);

} // namespace junban::app
