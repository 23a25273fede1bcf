#include "core/base/reasons/store.h"
#include "core/engine/engine.h"

#include <QSet>
#include <algorithm>

// Matchers and their constraints: edits of them, and what they do to jobs. docs/decisions/enginelimits.md has the structures.
namespace junban::engine {

namespace {

constexpr int holders_max = 10;              // running jobs that are named for a bucket
constexpr int lanes_looked_max = 100;        // of a group, for what is shown of it
constexpr int position_max = 100'000;        // jobs that are counted to say how many come before one

QByteArray idOf(const Bucket &bucket)
{
    return bucketId({bucket.constraint->number, bucket.text, 1, bucket.identity});
}

qint64 earlier(qint64 a_ms, qint64 b_ms)     // of two times; 0: none
{
    return a_ms == 0 || (b_ms > 0 && b_ms < a_ms) ? b_ms : a_ms;
}

// What a bucket does to the jobs whose lanes hang at it.
struct HeldAt {
    qint64 jobs = 0;                         // that it holds
    std::optional<qint64> cost;              // the smallest that it holds; nothing: it holds none
    bool open = false;                       // it admits some cost that waits
    qint64 opensAt_ms = 0, oldestAt_ms = 0;
};

HeldAt heldAt(const Buckets &buckets, const Bucket &bucket)
{
    HeldAt held;
    bool waits = false;
    for (const auto &[place, group] : bucket.groups) {
        if (!group.set->isCurrent())
            continue;
        waits = true;
        const Admitted now = buckets.holdsBack(bucket, group.cost);
        if (now.admits) {
            held.open = true;
            continue;
        }
        held.jobs += group.jobs;
        held.cost = std::min(group.cost, held.cost.value_or(group.cost));
        held.opensAt_ms = earlier(held.opensAt_ms, now.opensAt_ms);
        int looked = 0;
        for (const Lane *lane : group.lanes) {
            held.oldestAt_ms = earlier(held.oldestAt_ms, lane->head->createdAt_ms);
            if (++looked == lanes_looked_max)
                break;
        }
    }
    if (const Admitted now = buckets.holdsBack(bucket, 1); !waits && bucket.ready > 0 && !now.admits) {
        held.cost = 1;
        held.opensAt_ms = now.opensAt_ms;
    }
    return held;
}

} // namespace

QByteArray Engine::lacks(const JobMatcher &matcher)
{
    for (const Constraint &constraint : matcher.constraints) {
        if (!limiterKind(constraint.kind()))
            return kindWord(constraint.kind());
        const auto reserves = [](const Parameters &parameters) {
            const auto *concurrency = std::get_if<ConcurrencyParameters>(&parameters);
            return concurrency && concurrency->reserveAfter_s;
        };
        const auto ofKey = [&](const Override &own) { return reserves(constraint.parametersFor(own.key)); };
        if (reserves(constraint.parameters) || std::any_of(constraint.overrides.begin(), constraint.overrides.end(), ofKey))
            return "reserve_after";
    }
    return {};
}

// ---- Edits ----

Decided<Result<MatcherStore::Saved>> Engine::saveMatcher(const MatcherStore::Save &save, const Moment &at)
{
    return decided<Result<MatcherStore::Saved>>(at, [&]() -> Result<MatcherStore::Saved> {
        if (const Result<Done> may = m_matchers.check(save); !may.ok())
            return may.error();
        const std::shared_ptr<const CompiledMatcher> before = m_matchers.set().matcher(save.id);
        const KeptMatcher *known = m_matchers.find(save.id);
        const KeptMatcher old = known ? *known : KeptMatcher();
        const MatcherStore::Saved saved = m_matchers.keep(save, m_now_ms, m_writes);
        m_admission.setMatchers(m_matchers.share());
        for (const int number : old.numbers) {
            if (!std::any_of(saved.kept.numbers.begin(), saved.kept.numbers.end(), [number](int kept) { return kept == number; }))
                m_buckets.retire(number);
        }
        for (const Constraint &constraint : saved.kept.matcher.constraints)
            m_admission.look(m_buckets.put(saved.kept.numbers.value(constraint.id), constraint, m_now_ms));
        if (save.change == EpochChange::New) {
            const std::shared_ptr<const CompiledMatcher> after = m_matchers.set().matcher(save.id);
            readAgain([&](const QByteArray &name) {
                return (before && before->names().contains(name)) || (after && after->names().contains(name));
            });
        }
        changed(Topic::Matchers);
        return saved;
    });
}

// The jobs of these names are read again: running ones now, ready ones later.
void Engine::readAgain(const std::function<bool(const QByteArray &name)> &concerned)
{
    QSet<const NameEntry *> names;
    for (const auto &[number, name] : m_jobs.names()) {
        if (!concerned(name->name))
            continue;
        m_admission.readAgain(*name);
        names.insert(name);
    }
    for (const JobState state : {JobState::Running, JobState::Awaiting}) {
        for (JobEntry *job : m_jobs.inState(state)) {
            if (names.contains(job->name) && m_admission.recharge(*job))
                changed(*job, StatePart);
        }
    }
}

// The first reading after a load. What is charged to running jobs stays.
void Engine::readLoaded()
{
    m_admission.setMatchers(m_matchers.share());
    for (const auto &[number, name] : m_jobs.names()) {
        if (m_matchers.set().concerns(name->name))
            m_admission.readAgain(*name);
    }
    m_wake = {}; // nobody waits yet
}

Decided<qint64> Engine::readAllAgain(const Moment &at)
{
    return decided<qint64>(at, [&] {
        m_matchers.loaded(); // a matcher that could not be compiled may be by now
        m_admission.setMatchers(m_matchers.share());
        readAgain([](const QByteArray &) { return true; });
        changed(Topic::Matchers);
        return m_matchers.beginEpoch(m_writes);
    });
}

Decided<qint64> Engine::readOn(int jobs, const Moment &at)
{
    return decided<qint64>(at, [&] {
        m_admission.readOn(jobs);
        return m_admission.unread();
    });
}

// One slice is all: a breaker has few buckets.
Decided<Result<ConstraintStore::Switched>> Engine::switchBreaker(int constraint, const BreakerSwitch &what, const Moment &at)
{
    return decided<Result<ConstraintStore::Switched>>(at, [&]() -> Result<ConstraintStore::Switched> {
        ActiveConstraint *found = m_buckets.find(constraint);
        if (!found)
            return reasons::constraintNotFound();
        if (found->value.kind() != ConstraintKind::Breaker)
            return reasons::constraintNotBreaker();
        if (what.to == BreakerState::Open && what.only)
            m_buckets.bucket(*found, what.only->identity, what.only->key);
        ConstraintStore::Switched switched;
        for (auto &[identity, bucket] : found->buckets) {
            if (what.key && *what.key != bucket.text)
                continue;
            ++switched.buckets;
            if (what.to == BreakerState::Open)
                switched.opensAt_ms = std::max(switched.opensAt_ms, m_buckets.trip(bucket, what.openFor_ms));
            else
                m_buckets.reset(bucket);
            m_admission.look(bucket);
        }
        changed(Topic::Matchers);
        return switched;
    });
}

// ---- Looking ----

// What a job is charged if it starts, or was charged when it started. `unread`: newer matchers have to read it.
Charges Engine::chargesOf(const JobEntry &job, bool &unread)
{
    unread = false;
    if (isInHands(job.state))
        return m_admission.chargesOf(job);
    if (job.lane && job.lane->set->isCurrent())
        return *job.lane->charges;
    if (!job.name->lanes)
        return {};
    unread = job.state == JobState::Ready;
    Charges charges = m_admission.read(job);
    for (const Charge &charge : charges)
        m_buckets.released(*charge.bucket); // it may have been made for this look
    return charges;
}

std::map<const Bucket *, QList<JobId>> Engine::holders() const
{
    std::map<const Bucket *, QList<JobId>> holders;
    for (const JobState state : {JobState::Running, JobState::Awaiting}) {
        for (const JobEntry *job : m_jobs.inState(state)) {
            for (const Charge &charge : m_admission.chargesOf(*job)) {
                if (QList<JobId> &its = holders[charge.bucket]; its.size() < holders_max)
                    its.append(job->id);
            }
        }
    }
    return holders;
}

Result<JobGates> Engine::explain(const JobId &id)
{
    JobEntry *job = m_jobs.find(id);
    if (!job)
        return reasons::jobNotFound();
    JobGates gates;
    gates.now_ms = m_now_ms;
    const Charges charges = chargesOf(*job, gates.stale);
    const auto running = charges.empty() ? std::map<const Bucket *, QList<JobId>>() : holders();
    for (const Charge &charge : charges) {
        const Bucket &bucket = *charge.bucket;
        const Admitted now = m_buckets.admits(bucket, charge.cost);
        BucketGate gate{bucket.constraint->number, bucket.text, int(charge.cost), now.admits, now.observed, bucket.used, bucket.ready};
        gate.opensAt_ms = now.admits ? 0 : now.opensAt_ms;
        gate.ofAllKeys = now.ofAllKeys > 0;
        gate.used = gate.ofAllKeys ? now.ofAllKeys : gate.used;
        gate.paces = now.admits && !m_buckets.holdsBack(bucket, charge.cost).admits;
        gate.id = idOf(bucket);
        if (const auto its = running.find(&bucket); its != running.end())
            gate.holders = its->second;
        gates.gates.append(std::move(gate));
    }
    if (job->state == JobState::Ready) {
        const ReadyJobs &alike = job->lane && !gates.stale ? job->lane->jobs : job->name->ready;
        auto next = alike.begin();
        for (gates.position = 0; *next != job && gates.position < position_max; ++next)
            ++gates.position;
    }
    return gates;
}

QList<ConstraintStore::Hold> Engine::holds(const QList<JobId> &ids)
{
    QList<ConstraintStore::Hold> holds;
    for (const JobId &id : ids) {
        ConstraintStore::Hold hold;
        const JobEntry *job = m_jobs.find(id);
        bool unread = false;
        for (const Charge &charge : job && job->state == JobState::Ready ? chargesOf(*job, unread) : Charges()) {
            const Admitted now = m_buckets.holdsBack(*charge.bucket, charge.cost);
            if (now.admits)
                continue;
            hold = {charge.bucket->constraint->number, charge.bucket->text, now.opensAt_ms};
            break;
        }
        holds.append(hold);
    }
    return holds;
}

ConstraintStore::Held Engine::held(const QList<int> &constraints, int buckets_max) const
{
    ConstraintStore::Held all;
    const auto isHeld = [this](const Lane &lane) {
        return std::any_of(lane.charges->begin(), lane.charges->end(),
            [this](const Charge &charge) { return !m_buckets.holdsBack(*charge.bucket, charge.cost).admits; });
    };
    for (const int number : constraints) {
        const ActiveConstraint *constraint = m_buckets.find(number);
        if (!constraint)
            continue;
        for (const auto &[identity, bucket] : constraint->buckets) {
            if (buckets_max-- <= 0) {
                all.complete = false;
                return all;
            }
            const HeldAt held = heldAt(m_buckets, bucket);
            if (held.cost) {
                const qint64 jobs = held.open ? held.jobs : std::max(held.jobs, bucket.ready);
                all.buckets.append(
                    {number, bucket.text, jobs, bucket.used, held.opensAt_ms, false, held.oldestAt_ms, held.jobs, idOf(bucket)});
            }
            for (const auto &[place, group] : bucket.groups) {
                if (!group.set->isCurrent() || !m_buckets.holdsBack(bucket, group.cost).admits)
                    continue;
                int looked = 0;
                for (const Lane *lane : group.lanes) {
                    all.unmet += isHeld(*lane) ? qint64(lane->jobs.size()) : 0;
                    if (++looked == lanes_looked_max)
                        break;
                }
            }
        }
    }
    return all;
}

ConstraintStore::Buckets Engine::buckets(int constraint, quint64 cursor) const
{
    ConstraintStore::Buckets page;
    const ActiveConstraint *found = m_buckets.find(constraint);
    if (!found)
        return page;
    const auto running = holders();
    quint64 at = 0;
    for (const auto &[identity, bucket] : found->buckets) {
        if (at++ < cursor)
            continue;
        if (page.buckets.size() == limits::script_items_max) {
            page.next = at - 1;
            break;
        }
        const Admitted now = m_buckets.holdsBack(bucket, 1);
        BucketState state{constraint, bucket.text, idOf(bucket), bucket.used, bucket.ready, bucket.wouldHold, now.admits};
        state.opensAt_ms = now.admits ? 0 : now.opensAt_ms;
        if (const auto its = running.find(&bucket); its != running.end())
            state.holders = its->second;
        if (Breaker *breaker = bucket.limiter->breaker())
            state.breaker = breaker->state(m_now_ms);
        page.buckets.append(std::move(state));
    }
    return page;
}

QList<qint64> Engine::started(const QList<RateBucket> &buckets) const
{
    std::map<QByteArray, const Bucket *> known;
    QSet<int> numbers;
    for (const RateBucket &each : buckets)
        numbers.insert(each.id.left(each.id.indexOf('.')).toInt());
    for (const int number : std::as_const(numbers)) {
        if (const ActiveConstraint *constraint = m_buckets.find(number)) {
            for (const auto &[identity, bucket] : constraint->buckets)
                known[idOf(bucket)] = &bucket;
        }
    }
    QList<qint64> started;
    for (const RateBucket &each : buckets) {
        const auto found = known.find(each.id);
        started.append(found == known.end() ? 0 : found->second->limiter->startedSince(each.since_ms));
    }
    return started;
}

} // namespace junban::engine
