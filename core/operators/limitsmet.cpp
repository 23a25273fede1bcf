#include "core/operators/limitsmet.h"

#include "core/limits/bucketkey.h"

#include <algorithm>

namespace junban {

void LimitsMet::add(const JobSpec &spec)
{
    ++m_jobs;
    for (const BucketHit &hit : m_matchers.set().classify(asPushed(spec), spec.pusher, m_evaluation).buckets) {
        if (hit.mode != ConstraintMode::Enforce)
            continue;
        ++m_byConstraint[hit.constraint];
        m_charged[{hit.constraint, hit.key}] += hit.amount;
    }
}

QList<LimitMet> LimitsMet::met() const
{
    QList<LimitMet> all;
    for (auto each = m_byConstraint.cbegin(); each != m_byConstraint.cend(); ++each) {
        const Matchers::Place place = m_matchers.constraint(each.key());
        if (!place.constraint)
            continue;
        LimitMet met{place.matcher->id, place.matcher->title, each.key(), kindWord(place.constraint->kind()),
            double(each.value()) / double(m_jobs), perSecond(each.key(), {})};
        if (const auto *backlog = std::get_if<BacklogParameters>(&place.constraint->parameters)) {
            met.maxReady = backlog->maxReady;
            met.overflow = overflowWords[size_t(backlog->overflow)];
        }
        all.append(std::move(met));
    }
    std::sort(all.begin(), all.end(), [](const LimitMet &a, const LimitMet &b) {
        return a.share > b.share || (a.share == b.share && a.constraint < b.constraint);
    });
    return all;
}

double LimitsMet::drain_s(qint64 jobs) const
{
    double longest_s = 0;
    for (auto each = m_charged.cbegin(); each != m_charged.cend(); ++each) {
        const double rate = perSecond(each.key().constraint, bucketkey::text(each.key().key));
        if (rate > 0)
            longest_s = std::max(longest_s, double(jobs) * double(each.value()) / double(m_jobs) / rate);
    }
    return longest_s;
}

// How much the constraint lets start in a second at this key; an empty key: at one without parameters of its own. 0: it bounds no rate.
double LimitsMet::perSecond(const QByteArray &constraint, const QByteArray &key) const
{
    const Matchers::Place place = m_matchers.constraint(constraint);
    if (!place.constraint)
        return 0;
    const Parameters parameters = place.constraint->parametersFor(key);
    const RateParameters *rate = std::get_if<RateParameters>(&parameters);
    return rate ? double(rate->limit) / rate->period_s : 0;
}

} // namespace junban
