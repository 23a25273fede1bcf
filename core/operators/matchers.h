#pragma once

#include "core/cel/evaluation.h"
#include "core/limits/classifier.h"
#include "core/limits/matcherset.h"
#include "core/store/matcherstore.h"

#include <QHash>
#include <functional>
#include <memory>

namespace junban {

// The matchers in force, compiled: which buckets a job carries, and which constraint a number in the store stands for. They are loaded
// when the store meets a newer epoch, and by whoever wants to be sure (refresh()). Threads: the engine's.
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

    // Makes sure that what stands here is what stood in the store at some moment after the call. Errors: the store's; Internal when a
    // matcher that is kept cannot be compiled, as none of its limits could be kept then.
    void refresh(Callback<Done> callback);

    qint64 version() const { return m_version; } // of MatcherStore::Page; −1: nothing was loaded yet
    const MatcherSet &set() const { return *m_set; }
    std::shared_ptr<const MatcherSet> share() const { return m_set; }
    // Null when there is none.
    const JobMatcher *matcher(const QByteArray &id) const;

    // A constraint in its matcher, and its number in the store.
    struct Place {
        const JobMatcher *matcher = nullptr;
        const Constraint *constraint = nullptr;
        int number = 0;
    };
    // Nothing where there is none.
    Place constraint(const QByteArray &id) const;
    Place constraint(int number) const { return constraint(m_ids.value(number)); }
    QList<QByteArray> constraintIds() const; // in order

private:
    struct Loading {
        MatcherStore::Page page;   // what was loaded so far
        int tries = limits::matcher_save_tries_max;
    };
    void load(std::shared_ptr<Loading> loading);
    Result<Done> take(const MatcherStore::Page &page);
    void loaded(const Result<Done> &result);
    QList<CarriedBucket> carried(const Classification &classification) const;

    MatcherStore &m_store;
    std::shared_ptr<const MatcherSet> m_set = std::make_shared<MatcherSet>();
    QHash<QByteArray, int> m_numbers; // by the constraint's id
    QHash<int, QByteArray> m_ids;
    qint64 m_version = -1;
    qint64 m_epoch = 0;
    mutable cel::Evaluation m_evaluation;
    bool m_loading = false;
    QList<Callback<Done>> m_waiting;   // for the load under way
    QList<Callback<Done>> m_next;      // came after it began, so wait for another
    std::shared_ptr<int> m_life = std::make_shared<int>();
};

} // namespace junban
