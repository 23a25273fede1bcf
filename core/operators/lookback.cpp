#include "core/operators/lookback.h"

#include "core/base/clock.h"
#include "core/base/reasons/api.h"
#include "core/base/reasons/past.h"

#include <QDate>
#include <QHash>
#include <QPointer>
#include <QSet>
#include <algorithm>
#include <bit>

namespace junban {

namespace {

constexpr int groups_page = 100; // groups in one script call

Error badCursor()
{
    return reasons::cursorUnknown("cursor");
}

// A cursor has the order and the member (a job's id, or a signature) of the last row.
QByteArray cursorText(double order, const QByteArray &member)
{
    return QByteArray::number(std::bit_cast<quint64>(order), 16) + '.' + member;
}

std::optional<QPair<double, QByteArray>> cursorOf(const QByteArray &text)
{
    const qsizetype dot = text.indexOf('.');
    bool ok = false;
    const quint64 order = text.left(std::max<qsizetype>(dot, 0)).toULongLong(&ok, 16);
    if (dot < 0 || !ok)
        return {};
    return QPair(std::bit_cast<double>(order), text.mid(dot + 1));
}

std::optional<QPair<double, JobId>> jobCursorOf(const QByteArray &text)
{
    const auto cursor = cursorOf(text);
    const auto id = cursor ? JobId::fromText(cursor->second) : std::nullopt;
    if (!id)
        return {};
    return QPair(cursor->first, *id);
}

// Goes through the groups of a period, page after page, until `take` has enough of them, there are no more, or the work bound is reached.
class GroupWalk : public std::enable_shared_from_this<GroupWalk>
{
public:
    // `take` returns false when it has enough; `done` is told whether all groups were seen.
    GroupWalk(PastStore &past, GroupsRequest request, std::function<bool(const FailureGroup &)> take, Callback<bool> done)
        : m_past(past)
        , m_request(std::move(request))
        , m_take(std::move(take))
        , m_done(std::move(done))
    {
        m_request.limit = groups_page;
    }

    // The period ends now on Redis' clock, which the first page brings.
    void next()
    {
        m_past.groups(m_request, [self = shared_from_this()](Result<GroupsPage> page) {
            if (page.ok())
                self->takePage(*page);
            else
                self->m_done(page.error());
        });
    }

private:
    void takePage(const GroupsPage &page)
    {
        const qint64 since_ms = page.now_ms - m_request.period_s * 1000;
        for (const FailureGroup &group : page.groups) {
            if (group.lastAt_ms < since_ms) {
                m_done(true);
                return;
            }
            if (!m_take(group)) {
                m_done(false);
                return;
            }
            m_request.after = {group.lastAt_ms, group.signature};
        }
        m_scanned += page.groups.size();
        if (page.end || m_scanned >= limits::page_scan_max)
            m_done(page.end);
        else
            next();
    }

    PastStore &m_past;
    GroupsRequest m_request;
    std::function<bool(const FailureGroup &)> m_take;
    Callback<bool> m_done;
    qsizetype m_scanned = 0;
};

void add(FailureSum &sum, const FailureGroup &group)
{
    ++sum.groups;
    sum.count += group.count;
    sum.failedNow += group.failedNow;
    sum.inPeriod += group.inPeriod;
    sum.lastHour += group.lastHour;
    sum.firstAt_ms = sum.firstAt_ms == 0 ? group.firstAt_ms : std::min(sum.firstAt_ms, group.firstAt_ms);
    sum.lastAt_ms = std::max(sum.lastAt_ms, group.lastAt_ms);
    sum.trendStep_s = group.trendStep_s;
    sum.trend.resize(group.trend.size());
    for (qsizetype i = 0; i < group.trend.size(); ++i)
        sum.trend[i] += group.trend[i];
}

void addByWorker(QHash<QByteArray, FailureSum> &sums, const FailureGroup &group)
{
    for (const auto &[worker, count] : group.workers) {
        FailureSum &sum = sums[worker];
        ++sum.groups;
        sum.count += count;
        const FailureGroup::WorkerTrend trend = group.workerTrends.value(worker); // it is of all groups, so not added up
        sum.inPeriod = trend.inPeriod;
        sum.lastHour = trend.lastHour;
        sum.trend = trend.trend;
        sum.trendStep_s = group.trendStep_s;
        sum.firstAt_ms = sum.firstAt_ms == 0 ? group.firstAt_ms : std::min(sum.firstAt_ms, group.firstAt_ms);
        sum.lastAt_ms = std::max(sum.lastAt_ms, group.lastAt_ms);
    }
}

// Retries the jobs of a group, slice after slice.
class Retrying : public std::enable_shared_from_this<Retrying>
{
public:
    Retrying(PastStore &past, Queue &queue, SetPageRequest request, int jobs_max, QByteArray by, Callback<GroupRetried> callback)
        : m_past(past)
        , m_queue(queue)
        , m_request(std::move(request))
        , m_left(jobs_max)
        , m_by(std::move(by))
        , m_callback(std::move(callback))
    {
    }

    void next()
    {
        m_request.limit = std::clamp(m_left, 1, limits::script_items_max);
        m_past.jobsOf(m_request, [self = shared_from_this()](Result<Page> page) {
            if (!page.ok()) {
                self->m_callback(page.error());
                return;
            }
            // Jobs that fail meanwhile come before the place that has been reached.
            self->m_reply.left = page->jobs.size() + page->rest;
            if (!page->jobs.isEmpty() && self->m_left > 0) {
                self->retry(*page);
                return;
            }
            if (const auto &after = self->m_request.after; after && self->m_reply.left > 0)
                self->m_reply.next = cursorText(after->first, after->second.text());
            self->m_callback(self->m_reply);
        });
    }

private:
    void retry(const Page &page)
    {
        QList<RetryItem> items;
        for (const Job &job : page.jobs)
            items.append({job.id, m_by});
        m_left -= int(items.size());
        m_request.after = {page.orders.last(), items.last().id};
        m_queue.retry(std::move(items), [self = shared_from_this()](Result<QList<Result<StateNow>>> answers) {
            if (!answers.ok()) {
                self->m_callback(answers.error());
                return;
            }
            self->m_reply.retried += std::count_if(answers->cbegin(), answers->cend(), [](const auto &answer) { return answer.ok(); });
            self->next();
        });
    }

    PastStore &m_past;
    Queue &m_queue;
    SetPageRequest m_request;
    int m_left;
    QByteArray m_by;
    Callback<GroupRetried> m_callback;
    GroupRetried m_reply;
};

// A filtered page of a set's jobs.
class SetListing : public std::enable_shared_from_this<SetListing>
{
public:
    SetListing(PastStore &past, Store &store, Lookback::JobsQuery query, SetPageRequest request, Callback<JobPage> callback)
        : m_past(past)
        , m_store(store)
        , m_query(std::move(query))
        , m_request(std::move(request))
        , m_callback(std::move(callback))
    {
    }

    void next()
    {
        m_past.jobsOf(m_request, [self = shared_from_this()](Result<Page> page) {
            if (page.ok())
                self->take(*page);
            else
                self->m_callback(page.error());
        });
    }

private:
    void take(const Page &page)
    {
        m_page.coverage.total = page.total;
        const qsizetype room = m_query.limit - m_page.jobs.size();
        const JobFilter::Sifted sifted = m_query.filter.sift(page, room, m_evaluation);
        m_page.coverage.scanned += sifted.looked;
        if (sifted.after)
            m_request.after = sifted.after;
        const bool last = sifted.all && page.end, full = sifted.passed.size() == room;
        if (m_request.detail == PageDetail::Listed || sifted.passed.isEmpty()) {
            m_page.jobs += sifted.passed;
            goOn(last, full);
            return;
        }
        readRows(m_store, sifted.passed, [self = shared_from_this(), last, full](const Result<QList<Job>> &rows) {
            if (!rows.ok()) {
                self->m_callback(rows.error());
                return;
            }
            self->m_page.jobs += *rows;
            self->goOn(last, full);
        });
    }

    void goOn(bool last, bool full)
    {
        if (last) {
            finish(false);
        } else if (full || m_page.coverage.scanned >= limits::page_scan_max || Clock::monotonic_ms() >= m_until_ms) {
            m_page.coverage.complete = full;
            finish(true);
        } else {
            next();
        }
    }

    void finish(bool more)
    {
        if (more && m_request.after)
            m_page.next = cursorText(m_request.after->first, m_request.after->second.text());
        m_callback(std::move(m_page));
    }

    PastStore &m_past;
    Store &m_store;
    Lookback::JobsQuery m_query;
    SetPageRequest m_request;
    Callback<JobPage> m_callback;
    JobPage m_page;
    cel::Evaluation m_evaluation;
    qint64 m_until_ms = Clock::monotonic_ms() + qint64(limits::page_scan_s_max * 1000);
};

// A filtered page of the results that wait.
class ResultListing : public std::enable_shared_from_this<ResultListing>
{
public:
    ResultListing(PastStore &past, Store &store, Lookback::ResultsQuery query, ResultsRequest request, Callback<ResultPage> callback)
        : m_past(past)
        , m_store(store)
        , m_query(std::move(query))
        , m_request(request)
        , m_callback(std::move(callback))
    {
    }

    void next()
    {
        m_past.results(m_request, [self = shared_from_this()](Result<ResultPage> page) {
            if (page.ok())
                self->take(std::move(*page));
            else
                self->m_callback(page.error());
        });
    }

private:
    void take(ResultPage page)
    {
        m_page.total = page.total;
        m_read = std::move(page);
        if (!m_query.filter.narrows()) {
            sifted(m_read.results.size(), m_read.results);
            return;
        }
        QList<JobId> ids;
        for (const KeptResult &result : std::as_const(m_read.results))
            ids.append(result.id);
        m_jobs = {};
        m_jobs.now_ms = m_read.now_ms;
        readJobs(std::move(ids));
    }

    // Long arguments may end the answer early, so the jobs after its last one are asked for again.
    void readJobs(QList<JobId> ids)
    {
        if (ids.isEmpty()) {
            sift();
            return;
        }
        m_store.rows(ids, PageDetail::Whole, [self = shared_from_this(), ids](Result<QList<Job>> rows) {
            if (!rows.ok()) {
                self->m_callback(rows.error());
                return;
            }
            self->m_jobs.jobs += *rows;
            self->readJobs(rows->isEmpty() ? QList<JobId>() : ids.sliced(ids.indexOf(rows->last().id) + 1));
        });
    }

    void sift()
    {
        m_jobs.orders.fill(0, m_jobs.jobs.size());
        const qsizetype room = m_query.limit - m_page.results.size();
        const JobFilter::Sifted sieve = m_query.filter.sift(m_jobs, room, m_evaluation);
        QSet<JobId> passed;
        for (const Job &job : sieve.passed)
            passed.insert(job.id);
        // Results of purged jobs have been looked at when the jobs around them have.
        const JobId last = sieve.all ? JobId() : m_jobs.jobs[sieve.looked - 1].id;
        QList<KeptResult> found;
        qsizetype looked = 0;
        for (const KeptResult &result : std::as_const(m_read.results)) {
            ++looked;
            if (passed.contains(result.id))
                found.append(result);
            if (!sieve.all && result.id == last)
                break;
        }
        sifted(looked, found);
    }

    void sifted(qsizetype looked, const QList<KeptResult> &found)
    {
        m_page.results += found;
        m_page.scanned += looked;
        if (looked > 0)
            m_request.after = {m_read.results[looked - 1].expiresAt_ms, m_read.results[looked - 1].id};
        const bool last = m_read.end && looked == m_read.results.size();
        const bool enough = m_page.results.size() >= m_query.limit || m_page.scanned >= limits::page_scan_max
            || Clock::monotonic_ms() >= m_until_ms;
        if (!last && !enough) {
            next();
            return;
        }
        if (!last && m_request.after)
            m_page.next = cursorText(double(m_request.after->first), m_request.after->second.text());
        m_callback(std::move(m_page));
    }

    PastStore &m_past;
    Store &m_store;
    Lookback::ResultsQuery m_query;
    ResultsRequest m_request;
    Callback<ResultPage> m_callback;
    ResultPage m_page;
    ResultPage m_read;             // the store's page under way …
    Page m_jobs;                   // … and its jobs
    cel::Evaluation m_evaluation;
    qint64 m_until_ms = Clock::monotonic_ms() + qint64(limits::page_scan_s_max * 1000);
};

// Makes the callback of a call for one job: it passes on the only item.
Callback<Removed> ofOne(Queue &queue, QObject *context, Callback<StateNow> callback)
{
    return [&queue, guard = QPointer<QObject>(context), callback = std::move(callback)](Result<Removed> removed) {
        if (!removed.ok()) {
            callback(removed.error());
            return;
        }
        if (guard) {
            Swept changed;
            changed.readyNames = removed->hints.readyNames;
            changed.finished = removed->hints.finished;
            queue.noteSwept(changed);
        }
        callback(removed->items.first());
    };
}

} // namespace

Lookback::Lookback(PastStore &past, Store &store, Queue &queue, QObject *parent)
    : QObject(parent)
    , m_past(past)
    , m_store(store)
    , m_queue(queue)
{
}

void Lookback::later(std::function<void()> function)
{
    QMetaObject::invokeMethod(this, std::move(function), Qt::QueuedConnection);
}

void Lookback::groups(GroupsQuery query, Callback<FailureList> callback)
{
    GroupsRequest request;
    request.period_s = query.period_s;
    if (!query.cursor.isEmpty()) {
        const auto cursor = cursorOf(query.cursor);
        if (!cursor) {
            later([callback = std::move(callback)] { callback(badCursor()); });
            return;
        }
        request.after = {qint64(cursor->first), cursor->second};
    }
    const auto list = std::make_shared<FailureList>();
    const auto evaluation = std::make_shared<cel::Evaluation>();
    const auto take = [list, query, evaluation](const FailureGroup &group) {
        if (!query.filter.passes(group, *evaluation))
            return true;
        if (list->groups.size() == query.limit) {
            const FailureGroup &last = list->groups.last();
            list->next = cursorText(double(last.lastAt_ms), last.signature);
            return false;
        }
        list->groups.append(group);
        return true;
    };
    std::make_shared<GroupWalk>(m_past, std::move(request), take, [list, callback = std::move(callback)](Result<bool> done) {
        done.ok() ? callback(std::move(*list)) : callback(done.error());
    })->next();
}

void Lookback::sums(qint64 period_s, GroupFilter filter, SumBy by, Callback<FailureList> callback)
{
    GroupsRequest request;
    request.period_s = period_s;
    request.workerTrends = by == SumBy::Worker;
    const auto found = std::make_shared<QHash<QByteArray, FailureSum>>();
    const auto evaluation = std::make_shared<cel::Evaluation>();
    const auto take = [found, filter = std::move(filter), by, evaluation](const FailureGroup &group) {
        if (!filter.passes(group, *evaluation))
            return true;
        if (by == SumBy::Worker)
            addByWorker(*found, group);
        else
            add((*found)[by == SumBy::Name ? group.name : group.reason], group);
        return true;
    };
    std::make_shared<GroupWalk>(m_past, std::move(request), take, [found, callback = std::move(callback)](Result<bool> all) {
        if (!all.ok()) {
            callback(all.error());
            return;
        }
        FailureList sums;
        sums.complete = *all;
        for (auto next = found->begin(); next != found->end(); ++next) {
            next->key = next.key();
            sums.sums.append(*next);
        }
        std::sort(sums.sums.begin(), sums.sums.end(), [](const FailureSum &a, const FailureSum &b) {
            return a.count > b.count || (a.count == b.count && a.key < b.key);
        });
        callback(std::move(sums));
    })->next();
}

void Lookback::group(QByteArray signature, qint64 period_s, int limit, QByteArray cursor, Callback<FailurePage> callback)
{
    JobsQuery query{JobSet::FailedInGroup, signature, {}, limit, std::move(cursor)};
    m_past.group(signature, period_s,
        [query, callback = std::move(callback), self = QPointer<Lookback>(this)](const Result<FailureGroup> &group) mutable {
            if (!group.ok()) {
                callback(group.error());
                return;
            }
            if (!self)
                return;
            self->jobs(std::move(query), [group, callback = std::move(callback)](Result<JobPage> page) {
                if (page.ok())
                    callback(FailurePage{*group, std::move(page->jobs), page->coverage.total, page->next});
                else
                    callback(page.error());
            });
        });
}

void Lookback::changeGroup(QByteArray signature, FailureGroupChange change, Callback<FailureGroup> callback)
{
    m_past.changeGroup(signature, change,
        [signature, callback = std::move(callback), self = QPointer<Lookback>(this)](const Result<Done> &done) mutable {
            if (!done.ok())
                callback(done.error());
            else if (self)
                self->m_past.group(signature, 86'400, std::move(callback));
        });
}

void Lookback::stats(StatisticsRequest request, Callback<StatsPage> callback)
{
    m_past.statistics(std::move(request), [callback = std::move(callback)](const Result<DistributionPage> &page) {
        if (!page.ok()) {
            callback(page.error());
            return;
        }
        StatsPage stats{QDate(1970, 1, 1).addDays(page->day).toString(Qt::ISODate).toLatin1(), {}, {}};
        for (const NameDistributions &name : page->names)
            stats.names.append({name.name, Measure::of(name.wait), Measure::of(name.run), name.failures, name.retries, name.expiries});
        if (!page->end && !page->names.isEmpty())
            stats.next = page->names.last().name;
        callback(std::move(stats));
    });
}

void Lookback::jobs(JobsQuery query, Callback<JobPage> callback)
{
    SetPageRequest request;
    request.set = query.set;
    request.signature = query.signature;
    request.limit = query.filter.narrows() ? JobFilter::together : query.limit;
    request.detail = query.filter.detail() == PageDetail::Listed ? PageDetail::Listed : PageDetail::Whole;
    if (!query.cursor.isEmpty()) {
        request.after = jobCursorOf(query.cursor);
        if (!request.after) {
            later([callback = std::move(callback)] { callback(badCursor()); });
            return;
        }
    }
    std::make_shared<SetListing>(m_past, m_store, std::move(query), std::move(request), std::move(callback))->next();
}

void Lookback::retryGroup(QByteArray signature, int jobs_max, QByteArray cursor, QByteArray by,
    Callback<GroupRetried> callback)
{
    SetPageRequest request{.set = JobSet::FailedInGroup, .signature = signature};
    if (!cursor.isEmpty()) {
        request.after = jobCursorOf(cursor);
        if (!request.after) {
            later([callback = std::move(callback)] { callback(badCursor()); });
            return;
        }
    }
    m_past.group(signature, 3'600,
        [self = QPointer<Lookback>(this), request, jobs_max, by, callback = std::move(callback)](Result<FailureGroup> group) mutable {
            if (!group.ok())
                callback(group.error());
            else if (self)
                std::make_shared<Retrying>(self->m_past, self->m_queue, std::move(request), jobs_max, by, std::move(callback))->next();
        });
}

void Lookback::results(ResultsQuery query, Callback<ResultPage> callback)
{
    ResultsRequest request;
    request.limit = query.filter.narrows() ? JobFilter::together : query.limit;
    if (!query.cursor.isEmpty()) {
        const auto after = jobCursorOf(query.cursor);
        if (!after) {
            later([callback = std::move(callback)] { callback(badCursor()); });
            return;
        }
        request.after = {qint64(after->first), after->second};
    }
    std::make_shared<ResultListing>(m_past, m_store, std::move(query), request, std::move(callback))->next();
}

void Lookback::extendResult(JobId id, qint64 ttl_ms, Callback<KeptResult> callback)
{
    m_past.extendResult(
        id, ttl_ms, [id, callback = std::move(callback), self = QPointer<Lookback>(this)](const Result<Done> &done) mutable {
            if (!done.ok())
                callback(done.error());
            else if (self)
                self->m_past.result(id, std::move(callback));
        });
}

void Lookback::changeRetention(RetentionChange change, Callback<RetentionChanged> callback)
{
    m_retentionChanges.append({std::move(change), std::move(callback)});
    if (m_retentionChanges.size() == 1)
        beginRetentionChange();
}

void Lookback::beginRetentionChange()
{
    const auto ended = [self = QPointer<Lookback>(this)](const Result<RetentionChanged> &result) {
        if (self)
            self->endRetentionChange(result);
    };
    const auto change = [this, ended] {
        const RetentionChange &wanted = m_retentionChanges.first().first;
        if (wanted.settings)
            m_past.setRetention(wanted.name, *wanted.settings, ended);
        else
            m_past.clearRetention(wanted.name, ended);
    };
    if (!m_retentionChanges.first().first.isExpected) {
        change();
        return;
    }
    m_past.retention([self = QPointer<Lookback>(this), change, ended](const Result<RetentionSettings> &now) {
        if (!self)
            return;
        if (!now.ok())
            ended(now.error());
        else if (!self->m_retentionChanges.first().first.isExpected(*now))
            ended(reasons::retentionChanged());
        else
            change();
    });
}

void Lookback::endRetentionChange(const Result<RetentionChanged> &result)
{
    const Callback<RetentionChanged> callback = m_retentionChanges.takeFirst().second;
    if (!m_retentionChanges.isEmpty())
        beginRetentionChange();
    callback(result);
}

void Lookback::remove(JobId id, QByteArray by, Callback<StateNow> callback)
{
    m_past.remove({id}, std::move(by), ofOne(m_queue, this, std::move(callback)));
}

void Lookback::restore(JobId id, QByteArray by, Callback<StateNow> callback)
{
    m_past.restore({id}, std::move(by), ofOne(m_queue, this, std::move(callback)));
}

void Lookback::duplicate(JobId id, QByteArray pusher, Callback<Enqueued> callback)
{
    m_store.get(id, [self = QPointer<Lookback>(this), pusher = std::move(pusher), callback = std::move(callback)](Result<Job> job) mutable {
        if (!job.ok()) {
            callback(job.error());
            return;
        }
        if (!self)
            return;
        JobSpec spec = job->spec;
        spec.idempotencyKey.clear();
        spec.unique.reset();
        self->m_queue.enqueue(std::move(spec), std::move(pusher), std::move(callback));
    });
}

} // namespace junban
