#include "ui/base/feed.h"

#include "core/base/clock.h"

#include <utility>

namespace junban::ui {

Feed::Feed(client::ApiClient &client, QObject *parent)
    : QObject(parent)
    , m_client(client)
{
    m_timer.setSingleShot(true);
    m_second.setInterval(1'000);
    m_redis.setInterval(readiness_ms);
    connect(&m_timer, &QTimer::timeout, this, &Feed::look);
    connect(&m_second, &QTimer::timeout, this, &Feed::countDown);
    connect(&m_redis, &QTimer::timeout, this, [this] {
        lookAtRedis();
        if (m_pace == Pace::Watched)
            lookAtWorkers();
    });
    m_patience.setSingleShot(true);
    m_patience.setInterval(late_ms);
    connect(&m_patience, &QTimer::timeout, this, &Feed::waitedLong);
    m_newsPause.setSingleShot(true);
    m_newsPause.setInterval(limits::changes_pause_ms);
    connect(&m_newsPause, &QTimer::timeout, this, &Feed::waitForNews);
}

void Feed::start()
{
    m_redis.start();
    look();
}

void Feed::setPace(Pace pace)
{
    if (m_pace == pace)
        return;
    m_pace = pace;
    if (pace == Pace::Watched && m_health.state == Health::State::Live && !m_looking)
        look();
}

void Feed::retryNow()
{
    m_second.stop();
    look();
}

void Feed::startOver()
{
    m_health.error = {};
    m_client.cancel(std::exchange(m_newsCall, 0));
    m_revision.reset();
    m_again = m_looking;
    if (m_looking)
        m_client.cancel(m_call);
    else
        retryNow();
}

qint64 Feed::now_ms() const
{
    return Clock::machine_ms() + m_clockOffset_ms;
}

void Feed::look()
{
    if (m_looking)
        return;
    m_timer.stop();
    m_looking = true;
    m_outdated = false;
    m_patience.start();
    m_call = m_client.overview(client::guarded<Overview>(this, [this](Result<Overview> result) {
        overviewCame(std::move(result));
    }));
}

void Feed::lookAtRedis()
{
    if (m_askingRedis || m_health.state == Health::State::Connecting)
        return;
    m_askingRedis = true;
    m_client.readiness(client::guarded<client::Readiness>(this, [this](Result<client::Readiness> result) {
        m_askingRedis = false;
        m_readiness = result.ok() ? std::optional(*result) : std::nullopt;
        Q_EMIT readinessChanged();
    }));
}

void Feed::lookAtWorkers()
{
    if (m_askingWorkers || m_health.state != Health::State::Live)
        return;
    m_askingWorkers = true;
    m_client.workers(workers_max, {}, client::guarded<WorkerPage>(this, [this](Result<WorkerPage> page) {
        m_askingWorkers = false;
        if (!page.ok())
            return;
        m_lost = std::move(page->workers);
        m_lost.removeIf([this](const Worker &worker) {
            return worker.state != WorkerState::Lost || now_ms() - worker.lastContact_ms >= lost_ms;
        });
        Q_EMIT healthChanged();
    }));
}

void Feed::overviewCame(Result<Overview> result)
{
    m_looking = false;
    m_patience.stop();
    if (std::exchange(m_again, false)) {
        retryNow();
        return;
    }
    if (!result.ok()) {
        failed(result.error());
        return;
    }
    const bool first = m_health.state != Health::State::Live;
    m_failures = 0;
    m_second.stop();
    m_overview = std::move(result).value();
    m_clockOffset_ms = m_overview->now_ms > 0 ? m_overview->now_ms - Clock::machine_ms() : 0;
    m_health = Health{Health::State::Live, Clock::machine_ms(), 0, {}, 0};
    m_timer.start(pause_ms());
    Q_EMIT healthChanged();
    Q_EMIT arrived();
    if (first) {
        lookAtRedis();
        lookAtWorkers();
    }
    waitForNews();
    if (m_outdated)
        look();
}

int Feed::pause_ms() const
{
    if (m_pace == Pace::Hidden)
        return hidden_ms;
    return m_revision ? told_ms : watched_ms;
}

void Feed::waitForNews()
{
    if (m_newsCall != 0 || m_newsPause.isActive() || m_pace == Pace::Hidden || m_health.state != Health::State::Live)
        return;
    m_newsCall = m_client.changes(m_revision, wait_ms, client::guarded<News>(this, [this](const Result<News> &news) { newsCame(news); }));
}

// The first answer only says where to begin. The overview may be older than that, so it is asked for once more.
void Feed::newsCame(const Result<News> &news)
{
    if (!news.ok() && news.error().code == ErrorCode::Cancelled)
        return; // startOver(), or the client is being closed
    m_newsCall = 0;
    const bool isNew = news.ok() && (!m_revision || !news->changed.isEmpty());
    m_revision = news.ok() ? std::optional(news->revision) : std::nullopt;
    if (m_timer.isActive())
        m_timer.start(std::min(m_timer.remainingTime(), pause_ms()));
    if (!news.ok())
        return; // the next overview begins again
    if (!news->changed.isEmpty())
        Q_EMIT changed(news->changed);
    if (isNew && m_looking)
        m_outdated = true;
    else if (isNew && m_pace == Pace::Watched && m_health.state == Health::State::Live)
        look();
    m_newsPause.start();
}

void Feed::failed(const Error &error)
{
    if (error.code == ErrorCode::Cancelled)
        return; // the client is being closed
    ++m_failures;
    if (m_health.state == Health::State::Live || m_health.since_ms == 0)
        m_health.since_ms = Clock::machine_ms();
    if (m_health.state == Health::State::Live) {
        m_health.state = Health::State::Stale;
        lookAtRedis();
    }
    m_health.late = false;
    m_health.error = error;
    m_health.retryIn_s = std::min(std::max(m_failures, int(std::ceil(std::min(error.retryAfter_s, double(retry_s_max))))), retry_s_max);
    m_second.start();
    Q_EMIT healthChanged();
}

// A master or a Redis that hangs gives no answer and no error.
void Feed::waitedLong()
{
    if (!m_looking || m_health.state != Health::State::Live)
        return;
    m_health.state = Health::State::Stale;
    m_health.since_ms = Clock::machine_ms() - late_ms;
    m_health.late = true;
    m_health.error = {};
    m_health.retryIn_s = 0;
    Q_EMIT healthChanged();
}

void Feed::countDown()
{
    m_health.retryIn_s = std::max(0, m_health.retryIn_s - 1);
    if (m_health.retryIn_s == 0) {
        m_second.stop();
        look();
    }
    Q_EMIT healthChanged();
}

} // namespace junban::ui
