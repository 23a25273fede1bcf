#pragma once

#include <QByteArray>
#include <QLocalServer>
#include <QTemporaryDir>

class QLocalSocket;

namespace junban::test {

// Where a connection is cut: at a script call, or at its reply.
enum class Cut { None, BeforeRequest, HalfRequest, BeforeReply, HalfReply };

// Passes bytes between a link and Redis. Armed, it cuts the connection once, at the next script call; connections after that
// pass. Threads: one.
class CuttingProxy
{
public:
    explicit CuttingProxy(QByteArray target);

    bool listen();
    QByteArray url() const { return "unix://" + m_server.fullServerName().toUtf8(); }
    void arm(Cut cut);
    // Of those armed since the start, how many were made.
    int cuts() const { return m_cuts; }

private:
    void accept(QLocalSocket *client);
    void fromClient(QLocalSocket *client, QLocalSocket *redis);
    void fromRedis(QLocalSocket *client, QLocalSocket *redis);

    QTemporaryDir m_directory;
    QLocalServer m_server;
    QByteArray m_target;
    Cut m_armed = Cut::None;
    bool m_asked = false; // the call whose reply is to be cut has passed
    int m_cuts = 0;
};

} // namespace junban::test
