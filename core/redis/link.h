#pragma once

#include "core/redis/reply.h"
#include "core/result.h"

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QUrl>
#include <functional>
#include <memory>
#include <optional>

namespace junban::redis {

// Where Redis is: redis://[user:password@]host[:port][/database], rediss:// for TLS, unix:///path[?db=N] (or unix:path).
struct Address {
    QByteArray host = "127.0.0.1";
    quint16 port = 6379;
    QByteArray socketPath;         // not empty: a unix socket
    bool tls = false;
    QByteArray user;
    QByteArray password;
    int database = 0;
    QByteArray caFile;             // TLS: ?ca=FILE, else the system's
    bool verifyPeer = true;        // TLS: ?verify=no turns it off

    static Result<Address> fromUrl(const QByteArray &url);
    // For logs: never with the password.
    QByteArray text() const;
};

// A script of core/lua, embedded at build time with its shared pieces included.
struct Script {
    QByteArray name;
    QByteArray text;
    QByteArray sha1;               // of the text, in hex: what EVALSHA takes
};

enum class LinkState { Connecting, Up, Down };

// One connection to Redis over Qt's sockets, with hiredis' reader and formatter. It connects by itself, authenticates, selects
// the database, and after a loss connects again after 50 ms … 2 s with jitter. Commands of one pass of the event loop leave in
// one write (pipelining); no more than limits::commands_in_flight_max are under way, further ones fail at once as
// StoreUnavailable. Every command has a deadline; when one passes it, the connection is dropped, for its replies can no longer
// be told apart.
//
// Errors (semantics.md §6): surely not executed → StoreUnavailable, StoreFull (OOM), StoreReadOnly (READONLY, MISCONF); perhaps
// executed → Ambiguous; any other reply of kind error → Internal with Redis' text as its message.
// Threads: one, that of the object. Callbacks: once, later, on that thread.
class Link : public QObject
{
    Q_OBJECT

public:
    explicit Link(Address address, QObject *parent = nullptr);
    ~Link() override;

    void start();
    LinkState state() const;
    // How long it has been down, milliseconds; 0 while it is up.
    qint64 away_ms() const;
    int inFlight() const;

    // Any command. Not repeated: an ambiguous end is the caller's to judge.
    void command(QList<QByteArray> words, Callback<Reply> callback);

    // A script under its content hash; on NOSCRIPT it is loaded and asked once more. What surely was not executed, and, because
    // every transition is idempotent under its ids, leases and nonces, what perhaps was, is asked again until
    // `limits::away_ms_max` has passed; then the caller gets StoreUnavailable. `script` must outlive the call.
    void run(const Script &script, QList<QByteArray> keys, QList<QByteArray> arguments, Callback<Reply> callback);

    // Subscribes on a connection that is used for nothing else; the handler gets (channel, message). Subscribed again after a
    // loss.
    void subscribe(QByteArray channel, std::function<void(QByteArrayView channel, QByteArrayView message)> handler);

Q_SIGNALS:
    void stateChanged(junban::redis::LinkState state);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace junban::redis
