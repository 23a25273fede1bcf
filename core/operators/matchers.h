#pragma once

#include "core/cel/evaluation.h"
#include "core/limits/classifier.h"
#include "core/limits/matcherset.h"
#include "core/store/matcherstore.h"

#include <QHash>
#include <functional>
#include <memory>

namespace junban {

// The current matchers, compiled: which buckets a job carries, and which constraint has which number in the store. They are loaded when a
// reply of the store shows a newer epoch, and by refresh(). Threads: the engine's.
class Matchers : public Classifier
{
public:
    // The store must outlive it.
    explicit Matchers(MatcherStore &store);
    ~Matchers() override;

    qint64 epoch() const override { return m_epoch; }
    QList<CarriedBucket> buckets(const JobSpec &spec) const override { return read(spec).buckets; }
    Reading read(const JobSpec &spec) const override;
    QByteArray matcherOf(int constraint) const override;
    void reload(Callback<Done> callback) override { refresh(std::move(callback)); }

    // Loads the matchers as they are in the store at some moment after the call. A stored matcher that cannot be read or compiled any more
    // is among them as a closed one: it holds the jobs that it may match, as its limits could not be kept. Errors: the store's. After
    // an error the matchers are as they were.
    void refresh(Callback<Done> callback);
    // The next load reads all of them anew, also when no matcher was changed: what a machine lacked may be there now.
    void forget() { m_forgotten = true; }
    // The closed ones, by id.
    QList<const JobMatcher *> closed() const;
    // Which closed matcher a bucket of constraint 0 stands for, as jobs carry it that are held by one; null: for none.
    const JobMatcher *closedBy(int constraint, const QByteArray &key) const;

    // Takes over a save of this master without loading the others, if nothing else was saved since they were loaded; else the next load
    // brings it. `id`: of the matcher, which was deleted when `saved` has none.
    void adopt(const QByteArray &id, const MatcherStore::Saved &saved);

    qint64 version() const { return m_version; } // MatcherStore::Page::version; −1: nothing has been loaded yet
    const MatcherSet &set() const { return *m_set; }
    std::shared_ptr<const MatcherSet> share() const { return m_set; }
    // Null when there is no such matcher; valid until the next load.
    const JobMatcher *matcher(const QByteArray &id) const;

    // A constraint, its matcher, and its number in the store; valid until the next load. Null pointers: there is no such constraint.
    struct Place {
        const JobMatcher *matcher = nullptr;
        const Constraint *constraint = nullptr;
        int number = 0;
    };
    Place constraint(const QByteArray &id) const;
    Place constraint(int number) const { return constraint(m_ids.value(number)); }
    QList<QByteArray> constraintIds() const; // sorted
    // Says that there is no such constraint, and what ids there are when a matcher was named instead.
    Error noConstraint(const QByteArray &id) const;
    // Whether a matcher other than this one has a constraint of this id.
    bool isOfAnother(const QByteArray &constraint, const QByteArray &matcher) const;

private:
    struct Loading {
        MatcherStore::Page page;   // what has been loaded so far
        int tries = limits::matcher_save_tries_max;
    };
    void load(std::shared_ptr<Loading> loading);
    void mend(std::shared_ptr<Loading> loading, qsizetype from);
    static void closeIfTaken(JobMatcher &matcher, QHash<QByteArray, QByteArray> &owners);
    Result<Done> take(const MatcherStore::Page &page);
    Result<Done> put(QList<std::shared_ptr<const CompiledMatcher>> compiled, QHash<QByteArray, int> numbers, qint64 version, qint64 epoch);
    void loaded(const Result<Done> &result);
    QList<CarriedBucket> carried(const Classification &classification) const;

    MatcherStore &m_store;
    std::shared_ptr<const MatcherSet> m_set = std::make_shared<MatcherSet>();
    QHash<QByteArray, int> m_numbers; // by the constraint's id
    QHash<int, QByteArray> m_ids;
    qint64 m_version = -1;
    qint64 m_epoch = 0;
    bool m_forgotten = false;
    mutable cel::Evaluation m_evaluation;
    bool m_loading = false;
    QList<Callback<Done>> m_waiting;   // for the load under way
    QList<Callback<Done>> m_next;      // came after that load began, so they wait for another one
    std::shared_ptr<int> m_life = std::make_shared<int>();
};

} // namespace junban
