#pragma once

#include <QByteArray>
#include <QLocalServer>
#include <QTemporaryDir>

class QLocalSocket;

namespace junban::test {

// Where a connection is closed: at a script call, or at its reply.
enum class Cut { None, BeforeRequest, HalfRequest, BeforeReply, HalfReply };

// Passes bytes between a link and Redis. When armed it closes the connection once, at the next script call; later connections are
// not closed. Threads: one.
class CuttingProxy
{
public:
    explicit CuttingProxy(QByteArray target);

    bool listen();
    QByteArray url() const { return "unix://" + m_server.fullServerName().toUtf8(); }
    void arm(Cut cut);
    // How many connections it has closed.
    int cuts() const { return m_cuts; }

private:
    void accept(QLocalSocket *client);
    void fromClient(QLocalSocket *client, QLocalSocket *redis);
    void fromRedis(QLocalSocket *client, QLocalSocket *redis);

    QTemporaryDir m_directory;
    QLocalServer m_server;
    QByteArray m_target;
    Cut m_armed = Cut::None;
    bool m_asked = false; // the script call has passed, and its reply is awaited
    int m_cuts = 0;
};

} // namespace junban::test
