#include "server/http/frames.h"

#include "core/limits.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <wslay/wslay.h>

namespace junban::http {

class Frames::Private
{
public:
    Private()
    {
        wslay_event_callbacks callbacks{};
        callbacks.recv_callback = give;
        callbacks.send_callback = collect;
        callbacks.on_msg_recv_callback = receive;
        if (wslay_event_context_server_init(&context, &callbacks, this) == 0)
            wslay_event_config_set_max_recv_msg_length(context, limits::socket_message_bytes_max);
        else
            context = nullptr;
    }
    ~Private() { wslay_event_context_free(context); }

    void queue(quint8 opcode, const QByteArray &data)
    {
        const wslay_event_msg message{opcode, reinterpret_cast<const quint8 *>(data.constData()), size_t(data.size())};
        const int result = wslay_event_queue_msg(context, &message);
        failed = failed || (result != 0 && result != WSLAY_ERR_NO_MORE_MSG); // none goes out behind a close
        flush();
    }
    void flush() { failed = wslay_event_send(context) != 0 || failed; }

    wslay_event_context_ptr context = nullptr; // null: there was no memory for it
    QByteArrayView in;
    QByteArray out;
    QList<QByteArray> messages;
    bool closed = false;               // by this side
    bool failed = false;
    bool pong = false;
    bool binary = false;

private:
    // wslay's callbacks; `user` is this object.
    static ssize_t give(wslay_event_context_ptr context, quint8 *to, size_t size_max, int, void *user)
    {
        QByteArrayView &in = static_cast<Private *>(user)->in;
        const qsizetype size = std::min(qsizetype(size_max), in.size());
        if (size == 0) {
            wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK);
            return -1;
        }
        std::memcpy(to, in.data(), size_t(size));
        in = in.sliced(size);
        return size;
    }

    static ssize_t collect(wslay_event_context_ptr, const quint8 *from, size_t size, int, void *user)
    {
        static_cast<Private *>(user)->out.append(reinterpret_cast<const char *>(from), qsizetype(size));
        return ssize_t(size);
    }

    static void receive(wslay_event_context_ptr, const wslay_event_on_msg_recv_arg *message, void *user)
    {
        auto *self = static_cast<Private *>(user);
        if (message->opcode == WSLAY_TEXT_FRAME && !self->closed && !self->binary)
            self->messages.append(QByteArray(reinterpret_cast<const char *>(message->msg), qsizetype(message->msg_length)));
        self->binary = self->binary || message->opcode == WSLAY_BINARY_FRAME;
        self->pong = self->pong || message->opcode == WSLAY_PONG;
    }
};

Frames::Frames()
    : d(std::make_unique<Private>())
{
    Q_CHECK_PTR(d->context);
}

Frames::~Frames() = default;

void Frames::take(QByteArrayView bytes)
{
    if (isOver())
        return;
    d->in = bytes;
    d->failed = wslay_event_recv(d->context) != 0 || d->failed;
    d->in = {};
    d->flush();
}

void Frames::text(const QByteArray &message)
{
    d->queue(WSLAY_TEXT_FRAME, message);
}

void Frames::ping()
{
    d->queue(WSLAY_PING, {});
}

void Frames::close(quint16 code, const QByteArray &reason)
{
    d->closed = true;
    wslay_event_queue_close(d->context, code, reinterpret_cast<const quint8 *>(reason.constData()), size_t(reason.size()));
    d->flush();
}

QList<QByteArray> Frames::takeMessages()
{
    return std::exchange(d->messages, {});
}

bool Frames::hadBinary() const
{
    return d->binary;
}

bool Frames::takePong()
{
    return std::exchange(d->pong, false);
}

QByteArray Frames::takeOutput()
{
    return std::exchange(d->out, {});
}

bool Frames::isClosing() const
{
    return d->closed || d->failed || wslay_event_get_close_sent(d->context) || !wslay_event_get_read_enabled(d->context);
}

bool Frames::isOver() const
{
    return d->failed || (wslay_event_get_close_sent(d->context) && !wslay_event_get_read_enabled(d->context));
}

bool Frames::isClosedByBoth() const
{
    return wslay_event_get_close_sent(d->context) && wslay_event_get_close_received(d->context);
}

} // namespace junban::http
