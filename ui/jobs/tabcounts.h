#pragma once

#include "client/apiclient.h"

#include <QObject>

namespace junban::ui {

// How many jobs of each state a filter finds. The master counts a bounded number of jobs for each request, so this asks until all are
// counted. Counts stay until newer ones are known.
class TabCounts : public QObject
{
    Q_OBJECT

public:
    explicit TabCounts(client::ApiClient &client, QObject *parent = nullptr);

    // Counts for another filter; the counts before are forgotten. Of the query, only what it filters by counts.
    void count(const client::JobQuery &query);
    void forget();
    // The same without asking, where the counts are known from elsewhere.
    void know(const client::JobQuery &query, const JobCounts &counts);
    // Counts again, less often if there is much to look at. To be called with every arrival of the feed.
    void beat();
    // Counts again now, however much there is to look at.
    void again();
    // What is known; none: nothing yet. `coverage.complete`: all jobs were looked at.
    const std::optional<JobCounts> &counts() const { return m_counts; }
    // Whether they are some time old, because there is much to look at.
    bool isStill() const { return m_counts && m_counts->coverage.scanned > costly; }

    static constexpr int requests_max = 25; // for one count: half a million jobs
    static constexpr int beats = 2;         // from one count to the next
    static constexpr int stillBeats = 30;   // the same where it is costly
    static constexpr qint64 costly = 2'000; // jobs from which on it counts seldom …
    static constexpr qint64 most = 50'000;  // … and from which on only when it is asked to

Q_SIGNALS:
    void changed();

private:
    void ask(const QByteArray &cursor);
    void came(const Result<JobCounts> &answer);

    client::ApiClient &m_client;
    client::JobQuery m_query;
    std::optional<JobCounts> m_counts;
    JobCounts m_coming;
    client::CallId m_call = 0;
    quint64 m_epoch = 0;
    int m_requests = 0;
    int m_beats = 0;
    bool m_active = false;
    bool m_againDue = false; // asked for while a count was under way
};

} // namespace junban::ui
