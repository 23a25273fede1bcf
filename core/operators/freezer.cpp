#include "core/operators/freezer.h"

#include "core/base/gather.h"
#include "core/base/reasons/operators.h"

#include <QRandomGenerator>
#include <QSet>
#include <QTimer>

namespace junban {

namespace {

constexpr int kept_again_ms = 1'000; // a view that is read again within this time is not kept again
constexpr int gets_together = 20; // whole jobs that are read at once: each may have some MiB

// Whether a job can be found again while the view is made, so that the ids which were found are kept in memory.
bool mayFindTwice(const Selection &selection)
{
    return !selection.state || !selection.ids.isEmpty();
}

// One view that is being made.
class Freezing : public std::enable_shared_from_this<Freezing>
{
public:
    // `place`: among those that keep their ids in memory.
    Freezing(Freezer::Sources from, std::weak_ptr<int> alive, std::shared_ptr<void> place, Freezer::Request request, qint64 asOf_ms,
        Callback<View> callback)
        : m_from(from)
        , m_alive(std::move(alive))
        , m_place(std::move(place))
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
        if (m_alive.expired())
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
            m_request.selection.order, m_request.selection};
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

    // A job may have gone to another state meanwhile, and be found there again; and an id may be given twice. A job that was named is no
    // later one, whatever this master takes the time for.
    void take(const QList<Job> &jobs, bool last)
    {
        FreezeItem item{m_view.id, m_view.count, last ? ViewState::Complete : ViewState::Building, m_request.owner, m_view.asOf_ms, {}};
        const bool mayRepeat = mayFindTwice(m_request.selection);
        const bool isNamed = !m_request.selection.ids.isEmpty();
        for (const Job &job : jobs) {
            if ((!isNamed && job.id.created_ms() > m_view.asOf_ms) || (mayRepeat && m_seen.contains(job.id)))
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
        item.selection = m_request.selection;
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
        leavePlace();
        m_view.building = false;
        m_view.complete = state == ViewState::Complete;
        answer();
    }

    void answer()
    {
        if (!m_callback || m_alive.expired())
            return;
        m_view.complete = m_view.complete && !m_view.building;
        m_from.views.view(m_view.id, 0, 0, [callback = std::exchange(m_callback, {}), view = m_view](const Result<ViewPage> &page) {
            callback(page.ok() ? Result<View>(page->view) : Result<View>(view)); // it has no ids yet
        });
    }

    void fail(const Error &error)
    {
        leavePlace();
        if (m_callback)
            std::exchange(m_callback, {})(error);
    }

    // The timer of the answer keeps this object for a while.
    void leavePlace()
    {
        m_seen = {};
        m_place.reset();
    }

    const Freezer::Sources m_from;
    const std::weak_ptr<int> m_alive;
    std::shared_ptr<void> m_place;
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

namespace {

// A place that is free again when the last copy is gone; null when there is none.
std::shared_ptr<void> takePlace(const std::shared_ptr<Freezer::Shared> &shared)
{
    if (shared->gathered.fetch_add(1) < limits::views_gathered_max)
        return {shared.get(), [shared](void *) { shared->gathered.fetch_sub(1); }};
    shared->gathered.fetch_sub(1);
    return {};
}

// The view that was not used for longest; null when all are in use: by an operation, or by a reader of this master who reads all of it.
const View *leastUsed(const QList<View> &views, const QByteArray &owner, Freezer::Shared &shared)
{
    const std::lock_guard lock(shared.mutex);
    const View *found = nullptr;
    for (const View &view : views) {
        const bool isUsed = view.building || view.expiresAt_ms == 0 || shared.held.contains(view.id);
        if (view.owner == owner && !isUsed && (!found || view.expiresAt_ms < found->expiresAt_ms))
            found = &view;
    }
    return found;
}

// Who has most views, so that nobody's last one goes for another one's ninth.
QList<QByteArray> ownersByViews(const QList<View> &views)
{
    QHash<QByteArray, int> counts;
    for (const View &view : views)
        ++counts[view.owner];
    QList<QByteArray> owners = counts.keys();
    std::stable_sort(owners.begin(), owners.end(), [&](const QByteArray &a, const QByteArray &b) { return counts[a] > counts[b]; });
    return owners;
}

// Leaves the jobs out of a page that are outside the scope now. Of one whose argument is too long for a list the whole is read.
class Scoping : public std::enable_shared_from_this<Scoping>
{
public:
    Scoping(Store &store, std::weak_ptr<int> alive, std::shared_ptr<const Scope> scope, ViewPage page, Callback<ViewPage> callback)
        : m_store(store)
        , m_alive(std::move(alive))
        , m_scope(std::move(scope))
        , m_page(std::move(page))
        , m_callback(std::move(callback))
    {
    }

    void start()
    {
        m_page.jobs.removeIf([this](const Job &job) {
            if (job.argument_bytes <= job.spec.argument.size())
                return !m_scope->has(job.spec, m_evaluation);
            m_cut.append(job.id);
            return false;
        });
        readNext();
    }

private:
    void readNext()
    {
        if (m_alive.expired())
            return;
        const QList<JobId> ids = m_cut.first(std::min<qsizetype>(gets_together, m_cut.size()));
        if (ids.isEmpty()) {
            m_callback(std::move(m_page));
            return;
        }
        m_cut.remove(0, ids.size());
        const auto answers = Gather<Job>::answers(
            ids.size(), [self = shared_from_this(), ids](const QList<Result<Job>> &whole) { self->take(ids, whole); });
        for (qsizetype i = 0; i < ids.size(); ++i)
            m_store.get(ids[i], answers[i]);
    }

    void take(const QList<JobId> &ids, const QList<Result<Job>> &whole)
    {
        QSet<JobId> outside;
        for (qsizetype i = 0; i < ids.size(); ++i) {
            if (!whole[i].ok() && whole[i].error().code != ErrorCode::NotFound) {
                m_callback(whole[i].error());
                return;
            }
            if (!whole[i].ok() || !m_scope->has(whole[i]->spec, m_evaluation))
                outside.insert(ids[i]);
        }
        m_page.jobs.removeIf([&outside](const Job &job) { return outside.contains(job.id); });
        readNext();
    }

    Store &m_store;
    const std::weak_ptr<int> m_alive;
    const std::shared_ptr<const Scope> m_scope;
    ViewPage m_page;
    const Callback<ViewPage> m_callback;
    QList<JobId> m_cut;              // of which the whole is still to be read
    cel::Evaluation m_evaluation;
};

} // namespace

Freezer::Freezer(Sources from, Clock &clock, std::shared_ptr<Shared> shared)
    : m_from(from)
    , m_clock(clock)
    , m_shared(std::move(shared))
{
}

void Freezer::freeze(Request request, Callback<View> callback)
{
    std::shared_ptr<void> place;
    if (mayFindTwice(request.selection) && request.selection.ids.isEmpty() && !(place = takePlace(m_shared))) {
        QTimer::singleShot(0, [callback = std::move(callback)] {
            callback(retryAfter(reasons::viewsBeingMade(limits::views_gathered_max), limits::view_wait_s));
        });
        return;
    }
    const QByteArray owner = request.owner;
    makeRoom(owner, [this, alive = std::weak_ptr(m_alive), place = std::move(place), request = std::move(request),
                        callback = std::move(callback)](const Result<Done> &room) mutable {
        const std::shared_ptr<void> own = std::exchange(place, {});
        if (alive.expired())
            return;
        if (room.ok())
            std::make_shared<Freezing>(m_from, m_alive, own, request, m_clock.now_ms(), callback)->start();
        else
            callback(room.error());
    });
}

void Freezer::makeRoom(const QByteArray &owner, Callback<Done> callback)
{
    views([this, owner, callback = std::move(callback), alive = std::weak_ptr(m_alive)](const Result<ViewList> &list) {
        if (alive.expired())
            return;
        if (!list.ok()) {
            callback(list.error());
            return;
        }
        const QList<View> &views = list->views;
        const auto own = std::count_if(views.begin(), views.end(), [&](const View &view) { return view.owner == owner; });
        // Callers without a token cannot be told apart: all views are theirs together.
        const bool isFull = views.size() >= limits::views_max;
        if (!isFull && (owner.isEmpty() || own < limits::views_of_token_max)) {
            callback(Done{});
            return;
        }
        const View *last = nullptr;
        const bool ofOwner = !owner.isEmpty() && own >= limits::views_of_token_max;
        for (const QByteArray &whose : ofOwner ? QList{owner} : ownersByViews(views)) {
            if ((last = leastUsed(views, whose, *m_shared)))
                break;
        }
        if (!last) {
            callback(retryAfter(ofOwner ? reasons::viewsOfTokenInUse(limits::views_of_token_max) : reasons::viewsInUse(limits::views_max),
                limits::view_wait_s));
            return;
        }
        drop(last->id, [callback](const Result<Done> &dropped) {
            const bool isGone = dropped.ok() || dropped.error().code == ErrorCode::NotFound;
            callback(isGone ? Result<Done>(Done{}) : Result<Done>(dropped.error()));
        });
    });
}

void Freezer::views(Callback<ViewList> callback)
{
    m_from.views.views(std::move(callback));
}

std::shared_ptr<void> Freezer::holding(const QByteArray &id)
{
    const std::lock_guard lock(m_shared->mutex);
    ++m_shared->held[id];
    return {m_shared.get(), [shared = m_shared, id](void *) {
                const std::lock_guard held(shared->mutex);
                if (--shared->held[id] == 0)
                    shared->held.remove(id);
            }};
}

// At most once a second for each view: some have many keys.
void Freezer::keepRead(Result<ViewPage> &page)
{
    if (!page.ok() || page->view.expiresAt_ms == 0)
        return;
    const qint64 until_ms = m_clock.now_ms() + qint64(limits::view_s * 1000);
    if (until_ms - page->view.expiresAt_ms < kept_again_ms)
        return;
    m_from.views.keep(page->view.id, page->view.count);
    page->view.expiresAt_ms = until_ms;
}

void Freezer::view(QByteArray id, qint64 offset, int limit, std::shared_ptr<const Scope> scope, Callback<ViewPage> callback)
{
    if (limit == 0 || !scope || !scope->needsJob()) { // a name does not change
        m_from.views.view(std::move(id), offset, limit,
            [this, callback = std::move(callback), alive = std::weak_ptr(m_alive)](Result<ViewPage> page) {
                if (!alive.expired())
                    keepRead(page);
                callback(std::move(page));
            });
        return;
    }
    m_from.views.view(std::move(id), offset, limit,
        [this, scope = std::move(scope), alive = std::weak_ptr(m_alive), callback = std::move(callback)](Result<ViewPage> page) {
            if (!alive.expired())
                keepRead(page);
            if (alive.expired() || !page.ok())
                callback(std::move(page));
            else
                std::make_shared<Scoping>(m_from.store, alive, scope, std::move(*page), callback)->start();
        });
}

void Freezer::drop(QByteArray id, Callback<Done> callback)
{
    m_from.views.drop(std::move(id), std::move(callback));
}

} // namespace junban
