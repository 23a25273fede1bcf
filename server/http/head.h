#pragma once

#include "server/http/refusal.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QList>
#include <QPair>
#include <variant>

namespace junban::http {

// How the body of a request is delimited.
enum class Framing { Nothing, Length, Chunked };

// The head of a request, after all checks.
struct Head {
    QByteArray method;
    QByteArray path;
    QByteArray query;
    int minor = 1;                 // of the version
    QList<QPair<QByteArray, QByteArray>> fields; // names in lower case
    Framing framing = Framing::Nothing;
    qint64 length = 0;             // of the body, with Framing::Length
    qsizetype lengthAt = 0;        // with Framing::Length: where the digits of Content-Length begin in the head, and how many there are
    qsizetype lengthDigits = 0;
    bool keepAlive = true;
    bool expectsContinue = false;
};

struct HeadLimits {
    int head_bytes_max = 0;
    int target_bytes_max = 0;
    int fields_max = 0;
};

// Finds the end of a head in bytes that arrive piece by piece, and looks at each byte once. A line that ends without a carriage return is
// reported at once: accepting it (RFC 9112 §2.2) would allow request smuggling.
class HeadScan
{
public:
    enum class Found { Nothing, End, BareLineFeed };

    // `bytes` must have everything that has come of the head, from its first byte on.
    Found look(QByteArrayView bytes);
    qsizetype size() const { return m_lineBegin; } // of the head including its empty line, once the end is found
    qsizetype lines() const { return m_lines; }    // complete lines so far
    void reset() { *this = HeadScan(); }

private:
    qsizetype m_lineBegin = 0;
    qsizetype m_seen = 0;
    qsizetype m_lines = 0;
};

// Parses a complete head (with its empty line) strictly by RFC 9112. What two parsers might read differently is refused. It has no side
// effects and may be called from any thread.
std::variant<Head, Refusal> parseHead(QByteArrayView head, const HeadLimits &limits);

// Whether the text is a token: letters, digits and some punctuation, at least one character (RFC 9110 §5.6.2).
bool isToken(QByteArrayView text);
// Whether the text can be a field's value: it has no control character except tabs (RFC 9110 §5.5).
bool isFieldValue(QByteArrayView text);

} // namespace junban::http
