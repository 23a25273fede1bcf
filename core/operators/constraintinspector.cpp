#include "core/operators/constraintinspector.h"
#include "core/base/reasons/requests.h"

#include <algorithm>
#include <cmath>
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

// The limit with which a bucket's `used` is compared, in the same unit; nothing when its kind has no limit. `ofAllKeys`: the limit of all
// keys together, which is a share's capacity.
std::optional<qint64> limitOf(const Constraint &constraint, const QByteArray &key, bool ofAllKeys = false)
{
    if (const auto *share = ofAllKeys ? std::get_if<ShareParameters>(&constraint.parameters) : nullptr)
        return share->capacity;
    const Parameters parameters = constraint.parametersFor(key);
    const auto limit = kindOf(parameters).limit;
    return limit ? limit(addressOf(parameters), key) : std::nullopt;
}

// A constraint without its buckets.
answers::LiveConstraint liveConstraint(const Matchers::Place &place)
{
    const JobMatcher &matcher = *place.matcher;
    return {*place.constraint, matcher.id, matcher.title, matcher.enabled, matcher.editedBy, matcher.editedAt_ms};
}

void addTo(answers::LiveConstraint &live, const BucketState &bucket)
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

// The running jobs for which others wait. At a rate none does: it is what has started that counts, also what has ended since.
QList<JobId> holdersAt(const Constraint &constraint, const QList<JobId> &running)
{
    return constraint.kind() == ConstraintKind::Rate ? QList<JobId>() : running;
}

answers::Bucket bucketOf(const Constraint &constraint, const BucketState &state)
{
    static constexpr const char *breakerWords[] = {"closed", "open", "half_open"};
    const auto overrides = [&](const Override &override) { return override.key == state.key; };
    answers::Bucket bucket{state.key, state.used, limitOf(constraint, state.key), state.waiting, state.wouldHold, state.open,
        state.opensAt_ms, std::any_of(constraint.overrides.begin(), constraint.overrides.end(), overrides),
        holdersAt(constraint, state.holders), {}};
    if (constraint.kind() == ConstraintKind::Breaker)
        bucket.breaker = breakerWords[size_t(state.breaker)];
    return bucket;
}

answers::Gate plainGate(const char *gate, bool passes, qint64 opensAt_ms = 0)
{
    using Status = answers::GateStatus;
    return {.gate = gate, .status = passes ? Status::Pass : Status::Holding, .opensAt_ms = passes ? 0 : opensAt_ms};
}

constexpr char unreadable[] = "unreadable";

// A gate without a constraint: a matcher that cannot be read, or the job has more buckets than limits::job_buckets_max.
answers::Gate gateOf(const BucketGate &gate, const Matchers &matchers)
{
    const Matchers::Place place = matchers.constraint(gate.constraint);
    const Constraint *constraint = place.constraint;
    if (const JobMatcher *closed = matchers.closedBy(gate.constraint, gate.key)) {
        answers::Gate shown = plainGate(unreadable, gate.admits);
        shown.matcher = closed->id;
        shown.title = closed->title;
        shown.why = closed->unreadable;
        shown.waiting = gate.waiting;
        shown.editedBy = closed->editedBy;
        shown.editedAt_ms = closed->editedAt_ms;
        return shown;
    }
    answers::Gate shown = plainGate(constraint ? kindWord(constraint->kind()) : "too_many", gate.admits);
    if (gate.observed)
        shown.status = answers::GateStatus::Observed;
    shown.used = gate.used;
    shown.waiting = gate.waiting;
    shown.opensAt_ms = gate.opensAt_ms;
    if (!constraint)
        return shown;
    shown.holders = holdersAt(*constraint, gate.holders);
    shown.limit = limitOf(*constraint, gate.key, gate.ofAllKeys);
    shown.matcher = place.matcher->id;
    shown.title = place.matcher->title;
    shown.constraint = constraint->id;
    shown.kind = shown.gate;
    shown.key = gate.key;
    shown.cost = gate.cost;
    shown.editedBy = place.matcher->editedBy;
    shown.editedAt_ms = place.matcher->editedAt_ms;
    if (const auto *pause = std::get_if<PauseParameters>(&constraint->parameters))
        shown.reason = pause->reason;
    const Parameters parameters = constraint->parametersFor(gate.key);
    if (const auto *rate = std::get_if<RateParameters>(&parameters))
        shown.period_s = rate->period_s;
    return shown;
}

// Whether there are workers for a ready or scheduled job, at all masters; nothing when that is not known. The gate passes when a claim
// waits, or a worker asked within limits::asked_lately_s.
std::optional<answers::Gate> workersGate(const Job &job, const JobGates &gates)
{
    if (job.state != JobState::Ready && job.state != JobState::Scheduled)
        return {};
    const AskedFor asked = askedFor(gates.asked, job.spec.name);
    const qint64 since_ms = gates.now_ms - qint64(limits::asked_lately_s * 1000);
    const bool there = asked.waiting > 0 || asked.askedAt_ms >= since_ms;
    if (!there && !asked.complete)
        return {};
    answers::Gate gate = plainGate("workers", there);
    gate.waiting = asked.waiting;
    gate.askedAt_ms = asked.askedAt_ms;
    return gate;
}

// When a rate lets a job start that so many others come before. They are of the same buckets; others that share only this one may come
// before it, too, so it is the earliest time.
qint64 pacedAt_ms(const RateParameters &rate, const BucketGate &gate, qint64 before, qint64 now_ms)
{
    const qint64 opens_ms = gate.admits ? now_ms : gate.opensAt_ms;
    if (rate.limit <= 0)
        return opens_ms;
    const qint64 period_ms = std::max<qint64>(1, std::llround(rate.period_s * 1000)), cost = std::max<qint64>(1, gate.cost);
    if (rate.algorithm == RateAlgorithm::Gcra) {
        const double saved = gate.admits ? std::max(double(rate.burst - cost), 0.0) : 0;
        return opens_ms + qint64(std::max(double(before) * double(cost) - saved, 0.0) * double(period_ms) / double(rate.limit));
    }
    const qint64 periods = before / std::max<qint64>(1, rate.limit / cost); // what costs more than the limit has a period for itself
    qint64 from_ms = opens_ms;
    if (rate.algorithm == RateAlgorithm::Fixed && gate.admits) // periods are aligned; in a zone, the present one began this lately at most
        from_ms = now_ms - (rate.tz == "UTC" ? now_ms % period_ms : period_ms);
    return std::max(opens_ms, from_ms + periods * period_ms);
}

// When the job can start, if only time holds it; else 0. Workers do not count.
qint64 estimateOf(const Job &job, const JobGates &gates, const Matchers &matchers)
{
    if (job.state != JobState::Ready && job.state != JobState::Scheduled)
        return 0;
    qint64 opens_ms = std::max(gates.now_ms, job.state == JobState::Scheduled ? job.runAt_ms : 0);
    for (const BucketGate &gate : gates.gates) {
        if (!gate.admits && gate.opensAt_ms == 0)
            return 0;
        if (!gate.admits)
            opens_ms = std::max(opens_ms, gate.opensAt_ms);
        const Constraint *constraint = matchers.constraint(gate.constraint).constraint;
        if (!constraint || constraint->mode != ConstraintMode::Enforce || gates.position <= 0)
            continue;
        const Parameters parameters = constraint->parametersFor(gate.key);
        if (const auto *rate = std::get_if<RateParameters>(&parameters))
            opens_ms = std::max(opens_ms, pacedAt_ms(*rate, gate, gates.position, gates.now_ms));
    }
    return opens_ms;
}

} // namespace

struct ConstraintInspector::Listing {
    QList<QByteArray> ids;
    answers::ConstraintPage page;
    Callback<answers::ConstraintPage> callback;
};

ConstraintInspector::ConstraintInspector(Store &jobs, ConstraintStore &store, Matchers &matchers, Clock &clock)
    : m_jobs(jobs)
    , m_store(store)
    , m_matchers(matchers)
    , m_clock(clock)
{
}

std::optional<RateBucket> ConstraintInspector::rateBucket(
    const Constraint *constraint, const QByteArray &key, const QByteArray &id) const
{
    const Parameters parameters = constraint ? constraint->parametersFor(key) : Parameters(PauseParameters());
    const auto *rate = std::get_if<RateParameters>(&parameters);
    if (!rate)
        return {};
    const qint64 now_ms = m_clock.now_ms(), period_ms = std::max<qint64>(1, std::llround(rate->period_s * 1000));
    if (rate->algorithm == RateAlgorithm::Sliding)
        return RateBucket{id, now_ms - period_ms, true};
    const Kind &kind = kindOf(parameters);
    if (kind.followsCalendar(addressOf(parameters)))
        return RateBucket{id, kind.boundaries(addressOf(parameters), now_ms).value(0), false};
    return RateBucket{id, now_ms / period_ms * period_ms, false};
}

template<typename Bucket>
void ConstraintInspector::countStarts(std::shared_ptr<QList<Bucket>> buckets, Callback<Done> goOn)
{
    QList<RateBucket> rates;
    QList<qsizetype> places;
    for (qsizetype i = 0; i < buckets->size(); ++i) {
        const Bucket &bucket = (*buckets)[i];
        if (const auto rate = rateBucket(m_matchers.constraint(bucket.constraint).constraint, bucket.key, bucket.id)) {
            rates.append(*rate);
            places.append(i);
        }
    }
    if (rates.isEmpty()) {
        goOn(Done{});
        return;
    }
    m_store.started(rates, [buckets, places, goOn = std::move(goOn), alive = std::weak_ptr(m_life)](const Result<QList<qint64>> &used) {
        if (alive.expired())
            return;
        if (!used.ok()) {
            goOn(used.error());
            return;
        }
        for (qsizetype i = 0; i < places.size(); ++i)
            (*buckets)[places[i]].used = (*used)[i];
        goOn(Done{});
    });
}

void ConstraintInspector::list(int limit, QByteArray after, Callback<answers::ConstraintPage> callback)
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
        if (ids.size() > limit) {
            ids.resize(limit);
            listing->page.next = ids.last();
        }
        listing->ids = std::move(ids);
        listing->callback = callback;
        listOn(listing);
    });
}

void ConstraintInspector::listOn(std::shared_ptr<Listing> listing)
{
    if (listing->ids.isEmpty()) {
        listing->callback(std::move(listing->page));
        return;
    }
    const QByteArray id = listing->ids.takeFirst();
    const auto add = [this, listing, id, alive = std::weak_ptr(m_life)](const Result<ConstraintStore::Buckets> &page) {
        if (alive.expired())
            return;
        if (!page.ok()) {
            listing->callback(page.error());
            return;
        }
        auto buckets = std::make_shared<QList<BucketState>>(page->buckets);
        countStarts<BucketState>(buckets, [this, listing, id, buckets, complete = page->next == 0](const Result<Done> &counted) {
            const Matchers::Place place = m_matchers.constraint(id);
            if (!counted.ok()) {
                listing->callback(counted.error());
                return;
            }
            if (place.constraint) { // it was not deleted since
                answers::LiveConstraint live = liveConstraint(place);
                live.complete = complete;
                for (const BucketState &bucket : std::as_const(*buckets))
                    addTo(live, bucket);
                listing->page.constraints.append(std::move(live));
            }
            listOn(listing);
        });
    };
    m_store.buckets(m_matchers.constraint(id).number, 0, add);
}

void ConstraintInspector::buckets(QByteArray constraint, quint64 cursor, Callback<answers::BucketPage> callback)
{
    const auto look = [this, constraint, cursor, callback = std::move(callback), alive = std::weak_ptr(m_life)](
                          const Result<Done> &loaded) {
        if (alive.expired())
            return;
        const Matchers::Place place = m_matchers.constraint(constraint);
        if (!loaded.ok() || !place.constraint) {
            callback(loaded.ok() ? m_matchers.noConstraint(constraint) : loaded.error());
            return;
        }
        m_store.buckets(place.number, cursor,
            [this, callback, constraint = *place.constraint, alive](const Result<ConstraintStore::Buckets> &page) {
                if (alive.expired())
                    return;
                if (!page.ok()) {
                    callback(page.error());
                    return;
                }
                auto buckets = std::make_shared<QList<BucketState>>(page->buckets);
                countStarts<BucketState>(buckets, [callback, constraint, buckets, next = page->next](const Result<Done> &counted) {
                    if (!counted.ok()) {
                        callback(counted.error());
                        return;
                    }
                    answers::BucketPage shown;
                    for (const BucketState &bucket : std::as_const(*buckets))
                        shown.buckets.append(bucketOf(constraint, bucket));
                    if (next != 0)
                        shown.next = QByteArray::number(next);
                    callback(std::move(shown));
                });
            });
    };
    m_matchers.refresh(look);
}

void ConstraintInspector::held(int limit, Callback<answers::HeldList> callback)
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
                auto buckets = std::make_shared<QList<HeldBucket>>(found->buckets);
                const bool complete = found->complete && buckets->size() <= limit;
                std::stable_sort(buckets->begin(), buckets->end(),
                    [](const HeldBucket &a, const HeldBucket &b) { return a.jobs > b.jobs; });
                buckets->resize(std::min(buckets->size(), qsizetype(limit)));
                countStarts<HeldBucket>(buckets, [this, callback, buckets, complete](const Result<Done> &counted) {
                    answers::HeldList list{{}, complete};
                    for (const HeldBucket &bucket : std::as_const(*buckets))
                        list.held.append(heldRow(bucket));
                    callback(counted.ok() ? Result<answers::HeldList>(std::move(list)) : counted.error());
                });
            });
    });
}

void ConstraintInspector::markHeld(JobPage page, Callback<JobPage> callback)
{
    QList<JobId> ready;
    for (Job &job : page.jobs) {
        if (job.state == JobState::Ready)
            ready.append(job.id);
        if (const Reason why = job.state == JobState::Scheduled ? unreadableWhy(job.spec) : Reason(); !why.isEmpty())
            job.heldBy = {{}, {}, {}, unreadable, {}, 0, why};
    }
    if (ready.isEmpty()) {
        callback(std::move(page));
        return;
    }
    using Holds = QList<ConstraintStore::Hold>;
    m_store.holds(ready, [this, page = std::move(page), callback = std::move(callback), alive = std::weak_ptr(m_life)](
                             const Result<Holds> &holds) mutable {
        if (alive.expired())
            return;
        if (!holds.ok()) {
            callback(holds.error());
            return;
        }
        if (std::all_of(holds->cbegin(), holds->cend(), [](const auto &hold) { return hold.constraint < 0; })) {
            callback(std::move(page));
            return;
        }
        const auto mark = [this, page = std::move(page), callback, holds = *holds, alive](const Result<Done> &loaded) mutable {
            if (alive.expired())
                return;
            if (!loaded.ok()) {
                callback(loaded.error());
                return;
            }
            qsizetype next = 0;
            for (Job &job : page.jobs) {
                if (job.state == JobState::Ready)
                    job.heldBy = holdOf(holds.value(next++));
            }
            callback(std::move(page));
        };
        m_matchers.refresh(mark);
    });
}

JobHold ConstraintInspector::holdOf(const ConstraintStore::Hold &hold) const
{
    if (hold.constraint < 0)
        return {};
    const auto [matcher, constraint, number] = m_matchers.constraint(hold.constraint);
    if (const JobMatcher *closed = m_matchers.closedBy(hold.constraint, hold.key))
        return {closed->id, closed->title, {}, unreadable, {}, 0, closed->unreadable};
    if (!constraint)
        return {{}, {}, {}, "too_many", hold.key, hold.opensAt_ms};
    return {matcher->id, matcher->title, constraint->id, kindWord(constraint->kind()), hold.key, hold.opensAt_ms};
}

answers::Held ConstraintInspector::heldRow(const HeldBucket &bucket) const
{
    if (const JobMatcher *closed = m_matchers.closedBy(bucket.constraint, bucket.key)) {
        answers::Held held{closed->id, closed->title, {}, unreadable, {}, std::max<qint64>(bucket.jobs, 1)};
        held.oldestAt_ms = bucket.oldestAt_ms;
        held.why = closed->unreadable;
        return held;
    }
    const auto [matcher, constraint, number] = m_matchers.constraint(bucket.constraint);
    return {matcher ? matcher->id : QByteArray(), matcher ? matcher->title : QByteArray(), constraint ? constraint->id : QByteArray(),
        constraint ? kindWord(constraint->kind()) : "too_many", bucket.key, std::max<qint64>(bucket.jobs, 1), bucket.used,
        constraint ? limitOf(*constraint, bucket.key, bucket.ofAllKeys) : std::nullopt, bucket.oldestAt_ms, bucket.opensAt_ms};
}

void ConstraintInspector::explain(JobId id, Callback<answers::Explanation> callback)
{
    const auto explainJob = [this, id, callback](const Result<Job> &job) {
        if (!job.ok()) {
            callback(job.error());
            return;
        }
        m_store.explain(id, readBy(&m_matchers, job->spec).buckets,
            [this, job = *job, callback, alive = std::weak_ptr(m_life)](const Result<JobGates> &gates) {
                if (alive.expired())
                    return;
                if (!gates.ok()) {
                    callback(gates.error());
                    return;
                }
                auto buckets = std::make_shared<QList<BucketGate>>(gates->gates);
                countStarts<BucketGate>(buckets, [this, job, callback, buckets, told = *gates](const Result<Done> &counted) mutable {
                    told.gates = *buckets;
                    callback(counted.ok() ? Result<answers::Explanation>(explanationOf(job, told)) : counted.error());
                });
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

answers::Explanation ConstraintInspector::explanationOf(const Job &job, JobGates gates) const
{
    const bool due = job.state != JobState::Scheduled;
    const bool waits = job.state == JobState::Ready || job.state == JobState::Depends || !due;
    const auto order = [this](const BucketGate &gate) { return orderOf(m_matchers.constraint(gate.constraint).constraint); };
    std::stable_sort(gates.gates.begin(), gates.gates.end(),
        [&](const BucketGate &a, const BucketGate &b) { return order(a) < order(b); });
    for (BucketGate &gate : gates.gates) {
        if (gate.paces && gates.position > 0) {
            gate.admits = false;
            gate.opensAt_ms = gates.now_ms;
        }
    }
    answers::Explanation shown{job.state};
    shown.wouldRun = job.state == JobState::Ready
        && std::all_of(gates.gates.begin(), gates.gates.end(), [](const BucketGate &gate) { return gate.admits; });
    shown.gates = {plainGate("state", job.state == JobState::Ready || !due), plainGate("due", due, job.runAt_ms)};
    if (const Reason why = waits ? unreadableWhy(job.spec) : Reason(); !why.isEmpty()) {
        shown.wouldRun = false;
        shown.gates.append(plainGate(unreadable, false));
        shown.gates.last().why = why;
    }
    if (job.state == JobState::Depends && gates.ahead) {
        answers::Gate &state = shown.gates.first();
        state.holders = {*gates.ahead};
        state.why = reasons::waitsForReplaced();
    }
    for (const BucketGate &gate : std::as_const(gates.gates)) {
        if (waits)
            shown.gates.append(gateOf(gate, m_matchers));
    }
    if (const auto workers = workersGate(job, gates))
        shown.gates.append(*workers);
    if (gates.position >= 0) {
        shown.gates.append(plainGate("position", gates.position == 0));
        shown.position = gates.position;
    }
    shown.estimate_ms = estimateOf(job, gates, m_matchers);
    return shown;
}

} // namespace junban
