#pragma once

#include "server/http/chunks.h"
#include "server/http/message.h"

#include <QByteArray>
#include <optional>

namespace junban::relay {

// Reads the leader's answer to one request, piece by piece. The other side is a gate as ours, so an answer that is not as that writes them
// is wrong.
class UpstreamAnswer
{
public:
    enum class State { Unfinished, Whole, Wrong };

    // `toHead`: the request was a HEAD, so there is no body.
    explicit UpstreamAnswer(bool toHead) : m_toHead(toHead) {}
    State add(const QByteArray &bytes);

    // Once it is whole. Without the fields that concern the connection, or that this master's gate adds itself.
    http::Response &response() { return m_response; }
    bool keepsAlive() const { return m_keepsAlive; }

private:
    State readHead();
    bool readField(const QByteArray &name, const QByteArray &value);
    State readBody();

    const bool m_toHead;
    QByteArray m_in;               // what is not read yet
    bool m_headRead = false;
    bool m_keepsAlive = true;
    http::Response m_response;
    qint64 m_left = 0;
    std::optional<http::ChunkDecoder> m_chunks;
};

} // namespace junban::relay
