#pragma once

#include <QByteArray>
#include <QHostAddress>
#include <QList>
#include <QPair>
#include <functional>
#include <memory>

namespace junban::http {

// One request, complete and checked by the gate (RFC 9112, strictly). Immutable.
struct Request {
    QByteArray method;             // upper case
    QByteArray path;               // as sent, without the query; percent-encoded still
    QByteArray query;              // as sent, without the '?'
    QList<QPair<QByteArray, QByteArray>> fields; // names in lower case
    QByteArray body;               // de-chunked
    QHostAddress peer;
    bool secure = false;           // over TLS

    QByteArray field(QByteArrayView lowerCaseName) const; // the first one's value; empty when there is none
    bool fromLoopback() const { return peer.isLoopback(); }
};

struct Response {
    int status = 200;
    QByteArray contentType;        // empty only with an empty body
    QByteArray body;
    QList<QPair<QByteArray, QByteArray>> fields = {};
};

// A request and the right to answer it, once. Copies share it. What a handler sees of HTTP: never a socket. When the client goes
// away the answer is dropped; a handler that waits says what to do then with onGone(). Answers leave in the order of the requests
// of their connection, whatever order they are given in. When the last copy is dropped unanswered, the client gets 500.
// Threads: one, that of its server.
class Exchange
{
public:
    class State;
    explicit Exchange(std::shared_ptr<State> state) : m_state(std::move(state)) {}

    const Request &request() const;
    // False when the client went away before the answer: the answer surely did not reach it.
    bool alive() const;
    // The answer. A second one is ignored (and asserts). Returns whether it was handed to a live connection.
    bool reply(Response response) const;
    // Called once, later, when the client goes away (or half-closes) before the answer; replaces an earlier handler.
    void onGone(std::function<void()> handler) const;

private:
    std::shared_ptr<State> m_state;
};

} // namespace junban::http
