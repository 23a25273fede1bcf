#pragma once

#include "core/base/result.h"
#include "core/base/timings.h"
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

// The way to Redis, over one connection at a time. It finds the server by itself: the primary that a majority of the Sentinels agrees on
// and that says it is one, or the cluster's node that has the home key. It authenticates and selects the database. After a loss it connects
// again, with pauses from limits::reconnect_ms_min to reconnect_ms_max and jitter. It leaves a primary within a second after a majority of
// the Sentinels agrees on another. At most limits::commands_in_flight_max commands are under way; further ones fail at once with
// StoreUnavailable.
//
// Errors (docs/semantics.md, "When Redis refuses or does not answer"): certainly not executed: StoreUnavailable, StoreFull (OOM),
// StoreReadOnly (READONLY, MISCONF); perhaps executed: Ambiguous; any other error that Redis sends: Internal, with its text.
// Threads: one, that of the object. Callbacks: once, later, on that thread.
class Link : public QObject
{
    Q_OBJECT

public:
    explicit Link(Address address, QObject *parent = nullptr);
    ~Link() override;

    // In a cluster the link goes to the node that has this key, e.g. a namespace's prefix; the key need not exist. Call it before start().
    void setHome(QByteArray key);
    // Whenever it connects, the link asks first whether its user is permitted what a master needs (core/redis/permissions.h) with the keys
    // of this prefix. If not, it stays down and says what is missing. Call it before start().
    void needPermissions(QByteArray prefix);
    // How long each script call takes, by the script. Call it before start().
    void setTimes(std::shared_ptr<Timings> times);
    void start();
    LinkState state() const;
    // For how many milliseconds no command could be executed; 0 while they are.
    qint64 away_ms() const;
    int inFlight() const;
    // The server to which it is connected, or tries to connect.
    Endpoint endpoint() const;

    // Which servers may become the primary instead of the connected one. StoreUnavailable: it is not known, or that server is no longer
    // the primary.
    void askSuccessors(Callback<Successors> callback);

    // Sends any command. It is not repeated: after Ambiguous the caller decides.
    void command(QList<QByteArray> words, Callback<Reply> callback);

    // Calls a script's function; a server that does not have it gets its library first. A call that was not executed is repeated until
    // limits::away_ms_max has passed; then the caller gets StoreUnavailable. So is a call that was perhaps executed: every transition is
    // idempotent under its ids, leases and nonces. When Redis' memory or disk is full the error comes at once, as that does not pass
    // quickly. `script` must outlive the call.
    void run(const Script &script, QList<QByteArray> keys, QList<QByteArray> arguments, Callback<Reply> callback);

    // Call it before start(). Subscribes to a channel, again after each loss; the link can then be used for nothing else.
    void subscribe(QByteArray channel, std::function<void(QByteArrayView channel, QByteArrayView message)> handler);

Q_SIGNALS:
    void stateChanged(junban::redis::LinkState state);

private:
    class Private;
    void askCluster(Callback<Successors> callback);

    std::unique_ptr<Private> d;
};

} // namespace junban::redis
