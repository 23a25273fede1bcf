#pragma once

#include "client/apiclient.h"
#include "ui/base/feed.h"
#include "ui/jobs/jobtablemodel.h"

#include <QObject>
#include <QSet>
#include <functional>

namespace junban::ui {

// The jobs of one filter, for the jobs screen. Answers for an earlier filter are dropped.
//
// Live: the first rows, at most liveRows_max of them, are asked for again with every arrival of the feed.
// Frozen: the rows stay as they are; more pages can be appended. A list to which pages were appended has rows of several moments
// (isPaged()).
class JobList : public QObject
{
    Q_OBJECT

public:
    enum class Phase { Loading, Shown, Failed };
    enum class Mode { Live, Frozen };
    struct Filter {
        std::optional<JobState> state = {};
        QByteArray name = {};
        QByteArray tag = {};
        client::JobsOf which = client::JobsOf::States;
        QByteArray match = {};      // an expression; empty: all jobs
        bool reversed = false;      // from the other end of the master's order; of one state only
        QByteArray cause = {};      // the signature of a group of failures: only its failed jobs; name and tag do not count then
        friend bool operator==(const Filter &, const Filter &) = default;
    };

    // `kept` returns the jobs that stay as ghosts when they leave the list.
    JobList(client::ApiClient &client, Feed &feed, std::function<QSet<JobId>()> kept, QObject *parent = nullptr);

    JobTableModel &model() { return m_model; }
    const JobTableModel &model() const { return m_model; }
    const Filter &filter() const { return m_filter; }
    Phase phase() const { return m_phase; }
    Mode mode() const { return m_mode; }
    const Error &error() const { return m_error; }
    const Coverage &coverage() const { return m_coverage; }
    bool hasMore() const { return !m_next.isEmpty() && m_model.rowCount() < rows_max; }
    // Whether the rows are all there are.
    bool isWhole() const { return m_phase == Phase::Shown && m_coverage.complete && m_next.isEmpty(); }
    bool isLoadingMore() const { return m_loadingMore; }
    qint64 frozenAt_ms() const { return m_frozenAt_ms; }
    // A search that has not found enough rows yet and goes on by itself.
    bool isSearching() const { return m_searching; }
    void stopSearch();
    // Goes on with a search that was stopped.
    void searchFurther();
    bool isPaged() const { return m_mode == Mode::Frozen && m_pagedAt_ms > 0; }
    qint64 pagedAt_ms() const { return m_pagedAt_ms; } // when the last page was appended

    void setFilter(const Filter &filter);
    void setMode(Mode mode);
    // Whether the screen is visible. An invisible list does not ask the master.
    void setWatched(bool watched);
    void refresh();
    // Rows that have left the list go, also those that are selected. A frozen list stays as it is.
    void dropGone();
    void more();

    static constexpr int firstRows = 100;
    static constexpr int liveRows_max = 500;
    static constexpr int rows_max = 5'000;

Q_SIGNALS:
    void changed(); // anything but the rows themselves
    void applying(); // rows are about to change …
    void applied();  // … and have changed

private:
    void beat();
    void ask();
    client::CallId read(int limit, const QByteArray &cursor, const Callback<JobPage> &callback);
    void came(Result<JobPage> page);
    void moreCame(Result<JobPage> page);
    void askGhosts();
    void fail(const Error &error);
    void searchOn();

    client::ApiClient &m_client;
    Feed &m_feed;
    std::function<QSet<JobId>()> m_kept;
    JobTableModel m_model;
    Filter m_filter;
    Phase m_phase = Phase::Loading;
    Mode m_mode = Mode::Live;
    Error m_error;
    Coverage m_coverage;
    QByteArray m_next;
    client::CallId m_call = 0;
    quint64 m_epoch = 0;        // answers of an older one are dropped
    int m_limit = firstRows;
    bool m_watched = false;
    bool m_loadingMore = false;
    bool m_searching = false;
    int m_searchedRows = firstRows; // with so many, a search has found enough
    int m_beats = 0;
    int m_ghostsAsked = 0;
    bool m_dropsGone = false;
    qint64 m_frozenAt_ms = 0;
    qint64 m_pagedAt_ms = 0;
};

} // namespace junban::ui
