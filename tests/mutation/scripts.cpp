// Stands in for the libraries that the build embeds: those of the directory JUNBAN_SCRIPTS, one file each, as mutants.py put them together:
// a line with the verbs, then the body.
// Only the mutation test links it; a program's own object comes before a library's, so the engine is built as always.
#include "core/lua/embeddedscripts.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace junban::redis {

namespace {

constexpr std::size_t slots = 20;

struct File {
    std::string name;
    std::string verbs;
    std::string body;
};

// Kept for the whole run: the table below points into it.
const std::vector<File> &files()
{
    static const std::vector<File> all = [] {
        std::vector<File> found;
        const char *directory = std::getenv("JUNBAN_SCRIPTS");
        if (!directory) {
            std::fputs("JUNBAN_SCRIPTS names no directory of libraries\n", stderr);
            std::exit(2);
        }
        for (const auto &entry : std::filesystem::directory_iterator(directory)) {
            std::ostringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            const std::string whole = text.str();
            const std::size_t end = whole.find('\n');
            found.push_back({entry.path().stem().string(), whole.substr(0, end), whole.substr(end + 1)});
        }
        if (found.empty() || found.size() >= slots)
            std::exit(2);
        return found;
    }();
    return all;
}

EmbeddedLibrary slot(std::size_t at)
{
    if (at >= files().size())
        return {nullptr, nullptr, nullptr};
    return {files()[at].name.c_str(), files()[at].verbs.c_str(), files()[at].body.c_str()};
}

} // namespace

#define TEN(n) slot(n), slot(n + 1), slot(n + 2), slot(n + 3), slot(n + 4), slot(n + 5), slot(n + 6), slot(n + 7), slot(n + 8), slot(n + 9)
const EmbeddedLibrary embeddedLibraries[slots] = {TEN(0), TEN(10)};
#undef TEN

// What Redis' user may do is not looked at with these scripts.
const char *const scriptCommands[] = {nullptr};

} // namespace junban::redis
