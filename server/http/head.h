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

// The head of a request, checked.
struct Head {
    QByteArray method;
    QByteArray path;
    QByteArray query;
    QList<QPair<QByteArray, QByteArray>> fields; // names in lower case
    Framing framing = Framing::Nothing;
    qint64 length = 0;             // of the body, with Framing::Length
    bool keepAlive = true;
    bool expectsContinue = false;
};

struct HeadLimits {
    int head_bytes_max = 0;
    int target_bytes_max = 0;
    int fields_max = 0;
};

// Looks for the end of a head in bytes that arrive bit by bit, without looking at any byte twice, and refuses a line that ends
// without a carriage return as soon as it is there (RFC 9112 §2.2: tolerating it is how smuggling begins).
class HeadScan
{
public:
    enum class Found { Nothing, End, BareLineFeed };

    // `bytes` begins where the head begins and holds all that has come of it.
    Found look(QByteArrayView bytes);
    qsizetype size() const { return m_lineBegin; } // of the head with its empty line, once the end is found
    qsizetype lines() const { return m_lines; }    // complete ones so far
    void reset() { *this = HeadScan(); }

private:
    qsizetype m_lineBegin = 0;
    qsizetype m_seen = 0;
    qsizetype m_lines = 0;
};

// Parses a complete head (with its empty line) strictly by RFC 9112: what two parsers might read differently is refused.
// Pure; any thread.
std::variant<Head, Refusal> parseHead(QByteArrayView head, const HeadLimits &limits);

// RFC 9110 §5.6.2: letters, digits and some signs; at least one.
bool isToken(QByteArrayView text);
// A field's value: no control characters but the tabulator (RFC 9110 §5.5).
bool isFieldValue(QByteArrayView text);

} // namespace junban::http
