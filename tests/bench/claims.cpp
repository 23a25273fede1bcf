// Claims under constraints, at the store alone: how much of Redis' processor a job takes (finish the last, claim the next, one call), with
// many jobs held. Usage: bench_claims <socket of an empty Redis> [jobs]. Prints one JSON object. The processor's time is measured rather
// than the clock's, so that what else runs does not count.

#include "core/limits/classifier.h"
#include "core/msgpack/msgpackwriter.h"
#include "core/redis/redisconstraints.h"
#include "core/redis/redisstore.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <cstdio>
#include <functional>

using namespace junban;

namespace {

using Rule = std::function<QList<CarriedBucket>(const JobSpec &)>;

class Rules : public Classifier
{
public:
    qint64 epoch() const override { return m_epoch; }
    QList<CarriedBucket> buckets(const JobSpec &spec) const override { return m_rule ? m_rule(spec) : QList<CarriedBucket>(); }
    void reload(Callback<Done> callback) override
    {
        QTimer::singleShot(0, qApp, [callback] { callback(Done{}); });
    }
    void set(qint64 epoch, Rule rule)
    {
        m_epoch = epoch;
        m_rule = std::move(rule);
    }

private:
    qint64 m_epoch = 0;
    Rule m_rule;
};

template<typename T, typename Call>
T wait(Call call)
{
    std::optional<Result<T>> answer;
    call(Callback<T>([&answer](Result<T> result) { answer.emplace(std::move(result)); }));
    while (!answer)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    if (!answer->ok())
        qFatal("%s", answer->error().message().constData());
    return std::move(**answer);
}

QByteArray limitOf(const char *kind, int limit)
{
    MsgpackWriter writer;
    writer.map(6).text("k").text(kind).text("m").text("enforce").text("l").integer(limit).text("p").integer(1000).text("b").integer(limit);
    return writer.text("a").text("gcra").take();
}

class Bench
{
public:
    Bench(redis::Link &link, int jobs)
        : m_link(link)
        , m_jobs(jobs)
        , m_store(link, nullptr, "bench", m_clock, redis::ScriptClock::Redis)
        , m_constraints(link, "bench", m_clock, redis::ScriptClock::Redis)
    {
        m_store.setClassifier(&m_rules);
    }

    // Jobs of `key(i)` and `name(i)`; what `rule` makes of the key's number is asked of the argument.
    void fill(int jobs, const std::function<int(int)> &key, const std::function<QByteArray(int)> &name)
    {
        for (int made = 0; made < jobs;) {
            QList<EnqueueItem> items;
            for (; made < jobs && items.size() < limits::script_items_max; ++made) {
                EnqueueItem item;
                item.id = m_ids.make(m_clock.now_ms());
                item.spec.name = name(made);
                MsgpackWriter argument;
                item.spec.argument = argument.integer(key(made)).take();
                item.spec.timeout_ms = 86'400'000;
                items.append(std::move(item));
            }
            wait<QList<Result<Enqueued>>>([&](auto done) { m_store.enqueue(items, done); });
        }
    }

    void begin(const QByteArray &limit, Rule rule)
    {
        wait<redis::Reply>([&](auto done) { m_link.command({"FLUSHALL"}, done); });
        m_rules.set(0, {});
        setLimit(limit);
        setRule(std::move(rule));
    }
    void setRule(Rule rule)
    {
        const qint64 epoch = wait<qint64>([&](auto done) { m_constraints.setConstraints({}, -1, EpochChange::New, done); });
        m_rules.set(epoch, std::move(rule));
        // No job runs, so there is none to be charged; until that is said, no limit of running jobs admits any.
        wait<Done>([&](auto done) { m_constraints.recharge(epoch, {}, ConstraintStore::Recharged::All, done); });
    }
    double setLimit(const QByteArray &limit)
    {
        QElapsedTimer timer;
        timer.start();
        wait<qint64>([&](auto done) { m_constraints.setConstraints({{1, limit}}, -1, EpochChange::Keep, done); });
        return double(timer.nsecsElapsed()) / 1e6;
    }

    QList<ClaimedJob> claim(int limit, const QList<FinishItem> &reports = {})
    {
        const ClaimRequest request{"bench", {}, limit, 0};
        return wait<FinishAndClaimReply>([&](auto done) { m_store.finishAndClaim(reports, {request}, done); }).claimed.first().jobs;
    }

    // µs of Redis' processor for one job: its report and the claim of the next.
    double cycle_us(int cycles)
    {
        QList<ClaimedJob> running = claim(1);
        const double before = processor_s();
        int done = 0;
        for (; done < cycles && !running.isEmpty(); ++done) {
            FinishItem report;
            report.id = running.first().id;
            report.lease = running.first().lease;
            report.outcome.finishedAt = "2026-01-01T00:00:00Z";
            running = claim(1, {report});
        }
        if (done < cycles)
            qFatal("only %d of %d jobs were claimed", done, cycles);
        return (processor_s() - before) * 1e6 / done;
    }

    // After an edit of the matchers: what one engine's reading of all waiting jobs again takes by the clock, and by Redis' processor (s).
    std::pair<double, double> readAgain_s(Rule rule)
    {
        setRule(std::move(rule));
        QElapsedTimer timer;
        timer.start();
        const double before = processor_s();
        for (;;) {
            const auto stale = wait<ConstraintStore::Stale>([&](auto done) { m_constraints.stale(done); });
            if (stale.lanes.isEmpty())
                return {double(timer.elapsed()) / 1e3, processor_s() - before};
            wait<Done>([&](auto done) { m_constraints.relane(stale.epoch, junban::readAgain(m_rules, stale.lanes), done); });
        }
    }

    int jobs() const { return m_jobs; }

private:
    double processor_s()
    {
        const redis::Reply info = wait<redis::Reply>([this](auto done) { m_link.command({"INFO", "cpu"}, done); });
        double sum = 0;
        for (const QByteArray &line : info.bytes().split('\n')) {
            if (line.startsWith("used_cpu_user:") || line.startsWith("used_cpu_sys:"))
                sum += line.mid(line.indexOf(':') + 1).trimmed().toDouble();
        }
        return sum;
    }

    redis::Link &m_link;
    int m_jobs;
    Clock m_clock;
    Rules m_rules;
    redis::RedisStore m_store;
    redis::RedisConstraints m_constraints;
    IdMaker m_ids;
};

int valueOf(const JobSpec &spec)
{
    return int(payload::Reader(spec.argument).next()->integer);
}

QList<CarriedBucket> byKey(const JobSpec &spec)
{
    return {{1, QByteArray::number(valueOf(spec)), 1}};
}

constexpr int cycles = 2'000;

void show(const char *name, double figure, const char *end = ",")
{
    std::printf("  \"%s\": %.1f%s\n", name, figure, end);
    std::fflush(stdout);
}

QByteArray oneName(int)
{
    return "a";
}

// Nine jobs of ten or more are held, by one key or by `keys` of them, each with one job running; the rest is free to go.
double held(Bench &bench, int jobs, int keys, const QByteArray &limit)
{
    bench.begin(limit, [](const JobSpec &spec) { return valueOf(spec) < 0 ? QList<CarriedBucket>() : byKey(spec); });
    bench.fill(jobs, [keys](int i) { return i % keys; }, oneName);
    for (int taken = 0; taken < keys; taken += limits::claim_limit_max)
        bench.claim(std::min(keys - taken, limits::claim_limit_max));
    bench.fill(cycles + 10, [](int) { return -1; }, oneName);
    return bench.cycle_us(cycles);
}

} // namespace

int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);
    if (argc < 2)
        return 2;
    const int jobs = argc > 2 ? QByteArray(argv[2]).toInt() : 100'000;
    redis::Link link(*redis::Address::fromUrl("unix://" + QByteArray(argv[1])));
    link.start();
    while (link.state() != redis::LinkState::Up)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    Bench bench(link, jobs);
    const auto none = [](const JobSpec &) { return QList<CarriedBucket>(); };

    std::printf("{\n  \"jobs\": %d,\n", jobs);
    bench.begin(limitOf("concurrency", 1), none);
    bench.fill(1'000 + cycles, [](int) { return -1; }, oneName);
    show("no constraint, 1,000 waiting", bench.cycle_us(cycles));
    bench.fill(jobs, [](int) { return -1; }, oneName);
    show("no constraint, all waiting", bench.cycle_us(cycles));

    bench.begin(limitOf("concurrency", 1'000'000), byKey);
    bench.fill(jobs / 10, [](int) { return 0; }, oneName);
    show("a limit that never binds", bench.cycle_us(cycles));
    bench.begin(limitOf("concurrency", 1), byKey);
    bench.fill(jobs / 10, [](int i) { return i % 1'000; }, oneName);
    show("1,000 keys of one job at a time, none held", bench.cycle_us(cycles));

    show("1,000 held by one key", held(bench, 1'000, 1, limitOf("concurrency", 1)));
    show("all but few held by one key", held(bench, jobs, 1, limitOf("concurrency", 1)));
    show("all but few held by 10,000 keys", held(bench, jobs, 10'000, limitOf("concurrency", 1)));
    if (jobs >= 1'000'000)
        show("all but few held by 100,000 keys", held(bench, jobs, 100'000, limitOf("concurrency", 1)));

    // Every job waits for the one that runs: its end is the next one's start.
    bench.begin(limitOf("concurrency", 1), [](const JobSpec &) { return QList<CarriedBucket>{{1, "all", 1}}; });
    bench.fill(jobs, [](int) { return 0; }, oneName);
    show("a freed slot to the next, all waiting at it", bench.cycle_us(cycles));
    bench.begin(limitOf("concurrency", 1), [](const JobSpec &) { return QList<CarriedBucket>{{1, "all", 1}}; });
    bench.fill(jobs / 10, [](int) { return 0; }, [](int i) { return "n" + QByteArray::number(i % 1'000); });
    show("the same, of 1,000 names", bench.cycle_us(cycles / 4));

    // Everything is held by 10,000 keys, then nothing is: the edit, and the claims after it, which find what opened.
    bench.begin(limitOf("concurrency", 0), byKey);
    bench.fill(jobs, [](int i) { return i % 10'000; }, oneName);
    show("an edit that opens 10,000 keys (ms)", bench.setLimit(limitOf("concurrency", 1'000'000)));
    QElapsedTimer timer;
    timer.start();
    bench.claim(1);
    show("the first claim after it (ms)", double(timer.nsecsElapsed()) / 1e6);
    show("claims after it", bench.cycle_us(cycles));

    bench.begin(limitOf("concurrency", 1), none);
    bench.fill(jobs, [](int i) { return i % 10'000; }, oneName);
    const auto [clock_s, processor_s] = bench.readAgain_s(byKey);
    show("all read again after an edit, by one engine (s)", clock_s);
    show("the same, of Redis' processor (s)", processor_s);

    bench.begin(limitOf("fair", 1), byKey);
    bench.fill(jobs, [](int i) { return i % 1'000; }, oneName);
    show("1,000 keys that take turns", bench.cycle_us(cycles), "\n}");
    return 0;
}
