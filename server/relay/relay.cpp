#include "server/relay/relay.h"

#include "core/base/clock.h"
#include "core/base/reasons/engine.h"
#include "server/relay/hop.h"
#include "server/relay/upstream.h"

#include <QRandomGenerator>
#include <algorithm>
#include <array>
#include <vector>

namespace junban::relay {

namespace {

constexpr int patience_ms = 8'000;   // with the two seconds that the store waits, ten in all
constexpr int pause_ms = 50;         // before the leader is asked again, and up to so much more:
constexpr int jitter_ms = 450;
constexpr int look_ms = 200;
constexpr int stop_ms = 1'000;
constexpr int misdirected = 421;

bool isAmong(const QByteArray &path, std::initializer_list<QByteArrayView> places)
{
    return std::any_of(places.begin(), places.end(), [&path](QByteArrayView place) {
        return path.startsWith(place) && (path.size() == place.size() || path[place.size()] == '/');
    });
}

// Every master has these by itself: they need Redis alone, or nothing.
bool isServedHere(const QByteArray &path)
{
    if (path != "/readyz" && !isAmong(path, {"/v1"}))
        return true;
    return isAmong(path, {"/v1/tokens", "/v1/session", "/v1/filters", "/v1/audit", "/v1/live"});
}

// Whether it may be sent again though a leader may have carried it out: a read that consumes nothing, and reports, which transition 13
// (`repeat-report`) answers again. A claim would take further jobs, and a push make further ones.
bool isSafeToRepeat(const http::Request &request)
{
    const QByteArray &path = request.path;
    if (request.method == "GET" || request.method == "HEAD")
        return !path.endsWith("/result");
    return request.method == "POST" && (path.endsWith("/outcome") || path.endsWith("/heartbeat") || path == "/v1/heartbeats");
}

} // namespace

// The connections to the leader.
class Relay::Pool : public QObject
{
public:
    Upstream &to(const QByteArray &address)
    {
        if (address != m_address)
            closeIdle();
        m_address = address;
        const auto idle = std::find_if(m_all.begin(), m_all.end(), [](const Upstream *each) { return each->isIdle(); });
        if (idle != m_all.end())
            return **idle;
        auto *made = new Upstream(address, this);
        m_all.push_back(made);
        connect(made, &Upstream::over, this, [this, made] {
            std::erase(m_all, made);
            made->deleteLater();
        });
        return *made;
    }

private:
    void closeIdle()
    {
        const std::vector<Upstream *> all = m_all;
        for (Upstream *each : all) {
            if (each->isIdle())
                each->giveUp();
        }
    }

    QByteArray m_address;
    std::vector<Upstream *> m_all;
};

// One request that is passed on. It ends itself.
class Relay::Passing : public QObject
{
public:
    Passing(Relay &relay, http::Exchange exchange)
        : QObject(&relay)
        , m_relay(relay)
        , m_exchange(std::move(exchange))
        , m_until_ms(Clock::monotonic_ms() + patience_ms)
    {
        m_pause.setSingleShot(true);
        connect(&m_pause, &QTimer::timeout, this, &Passing::ask);
        m_exchange.onGone([this] {
            giveUp();
            m_isOver = true;
            deleteLater();
        });
    }

    void ask()
    {
        if (m_relay.m_options.leads()) {
            answerHere();
            return;
        }
        m_leader = m_relay.m_options.leader();
        if (m_leader.address.isEmpty()) {
            askAgain();
            return;
        }
        m_asked_ms = Clock::monotonic_ms();
        m_upstream = &m_relay.m_pool->to(m_leader.address);
        m_upstream->send(passedOn(m_exchange.request(), m_leader.secret), m_exchange.request().method == "HEAD",
            [this](Fate fate, http::Response response) {
                m_upstream = nullptr;
                ended(fate, std::move(response));
            });
    }

    // Another one leads now, so the one that was asked may never answer: it may have frozen.
    void lookAtLeader(bool leadsHere, const Leader &leader)
    {
        if (!m_upstream || (!leadsHere && (leader.address.isEmpty() || leader == m_leader)))
            return;
        giveUp();
        ended(Fate::Unknown, {});
    }

    void stop()
    {
        if (m_isOver)
            return;
        giveUp();
        refuse();
    }

private:
    void over()
    {
        m_isOver = true;
        m_exchange.onGone({});
        deleteLater();
    }

    void ended(Fate fate, http::Response response)
    {
        if (fate != Fate::NotSent)
            m_until_ms += Clock::monotonic_ms() - m_asked_ms; // this is not part of the ten seconds: it may be a long poll
        if (fate == Fate::Answered && response.status != misdirected) {
            over();
            m_exchange.reply(std::move(response));
            return;
        }
        m_wasSent = m_wasSent || fate == Fate::Unknown;
        if (m_wasSent && !isSafeToRepeat(m_exchange.request()))
            refuse();
        else
            askAgain();
    }

    void askAgain()
    {
        if (Clock::monotonic_ms() < m_until_ms)
            m_pause.start(pause_ms + int(QRandomGenerator::global()->bounded(jitter())));
        else if (m_wasSent)
            refuse();
        else
            answerHere(); // which waits for two seconds more, and refuses it as surely not done
    }

    // Reports come before claims, because leases may run out meanwhile.
    int jitter() const { return m_exchange.request().path == "/v1/claims" ? jitter_ms : jitter_ms / 2; }

    void answerHere()
    {
        over();
        m_relay.m_options.here(m_exchange);
    }

    void refuse()
    {
        over();
        m_relay.m_options.refuse(m_exchange, retryAfter(reasons::memoryEngineUnsure(), 1));
    }

    void giveUp()
    {
        m_pause.stop();
        if (Upstream *const upstream = std::exchange(m_upstream, nullptr))
            upstream->giveUp();
    }

    Relay &m_relay;
    http::Exchange m_exchange;
    qint64 m_until_ms;
    qint64 m_asked_ms = 0;
    QTimer m_pause;
    Leader m_leader;                 // that was asked last
    Upstream *m_upstream = nullptr;
    bool m_wasSent = false;          // a leader may have carried it out
    bool m_isOver = false;           // it is answered, or its caller has left
};

Relay::Relay(Options options, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
    , m_pool(std::make_unique<Pool>())
{
    m_look.setInterval(look_ms);
    connect(&m_look, &QTimer::timeout, this, &Relay::lookAtLeader);
}

Relay::~Relay() = default;

void Relay::handle(const http::Exchange &exchange)
{
    const http::Request &request = exchange.request();
    const Hop hop = hopOf(request);
    const bool leads = m_options.leads();
    if (hop == Hop::Foreign || (hop == Hop::Vouched && !leads)) {
        exchange.reply({misdirected, "text/plain; charset=utf-8", m_options.leader().address + '\n'});
        return;
    }
    if (leads || isServedHere(request.path)) {
        m_options.here(exchange);
        return;
    }
    if (!m_look.isActive())
        m_look.start();
    (new Passing(*this, exchange))->ask();
}

void Relay::lookAtLeader()
{
    const bool leads = m_options.leads();
    const Leader leader = m_options.leader();
    bool isIdle = true;
    const QObjectList all = children();
    for (QObject *each : all) {
        if (auto *const passing = dynamic_cast<Passing *>(each)) {
            isIdle = false;
            passing->lookAtLeader(leads, leader);
        }
    }
    if (isIdle)
        m_look.stop();
}

void Relay::stop()
{
    QTimer::singleShot(stop_ms, this, [this] {
        const QObjectList all = children();
        for (QObject *each : all) {
            if (auto *const passing = dynamic_cast<Passing *>(each))
                passing->stop();
        }
    });
}

} // namespace junban::relay
