#include "core/lua/schema.h"
#include "core/redis/redispast.h"
#include "tests/core/lua/lanesfixture.h"
#include "tests/support/modelstore.h"
#include "tests/support/testmain.h"
#include "tests/support/texts.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

namespace {

// A job that runs: a lease is two strings, one of each store.
struct Taken {
    JobId id;
    QByteArray real;
    QByteArray model;
};
struct Told {
    Taken held;
    Outcome outcome;
};

Outcome success()
{
    Outcome outcome;
    outcome.finishedAt = "2026-01-01T00:00:00Z";
    outcome.result = QByteArray("\x07");
    return outcome;
}

Outcome failure(bool retry)
{
    Outcome outcome;
    outcome.type = OutcomeType::Failure;
    outcome.finishedAt = "2026-01-01T00:00:00Z";
    outcome.shouldRetry = retry;
    outcome.message = "broke";
    return outcome;
}

QByteArray shown(const QList<Result<Enqueued>> &list)
{
    QByteArray out;
    for (const auto &item : list)
        out += text(item, [](const Enqueued &e) { return e.id.text() + ' ' + stateWord(e.state) + (e.duplicate ? " again; " : "; "); });
    return out;
}

QByteArray shown(const FinishAndClaimReply &reply)
{
    QByteArray out;
    for (const auto &item : reply.finished)
        out += text(item, [](const Finished &f) { return QByteArray(stateWord(f.state)) + QByteArray::number(f.runAt_ms); }) + "; ";
    for (const Claimed &claimed : reply.claimed) {
        out += '|';
        for (const ClaimedJob &job : claimed.jobs)
            out += job.id.text() + ' ' + QByteArray::number(job.attempt) + ' ' + QByteArray::number(job.deadline_ms) + "; ";
    }
    return out;
}

} // namespace

// The short way of plain jobs through the scripts enqueue and finish, where it meets what is not plain: each call is made to the model,
// too, and both must say the same. All without matchers, and with matchers of which none takes a plain job.
class TestPlain : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase_data()
    {
        QTest::addColumn<bool>("matchers");
        QTest::newRow("without matchers") << false;
        QTest::newRow("with a matcher of another name") << true;
    }
    void initTestCase()
    {
        QVERIFY(m_lanes.start());
        QTRY_COMPARE(m_lanes.link->state(), redis::LinkState::Up);
    }
    void init()
    {
        m_lanes.begin();
        m_model = std::make_unique<ModelStore>();
        m_jobs.clear();
        setTime(m_lanes.now_ms);
        QFETCH_GLOBAL(bool, matchers);
        m_matchers = matchers;
        ModelLimit limit;
        limit.kind = ModelLimit::Concurrency;
        limit.numbers.limit = 1'000;
        if (m_matchers)
            QVERIFY(m_lanes.setLimit(1, limit.packed()) && m_lanes.setRule(limited));
    }
    void cleanup() { m_model.reset(); }

    // --- enqueue
    void anIdThatComesTwiceInACallIsOneJob()
    {
        const EnqueueItem one = plain("a"), other = plain("b"), third = plain("a");
        enqueue({one, one});
        enqueue({other, third, other});
        QCOMPARE(counts().totals.enqueued, 3);
        const auto held = claim({"a"}, 5);
        QCOMPARE(idsOf(held), (QList<JobId>{one.id, third.id}));
        same();
    }

    void halfOfACallWasThereBefore()
    {
        const EnqueueItem started = plain("a"), ended = plain("a"), waiting = plain("b"), fresh = plain("a", -1), last = plain("b");
        enqueue({started, ended, waiting});
        const auto held = claim({"a"}, 2);
        finish({{held[1], success()}}, {});
        enqueue({waiting, fresh, started, last, ended});
        QCOMPARE(counts().totals.enqueued, 5);
        QCOMPARE(counts().count(JobState::Ready), 3);
        enqueue({fresh, last, fresh, last}); // now all of it was
        QCOMPARE(counts().totals.enqueued, 5);
        QCOMPARE(idsOf(claim({}, 5)), (QList<JobId>{fresh.id, waiting.id, last.id}));
        same();
    }

    void plainAndSpecialJobsAnswerInTheirOrder()
    {
        QList<EnqueueItem> items;
        for (int i = 0; i < 24; ++i)
            items.append(plain(i % 3 ? "a" : "b", i % 5 - 2));
        items[2].spec.dependsOn = {items[0].id}; // of this very call
        items[3].spec.group = "g";
        items[6].spec.unique = items[7].spec.unique = Unique{"k", UniqueUntil::Finished, OnConflict::Coalesce};
        items[6].spec.name = items[7].spec.name = "a";
        items[9].spec.delay_ms = 5'000;
        items[10].spec.name = items[13].spec.name = "limited"; // it is, where there are matchers
        items[14].spec.idempotencyKey = items[15].spec.idempotencyKey = "i";
        items[15].spec = items[14].spec;
        items[17].spec.unique = items[20].spec.unique = Unique{"r", UniqueUntil::Finished, OnConflict::Replace}; // 20 replaces 17
        items[17].spec.name = items[20].spec.name = "a";
        items[21].spec.unique = Unique{"k", UniqueUntil::Finished, OnConflict::Reject};
        items[21].spec.name = "a";
        items[22].spec.expiresIn_ms = 4'000;
        const auto answers = enqueue(items);
        QCOMPARE(answers.size(), items.size());
        for (const int good : {0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 22, 23})
            QCOMPARE(answers[good]->id, items[good].id);
        QCOMPARE(answers[7]->id, items[6].id);
        QCOMPARE(answers[15]->id, items[14].id);
        QCOMPARE(answers[21].error().code, ErrorCode::Conflict);
        same();
        const auto first = claim({"b"}, 3);
        QList<Told> reports;
        for (const Taken &held : first)
            reports.append({held, success()});
        finish(reports, {{"w", {"a"}, 50, 0}, {"w", {}, 50, 0}}); // among them the job that waited for the first one
        QCOMPARE(counts().count(JobState::Ready), 0);
        same();
    }

    // A call that has found no dependent yet makes one, and then ends the job that this one waits for.
    void anEndAfterTheFirstDependentOfACallIsTold()
    {
        const auto replacing = [this](const char *key) {
            EnqueueItem item = plain("a");
            item.spec.unique = Unique{key, UniqueUntil::Finished, OnConflict::Replace};
            return item;
        };
        const EnqueueItem first = replacing("one"), second = replacing("two");
        enqueue({first, second});
        EnqueueItem child = plain("b");
        child.spec.dependsOn = {second.id};
        enqueue({plain("a"), replacing("one"), child, plain("a"), replacing("two"), plain("b")});
        QCOMPARE(await<Job>([&](auto done) { m_model->get(child.id, done); })->state, JobState::Failed);
        same();
    }

    void aPlainJobWasReadByTheMatchersOfItsEnqueue()
    {
        QList<EnqueueItem> items{plain("a"), plain("b"), plain("a")};
        enqueue({items[0]});
        enqueue({items[1], items[2]});
        const auto stale = await<ConstraintStore::Stale>([&](auto done) { m_lanes.constraints->stale(done); });
        QVERIFY(stale->lanes.isEmpty());
        QCOMPARE(idsOf(claim({}, 1)), QList<JobId>{items[0].id});
        QCOMPARE(idsOf(claim({"a"}, 1)), QList<JobId>{items[2].id});
        if (m_matchers) {
            QVERIFY(m_lanes.setRule([](const JobSpec &) { return QList<CarriedBucket>{{1, "k"}}; }));
            QVERIFY(m_lanes.readStale(10)); // also of b
        }
        QCOMPARE(idsOf(claim({"b"}, 1)), QList<JobId>{items[1].id});
        same();
    }

    void aJobOfAMastersFastClockWasMadeWhenItCame()
    {
        EnqueueItem early = plain("a"), fine = plain("a");
        early.id = m_lanes.ids.make(m_lanes.now_ms + 3'000);
        enqueue({fine, early});
        enqueue({early});
        QCOMPARE(await<Job>([&](auto done) { m_lanes.stores[0]->get(early.id, done); })->createdAt_ms, m_lanes.now_ms);
        same();
    }

    // --- claims by one name
    void aClaimOfOneNamePassesWhatExpiredAndWhatIsClosed()
    {
        QList<EnqueueItem> items;
        for (int i = 0; i < 12; ++i)
            items.append(plain("a", i / 4));
        for (const int expiring : {0, 1, 5})
            items[expiring].spec.expiresIn_ms = 10'000;
        for (const int windowed : {2, 6})
            items[windowed].spec.windows = {{15 * 60, 15 * 60 + 7, "UTC", 0x7f}}; // it is 15:06:40
        items[7].spec.dependsOn = {items[0].id};
        items[7].spec.onDependencyFailure = OnDependencyFailure::Run;
        enqueue(items);
        pass(30'000); // and nothing sweeps
        const auto held = claim({"a"}, 3);
        QCOMPARE(idsOf(held), (QList<JobId>{items[3].id, items[4].id, items[8].id}));
        same();
        QCOMPARE(counts().count(JobState::Failed), 3);
        QCOMPARE(counts().count(JobState::Scheduled), 2);
        const auto next = finish({{held[0], success()}, {held[1], failure(true)}}, {{"w", {"a"}, 2, 0}, {"w", {"a"}, 9, 0}});
        QCOMPARE(idsOf(next), (QList<JobId>{items[4].id, items[7].id, items[9].id, items[10].id, items[11].id}));
        same();
    }

    void moreExpiredJobsThanACallPassesAreAllPassed()
    {
        const int many = limits::script_items_max + 20;
        QList<EnqueueItem> items;
        for (int i = 0; i < many; ++i) {
            items.append(plain("a"));
            items.last().spec.expiresIn_ms = 10'000;
        }
        items.append(plain("a", 1));
        items.append(plain("a", 1));
        for (qsizetype at = 0; at < items.size(); at += limits::script_items_max)
            enqueue(items.mid(at, limits::script_items_max));
        pass(12'000);
        QCOMPARE(idsOf(claim({"a"}, 1)), QList<JobId>{items[many].id});
        QCOMPARE(counts().count(JobState::Failed), many);
        QCOMPARE(idsOf(claim({"a"}, 1)), QList<JobId>{items[many + 1].id});
        same();
    }

    void aPausedNameGivesNothingAndTheOthersDo()
    {
        if (!m_matchers)
            return; // nothing is paused without one
        const EnqueueItem held = plain("limited"), free = plain("a"), alsoHeld = plain("limited", -1);
        enqueue({held, free, alsoHeld});
        ModelLimit pause;
        pause.kind = ModelLimit::Pause;
        QVERIFY(m_lanes.setLimit(1, pause.packed()));
        QCOMPARE(m_lanes.claimIds(5, {"limited"}), QList<JobId>());
        QCOMPARE(m_lanes.claimIds(5, {"a"}), QList<JobId>{free.id});
        QCOMPARE(m_lanes.claimIds(5), QList<JobId>());
        pause.kind = ModelLimit::Concurrency;
        pause.numbers.limit = 5;
        QVERIFY(m_lanes.setLimit(1, pause.packed()));
        QCOMPARE(m_lanes.claimIds(5, {"limited"}), (QList<JobId>{alsoHeld.id, held.id}));
        QCOMPARE(m_lanes.broken(), QByteArray());
    }

    void requestsOfACallGetTheirNames()
    {
        QList<EnqueueItem> items;
        for (int i = 0; i < 9; ++i)
            items.append(plain(i % 3 == 0 ? "a" : i % 3 == 1 ? "b" : "c"));
        enqueue(items);
        const auto held = finish({}, {{"w1", {"b"}, 1, 0}, {"w2", {"a", "c"}, 2, 0}, {"w3", {"nothing"}, 2, 0}, {"w4", {"b"}, 5, 0},
            {"w5", {"a"}, 1, 2'000}, {"w6", {}, 3, 0}});
        QCOMPARE(held.size(), 9);
        same();
    }

    // --- reports
    void successesFailuresAndStaleLeasesInOneCall()
    {
        const auto [reports, children] = mixedReports();
        finish(reports, {});
        same();
        finish(reports, {}); // all of it again
        same();
        for (const JobId &id : children)
            QCOMPARE(await<Job>([&](auto done) { m_lanes.stores[0]->get(id, done); })->state, JobState::Ready);
    }

    void aCallClaimsWhatItsReportsFreed()
    {
        const auto [reports, children] = mixedReports();
        const auto held = finish(reports, {{"w", {"child"}, 1, 0}, {"w", {"then"}, 5, 0}, {"w", {"child"}, 5, 0}, {"w", {}, 50, 0}});
        const QList<JobId> ids = idsOf(held);
        for (const JobId &id : children)
            QVERIFY(ids.contains(id));
        same();
        finish({{held[0], success()}, {held[1], failure(false)}, {held[0], success()}}, {{"w", {"a"}, 5, 0}});
        same();
    }

    void aSuccessFreesItsLimitForTheClaimOfItsCall()
    {
        if (!m_matchers)
            return; // nothing is limited without one
        ModelLimit limit;
        limit.kind = ModelLimit::Concurrency;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        const EnqueueItem first = plain("limited"), second = plain("limited"), free = plain("a");
        enqueue({first, free, second});
        const auto held = m_lanes.claim(5, {"limited"});
        QCOMPARE(held.size(), 1);
        const FinishItem report = Lanes::report(first.id, held[0].lease, OutcomeType::Success, 0);
        const auto reply = await<FinishAndClaimReply>(
            [&](auto done) { m_lanes.stores[0]->finishAndClaim({report}, {{"w", {"limited"}, 5, 0}}, done); });
        QCOMPARE(reply->claimed[0].jobs.size(), 1);
        QCOMPARE(reply->claimed[0].jobs[0].id, second.id);
        QCOMPARE(m_lanes.broken(), QByteArray());
    }

    // Each of these alone must be enough for a success to look at them.
    void aSuccessIsKeptAsTheSettingsSay()
    {
        const EnqueueItem item = plain("a");
        enqueue({item});
        const auto held = claim({"a"}, 1);
        m_lanes.command({"HSET", "jq:{lanes}:" + QByteArray(redis::key::retention), redis::field_of::retention::succeeded_age, "1000"});
        finish({{held[0], success()}}, {{"w", {"b"}, 1, 0}});
        const auto due = m_lanes.command({"ZSCORE", "jq:{lanes}:" + QByteArray(redis::key::purge), item.id.bytes()});
        QCOMPARE(due.bytes(), QByteArray::number(m_lanes.now_ms + 1'000));
    }
    void aDependentInTheTrashIsToldOfASuccess()
    {
        redis::RedisPast past(*m_lanes.link, "lanes", m_lanes.clock, m_lanes.scriptClock);
        EnqueueItem parent = plain("a"), child = plain("b");
        child.spec.dependsOn = {parent.id};
        enqueue({parent, child});
        const auto held = claim({"a"}, 1);
        QVERIFY(await<Removed>([&](auto done) { past.remove({child.id}, "operator", done); }).ok());
        QCOMPARE(m_lanes.command({"EXISTS", "jq:{lanes}:" + QByteArray(redis::key::depends)}).integer(), 0);
        finish({{held[0], success()}}, {{"w", {"a"}, 1, 0}});
        QVERIFY(await<Removed>([&](auto done) { past.restore({child.id}, "operator", done); }).ok());
        QCOMPARE(m_lanes.claimIds(1, {"b"}), QList<JobId>{child.id});
        QCOMPARE(m_lanes.broken(), QByteArray());
    }

private:
    static QList<CarriedBucket> limited(const JobSpec &spec)
    {
        return spec.name == "limited" ? QList<CarriedBucket>{{1, "k"}} : QList<CarriedBucket>();
    }
    EnqueueItem plain(const QByteArray &name, qint32 priority = 0)
    {
        EnqueueItem made = m_lanes.item(name, 1, priority);
        made.spec.timeout_ms = 30'000;
        made.spec.maxRetry = 2;
        made.spec.backoff = {0, 1, 60'000, 0};
        return made;
    }

    // Reports of all kinds, of jobs that run or ran; and what waits for the ends of these jobs and does not follow by itself.
    std::pair<QList<Told>, QList<JobId>> mixedReports()
    {
        QList<EnqueueItem> items;
        for (int i = 0; i < 12; ++i)
            items.append(plain("a"));
        items[0].spec.keepResult = items[6].spec.keepResult = items[7].spec.keepResult = true;
        items[1].spec.then.push_back(plain("then").spec);
        items[2].spec.maxRetry = 0;
        items[3].spec.unique = Unique{"k", UniqueUntil::Finished, OnConflict::Reject};
        items[4].spec.group = "g";
        EnqueueItem child = plain("child"), other = plain("child", 1);
        child.spec.dependsOn = {items[0].id, items[5].id};
        other.spec.dependsOn = {items[2].id};
        other.spec.onDependencyFailure = OnDependencyFailure::Run;
        items << child << other << plain("b") << plain("b");
        enqueue(items);
        QList<Taken> late = claim({"a"}, 1, 2'000); // the first
        const QList<Taken> held = claim({"a"}, 11);
        pass(4'000);
        sweep(); // the first one's lease ran out
        each([&](Store &store, auto done) { store.cancel({{held[7].id, false}, {held[8].id, true}}, done); });
        each([&](Store &store, auto done) { store.release({{held[9].id, leaseFor(store, held[9]), 0, 0, false}}, done); });
        Taken stranger = held[10], wrong = held[10];
        stranger.id = m_lanes.ids.make(m_lanes.now_ms);
        wrong.real = wrong.model = "1.wrong";
        const QList<Told> reports{
            {held[0], success()},       // with one that follows
            {late[0], success()},       // late, and kept
            {held[1], failure(true)},   // final
            {wrong, success()},         //
            {held[2], success()},       // frees its key
            {held[3], failure(false)},  // the only one of its group
            {stranger, success()},      //
            {held[4], success()},       // frees the child
            {held[4], success()},       // the same again
            {held[5], failure(true)},   // is tried again
            {held[5], success()},       // after its end
            {held[7], success()},       // though it was to be cancelled
            {held[8], success()},       // it was
            {held[9], success()},       // it was given back
            {held[6], success()},       //
            {held[6], failure(true)},   // after its success
        };
        return {reports, {child.id, other.id}};
    }

    QList<Result<Enqueued>> enqueue(const QList<EnqueueItem> &items)
    {
        for (const EnqueueItem &item : items) {
            if (!m_jobs.contains(item.id))
                m_jobs.append(item.id);
        }
        const auto real = await<QList<Result<Enqueued>>>([&](auto done) { m_lanes.stores[0]->enqueue(items, done); });
        const auto model = await<QList<Result<Enqueued>>>([&](auto done) { m_model->enqueue(items, done); });
        compare(real.ok() ? shown(*real) : real.error().message(), shown(*model));
        return *real;
    }
    QList<Taken> finish(const QList<Told> &reports, const QList<ClaimRequest> &claims)
    {
        QList<FinishItem> real, model;
        for (const Told &report : reports) {
            real.append({report.held.id, report.held.real, report.outcome, 0});
            model.append({report.held.id, report.held.model, report.outcome, 0});
        }
        const auto a = await<FinishAndClaimReply>([&](auto done) { m_lanes.stores[0]->finishAndClaim(real, claims, done); });
        const auto b = await<FinishAndClaimReply>([&](auto done) { m_model->finishAndClaim(model, claims, done); });
        compare(a.ok() ? shown(*a) : a.error().message(), shown(*b));
        QList<Taken> held;
        for (qsizetype i = 0; i < claims.size(); ++i) {
            for (qsizetype j = 0; j < std::min(a->claimed[i].jobs.size(), b->claimed[i].jobs.size()); ++j)
                held.append({a->claimed[i].jobs[j].id, a->claimed[i].jobs[j].lease, b->claimed[i].jobs[j].lease});
        }
        return held;
    }
    QList<Taken> claim(const QList<QByteArray> &names, int limit, qint64 lease_ms = 0)
    {
        return finish({}, {{"w", names, limit, lease_ms}});
    }
    template<typename Ask>
    void each(Ask ask)
    {
        const auto show = [](const QList<Result<StateNow>> &list) {
            QByteArray out;
            for (const auto &item : list)
                out += text(item, [](const StateNow &now) { return QByteArray(stateWord(now.state)) + ' '; });
            return out;
        };
        const auto a = await<QList<Result<StateNow>>>([&](auto done) { ask(*m_lanes.stores[0], done); });
        const auto b = await<QList<Result<StateNow>>>([&](auto done) { ask(*m_model, done); });
        compare(show(*a), show(*b));
    }
    void sweep()
    {
        const auto a = await<Swept>([&](auto done) { m_lanes.stores[0]->sweep(done); });
        const auto b = await<Swept>([&](auto done) { m_model->sweep(done); });
        compare(text(*a), text(*b));
    }
    Overview counts()
    {
        return await<Overview>([&](auto done) { m_lanes.stores[0]->counts(done); }).value();
    }
    // Both stores say the same of everything, and the keys keep the invariants.
    void same()
    {
        compare(text(counts()), text(await<Overview>([&](auto done) { m_model->counts(done); }).value()));
        const auto all = [](const Result<Job> &job) {
            return text(job, [](const Job &now) {
                QByteArray out = text(now) + now.outcome.toHex() + ' ';
                for (const Attempt &attempt : now.attempts)
                    out += text(attempt);
                for (const Event &event : now.events)
                    out += text(event);
                return out;
            });
        };
        for (const JobId &id : std::as_const(m_jobs)) {
            compare(all(await<Job>([&](auto done) { m_lanes.stores[0]->get(id, done); })),
                all(await<Job>([&](auto done) { m_model->get(id, done); })));
            compare(result(*m_lanes.stores[0], id), result(*m_model, id));
        }
        compare(m_lanes.broken(), QByteArray());
    }
    static QByteArray result(Store &store, const JobId &id)
    {
        const auto now = await<ResultNow>([&](auto done) { store.peekResult(id, done); });
        return QByteArray::number(int(now->status)) + ' ' + now->outcome.toHex();
    }
    static void compare(const QByteArray &real, const QByteArray &model)
    {
        if (!QTest::currentTestFailed())
            QCOMPARE(real, model);
    }
    void setTime(qint64 at_ms)
    {
        m_model->now_ms = at_ms;
        m_lanes.setTime(at_ms);
        await<Done>([&](auto done) { m_lanes.stores[0]->probe(done); }).ok(); // so that it knows the time
    }
    void pass(qint64 ms) { setTime(m_lanes.now_ms + ms); }
    static QList<JobId> idsOf(const QList<Taken> &held)
    {
        QList<JobId> ids;
        for (const Taken &each : held)
            ids.append(each.id);
        return ids;
    }
    QByteArray leaseFor(const Store &store, const Taken &held) const { return &store == m_model.get() ? held.model : held.real; }

    Lanes m_lanes;
    std::unique_ptr<ModelStore> m_model;
    QList<JobId> m_jobs;
    bool m_matchers = false;
};

JUNBAN_TEST(TestPlain)
#include "test_plain.moc"
