#include "core/operators/situation.h"

#include "core/base/clock.h"
#include "core/operators/pauses.h"

#include <QSet>
#include <algorithm>
#include <numeric>
#include <utility>

namespace junban {

namespace {

void soonest(qint64 &opensAt_ms, qint64 other_ms)
{
    if (other_ms > 0 && (opensAt_ms == 0 || other_ms < opensAt_ms))
        opensAt_ms = other_ms;
}

HeldBy heldBy(const Matchers::Place &place, const JobMatcher *closed)
{
    HeldBy by;
    by.kind = closed ? "unreadable" : "too_many";
    if (closed) {
        by.matcher = closed->id;
        by.title = closed->title;
    }
    if (place.constraint) {
        by.matcher = place.matcher->id;
        by.title = place.matcher->title;
        by.constraint = place.constraint->id;
        by.kind = kindWord(place.constraint->kind());
    }
    return by;
}

// Its enabled and enforced constraints, in their order.
QList<QByteArray> inForce(const Matchers &matchers, ConstraintKind kind)
{
    QList<QByteArray> ids;
    for (const QByteArray &id : matchers.constraintIds()) {
        const Matchers::Place place = matchers.constraint(id);
        if (place.matcher->enabled && place.constraint->kind() == kind && place.constraint->mode == ConstraintMode::Enforce)
            ids.append(id);
    }
    return ids;
}

OpenBreaker openBreaker(const Matchers::Place &place, const QList<BucketState> &buckets)
{
    OpenBreaker breaker{place.matcher->id, place.matcher->title, place.constraint->id};
    for (const BucketState &bucket : buckets) {
        if (bucket.breaker != BreakerState::Open)
            continue;
        ++breaker.keys;
        soonest(breaker.opensAt_ms, bucket.opensAt_ms);
    }
    return breaker;
}

FullBacklog fullBacklog(const Matchers::Place &place, const QList<BucketState> &buckets)
{
    const Overflow overflow = std::get<BacklogParameters>(place.constraint->parameters).overflow;
    FullBacklog backlog{place.matcher->id, place.matcher->title, place.constraint->id, overflowWords[size_t(overflow)]};
    for (const BucketState &bucket : buckets) {
        if (bucket.waiting < std::get<BacklogParameters>(place.constraint->parametersFor(bucket.key)).maxReady)
            continue;
        ++backlog.keys;
        backlog.jobs += bucket.waiting;
    }
    return backlog;
}

} // namespace

struct Situation::Looking {
    QList<QByteArray> constraints;     // breakers and backlogs still to be looked at
    QList<OpenBreaker> open;
};

Situation::Situation(Inspector &inspector, ConstraintStore &store, Matchers &matchers, const Rereader &rereader,
                     const UnreadableRecords &records)
    : m_inspector(inspector)
    , m_store(store)
    , m_matchers(matchers)
    , m_rereader(rereader)
    , m_records(records)
{
}

void Situation::overview(Callback<Overview> callback)
{
    m_inspector.overview([this, callback = std::move(callback), alive = std::weak_ptr(m_life)](Result<Overview> counts) {
        if (alive.expired())
            return;
        if (!counts.ok()) {
            callback(counts.error());
        } else if (Clock::monotonic_ms() - m_lookedAt_ms < limits::situation_ms) {
            callback(described(std::move(*counts)));
        } else {
            m_waiting.append([this, callback, counts = std::move(*counts)] { callback(described(counts)); });
            if (!std::exchange(m_looking, true))
                look();
        }
    });
}

void Situation::look()
{
    m_matchers.refresh([this, alive = std::weak_ptr(m_life)](const Result<Done> &loaded) {
        if (alive.expired())
            return;
        if (loaded.ok())
            lookAtHeld();
        else
            looked();
    });
}

void Situation::lookAtHeld()
{
    QList<int> numbers{0};
    for (const QByteArray &id : m_matchers.constraintIds())
        numbers.append(m_matchers.constraint(id).number);
    const auto came = [this, alive = std::weak_ptr(m_life)](const Result<ConstraintStore::Held> &held) {
        if (alive.expired())
            return;
        if (!held.ok()) {
            looked();
            return;
        }
        m_held = heldNow(*held);
        m_backlogs.removeIf([this](const Filled &each) {
            const Matchers::Place place = m_matchers.constraint(each.backlog.constraint);
            return !place.constraint || !place.matcher->enabled || place.constraint->revision != each.revision
                || Clock::monotonic_ms() - each.seen_ms >= limits::held_lingers_ms;
        });
        auto looking = std::make_shared<Looking>();
        for (const ConstraintKind kind : {ConstraintKind::Breaker, ConstraintKind::Backlog})
            looking->constraints += inForce(m_matchers, kind).mid(0, limits::held_by_max);
        lookAtBuckets(looking);
    };
    m_store.held(numbers, limits::held_buckets_max, came);
}

// The buckets of each constraint together. A job carries one bucket of a constraint at most, so these sums count no job twice; the sum over
// constraints would.
HeldNow Situation::heldNow(const ConstraintStore::Held &held)
{
    HeldNow now;
    QHash<QByteArray, qint64> parked;
    bool few = held.unmet < limits::script_items_max; // so few that all of their lanes were looked at, as each has a job
    for (const HeldBucket &bucket : held.buckets) {
        const Matchers::Place place = m_matchers.constraint(bucket.constraint);
        const QByteArray id = place.constraint ? place.constraint->id : QByteArray();
        const HeldBy named = heldBy(place, m_matchers.closedBy(bucket.constraint, bucket.key));
        auto row = std::find_if(now.by.begin(), now.by.end(),
            [&](const HeldBy &by) { return by.constraint == id && by.matcher == named.matcher; });
        if (row == now.by.end())
            row = now.by.insert(now.by.end(), named);
        row->jobs += std::max<qint64>(bucket.jobs, 1);
        ++row->keys;
        soonest(row->opensAt_ms, bucket.opensAt_ms);
        now.jobs += bucket.parked;
        parked[id] += bucket.parked;
        few = few && bucket.parked < limits::script_items_max;
    }
    now.jobs += held.unmet;
    const Bounds sure = boundsOf(now.by, parked);
    now.jobs = std::max(now.jobs, sure.least);
    now.complete = held.complete && (few || now.jobs >= sure.most);
    linger(now, parked);
    std::stable_sort(now.by.begin(), now.by.end(), [](const HeldBy &a, const HeldBy &b) { return a.jobs > b.jobs; });
    if (!now.by.isEmpty())
        now.jobs = std::max(now.jobs, now.by.first().jobs);
    if (now.by.size() > limits::held_by_max) {
        now.complete = false;
        now.by.resize(limits::held_by_max);
    }
    return now;
}

// How many different jobs these limits hold, at least and at most. Each limit counts its own jobs wholly, but the script looks only at some
// lanes to see which of them another limit counts, too. Limits whose matchers share no name share no job, so their sums add up; of those
// that may share jobs, at least the largest sum counts, or what was seen to wait at them. A limit without `by` holds all jobs of its
// matcher, so the others of that matcher add none.
Situation::Bounds Situation::boundsOf(const QList<HeldBy> &by, const QHash<QByteArray, qint64> &parked) const
{
    struct Cluster {
        std::optional<cel::NameSet> names; // none: of any name
        qint64 least = 0, parked = 0;
        QHash<QByteArray, qint64> most;    // by matcher
    };
    QSet<QByteArray> wholly; // matchers of which a limit holds all jobs
    for (const HeldBy &one : by) {
        const Constraint *constraint = m_matchers.constraint(one.constraint).constraint;
        if (constraint && constraint->by.isEmpty())
            wholly.insert(one.matcher);
    }
    QList<Cluster> clusters;
    for (const HeldBy &one : by) {
        const auto matcher = m_matchers.set().matcher(one.matcher);
        Cluster joined{matcher ? std::optional(matcher->names()) : std::nullopt, one.jobs, parked.value(one.constraint), {}};
        for (qsizetype i = clusters.size() - 1; i >= 0; --i) {
            if (joined.names && clusters[i].names && joined.names->intersected(*clusters[i].names).isNone())
                continue;
            const Cluster other = clusters.takeAt(i);
            joined.names = joined.names && other.names ? std::optional(joined.names->united(*other.names)) : std::nullopt;
            joined.least = std::max(joined.least, other.least);
            joined.parked += other.parked;
            joined.most.insert(other.most);
        }
        qint64 &most = joined.most[one.matcher];
        most = wholly.contains(one.matcher) ? std::max(most, one.jobs) : most + one.jobs;
        clusters.append(joined);
    }
    Bounds sum;
    for (const Cluster &cluster : std::as_const(clusters)) {
        sum.least += std::max(cluster.least, cluster.parked);
        sum.most += std::accumulate(cluster.most.cbegin(), cluster.most.cend(), qint64(0));
    }
    return sum;
}

// A limit on starts or on running jobs is open for a moment between one job and the next. It would come and go with each look, so it stays
// for a while, unless it was changed. Its jobs may wait at another limit by now, so the sum is at most what it was when they were counted.
void Situation::linger(HeldNow &now, const QHash<QByteArray, qint64> &parked)
{
    const qint64 now_ms = Clock::monotonic_ms();
    const auto stays = [&](const QByteArray &id, const Lately &lately) {
        const Matchers::Place place = m_matchers.constraint(id);
        return place.constraint && place.matcher->enabled && place.constraint->revision == lately.revision
            && now_ms - lately.seen_ms < limits::held_lingers_ms;
    };
    m_heldLately.removeIf([&](const auto &each) { return !stays(each.key(), each.value()); });
    for (const HeldBy &by : std::as_const(now.by)) {
        const Constraint *constraint = m_matchers.constraint(by.constraint).constraint;
        if (constraint && kindOf(constraint->kind()).brief)
            m_heldLately[by.constraint] = {by, parked.value(by.constraint), constraint->revision, now_ms};
    }
    qint64 most = now.jobs;
    for (const Lately &lately : std::as_const(m_heldLately)) {
        if (lately.seen_ms == now_ms)
            continue;
        now.by.append(lately.by);
        now.jobs += lately.parked;
        most = std::max(most, lately.all);
    }
    now.jobs = std::min(now.jobs, most);
    for (Lately &lately : m_heldLately) {
        if (lately.seen_ms == now_ms)
            lately.all = now.jobs;
    }
}

void Situation::lookAtBuckets(const std::shared_ptr<Looking> &looking)
{
    if (looking->constraints.isEmpty()) {
        m_breakers = std::move(looking->open);
        lookAtWaiting();
        return;
    }
    const QByteArray id = looking->constraints.takeFirst();
    const auto came = [this, looking, id, alive = std::weak_ptr(m_life)](const Result<ConstraintStore::Buckets> &page) {
        if (alive.expired())
            return;
        const Matchers::Place place = m_matchers.constraint(id);
        const QList<BucketState> buckets = page.ok() ? page->buckets : QList<BucketState>();
        if (place.constraint && place.constraint->kind() == ConstraintKind::Breaker) {
            if (OpenBreaker breaker = openBreaker(place, buckets); breaker.keys > 0)
                looking->open.append(std::move(breaker));
        } else if (place.constraint && place.constraint->kind() == ConstraintKind::Backlog) {
            takeBacklog(place, buckets);
        }
        lookAtBuckets(looking);
    };
    m_store.buckets(m_matchers.constraint(id).number, 0, came);
}

// One that is full drops below its bound with each job that starts, and is full again with the next push. So it stays for a while, unless
// it was changed.
void Situation::takeBacklog(const Matchers::Place &place, const QList<BucketState> &buckets)
{
    Filled filled{fullBacklog(place, buckets), place.constraint->revision, Clock::monotonic_ms()};
    if (filled.backlog.keys == 0)
        return;
    m_backlogs.removeIf([&](const Filled &each) { return each.backlog.constraint == filled.backlog.constraint; });
    m_backlogs.append(std::move(filled));
}

void Situation::lookAtWaiting()
{
    m_store.waiting([this, alive = std::weak_ptr(m_life)](Result<ConstraintStore::Waiting> waiting) {
        if (alive.expired())
            return;
        if (waiting.ok())
            takeWaiting(std::move(*waiting));
        looked();
    });
}

// A name that nobody has asked for yet counts when its jobs have waited for some seconds, because masters tell once a second what is asked
// for. One of which it is not known whether somebody has asked does not count.
void Situation::takeWaiting(ConstraintStore::Waiting waiting)
{
    m_priorities = std::move(waiting.priorities);
    std::sort(m_priorities.begin(), m_priorities.end(), [](const PriorityNow &a, const PriorityNow &b) { return a.priority < b.priority; });
    if (m_priorities.size() > limits::overview_priorities_max)
        m_priorities.remove(0, m_priorities.size() - limits::overview_priorities_max);
    m_unasked = {};
    m_unasked.complete = waiting.complete;
    const qint64 since_ms = waiting.now_ms - qint64(limits::asked_lately_s * 1000);
    const qint64 old_ms = waiting.now_ms - qint64(limits::unasked_after_s * 1000);
    for (const ConstraintStore::Waiting::Name &each : std::as_const(waiting.names)) {
        const AskedFor asked = askedFor(waiting.asked, each.name);
        if (asked.waiting > 0 || asked.askedAt_ms >= since_ms || each.oldestAt_ms > old_ms)
            continue;
        if (!asked.complete) {
            m_unasked.complete = false;
            continue;
        }
        m_unasked.jobs += each.jobs;
        m_unasked.names.append({each.name, each.jobs, asked.askedAt_ms});
    }
    std::sort(m_unasked.names.begin(), m_unasked.names.end(), [](const UnaskedName &a, const UnaskedName &b) {
        return a.jobs != b.jobs ? a.jobs > b.jobs : a.name < b.name;
    });
    if (m_unasked.names.size() > limits::unasked_names_max) {
        m_unasked.complete = false;
        m_unasked.names.resize(limits::unasked_names_max);
    }
}

void Situation::looked()
{
    m_lookedAt_ms = Clock::monotonic_ms();
    m_looking = false;
    for (const std::function<void()> &answer : std::exchange(m_waiting, {}))
        answer();
}

// Single jobs that come and go change whether the sum is exact. One that was not is not called exact for a while.
bool Situation::isExact(bool now)
{
    if (!now)
        m_inexactAt_ms = Clock::monotonic_ms();
    return now && Clock::monotonic_ms() - m_inexactAt_ms >= limits::held_lingers_ms;
}

Overview Situation::described(Overview counts)
{
    for (const JobMatcher &matcher : pausesIn(m_matchers.set())) {
        const Pause pause = pauseOf(matcher);
        if (matcher.enabled && (pause.until_ms == 0 || pause.until_ms > counts.now_ms))
            counts.pauses.append(pause);
    }
    std::stable_sort(counts.pauses.begin(), counts.pauses.end(), [](const Pause &a, const Pause &b) { return a.since_ms > b.since_ms; });
    counts.pauses.resize(std::min(counts.pauses.size(), qsizetype(limits::overview_pauses_max)));
    for (const JobMatcher *closed : m_matchers.closed())
        counts.unreadable.append({"matcher", closed->id, closed->unreadable});
    counts.unreadable += m_records.all();
    counts.unreadable.resize(std::min(counts.unreadable.size(), qsizetype(limits::unreadable_shown_max)));
    counts.held = m_held;
    const qint64 ready = counts.count(JobState::Ready);
    counts.held.jobs = std::min(m_held.jobs, ready);
    counts.held.complete = isExact(m_held.complete || (counts.held.jobs == ready && m_held.by.size() < limits::held_by_max));
    counts.held.reading = std::min(m_rereader.left(), ready);
    for (HeldBy &by : counts.held.by)
        by.jobs = std::min(by.jobs, ready);
    counts.held.by.removeIf([](const HeldBy &by) { return by.jobs == 0; });
    counts.breakers = m_breakers;
    for (const Filled &filled : m_backlogs)
        counts.backlogs.append(filled.backlog);
    counts.priorities = m_priorities;
    counts.unasked = m_unasked;
    if (m_server)
        counts.server = m_server->now();
    return counts;
}

} // namespace junban
