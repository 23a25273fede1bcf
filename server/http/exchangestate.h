#pragma once

#include "server/http/message.h"

#include <functional>

namespace junban::http {

// Where the answer of an exchange goes: a connection of the gate, or a test.
class AnswerSink
{
public:
    virtual ~AnswerSink() = default;
    // The answer to the request with this sequence number. Returns whether it was handed to a live connection.
    virtual bool answer(quint64 sequence, Response response) = 0;
    // The last copy of the exchange went without an answer.
    virtual void dropped(quint64 sequence) = 0;
};

// What the copies of one Exchange share. One belongs to one request of one connection: when the client goes away, or the
// request's time is over, the sink is taken out and nothing done with the exchange later can reach another request.
class ExchangeState
{
public:
    ExchangeState(Request r, AnswerSink *s, quint64 n) : request(std::move(r)), sink(s), sequence(n) {}
    ~ExchangeState();
    ExchangeState(const ExchangeState &) = delete;
    ExchangeState &operator=(const ExchangeState &) = delete;

    // The sink lets go of the exchange without telling the handler.
    void detach();
    // The same, and the handler is told.
    void gone();

    const Request request;
    AnswerSink *sink = nullptr;    // null: gone, or answered
    const quint64 sequence = 0;
    bool answered = false;
    std::function<void()> onGone;
};

} // namespace junban::http
