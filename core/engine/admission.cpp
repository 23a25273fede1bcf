#include "core/engine/admission.h"

#include <algorithm>
#include <tuple>

namespace junban::engine {

namespace {

// The order in which a claim asks the buckets of a job: that of their kinds' gates in explanations.
bool isAskedBefore(const Charge &a, const Charge &b)
{
    const auto key = [](const Charge &each) {
        const ActiveConstraint &constraint = *each.bucket->constraint;
        const int gate = constraint.number == 0 ? 0 : kindOf(constraint.value.kind()).gate;
        return std::tuple(gate, constraint.number, QByteArrayView(each.bucket->identity));
    };
    return key(a) < key(b);
}

// A lane begins at the bucket that most jobs carry, so that lanes leave the order together when it closes.
size_t widest(const Charges &charges)
{
    size_t widest = 0;
    for (size_t i = 1; i < charges.size(); ++i)
        widest = charges[i].bucket->ready > charges[widest].bucket->ready ? i : widest;
    return widest;
}

} // namespace

void DeleteLanes::operator()(LaneSet *lanes) const
{
    delete lanes;
}

Admission::Admission(JobTable &jobs, Buckets &buckets, const qint64 &now_ms, Hints &wake)
    : m_jobs(jobs)
    , m_buckets(buckets)
    , m_now_ms(now_ms)
    , m_wake(wake)
    , m_matchers(std::make_shared<const MatcherSet>())
{
}

// ---- Ready jobs ----

void Admission::enter(JobEntry &job)
{
    place(job, *job.name->lanes);
    settle(*job.name);
}

void Admission::leave(JobEntry &job)
{
    LaneSet *lanes = job.name->lanes.get();
    if (lanes && lanes->firstUnread() == &job)
        pass(*lanes);
    if (job.lane)
        leaveLane(job);
    if (lanes)
        settle(*job.name);
    lookAtReopened();
}

JobEntry *Admission::next(const QList<QByteArray> &names, int &reads)
{
    while (NameEntry *name = m_jobs.best(names)) {
        if (!name->lanes)
            return name->head;
        if (name->head == name->lanes->firstUnread()) {
            if (reads-- <= 0) {
                tell(*name);
                return nullptr;
            }
            readNext(*name);
        } else if (JobEntry *job = admitted(*name)) {
            return job;
        }
    }
    return nullptr;
}

// The first job of a name's order if all of its buckets admit it. Otherwise what stood first does not stand there any more; null.
JobEntry *Admission::admitted(NameEntry &name)
{
    LaneGroup &group = **name.lanes->order.begin();
    if (group.bucket) {
        if (const Admitted now = m_buckets.admits(*group.bucket, group.cost); !now.admits) {
            close(group, now);
            settle(name);
            return nullptr;
        }
    }
    Lane &lane = **group.lanes.begin();
    for (size_t i = 0; i < lane.charges->size(); ++i) {
        const Charge &charge = (*lane.charges)[i];
        if (charge.bucket == group.bucket || m_buckets.admits(*charge.bucket, charge.cost).admits)
            continue;
        unhang(lane);
        hang(lane, i);
        settle(name);
        return nullptr;
    }
    return lane.head;
}

// Puts a job into the lane of what it is charged.
void Admission::place(JobEntry &job, LaneSet &set)
{
    const auto [found, isNew] = set.lanes.try_emplace(read(job));
    const Charges &charges = found->first;
    Lane &lane = found->second;
    if (isNew) {
        lane.set = &set;
        lane.charges = &charges;
        lane.home = widest(charges);
        for (const Charge &charge : charges)
            ++charge.bucket->lanes;
    }
    countReady(lane, 1);
    ++set.jobs;
    job.lane = &lane;
    if (!lane.head) {
        lane.jobs.insert(&job);
        lane.head = &job;
        hang(lane, lane.home);
        return;
    }
    ++lane.group->jobs;
    if (!ByPriority()(&job, lane.head)) {
        lane.jobs.insert(&job);
        return;
    }
    auto standing = lane.group->lanes.extract(&lane); // it stands there by its present head
    lane.jobs.insert(&job);
    lane.head = &job;
    lane.group->lanes.insert(std::move(standing));
    lead(*lane.group);
}

void Admission::countReady(const Lane &lane, qint64 by)
{
    for (const Charge &charge : *lane.charges)
        m_buckets.countReady(*charge.bucket, by);
}

void Admission::leaveLane(JobEntry &job)
{
    Lane &lane = *std::exchange(job.lane, nullptr);
    if (lane.set->isCurrent())
        countReady(lane, -1);
    --lane.set->jobs;
    if (lane.head != &job) {
        lane.jobs.erase(&job);
        --lane.group->jobs;
        return;
    }
    const bool isHome = lane.charges->empty() || lane.group->bucket == (*lane.charges)[lane.home].bucket;
    if (lane.jobs.size() > 1 && isHome) {
        auto standing = lane.group->lanes.extract(&lane);
        lane.jobs.erase(lane.jobs.begin());
        lane.head = *lane.jobs.begin();
        --lane.group->jobs;
        lane.group->lanes.insert(std::move(standing));
        lead(*lane.group);
        return;
    }
    unhang(lane);
    lane.jobs.erase(lane.jobs.begin());
    lane.head = lane.jobs.empty() ? nullptr : *lane.jobs.begin();
    if (lane.head)
        hang(lane, lane.home);
    else
        dropLane(lane);
}

void Admission::dropLane(Lane &lane)
{
    LaneSet &set = *lane.set;
    for (const Charge &charge : *lane.charges) {
        --charge.bucket->lanes;
        m_buckets.released(*charge.bucket);
    }
    set.lanes.erase(set.lanes.find(*lane.charges));
    if (set.lanes.empty() && !set.isCurrent())
        m_putAside.erase(set.number);
}

LaneGroup &Admission::groupOf(Lane &lane, size_t place)
{
    LaneSet &set = *lane.set;
    if (lane.charges->empty()) {
        set.free.open = true;
        return set.free;
    }
    const Charge &charge = (*lane.charges)[place];
    const auto [found, isNew] = charge.bucket->groups.try_emplace({charge.cost, set.number});
    LaneGroup &group = found->second;
    if (isNew) {
        group.set = &set;
        group.bucket = charge.bucket;
        group.cost = charge.cost;
        open(group);
    }
    return group;
}

void Admission::hang(Lane &lane, size_t place)
{
    LaneGroup &group = groupOf(lane, place);
    lane.group = &group;
    group.lanes.insert(&lane);
    group.jobs += qint64(lane.jobs.size());
    lead(group);
}

void Admission::unhang(Lane &lane)
{
    LaneGroup &group = *std::exchange(lane.group, nullptr);
    group.lanes.erase(&lane);
    group.jobs -= qint64(lane.jobs.size());
    lead(group);
    if (group.lanes.empty() && group.bucket)
        group.bucket->groups.erase({group.cost, group.set->number});
}

// The first lane of a group may be another one, or have another head.
void Admission::lead(LaneGroup &group)
{
    JobEntry *const head = group.lanes.empty() ? nullptr : (*group.lanes.begin())->head;
    if (head == group.head)
        return;
    if (group.open && group.head)
        group.set->order.erase(&group); // it stands there by its present head
    group.head = head;
    if (group.open && head)
        group.set->order.insert(&group);
}

// Puts a group that is shut into the order if its bucket admits it.
bool Admission::open(LaneGroup &group)
{
    const Admitted now = m_buckets.admits(*group.bucket, group.cost);
    if (!now.admits) {
        noteOpening(*group.bucket, now);
        return false;
    }
    group.open = true;
    if (group.head)
        group.set->order.insert(&group);
    return true;
}

void Admission::close(LaneGroup &group, const Admitted &now)
{
    group.set->order.erase(&group);
    group.open = false;
    noteOpening(*group.bucket, now);
}

void Admission::noteOpening(Bucket &bucket, const Admitted &now)
{
    if (now.opensAt_ms == 0)
        return;
    const qint64 at_ms = std::max(now.opensAt_ms, m_now_ms + 1);
    m_buckets.wakeAt(bucket, at_ms);
    m_wake.opens_ms = m_wake.opens_ms == 0 ? at_ms : std::min(m_wake.opens_ms, at_ms);
}

// The first of a name's jobs that a claim is to look at.
void Admission::settle(NameEntry &name)
{
    const LaneSet &set = *name.lanes;
    JobEntry *head = set.order.empty() ? nullptr : (*set.order.begin())->head;
    if (JobEntry *unread = set.firstUnread(); unread && (!head || ByPriority()(unread, head)))
        head = unread;
    m_jobs.setHead(name, head);
}

void Admission::tell(const NameEntry &name)
{
    if (!m_wake.readyNames.contains(name.name))
        m_wake.readyNames.append(name.name);
}

// ---- Attempts ----

void Admission::charge(JobEntry &job)
{
    if (!job.lane || !job.lane->set->isCurrent() || job.lane->charges->empty())
        return;
    Charges charges = *job.lane->charges;
    for (const Charge &charge : charges) {
        if (charge.bucket->constraint->value.mode == ConstraintMode::Observe && m_buckets.admits(*charge.bucket, charge.cost).observed)
            m_buckets.noteWouldHold(*charge.bucket);
    }
    for (Charge &charge : charges)
        m_buckets.charge(charge);
    keep(job, std::move(charges));
}

void Admission::uncharge(JobEntry &job, AttemptEnd how, qint64 retryAfter_ms)
{
    if (!std::exchange(job.charged, false))
        return;
    const Running running = std::move(m_running.extract(&job).mapped());
    m_cancels.erase({running.cancelsAt_ms, &job});
    for (const Charge &charge : running.charges)
        m_buckets.uncharge(charge, job.course->startedAt_ms, how, retryAfter_ms);
    for (const Charge &charge : running.charges)
        look(*charge.bucket);
    lookAtReopened();
}

const Charges &Admission::chargesOf(const JobEntry &job) const
{
    static const Charges none;
    return job.charged ? m_running.at(&job).charges : none;
}

void Admission::restore(JobEntry &job, Charges charges)
{
    for (const Charge &charge : charges)
        m_buckets.addRunning(charge);
    keep(job, std::move(charges));
}

// What a running job is charged from now on.
void Admission::keep(JobEntry &job, Charges charges)
{
    Running &running = m_running[&job];
    running.job = &job;
    running.charges = std::move(charges);
    job.charged = true;
    noteCancel(running);
}

// A limit that was edited counts from the edit on.
void Admission::noteCancel(Running &running)
{
    m_cancels.erase({running.cancelsAt_ms, running.job});
    running.cancelsAt_ms = 0;
    for (const Charge &charge : running.charges) {
        const ActiveConstraint &constraint = *charge.bucket->constraint;
        if (constraint.value.mode != ConstraintMode::Enforce)
            continue;
        const qint64 at_ms = charge.bucket->limiter->cancelsAt_ms(std::max(constraint.savedAt_ms, running.job->course->startedAt_ms));
        if (at_ms > 0 && (running.cancelsAt_ms == 0 || at_ms < running.cancelsAt_ms))
            running.cancelsAt_ms = at_ms;
    }
    if (running.cancelsAt_ms > 0)
        m_cancels.insert({running.cancelsAt_ms, running.job});
}

JobEntry *Admission::nextToCancel()
{
    if (m_cancels.empty() || m_cancels.begin()->first > m_now_ms)
        return nullptr;
    JobEntry *job = m_cancels.begin()->second;
    m_cancels.erase(m_cancels.begin());
    m_running.at(job).cancelsAt_ms = 0;
    return job;
}

// ---- Changes ----

void Admission::readAgain(NameEntry &name)
{
    if (name.lanes && !name.lanes->lanes.empty()) {
        for (const auto &[charges, lane] : name.lanes->lanes)
            countReady(lane, -qint64(lane.jobs.size())); // what nobody has read waits nowhere
        const quint64 number = name.lanes->number;
        m_putAside[number] = std::move(name.lanes);
    }
    name.lanes.reset();
    m_unread.erase(name.number);
    if (!m_matchers->concerns(name.name)) {
        m_jobs.setHead(name, name.ready.empty() ? nullptr : *name.ready.begin());
    } else {
        name.lanes.reset(new LaneSet(name, ++m_sets));
        if (!name.ready.empty())
            m_unread[name.number] = &name;
        settle(name);
    }
    if (name.head)
        tell(name);
    lookAtReopened();
}

// A start is counted where it was counted, and can be given back there.
bool Admission::recharge(JobEntry &job)
{
    Charges after = m_matchers->concerns(job.name->name) ? read(job) : Charges();
    const Charges before = chargesOf(job);
    if (after == before)
        return false;
    const auto within = [](const Charges &charges, const Charge &charge) {
        return std::find(charges.begin(), charges.end(), charge);
    };
    for (Charge &charge : after) {
        if (const auto same = within(before, charge); same != before.end())
            charge.counted = same->counted;
        else
            m_buckets.addRunning(charge);
    }
    for (const Charge &charge : before) {
        if (within(after, charge) == after.end())
            m_buckets.uncharge(charge, job.course->startedAt_ms, AttemptEnd::Other);
    }
    if (after.empty()) {
        m_cancels.erase({m_running.at(&job).cancelsAt_ms, &job});
        m_running.erase(&job);
        job.charged = false;
    } else {
        keep(job, std::move(after));
    }
    for (const Charge &charge : before)
        look(*charge.bucket);
    lookAtReopened();
    return true;
}

void Admission::look(ActiveConstraint &constraint)
{
    for (auto &[identity, bucket] : constraint.buckets)
        look(bucket);
    for (auto &[job, running] : m_running) {
        const auto isIts = [&](const Charge &charge) { return charge.bucket->constraint == &constraint; };
        if (std::any_of(running.charges.begin(), running.charges.end(), isIts))
            noteCancel(running);
    }
}

void Admission::look(Bucket &bucket)
{
    for (auto &[place, group] : bucket.groups) {
        if (group.open || !group.set->isCurrent() || !open(group))
            continue;
        settle(group.set->name);
        tell(group.set->name);
    }
}

// Buckets of keys that share with one whose use, or whose need, became smaller.
void Admission::lookAtReopened()
{
    while (ActiveConstraint *constraint = m_buckets.nextReopened()) {
        for (auto &[identity, bucket] : constraint->buckets)
            look(bucket);
    }
}

void Admission::lookAtDue()
{
    while (Bucket *bucket = m_buckets.nextAwake())
        look(*bucket);
}

// Passes the job at the cursor, and those behind it that have been read.
void Admission::pass(LaneSet &set)
{
    do
        ++set.unread;
    while (set.unread != set.name.ready.end() && set.hasRead(**set.unread));
}

// Returns whether the name has more unread jobs. Precondition: it has one.
bool Admission::readNext(NameEntry &name)
{
    LaneSet &set = *name.lanes;
    JobEntry &job = *set.firstUnread();
    pass(set);
    if (job.lane)
        leaveLane(job);
    place(job, set);
    settle(name);
    lookAtReopened();
    const bool more = set.firstUnread() != nullptr;
    if (!more)
        m_unread.erase(name.number);
    return more;
}

bool Admission::readOn(int jobs)
{
    while (jobs > 0 && !m_unread.empty()) {
        NameEntry &name = *m_unread.begin()->second;
        bool more = name.lanes->firstUnread() != nullptr;
        for (; more && jobs > 0; --jobs)
            more = readNext(name);
        if (!more)
            m_unread.erase(name.number);
        if (name.head)
            tell(name);
    }
    return !m_unread.empty();
}

qint64 Admission::unread() const
{
    qint64 jobs = 0;
    for (const auto &[number, name] : m_unread)
        jobs += qint64(name->ready.size()) - name->lanes->jobs;
    return jobs;
}

// ---- Looking ----

Charges Admission::read(const JobEntry &job)
{
    const JobSpec spec = asPushed(*unpackRecord(job.record));
    const Classification found = m_matchers->classify(spec, spec.pusher, m_evaluation);
    Charges charges;
    ActiveConstraint &none = *m_buckets.find(0);
    if (found.tooMany)
        charges.push_back({&m_buckets.bucket(none, {}, {})});
    for (const BucketHit &hit : found.tooMany ? QList<BucketHit>() : found.buckets) {
        if (ActiveConstraint *constraint = m_buckets.find(hit.constraint))
            charges.push_back({&m_buckets.bucket(*constraint, hit.key), hit.amount});
    }
    for (const QByteArray &id : found.closed.first(std::min<qsizetype>(found.closed.size(), limits::held_by_max)))
        charges.push_back({&m_buckets.bucket(none, QByteArray("closed\0", 7) + id, id)});
    std::sort(charges.begin(), charges.end(), isAskedBefore);
    if (charges.size() > size_t(limits::job_buckets_max))
        charges.resize(limits::held_by_max); // those of the constraint 0 come first
    return charges;
}

} // namespace junban::engine
