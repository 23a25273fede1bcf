#pragma once

#include "server/http/refusal.h"

#include <QByteArray>
#include <QByteArrayView>
#include <optional>

namespace junban::http {

// Decodes a body in chunked coding (RFC 9112 §7.1) that arrives in pieces of any size. It is strict: lines end in CRLF, sizes are plain
// hexadecimal numbers, and extensions and trailers are bounded (limits::http_chunk_line_bytes_max) and ignored.
class ChunkDecoder
{
public:
    explicit ChunkDecoder(qint64 body_bytes_max) : m_body_bytes_max(body_bytes_max) {}

    // Decodes `bytes`, and appends the content to `body`. Returns how many bytes were used; these are fewer than all only when the body has
    // ended or is at fault.
    qsizetype take(QByteArrayView bytes, QByteArray &body);

    bool finished() const { return m_state == State::Finished; }
    const std::optional<Refusal> &fault() const { return m_fault; }

private:
    enum class State { Size, Extension, SizeEnd, Data, DataEnd, DataEndLine, TrailerBegin, Trailer, TrailerLine, LastLine,
                       Finished };
    void takeByte(char c);
    void takeSizeByte(char c);
    void endSizeLine();
    void malformed();
    void refuse(const Refusal &refusal);

    qint64 m_body_bytes_max = 0;
    qint64 m_total = 0;            // bytes of all chunks so far
    qint64 m_left = 0;             // bytes still to come of the current chunk
    int m_digits = 0;
    int m_lineBytes = 0;           // of the size line, or of all trailers
    State m_state = State::Size;
    std::optional<Refusal> m_fault;
};

} // namespace junban::http
