#include "server/push/httpanswer.h"

#include "core/base/durations.h"
#include "core/limits.h"

namespace junban::push {

HttpAnswer::State HttpAnswer::add(const QByteArray &bytes)
{
    m_in += bytes;
    return m_headRead ? readBody() : readHead();
}

HttpAnswer::State HttpAnswer::close()
{
    return m_headRead && m_framing == Framing::UntilClose ? State::Whole : State::Wrong;
}

HttpAnswer::State HttpAnswer::readHead()
{
    while (!m_headRead) {
        const qsizetype end = m_in.indexOf("\r\n\r\n");
        if (end < 0 || end > limits::worker_head_bytes_max)
            return m_in.size() > limits::worker_head_bytes_max ? State::Wrong : State::Unfinished;
        const QByteArray head = m_in.first(end);
        m_in.remove(0, end + 4);
        m_framing = Framing::UntilClose;
        if (!readHeadLines(head))
            return State::Wrong;
        m_headRead = m_status >= 200; // the others only announce it
    }
    if (m_status == 204 || m_status == 304)
        m_framing = Framing::None;
    return readBody();
}

bool HttpAnswer::readHeadLines(const QByteArray &head)
{
    const QList<QByteArray> lines = head.split('\n');
    const QByteArray first = lines.first().trimmed();
    bool isNumber = false;
    m_status = first.mid(9, 3).toInt(&isNumber);
    if (!first.startsWith("HTTP/1.") || !isNumber || m_status < 100 || m_status > 599)
        return false;
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const qsizetype colon = lines[i].indexOf(':');
        if (colon <= 0 || !readField(lines[i].first(colon).toLower(), lines[i].sliced(colon + 1).trimmed()))
            return false;
    }
    return true;
}

bool HttpAnswer::readField(const QByteArray &name, const QByteArray &value)
{
    bool ok = true;
    if (name == "content-length" && m_framing != Framing::Chunks) {
        m_left = value.toLongLong(&ok);
        ok = ok && m_left >= 0 && m_left <= limits::worker_answer_bytes_max;
        m_framing = Framing::Length;
    } else if (name == "transfer-encoding") {
        ok = value.toLower() == "chunked";
        m_framing = Framing::Chunks;
        m_left = 0;
    } else if (name == "content-type") {
        m_contentType = value.split(';').first().trimmed().toLower();
    } else if (name == "content-encoding" && !value.isEmpty() && value.toLower() != "identity") {
        m_contentCoding = value.toLower();
    } else if (name == "retry-after") {
        bool isNumber = false;
        const qint64 seconds = value.toLongLong(&isNumber);
        if (isNumber && seconds >= 0)
            m_retryAfter_ms = qMin<qint64>(seconds, limits::worker_backoff_ms_max / second_ms) * second_ms;
    }
    return ok;
}

HttpAnswer::State HttpAnswer::readBody()
{
    switch (m_framing) {
    case Framing::None:
        return State::Whole;
    case Framing::Chunks:
        return readChunks();
    case Framing::UntilClose:
        return append(m_in.size());
    case Framing::Length:
        break;
    }
    const qsizetype bytes = qMin<qsizetype>(qsizetype(m_left), m_in.size());
    m_left -= bytes;
    const State state = append(bytes);
    return state == State::Unfinished && m_left == 0 ? State::Whole : state;
}

HttpAnswer::State HttpAnswer::readChunks()
{
    while (true) {
        if (m_inChunk) {
            const qsizetype bytes = qMin<qsizetype>(qsizetype(m_left), m_in.size());
            m_left -= bytes;
            if (append(bytes) == State::Wrong)
                return State::Wrong;
            if (m_left > 0 || m_in.size() < 2)
                return State::Unfinished;
            if (!m_in.startsWith("\r\n"))
                return State::Wrong;
            m_in.remove(0, 2);
            m_inChunk = false;
        }
        const qsizetype end = m_in.indexOf("\r\n");
        if (end < 0)
            return m_in.size() > limits::http_chunk_line_bytes_max ? State::Wrong : State::Unfinished;
        bool isNumber = false;
        m_left = m_in.first(end).split(';').first().trimmed().toLongLong(&isNumber, 16);
        m_in.remove(0, end + 2);
        if (!isNumber || m_left < 0 || m_left > limits::worker_answer_bytes_max)
            return State::Wrong;
        if (m_left == 0)
            return State::Whole; // trailers say nothing that matters, and the connection is not used again
        m_inChunk = true;
    }
}

HttpAnswer::State HttpAnswer::append(qsizetype bytes)
{
    m_body += m_in.first(bytes);
    m_in.remove(0, bytes);
    return m_body.size() > limits::worker_answer_bytes_max ? State::Wrong : State::Unfinished;
}

} // namespace junban::push
