#pragma once

#include "server/http/refusal.h"

#include <QByteArray>
#include <QByteArrayView>
#include <optional>

namespace junban::http {

// Takes the chunked coding off a body (RFC 9112 §7.1) that arrives in pieces of any size. Strict: lines end in CRLF, sizes are
// plain hexadecimal, extensions and trailers are bounded and thrown away.
class ChunkDecoder
{
public:
    explicit ChunkDecoder(qint64 body_bytes_max) : m_body_bytes_max(body_bytes_max) {}

    // Appends to `body` what `bytes` brings of it; returns how many bytes were used, which is less than all only at the end of
    // the body or after a fault.
    qsizetype take(QByteArrayView bytes, QByteArray &body);

    bool finished() const { return m_state == State::Finished; }
    const std::optional<Refusal> &fault() const { return m_fault; }

private:
    enum class State { Size, Extension, SizeEnd, Data, DataEnd, DataEndLine, TrailerBegin, Trailer, TrailerLine, LastLine,
                       Finished };
    void takeByte(char c);
    void takeSizeByte(char c);
    void endSizeLine();
    void refuse(int status, const char *detail);

    qint64 m_body_bytes_max = 0;
    qint64 m_total = 0;            // sizes of the chunks so far
    qint64 m_left = 0;             // of the chunk under way
    int m_digits = 0;
    int m_lineBytes = 0;           // of the size line, or of all trailers
    State m_state = State::Size;
    std::optional<Refusal> m_fault;
};

} // namespace junban::http
