#pragma once

#include "server/http/message.h"

#include <functional>
#include <memory>

namespace junban::http {

class ExchangeState;

// A request and the right to answer it, once. Copies share it. What a handler sees of HTTP: never a socket. When the client goes
// away the answer is dropped; a handler that waits says what to do then with onGone(). Answers leave in the order of the requests
// of their connection, whatever order they are given in. When the last copy is dropped unanswered, the client gets 500.
// Threads: one, that of its server.
class Exchange
{
public:
    explicit Exchange(std::shared_ptr<ExchangeState> state) : m_state(std::move(state)) {}

    const Request &request() const;
    // False when the client went away before the answer: the answer surely did not reach it.
    bool alive() const;
    // The answer. A second one is ignored (and asserts). Returns whether it was handed to a live connection.
    bool reply(Response response) const;
    // Called once, later, when the client goes away (or half-closes) before the answer; replaces an earlier handler.
    void onGone(std::function<void()> handler) const;

private:
    std::shared_ptr<ExchangeState> m_state;
};

} // namespace junban::http
