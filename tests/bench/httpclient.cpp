#include "tests/bench/httpclient.h"

#include <cstdlib>
#include <strings.h>
#include <utility>

namespace bench {

namespace {

// The value of Content-Length in `head`, the status line and fields of an answer; 0 without one.
size_t contentLength(std::string_view head)
{
    constexpr std::string_view name = "content-length:";
    for (size_t line = head.find("\r\n"); line != std::string_view::npos; line = head.find("\r\n", line + 2)) {
        const std::string_view rest = head.substr(line + 2);
        if (rest.size() > name.size() && strncasecmp(rest.data(), name.data(), name.size()) == 0)
            return static_cast<size_t>(std::strtoull(rest.data() + name.size(), nullptr, 10));
    }
    return 0;
}

} // namespace

void Connection::post(std::string_view path, std::string_view body, OnReply callback)
{
    m_callback = std::move(callback);
    std::string request;
    request.reserve(body.size() + 160);
    request.append("POST ").append(path).append(" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/vnd.msgpack\r\n");
    request.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n").append(body);
    write(request);
}

void Connection::get(std::string_view path, OnReply callback)
{
    m_callback = std::move(callback);
    std::string request = "GET ";
    request.append(path).append(" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    write(request);
}

void Connection::arrived()
{
    const size_t end = m_in.find("\r\n\r\n");
    if (end == std::string::npos)
        return;
    const size_t length = contentLength(std::string_view(m_in).substr(0, end + 4));
    if (m_in.size() < end + 4 + length)
        return;
    const std::string answer = std::exchange(m_in, {}); // one request at a time: nothing follows
    const OnReply callback = std::exchange(m_callback, nullptr);
    callback(Reply{std::atoi(answer.c_str() + 9), std::string_view(answer).substr(end + 4, length)});
}

} // namespace bench
