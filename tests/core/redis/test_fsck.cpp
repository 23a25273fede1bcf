#include "core/lua/embeddedscripts.h"
#include "core/lua/schema.h"
#include "core/redis/damagedkeys.h"
#include "core/redis/fsckreasons.h"
#include "core/redis/redispast.h"
#include "core/redis/scripts.h"
#include "tests/core/redis/fsckfixture.h"
#include "tests/support/keychecker.h"
#include "tests/support/testmain.h"
#include "tests/support/walks.h"

#include <QCryptographicHash>
#include <QFile>
#include <QRegularExpression>

using namespace junban;
using namespace junban::test;

// fsck of a namespace with planted faults: each is found, repaired, and found no more; then the queue goes on.
class TestFsck : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_f.start());
    }
    void init()
    {
        m_f.clear();
        fill();
    }

    void aSoundNamespaceHasNothingToRepair()
    {
        const FsckReport report = m_f.look(Repair::No);
        QCOMPARE(text(report), QByteArray());
        QVERIFY(report.checked > 12);
        QCOMPARE(text(m_f.look(Repair::Yes)), QByteArray());
        QCOMPARE(m_f.command({"EXISTS", m_f.key("audit")}), QByteArray("0"));
    }

    // Every shape that a lane's name has (core/lua/pieces/lanes.lua), and the greatest virtual time of keys that take turns.
    void theSearchForDamagedKeysFindsThoseAlone()
    {
        const QByteArray hash(24, 'a');
        const QList<QByteArray> lanes{"7", "7e0", "7e12", "c" + hash, "cx" + hash, "f" + hash, "fx" + hash};
        for (const QByteArray &lane : lanes)
            m_f.command({"ZADD", m_f.key("lane:" + lane), "0", "0123456789abcdef"});
        m_f.command({"SET", m_f.key("fair"), "9999999999999999"});
        QCOMPARE(damaged(Repair::Yes), QList<QByteArray>());
        m_f.command({"ZADD", m_f.key("lane:garbage"), "0", "0123456789abcdef"});
        m_f.command({"SET", m_f.key("fair"), "-1"});
        m_f.command({"SET", m_f.key("lane_last"), "99999999999999999999"});
        m_f.command({"HSET", m_f.key("lanes"), "a", "x"});
        const QList<QByteArray> all{"fair", "lane:garbage", "lane_last", "lanes"};
        QCOMPARE(damaged(Repair::No), all);
        QCOMPARE(damaged(Repair::Yes), all);
        QCOMPARE(damaged(Repair::Yes), QList<QByteArray>());
    }

    // The page of the specification has all that the scripts tell; tests/tidy/citations.py compares them.
    void whatFsckTellsHasAReason()
    {
        static const QRegularExpression row(QStringLiteral("^\\| \\*\\*I\\d+\\*\\* (`.*?) \\|"), QRegularExpression::MultilineOption);
        static const QRegularExpression sentence(QStringLiteral("`([^`]+)`"));
        QFile page(QStringLiteral(JUNBAN_SOURCE "/docs/semantics.md"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(page.readAll());
        int told = 0;
        for (auto rows = row.globalMatch(text); rows.hasNext();) {
            const QString cell = rows.next().captured(1);
            for (auto found = sentence.globalMatch(cell); found.hasNext(); ++told) {
                const QByteArray said = found.next().captured(1).replace(QStringLiteral("…"), QStringLiteral("12")).toUtf8();
                const Reason reason = redis::fsckReason(said);
                QVERIFY2(!reason.name.isEmpty(), said.constData());
                QCOMPARE(reason.text, said);
            }
        }
        QVERIFY(told > 80);
        const Reason counted = redis::fsckReason("it counts 3 where 5 run");
        QCOMPARE(counted.name, "fsck_bucket_miscounted");
        QCOMPARE(counted.values, (std::vector<ReasonValue>{{"counted", qint64(3)}, {"running", qint64(5)}}));
        const Reason unknown = redis::fsckReason("it is a newer fault");
        QCOMPARE(unknown.name + unknown.text, "it is a newer fault");
    }

    // Else --repair would drop it. Names come from core/lua/schema.lua, unless a script spells one out.
    void everyKeyThatAScriptWritesIsOfTheSchema()
    {
        static const QRegularExpression made(QStringLiteral("P \\.\\. '([^']+)'"));
        const QByteArray known(redis::makeScript("fsck_keys", redis::ScriptClock::Redis).library->body);
        QSet<QString> names;
        for (const redis::EmbeddedLibrary *library = redis::embeddedLibraries; library->name; ++library) {
            for (auto found = made.globalMatch(QString::fromUtf8(library->body)); found.hasNext();)
                names.insert(found.next().captured(1));
        }
        names.remove(QLatin1String(redis::key::hint)); // a channel
        QVERIFY(names.size() > 90);
        for (const QString &name : names)
            QVERIFY2(known.contains("['" + name.toUtf8() + "'] = '"), qPrintable(name));
    }

    void everyPlantedFaultIsFoundAndRepaired_data()
    {
        QTest::addColumn<QByteArray>("invariant");
        QTest::addColumn<QList<QList<QByteArray>>>("plant");
        const auto row = [](const char *title, const char *invariant, const QList<QList<QByteArray>> &plant) {
            QTest::newRow(title) << QByteArray(invariant) << plant;
        };
        // "ready", "running", … stand for the ids of jobs in these states, "@name" for a key.
        row("a job in two places", "I1", {{"ZADD", "@sched", "1750000000000", "ready"}});
        row("a running job among the final ones", "I1", {{"ZADD", "@failed", "1750000000000", "running"}});
        row("an unknown state", "I1", {{"HSET", "@s:scheduled", "st", "77"}});
        row("a wrong count", "I1", {{"HSET", "@count", "=ready", "77"}});
        row("two due times", "I1", {{"ZADD", "@sched", "1750000099999", "scheduled"}});
        row("an index of a job that is gone", "I2", {{"ZADD", "@sched", "1750000099999", "0123456789abcdef"}});
        row("a ready job that is gone", "I2", {{"DEL", "@j:ready"}});
        row("a history without a job", "I2", {{"RPUSH", "@h:0123456789abcdef", "x"}});
        row("an expiry of a job without one", "I2", {{"ZADD", "@expire", "1750000099999", "ready"}});
        row("the jobs after it lost", "I2", {{"DEL", "@t:then"}});
        row("windows lost", "I2", {{"DEL", "@w:windows"}});
        row("a group lost", "I2", {{"DEL", "@g:group"}});
        row("a ready job nobody can claim", "I3", {{"ZREM", "@lane:1", "ready"}, {"HINCRBY", "@count", "=ready", "-1"}});
        row("a scheduled job nobody wakes", "I3", {{"ZREM", "@sched", "scheduled"}});
        row("a running job nobody watches", "I3", {{"ZREM", "@run", "running"}});
        row("a failed job nobody sees", "I3", {{"ZREM", "@failed", "failed"}});
        row("a job that waits in no index", "I3", {{"ZREM", "@depends", "depends"}});
        row("a lease lost", "I4", {{"HDEL", "@s:running", "l"}});
        row("a lease of another attempt", "I4", {{"HSET", "@s:running", "a", "9"}});
        row("a lease beyond its deadline", "I4", {{"ZADD", "@run", "1750000999999", "running"}});
        row("a message key lost", "I4", {{"DEL", "@msg:awaiting"}});
        row("a message key of another job", "I4", {{"SET", "@msg:0000", "ready"}});
        row("too many failures", "I6", {{"HSET", "@s:scheduled", "f", "9"}});
        row("no reason", "I7", {{"HDEL", "@s:failed", "rs"}});
        row("a result for ever", "I9", {{"PERSIST", "@res:succeeded"}});
        row("a result of a job that goes on", "I9", {{"SET", "@res:ready", "x", "PX", "100000"}});
        row("a job that would vanish", "I10", {{"PEXPIRE", "@j:ready", "1000000"}});
        row("an index that would vanish", "I10", {{"PEXPIRE", "@sched", "1000000"}});
        row("a due time in the next century", "I11", {{"HSET", "@s:scheduled", "ra", "4900000000000"},
                {"ZADD", "@sched", "4900000000000", "scheduled"}});
        row("an end in the future", "I11", {{"HSET", "@s:succeeded", "fi", "1760000000000"},
                {"ZADD", "@succeeded", "1760000000000", "succeeded"}});
        row("a unique key of a job that ended", "I12", {{"SET", "@uq:0000", "failed"}});
        row("a unique key that outlived its job", "I12", {{"HSET", "@s:failed", "uq", "0000"}, {"SET", "@uq:0000", "failed"}});
        row("another job's unique key", "I12", {{"SET", "@uq:0000", "ready"}});
        row("a lane by another priority", "I13", {{"ZADD", "@lane:1", "-9", "ready"}, {"ZREM", "@ready", "ready1"},
                {"ZADD", "@ready", "-9", "ready1"}});
        row("a lane of another name", "I13", {{"ZADD", "@lane:2", "0", "ready"}, {"ZADD", "@ready", "0", "ready2"},
                {"HINCRBY", "@count", "=ready", "1"}});
        row("a lane that no index leads to", "I14", {{"ZREM", "@ready", "ready1"}});
        row("an index that leads to no head", "I14", {{"ZADD", "@ready", "5", "running1"}});
        row("a job that counts wrongly what it waits for", "I14", {{"HSET", "@s:depends", "dn", "5"}});
        row("a job whose end nobody told", "I14", {{"ZREM", "@dep:running", "depends"}});
        row("a job that would never expire", "I15", {{"ZREM", "@expire", "expires"}});
        row("a job that would never go", "I16", {{"ZREM", "@purge", "succeeded"}});
        row("a deleted job that no trash has", "I3", {{"ZREM", "@trash", "trashed"}});
        row("a deleted job that runs on", "I1", {{"HSET", "@s:trashed", "st", "3"}});
        row("a deleted job among the final ones", "I1", {{"ZADD", "@cancelled", "1750000000000", "trashed"}});
        row("a job in the trash that nobody deleted", "I2", {{"ZADD", "@trash", "1750000000000", "ready"}});
        row("a star that no list shows", "I3", {{"ZREM", "@tracked", "tracked"}});
        row("a star in the list only", "I3", {{"ZADD", "@tracked", "1750000000000", "ready"}});
        row("a star of a job that is gone", "I2", {{"ZADD", "@tracked", "1750000000000", "0123456789abcdef"}});
        row("a job not counted with its name", "I3", {{"ZREM", "@kept:{kn}", "kept"}});
        row("a job counted with another name", "I2", {{"ZADD", "@kept:{kn}", "1750000000000", "succeeded"}});
        row("a failed job that its group does not know", "I3", {{"ZREM", "@fgf:{fg}", "failed"}});
        row("a job in a group of failures that did not fail", "I2", {{"ZADD", "@fgf:{fg}", "1750000000000", "ready"}});
        row("a group of failures in no list", "I3", {{"ZREM", "@fgroups", "{fg}"}});
        row("a list of groups of failures too long", "I2", {{"ZADD", "@fgroups", "1750000000000", "00"}});
        row("a trend of no group", "I2", {{"SET", "@fgt:00", "0"}});
        row("statistics in no list", "I3", {{"DEL", "@stats"}});
        row("a list of statistics too long", "I2", {{"ZADD", "@stats", "20000", "20000:99"}});
        row("a purge of a job that goes on", "I2", {{"ZADD", "@purge", "1750000099999", "ready"}});
        row("a purge in the next century", "I11", {{"ZADD", "@purge", "4900000000000", "succeeded"}});
        row("a window's close of a job without", "I2", {{"ZADD", "@wclose", "1750000099999", "ready"}});
        row("windows wanted of a job without", "I2", {{"ZADD", "@wwant", "1750000000000", "ready"}});
        row("dependents of nobody to be told", "I2", {{"ZADD", "@freeing", "1750000000000", "0123456789abcdef6"}});
        row("an end that was not told", "I14", {{"HSET", "@s:running", "st", "6", "fi", "1750000000000"}, {"ZREM", "@run", "running"},
                {"ZADD", "@succeeded", "1750000000000", "running"}, {"ZADD", "@purge", "1750000099999", "running"}});
        row("dependents of no job", "I2", {{"ZADD", "@dep:0123456789abcdef", "0", "ready"}});
        row("the state of no job", "I2", {{"HSET", "@s:0123456789abcdef", "st", "6"}});
        row("windows of no job", "I2", {{"SET", "@w:0123456789abcdef", "x"}});
        row("jobs after no job", "I2", {{"SET", "@t:0123456789abcdef", "x"}});
        row("a group that counts wrongly", "I1", {{"HINCRBY", "@g:group", "=pending", "3"}});
        row("a group that would never go", "I16", {{"HSET", "@g:0000", "name", "x", "total", "1", "=succeeded", "1", "=pending", "0"}});
        row("an empty group that would never go", "I16", {{"HSET", "@g:0000", "name", "x"}});
        row("a list of groups too long", "I2", {{"ZADD", "@groups", "1750000099999", "00"}});
        row("a result that is not counted", "I9", {{"ZREM", "@results", "succeeded"}});
        row("a result counted that is none", "I2", {{"ZADD", "@results", "4900000000000", "=failed"}});
        row("an idempotency key for ever", "I9", {{"SET", "@idem:00", "x"}});
        row("an end at no time", "I1", {{"HDEL", "@s:succeeded", "fi"}});
        row("a deadline in the next century", "I11", {{"HSET", "@s:running", "dl", "4900000000000"}});
        row("an expiry in the next century", "I11", {{"HSET", "@s:expires", "xp", "4900000000000"}});
        row("a record that is none", "I17", {{"SET", "@j:short", "x"}});
        row("a lane that is none", "I17", {{"ZADD", "@lane:zzz", "0", "0123456789abcdef"}});
        row("a name without a number", "I13", {{"HDEL", "@lane_names", "=1"}});
        row("a name that jobs have, and no number", "I13", {{"HDEL", "@lanes", "=running"}});
        row("counts of no name", "I2", {{"HSET", "@name:99", "enq", "1"}});
        row("a schedule in no list", "I3", {{"ZREM", "@sch_ids", "=x"}});
        row("a schedule that does not fire", "I14", {{"ZREM", "@sch", "=x"}});
        row("a schedule that fires at another time", "I14", {{"ZADD", "@sch", "1750000000001", "=x"}});
        row("a schedule that is gone", "I2", {{"ZADD", "@sch_ids", "0", "=y"}});
        row("a due time of a schedule that is gone", "I2", {{"ZADD", "@sch", "1750000000001", "=y"}});
        row("a schedule under another's key", "I2", {{"HSET", "@sch:00", "id", "=x", "nx", "0"}});
        row("firings of no schedule", "I2", {{"RPUSH", "@schr:00", "x"}});
        row("a foreign key", "I17", {{"SET", "@nonsense", "1"}});
    }
    void everyPlantedFaultIsFoundAndRepaired()
    {
        QFETCH(QByteArray, invariant);
        using Plant = QList<QList<QByteArray>>;
        QFETCH(Plant, plant);
        for (const QList<QByteArray> &words : plant) {
            QList<QByteArray> real;
            for (const QByteArray &word : words)
                real.append(word.startsWith('@') ? m_f.key(withIds(word.sliced(1), ':')) : withIds(word, 0));
            QVERIFY2(!m_f.command(real).startsWith("ERR"), real.join(' ').constData());
        }
        QCOMPARE(m_f.judge(invariant), QByteArray());
        goesOn();
    }

    void whatIsLateIsToldWhileAMasterIsAtWork()
    {
        m_f.wait(20'000); // the delayed job has been due for ten seconds, and nobody swept since
        QCOMPARE(text(m_f.look(Repair::No)), QByteArray());
        m_f.command({"ZADD", m_f.key("engines"), QByteArray::number(m_f.now_ms()), "somebody"});
        QVERIFY(text(m_f.look(Repair::No)).contains("I15 sched: what was due is still there: nothing sweeps"));
        m_f.sweep();
        QCOMPARE(text(m_f.look(Repair::No)), QByteArray());
    }

    void besideABusyMasterNothingIsFound()
    {
        const auto store = std::make_unique<redis::RedisStore>(m_f.link(), nullptr, "busy", m_f.clock(), redis::ScriptClock::Redis);
        redis::RedisFsck busy(m_f.link(), "busy", redis::ScriptClock::Redis);
        IdMaker ids;
        qint64 jobs = 0;
        bool stop = false, stopped = false;
        std::function<void()> round = [&] {
            QList<EnqueueItem> items;
            for (int i = 0; i < 40; ++i) {
                JobSpec spec = named(i % 2 ? "a" : "b");
                spec.priority = i % 5;
                spec.maxRetry = 1;
                spec.backoff = {1, 1, 1, 0};
                spec.keepResult = i % 3 == 0;
                if (i % 4 == 0)
                    spec.unique = Unique{QByteArray::number(i % 8), UniqueUntil(i % 2), OnConflict::Replace};
                if (i % 5 == 0)
                    spec.group = "g";
                items.append({ids.make(m_f.clock().now_ms()), spec, {}});
            }
            items[7].spec.dependsOn = {items[1].id, items[0].id};
            store->enqueue(items, [&](const auto &) {
                store->finishAndClaim({}, {{"w", {}, 30, 0}}, [&](const Result<FinishAndClaimReply> &reply) {
                    QList<FinishItem> reports;
                    for (const ClaimedJob &job : reply->claimed[0].jobs) {
                        Outcome outcome;
                        outcome.type = ++jobs % 3 ? OutcomeType::Success : OutcomeType::Failure;
                        outcome.finishedAt = "2026-01-01T00:00:00Z";
                        outcome.shouldRetry = true;
                        reports.append({job.id, job.lease, outcome, 0});
                    }
                    store->finishAndClaim(reports, {}, [&](const auto &) {
                        store->sweep([&](const auto &) {
                            if (stop)
                                stopped = true;
                            else
                                round();
                        });
                    });
                });
            });
        };
        round();
        Rounds rounds(8, 10); // each of them takes longer, as there are more and more jobs
        const Row row("fsck beside a busy master", rounds, "violations");
        while (rounds.next()) {
            const auto report = await<FsckReport>([&](auto done) { busy.run(Repair::No, done); }, 60'000);
            QVERIFY2(report.ok(), report.ok() ? "" : report.error().message().constData());
            QCOMPARE(text(*report), QByteArray());
        }
        QVERIFY(jobs > 100);
        stop = true;
        QTRY_VERIFY(stopped);
    }

private:
    QList<QByteArray> damaged(Repair repair)
    {
        std::optional<QList<redis::DamagedKey>> found;
        redis::findDamagedKeys(m_f.link(), "jq:{test}:", repair, [&found](const auto &all) { found = all; });
        if (!QTest::qWaitFor([&found] { return found.has_value(); }))
            return {"no answer"};
        QList<QByteArray> keys;
        for (const redis::DamagedKey &each : *found)
            keys.append(each.key);
        std::sort(keys.begin(), keys.end());
        return keys;
    }

    // A namespace with a job in every state, and one of each special kind. m_jobs names them.
    void fill()
    {
        JobSpec spec = named("a");
        m_jobs["then"] = m_f.push([&] { JobSpec s = spec; s.then = {named("b")}; s.priority = 3; return s; }());
        m_jobs["running"] = m_f.push([&] { JobSpec s = named("running"); s.maxRetry = 2; return s; }());
        m_f.claim("running");
        m_jobs["awaiting"] = m_f.push(named("awaiting"));
        const ClaimedJob awaiting = m_f.claim("awaiting");
        QVERIFY(await<StateNow>([&](auto done) { m_f.store().handOff({awaiting.id, awaiting.lease, "m", 60'000}, done); }).ok());
        m_jobs["succeeded"] = m_f.push([&] { JobSpec s = named("succeeded"); s.keepResult = true; return s; }());
        m_f.finish(m_f.claim("succeeded"), OutcomeType::Success);
        m_jobs["failed"] = m_f.push(named("failed"));
        m_f.finish(m_f.claim("failed"), OutcomeType::Failure);
        m_jobs["scheduled"] = m_f.push([&] { JobSpec s = named("c"); s.delay_ms = 10'000; return s; }());
        m_jobs["depends"] = m_f.push([&] { JobSpec s = named("c"); s.dependsOn = {m_jobs["running"]}; return s; }());
        m_jobs["expires"] = m_f.push([&] { JobSpec s = named("c"); s.expiresIn_ms = 60'000; s.unique = Unique{}; return s; }());
        m_jobs["windows"] = m_f.push([&] { JobSpec s = named("c"); s.windows = {Window{}}; return s; }());
        m_jobs["group"] = m_f.push([&] { JobSpec s = named("c"); s.group = "g"; return s; }());
        m_jobs["ready"] = m_f.push([&] { JobSpec s = spec; s.priority = -3; return s; }());
        redis::RedisPast past(m_f.link(), "test", m_f.clock(), redis::ScriptClock::TestKey);
        Retention two;
        two.succeeded.count = 2;
        QVERIFY(await<RetentionChanged>([&](auto done) { past.setRetention("kept", two, done); }).ok());
        m_jobs["kept"] = m_f.push(named("kept"));
        m_f.finish(m_f.claim("kept"), OutcomeType::Success);
        m_jobs["trashed"] = m_f.push(named("trashed"));
        QVERIFY(await<Removed>([&](auto done) { past.remove({m_jobs["trashed"]}, anOperator, done); }).ok());
        m_jobs["tracked"] = m_f.push(named("tracked"));
        QVERIFY(await<Done>([&](auto done) { past.track(m_jobs["tracked"], true, done); }).ok());
        const QByteArray schedule = m_f.key("sch:") + QCryptographicHash::hash("x", QCryptographicHash::Sha1).toHex();
        m_f.command({"HSET", schedule, "id", "x", "nx", "1750000000000"}); // what fsck reads of one
        m_f.command({"ZADD", m_f.key("sch"), "1750000000000", "x"});
        m_f.command({"ZADD", m_f.key("sch_ids"), "0", "x"});
        m_words = {{"{kn}", m_f.command({"HGET", m_f.key("s:") + m_jobs["kept"].bytes(), "kn"})},
            {"{fg}", m_f.command({"HGET", m_f.key("s:") + m_jobs["failed"].bytes(), "fg"})}};
        m_f.sweep();
        m_f.sweep();
        m_f.sweep(); // the settings are applied to all states
        m_f.command({"DEL", m_f.key("engines")}); // nobody sweeps on
    }

    // Replaces names of jobs by their ids: the whole word, or what follows `after`. What begins with '=' is taken as it is.
    QByteArray withIds(QByteArray word, char after) const
    {
        for (const auto &[mark, value] : m_words)
            word.replace(mark, value);
        if (word.startsWith('='))
            return word.sliced(1);
        const qsizetype from = after ? word.indexOf(after) + 1 : 0;
        if (after && from == 0)
            return word;
        QByteArray name = word.sliced(from);
        if (word.startsWith("msg:") && name == "awaiting")
            return "msg:" + QCryptographicHash::hash("m", QCryptographicHash::Sha1).toHex();
        if (word.startsWith("g:") && name == "group")
            return "g:" + QCryptographicHash::hash("g", QCryptographicHash::Sha1).toHex();
        QByteArray lane;
        if (!name.isEmpty() && name.back() >= '0' && name.back() <= '9' && m_jobs.contains(name.chopped(1)))
            lane = name.last(1), name.chop(1);
        return m_jobs.contains(name) ? word.first(from) + m_jobs[name].bytes() + lane : word;
    }

    // What is left runs to its end, and the checker of all keys agrees.
    void goesOn()
    {
        m_f.wait(300'000);
        for (int i = 0; i < 5; ++i) {
            for (const JobId &id : m_f.sweep().windowsWanted)
                await<Done>([&](auto done) { m_f.store().setWindows(id, windowBoundaries_ms({Window{}}, m_f.now_ms()), done); }).value();
            const auto reply = await<FinishAndClaimReply>([&](auto done) { m_f.store().finishAndClaim({}, {{"w", {}, 50, 0}}, done); });
            for (const ClaimedJob &job : reply->claimed[0].jobs)
                m_f.finish(job, OutcomeType::Success);
            m_f.wait(300'000);
            }
        m_f.sweep();
        const Overview counts = await<Overview>([&](auto done) { m_f.store().counts(done); }).value();
        QCOMPARE(counts.count(JobState::Ready, JobState::Running, JobState::Scheduled, JobState::Depends, JobState::Awaiting), 0);
        m_f.command({"DEL", m_f.key("audit")});
        QCOMPARE(wrongKeys(m_f.link(), "test"), QByteArray());
        QCOMPARE(text(m_f.look(Repair::No)), QByteArray());
    }

    FsckFixture m_f;
    QHash<QByteArray, JobId> m_jobs;
    QList<QPair<QByteArray, QByteArray>> m_words;
};

JUNBAN_TEST(TestFsck)
#include "test_fsck.moc"
