#pragma once

#include "tests/bench/loop.h"

// The load generator's own HTTP client: keep-alive connections, one request at a time on each.
namespace bench {

struct Reply {
    int status = 0;
    std::string_view body; // valid during the callback
};
using OnReply = std::function<void(const Reply &)>;

class Connection : public Stream
{
public:
    using Stream::Stream;

    // Nothing else may be under way on this connection.
    void post(std::string_view path, std::string_view body, OnReply callback);
    void get(std::string_view path, OnReply callback);

private:
    void arrived() override;

    OnReply m_callback;
};

} // namespace bench
