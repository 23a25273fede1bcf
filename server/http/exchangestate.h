#pragma once

#include "server/http/message.h"

#include <functional>

namespace junban::http {

// Where the answer of an exchange goes: a connection of the gate, or a test.
class AnswerSink
{
public:
    virtual ~AnswerSink() = default;
    // The answer to the request with this sequence number. Returns whether a connection took it.
    virtual bool answer(quint64 sequence, Response response) = 0;
    // The last copy of the exchange was destroyed without an answer.
    virtual void dropped(quint64 sequence) = 0;
};

// What the copies of one Exchange share. It belongs to one request of one connection. When the client goes away or the request's time is
// over, the sink is removed, so a late answer cannot reach another request.
class ExchangeState
{
public:
    ExchangeState(Request r, AnswerSink *s, quint64 n) : request(std::move(r)), sink(s), sequence(n) {}
    ~ExchangeState();
    ExchangeState(const ExchangeState &) = delete;
    ExchangeState &operator=(const ExchangeState &) = delete;

    // Removes the sink without calling the handler.
    void detach();
    // Removes the sink and calls the handler.
    void gone();

    Request request;               // of which only setRepeated() changes something
    AnswerSink *sink = nullptr;    // null: the client has gone, or the request has been answered
    const quint64 sequence = 0;
    bool answered = false;
    std::function<void()> onGone;
    std::function<void()> onAnswer;
};

} // namespace junban::http
