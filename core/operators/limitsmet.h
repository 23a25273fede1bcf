#pragma once

#include "core/jobs/operation.h"
#include "core/limits/matcherset.h"
#include "core/operators/matchers.h"

#include <QHash>
#include <QSet>

namespace junban {

// Which limits many jobs will meet when they start, by a sample of them.
class LimitsMet
{
public:
    // `matchers` must outlive it, and be loaded.
    explicit LimitsMet(const Matchers &matchers) : m_matchers(matchers) {}

    void add(const JobSpec &spec);
    // Those that most jobs meet first.
    QList<LimitMet> met() const;
    // How many seconds so many jobs take at least until all have started; 0: no limit bounds that.
    double drain_s(qint64 jobs) const;

private:
    struct Bucket {
        QByteArray constraint, key;
        friend bool operator==(const Bucket &, const Bucket &) = default;
        friend size_t qHash(const Bucket &bucket, size_t seed = 0) { return qHashMulti(seed, bucket.constraint, bucket.key); }
    };
    double perSecond(const QByteArray &constraint, const QByteArray &key) const;

    const Matchers &m_matchers;
    cel::Evaluation m_evaluation;
    qint64 m_jobs = 0;
    QHash<QByteArray, qint64> m_byConstraint; // how many jobs it concerns
    QHash<Bucket, qint64> m_charged;          // what they are charged there
};

} // namespace junban
