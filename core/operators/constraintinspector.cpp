#include "core/operators/constraintinspector.h"

#include <algorithm>
#include <utility>

namespace junban {

namespace {

// The order of an explanation's gates: by their kinds. A gate without a constraint comes first, kinds that never hold a ready job come
// last.
int orderOf(const Constraint *constraint)
{
    const int place = constraint ? kindOf(constraint->kind()).gate : -1;
    return place == 0 ? int(constraintKinds.size()) : place;
}

void addTo(ConstraintInspector::Live &live, const BucketState &bucket)
{
    ++live.buckets;
    live.used += bucket.used;
    live.waiting += bucket.waiting;
    live.wouldHold += bucket.wouldHold;
    if (bucket.open)
        return;
    ++live.closed;
    if (bucket.opensAt_ms > 0 && (live.opensAt_ms == 0 || bucket.opensAt_ms < live.opensAt_ms))
        live.opensAt_ms = bucket.opensAt_ms;
}

std::optional<ConstraintInspector::Workers> workersFor(const Job &job, const JobGates &explanation)
{
    if (job.state != JobState::Ready && job.state != JobState::Scheduled)
        return {};
    const AskedFor asked = askedFor(explanation.asked, job.spec.name);
    const qint64 since_ms = explanation.now_ms - qint64(limits::asked_lately_s * 1000);
    const bool there = asked.waiting > 0 || asked.askedAt_ms >= since_ms;
    if (!there && !asked.complete)
        return {};
    return ConstraintInspector::Workers{asked.waiting, asked.askedAt_ms, there};
}

} // namespace

std::optional<qint64> limitOf(const Constraint &constraint, const QByteArray &key)
{
    const Parameters parameters = constraint.parametersFor(key);
    const auto limit = kindOf(parameters).limit;
    return limit ? limit(addressOf(parameters), key) : std::nullopt;
}

struct ConstraintInspector::Listing {
    QList<QByteArray> ids;
    List list;
    Callback<List> callback;
};

ConstraintInspector::ConstraintInspector(Store &jobs, ConstraintStore &store, Matchers &matchers)
    : m_jobs(jobs)
    , m_store(store)
    , m_matchers(matchers)
{
}

ConstraintInspector::Place ConstraintInspector::placeOf(int number) const
{
    const Matchers::Place place = m_matchers.constraint(number);
    return {m_matchers.share(), place.matcher, place.constraint};
}

void ConstraintInspector::list(int limit, QByteArray after, Callback<List> callback)
{
    m_matchers.refresh([this, limit, after, callback = std::move(callback), alive = std::weak_ptr(m_life)](const Result<Done> &loaded) {
        if (alive.expired())
            return;
        if (!loaded.ok()) {
            callback(loaded.error());
            return;
        }
        QList<QByteArray> ids = m_matchers.constraintIds();
        ids.erase(ids.begin(), std::upper_bound(ids.begin(), ids.end(), after));
        auto listing = std::make_shared<Listing>();
        listing->list.end = ids.size() <= limit;
        ids.resize(std::min(ids.size(), qsizetype(limit)));
        listing->ids = std::move(ids);
        listing->callback = callback;
        listOn(listing);
    });
}

void ConstraintInspector::listOn(std::shared_ptr<Listing> listing)
{
    if (listing->ids.isEmpty()) {
        listing->callback(std::move(listing->list));
        return;
    }
    const int number = m_matchers.constraint(listing->ids.takeFirst()).number;
    const Place place = placeOf(number);
    m_store.buckets(number, 0, [this, listing, place, alive = std::weak_ptr(m_life)](const Result<ConstraintStore::Buckets> &page) {
        if (alive.expired())
            return;
        if (!page.ok()) {
            listing->callback(page.error());
            return;
        }
        if (place.constraint) { // it was not deleted since
            Live live;
            live.place = place;
            live.complete = page->next == 0;
            for (const BucketState &bucket : page->buckets)
                addTo(live, bucket);
            listing->list.constraints.append(std::move(live));
        }
        listOn(listing);
    });
}

void ConstraintInspector::buckets(QByteArray constraint, quint64 cursor, Callback<BucketPage> callback)
{
    const auto look = [this, constraint, cursor, callback = std::move(callback), alive = std::weak_ptr(m_life)](
                          const Result<Done> &loaded) {
        if (alive.expired())
            return;
        const int number = m_matchers.constraint(constraint).number;
        const Place place = placeOf(number);
        if (!loaded.ok() || !place.constraint) {
            callback(loaded.ok() ? Error{ErrorCode::NotFound, "There is no such constraint."} : loaded.error());
            return;
        }
        m_store.buckets(number, cursor, [callback, place](const Result<ConstraintStore::Buckets> &page) {
            if (page.ok())
                callback(BucketPage{place, page->buckets, page->next});
            else
                callback(page.error());
        });
    };
    m_matchers.refresh(look);
}

void ConstraintInspector::held(int limit, Callback<Held> callback)
{
    m_matchers.refresh([this, limit, callback = std::move(callback), alive = std::weak_ptr(m_life)](const Result<Done> &loaded) {
        if (alive.expired())
            return;
        if (!loaded.ok()) {
            callback(loaded.error());
            return;
        }
        QList<int> numbers{0};
        for (const QByteArray &id : m_matchers.constraintIds())
            numbers.append(m_matchers.constraint(id).number);
        m_store.held(numbers, limits::held_buckets_max,
            [this, limit, callback, alive](const Result<ConstraintStore::Held> &found) {
                if (alive.expired())
                    return;
                if (!found.ok()) {
                    callback(found.error());
                    return;
                }
                Held held;
                held.complete = found->complete && found->buckets.size() <= limit;
                for (const HeldBucket &bucket : found->buckets)
                    held.rows.append({placeOf(bucket.constraint), bucket});
                std::stable_sort(held.rows.begin(), held.rows.end(),
                    [](const HeldRow &a, const HeldRow &b) { return a.bucket.jobs > b.bucket.jobs; });
                held.rows.resize(std::min(held.rows.size(), qsizetype(limit)));
                callback(std::move(held));
            });
    });
}

void ConstraintInspector::explain(JobId id, Callback<Explained> callback)
{
    const auto explainJob = [this, id, callback](const Result<Job> &job) {
        if (!job.ok()) {
            callback(job.error());
            return;
        }
        m_store.explain(id, readBy(&m_matchers, job->spec).buckets,
            [this, job = *job, callback, alive = std::weak_ptr(m_life)](const Result<JobGates> &explanation) {
                if (alive.expired())
                    return;
                if (explanation.ok())
                    callback(arranged(job, *explanation));
                else
                    callback(explanation.error());
            });
    };
    m_matchers.refresh([this, id, callback, explainJob, alive = std::weak_ptr(m_life)](const Result<Done> &loaded) {
        if (alive.expired())
            return;
        if (!loaded.ok()) {
            callback(loaded.error());
            return;
        }
        m_jobs.get(id, [explainJob, alive](const Result<Job> &job) {
            if (!alive.expired())
                explainJob(job);
        });
    });
}

ConstraintInspector::Explained ConstraintInspector::arranged(Job job, JobGates explanation) const
{
    Explained explained;
    const auto constraintOf = [this](const BucketGate &gate) { return m_matchers.constraint(gate.constraint).constraint; };
    std::stable_sort(explanation.gates.begin(), explanation.gates.end(),
        [&](const BucketGate &a, const BucketGate &b) { return orderOf(constraintOf(a)) < orderOf(constraintOf(b)); });
    explained.wouldRun = job.state == JobState::Ready;
    qint64 opens_ms = std::max(explanation.now_ms, job.state == JobState::Scheduled ? job.runAt_ms : 0);
    bool byTime = job.state == JobState::Ready || job.state == JobState::Scheduled;
    for (const BucketGate &gate : std::as_const(explanation.gates)) {
        explained.places.append(placeOf(gate.constraint));
        if (gate.admits)
            continue;
        explained.wouldRun = false;
        byTime = byTime && gate.opensAt_ms > 0;
        opens_ms = std::max(opens_ms, gate.opensAt_ms);
    }
    if (byTime)
        explained.estimate_ms = opens_ms;
    explained.workers = workersFor(job, explanation);
    explained.job = std::move(job);
    explained.explanation = std::move(explanation);
    return explained;
}

} // namespace junban
