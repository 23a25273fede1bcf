#include "server/relay/upstreamanswer.h"

#include "core/limits.h"

#include <algorithm>
#include <array>
#include <limits>

namespace junban::relay {

namespace {

// Fields that this master's gate writes by itself.
bool isOurs(const QByteArray &name)
{
    static constexpr std::array<QByteArrayView, 5> names{"date", "keep-alive", "junban-insecure", "junban-behind-tls",
        "junban-environment"};
    return std::any_of(names.begin(), names.end(), [&name](QByteArrayView each) { return name == each; });
}

} // namespace

UpstreamAnswer::State UpstreamAnswer::add(const QByteArray &bytes)
{
    m_in += bytes;
    if (!m_headRead) {
        const State head = readHead();
        if (!m_headRead)
            return head;
    }
    return readBody();
}

UpstreamAnswer::State UpstreamAnswer::readHead()
{
    const qsizetype end = m_in.indexOf("\r\n\r\n");
    if (end < 0)
        return m_in.size() > limits::http_head_bytes_max ? State::Wrong : State::Unfinished;
    QList<QByteArray> lines = m_in.first(end).split('\n');
    m_in.remove(0, end + 4);
    const QByteArray status = lines.takeFirst();
    bool ok = status.startsWith("HTTP/1.1 ");
    m_response.status = ok ? status.mid(9, 3).toInt(&ok) : 0;
    if (!ok || m_response.status < 200)
        return State::Wrong;
    for (const QByteArray &line : std::as_const(lines)) {
        const qsizetype colon = line.indexOf(':');
        if (colon <= 0 || !readField(line.first(colon).trimmed(), line.mid(colon + 1).trimmed()))
            return State::Wrong;
    }
    if (m_toHead || m_response.status == 204 || m_response.status == 304) {
        m_left = 0;
        m_chunks.reset();
    }
    m_headRead = true;
    return State::Unfinished;
}

bool UpstreamAnswer::readField(const QByteArray &name, const QByteArray &value)
{
    const QByteArray known = name.toLower();
    bool ok = true;
    if (known == "content-length")
        m_left = value.toLongLong(&ok);
    else if (known == "transfer-encoding")
        m_chunks.emplace(std::numeric_limits<qint64>::max());
    else if (known == "content-type")
        m_response.contentType = value;
    else if (known == "connection")
        m_keepsAlive = m_keepsAlive && !value.toLower().contains("close");
    else if (!isOurs(known))
        m_response.fields.append({name, value});
    return ok && m_left >= 0;
}

UpstreamAnswer::State UpstreamAnswer::readBody()
{
    if (m_chunks) {
        m_in.remove(0, m_chunks->take(m_in, m_response.body));
        if (m_chunks->fault())
            return State::Wrong;
        return m_chunks->finished() ? State::Whole : State::Unfinished;
    }
    const qsizetype taken = std::min<qsizetype>(m_left, m_in.size());
    m_response.body += m_in.first(taken);
    m_in.remove(0, taken);
    m_left -= taken;
    return m_left == 0 ? State::Whole : State::Unfinished;
}

} // namespace junban::relay
