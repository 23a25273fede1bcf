#pragma once

#include "core/lua/schema.h"

namespace junban {

// The names under which scripts read a constraint's parameters: core/lua/schema.lua, `constraints`.
namespace stored = redis::field_of::constraints;

} // namespace junban
