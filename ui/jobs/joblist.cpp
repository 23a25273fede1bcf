#include "ui/jobs/joblist.h"

namespace junban::ui {

namespace {

// A filter that makes the master look at many jobs is asked less often.
constexpr qint64 costlyScan = 2'000;
constexpr int costlyBeats = 5;
constexpr int ghostsAsked_max = 8;

} // namespace

JobList::JobList(client::ApiClient &client, Feed &feed, std::function<QSet<JobId>()> kept, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_feed(feed)
    , m_kept(std::move(kept))
{
    connect(&m_feed, &Feed::arrived, this, &JobList::beat);
}

void JobList::setFilter(const Filter &filter)
{
    if (filter == m_filter && m_phase != Phase::Loading)
        return;
    m_filter = filter;
    ++m_epoch;
    m_client.cancel(m_call);
    m_call = 0;
    m_loadingMore = false;
    m_limit = firstRows;
    m_phase = Phase::Loading;
    m_mode = Mode::Live;
    m_pagedAt_ms = 0;
    m_searching = !filter.match.isEmpty();
    m_searchedRows = firstRows;
    m_next.clear();
    m_coverage = {};
    Q_EMIT applying();
    m_model.clear();
    Q_EMIT applied();
    Q_EMIT changed();
    if (m_watched)
        ask();
}

void JobList::setMode(Mode mode)
{
    if (m_mode == mode)
        return;
    m_mode = mode;
    m_frozenAt_ms = mode == Mode::Frozen ? m_feed.now_ms() : 0;
    m_pagedAt_ms = 0;
    Q_EMIT changed();
    if (mode == Mode::Live) {
        m_searching = !m_filter.match.isEmpty();
        m_searchedRows = firstRows;
        m_limit = std::min(m_limit, liveRows_max);
        ask();
    }
}

void JobList::setWatched(bool watched)
{
    if (m_watched == watched)
        return;
    m_watched = watched;
    if (watched && m_mode == Mode::Live)
        ask();
}

void JobList::refresh()
{
    if (m_mode == Mode::Frozen) {
        setMode(Mode::Live);
        return;
    }
    Q_EMIT applying();
    m_model.dropGhosts({});
    Q_EMIT applied();
    ask();
}

void JobList::dropGone()
{
    if (m_mode == Mode::Frozen)
        return;
    m_dropsGone = true;
    ask();
}

void JobList::beat()
{
    m_model.setNow(m_feed.now_ms());
    if (!m_watched || m_mode == Mode::Frozen || m_loadingMore)
        return;
    ++m_beats;
    if (m_phase == Phase::Shown && m_coverage.scanned > costlyScan && m_beats % costlyBeats != 0)
        return;
    ask();
}

void JobList::ask()
{
    if (m_call != 0)
        return;
    m_call = read(m_limit, {}, [this, epoch = m_epoch](Result<JobPage> page) {
        if (epoch != m_epoch)
            return;
        m_call = 0;
        came(std::move(page));
    });
}

client::CallId JobList::read(int limit, const QByteArray &cursor, const Callback<JobPage> &callback)
{
    if (m_filter.cause.isEmpty()) {
        const client::JobQuery query{m_filter.state, m_filter.name, m_filter.tag, limit, cursor, m_filter.which, m_filter.match,
                                     m_filter.reversed};
        return m_client.jobs(query, client::guarded<JobPage>(this, callback));
    }
    const auto came = [callback](Result<FailurePage> page) {
        if (page.ok())
            callback(JobPage{std::move(page->jobs), page->next, {page->total, page->total, true}});
        else
            callback(page.error());
    };
    return m_client.failureGroup(m_filter.cause, client::FailurePeriod::Week, limit, cursor, client::guarded<FailurePage>(this, came));
}

void JobList::came(Result<JobPage> page)
{
    if (!page.ok()) {
        fail(page.error());
        return;
    }
    if (m_mode == Mode::Frozen && m_phase != Phase::Loading)
        return; // the list was frozen before the answer came
    m_phase = Phase::Shown;
    m_next = page->next;
    m_coverage = page->coverage;
    m_model.setNow(m_feed.now_ms());
    const QSet<JobId> kept = m_kept && !std::exchange(m_dropsGone, false) ? m_kept() : QSet<JobId>();
    Q_EMIT applying();
    m_model.apply(page->jobs, kept);
    Q_EMIT applied();
    Q_EMIT changed();
    askGhosts();
    searchOn();
}

// A page of a search looks at a bounded number of jobs. The next page is asked for as long as there are few rows and jobs to look at.
void JobList::searchOn()
{
    if (!m_searching)
        return;
    if (m_coverage.complete || m_next.isEmpty() || m_model.rowCount() >= m_searchedRows) {
        m_searching = false;
        Q_EMIT changed();
        return;
    }
    setMode(Mode::Frozen); // the rows are of several moments
    more();
}

void JobList::stopSearch()
{
    m_searching = false;
    Q_EMIT changed();
}

void JobList::searchFurther()
{
    m_searching = true;
    m_searchedRows = m_model.rowCount() + firstRows;
    setMode(Mode::Frozen);
    more();
}

void JobList::more()
{
    if (!hasMore() || m_loadingMore)
        return;
    if (m_limit < liveRows_max && m_mode == Mode::Live) {
        m_limit = std::min(liveRows_max, m_limit + firstRows);
        ask();
        return;
    }
    // There are more rows than can be kept up to date, so the list is frozen.
    setMode(Mode::Frozen);
    m_loadingMore = true;
    Q_EMIT changed();
    read(limits::page_rows_max, m_next, [this, epoch = m_epoch](Result<JobPage> page) {
        if (epoch == m_epoch)
            moreCame(std::move(page));
    });
}

void JobList::moreCame(Result<JobPage> page)
{
    m_loadingMore = false;
    if (!page.ok()) {
        fail(page.error());
        return;
    }
    if (m_mode == Mode::Live) {
        Q_EMIT changed();
        return; // the list is live again, which would remove the page
    }
    m_next = page->next;
    m_pagedAt_ms = m_feed.now_ms();
    m_coverage.scanned += page->coverage.scanned;
    m_coverage.total = std::max(page->coverage.total, m_coverage.scanned); // jobs come and go meanwhile
    m_coverage.complete = page->coverage.complete;
    Q_EMIT applying();
    m_model.append(page->jobs);
    Q_EMIT applied();
    Q_EMIT changed();
    searchOn();
}

// Asks for the present state of jobs that left the list, some of them with every arrival of the feed.
void JobList::askGhosts()
{
    if (m_model.ghosts() == 0)
        return;
    for (int row = 0; row < m_model.rowCount() && m_ghostsAsked < ghostsAsked_max; ++row) {
        const Job *job = m_model.jobAt(row);
        if (!m_model.index(row, 0).data(JobTableModel::GhostRole).toBool())
            continue;
        // A final job does not change, unless it left the list of its own state: then it was retried.
        if (isFinal(job->state) && job->state != m_filter.state)
            continue;
        ++m_ghostsAsked;
        m_client.job(job->id, client::guarded<Job>(this, [this](Result<Job> answer) {
            --m_ghostsAsked;
            if (answer.ok())
                m_model.patch(*answer);
        }));
    }
}

void JobList::fail(const Error &error)
{
    if (error.code == ErrorCode::Cancelled)
        return;
    m_error = error;
    m_searching = false;
    // The rows stay, and the window says above them that they are old.
    if (m_phase == Phase::Loading || error.code != ErrorCode::Unreachable)
        m_phase = m_model.rowCount() > 0 && error.code == ErrorCode::StoreUnavailable ? m_phase : Phase::Failed;
    Q_EMIT changed();
}

} // namespace junban::ui
