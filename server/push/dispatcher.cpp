#include "server/push/dispatcher.h"

#include "core/base/durations.h"
#include "core/base/isotime.h"
#include "core/base/reasons/workers.h"
#include "core/limits.h"
#include "server/push/runanswer.h"

#include <QRandomGenerator>
#include <algorithm>
#include <utility>

namespace junban::push {

namespace {


} // namespace

Dispatcher::Dispatcher(Queue &queue, Workers &workers, Tokens &tokens, Clock &clock, CallOptions options, QObject *parent)
    : QObject(parent)
    , m_queue(queue)
    , m_workers(workers)
    , m_tokens(tokens)
    , m_clock(clock)
    , m_options(std::move(options))
{
    connect(&m_workers, &Workers::changed, this, [this] { follow(); });
    connect(&m_workers, &Workers::freed, this, [this](const QByteArray &worker) { fill(worker); });
    m_beat.setInterval(limits::worker_beat_ms);
    connect(&m_beat, &QTimer::timeout, this, [this] { beat(); });
}

Dispatcher::~Dispatcher() = default;

void Dispatcher::start()
{
    m_running = true;
    m_beat.start();
    follow();
}

void Dispatcher::stop(std::function<void()> idle)
{
    m_running = false;
    m_idle = std::move(idle);
    for (auto &[worker, line] : m_lines)
        m_queue.giveUp(line.wait);
    tellIdle();
}

Dispatcher::Line *Dispatcher::lineOf(const QByteArray &worker)
{
    const auto found = m_lines.find(worker);
    return found == m_lines.end() ? nullptr : &found->second;
}

// Takes over what was registered, changed or deleted.
void Dispatcher::follow()
{
    for (auto &[worker, line] : m_lines) {
        const WorkerStore::Steered *its = m_workers.steered(worker);
        const bool same = its && its->registration == line.its.registration && its->draining == line.its.draining;
        if (!same)
            m_queue.giveUp(line.wait); // its claim is for what was registered before
        if (!its || !its->registration)
            line.its.draining = true;
    }
    const QList<WorkerStore::Steered> served = m_workers.served();
    for (const WorkerStore::Steered &its : served) {
        Line &line = m_lines[its.worker];
        if (line.its.registration != its.registration)
            line.rest_ms = 0;
        line.its = its;
        fill(its.worker);
    }
    std::erase_if(m_lines, [this](const auto &each) {
        return each.second.runs.empty() && !each.second.claiming && !m_workers.steered(each.first);
    });
}

bool Dispatcher::mayCall(const Line &line) const
{
    return line.its.token.isEmpty() || m_tokens.isInForce(line.its.token);
}

void Dispatcher::fill(const QByteArray &worker)
{
    Line *line = lineOf(worker);
    if (!m_running || !line || line->claiming || line->resting || line->its.draining || !line->its.registration)
        return;
    const auto open = std::count_if(line->runs.begin(), line->runs.end(), [](const auto &run) { return !run.second.call.isNull(); });
    const qint64 free = line->its.registration->slots - open;
    if (free <= 0)
        return;
    if (!mayCall(*line)) {
        rest(worker, reasons::workerTokenEnded(), {});
        return;
    }
    const WorkerRegistration &its = *line->its.registration;
    line->claiming = true;
    const ClaimRequest request{
        worker, its.names, int(std::min<qint64>(free, limits::claim_limit_max)), its.lease_ms, line->its.token, true};
    line->wait = m_queue.claim(request, qint64(limits::claim_wait_s_max * second_ms),
        [this, worker, self = QPointer<Dispatcher>(this)](const Result<Claimed> &got) {
            if (self)
                claimed(worker, got);
        });
}

void Dispatcher::claimed(const QByteArray &worker, const Result<Claimed> &claimed)
{
    Line &line = *lineOf(worker);
    line.claiming = false;
    line.wait = 0;
    if (!claimed.ok() && claimed.error().code != ErrorCode::Cancelled) {
        fillIn(worker, limits::sweep_ms);
        return;
    }
    if (claimed.ok() && claimed->full) {
        fillIn(worker, limits::worker_backoff_ms_min);
        return;
    }
    if (claimed.ok()) {
        for (const ClaimedJob &job : claimed->jobs)
            run(worker, job);
    }
    fill(worker);
}

void Dispatcher::fillIn(const QByteArray &worker, int ms)
{
    QTimer::singleShot(ms, this, [this, worker] { fill(worker); });
}

HttpCall *Dispatcher::call(const Line &line, CallRequest request, qint64 deadline_ms, HttpCall::Ended ended)
{
    const QUrl url(QString::fromUtf8(line.its.registration->url));
    return new HttpCall(m_options, url, std::move(request), deadline_ms, std::move(ended), this);
}

void Dispatcher::run(const QByteArray &worker, ClaimedJob job)
{
    Line &line = *lineOf(worker);
    const RunKey key(job.id, job.lease);
    if (!m_running || line.its.draining || !mayCall(line)) {
        giveBack(job, true);
        return;
    }
    const qint64 left_ms = std::max<qint64>(job.deadline_ms - m_clock.now_ms(), 1);
    CallRequest request = runRequest(job, *line.its.registration, m_clock.now_ms() / second_ms);
    Run &its = line.runs[key];
    its = {std::move(job), {}, Clock::monotonic_ms()};
    its.call = call(line, std::move(request), left_ms, [this, worker, key](Fate fate, const HttpAnswer &answer, const Reason &trouble) {
        answered(worker, key, fate, answer, trouble);
    });
}

void Dispatcher::answered(const QByteArray &worker, const RunKey &key, Fate fate, const HttpAnswer &answer, const Reason &trouble)
{
    Line &line = *lineOf(worker);
    Run &its = line.runs.at(key);
    its.call = nullptr;
    const ClaimedJob job = its.job;
    const RunAnswer means = runAnswerOf(fate, answer, trouble, isoTime(m_clock.now_ms()));
    if (fate == Fate::Answered)
        m_workers.heard(worker);
    if (means.means == RunAnswer::Means::Accepted || means.means == RunAnswer::Means::Reported)
        line.rest_ms = 0;
    switch (means.means) {
    case RunAnswer::Means::Accepted:
        fill(worker);
        return; // beat() finds out when it has ended
    case RunAnswer::Means::Reported:
        if (!means.trouble.isEmpty())
            m_workers.failed(worker, means.trouble);
        report(worker, job, *means.outcome);
        break;
    case RunAnswer::Means::Busy:
    case RunAnswer::Means::Refused:
        giveBack(job, means.means == RunAnswer::Means::Busy);
        rest(worker, means.trouble, answer.retryAfter_ms());
        break;
    case RunAnswer::Means::Unknown:
        rest(worker, means.trouble, {});
        break;
    }
    ended(worker, key);
}

// The call is over; there is a place for another one.
void Dispatcher::ended(const QByteArray &worker, const RunKey &key)
{
    lineOf(worker)->runs.erase(key);
    fill(worker);
    tellIdle();
}

// A report that the store did not take is sent again as long as it can count.
void Dispatcher::report(const QByteArray &worker, const ClaimedJob &job, const Outcome &outcome)
{
    const FinishItem item{job.id, job.lease, outcome, Queue::drawJitter()};
    m_queue.finish({item}, {}, 0, [this, worker, job, outcome, self = QPointer<Dispatcher>(this)](const Result<OutcomesReply> &reply) {
        if (!self)
            return;
        const Result<Finished> finished = reply.ok() ? reply->results.first() : reply.error();
        if (finished.ok() && !finished->worker.isEmpty())
            m_workers.ended(worker, outcome.type == OutcomeType::Success, finished->ran_ms);
        const bool again = !finished.ok() && finished.error().code == ErrorCode::StoreUnavailable;
        if (again && m_clock.now_ms() < job.deadline_ms)
            QTimer::singleShot(limits::sweep_ms, this, [this, worker, job, outcome] { report(worker, job, outcome); });
    });
}

void Dispatcher::giveBack(const ClaimedJob &job, bool untouched)
{
    m_queue.release({{job.id, job.lease, 0, Queue::drawJitter(), untouched}},
        [](const auto &) { /* a lease that nobody renews expires all the same */ });
}

// The worker gets nothing for a while, and then is asked how it is.
void Dispatcher::rest(const QByteArray &worker, const Reason &trouble, std::optional<qint64> wanted_ms)
{
    m_workers.failed(worker, trouble);
    Line &line = *lineOf(worker);
    if (std::exchange(line.resting, true))
        return;
    m_queue.giveUp(line.wait);
    line.rest_ms = std::clamp(2 * line.rest_ms, limits::worker_backoff_ms_min, limits::worker_backoff_ms_max);
    const int ms = std::max(line.rest_ms, int(wanted_ms.value_or(0)));
    QTimer::singleShot(ms + QRandomGenerator::global()->bounded(limits::sweep_jitter_ms), this, [this, worker] {
        if (lineOf(worker))
            askHealth(worker);
    });
}

void Dispatcher::askHealth(const QByteArray &worker)
{
    Line &line = *lineOf(worker);
    line.healthAt_ms = Clock::monotonic_ms() + limits::worker_health_ms;
    if (!m_running || !line.its.registration)
        return;
    if (!mayCall(line)) {
        line.resting = false;
        rest(worker, reasons::workerTokenEnded(), {});
        return;
    }
    const bool rested = line.resting;
    call(line, healthRequest(*line.its.registration, m_clock.now_ms() / second_ms), limits::worker_health_deadline_ms,
        [this, worker, rested](Fate fate, const HttpAnswer &answer, const Reason &trouble) {
            Line *its = lineOf(worker);
            if (!its || its->resting != rested)
                return; // it was sent to rest meanwhile, and is asked again when that is over
            const bool well = fate == Fate::Answered && answer.status() == 200;
            its->resting = false;
            if (!well) {
                rest(worker, fate == Fate::Answered ? reasons::workerUnhealthy(answer.status()) : trouble, {});
                return;
            }
            m_workers.heard(worker);
            fill(worker);
        });
}

// Renews the leases of what runs, and so learns what is to be cancelled and what has ended.
void Dispatcher::beat()
{
    const qint64 now_ms = Clock::monotonic_ms();
    QList<HeartbeatItem> items;
    QList<QByteArray> workers;
    for (auto &[worker, line] : m_lines) {
        for (const auto &[key, its] : line.runs) {
            // Who accepted a job for a lease of its own length renews that by itself.
            if (now_ms - its.since_ms < limits::worker_beat_ms || (!its.call && line.its.registration->lease_ms > 0))
                continue;
            items.append({key.first, key.second, {}});
            workers.append(worker);
        }
        std::erase_if(line.runs, [&line](const auto &each) { return !each.second.call && line.its.registration->lease_ms > 0; });
        if (!line.resting && !line.its.draining && now_ms >= line.healthAt_ms && m_running) {
            if (line.healthAt_ms > 0)
                askHealth(worker);
            else
                line.healthAt_ms = now_ms + limits::worker_health_ms / 2;
        }
    }
    if (items.isEmpty())
        return;
    m_queue.heartbeat(items, [this, items, workers, self = QPointer<Dispatcher>(this)](const Result<QList<Result<Heartbeat>>> &beats) {
        for (qsizetype i = 0; self && beats.ok() && i < items.size(); ++i)
            beaten(workers[i], {items[i].id, items[i].lease}, (*beats)[i]);
    });
}

void Dispatcher::beaten(const QByteArray &worker, const RunKey &key, const Result<Heartbeat> &heartbeat)
{
    Line *line = lineOf(worker);
    const auto found = line ? line->runs.find(key) : decltype(line->runs.find(key)){};
    if (!line || found == line->runs.end())
        return;
    Run &its = found->second;
    if (heartbeat.ok()) {
        if (heartbeat->cancel && !std::exchange(its.cancelSent, true))
            forwardCancel(*line, its.job);
        return;
    }
    const bool lost = heartbeat.error().code == ErrorCode::LeaseLost || heartbeat.error().code == ErrorCode::NotFound;
    if (!lost)
        return;
    if (its.call) {
        delete its.call; // what it would answer does not count any more
        forwardCancel(*line, its.job);
    }
    ended(worker, key);
}

void Dispatcher::forwardCancel(const Line &line, const ClaimedJob &job)
{
    call(line, cancelRequest(job, *line.its.registration, m_clock.now_ms() / second_ms), limits::worker_health_deadline_ms,
        [](Fate, const HttpAnswer &, const Reason &) { /* the worker may be late: the lease decides */ });
}

void Dispatcher::tellIdle()
{
    const auto isBusy = [](const auto &each) {
        return std::any_of(each.second.runs.begin(), each.second.runs.end(), [](const auto &run) { return !run.second.call.isNull(); });
    };
    if (m_idle && std::none_of(m_lines.begin(), m_lines.end(), isBusy))
        QMetaObject::invokeMethod(this, std::exchange(m_idle, {}), Qt::QueuedConnection);
}

} // namespace junban::push
