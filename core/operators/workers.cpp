#include "core/operators/workers.h"

#include "core/base/durations.h"
#include "core/limits.h"

#include <QPointer>
#include <QRandomGenerator>
#include <utility>

namespace junban {

Workers::Workers(WorkerStore &store, QObject *parent)
    : QObject(parent)
    , m_store(store)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] { look(); });
}

void Workers::setWatches(LeaseWatch *leases, FailureTally *failures)
{
    m_leases = leases;
    m_failures = failures;
}

void Workers::start()
{
    m_running = true;
    look();
}

void Workers::stop()
{
    m_running = false;
    m_timer.stop();
    write();
}

WorkerStore::News &Workers::newsOf(const QByteArray &worker)
{
    WorkerStore::News &news = m_news[worker];
    if (news.worker.isEmpty())
        news.worker = worker;
    return news;
}

void Workers::heard(const QByteArray &worker)
{
    newsOf(worker).heard = true;
}

void Workers::heard(const QByteArray &worker, const WorkerTold &told)
{
    WorkerStore::News &news = newsOf(worker);
    news.heard = true;
    WorkerTold &before = m_told[worker];
    if (before != told || news.told)
        news.told = told;
    before = told;
}

void Workers::ended(const QByteArray &worker, bool success, qint64 ran_ms)
{
    WorkerStore::News &news = newsOf(worker);
    news.heard = true;
    ++(success ? news.succeeded : news.failed);
    if (news.runs_ms.size() == limits::worker_runs_kept)
        news.runs_ms.removeFirst();
    news.runs_ms.append(ran_ms);
    Q_EMIT freed(worker);
}

void Workers::failed(const QByteArray &worker, const Reason &trouble)
{
    newsOf(worker).trouble = trouble;
}

const WorkerStore::Steered *Workers::steered(const QByteArray &worker) const
{
    const auto found = m_steered.constFind(worker);
    return found == m_steered.cend() ? nullptr : &*found;
}

bool Workers::isDraining(const QByteArray &worker) const
{
    const WorkerStore::Steered *its = steered(worker);
    return its && its->draining;
}

QList<WorkerStore::Steered> Workers::served() const
{
    QList<WorkerStore::Steered> all;
    for (const WorkerStore::Steered &each : m_steered) {
        if (each.registration)
            all.append(each);
    }
    return all;
}

void Workers::list(int limit, QByteArray after, Callback<WorkerPage> callback)
{
    write(); // so that the caller sees what this engine has heard
    const auto listed = [this, callback = std::move(callback), self = QPointer<Workers>(this)](Result<WorkerStore::Page> page) {
        if (!self)
            return;
        if (!page.ok()) {
            callback(page.error());
            return;
        }
        WorkerPage answer{std::move(page->workers), {}, page->complete};
        for (Worker &worker : answer.workers)
            judge(worker, page->now_ms);
        if (!page->end && !answer.workers.isEmpty())
            answer.next = answer.workers.last().worker;
        if (!m_failures) {
            callback(std::move(answer));
            return;
        }
        m_failures->sums([answer, callback](const Result<FailureTally::Sums> &sums) mutable {
            if (!sums.ok()) {
                callback(sums.error());
                return;
            }
            for (Worker &worker : answer.workers)
                worker.failed += sums->timedOut.value(worker.worker);
            callback(std::move(answer));
        });
    };
    m_store.list(limit, std::move(after), listed);
}

// A worker of which nothing was heard since one of its leases ran out is late, and lost when it has no other job.
void Workers::judge(Worker &worker, qint64 now_ms) const
{
    const bool silent = now_ms - worker.lastContact_ms > qint64(limits::worker_lost_s * second_ms);
    const bool late = m_leases && m_leases->ranOutAt_ms(worker.worker) > worker.lastContact_ms;
    // A worker that is called has answered none of the calls since.
    if (worker.kind == WorkerKind::Served && worker.state == WorkerState::Up && worker.troubleAt_ms > worker.lastContact_ms)
        worker.state = WorkerState::Unreachable;
    if ((silent && (worker.kind == WorkerKind::Served || worker.running == 0)) || (late && worker.running == 0))
        worker.state = WorkerState::Lost;
    else if (late)
        worker.state = WorkerState::Late;
}

void Workers::steer(WorkerStore::Steer steer, Callback<Done> callback)
{
    const QByteArray worker = steer.worker;
    const bool deletes = steer.verb == WorkerStore::Verb::Delete;
    m_store.steer(std::move(steer),
        [this, worker, deletes, callback = std::move(callback), self = QPointer<Workers>(this)](const Result<Done> &done) {
            if (!self)
                return;
            if (!done.ok()) {
                callback(done.error());
                return;
            }
            if (deletes)
                m_told.remove(worker);
            refresh([callback] { callback(Done{}); });
        });
}

void Workers::look()
{
    write();
    if (m_leases)
        m_leases->look();
    refresh([this] {
        if (m_running)
            m_timer.start(limits::workers_look_ms + QRandomGenerator::global()->bounded(limits::sweep_jitter_ms));
    });
}

void Workers::write()
{
    const QHash<QByteArray, WorkerStore::News> all = std::exchange(m_news, {});
    QList<WorkerStore::News> some;
    const auto send = [&] {
        if (!some.isEmpty())
            m_store.note(std::exchange(some, {}), [](const Result<Done> &) { /* counts of a second may be lost with Redis */ });
    };
    for (const WorkerStore::News &news : all) {
        some.append(news);
        if (some.size() == limits::script_items_max)
            send();
    }
    send();
    if (m_told.size() > limits::workers_max)
        m_told.clear();
}

void Workers::refresh(std::function<void()> then)
{
    m_store.steered(m_version, [this, then = std::move(then), self = QPointer<Workers>(this)](const Result<WorkerStore::AllSteered> &all) {
        if (!self)
            return;
        if (all.ok() && all->version != m_version) {
            m_version = all->version;
            m_steered.clear();
            for (const WorkerStore::Steered &each : all->workers)
                m_steered.insert(each.worker, each);
            Q_EMIT changed();
        }
        then();
    });
}

} // namespace junban
