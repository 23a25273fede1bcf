#pragma once

#include "client/apiclient.h"

#include <QObject>
#include <QTimer>
#include <optional>

namespace junban::ui {

// How current the figures in the window are.
struct Health {
    enum class State {
        Connecting,   // no answer has come yet
        Live,
        Stale,        // the last requests failed, and the window shows what it knew before
    };
    State state = State::Connecting;
    qint64 lastUpdate_ms = 0; // this machine's clock; 0: never
    qint64 since_ms = 0;      // Stale, Connecting: since when requests fail; 0: none has failed yet
    Error error;              // the last failure
    int retryIn_s = 0;        // Stale, Connecting: seconds to the next request
    bool late = false;        // Stale: the last request has not failed, but has waited for its answer for longer than late_ms
};

// Asks the master for its overview as soon as the master says that something was changed, some seconds after the last time otherwise, and
// now and then for the state of its Redis and for its workers. A master that does not tell of changes is asked once a second. While the
// window is hidden, it asks less often. When a request fails, it reports that in health() and tries again by itself. Pages refresh at the
// signal `arrived`.
//
// Lives in the thread of the widgets. The client must outlive the feed.
class Feed : public QObject
{
    Q_OBJECT

public:
    enum class Pace { Watched, Hidden };

    explicit Feed(client::ApiClient &client, QObject *parent = nullptr);

    void start();
    void setPace(Pace pace);
    // Asks now instead of when the timer ends.
    void retryNow();
    // The same as somebody else: what was answered before is not of interest any more.
    void startOver();

    const Health &health() const { return m_health; }
    const std::optional<Overview> &overview() const { return m_overview; }
    const std::optional<client::Readiness> &readiness() const { return m_readiness; }
    // The workers that were lost within lost_ms, of the first workers_max.
    const QList<Worker> &lost() const { return m_lost; }
    // The master's clock now, as far as it is known.
    qint64 now_ms() const;

    static constexpr int watched_ms = 1'000;       // to the next overview, from a master that does not tell of changes
    static constexpr int told_ms = 2'000;          // the same from one that does; with late_ms, how long one that hangs looks well
    static constexpr int wait_ms = 30'000;         // for a change
    static constexpr int hidden_ms = 5'000;
    static constexpr int readiness_ms = 5'000;
    static constexpr qint64 lost_ms = 15 * 60'000; // since they were heard of
    static constexpr int workers_max = 500;
    static constexpr int retry_s_max = 5;
    static constexpr int late_ms = 2'500;

Q_SIGNALS:
    void arrived();       // a new overview
    void changed(const QList<junban::Topic> &topics);
    void healthChanged();
    void readinessChanged();

private:
    void look();
    void lookAtRedis();
    void lookAtWorkers();
    void overviewCame(Result<Overview> result);
    void waitForNews();
    void newsCame(const Result<News> &news);
    int pause_ms() const;
    void countDown();
    void waitedLong();
    void failed(const Error &error);

    client::ApiClient &m_client;
    QTimer m_timer;       // to the next request
    QTimer m_second;      // the countdown while it fails
    QTimer m_redis;
    QTimer m_patience;    // until a request counts as late
    bool m_looking = false;
    bool m_again = false; // the answer that comes is of before startOver()
    client::CallId m_call = 0;
    bool m_outdated = false;         // something was changed after the request for the overview that is under way
    client::CallId m_newsCall = 0;
    QTimer m_newsPause;   // from one news to the next request for it
    std::optional<qint64> m_revision; // of the last news; none: the master did not tell
    bool m_askingRedis = false;
    bool m_askingWorkers = false;
    int m_failures = 0;
    Pace m_pace = Pace::Watched;
    Health m_health;
    std::optional<Overview> m_overview;
    std::optional<client::Readiness> m_readiness;
    QList<Worker> m_lost;
    qint64 m_clockOffset_ms = 0;
};

} // namespace junban::ui
