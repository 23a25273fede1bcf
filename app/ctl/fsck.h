#pragma once

#include "app/ctl/redisaccess.h"
#include "app/ctl/session.h"

// A look for broken invariants, for the verbs that need one.
namespace junban::app {

// All of it, without a master.
void fsckNamespace(const OpenNamespace &open, Repair repair, const Callback<FsckReport> &callback);
// Shows what was found, and returns the exit code that says so.
int showFsck(Session &session, const FsckReport &report);

} // namespace junban::app
