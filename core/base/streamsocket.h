#pragma once

#include <QByteArray>
#include <QSocketNotifier>
#include <memory>

namespace junban {

// A connected stream socket, over TCP or a unix path, without a buffer of Qt's between it and the kernel: a read takes what has come, a
// write gives the kernel what it takes now and keeps the rest. It owns the descriptor. Threads: one, with an event loop.
class StreamSocket
{
public:
    // Gets what happens. Every call comes from the event loop, never from inside a call of the socket; each may close or destroy it.
    class User
    {
    public:
        virtual ~User() = default;
        virtual void readable() = 0;
        virtual void written() = 0;    // some of the unsent bytes have been sent
        virtual void failed() = 0;     // a write found that the connection broke
    };
    enum class Reading { Off, On };

    StreamSocket(int fd, User &user);
    ~StreamSocket() { close(); }
    StreamSocket(const StreamSocket &) = delete;
    StreamSocket &operator=(const StreamSocket &) = delete;

    // Reads up to `bytes_max` bytes. 0: nothing has come now; -1: the other side has ended, or the connection broke.
    qint64 read(char *data, qint64 bytes_max);
    // False when the connection broke.
    bool write(const QByteArray &bytes);
    qint64 unsent_bytes() const { return m_out.size() - m_outBegin; }
    void setReading(Reading reading) { m_input->setEnabled(reading == Reading::On); }
    // Ends this side after everything that was written has been sent.
    void endOutput();
    // At once; the user gets no further calls.
    void close();

private:
    qint64 send(const char *data, qint64 size);
    void flush();

    User &m_user;
    int m_fd;
    std::unique_ptr<QSocketNotifier> m_input;
    std::unique_ptr<QSocketNotifier> m_output; // made when first needed
    QByteArray m_out;
    qsizetype m_outBegin = 0;
    bool m_ending = false;
};

} // namespace junban
