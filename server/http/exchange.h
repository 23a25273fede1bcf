#pragma once

#include "server/http/message.h"

#include <functional>
#include <memory>

namespace junban::http {

class ExchangeState;

// A request, and the right to answer it once. Copies share both. It is all that a handler knows of HTTP; it has no socket. When the client
// goes away the answer is dropped; a handler that waits for something can be told with onGone(). The answers of a connection are sent in
// the order of its requests, whatever the order of the reply() calls. When the last copy is destroyed without an answer, the client gets
// 500.
// Threads: one, that of its server.
class Exchange
{
public:
    explicit Exchange(std::shared_ptr<ExchangeState> state) : m_state(std::move(state)) {}

    const Request &request() const;
    // A leader has got the request under this id, and may have carried it out. Before the request is handled here.
    void setRepeated(const QByteArray &id) const;
    // False when the client went away before the answer, so that the answer cannot have reached it.
    bool alive() const;
    // Called by the answer; not when the client goes away before. It replaces an earlier handler.
    void onAnswer(std::function<void()> handler) const;
    // Answers. A second answer is a bug: it asserts, and is ignored in a release build. Returns whether a connection took the answer.
    bool reply(Response response) const;
    // The handler is called once, later, if the client goes away (or closes its side) before the answer. It replaces an earlier handler.
    void onGone(std::function<void()> handler) const;

private:
    std::shared_ptr<ExchangeState> m_state;
};

} // namespace junban::http
