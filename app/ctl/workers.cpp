// Who runs jobs.
#include "app/ctl/asking.h"
#include "app/ctl/paging.h"
#include "app/ctl/verbs.h"
#include "core/jobs/worker.h"

namespace junban::app {

namespace {

using Known = junban::Worker; // worker.h has another one, which works

QByteArray durationOrNothing(const std::optional<qint64> &ms)
{
    return ms ? QByteArray::number(double(*ms) / 1000) + " s" : QByteArray();
}

QByteArray loadText(const Known &worker)
{
    const QByteArray running = QByteArray::number(worker.running);
    return worker.slots ? running + '/' + QByteArray::number(*worker.slots) : running;
}

constexpr Column<Known> listColumns[] = {
    {"worker", [](const Known &worker) { return worker.worker; }},
    {"kind", [](const Known &worker) { return QByteArray(workerKindWords[size_t(worker.kind)]); }},
    {"state", [](const Known &worker) { return QByteArray(workerStateWords[size_t(worker.state)]); }},
    {"running", loadText},
    {"succeeded", [](const Known &worker) { return QByteArray::number(worker.succeeded); }},
    {"failed", [](const Known &worker) { return QByteArray::number(worker.failed); }},
    {"p50", [](const Known &worker) { return durationOrNothing(worker.p50_ms); }},
    {"p95", [](const Known &worker) { return durationOrNothing(worker.p95_ms); }},
    {"last contact", [](const Known &worker) { return timeText(worker.lastContact_ms); }},
    {"names", [](const Known &worker) { return worker.told.names.isEmpty() ? QByteArray("all") : worker.told.names.join(' '); }},
    {"labels", [](const Known &worker) { return worker.told.labels.join(' '); }},
    {"version", [](const Known &worker) { return worker.told.version; }},
    {"trouble", [](const Known &worker) { return worker.trouble.text; }},
};

struct Steered {
    QByteArray worker;
};
constexpr Field steeredFields[] = {field::text<&Steered::worker>("worker")};
constexpr TableOf<Steered> steeredTable{nullptr, steeredFields};

QByteArray workerOf(Flags &flags)
{
    return flags.word("WORKER", "The worker's name, as the list shows it.");
}

Callback<Done> saying(Session &session, const QByteArray &worker, const char *what)
{
    return [&session, worker, what](const Result<Done> &done) {
        const Result<Steered> steered = done.ok() ? Result<Steered>(Steered{worker}) : done.error();
        session.finish(steered, steeredTable, [what](const Steered &its) { return forTerminal(its.worker) + what + '\n'; });
    };
}

} // namespace

void workers(Session &session, Flags &flags)
{
    const int limit = rowsOf(flags);
    if (!flags.ready())
        return;
    const Paging<WorkerPage, Known> paging{&WorkerPage::workers, limits::page_rows_max,
        [&session](int rows, const QByteArray &after, auto callback) { session.client().workers(rows, after, std::move(callback)); }};
    showList(session, paging, limit, workerPageTable, [](const WorkerPage &all) { return table(listColumns, all.workers); });
}

void workersDrain(Session &session, Flags &flags)
{
    const QByteArray worker = workerOf(flags);
    if (flags.ready())
        session.client().drainWorker(worker, saying(session, worker, " gets no more jobs"));
}

void workersResume(Session &session, Flags &flags)
{
    const QByteArray worker = workerOf(flags);
    if (flags.ready())
        session.client().resumeWorker(worker, saying(session, worker, " gets jobs again"));
}

void workersForget(Session &session, Flags &flags)
{
    const QByteArray worker = workerOf(flags);
    if (isAgreed(session, flags, "Forget the worker " + worker))
        session.client().deleteWorker(worker, saying(session, worker, " is forgotten"));
}

} // namespace junban::app
