#include "server/http/socketend.h"

#include "core/base/reasons/http.h"
#include "core/base/text.h"
#include "core/limits.h"

#include <algorithm>
#include <utility>

namespace junban::http {

SocketEnd::SocketEnd(Transport &transport, const ServerOptions &options, std::shared_ptr<SocketUser> user)
    : m_transport(transport)
    , m_options(options)
    , m_user(std::move(user))
{
}

void SocketEnd::open(qint64 now_ms)
{
    m_now_ms = now_ms;
    m_ping_ms = now_ms + m_options.ping_ms;
    if (!std::exchange(m_opened, true))
        m_user->opened(*this);
}

void SocketEnd::take(QByteArrayView bytes)
{
    while (!bytes.isEmpty() && over() == Over::No) {
        const qsizetype size = std::min<qsizetype>(bytes.size(), limits::socket_slice_bytes);
        m_frames.take(bytes.first(size));
        bytes = bytes.sliced(size);
        heed();
    }
}

// After bytes were read.
void SocketEnd::heed()
{
    flush();
    if (m_frames.takePong())
        m_pongUntil_ms = 0;
    const QList<QByteArray> messages = m_frames.takeMessages();
    for (const QByteArray &message : messages) {
        if (m_frames.isClosing())
            return;
        m_user->received(message);
    }
    if (m_frames.hadBinary())
        close(CloseCode::NotText, reasons::websocketOnlyTexts().text);
}

void SocketEnd::tick(qint64 now_ms)
{
    m_now_ms = now_ms;
    if (!m_opened)
        return;
    if (m_frames.isClosing()) {
        if (m_closeUntil_ms == 0)
            m_closeUntil_ms = now_ms + m_options.close_deadline_ms;
        m_broken = m_broken || m_closeUntil_ms <= now_ms;
        return;
    }
    if (!isFull())
        m_roomUntil_ms = 0;
    else if (m_roomUntil_ms == 0)
        m_roomUntil_ms = now_ms + m_options.write_deadline_ms;
    const auto passed = [now_ms](qint64 deadline_ms) { return deadline_ms > 0 && deadline_ms <= now_ms; };
    if (passed(m_pongUntil_ms) || passed(m_roomUntil_ms))
        return close(CloseCode::TooSlow, reasons::websocketReaderTooSlow().text);
    if (m_ping_ms > now_ms)
        return;
    m_ping_ms = now_ms + m_options.ping_ms;
    if (m_pongUntil_ms > 0)
        return;
    m_pongUntil_ms = now_ms + m_options.pong_deadline_ms;
    m_frames.ping();
    flush();
}

void SocketEnd::end()
{
    if (const auto user = std::exchange(m_user, nullptr); user && m_opened)
        user->ended();
}

bool SocketEnd::send(const QByteArray &text)
{
    if (m_broken || m_frames.isClosing() || isFull())
        return false;
    m_frames.text(text);
    flush();
    return !m_broken;
}

void SocketEnd::close(CloseCode code, const QByteArray &reason)
{
    if (m_frames.isClosing())
        return;
    if (m_opened) // before that the time is not known yet, and tick() sets it
        m_closeUntil_ms = m_now_ms + m_options.close_deadline_ms;
    m_frames.close(quint16(code), shown(reason, limits::socket_reason_bytes_max));
    flush();
}

void SocketEnd::flush()
{
    const QByteArray bytes = m_frames.takeOutput();
    if (!bytes.isEmpty() && !m_broken && !m_transport.write(bytes))
        m_broken = true;
}

bool SocketEnd::isFull() const
{
    return m_transport.unsent_bytes() > limits::socket_unsent_bytes_max;
}

SocketEnd::Over SocketEnd::over() const
{
    if (m_broken)
        return Over::Lingers;
    if (!m_frames.isOver())
        return Over::No;
    return m_frames.isClosedByBoth() && m_transport.unsent_bytes() == 0 ? Over::Ended : Over::Lingers;
}

} // namespace junban::http
