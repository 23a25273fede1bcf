#include "core/operators/inspector.h"

#include "core/base/clock.h"
#include "core/base/reasons/api.h"
#include "core/base/reasons/operators.h"

#include <QPointer>
#include <algorithm>
#include <bit>
#include <memory>

namespace junban {

namespace {

// The order of the states in a list of all of them: what happens now comes first.
constexpr JobState listed[] = {JobState::Running, JobState::Awaiting, JobState::Ready, JobState::Scheduled, JobState::Depends,
    JobState::Failed, JobState::Succeeded, JobState::Cancelled};

// Where a page ended: a state and the (order, id) of its last row. Without a row the state is listed from its start.
struct Cursor {
    JobState state = listed[0];
    std::optional<QPair<double, JobId>> after = {};

    QByteArray text() const
    {
        QByteArray text = QByteArray::number(int(state));
        if (after) {
            text += '.' + QByteArray::number(std::bit_cast<quint64>(after->first), 16) + '.' + after->second.text();
        }
        return text;
    }

    static std::optional<Cursor> fromText(const QByteArray &text)
    {
        const QList<QByteArray> parts = text.split('.');
        Cursor cursor;
        bool ok = false;
        const int state = parts[0].toInt(&ok);
        if (!ok || state < int(JobState::Scheduled) || state > int(JobState::Cancelled))
            return {};
        cursor.state = static_cast<JobState>(state);
        if (parts.size() == 1)
            return cursor;
        if (parts.size() != 3)
            return {};
        const quint64 order = parts[1].toULongLong(&ok, 16);
        const std::optional<JobId> id = JobId::fromText(parts[2]);
        if (!ok || !id)
            return {};
        cursor.after = {std::bit_cast<double>(order), *id};
        return cursor;
    }
};

// One list that is being made, or a count of what would be in it. It reads page after page from the store until the list is full, all jobs
// were looked at, or the work bound is reached.
class Listing : public std::enable_shared_from_this<Listing>
{
public:
    // `counts`: gets the numbers of jobs, and the page stays empty then.
    Listing(Store &store, Inspector::ListRequest request, Cursor cursor, std::shared_ptr<JobCounts> counts, Callback<JobPage> callback)
        : m_store(store)
        , m_request(std::move(request))
        , m_cursor(cursor)
        , m_counts(std::move(counts))
        , m_callback(std::move(callback))
    {
    }

    void start()
    {
        m_store.counts([self = shared_from_this()](Result<Overview> counts) {
            if (!counts.ok()) {
                self->m_callback(counts.error());
                return;
            }
            for (const JobState state : listed) {
                if (!self->m_request.state || *self->m_request.state == state)
                    self->m_page.coverage.total += counts->count(state);
            }
            if (self->m_counts && !self->m_request.filter.narrows())
                self->countAll(*counts);
            else
                self->next();
        });
    }

private:
    void countAll(const Overview &counts)
    {
        for (const JobState state : listed) {
            if (!m_request.state || *m_request.state == state)
                m_counts->byState[size_t(state)] = counts.count(state);
        }
        m_page.coverage.scanned = m_page.coverage.total;
        finish(false);
    }

    void next()
    {
        if (m_ahead && m_ahead->after == m_cursor.after) {
            m_ahead->awaited = true;
            takeAhead();
            return;
        }
        m_ahead.reset();
        read(m_cursor.after, [self = shared_from_this()](const Result<Page> &page) { self->take(page); });
    }

    void read(std::optional<QPair<double, JobId>> after, Callback<Page> callback)
    {
        PageRequest page;
        page.state = m_cursor.state;
        page.name = m_cursor.state == JobState::Ready ? m_request.filter.name : QByteArray();
        page.limit = m_request.filter.narrows() ? JobFilter::together : m_request.limit - int(m_page.jobs.size());
        page.after = after;
        page.detail = m_request.filter.detail();
        page.reversed = m_request.reversed;
        m_store.page(std::move(page), std::move(callback));
    }

    // Asks for the next page while this one is filtered. Not for the first page, which is often enough.
    void readAhead(const Page &page)
    {
        const bool goesOn = m_request.filter.narrows() && m_page.coverage.scanned > 0 && !page.end && page.last;
        if (!goesOn || m_page.coverage.scanned + page.jobs.size() >= limits::page_scan_max || Clock::monotonic_ms() >= m_until_ms)
            return;
        m_ahead = std::make_shared<Ahead>();
        m_ahead->after = page.last;
        read(m_ahead->after, [self = shared_from_this(), ahead = m_ahead](Result<Page> reply) {
            if (self->m_ahead != ahead)
                return; // the list was complete without this page
            ahead->reply = std::move(reply);
            self->takeAhead();
        });
    }

    void takeAhead()
    {
        if (m_ahead->awaited && m_ahead->reply)
            take(*std::exchange(m_ahead, {})->reply);
    }

    void take(const Result<Page> &reply)
    {
        if (!reply.ok()) {
            m_callback(reply.error());
            return;
        }
        const Page &page = *reply;
        readAhead(page);
        const JobFilter &filter = m_request.filter;
        const qsizetype room = m_counts ? page.jobs.size() + 1 : m_request.limit - m_page.jobs.size();
        const JobFilter::Sifted sifted = filter.sift(page, room, m_evaluation);
        m_page.coverage.scanned += sifted.looked;
        if (sifted.after)
            m_cursor.after = sifted.after;
        const Left left = sifted.all && page.end ? Left::InOthers : Left::InState;
        const bool full = sifted.passed.size() == room;
        if (m_counts) {
            m_counts->byState[size_t(m_cursor.state)] += sifted.passed.size();
            goOn(left, full);
            return;
        }
        if (filter.detail() == PageDetail::Listed || sifted.passed.isEmpty()) {
            m_page.jobs += sifted.passed;
            goOn(left, full);
            return;
        }
        readRows(m_store, sifted.passed, [self = shared_from_this(), left, full](const Result<QList<Job>> &rows) {
            if (!rows.ok()) {
                self->m_callback(rows.error());
                return;
            }
            self->m_page.jobs += *rows;
            self->goOn(left, full);
        });
    }

    enum class Left { InState, InOthers };

    void goOn(Left left, bool full)
    {
        if (left == Left::InOthers && !nextState()) {
            finish(false);
        } else if (full || m_page.coverage.scanned >= limits::page_scan_max || Clock::monotonic_ms() >= m_until_ms) {
            m_page.coverage.complete = full;
            finish(true);
        } else {
            next();
        }
    }

    bool nextState()
    {
        if (m_request.state)
            return false;
        const auto *place = std::find(std::begin(listed), std::end(listed), m_cursor.state);
        if (place + 1 == std::end(listed))
            return false;
        m_cursor = {place[1], {}};
        return true;
    }

    void finish(bool more)
    {
        if (more)
            m_page.next = m_cursor.text();
        m_callback(std::move(m_page));
    }

    Store &m_store;
    Inspector::ListRequest m_request;
    Cursor m_cursor;
    std::shared_ptr<JobCounts> m_counts;
    Callback<JobPage> m_callback;
    JobPage m_page;
    struct Ahead {
        std::optional<QPair<double, JobId>> after = {};
        std::optional<Result<Page>> reply = {}; // once it has come
        bool awaited = false;                  // the page before it has been filtered
    };
    std::shared_ptr<Ahead> m_ahead;
    cel::Evaluation m_evaluation;
    qint64 m_until_ms = Clock::monotonic_ms() + qint64(limits::page_scan_s_max * 1000);
};

Rates ratesBetween(const Overview &then, const Overview &now)
{
    const qint64 span_ms = now.now_ms - then.now_ms;
    const auto perSecond = [&](qint64 Totals::*total) {
        const qint64 grown = std::max<qint64>(now.totals.*total - then.totals.*total, 0);
        return span_ms > 0 ? double(grown) * 1000.0 / double(span_ms) : 0;
    };
    return {perSecond(&Totals::enqueued), perSecond(&Totals::started), perSecond(&Totals::succeeded), perSecond(&Totals::failures)};
}

} // namespace

Inspector::Inspector(Store &store, QObject *parent)
    : QObject(parent)
    , m_store(store)
{
    m_sampling.setInterval(1'000);
    connect(&m_sampling, &QTimer::timeout, this, [this] {
        m_store.counts([self = QPointer<Inspector>(this)](const Result<Overview> &counts) {
            if (self && counts.ok())
                self->sample(*counts);
        });
    });
    m_sampling.start();
}

void Inspector::sample(const Overview &counts)
{
    m_samples.push_back(counts);
    while (counts.now_ms - m_samples.front().now_ms > qint64(limits::rate_window_s) * 1000)
        m_samples.pop_front();
}

void Inspector::list(ListRequest request, Callback<JobPage> callback)
{
    begin(std::move(request), nullptr, std::move(callback));
}

void Inspector::count(ListRequest request, Callback<JobCounts> callback)
{
    const auto counts = std::make_shared<JobCounts>();
    begin(std::move(request), counts, [counts, callback = std::move(callback)](const Result<JobPage> &page) {
        if (!page.ok()) {
            callback(page.error());
            return;
        }
        counts->next = page->next;
        counts->coverage = page->coverage;
        callback(*counts);
    });
}

void Inspector::begin(ListRequest request, const std::shared_ptr<JobCounts> &counts, Callback<JobPage> callback)
{
    Cursor cursor;
    if (request.state)
        cursor.state = *request.state;
    if (!request.cursor.isEmpty()) {
        const std::optional<Cursor> given = Cursor::fromText(request.cursor);
        if (!given || (request.state && given->state != *request.state)) {
            const Error error = reasons::cursorUnknown("cursor");
            QMetaObject::invokeMethod(this, [callback = std::move(callback), error] { callback(error); }, Qt::QueuedConnection);
            return;
        }
        cursor = *given;
    }
    std::make_shared<Listing>(m_store, std::move(request), cursor, counts, std::move(callback))->start();
}

void Inspector::get(JobId id, Callback<Job> callback)
{
    m_store.get(id, std::move(callback));
}

void Inspector::overview(Callback<Overview> callback)
{
    m_store.counts([self = QPointer<Inspector>(this), callback = std::move(callback)](Result<Overview> overview) {
        if (overview.ok()) {
            overview->version = JUNBAN_VERSION;
            if (self && self->m_rollbackNotice)
                overview->rollback = self->m_rollbackNotice->rollback();
            if (self && !self->m_samples.empty())
                overview->rates = ratesBetween(self->m_samples.front(), *overview);
        }
        callback(std::move(overview));
    });
}

void Inspector::examine(Callback<Findings> callback)
{
    if (m_doctor) {
        m_doctor->examine(std::move(callback));
        return;
    }
    QMetaObject::invokeMethod(
        this, [callback = std::move(callback)] { callback(reasons::storeNotExamined()); },
        Qt::QueuedConnection);
}

void Inspector::look(Repair repair, QByteArray cursor, Callback<FsckReport> callback)
{
    if (m_fsck) {
        m_fsck->look(repair, std::move(cursor), std::move(callback));
        return;
    }
    QMetaObject::invokeMethod(
        this, [callback = std::move(callback)] { callback(reasons::storeNotChecked()); },
        Qt::QueuedConnection);
}

void Inspector::names(int limit, QByteArray after, Callback<NamePage> callback)
{
    // One more than the page has: it tells whether there is another page.
    m_store.names(limit + 1, std::move(after), [this, limit, callback = std::move(callback), self = QPointer<Inspector>(this)](
                                               Result<QList<NameRow>> names) {
        if (!self)
            return;
        if (!names.ok()) {
            callback(names.error());
            return;
        }
        QByteArray next;
        if (names->size() > limit) {
            names->removeLast();
            next = names->last().name;
        }
        NamePage page{std::move(*names), next};
        if (!m_failures) {
            callback(std::move(page));
            return;
        }
        m_failures->sums([page, callback](const Result<FailureTally::Sums> &sums) mutable {
            if (!sums.ok()) {
                callback(sums.error());
                return;
            }
            for (NameRow &row : page.names)
                row.failed = sums->failedNow.value(row.name);
            page.complete = sums->complete;
            callback(std::move(page));
        });
    });
}

void Inspector::probe(Callback<Done> callback)
{
    m_store.probe(std::move(callback));
}

} // namespace junban
