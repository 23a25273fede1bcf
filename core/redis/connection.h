#pragma once

#include "core/base/nextpass.h"
#include "core/base/result.h"
#include "core/base/streamsocket.h"
#include "core/redis/address.h"
#include "core/redis/replyreader.h"

#include <QObject>
#include <deque>
#include <memory>

class QTcpSocket;

namespace junban::redis {

// One connection to one server, with hiredis' reader. It is opened once; after its end a new one is made. A plain connection is a bare
// descriptor, for which Qt only finds the host and connects to it; one over TLS is a socket of Qt's. Commands of one pass of the event
// loop are sent in one write (pipelining). Every command has a deadline. When a reply does not come in time the connection ends, as later
// replies could no longer be matched to their commands.
//
// Errors: an error that Redis sends is a Reply here. When the connection ends, lost() says why (unless its owner closed it). Then commands
// that were sent fail with Ambiguous, and commands that were not with StoreUnavailable.
// Threads: one, that of the object. Callbacks: once, later, on that thread; none after its destruction.
class Connection : public QObject, private StreamSocket::User
{
    Q_OBJECT

public:
    // `how` says whether to use TLS, and how.
    Connection(Endpoint at, const Address &how, QObject *parent);
    ~Connection() override;

    void open();
    const Endpoint &endpoint() const { return m_at; }
    bool isOpen() const { return m_open; }
    int pending() const { return int(m_pending.size()); }
    // Precondition for both: open() was called and the connection is not lost. Commands given before it is open are sent when it is.
    void send(const QList<QByteArray> &words, Callback<Reply> callback);
    // Sends a command whose reply comes by pushed(): SUBSCRIBE, and PING on a connection that has subscribed.
    void sendPushing(const QList<QByteArray> &words);
    // Checks the deadlines; the owner calls it several times a second. `now_ms` is on Clock::monotonic_ms().
    void tick(qint64 now_ms);
    void close(Error why);

Q_SIGNALS:
    void opened();
    void lost(Error why);
    void pushed(junban::redis::Reply reply);

private:
    struct Pending {
        Callback<Reply> callback;
        qint64 deadline_ms;
    };
    void connectUnix();
    void openTcp();
    void openTls();
    void openQt(QTcpSocket *socket);
    // In the next pass of the event loop: connecting may fail at once, and signals must not come from inside open().
    void later(std::function<void()> connectNow);
    void goOnBare(int descriptor);
    void append(const QList<QByteArray> &words);
    void flush();
    void readable() override;
    void written() override {}
    void failed() override { broken(); }
    void take(QByteArrayView bytes);
    void nowOpen();
    void broken();
    void end(Error why);

    Endpoint m_at;
    bool m_tls;
    QByteArray m_caFile;
    bool m_verifyPeer;
    bool m_begun = false;                     // open() was called, and it has not ended
    std::unique_ptr<StreamSocket> m_socket;   // of a plain connection, when it is open
    QTcpSocket *m_qtSocket = nullptr;         // of one over TLS, and of one over TCP that is not open yet; a child
    ReplyReader m_reader;
    NextPass m_pass;
    QByteArray m_out;
    std::deque<Pending> m_pending;
    size_t m_unsent = 0;           // how many of m_pending, from the end, are still in m_out
    qint64 m_openDeadline_ms = 0;
    bool m_open = false;
};

} // namespace junban::redis
