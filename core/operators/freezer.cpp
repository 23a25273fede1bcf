#include "core/operators/freezer.h"

#include "core/base/gather.h"

#include <QRandomGenerator>
#include <QSet>
#include <QTimer>

namespace junban {

namespace {

constexpr int gets_together = 100; // jobs of `ids` that are read at once

// One view that is being made.
class Freezing : public std::enable_shared_from_this<Freezing>
{
public:
    struct Sources {
        OperationStore &views;
        Store &store;
        Inspector &inspector;
        Lookback &lookback;
        std::weak_ptr<int> alive;
    };
    Freezing(Sources sources, Freezer::Request request, qint64 asOf_ms, Callback<View> callback)
        : m_from(std::move(sources))
        , m_request(std::move(request))
        , m_callback(std::move(callback))
    {
        m_view.id = randomName();
        m_view.asOf_ms = asOf_ms;
        m_view.building = true;
    }

    void start()
    {
        QTimer::singleShot(int(m_request.wait_s * 1000), [self = shared_from_this()] { self->answer(); });
        next();
    }

private:
    void next()
    {
        if (m_from.alive.expired())
            return;
        const Selection &selection = m_request.selection;
        if (!selection.ids.isEmpty())
            readIds();
        else if (selection.trash || !selection.signature.isEmpty())
            readSet();
        else if (selection.state && *selection.state != JobState::Ready && !m_request.filter.narrows())
            takeState();
        else
            readStates();
    }

    Callback<JobPage> takingPage()
    {
        return [self = shared_from_this()](const Result<JobPage> &page) {
            if (!page.ok()) {
                self->fail(page.error());
                return;
            }
            self->m_cursor = page->next;
            self->take(page->jobs, page->next.isEmpty());
        };
    }

    void readStates()
    {
        m_from.inspector.list({m_request.selection.state, m_request.filter, limits::page_rows_max, m_cursor,
                                   m_request.selection.order == ListOrder::Reversed},
            takingPage());
    }

    // Without reading the jobs: Redis copies their ids.
    void takeState()
    {
        FreezeStateItem item{m_view.id, m_view.count, m_request.owner, m_view.asOf_ms, *m_request.selection.state, m_last,
            m_request.selection.order};
        m_from.views.freezeState(std::move(item), [self = shared_from_this()](const Result<FrozenState> &frozen) {
            if (!frozen.ok()) {
                self->fail(frozen.error());
                return;
            }
            self->m_view.count = frozen->count;
            self->m_last = frozen->last;
            if (!frozen->last)
                self->finish(ViewState::Complete);
            else if (frozen->count + limits::page_rows_max > limits::view_ids_max)
                self->store({self->m_view.id, self->m_view.count, ViewState::Cut});
            else
                self->next();
        });
    }

    void readSet()
    {
        const Selection &selection = m_request.selection;
        Lookback::JobsQuery query;
        query.set = selection.trash ? JobSet::Trash : JobSet::FailedInGroup;
        query.signature = selection.signature;
        query.filter = m_request.filter;
        query.filter.state = selection.state;
        query.limit = limits::page_rows_max;
        query.cursor = m_cursor;
        m_from.lookback.jobs(std::move(query), takingPage());
    }

    // Whole jobs, as the filter may need all of them.
    void readIds()
    {
        const QList<JobId> ids = m_request.selection.ids.mid(m_asked, gets_together);
        const auto answers = Gather<Job>::answers(ids.size(), [self = shared_from_this()](const QList<Result<Job>> &jobs) {
            Page found;
            for (const Result<Job> &job : jobs) {
                if (job.ok())
                    found.jobs.append(*job);
            }
            self->takeFound(found);
        });
        m_asked += ids.size();
        for (qsizetype i = 0; i < ids.size(); ++i)
            m_from.store.get(ids[i], answers[i]);
    }

    void takeFound(Page &found)
    {
        JobFilter filter = m_request.filter;
        filter.state = m_request.selection.state;
        QList<Job> passed;
        while (!found.jobs.isEmpty()) {
            found.orders.fill(0, found.jobs.size());
            const JobFilter::Sifted sifted = filter.sift(found, found.jobs.size(), m_evaluation);
            passed += sifted.passed;
            found.jobs.remove(0, sifted.looked);
        }
        take(passed, m_asked >= m_request.selection.ids.size());
    }

    // A job may have gone to another state meanwhile, and be found there again; and an id may be given twice.
    void take(const QList<Job> &jobs, bool last)
    {
        FreezeItem item{m_view.id, m_view.count, last ? ViewState::Complete : ViewState::Building, m_request.owner, m_view.asOf_ms, {}};
        const bool mayRepeat = !m_request.selection.state || !m_request.selection.ids.isEmpty();
        for (const Job &job : jobs) {
            if (job.id.created_ms() > m_view.asOf_ms || (mayRepeat && m_seen.contains(job.id)))
                continue;
            if (m_view.count + item.ids.size() >= limits::view_ids_max) {
                item.state = ViewState::Cut;
                break;
            }
            item.ids.append(job.id);
            if (mayRepeat)
                m_seen.insert(job.id);
        }
        if (item.ids.isEmpty() && item.state == ViewState::Building && m_view.count > 0) {
            next();
            return;
        }
        store(std::move(item));
    }

    void store(FreezeItem item)
    {
        const ViewState state = item.state;
        m_from.views.freeze(std::move(item), [self = shared_from_this(), state](const Result<qint64> &count) {
            if (!count.ok()) {
                self->fail(count.error());
                return;
            }
            self->m_view.count = *count;
            if (state == ViewState::Building)
                self->next();
            else
                self->finish(state);
        });
    }

    void finish(ViewState state)
    {
        m_view.building = false;
        m_view.complete = state == ViewState::Complete;
        answer();
    }

    void answer()
    {
        if (!m_callback || m_from.alive.expired())
            return;
        m_view.complete = m_view.complete && !m_view.building;
        m_from.views.view(m_view.id, 0, 0, [callback = std::exchange(m_callback, {}), view = m_view](const Result<ViewPage> &page) {
            callback(page.ok() ? Result<View>(page->view) : Result<View>(view)); // it has no ids yet
        });
    }

    void fail(const Error &error)
    {
        if (m_callback)
            std::exchange(m_callback, {})(error);
    }

    Sources m_from;
    Freezer::Request m_request;
    Callback<View> m_callback;       // empty: it is answered
    View m_view;
    QByteArray m_cursor;
    std::optional<QPair<double, JobId>> m_last;
    qsizetype m_asked = 0;           // of the ids
    QSet<JobId> m_seen;
    cel::Evaluation m_evaluation;
};

} // namespace

QByteArray randomName()
{
    QByteArray random(12, Qt::Uninitialized);
    QRandomGenerator::system()->fillRange(reinterpret_cast<quint32 *>(random.data()), random.size() / 4);
    return random.toHex();
}

Freezer::Freezer(OperationStore &views, Store &store, Inspector &inspector, Lookback &lookback, Clock &clock)
    : m_views(views)
    , m_store(store)
    , m_inspector(inspector)
    , m_lookback(lookback)
    , m_clock(clock)
{
}

void Freezer::freeze(Request request, Callback<View> callback)
{
    std::make_shared<Freezing>(
        Freezing::Sources{m_views, m_store, m_inspector, m_lookback, m_alive}, std::move(request), m_clock.now_ms(), std::move(callback))
        ->start();
}

void Freezer::view(QByteArray id, qint64 offset, int limit, Callback<ViewPage> callback)
{
    m_views.view(std::move(id), offset, limit, std::move(callback));
}

void Freezer::drop(QByteArray id, Callback<Done> callback)
{
    m_views.drop(std::move(id), std::move(callback));
}

} // namespace junban
