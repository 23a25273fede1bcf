#pragma once

#include "core/base/result.h"
#include "core/redis/address.h"
#include "core/redis/reply.h"
#include "core/redis/script.h"
#include "core/redis/successors.h"

#include <QByteArray>
#include <QList>
#include <QObject>
#include <functional>
#include <memory>

namespace junban::redis {

enum class LinkState { Connecting, Up, Down };

// The way to Redis, over one connection at a time. It finds the server by itself (the primary that a majority of the Sentinels agrees on,
// if it calls itself one; or the cluster's node that has the home key), authenticates, selects the database, and after a loss does so again
// after 50 ms … 2 s with jitter. It leaves a primary within a second after a majority of the Sentinels agrees on another. No more than
// limits::commands_in_flight_max are under way, further ones fail at once as StoreUnavailable.
//
// Errors (docs/semantics.md, "When Redis refuses or does not answer"): surely not executed → StoreUnavailable, StoreFull (OOM),
// StoreReadOnly (READONLY, MISCONF); perhaps executed → Ambiguous; any other reply of kind error → Internal with Redis' text as its
// message.
// Threads: one, that of the object. Callbacks: once, later, on that thread.
class Link : public QObject
{
    Q_OBJECT

public:
    explicit Link(Address address, QObject *parent = nullptr);
    ~Link() override;

    // Before start(): a key whose node is looked for in a cluster, e.g. a namespace's prefix. It need not exist.
    void setHome(QByteArray key);
    void start();
    LinkState state() const;
    // How long no command could be carried out, milliseconds; 0 while they are.
    qint64 away_ms() const;
    int inFlight() const;
    // Where it is connected, or tries to.
    Endpoint endpoint() const;

    // Who may become the primary instead of the server it is connected to. StoreUnavailable: nobody can tell, or that server is the
    // primary no more.
    void askSuccessors(Callback<Successors> callback);

    // Any command. Not repeated: an ambiguous end is the caller's to judge.
    void command(QList<QByteArray> words, Callback<Reply> callback);

    // A script under its content hash; on NOSCRIPT it is loaded and asked once more. What surely was not executed, and, because
    // every transition is idempotent under its ids, leases and nonces, what perhaps was, is asked again until
    // `limits::away_ms_max` has passed; then the caller gets StoreUnavailable. Only a Redis that is full, or whose disk is, is told
    // of at once, for that lasts. `script` must outlive the call.
    void run(const Script &script, QList<QByteArray> keys, QList<QByteArray> arguments, Callback<Reply> callback);

    // Before start(): subscribes on this connection, which is then used for nothing else; the handler gets (channel, message).
    // Subscribed again after a loss.
    void subscribe(QByteArray channel, std::function<void(QByteArrayView channel, QByteArrayView message)> handler);

Q_SIGNALS:
    void stateChanged(junban::redis::LinkState state);

private:
    class Private;
    void askCluster(Callback<Successors> callback);

    std::unique_ptr<Private> d;
};

} // namespace junban::redis
