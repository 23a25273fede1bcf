#include "server/http/chunks.h"

#include "core/base/reasons/http.h"
#include "core/limits.h"

#include <QtGlobal>
#include <algorithm>

namespace junban::http {

qsizetype ChunkDecoder::take(QByteArrayView bytes, QByteArray &body)
{
    qsizetype used = 0;
    while (used < bytes.size() && m_state != State::Finished && !m_fault) {
        if (m_state == State::Data) {
            const qsizetype piece = std::min<qsizetype>(m_left, bytes.size() - used);
            body.append(bytes.sliced(used, piece));
            used += piece;
            m_left -= piece;
            if (m_left == 0)
                m_state = State::DataEnd;
        } else {
            takeByte(bytes[used++]);
        }
    }
    return used;
}

void ChunkDecoder::takeByte(char c)
{
    const auto isControl = [](char b) { return (static_cast<quint8>(b) < 0x20 && b != '\t') || b == 0x7f; };
    const auto expect = [&](char wanted, State next) {
        if (c != wanted)
            return malformed();
        m_state = next;
    };
    if (m_state != State::DataEnd && m_state != State::DataEndLine && ++m_lineBytes > limits::http_chunk_line_bytes_max)
        return m_state == State::Extension || m_state == State::Size
            ? refuse(reasons::chunkLineTooLong(limits::http_chunk_line_bytes_max))
            : refuse(reasons::trailersTooLong(limits::http_chunk_line_bytes_max));
    switch (m_state) {
    case State::Size: return takeSizeByte(c);
    case State::Extension:
        if (c == '\r')
            m_state = State::SizeEnd;
        else if (isControl(c))
            malformed();
        return;
    case State::SizeEnd:
        expect('\n', State::Data);
        return m_fault ? void() : endSizeLine();
    case State::DataEnd: return expect('\r', State::DataEndLine);
    case State::DataEndLine: return expect('\n', State::Size);
    case State::TrailerBegin:
        if (c == '\r')
            m_state = State::LastLine;
        else if (isControl(c) || c == ' ' || c == '\t' || c == ':')
            malformed();
        else
            m_state = State::Trailer;
        return;
    case State::Trailer:
        if (c == '\r')
            m_state = State::TrailerLine;
        else if (isControl(c))
            malformed();
        return;
    case State::TrailerLine: return expect('\n', State::TrailerBegin);
    case State::LastLine: return expect('\n', State::Finished);
    case State::Data:
    case State::Finished: return;
    }
}

void ChunkDecoder::takeSizeByte(char c)
{
    int digit = -1;
    if (c >= '0' && c <= '9')
        digit = c - '0';
    else if (c >= 'a' && c <= 'f')
        digit = c - 'a' + 10;
    else if (c >= 'A' && c <= 'F')
        digit = c - 'A' + 10;
    if (digit >= 0) {
        if (++m_digits > 15) // so that the size cannot overflow
            return refuse(reasons::bodyTooLarge(m_body_bytes_max));
        m_left = m_left * 16 + digit;
    } else if (m_digits > 0 && c == ';') {
        m_state = State::Extension;
    } else if (m_digits > 0 && c == '\r') {
        m_state = State::SizeEnd;
    } else {
        malformed();
    }
}

void ChunkDecoder::endSizeLine()
{
    m_digits = 0;
    m_lineBytes = 0;
    if (m_left == 0) {
        m_state = State::TrailerBegin;
    } else if (m_left > m_body_bytes_max - m_total) {
        refuse(reasons::bodyTooLarge(m_body_bytes_max));
    } else {
        m_total += m_left;
    }
}

void ChunkDecoder::malformed()
{
    refuse(reasons::chunksMalformed(m_total));
}

void ChunkDecoder::refuse(const Refusal &refusal)
{
    m_fault = refusal;
}

} // namespace junban::http
