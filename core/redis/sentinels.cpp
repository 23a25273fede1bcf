#include "core/redis/sentinels.h"

#include "core/clock.h"
#include "core/redis/trouble.h"

namespace junban::redis {

namespace {

constexpr qint64 ask_ms = 1'000;         // how long one Sentinel may take
constexpr qint64 watchAgain_ms = 1'000;  // after the one that was listened to has gone

} // namespace

Sentinels::Sentinels(const Address &address, QObject *parent)
    : QObject(parent)
    , m_address(address)
{
}

Sentinels::~Sentinels() = default;

void Sentinels::find(Callback<Endpoint> callback)
{
    m_callback = std::move(callback);
    m_left = m_address.endpoints.size();
    m_why = "No Sentinel answers.";
    ask();
}

void Sentinels::greet(Connection &connection)
{
    if (m_address.sentinelPassword.isEmpty())
        return;
    QList<QByteArray> words{"AUTH"};
    if (!m_address.sentinelUser.isEmpty())
        words.append(m_address.sentinelUser);
    words.append(m_address.sentinelPassword);
    connection.send(words, [](const Result<Reply> &) {}); // what comes next says whether it was accepted
}

void Sentinels::ask()
{
    --m_left;
    m_askDeadline_ms = Clock::monotonic_ms() + ask_ms;
    m_asking = std::make_unique<Connection>(m_address.endpoints[m_current], m_address, this);
    connect(m_asking.get(), &Connection::lost, this, [this](const QByteArray &why) { next("A Sentinel: " + why); });
    connect(m_asking.get(), &Connection::opened, this, [this] {
        greet(*m_asking);
        m_asking->send({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", m_address.sentinelName},
            [this](const Result<Reply> &reply) { asked(reply); });
    });
    m_asking->open();
}

void Sentinels::asked(const Result<Reply> &reply)
{
    if (!reply.ok())
        return; // lost: next() goes on
    if (reply->isError()) {
        next("A Sentinel says: " + reply->bytes());
        return;
    }
    if (reply->size() != 2) {
        next("The Sentinels know no primary called \"" + m_address.sentinelName + "\".");
        return;
    }
    const Endpoint primary{(*reply)[0].bytes(), quint16((*reply)[1].integer())};
    m_asking.release()->deleteLater();
    if (!m_watching)
        m_watchAgain_ms = Clock::monotonic_ms();
    if (m_callback)
        std::exchange(m_callback, {})(primary);
}

void Sentinels::next(QByteArray why)
{
    m_why = std::move(why);
    m_current = (m_current + 1) % m_address.endpoints.size();
    if (m_asking) {
        m_asking->disconnect(this);
        m_asking.release()->deleteLater();
    }
    if (m_left > 0)
        ask();
    else if (m_callback)
        std::exchange(m_callback, {})(Error{ErrorCode::StoreUnavailable, m_why, {}, 1});
}

void Sentinels::tick(qint64 now_ms)
{
    if (m_asking && now_ms > m_askDeadline_ms)
        next("A Sentinel did not answer in time.");
    if (m_watching)
        m_watching->tick(now_ms);
    else if (m_watchAgain_ms > 0 && now_ms >= m_watchAgain_ms)
        watch();
}

void Sentinels::watch()
{
    m_watching = std::make_unique<Connection>(m_address.endpoints[m_current], m_address, this);
    connect(m_watching.get(), &Connection::lost, this, [this] {
        m_watching.release()->deleteLater();
        m_current = (m_current + 1) % m_address.endpoints.size();
        m_watchAgain_ms = Clock::monotonic_ms() + watchAgain_ms;
    });
    connect(m_watching.get(), &Connection::pushed, this, &Sentinels::heard);
    connect(m_watching.get(), &Connection::opened, this, [this] {
        greet(*m_watching);
        m_watching->sendPushing({"SUBSCRIBE", "+switch-master"});
    });
    m_watching->open();
}

// The message: name, old host, old port, new host, new port.
void Sentinels::heard(const Reply &push)
{
    if (push.size() != 3 || push[0].view() != "message")
        return;
    const QList<QByteArray> words = push[2].bytes().split(' ');
    if (words.size() == 5 && words[0] == m_address.sentinelName)
        Q_EMIT switched(Endpoint{words[3], words[4].toUShort()});
}

} // namespace junban::redis
