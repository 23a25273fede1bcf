#include "core/msgpack/json.h"

#include "core/base/reasons/api.h"
#include "server/api/handlers.h"
#include "server/http/socket.h"

#include <limits>
#include <utility>

// Who watches over a WebSocket is told of changes as they happen.
namespace junban::api {

namespace {

constexpr qint64 forever_ms = std::numeric_limits<qint64>::max() / 2;

// One who watches. It waits in NewsWaits like a request of listChanges, again and again. `since` grows when the client was told, so what a
// slow one is not told now is in what it is told next.
class Watcher final : public http::SocketUser, public std::enable_shared_from_this<Watcher>
{
public:
    Watcher(const Parts &parts, Caller caller, std::optional<qint64> since)
        : m_parts(parts)
        , m_caller(std::move(caller))
        , m_since(since)
    {
    }

    QByteArray protocol() const override { return "junban.live"; }

    void opened(http::Socket &socket) override
    {
        m_socket = &socket;
        wait();
    }

    void received(const QByteArray &text) override
    {
        const Result<QByteArray> map = json::toMsgpack(text);
        const Result<SinceBody> asked = map.ok() ? unpackRequest(sinceBodyTable, *map) : Result<SinceBody>(map.error());
        if (!asked.ok()) {
            m_socket->close(http::CloseCode::BadMessage, asked.error().message());
            return;
        }
        m_parts.news.giveUp(m_wait);
        m_since = asked->since;
        m_owed = true;
        wait();
    }

    void ended() override
    {
        m_socket = nullptr;
        m_parts.news.giveUp(m_wait);
    }

private:
    void wait()
    {
        const auto mayWait = [&parts = m_parts, caller = m_caller] { return mayCallStill(parts.tokens, parts.sessions, caller); };
        m_wait = m_parts.news.wait(m_since.value_or(0), m_owed ? 0 : forever_ms, mayWait, [watcher = weak_from_this()](Result<News> news) {
            if (const auto self = watcher.lock(); self && self->m_socket)
                self->take(std::move(news));
        });
    }

    void take(Result<News> news)
    {
        if (!news.ok() && news.error().code == ErrorCode::Unauthorized) {
            m_socket->close(http::CloseCode::Unauthorized, reasons::tokenEnded().reason.text);
            return;
        }
        if (!news.ok())
            tellTrouble(news.error());
        else if (m_owed || !news->changed.isEmpty())
            tell(std::move(*news));
        else
            return; // the master stops, and closes the socket
        wait();
    }

    void tell(News news)
    {
        if (!m_since)
            news.changed.clear();
        if (!m_socket->send(json::fromMsgpack(pack(newsTable, news))))
            return;
        m_since = news.revision;
        m_owed = m_troubled = false;
    }

    // Once: it ends with the next news, which come as soon as there is an answer again.
    void tellTrouble(const Error &error)
    {
        m_owed = true;
        if (!m_troubled)
            m_troubled = m_socket->send(json::fromMsgpack(encodeProblem(error)));
    }

    const Parts &m_parts;
    const Caller m_caller;
    http::Socket *m_socket = nullptr;  // from opened() to ended()
    NewsWaits::WaitId m_wait = 0;
    std::optional<qint64> m_since;     // nothing: the present revision is not known yet
    bool m_owed = true;                // the client is told something in any case
    bool m_troubled = false;           // it was told of trouble last
};

void getLive(const Parts &parts, const Call &call)
{
    const Result<std::optional<qint64>> since = sinceOf(call);
    if (!areRead(call, since))
        return;
    http::Response response;
    response.status = 101;
    response.socket = std::make_shared<Watcher>(parts, call.caller, *since);
    call.exchange().reply(std::move(response));
}

constexpr Operation liveHandlers[] = {here("getLive", getLive)};

} // namespace

const std::span<const Operation> liveOperations = liveHandlers;

} // namespace junban::api
