#pragma once

namespace junban::redis {

// The scripts of core/lua as embed.py assembled them: the flags of the script, and the body of its library. The list ends with a null name.
struct EmbeddedScript {
    const char *name;
    const char *flags;
    const char *body;
};
extern const EmbeddedScript embeddedScripts[];
// The commands that they call; the list ends with a null.
extern const char *const scriptCommands[];

} // namespace junban::redis
