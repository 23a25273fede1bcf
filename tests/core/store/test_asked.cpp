#include "core/store/askednames.h"

#include "core/msgpack/msgpackwriter.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;

// What an engine remembers of the names its workers ask for, and what is told of it.
class TestAsked : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_names = AskedNamesLog(); }

    void whatNobodyAsksForIsNotTold()
    {
        QVERIFY(!m_names.news({}, 5'000, clock));
        m_names.note({"a"}, 5'000);
        QVERIFY(m_names.news({}, 6'000, clock));
        QVERIFY(!m_names.news({}, 7'000, clock));
        m_names.note({"a"}, 7'500);
        QVERIFY(m_names.news({}, 8'000, clock));
        QVERIFY(!m_names.news({}, 9'000, clock));
        m_names.tellAgain();
        QVERIFY(m_names.news({}, 9'000, clock));
    }

    void timesAreToldOnRedisClock()
    {
        m_names.note({"a", "b"}, 5'000);
        m_names.note({"b"}, 5'700);
        m_names.note({}, 5'900);
        const auto told = m_names.news({}, 6'000, clock);
        QVERIFY(told && told->complete);
        QCOMPARE(told->names.size(), 3);
        QCOMPARE(of(*told, "a").askedAt_ms, clock - 1'000);
        QCOMPARE(of(*told, "b").askedAt_ms, clock - 300);
        QCOMPARE(of(*told, "").askedAt_ms, clock - 100);
        QCOMPARE(of(*told, "a").waiting, 0);
    }

    void whoWaitsAsksAllTheTimeAndWhoLeftIsToldOnce()
    {
        m_names.note({"a"}, 1'000);
        QCOMPARE(of(*m_names.news({{"a", 3}, {"", 1}}, 31'000, clock), "a").waiting, 3);
        const auto later = m_names.news({{"a", 3}, {"", 1}}, 32'000, clock + 1'000); // it is news that they still do
        QVERIFY(later);
        QCOMPARE(of(*later, "a").askedAt_ms, clock + 1'000);
        QCOMPARE(of(*later, "").waiting, 1);
        const auto left = m_names.news({}, 33'000, clock + 2'000);
        QVERIFY(left);
        QCOMPARE(of(*left, "a").askedAt_ms, clock + 1'000);
        QCOMPARE(of(*left, "a").waiting, 0);
        QVERIFY(!m_names.news({}, 34'000, clock + 3'000));
    }

    void whatIsTooOldIsForgottenAndThatIsTold()
    {
        const qint64 kept_ms = qint64(limits::asked_kept_s * 1'000);
        m_names.note({"a"}, 1'000);
        QVERIFY(m_names.news({}, 1'000, clock));
        QVERIFY(!m_names.news({}, 1'000 + kept_ms, clock));
        const auto told = m_names.news({}, 1'001 + kept_ms, clock);
        QVERIFY(told && told->names.isEmpty() && told->complete);
        QVERIFY(told->packed().isEmpty());
        QVERIFY(!m_names.news({}, 9'000 + kept_ms, clock));
    }

    void theOldestOfTooManyNamesAreForgottenAndTheRecordSaysSoForAWhile()
    {
        const int most = limits::asked_names_max;
        const qint64 lately_ms = qint64(limits::asked_lately_s * 1'000);
        for (int i = 0; i < most; ++i)
            m_names.note({QByteArray::number(i)}, 1'000 + i);
        QVERIFY(m_names.news({}, 10'000, clock)->complete);
        m_names.note({"0"}, 10'000); // no longer the oldest
        for (int i = 0; i < 500; ++i)
            m_names.note({QByteArray("more") + QByteArray::number(i)}, 10'000);
        auto told = m_names.news({}, 10'000, clock);
        QVERIFY(!told->complete);
        QCOMPARE(told->names.size(), most);
        QCOMPARE(of(*told, "0").askedAt_ms, clock);
        QCOMPARE(of(*told, "1").askedAt_ms, 0); // gone
        QCOMPARE(of(*told, "500").askedAt_ms, 0); // the last that is, asked for at 1,500
        QCOMPARE(of(*told, "501").askedAt_ms, clock - 10'000 + 1'501);
        QVERIFY(!m_names.news({}, 1'501 + lately_ms, clock));
        told = m_names.news({}, 1'502 + lately_ms, clock);
        QVERIFY(told && told->complete);
        QVERIFY(!m_names.news({}, 1'503 + lately_ms, clock));
    }

    void namesThatComeFasterThanTheyAreToldAreBoundedToo()
    {
        const int most = limits::asked_names_max;
        for (int i = 0; i < 5 * most; ++i)
            m_names.note({QByteArray::number(i)}, 1'000 + i);
        const auto told = m_names.news({}, 90'000, clock);
        QCOMPARE(told->names.size(), most);
        QCOMPARE(of(*told, QByteArray::number(5 * most - 1)).askedAt_ms, clock - 90'000 + 1'000 + 5 * most - 1);
        QCOMPARE(of(*told, QByteArray::number(4 * most)).askedAt_ms, clock - 90'000 + 1'000 + 4 * most);
        QCOMPARE(of(*told, QByteArray::number(4 * most - 1)).askedAt_ms, 0);
    }

    void moreWaitingNamesThanThereIsRoomForAreNotToldAsComplete()
    {
        QHash<QByteArray, qint64> waiting;
        for (int i = 0; i <= limits::asked_names_max; ++i)
            waiting.insert(QByteArray::number(i), 1);
        const auto told = m_names.news(waiting, 1'000, clock);
        QVERIFY(!told->complete);
        QCOMPARE(told->names.size(), limits::asked_names_max);
    }

    void aRecordSurvivesItsJourney()
    {
        const AskedNames sent{{{"a", clock, 2}, {"", clock - 7, 0}, {"\xe6\x97\xa5", 1, 3}}, false};
        const AskedNames got = AskedNames::fromPacked(sent.packed());
        QVERIFY(!got.complete);
        QCOMPARE(got.names.size(), 3);
        for (qsizetype i = 0; i < 3; ++i) {
            QCOMPARE(got.names[i].name, sent.names[i].name);
            QCOMPARE(got.names[i].askedAt_ms, sent.names[i].askedAt_ms);
            QCOMPARE(got.names[i].waiting, sent.names[i].waiting);
        }
        QVERIFY(AskedNames::fromPacked(AskedNames{{{"a", 1, 1}}, true}.packed()).complete);
    }

    void whatIsNoRecordSaysNothing()
    {
        QVERIFY(AskedNames::fromPacked({}).names.isEmpty());
        QVERIFY(AskedNames::fromPacked("garbage").names.isEmpty());
        const QByteArray whole = AskedNames{{{"abc", clock, 2}}, true}.packed();
        for (qsizetype cut = 0; cut < whole.size(); ++cut)
            QVERIFY(AskedNames::fromPacked(whole.first(cut)).names.isEmpty());
    }

    void allRecordsTogetherCountThoseWhoAcceptTheName()
    {
        const QList<AskedNames> records{{{{"a", 100, 2}, {"b", 900, 5}}, true}, {{{"", 300, 1}}, true}, {{{"a", 200, 0}}, true}};
        const AskedFor a = askedFor(records, "a"), b = askedFor(records, "b"), c = askedFor(records.mid(0, 1), "c");
        QCOMPARE(a.waiting, 3);
        QCOMPARE(a.askedAt_ms, 300);
        QCOMPARE(b.waiting, 6);
        QCOMPARE(b.askedAt_ms, 900);
        QCOMPARE(c.waiting, 0);
        QCOMPARE(c.askedAt_ms, 0);
        QVERIFY(a.complete && c.complete);
        QVERIFY(!askedFor({{{}, true}, {{}, false}, {{}, true}}, "a").complete);
    }

private:
    static AskedNames::Name of(const AskedNames &record, const QByteArray &name)
    {
        for (const AskedNames::Name &each : record.names) {
            if (each.name == name)
                return each;
        }
        return {};
    }

    static constexpr qint64 clock = 1'750'000'000'000;
    AskedNamesLog m_names;
};

JUNBAN_TEST(TestAsked)
#include "test_asked.moc"
