#pragma once

#include "server/http/exchange.h"

#include <QByteArray>
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>

namespace junban::api {
class Api;
}

namespace junban::relay {

// Another master that leads the namespace, as far as this one knows.
struct Leader {
    QByteArray address = {};         // host:port; empty: nobody is known, or nobody that can be reached from here
    QByteArray certificate = {};     // SHA-256 of the one that it has to show, in hexadecimal digits; empty: it speaks no TLS
    QByteArray secret = {};
    friend bool operator==(const Leader &, const Leader &) = default;
};

// Every master of a namespace serves everything: one that does not lead passes requests on to the leader. One hop only: a request that was
// passed on and does not meet the leader is refused with 421, and the first master asks again, ten seconds in all. What a leader may have
// carried out is asked again only if that is safe (api::Passed).
//
// Threads: one, the engine's.
class Relay : public QObject
{
    Q_OBJECT

public:
    struct Options {
        std::function<bool()> leads;             // whether this master does
        std::function<Leader()> leader;          // another one
        std::function<QByteArray()> drawId;      // for a request
    };
    // `api` answers what is not passed on. It must outlive the relay.
    Relay(api::Api &api, Options options, QObject *parent = nullptr);
    ~Relay() override;

    // Answers the request, here or by the leader.
    void handle(const http::Exchange &exchange);
    // For a master that stops: what was passed on and is not answered within a second is given up.
    void stop();

private:
    class Passing;
    class Pool;

    void add(const http::Exchange &exchange, bool mayRepeat);
    void lookAtLeader();

    api::Api &m_api;
    const Options m_options;
    std::unique_ptr<Pool> m_pool;
    QTimer m_look;                               // while something is passed on: whether the leader is the same
};

} // namespace junban::relay
