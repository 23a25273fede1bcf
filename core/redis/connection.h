#pragma once

#include "core/base/nextpass.h"
#include "core/base/result.h"
#include "core/redis/address.h"
#include "core/redis/reply.h"

#include <QObject>
#include <deque>
#include <memory>

class QIODevice;
struct redisReader;

namespace junban::redis {

// One connection to one server, from its opening to its end, over Qt's sockets with hiredis' reader and formatter; it is never opened
// again. Commands of one pass of the event loop leave in one write (pipelining). Every command has a deadline; when one passes it, the
// connection ends, for its replies can no longer be told apart.
//
// Errors: a reply of kind error is a reply here. When the connection ends, lost() says why (unless its owner closed it), and then what
// went out fails as Ambiguous, what did not as StoreUnavailable.
// Threads: one, that of the object. Callbacks: once, later, on that thread; none after its destruction.
class Connection : public QObject
{
    Q_OBJECT

public:
    // `how`: TLS, if any.
    Connection(Endpoint at, const Address &how, QObject *parent);
    ~Connection() override;

    void open();
    const Endpoint &endpoint() const { return m_at; }
    bool isOpen() const { return m_open; }
    int pending() const { return int(m_pending.size()); }
    // Precondition for both: open() was called, and it is not lost. What is sent before it is open leaves then.
    void send(const QList<QByteArray> &words, Callback<Reply> callback);
    // A command that is answered by pushed(): SUBSCRIBE, and PING on a connection that has subscribed.
    void sendPushing(const QList<QByteArray> &words);
    // Looks at the deadlines; the owner calls it several times a second.
    void tick(qint64 now_ms);
    void close(const char *why);

Q_SIGNALS:
    void opened();
    void lost(QByteArray why);
    void pushed(junban::redis::Reply reply);

private:
    struct Pending {
        Callback<Reply> callback;
        qint64 deadline_ms;
    };
    void openTcp();
    void later(std::function<void()> connectNow);
    void append(const QList<QByteArray> &words);
    void flush();
    void read();
    void nowOpen();
    void end(const char *why);

    Endpoint m_at;
    bool m_tls;
    QByteArray m_caFile;
    bool m_verifyPeer;
    QIODevice *m_device = nullptr;
    std::unique_ptr<redisReader, void (*)(redisReader *)> m_reader;
    NextPass m_pass;
    QByteArray m_out;
    std::deque<Pending> m_pending;
    size_t m_unsent = 0;           // the last so many of m_pending stand in m_out still
    qint64 m_openDeadline_ms = 0;
    bool m_open = false;
};

} // namespace junban::redis
