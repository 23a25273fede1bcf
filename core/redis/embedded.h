#pragma once

#include "core/base/result.h"
#include "core/redis/link.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

namespace junban::redis {

enum class Fsync { EverySecond, Always };

// The private redis-server that a master starts when it is given none: on a unix socket in the data directory, with an append-only file and
// without eviction. It runs in its own session, so neither Ctrl-C nor kill -9 of the master reaches it. A master adopts a server that
// already runs there. A server that dies is started again. Threads: that of the object. No call blocks.
class EmbeddedRedis : public QObject
{
    Q_OBJECT

public:
    // `memory` is what Redis may use, as its configuration writes sizes; empty: half of the machine's.
    explicit EmbeddedRedis(QString dataDirectory, Fsync fsync = Fsync::EverySecond, QByteArray memory = {}, QObject *parent = nullptr);
    ~EmbeddedRedis() override;

    // Starts or adopts the server, waits until it has loaded its data, and answers with its address. Errors: Internal, with what
    // redis-server logged.
    void start(Callback<Address> callback);
    // Ends the server if no other master uses it; it writes out its append-only file first.
    void stop(Callback<Done> callback);

private:
    std::optional<Error> lock();
    void look();
    void greet();
    void launch();
    int lockServer() const;
    void fail(const Error &error);
    QByteArray logTail() const;

    QString m_directory;
    Fsync m_fsync;
    QByteArray m_memory;
    QByteArray m_socketPath;
    std::unique_ptr<Link> m_link;
    QTimer m_looking;
    Callback<Address> m_started;
    int m_mastersLock = -1;       // shared while a master uses this Redis
    qint64 m_pid = 0;             // of the server that was launched last; 0: none yet
    qint64 m_launched_ms = 0;
    int m_launches = 0;
    bool m_waitSaid = false;
    bool m_stopping = false;
};

} // namespace junban::redis
