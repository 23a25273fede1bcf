#include "core/redis/redisschedules.h"
#include "core/redis/redisstore.h"
#include "tests/core/engine/records.h"
#include "tests/support/await.h"
#include "tests/support/keychecker.h"
#include "tests/support/later.h"
#include "tests/support/redisserver.h"
#include "tests/support/testmain.h"
#include "tests/support/texts.h"
#include "tests/support/walks.h"

#include <QRandomGenerator>
#include <QSet>
#include <QTest>
#include <map>

using namespace junban;
using namespace junban::test;

namespace {

// What a schedule is, in plain C++: the specification of scripts and engine.
struct ModelSchedule {
    ScheduleSpec spec;
    qint64 revision = 0;
    bool paused = false;
    qint64 next_ms = 0;
    JobId lastJob;
    qint64 fired = 0;
    qint64 skipped = 0;
    QList<ScheduleRun> runs;
};

class Model
{
public:
    qint64 now_ms = 0;
    // As the engine in memory means it: for `skip`, a job that was asked to stop is gone.
    bool inMemory = false;
    std::map<QByteArray, ModelSchedule> schedules;
    std::map<JobId, JobState> jobs;
    QSet<JobId> asked;                   // running jobs that were asked to stop

    QByteArray save(const ScheduleSave &save)
    {
        const auto found = schedules.find(save.id);
        const qint64 revision = found == schedules.end() ? 0 : found->second.revision;
        if (!expected(save.expected, revision))
            return "revision_mismatch";
        const QByteArray was = revision == 0 ? QByteArray(" new") : textOfWas(found->second);
        ModelSchedule &s = schedules[save.id];
        const bool paused = save.paused.value_or(s.paused);
        if (paused)
            s.next_ms = 0;
        else if (revision == 0 || s.paused || !(s.spec.recurrence == save.spec.recurrence))
            s.next_ms = save.next_ms;
        s.paused = paused;
        s.spec = save.spec;
        s.revision = revision + 1;
        return text(save.id) + was;
    }

    QByteArray change(const ScheduleChange &change)
    {
        const auto found = schedules.find(change.id);
        if (found == schedules.end())
            return "not_found";
        ModelSchedule &s = found->second;
        if (!expected(change.expected, s.revision))
            return "revision_mismatch";
        if (change.verb == ScheduleChangeVerb::Resume && change.recurrence != s.spec.recurrence.packed())
            return "conflict";
        const QByteArray was = textOfWas(s);
        if (change.verb == ScheduleChangeVerb::Delete) {
            const QByteArray deleted = text(change.id);
            schedules.erase(found);
            return deleted + was;
        }
        const bool pause = change.verb == ScheduleChangeVerb::Pause;
        if (s.paused != pause) {
            s.paused = pause;
            s.next_ms = pause ? 0 : change.next_ms;
            ++s.revision;
        }
        return text(change.id) + was;
    }

    QByteArray fire(const FireItem &item)
    {
        const auto found = schedules.find(item.id);
        if (found == schedules.end())
            return "stale";
        ModelSchedule &s = found->second;
        if (s.lastJob == item.job)
            return fired(RunOutcome::Enqueued, item.job);
        if (s.revision != item.revision || s.next_ms != item.firing.seen_ms || s.next_ms > now_ms)
            return "stale";
        s.next_ms = item.firing.next_ms;
        if (item.firing.due_ms == 0)
            return noted(s, 0, RunOutcome::PassedOver, JobId(), item.firing.passedOver);
        return make(s, item.firing.due_ms, item.job, s.spec.overlap, item.firing.passedOver);
    }

    QByteArray run(const RunByHand &run)
    {
        const auto found = schedules.find(run.id);
        if (found == schedules.end())
            return "not_found";
        ModelSchedule &s = found->second;
        const Overlap overlap = run.overlap.value_or(s.spec.overlap);
        if (overlap == Overlap::Skip && alive(s.lastJob))
            return "conflict";
        return make(s, 0, run.job, overlap, 0);
    }

    QByteArray text(const QByteArray &id) const { return text(schedules.at(id)); }
    static QByteArray text(const ModelSchedule &s)
    {
        QByteArray out = QByteArray::number(s.revision) + ' ' + QByteArray::number(s.paused) + ' ' + QByteArray::number(s.next_ms) + ' '
            + s.lastJob.text() + ' ' + QByteArray::number(s.fired) + ' ' + QByteArray::number(s.skipped) + ' '
            + s.spec.recurrence.packed().toHex() + ' ' + s.spec.title + ' ' + overlapWords[size_t(s.spec.overlap)] + ' '
            + missedWords[size_t(s.spec.missed)] + ' ' + QByteArray::number(s.spec.missedMax);
        for (const ScheduleRun &run : s.runs)
            out += "; " + QByteArray::number(run.due_ms) + ' ' + QByteArray::number(run.at_ms) + ' '
                + runOutcomeWords[size_t(run.outcome)] + ' '
                + run.job.text() + ' ' + QByteArray::number(run.passedOver);
        return out;
    }
    static QByteArray textOfWas(ModelSchedule s)
    {
        s.runs.clear();
        return ", was " + text(s);
    }
    static QByteArray fired(RunOutcome outcome, JobId job) { return QByteArray(runOutcomeWords[size_t(outcome)]) + ' ' + job.text(); }

private:
    static bool expected(const Expected &expected, qint64 revision)
    {
        return expected.what == Expected::What::Any || (expected.what == Expected::What::Missing ? 0 : expected.revision) == revision;
    }
    bool alive(JobId job) const
    {
        const auto found = jobs.find(job);
        return found != jobs.end() && !isFinal(found->second) && !(inMemory && asked.contains(job));
    }
    QByteArray make(ModelSchedule &s, qint64 due_ms, JobId job, Overlap overlap, int passedOver)
    {
        if (alive(s.lastJob) && overlap == Overlap::Skip) {
            ++s.skipped;
            return noted(s, due_ms, RunOutcome::Skipped, s.lastJob, passedOver);
        }
        if (alive(s.lastJob) && overlap == Overlap::Replace) {
            if (jobs[s.lastJob] == JobState::Running)
                asked.insert(s.lastJob);
            else
                jobs[s.lastJob] = JobState::Cancelled;
        }
        jobs[job] = s.spec.job.delay_ms > 0 ? JobState::Scheduled : JobState::Ready;
        s.lastJob = job;
        ++s.fired;
        return noted(s, due_ms, RunOutcome::Enqueued, job, passedOver);
    }
    QByteArray noted(ModelSchedule &s, qint64 due_ms, RunOutcome outcome, JobId job, int passedOver)
    {
        s.runs.prepend({due_ms, now_ms, outcome, job, passedOver, {}});
        while (s.runs.size() > limits::schedule_runs_kept_max)
            s.runs.removeLast();
        return fired(outcome, job);
    }
};

QByteArray text(const Schedule &s)
{
    return Model::text(ModelSchedule{s.spec, s.revision, s.paused, s.next_ms, s.lastJob, s.fired, s.skipped, s.runs});
}

QByteArray text(const ScheduleChanged &changed)
{
    return text(changed.schedule) + (changed.before ? ", was " + text(*changed.before) : QByteArray(" new"));
}

// What is compared with the model.
class Side
{
public:
    virtual ~Side() = default;
    // An empty namespace.
    virtual void begin() = 0;
    virtual void setTime(qint64 now_ms) = 0;
    virtual ScheduleStore &schedules() = 0;
    virtual FinishAndClaimReply finishAndClaim(const QList<FinishItem> &items, const QList<ClaimRequest> &claims) = 0;
    // What is wrong with what it has stored; empty: nothing.
    virtual QByteArray wrong() = 0;
};

class Scripts : public Side
{
public:
    bool start()
    {
        if (!m_server.start())
            return false;
        m_link = std::make_unique<redis::Link>(*redis::Address::fromUrl(m_server.url()));
        m_link->start();
        return QTest::qWaitFor([this] { return m_link->state() == redis::LinkState::Up; });
    }
    void begin() override
    {
        command({"FLUSHALL"});
        m_clock = Clock();
        m_jobs = std::make_unique<redis::RedisStore>(*m_link, nullptr, "walk", m_clock, redis::ScriptClock::TestKey);
        m_store = std::make_unique<redis::RedisSchedules>(*m_link, "walk", m_clock, redis::ScriptClock::TestKey);
    }
    void setTime(qint64 now_ms) override { command({"SET", "jq:{walk}:testclock", QByteArray::number(now_ms)}); }
    ScheduleStore &schedules() override { return *m_store; }
    FinishAndClaimReply finishAndClaim(const QList<FinishItem> &items, const QList<ClaimRequest> &claims) override
    {
        return *await<FinishAndClaimReply>([&](auto done) { m_jobs->finishAndClaim(items, claims, done); });
    }
    QByteArray wrong() override { return wrongKeys(*m_link, "walk"); }

private:
    void command(const QList<QByteArray> &words)
    {
        await<redis::Reply>([&](auto done) { m_link->command(words, done); }).ok();
    }

    RedisServer m_server;
    std::unique_ptr<redis::Link> m_link;
    Clock m_clock;
    std::unique_ptr<redis::RedisStore> m_jobs;
    std::unique_ptr<redis::RedisSchedules> m_store;
};

// After each call, another engine is loaded from what was written.
class Memory : public Side, public ScheduleStore
{
public:
    void begin() override
    {
        m_engine = std::make_unique<engine::Engine>();
        m_records = {};
        m_wrong.clear();
    }
    void setTime(qint64 now_ms) override { m_now_ms = now_ms; }
    ScheduleStore &schedules() override { return *this; }
    FinishAndClaimReply finishAndClaim(const QList<FinishItem> &items, const QList<ClaimRequest> &claims) override
    {
        const auto finished = written(m_engine->finish(items, moment()));
        return {finished, written(m_engine->claim(claims, moment()))};
    }
    QByteArray wrong() override { return m_wrong; }

    void save(ScheduleSave save, Callback<ScheduleChanged> callback) override
    {
        later(std::move(callback), written(m_engine->saveSchedule(save, moment())));
    }
    void change(ScheduleChange change, Callback<ScheduleChanged> callback) override
    {
        later(std::move(callback), written(m_engine->changeSchedule(change, moment())));
    }
    void get(QByteArray id, Callback<Schedule> callback) override { later(std::move(callback), m_engine->schedule(id)); }
    void list(int limit, QByteArray after, Callback<SchedulePage> callback) override
    {
        later(std::move(callback), Result<SchedulePage>(m_engine->schedules(limit, after)));
    }
    void due(int leftOut, Callback<DueSchedules> callback) override
    {
        later(std::move(callback), Result<DueSchedules>(m_engine->dueSchedules(leftOut, m_now_ms)));
    }
    void fire(QList<FireItem> items, Callback<FiredAll> callback) override
    {
        later(std::move(callback), Result<FiredAll>(written(m_engine->fireSchedules(items, moment()))));
    }
    void runByHand(RunByHand run, Callback<FiredAll> callback) override
    {
        later(std::move(callback), written(m_engine->runSchedule(run, moment())));
    }

private:
    engine::Moment moment() const { return {m_now_ms, m_bits}; }
    template<typename Answer>
    Answer written(engine::Decided<Answer> decided)
    {
        m_records.apply(decided.writes);
        const Result<std::unique_ptr<engine::Engine>> loaded = m_records.load({}, m_now_ms);
        const QByteArray differs = loaded.ok() ? engine::difference(*m_engine, **loaded) : loaded.error().message();
        if (m_wrong.isEmpty())
            m_wrong = m_records.misfits() > 0 ? QByteArray("a write of another type") : differs;
        return std::move(decided.answer);
    }

    qint64 m_now_ms = 0;
    const std::function<quint64()> m_bits = [] { return QRandomGenerator::global()->generate64(); };
    std::unique_ptr<engine::Engine> m_engine;
    Records m_records;
    QByteArray m_wrong;
};

} // namespace

// A seeded random walk over the scripts and over the engine in memory: three masters look, fire what they saw (late, twice, in any order),
// and operators change schedules meanwhile. Both must say what the model says, and no due time may make two jobs. JUNBAN_SEED repeats a
// walk; JUNBAN_LONG takes many more.
class TestScheduleWalk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_scripts.start());
    }

    void eachSaysWhatTheModelSays_data() { sides(); }
    void eachSaysWhatTheModelSays()
    {
        chooseSide();
        Walks walks("JUNBAN_SEED", 150, 5'000);
        Row row(m_model.inMemory ? "Walk of schedules in memory" : "Walk of schedules", walks, "mismatches");
        while (walks.next()) {
            oneWalk(walks.seed());
            row.add("operations", m_steps);
            if (QTest::currentTestFailed()) {
                qWarning("JUNBAN_SEED=%u repeats this walk; %d steps", walks.seed(), m_steps);
                return;
            }
        }
        QVERIFY(walks.repeated() || m_jobsMade > walks.begun()); // the walks do come by firings
    }

    void onlySoManyDueSchedulesAreToldAtOnce_data() { sides(); }
    void onlySoManyDueSchedulesAreToldAtOnce()
    {
        chooseSide();
        begin();
        ScheduleSpec spec;
        spec.recurrence.interval = {1'000, 0};
        spec.job.name = "job";
        spec.jobBody = QByteArray::fromHex("80");
        for (int i = 0; i <= limits::schedules_due_max; ++i) {
            const ScheduleSave item{"s" + QByteArray::number(i), spec, {}, {}, m_model.now_ms + 1'000 + i};
            QVERIFY(await<ScheduleChanged>([&](auto done) { m_store->save(item, done); }).ok());
        }
        setTime(m_model.now_ms + 2'000);
        const auto found = await<DueSchedules>([&](auto done) { m_store->due(0, done); });
        QCOMPARE(found->schedules.size(), limits::schedules_due_max);
        for (const DueSchedule &due : found->schedules) // the one that fell due last waits
            QVERIFY(due.id != "s" + QByteArray::number(limits::schedules_due_max));
        QCOMPARE(found->nextDue_ms, 0);
        QVERIFY(found->more);
        const auto rest = await<DueSchedules>([&](auto done) { m_store->due(limits::schedules_due_max, done); });
        QVERIFY(rest->schedules.size() == 1 && !rest->more);
        QCOMPARE(rest->schedules.first().id, "s" + QByteArray::number(limits::schedules_due_max));
    }

    void whatFallsDueInThisVeryMillisecondIsDueAndNotComing_data() { sides(); }
    void whatFallsDueInThisVeryMillisecondIsDueAndNotComing()
    {
        chooseSide();
        begin();
        ScheduleSave item{"s", {}, {}, {}, m_model.now_ms + 1'000};
        item.spec.recurrence.interval = {1'000, 0};
        item.spec.job.name = "job";
        item.spec.jobBody = QByteArray::fromHex("80");
        QVERIFY(await<ScheduleChanged>([&](auto done) { m_store->save(item, done); }).ok());
        item.id = "next";
        item.next_ms += 1;
        QVERIFY(await<ScheduleChanged>([&](auto done) { m_store->save(item, done); }).ok());
        setTime(m_model.now_ms + 1'000);
        const auto found = await<DueSchedules>([&](auto done) { m_store->due(0, done); });
        QCOMPARE(found->schedules.size(), 1);
        QCOMPARE(found->schedules.first().id, QByteArray("s"));
        QCOMPARE(found->nextDue_ms, m_model.now_ms + 1);
    }

private:
    static void sides()
    {
        QTest::addColumn<bool>("inMemory");
        QTest::newRow("scripts") << false;
        QTest::newRow("memory") << true;
    }
    void chooseSide()
    {
        QFETCH(bool, inMemory);
        m_side = inMemory ? static_cast<Side *>(&m_memory) : &m_scripts;
        m_model.inMemory = inMemory;
    }
    void begin()
    {
        m_side->begin();
        m_store = &m_side->schedules();
        const bool inMemory = m_model.inMemory;
        m_model = Model();
        m_model.inMemory = inMemory;
        m_seen.clear();
        m_madeFor.clear();
        m_held.clear();
        setTime(1'774'000'000'000);
    }
    void oneWalk(quint32 seed)
    {
        begin();
        m_random = QRandomGenerator(seed);
        const int steps = m_random.bounded(20, 100);
        for (m_steps = 0; m_steps < steps && !QTest::currentTestFailed(); ++m_steps)
            step();
        if (!QTest::currentTestFailed())
            compareEverything();
    }

    void step()
    {
        switch (m_random.bounded(12)) {
        case 0:
        case 1: save(); break;
        case 2: change(); break;
        case 3:
        case 4: look(); break;
        case 5:
        case 6:
        case 7: fire(); break;
        case 8: run(); break;
        case 9: work(); break;
        default: passTime(); break;
        }
    }

    ScheduleSpec anySpec()
    {
        ScheduleSpec spec;
        spec.title = "t" + QByteArray::number(m_random.bounded(3));
        if (m_random.bounded(2))
            spec.recurrence.interval = {1'000 * (1 + m_random.bounded(3)), m_random.bounded(2) * 500};
        else
            spec.recurrence.cron = m_random.bounded(2) ? "* * * * *" : "*/2 * * * *";
        spec.overlap = static_cast<Overlap>(m_random.bounded(3));
        spec.missed = static_cast<Missed>(m_random.bounded(3));
        spec.missedMax = m_random.bounded(1, 6);
        spec.job.name = "job";
        spec.job.delay_ms = m_random.bounded(3) == 0 ? 500'000'000 : 0;
        spec.jobBody = QByteArray::fromHex("80");
        return spec;
    }

    Expected anyExpectation()
    {
        static constexpr Expected::What kinds[] = {Expected::What::Any, Expected::What::Any, Expected::What::Missing,
            Expected::What::Revision};
        return {kinds[m_random.bounded(4)], m_random.bounded(1, 4)};
    }

    void save()
    {
        ScheduleSave item{anyId(), anySpec(), anyExpectation(), {}, 0};
        if (m_random.bounded(3) == 0)
            item.paused = m_random.bounded(2) == 0;
        item.next_ms = Firings(item.spec.recurrence).after_ms(m_model.now_ms).value();
        const auto saved = await<ScheduleChanged>([&](auto done) { m_store->save(item, done); });
        QCOMPARE(text(saved, [](const ScheduleChanged &s) { return text(s); }), m_model.save(item));
    }

    void change()
    {
        ScheduleChange item{anyId(), static_cast<ScheduleChangeVerb>(m_random.bounded(3)), anyExpectation()};
        Recurrence recurrence = anySpec().recurrence;
        if (m_model.schedules.contains(item.id) && m_random.bounded(4))
            recurrence = m_model.schedules[item.id].spec.recurrence;
        item.next_ms = Firings(recurrence).after_ms(m_model.now_ms).value();
        item.recurrence = recurrence.packed();
        const auto changed = await<ScheduleChanged>([&](auto done) { m_store->change(item, done); });
        QCOMPARE(text(changed, [](const ScheduleChanged &s) { return text(s); }), m_model.change(item));
    }

    // A master's look: what it would fire is kept, and comes later or never.
    void look()
    {
        const auto found = await<DueSchedules>([&](auto done) { m_store->due(0, done); });
        QSet<QByteArray> ids, expected;
        for (const DueSchedule &due : found->schedules) {
            ids.insert(due.id);
            const Firings firings(due.recurrence);
            for (const PlannedFiring &firing :
                planFirings(firings, due.next_ms, found->now_ms, due.missed, due.missedMax, m_random.bounded(1, 8)))
                m_seen.append({due.id, due.revision, firing, m_ids.make(m_model.now_ms)});
        }
        for (const auto &[id, s] : m_model.schedules) {
            if (s.next_ms > 0 && s.next_ms <= m_model.now_ms)
                expected.insert(id);
        }
        QCOMPARE(ids, expected);
    }

    void fire()
    {
        QList<FireItem> items;
        for (int i = m_random.bounded(1, 8); i > 0 && !m_seen.isEmpty(); --i) {
            const qsizetype at = m_random.bounded(2) ? 0 : m_random.bounded(int(m_seen.size()));
            items.append(m_seen[at]);
            if (m_random.bounded(3))
                m_seen.removeAt(at);
        }
        if (items.isEmpty())
            return;
        const auto all = await<FiredAll>([&](auto done) { m_store->fire(items, done); });
        QVERIFY2(all.ok(), all.ok() ? "" : all.error().message().constData());
        for (qsizetype i = 0; i < items.size(); ++i) {
            const Fired &fired = all->fired[i];
            const bool made = !m_model.jobs.contains(items[i].job);
            QCOMPARE(fired.stale ? QByteArray("stale") : Model::fired(fired.outcome, fired.job), m_model.fire(items[i]));
            if (fired.stale || fired.outcome != RunOutcome::Enqueued || !made)
                continue;
            const QByteArray due = items[i].id + ' ' + QByteArray::number(items[i].firing.due_ms);
            QVERIFY2(!m_madeFor.contains(due), due.constData());
            m_madeFor.insert(due);
            ++m_jobsMade;
        }
    }

    void run()
    {
        RunByHand item{anyId(), m_ids.make(m_model.now_ms), {}};
        if (m_random.bounded(2))
            item.overlap = static_cast<Overlap>(m_random.bounded(3));
        const auto all = await<FiredAll>([&](auto done) { m_store->runByHand(item, done); });
        QCOMPARE(text(all, [](const FiredAll &f) { return Model::fired(f.fired[0].outcome, f.fired[0].job); }), m_model.run(item));
    }

    // Jobs are claimed and ended, so that overlap has something to look at.
    void work()
    {
        QList<FinishItem> reports;
        Outcome outcome;
        outcome.finishedAt = "2026-01-01T00:00:00Z";
        while (!m_held.isEmpty() && m_random.bounded(3)) {
            const ClaimedJob job = m_held.takeFirst();
            reports.append({job.id, job.lease, outcome, 0});
            m_model.jobs[job.id] = JobState::Succeeded;
        }
        const FinishAndClaimReply reply = m_side->finishAndClaim(reports, {{"w", {}, m_random.bounded(1, 3), 0}});
        for (const ClaimedJob &job : reply.claimed[0].jobs) {
            m_held.append(job);
            QCOMPARE(m_model.jobs[job.id], JobState::Ready); // what was replaced is not there any more
            m_model.jobs[job.id] = JobState::Running;
        }
    }

    void passTime()
    {
        static constexpr qint64 steps_ms[] = {1, 499, 500, 1'000, 2'500, 60'000, 3'000'000};
        setTime(m_model.now_ms + steps_ms[m_random.bounded(7)]);
    }

    void compareEverything()
    {
        for (const auto &[id, s] : m_model.schedules) {
            const auto found = await<Schedule>([&](auto done) { m_store->get(id, done); });
            QCOMPARE(text(found, [](const Schedule &schedule) { return text(schedule); }), m_model.text(id));
            if (!s.lastJob.isNull())
                QCOMPARE(found->lastJobState.value(), m_model.jobs[s.lastJob]);
        }
        const auto page = await<SchedulePage>([&](auto done) { m_store->list(500, {}, done); });
        QCOMPARE(page->schedules.size(), qsizetype(m_model.schedules.size()));
        QCOMPARE(m_side->wrong(), QByteArray());
    }

    QByteArray anyId() { return "s" + QByteArray::number(m_random.bounded(3)); }
    void setTime(qint64 now_ms)
    {
        m_model.now_ms = now_ms;
        m_side->setTime(now_ms);
    }

    Scripts m_scripts;
    Memory m_memory;
    Side *m_side = &m_scripts;
    ScheduleStore *m_store = nullptr;    // of that side
    Model m_model;
    IdMaker m_ids;
    QRandomGenerator m_random;
    QList<FireItem> m_seen;
    QSet<QByteArray> m_madeFor;
    QList<ClaimedJob> m_held;
    int m_jobsMade = 0;
    int m_steps = 0;
};

JUNBAN_TEST(TestScheduleWalk)
#include "test_schedulewalk.moc"
