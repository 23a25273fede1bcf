#pragma once

#include "app/master/options.h"

namespace junban::app {

// From now on every log line goes to standard error with its time and level, as text or as one JSON object. Where standard error is
// systemd's journal, text has the level's number instead, which the journal reads. Call it before other threads start. Code must never log
// arguments, results or tokens.
void startLog(Options::LogFormat format);

} // namespace junban::app
