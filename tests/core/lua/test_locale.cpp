#include "tests/core/lua/lanesfixture.h"
#include "tests/support/testmain.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

using namespace junban;
using namespace junban::test;

// Redis takes the locale that it is started in, and Lua compares texts by it. The order of jobs is that of their bytes all the same.
class TestLocale : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_locales.isValid());
        const QString german = m_locales.filePath(QStringLiteral("de_DE.UTF-8"));
        QCOMPARE(QProcess::execute(QStringLiteral("localedef"),
                     {QStringLiteral("-i"), QStringLiteral("de_DE"), QStringLiteral("-f"), QStringLiteral("UTF-8"), german}), 0);
        qputenv("LOCPATH", m_locales.path().toUtf8());
        qputenv("LC_ALL", "de_DE.UTF-8");
        QVERIFY(m_lanes.start());
        QTRY_COMPARE(m_lanes.link->state(), redis::LinkState::Up);
        QCOMPARE(m_lanes.command({"EVAL", "return 'B' < 'a' and 1 or 0", "0"}).integer(), 0);
    }

    void init()
    {
        m_lanes.begin();
        ModelLimit limit;
        limit.numbers.limit = jobs;
        QVERIFY(m_lanes.setLimit(1, limit.packed()));
        QVERIFY(m_lanes.setRule([](const JobSpec &spec) {
            const int value = Lanes::valueOf(spec);
            return value == 0 ? QList<CarriedBucket>() : QList<CarriedBucket>{{1, QByteArray::number(value), 1}};
        }));
        QRandomGenerator random(1);
        m_pushed.clear();
        for (int i = 0; i < jobs; ++i) {
            m_lanes.passTime(random.bounded(1, 100'000));
            m_pushed += m_lanes.push("n" + QByteArray::number(random.bounded(5)), {random.bounded(3)});
        }
    }

    void jobsStartInTheOrderOfTheirIds()
    {
        QList<JobId> started;
        for (int calls = 0; calls < jobs && started.size() < jobs; ++calls)
            started += m_lanes.claimIds(7);
        QCOMPARE(started, m_pushed);
    }

    void jobsWaitInTheOrderOfTheirIds()
    {
        ModelLimit shut;
        shut.numbers.limit = 0;
        QVERIFY(m_lanes.setLimit(1, shut.packed()));
        while (!m_lanes.claim(9).isEmpty()) { }
        shut.numbers.limit = jobs;
        QVERIFY(m_lanes.setLimit(1, shut.packed()));
        QList<JobId> expected, started;
        for (const JobId &id : std::as_const(m_pushed)) {
            if (await<Job>([&](auto done) { m_lanes.stores[0]->get(id, done); })->state == JobState::Ready)
                expected.append(id);
        }
        for (int calls = 0; calls < jobs && started.size() < expected.size(); ++calls)
            started += m_lanes.claimIds(7);
        QCOMPARE(started, expected);
    }

    void jobsAreListedInTheOrderOfTheirIds()
    {
        PageRequest request;
        request.limit = 7;
        QList<JobId> listed;
        for (bool end = false; !end && listed.size() <= jobs;) {
            const Page page = await<Page>([&](auto done) { m_lanes.stores[0]->page(request, done); }).value();
            for (const Job &job : page.jobs)
                listed.append(job.id);
            end = page.end || page.jobs.isEmpty();
            request.after = page.last;
        }
        QCOMPARE(listed, m_pushed);
    }

private:
    static constexpr int jobs = 150;

    QTemporaryDir m_locales;
    Lanes m_lanes;
    QList<JobId> m_pushed;
};

JUNBAN_TEST(TestLocale)
#include "test_locale.moc"
