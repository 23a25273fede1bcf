#pragma once

namespace junban::redis {

// The scripts of core/lua as embed.py assembled them. The list ends with a null name.
struct EmbeddedScript {
    const char *name;
    const char *text;
};
extern const EmbeddedScript embeddedScripts[];

} // namespace junban::redis
