#pragma once

#include "server/http/head.h"
#include "server/http/message.h"

namespace junban::http {

// A head that a connection has sent, parsed and with its place. A worker sends the same head again and again, where only the length of the
// body differs; such a head need not be parsed, routed and judged again. Heads are the same byte for byte, or they are others.
class KnownHead
{
public:
    // `bytes`: all of the head, of which parseHead() has made `head`.
    KnownHead(QByteArrayView bytes, Head head, Place place);

    // When `bytes` begin with this head, but for the digits of Content-Length, head() is theirs from now on. Returns how many bytes the
    // head has there; 0: it is another one, or it has not come whole.
    qsizetype take(QByteArrayView bytes, qsizetype head_bytes_max);
    const Head &head() const { return m_head; }
    const Place &place() const { return m_place; }

private:
    QByteArray m_bytes;                // as it came first
    Head m_head;
    Place m_place;
    qsizetype m_lengthField = -1;      // its index among the head's fields; -1: the head has no Content-Length
};

} // namespace junban::http
