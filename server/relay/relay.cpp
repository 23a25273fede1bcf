#include "server/relay/relay.h"

#include "core/base/clock.h"
#include "core/base/reasons/engine.h"
#include "server/api/api.h"
#include "server/relay/hop.h"
#include "server/relay/upstream.h"

#include <QRandomGenerator>
#include <algorithm>
#include <vector>

namespace junban::relay {

namespace {

constexpr int patience_ms = 8'000;   // with the two seconds that the store waits, ten in all
constexpr int pause_ms = 50;         // before the leader is asked again, and up to so much more:
constexpr int jitter_ms = 450;
constexpr int look_ms = 200;
constexpr int stop_ms = 1'000;
constexpr int misdirected = 421;

} // namespace

// The connections to the leader.
class Relay::Pool : public QObject
{
public:
    Upstream &to(const Leader &leader)
    {
        if (leader != m_leader)
            closeIdle();
        m_leader = leader;
        const auto idle = std::find_if(m_all.begin(), m_all.end(), [](const Upstream *each) { return each->isIdle(); });
        if (idle != m_all.end())
            return **idle;
        auto *made = new Upstream(leader.address, leader.certificate, this);
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

    Leader m_leader;
    std::vector<Upstream *> m_all;
};

// One request that is passed on. It ends itself.
class Relay::Passing : public QObject
{
public:
    Passing(Relay &relay, http::Exchange exchange, bool mayRepeat)
        : QObject(&relay)
        , m_relay(relay)
        , m_exchange(std::move(exchange))
        , m_id(relay.m_options.drawId())
        , m_mayRepeat(mayRepeat)
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
        m_upstream = &m_relay.m_pool->to(m_leader);
        m_upstream->send(passedOn(m_exchange.request(), m_leader.secret, m_id, m_wasSent), m_exchange.request().method == "HEAD",
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
        if (m_wasSent && !m_mayRepeat)
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
        if (m_wasSent)
            m_exchange.setRepeated(m_id);
        m_relay.m_api.handle(m_exchange);
    }

    void refuse()
    {
        over();
        api::Api::refuse(m_exchange, retryAfter(reasons::memoryEngineUnsure(), 1));
    }

    void giveUp()
    {
        m_pause.stop();
        if (Upstream *const upstream = std::exchange(m_upstream, nullptr))
            upstream->giveUp();
    }

    Relay &m_relay;
    http::Exchange m_exchange;
    const QByteArray m_id;
    const bool m_mayRepeat;
    qint64 m_until_ms;
    qint64 m_asked_ms = 0;
    QTimer m_pause;
    Leader m_leader;                 // that was asked last
    Upstream *m_upstream = nullptr;
    bool m_wasSent = false;          // a leader may have carried it out
    bool m_isOver = false;           // it is answered, or its caller has left
};

Relay::Relay(api::Api &api, Options options, QObject *parent)
    : QObject(parent)
    , m_api(api)
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
    const bool leads = m_options.leads();
    if (request.hop == http::Hop::Foreign || (request.hop == http::Hop::Vouched && !leads)) {
        exchange.reply({misdirected, "text/plain; charset=utf-8", m_options.leader().address + '\n'});
        return;
    }
    const api::Passed passed = leads ? api::Passed::Here : m_api.passed(request);
    if (passed == api::Passed::Here)
        m_api.handle(exchange);
    else
        add(exchange, passed == api::Passed::Again);
}

void Relay::add(const http::Exchange &exchange, bool mayRepeat)
{
    if (!m_look.isActive())
        m_look.start();
    (new Passing(*this, exchange, mayRepeat))->ask();
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
