#pragma once

#include <span>
#include <string_view>

namespace junban::web {

// A file of the web console. build.py makes them.
struct File {
    std::string_view path;     // in the address, from its '/'
    std::string_view type;
    std::string_view etag;     // with its quotes
    bool isImmutable;          // its path changes with its content
    std::string_view plain;
    std::string_view gzip;     // the same, compressed
};

// None when the program was built without the console.
std::span<const File> files();

// The manual, whatever the program was built with (manual/make.py).
std::span<const File> manual();

} // namespace junban::web
