#include "core/lua/schema.h"
#include "core/redis/redisoperations.h"
#include "tests/core/lua/pastfixture.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;
using namespace junban::test;

// Frozen views, and operations that two masters work on: `docs/decisions/operations.md`.
class TestOperations : public QObject, private PastFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(start()); }
    void init()
    {
        begin();
        m_ids = IdMaker(); // one that made very many is ahead of the clock
        for (auto &each : m_masters)
            each = std::make_unique<redis::RedisOperations>(*m_link, "test", *m_clock, redis::ScriptClock::TestKey);
    }
    void cleanup()
    {
        for (auto &each : m_masters)
            each.reset();
        const QByteArray wrong = end();
        QCOMPARE(wrong, QByteArray());
    }

    void aViewHasItsIdsAtAnyPlaceOfItsChunks()
    {
        QList<JobId> ids;
        for (int i = 0; i < limits::view_chunk_ids + 700; ++i)
            ids.append(m_ids.make(m_now_ms));
        for (qsizetype at = 0; at < ids.size(); at += limits::page_rows_max) {
            const bool last = at + limits::page_rows_max >= ids.size();
            const ViewState state = last ? ViewState::Complete : ViewState::Building;
            const FreezeItem part{"v", at, state, "me", m_now_ms, ids.mid(at, limits::page_rows_max)};
            QCOMPARE(freeze(part).value(), std::min<qint64>(ids.size(), at + limits::page_rows_max));
            if (at == 2'000) // its answer was lost
                QCOMPARE(freeze(part).value(), at + limits::page_rows_max);
        }
        for (const qint64 at : {0, 499, limits::view_chunk_ids - 10, limits::view_chunk_ids - 1, limits::view_chunk_ids}) {
            const ViewPage page = view("v", at, 20).value();
            QCOMPARE(page.ids, ids.mid(at, 20));
            QVERIFY(page.jobs.isEmpty()); // there are no such jobs
            QCOMPARE(page.view.count, ids.size());
        }
        QCOMPARE(view("v", ids.size() - 3, 20).value().ids, ids.mid(ids.size() - 3));
        QVERIFY(view("v", ids.size(), 20).value().ids.isEmpty());
        QCOMPARE(view("v", 0, 0).value().view.owner, QByteArray("me"));
        QCOMPARE(keys("vi:*"), 2);
        QVERIFY(drop("v").ok());
        QCOMPARE(keys("v*"), 0);
        QCOMPARE(drop("v").error().code, ErrorCode::NotFound);
    }

    void aViewThatAnOperationUsesIsNotDropped()
    {
        begun(BulkAction::Retry, {failed("a", "x")});
        QCOMPARE(drop("op").error().code, ErrorCode::Conflict);
        QVERIFY(change("op", OperationVerb::Stop).ok());
        QVERIFY(drop("op").ok());
    }

    void aViewOfOneStateHasTheJobsInThatStateAlone()
    {
        JobSpec later = named("later");
        later.runAt_ms = m_now_ms + hour_ms;
        JobSpec after = named("after");
        const JobId scheduled = push(later), started = push(named("started"));
        QVERIFY(claimOf("started").id == started);
        after.dependsOn = {started};
        const JobId handed = push(named("handed"));
        const ClaimedJob its = claimOf("handed");
        QVERIFY(await<StateNow>([&](auto done) { m_store->handOff({its.id, its.lease, "key", hour_ms}, done); }).ok());
        const std::pair<JobState, JobId> states[] = {
            {JobState::Scheduled, scheduled}, {JobState::Depends, push(after)}, {JobState::Running, started},
            {JobState::Awaiting, handed}, {JobState::Succeeded, succeeded("a")}, {JobState::Failed, failed("a", "x")},
            {JobState::Cancelled, cancelled("a")}};
        for (const auto &[state, id] : states) {
            const QByteArray name = stateWord(state);
            QCOMPARE(freezeState({name, 0, {}, m_now_ms, state})->count, 1);
            QCOMPARE(view(name, 0, 10)->ids, QList<JobId>{id});
        }
    }

    void aViewThatHasExpiredIsNowhere()
    {
        const JobId id = failed("a", "x");
        QVERIFY(freeze({"v", 0, ViewState::Complete, {}, m_now_ms, {id}}).ok());
        const qint64 left_ms = command({"PTTL", "jq:{test}:vw:v"}).integer();
        QVERIFY(left_ms > 0 && left_ms <= qint64(limits::view_s * 1000));
        QVERIFY(save("op", BulkAction::Retry, "v").ok());
        expire({"vw:v", "vi:v|0"});
        QCOMPARE(view("v", 0, 1).error().code, ErrorCode::NotFound);
        QCOMPARE(freeze({"v", 1, ViewState::Complete, {}, m_now_ms, {}}).error().code, ErrorCode::NotFound);
        QCOMPARE(save("other", BulkAction::Retry, "v").error().code, ErrorCode::NotFound);
        QCOMPARE(change("op", OperationVerb::Start).error().code, ErrorCode::NotFound);
        expire({"op:op"});
        QCOMPARE(change("op", OperationVerb::Start).error().code, ErrorCode::NotFound);
        QCOMPARE(operation("op").error().code, ErrorCode::NotFound);
    }

    void thereAreSoManyViewsAndOperationsAndRoomWhenSomeExpire()
    {
        for (int i = 0; i < limits::views_max; ++i)
            QVERIFY(freeze({"v" + QByteArray::number(i), 0, ViewState::Complete, {}, m_now_ms, {}}).ok());
        QCOMPARE(freeze({"more", 0, ViewState::Complete, {}, m_now_ms, {}}).error().code, ErrorCode::Conflict);
        FreezeStateItem copied{"more", 0, {}, m_now_ms, JobState::Failed};
        QCOMPARE(freezeState(copied).error().code, ErrorCode::Conflict);
        expire({"vw:v3"});
        QVERIFY(freezeState(copied).ok());
        for (int i = 0; i < limits::operations_max; ++i)
            QVERIFY(save("op" + QByteArray::number(i), BulkAction::Retry, "v0").ok());
        QCOMPARE(save("more", BulkAction::Retry, "v0").error().code, ErrorCode::Conflict);
        expire({"op:op7"});
        QVERIFY(save("more", BulkAction::Retry, "v0").ok());
    }

    void aViewOfAnOperationThatBeganTakesNoPlaceOfOthers()
    {
        for (int i = 0; i < limits::views_max; ++i) {
            const QByteArray name = QByteArray::number(i);
            QVERIFY(freeze({"v" + name, 0, ViewState::Complete, {}, m_now_ms, {}}).ok());
            QVERIFY(save("op" + name, BulkAction::Retry, "v" + name).ok());
            QVERIFY(change("op" + name, OperationVerb::Start).ok());
        }
        QVERIFY(freeze({"more", 0, ViewState::Complete, {}, m_now_ms, {}}).ok());
    }

    void aViewOfOneStateIsCopiedPartByPartWithoutWhatCameLater()
    {
        QList<JobId> items;
        while (items.size() < limits::page_rows_max + limits::script_items_max) {
            QList<EnqueueItem> some;
            QList<CancelItem> their;
            for (int i = 0; i < limits::script_items_max; ++i) {
                some.append({m_ids.make(m_now_ms), named("a"), {}});
                their.append({some.last().id});
                items.append(some.last().id);
            }
            QVERIFY(await<QList<Result<Enqueued>>>([&](auto done) { m_store->enqueue(some, done); }).ok());
            QVERIFY(await<QList<Result<StateNow>>>([&](auto done) { m_store->cancel(their, done); }).ok());
        }
        const qint64 asOf_ms = m_now_ms;
        pass(5);
        const JobId late = cancelled("a");
        FreezeStateItem item{"v", 0, {}, asOf_ms, JobState::Cancelled};
        const FrozenState first = freezeState(item).value();
        QCOMPARE(first.count, limits::page_rows_max - 1); // the latest is looked at first, and left out
        QVERIFY(first.last);
        QCOMPARE(freezeState(item).error().code, ErrorCode::StoreUnavailable); // its answer was lost
        item.sofar = first.count;
        item.after = first.last;
        QCOMPARE(save("op", BulkAction::Retry, "v").error().code, ErrorCode::Conflict); // ids still come
        const FrozenState second = freezeState(item).value();
        QCOMPARE(second.count, qint64(items.size()));
        QVERIFY(!second.last);
        QSet<JobId> found;
        for (qint64 at = 0; at < second.count; at += 500) {
            const ViewPage page = view("v", at, 500).value();
            found += QSet<JobId>(page.ids.begin(), page.ids.end());
            QCOMPARE(page.jobs.size(), page.ids.size());
        }
        QCOMPARE(found.size(), items.size());
        QVERIFY(!found.contains(late));
    }

    void twoMastersInTurnActOnEachJobOnce()
    {
        QList<JobId> ids;
        for (int i = 0; i < 250; ++i)
            ids.append(i % 5 == 4 ? push(named("b")) : failed("a", "x"));
        begun(BulkAction::Retry, ids);
        QCOMPARE(free(), QList<QByteArray>{"op"});
        QCOMPARE(operate(0).position, limits::operation_slice_jobs);
        QVERIFY(free().isEmpty());
        QVERIFY(operate(1).busy);
        pass(qint64(limits::operation_lease_s * 1000) - 1);
        QVERIFY(operate(1).busy);
        pass(1); // the first one is not heard of any more
        QCOMPARE(free(), QList<QByteArray>{"op"});
        QCOMPARE(operate(1).position, 2 * limits::operation_slice_jobs);
        QVERIFY(operate(0).busy);
        QCOMPARE(operate(1).again_ms, 0);
        QCOMPARE(operate(0).again_ms, 0); // it has ended
        const BulkOperation done = operation("op").value();
        QCOMPARE(done.state, OperationState::Ended);
        QCOMPARE(done.done, 200);
        QCOMPARE(done.skippedBy.size(), 1);
        QCOMPARE(done.skippedBy.first().reason, QByteArray("ready"));
        QCOMPARE(done.skippedBy.first().jobs, 50);
        for (const JobId &id : ids) {
            const Job job = get(id).value();
            const auto times = std::count_if(
                job.events.begin(), job.events.end(), [](const Event &event) { return event.what == "retried"; });
            QCOMPARE(times, job.spec.name == "a" ? 1 : 0);
        }
        QCOMPARE(skipped("op", 48, 10).value().skipped.size(), 2);
        QCOMPARE(skipped("none", 0, 10).error().code, ErrorCode::NotFound);
    }

    void aRateGivesASecondsWorthAtMostAndSkippedJobsCostNothing()
    {
        QList<JobId> ids;
        for (int i = 0; i < 40; ++i)
            ids.append(i < 10 ? failed("b", "x") : push(named("a")));
        begun(BulkAction::Cancel, ids, 10);
        QCOMPARE(operate(0).position, 11); // the failed ones cannot be cancelled
        const Operated waits = operate(0);
        QCOMPARE(waits.position, 11);
        QVERIFY(waits.again_ms >= m_now_ms + 100);
        pass(500);
        QCOMPARE(operate(0).position, 16);
        pass(hour_ms);
        QCOMPARE(operate(1).position, 26); // it makes up for nothing
        QCOMPARE(operation("op")->done, 16);
        pass(-2'000); // the clock was set back
        QCOMPARE(operate(1).position, 26);
        pass(500);
        QCOMPARE(operate(1).position, 31);
    }

    void whatAStateDoesNotAllowIsLeftWithItsReason()
    {
        const JobId ready = push(named("a")), bad = failed("b", "x"), good = succeeded("c"), gone = m_ids.make(m_now_ms);
        (void)push(named("d"));
        const ClaimedJob running = claimOf("d");
        const JobId trash = push(named("e"));
        QVERIFY(remove(trash).ok());
        const QList<JobId> all{ready, bad, good, running.id, trash, gone};
        const auto reasons = [&](BulkAction action, const QByteArray &name) {
            begun(action, all, 0, name);
            (void)operate(0, name);
            QList<QByteArray> found;
            const SkippedPage page = skipped(name, 0, 100).value();
            for (const SkippedJob &job : page.skipped)
                found.append(QByteArray::number(all.indexOf(job.id)) + job.reason);
            return found;
        };
        QCOMPARE(reasons(BulkAction::Release, "release"),
            (QList<QByteArray>{"0ready", "1failed", "2succeeded", "4trash", "5gone"}));
        QCOMPARE(finish(running, success()).error().code, ErrorCode::LeaseLost);
        QCOMPARE(get(running.id)->releases, 1);
        QCOMPARE(reasons(BulkAction::Release, "again").value(3), QByteArray("3ready"));
        QVERIFY(claimOf("d").id == running.id);
        QCOMPARE(reasons(BulkAction::Retry, "retry"),
            (QList<QByteArray>{"0ready", "2succeeded", "3running", "4trash", "5gone"}));
        QCOMPARE(reasons(BulkAction::Restore, "restore"),
            (QList<QByteArray>{"0ready", "1ready", "2succeeded", "3running", "5gone"}));
        QCOMPARE(reasons(BulkAction::Delete, "delete"), (QList<QByteArray>{"3running", "5gone"}));
        QCOMPARE(reasons(BulkAction::Cancel, "cancel"), (QList<QByteArray>{"0trash", "1trash", "2trash", "4trash", "5gone"}));
        QVERIFY(get(running.id)->cancelRequested);
    }

    void anOperationIsChangedOnlyAsItsStateAllows()
    {
        begun(BulkAction::Cancel, {push(named("a")), push(named("a"))}, 1);
        QVERIFY(change("op", OperationVerb::Start).ok()); // again
        QVERIFY(change("op", OperationVerb::Resume).ok()); // it runs
        (void)operate(0);
        QVERIFY(change("op", OperationVerb::Pause).ok());
        QVERIFY(change("op", OperationVerb::Pause).ok());
        QVERIFY(free().isEmpty());
        pass(hour_ms);
        QVERIFY(free().isEmpty()); // also when the master that had it is thought to be gone
        QCOMPARE(operate(0).again_ms, 0);
        QCOMPARE(operation("op")->done, 1);
        QVERIFY(change("op", OperationVerb::Resume).ok());
        QCOMPARE(free(), QList<QByteArray>{"op"});
        QVERIFY(change("op", OperationVerb::Stop).ok());
        QVERIFY(change("op", OperationVerb::Stop).ok());
        for (const OperationVerb verb : {OperationVerb::Pause, OperationVerb::Resume})
            QCOMPARE(change("op", verb).error().code, ErrorCode::Conflict);
        QCOMPARE(operate(0).again_ms, 0);
        QCOMPARE(operation("op")->state, OperationState::Stopped);
        QVERIFY(save("waits", BulkAction::Cancel, "op").ok());
        for (const OperationVerb verb : {OperationVerb::Pause, OperationVerb::Resume, OperationVerb::Stop})
            QCOMPARE(change("waits", verb).error().code, ErrorCode::Conflict);
        QCOMPARE(change("none", OperationVerb::Start).error().code, ErrorCode::NotFound);
    }

    void eachStepAndEachChangeOfAnOperationIsToldAsOne()
    {
        const auto changed = [this](const char *topic) {
            return command({"HGET", QByteArray("jq:{test}:") + redis::key::changed, topic}).integer();
        };
        const auto told = [&] { return changed(redis::field_of::changed::operations); };
        begun(BulkAction::Cancel, {push(named("a")), push(named("a"))}, 1);
        const qint64 started = told();
        QVERIFY(started > 0);
        (void)operate(0); // one of the two jobs
        const qint64 stepped = told();
        QVERIFY(stepped > started);
        QCOMPARE(changed(redis::field_of::changed::jobs), stepped);
        QVERIFY(operate(1).busy);
        QCOMPARE(told(), stepped);
        QVERIFY(change("op", OperationVerb::Stop).ok());
        const qint64 stopped = told();
        QVERIFY(stopped > stepped);
        QCOMPARE(change("op", OperationVerb::Pause).error().code, ErrorCode::Conflict);
        QCOMPARE(told(), stopped);
    }

    void aRetryIsTakenBackWhereTheJobHasNotStartedSince()
    {
        QList<JobId> ids;
        for (int i = 0; i < 6; ++i)
            ids.append(failed("a", "x"));
        ids.append(push(named("other"))); // left as it was, so it stays
        begun(BulkAction::Retry, ids);
        QCOMPARE(undo("early", BulkAction::Cancel, "op").error().code, ErrorCode::Conflict); // it still runs
        (void)operate(0);
        const ClaimedJob first = claimOf("a"), second = claimOf("a");
        QVERIFY(finish(second, failure("again")).ok());
        QVERIFY(remove(ids[4]).ok() && retry(ids[3]).error().code == ErrorCode::Conflict);
        QVERIFY(undo("undo", BulkAction::Cancel, "op").ok());
        QVERIFY(undo("twice", BulkAction::Cancel, "op").ok()); // two operators at once
        QVERIFY(change("undo", OperationVerb::Start).ok());
        QCOMPARE(change("twice", OperationVerb::Start).error().code, ErrorCode::Conflict);
        (void)operate(1, "undo");
        const BulkOperation done = operation("undo").value();
        QCOMPARE(done.done, 3);
        QCOMPARE(done.skipped, 3);
        QCOMPARE(done.skippedBy.first().reason, QByteArray("started"));
        QCOMPARE(operation("op")->undoneBy, QByteArray("undo"));
        QCOMPARE(get(first.id)->state, JobState::Running);
        QVERIFY(!get(first.id)->cancelRequested);
        QCOMPARE(get(ids[6])->state, JobState::Ready);
        QCOMPARE(get(ids[5])->state, JobState::Cancelled);
        QCOMPARE(undo("later", BulkAction::Cancel, "op").error().code, ErrorCode::Conflict);
        QCOMPARE(undo("none", BulkAction::Cancel, "nothing").error().code, ErrorCode::NotFound);
    }

    void aDeletionIsTakenBackAndARestorationToo()
    {
        const JobId ready = push(named("a")), bad = failed("b", "x"), before = push(named("c"));
        QVERIFY(remove(before).ok());
        begun(BulkAction::Delete, {ready, before, bad});
        (void)operate(0);
        QVERIFY(undo("undo", BulkAction::Restore, "op").ok() && change("undo", OperationVerb::Start).ok());
        (void)operate(0, "undo");
        QCOMPARE(get(ready)->state, JobState::Ready);
        QCOMPARE(get(bad)->state, JobState::Failed);
        QVERIFY(get(before)->deletedAt_ms > 0); // deleted by hand
        begun(BulkAction::Restore, {ready, before}, 0, "back");
        (void)operate(0, "back");
        QCOMPARE(get(before)->deletedAt_ms, 0);
        QVERIFY(undo("away", BulkAction::Delete, "back").ok() && change("away", OperationVerb::Start).ok());
        (void)operate(0, "away");
        QVERIFY(get(before)->deletedAt_ms > 0);
        QCOMPARE(get(ready)->deletedAt_ms, 0);
    }

    void whatIsTakenBackSlowlyStaysKnownUntilItIs()
    {
        begun(BulkAction::Retry, {failed("a", "x"), failed("a", "x")});
        (void)operate(0);
        QVERIFY(undo("undo", BulkAction::Cancel, "op", 1).ok() && change("undo", OperationVerb::Start).ok());
        (void)operate(0, "undo");
        QCOMPARE(command({"PTTL", "jq:{test}:opd:op"}).integer(), -1); // it outlives the operation
        expire({"op:op", "opk:op"});
        pass(second_ms);
        QCOMPARE(operate(0, "undo").again_ms, 0);
        QCOMPARE(operation("undo")->done, 2);
        QVERIFY(command({"PTTL", "jq:{test}:opd:op"}).integer() > 0);
    }

    void whatIsToBeTakenBackIsThereWhenThatStarts()
    {
        begun(BulkAction::Retry, {failed("a", "x")});
        (void)operate(0);
        QVERIFY(undo("undo", BulkAction::Cancel, "op").ok());
        expire({"op:op", "opd:op"});
        QCOMPARE(change("undo", OperationVerb::Start).error().code, ErrorCode::NotFound);
        QCOMPARE(keys("op:op"), 0);
    }

    void jobsToBeSetAreGivenToOneMasterAndToldOnce()
    {
        const QList<JobId> ids{push(named("a")), push(named("a")), push(named("a")), push(named("a"))};
        begun(BulkAction::Set, ids, 2);
        const Operated given = operate(0);
        QCOMPARE(given.ids, ids.mid(0, 1)); // as the rate allows
        QCOMPARE(given.position, 0);
        QVERIFY(operate(1, "op", {{"op", 0, {""}}}).busy); // it was not given to that one
        QCOMPARE(operation("op")->done, 0);
        pass(second_ms);
        const Operated more = operate(0, "op", {{"op", given.position, {""}}});
        QCOMPARE(more.ids, ids.mid(1, 1));
        QCOMPARE(operate(0, "op", {{"op", given.position, {""}}}).position, 1); // a repeated call
        QCOMPARE(operation("op")->done, 1);
        QVERIFY(change("op", OperationVerb::Pause).ok());
        QCOMPARE(operate(0, "op", {{"op", 1, {"running"}}}).again_ms, 0); // what was done meanwhile is noted
        QCOMPARE(operation("op")->position, 2);
        QCOMPARE(operation("op")->skippedBy.first().reason, QByteArray("running"));
        QVERIFY(change("op", OperationVerb::Stop).ok());
    }

    // A master says of each job whether its caller may still see it; the store acts, and only on those.
    void jobsThatAreJudgedAreActedOnAsTheMasterSays()
    {
        const QList<JobId> ids{failed("a", "x"), failed("a", "x"), push(named("b")), failed("a", "x")};
        QVERIFY(freeze({"op", 0, ViewState::Complete, {}, m_now_ms, ids}).ok());
        const OperationSave judged{"op", BulkAction::Retry, "op", 1, 2, {}, {"me", "job.priority == 1"}};
        QVERIFY(await<Done>([&](auto done) { m_masters[0]->save(judged, done); }).ok());
        QCOMPARE(operation("op")->match, QByteArray("job.priority == 1"));
        QCOMPARE(operation("op")->owner, QByteArray("me"));
        QVERIFY(!operation("op")->fields);
        QVERIFY(change("op", OperationVerb::Start).ok());
        const Operated given = operate(0);
        QCOMPARE(given.ids, ids.mid(0, 1)); // as the rate allows
        QCOMPARE(operation("op")->done, 0); // nothing before it is judged
        QVERIFY(operate(1, "op", {{"op", 0, {""}}}).busy); // it was not given to that one
        pass(2 * second_ms);
        const Operated all = operate(0);
        QCOMPARE(all.ids, ids.mid(0, 2));
        QCOMPARE(operate(0, "op", {{"op", 0, {"gone", ""}}}).position, 2); // who is left out costs nothing
        QCOMPARE(operate(0, "op", {{"op", 0, {"", ""}}}).position, 2); // a repeated call
        QCOMPARE(get(ids[0])->state, JobState::Failed);
        QCOMPARE(get(ids[1])->state, JobState::Ready);
        QVERIFY(change("op", OperationVerb::Pause).ok());
        QCOMPARE(operate(0, "op", {{"op", 2, {"", ""}}}).again_ms, 0); // nothing was done with them yet
        QCOMPARE(operation("op")->position, 2);
        QVERIFY(change("op", OperationVerb::Resume).ok());
        pass(2 * second_ms);
        QCOMPARE(operate(0).ids, ids.mid(2));
        QCOMPARE(operate(0, "op", {{"op", 2, {"", ""}}}).again_ms, 0);
        const BulkOperation done = operation("op").value();
        QCOMPARE(done.state, OperationState::Ended);
        QCOMPARE(done.done, 2);
        QCOMPARE(skipped("op", 0, 10)->skipped.first().reason, QByteArray("gone"));
        QCOMPARE(skipped("op", 0, 10)->skipped.last().reason, QByteArray("ready")); // its state does not allow it all the same
    }

    void theListOfSkippedJobsIsBounded()
    {
        QList<JobId> none;
        for (int i = 0; i < limits::operation_skipped_max + 250; ++i)
            none.append(m_ids.make(m_now_ms));
        for (qsizetype at = 0; at < none.size(); at += 500)
            QVERIFY(freeze({"op", at, ViewState::Complete, {}, m_now_ms, none.mid(at, 500)}).ok());
        QVERIFY(save("op", BulkAction::Cancel, "op").ok() && change("op", OperationVerb::Start).ok());
        while (operate(0).again_ms > 0) { }
        QCOMPARE(operation("op")->skipped, none.size());
        const SkippedPage last = skipped("op", limits::operation_skipped_max - 1, 10).value();
        QCOMPARE(last.total, limits::operation_skipped_max);
        QCOMPARE(last.skipped.size(), 1);
        QCOMPARE(last.skipped.first().reason, QByteArray("gone"));
    }

    void aViewLivesUntilItsLastOperationHasEnded()
    {
        QVERIFY(freeze({"v", 0, ViewState::Complete, {}, m_now_ms, {failed("a", "x"), failed("a", "x")}}).ok());
        for (const QByteArray &id : {QByteArray("one"), QByteArray("two")})
            QVERIFY(save(id, BulkAction::Retry, "v").ok() && change(id, OperationVerb::Start).ok());
        (void)operate(0, "one");
        QCOMPARE(view("v", 0, 0)->view.expiresAt_ms, 0);
        QVERIFY(change("two", OperationVerb::Stop).ok());
        const qint64 left_ms = view("v", 0, 0)->view.expiresAt_ms - m_now_ms;
        QVERIFY(left_ms > qint64(limits::view_s * 1000) && left_ms <= qint64(limits::operation_kept_s * 1000));
        const OperationList list = await<OperationList>([&](auto done) { m_masters[1]->list(done); }).value();
        QCOMPARE(list.operations.size(), 2);
    }

private:
    Result<qint64> freeze(const FreezeItem &item)
    {
        return await<qint64>([&](auto done) { m_masters[0]->freeze(item, done); });
    }
    Result<FrozenState> freezeState(const FreezeStateItem &item)
    {
        return await<FrozenState>([&](auto done) { m_masters[0]->freezeState(item, done); });
    }
    Result<Done> drop(const QByteArray &id)
    {
        return await<Done>([&](auto done) { m_masters[0]->drop(id, done); });
    }
    Result<ViewPage> view(const QByteArray &id, qint64 offset, int limit)
    {
        return await<ViewPage>([&](auto done) { m_masters[1]->view(id, offset, limit, done); });
    }
    Result<Done> save(const QByteArray &id, BulkAction action, const QByteArray &view, double rate = 0)
    {
        std::optional<JobEdit> fields;
        if (action == BulkAction::Set) {
            fields = JobEdit();
            fields->priority = 3;
        }
        return await<Done>([&](auto done) { m_masters[0]->save({id, action, view, 1, rate, fields, {}}, done); });
    }
    Result<Done> undo(const QByteArray &id, BulkAction action, const QByteArray &undoes, double rate = 0)
    {
        return await<Done>([&](auto done) { m_masters[0]->save({id, action, {}, 0, rate, {}, {}, undoes}, done); });
    }
    Result<Done> change(const QByteArray &id, OperationVerb verb)
    {
        return await<Done>([&](auto done) { m_masters[1]->change({id, verb, "me", "why"}, done); });
    }
    // Started over these jobs, with a view of its name.
    void begun(BulkAction action, const QList<JobId> &ids, double rate = 0, const QByteArray &id = "op")
    {
        QVERIFY(freeze({id, 0, ViewState::Complete, {}, m_now_ms, ids}).ok());
        QVERIFY(save(id, action, id, rate).ok());
        QVERIFY(change(id, OperationVerb::Start).ok());
    }
    Operated operate(int master, const QByteArray &id = "op", std::optional<OperateItem> item = {})
    {
        if (!item)
            item = OperateItem{id};
        return await<Operated>([&](auto done) { m_masters[size_t(master)]->operate(*item, done); }).value();
    }
    Result<BulkOperation> operation(const QByteArray &id)
    {
        return await<BulkOperation>([&](auto done) { m_masters[0]->get(id, done); });
    }
    Result<SkippedPage> skipped(const QByteArray &id, qint64 offset, int limit)
    {
        return await<SkippedPage>([&](auto done) { m_masters[0]->skipped(id, offset, limit, done); });
    }
    QList<QByteArray> free()
    {
        return await<QList<QByteArray>>([&](auto done) { m_masters[1]->free(done); }).value();
    }
    // As Redis does by its own clock.
    void expire(const QList<QByteArray> &names)
    {
        for (const QByteArray &name : names)
            command({"DEL", "jq:{test}:" + name});
    }

    std::unique_ptr<redis::RedisOperations> m_masters[2];
};

JUNBAN_TEST(TestOperations)
#include "test_operations.moc"
