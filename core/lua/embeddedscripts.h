#pragma once

namespace junban::redis {

// A script of core/lua as the build put it together; the list ends with a null name.
struct EmbeddedScript {
    const char *name;
    const char *text;
};
extern const EmbeddedScript embeddedScripts[];

} // namespace junban::redis
