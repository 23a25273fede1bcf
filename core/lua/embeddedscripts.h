#pragma once

namespace junban::redis {

// The scripts of core/lua as embed.py assembled them. The list ends with a null name.
struct EmbeddedScript {
    const char *name;
    const char *text;
};
extern const EmbeddedScript embeddedScripts[];
// The commands that they call; the list ends with a null.
extern const char *const scriptCommands[];

} // namespace junban::redis
