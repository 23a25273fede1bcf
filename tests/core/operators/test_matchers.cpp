#include "core/operators/matchers.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace junban;

namespace {

// Keeps matchers in memory, and counts how many it has told.
class FewMatchers : public MatcherStore
{
public:
    void list(QByteArray after, qint64 known, Callback<Page> callback) override
    {
        Page page{version, version, {}, true};
        for (auto each = kept.upperBound(after); known != version && each != kept.end(); ++each)
            page.matchers.append(*each);
        told += page.matchers.size();
        const auto answer = [callback = std::move(callback), page] { callback(page); };
        if (later)
            waiting.append(answer);
        else
            answer();
    }
    void save(Save, Callback<Saved>) override {}
    void history(QByteArray, Callback<History>) override {}
    void refresh(qint64, ConstraintParameters, Callback<Done>) override {}

    // What a master is told of its save. Without an expression the matcher is deleted.
    Saved saved(const QByteArray &id, const QByteArray &expression)
    {
        ++version;
        Saved saved{version, version, {}};
        if (expression.isEmpty()) {
            kept.remove(id);
            return saved;
        }
        saved.kept.matcher.id = id;
        saved.kept.matcher.expression = expression;
        Constraint constraint;
        constraint.id = id + ".c1";
        constraint.parameters = ConcurrencyParameters{.limit = 1};
        saved.kept.matcher.constraints = {constraint};
        saved.kept.numbers = {{constraint.id, ++numbers}};
        kept.insert(id, saved.kept);
        return saved;
    }

    QMap<QByteArray, KeptMatcher> kept;
    qint64 version = 0;
    int numbers = 0;
    qsizetype told = 0;
    bool later = false;
    QList<std::function<void()>> waiting;
};

} // namespace

// The matchers that a master has in mind.
class TestMatchers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_matchers.reset();
        m_store = std::make_unique<FewMatchers>();
        m_store->saved("a", "job.name == \"a\"");
        m_store->saved("b", "job.name == \"b\"");
        m_matchers = std::make_unique<Matchers>(*m_store);
        refresh();
        QCOMPARE(m_store->told, 2);
    }

    // It holds for no job; it must not keep the others from being read.
    void aMatcherOfAnOlderVersionMayBeOfAWrongType()
    {
        m_store->saved("old", "job.name");
        refresh();
        QVERIFY(m_matchers->constraintIds().contains("old.c1"));
        QVERIFY(m_matchers->constraintIds().contains("a.c1"));
        QVERIFY(!CompiledMatcher::compile(m_store->kept["old"].matcher).matcher); // but it is not saved again
    }

    void whatThisMasterSavesIsTakenOverAlone()
    {
        m_matchers->adopt("c", m_store->saved("c", "job.name == \"c\""));
        QCOMPARE(carriedBy("c"), 3);
        QCOMPARE(m_matchers->version(), 3);
        QCOMPARE(m_matchers->epoch(), 3);
        m_matchers->adopt("a", m_store->saved("a", "job.name == \"d\"")); // its constraint gets another number
        QCOMPARE(carriedBy("a"), 0);
        QCOMPARE(carriedBy("d"), 4);
        QCOMPARE(m_matchers->constraint(1).constraint, nullptr);
        m_matchers->adopt("b", m_store->saved("b", {}));
        QCOMPARE(carriedBy("b"), 0);
        QCOMPARE(m_matchers->constraintIds(), (QList<QByteArray>{"a.c1", "c.c1"}));
        refresh();
        QCOMPARE(m_store->told, 2); // the others were not loaded again
        QCOMPARE(m_matchers->version(), 5);
    }

    void aSaveAfterOneOfAnotherMasterIsLoadedWithIt()
    {
        m_store->saved("other", "job.name == \"other\"");
        m_matchers->adopt("c", m_store->saved("c", "job.name == \"c\""));
        QCOMPARE(m_matchers->version(), 2);
        refresh();
        QCOMPARE(m_matchers->version(), 4);
        QCOMPARE(carriedBy("other"), 3);
        QCOMPARE(carriedBy("c"), 4);
    }

    // The answer under way was made before the save.
    void aLoadUnderWayDoesNotTakeBackASave()
    {
        m_store->later = true;
        m_matchers->refresh([](const Result<Done> &) {});
        m_matchers->adopt("c", m_store->saved("c", "job.name == \"c\""));
        m_store->later = false;
        m_store->waiting.takeFirst()();
        refresh();
        QCOMPARE(carriedBy("c"), 3);
        QCOMPARE(m_matchers->version(), 3);
    }

private:
    void refresh()
    {
        bool loaded = false;
        m_matchers->refresh([&loaded](const Result<Done> &done) { loaded = done.ok(); });
        QVERIFY(loaded);
    }
    // The number of the constraint that a job of this name is under; 0: none.
    int carriedBy(const QByteArray &name) const
    {
        JobSpec spec;
        spec.name = name;
        const QList<CarriedBucket> buckets = m_matchers->buckets(spec);
        return buckets.isEmpty() ? 0 : buckets.first().constraint;
    }

    std::unique_ptr<FewMatchers> m_store;
    std::unique_ptr<Matchers> m_matchers;
};

JUNBAN_TEST(TestMatchers)
#include "test_matchers.moc"
