#pragma once

#include <QByteArray>
#include <optional>

namespace junban::push {

// Reads the answer to one HTTP/1.1 request, piece by piece.
class HttpAnswer
{
public:
    enum class State { Unfinished, Whole, Wrong };

    State add(const QByteArray &bytes);
    // The other side has closed: the answer is whole if it said no length.
    State close();

    int status() const { return m_status; }
    QByteArray contentType() const { return m_contentType; }        // in lower case, without parameters
    QByteArray contentCoding() const { return m_contentCoding; }    // in lower case; empty: the body is as it is
    std::optional<qint64> retryAfter_ms() const { return m_retryAfter_ms; }
    const QByteArray &body() const { return m_body; }

private:
    enum class Framing { None, Length, Chunks, UntilClose };
    State readHead();
    bool readHeadLines(const QByteArray &head);
    bool readField(const QByteArray &name, const QByteArray &value);
    State readBody();
    State readChunks();
    State append(qsizetype bytes);

    QByteArray m_in;                 // what is not read yet
    bool m_headRead = false;
    int m_status = 0;
    QByteArray m_contentType;
    QByteArray m_contentCoding;
    std::optional<qint64> m_retryAfter_ms;
    Framing m_framing = Framing::UntilClose;
    qint64 m_left = 0;               // of the body, or of the chunk
    bool m_inChunk = false;
    QByteArray m_body;
};

} // namespace junban::push
