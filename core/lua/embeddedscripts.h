#pragma once

namespace junban::redis {

// The libraries of the scripts of core/lua as embed.py assembled them. The list ends with a null name.
struct EmbeddedLibrary {
    const char *name;
    const char *verbs; // the scripts in it, each with a colon and its flags behind it, with spaces between them
    const char *body;
};
extern const EmbeddedLibrary embeddedLibraries[];
// The commands that the scripts call; the list ends with a null.
extern const char *const scriptCommands[];

} // namespace junban::redis
