#include "core/redis/redisworkers.h"

#include "core/base/reasons/store.h"
#include "core/limits.h"
#include "core/msgpack/reasonfields.h"
#include "core/redis/caller.h"
#include "core/redis/numbers.h"

#include <QtEndian>
#include <algorithm>

namespace junban::redis {

namespace {

const QByteArray nobody = "workers"; // no hint follows a change of them

// Four bytes each; a longer run counts as the longest that fits.
QByteArray packedRuns(const QList<qint64> &runs_ms)
{
    QByteArray bytes(4 * runs_ms.size(), Qt::Uninitialized);
    for (qsizetype i = 0; i < runs_ms.size(); ++i)
        qToLittleEndian(quint32(std::clamp<qint64>(runs_ms[i], 0, std::numeric_limits<quint32>::max())), bytes.data() + 4 * i);
    return bytes;
}

// The run that this share of the runs does not exceed.
std::optional<qint64> percentile(QList<quint32> runs, double share)
{
    if (runs.isEmpty())
        return {};
    const auto place = runs.begin() + qsizetype(double(runs.size() - 1) * share + 0.5);
    std::nth_element(runs.begin(), place, runs.end());
    return *place;
}

// Older masters wrote the sentence alone.
Reason troubleIn(QByteArrayView kept)
{
    const Result<Reason> packed = unpackAnswer(reasonWithDetailTable, kept);
    return packed.ok() && !packed->isEmpty() ? *packed : Reason{QByteArray(), {}, kept.toByteArray()};
}

Worker workerOf(const Reply &row)
{
    Worker worker;
    worker.worker = row[0].bytes();
    if (const Result<WorkerTold> told = unpackAnswer(workerToldTable, row[1].view()); told.ok())
        worker.told = *told;
    worker.firstSeen_ms = row[2].bytes().toLongLong();
    worker.lastContact_ms = row[3].bytes().toLongLong();
    worker.succeeded = row[4].bytes().toLongLong();
    worker.failed = row[5].bytes().toLongLong();
    const QByteArray packed = row[6].bytes();
    QList<quint32> runs(packed.size() / 4);
    for (qsizetype i = 0; i < runs.size(); ++i)
        runs[i] = qFromLittleEndian<quint32>(packed.constData() + 4 * i);
    worker.p50_ms = percentile(runs, 0.5);
    worker.p95_ms = percentile(runs, 0.95);
    worker.trouble = troubleIn(row[7].view());
    worker.troubleAt_ms = row[8].bytes().toLongLong();
    if (const Result<WorkerRegistration> its = unpackAnswer(newWorkerTable, row[9].view()); !row[9].view().isEmpty() && its.ok()) {
        worker.kind = WorkerKind::Served;
        worker.told = {its->names, its->labels, its->version};
        worker.url = its->url;
        worker.slots = its->slots;
        worker.isSigned = !its->secret.isEmpty();
    }
    worker.state = row[10].view().isEmpty() ? WorkerState::Up : WorkerState::Draining;
    worker.running = row[11].integer();
    for (qsizetype i = 0; i < row[12].size(); ++i)
        worker.jobs.append(JobId::fromBytes(row[12][i].view()).value_or(JobId()));
    return worker;
}

Result<Done> steeredOf(const Reply &reply)
{
    const QByteArray word = reply[2].bytes();
    if (word == "OK")
        return Done{};
    if (word == "NOT_FOUND")
        return reasons::workerNotFound();
    if (word == "OTHER")
        return reasons::workerOfAnother();
    if (word == "FULL")
        return reasons::workersTooMany(limits::steered_workers_max);
    return reasons::storeAnswered(word);
}

const char *verbWord(WorkerStore::Verb verb)
{
    static constexpr const char *words[] = {"register", "delete", "drain", "resume"};
    return words[size_t(verb)];
}

} // namespace

class RedisWorkers::Private : public Caller
{
public:
    Private(Link &commands, const QByteArray &namespaceName, Clock &theClock, ScriptClock scriptClock)
        : Caller(commands, namespaceName, theClock, "workers")
        , noteScript(makeScript("note_workers", scriptClock))
        , listScript(makeScript("workers", scriptClock))
        , steeredScript(makeScript("steered_workers", scriptClock))
        , steerScript(makeScript("steer_worker", scriptClock))
    {
    }

    Script noteScript, listScript, steeredScript, steerScript;
};

RedisWorkers::RedisWorkers(Link &commands, const QByteArray &namespaceName, Clock &clock, ScriptClock scriptClock)
    : d(std::make_unique<Private>(commands, namespaceName, clock, scriptClock))
{
}

RedisWorkers::~RedisWorkers() = default;

void RedisWorkers::note(QList<News> news, Callback<Done> callback)
{
    QList<QByteArray> arguments{nobody};
    for (const News &each : std::as_const(news)) {
        arguments << each.worker << (each.heard ? "1" : "0") << (each.told ? pack(workerToldTable, *each.told) : QByteArray())
                  << number(each.succeeded) << number(each.failed) << packedRuns(each.runs_ms)
                  << (each.trouble.isEmpty() ? QByteArray() : pack(reasonWithDetailTable, each.trouble));
    }
    d->run(d->noteScript, std::move(arguments), std::move(callback), [](const Reply &) { return Result<Done>(Done{}); });
}

void RedisWorkers::list(int limit, QByteArray after, Callback<Page> callback)
{
    d->run(d->listScript, {number(limit), std::move(after)}, std::move(callback), [](const Reply &reply) {
        Page page;
        page.now_ms = reply[0].integer();
        page.end = reply[1].integer() != 0;
        page.complete = reply[2].integer() != 0;
        for (qsizetype i = 0; i < reply[3].size(); ++i)
            page.workers.append(workerOf(reply[3][i]));
        return Result<Page>(std::move(page));
    });
}

void RedisWorkers::steered(QByteArray known, Callback<AllSteered> callback)
{
    d->run(d->steeredScript, {std::move(known)}, std::move(callback), [](const Reply &reply) {
        AllSteered all{reply[1].bytes(), {}};
        for (qsizetype i = 0; i < reply[2].size(); ++i) {
            const Reply row = reply[2][i];
            Steered steered{row[0].bytes(), {}, row[2].bytes(), !row[3].view().isEmpty()};
            if (Result<WorkerRegistration> its = unpackAnswer(newWorkerTable, row[1].view()); !row[1].view().isEmpty() && its.ok())
                steered.registration = std::move(*its);
            all.workers.append(std::move(steered));
        }
        return Result<AllSteered>(std::move(all));
    });
}

void RedisWorkers::steer(Steer steer, Callback<Done> callback)
{
    const bool registers = steer.verb == Verb::Register;
    d->run(d->steerScript,
        {nobody, steer.worker, verbWord(steer.verb), registers ? pack(newWorkerTable, steer.registration) : QByteArray(),
            number(steer.registration.slots), steer.token, steer.any ? "1" : "0"},
        std::move(callback), steeredOf);
}

} // namespace junban::redis
