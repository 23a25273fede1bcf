#include "core/engine/loading.h"

namespace junban::engine {

namespace {

bool equal(const Attempt &a, const Attempt &b)
{
    return a.number == b.number && a.worker == b.worker && a.startedAt_ms == b.startedAt_ms && a.endedAt_ms == b.endedAt_ms
        && a.ended == b.ended && a.message == b.message && a.shouldRetry == b.shouldRetry && a.nextRunAt_ms == b.nextRunAt_ms;
}
bool equal(const Event &a, const Event &b)
{
    return a == b;
}
bool equal(const HistoryEntry &a, const HistoryEntry &b)
{
    if (a.index() != b.index())
        return false;
    return a.index() == 0 ? equal(std::get<Attempt>(a), std::get<Attempt>(b)) : equal(std::get<Event>(a), std::get<Event>(b));
}
bool equal(const std::unique_ptr<QList<HistoryEntry>> &a, const std::unique_ptr<QList<HistoryEntry>> &b)
{
    if (!a || !b)
        return !a && !b;
    return std::equal(a->begin(), a->end(), b->begin(), b->end(), [](const HistoryEntry &x, const HistoryEntry &y) { return equal(x, y); });
}
template<typename Value>
bool equal(const std::unique_ptr<Value> &a, const std::unique_ptr<Value> &b)
{
    return a && b ? *a == *b : !a && !b;
}
bool equal(const Totals &a, const Totals &b)
{
    return a.enqueued == b.enqueued && a.started == b.started && a.succeeded == b.succeeded && a.failed == b.failed
        && a.failures == b.failures && a.retried == b.retried && a.expired == b.expired && a.cancelled == b.cancelled
        && a.deleted == b.deleted;
}

// The first field that differs; null: none.
const char *differing(const JobEntry &a, const JobEntry &b)
{
    if (a.record != b.record)
        return "record";
    if (a.charged != b.charged)
        return "charged";
    if (a.slot != b.slot || a.stored != b.stored || a.argumentApart != b.argumentApart || a.outcomeApart != b.outcomeApart)
        return "slot";
    if (a.name->name != b.name->name || a.name->number != b.name->number)
        return "name";
    if (a.priority != b.priority)
        return "priority";
    if (a.keepResult != b.keepResult)
        return "keepResult";
    if (a.state != b.state)
        return "state";
    if (a.createdAt_ms != b.createdAt_ms)
        return "createdAt_ms";
    if (a.order_ms != b.order_ms)
        return "order_ms";
    if (!equal(a.special, b.special))
        return "special";
    if (!equal(a.marks, b.marks))
        return "marks";
    if (!equal(a.course, b.course))
        return "course";
    if (!equal(a.history, b.history))
        return "history";
    return equal(a.outcome, b.outcome) ? nullptr : "outcome";
}

const char *differing(const KeptResult &a, const KeptResult &b)
{
    if (a.slot != b.slot || a.apart != b.apart)
        return "slot";
    if (a.outcome != b.outcome)
        return "outcome";
    if (a.endsAt_ms != b.endsAt_ms)
        return "endsAt_ms";
    if (a.taken != b.taken || a.receipt != b.receipt)
        return "receipt";
    return a.owner == b.owner && a.sharers == b.sharers ? nullptr : "owner";
}

// Whether two indexes have the same jobs in the same order.
template<typename Jobs>
bool sameOrder(const Jobs &a, const Jobs &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const JobEntry *x, const JobEntry *y) { return x->id == y->id; });
}

bool sameCharges(const Charges &a, const Charges &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Charge &x, const Charge &y) {
        return x.bucket->constraint->number == y.bucket->constraint->number && x.bucket->identity == y.bucket->identity && x.cost == y.cost
            && x.counted == y.counted;
    });
}

QByteArray differenceOfOrders(const JobTable &a, const JobTable &b)
{
    for (size_t state = 0; state <= size_t(JobState::Cancelled); ++state) {
        if (!sameOrder(a.inState(JobState(state)), b.inState(JobState(state))) || a.count(JobState(state)) != b.count(JobState(state)))
            return QByteArray("order.") + stateWord(JobState(state));
    }
    if (a.trash() != b.trash())
        return "order.trash";
    if (a.tracked() != b.tracked())
        return "order.tracked";
    if (a.names().size() != b.names().size())
        return "names";
    for (const auto &[number, name] : a.names()) {
        const auto other = b.names().find(number);
        if (other == b.names().end() || other->second->name != name->name || !sameOrder(name->ready, other->second->ready))
            return "names." + name->name;
        const JobEntry *head = name->head, *otherHead = other->second->head;
        if (!name->lanes != !other->second->lanes || (!name->lanes && (head && otherHead ? head->id != otherHead->id : head != otherHead)))
            return "names." + name->name + ".head"; // of a name with lanes it depends on which jobs were read
        if (!name->changed && !equal(name->totals, other->second->totals))
            return "names." + name->name + ".totals";
    }
    return same(a.special(), b.special()) ? QByteArray() : QByteArray("special");
}

} // namespace

QByteArray difference(const Engine &a, const Engine &b)
{
    for (const auto &[id, job] : a.m_jobs.all()) {
        const JobEntry *other = b.m_jobs.find(id);
        if (const char *field = other ? differing(job, *other) : "missing")
            return "jobs." + id.text() + '.' + field;
    }
    for (const auto &[id, result] : a.m_results) {
        const auto other = b.m_results.find(id);
        if (const char *field = other != b.m_results.end() ? differing(result, other->second) : "missing")
            return "results." + id.text() + '.' + field;
    }
    if (a.m_jobs.all().size() != b.m_jobs.all().size() || a.m_results.size() != b.m_results.size())
        return "size";
    if (a.m_waitingResults != b.m_waitingResults || a.m_takenResults != b.m_takenResults)
        return "order.results";
    if (a.m_keys.all() != b.m_keys.all())
        return "idempotencyKeys";
    if (!(a.m_messages == b.m_messages))
        return "messages";
    if (!(a.m_groups == b.m_groups))
        return "groups";
    if (!(a.m_schedules == b.m_schedules))
        return "schedules";
    if (!(a.m_retention == b.m_retention))
        return "retention";
    if (!(a.m_matchers == b.m_matchers))
        return "matchers";
    if (const QByteArray bucket = differenceOfBuckets(a.m_buckets, b.m_buckets); !bucket.isEmpty())
        return bucket;
    for (const JobState state : {JobState::Running, JobState::Awaiting}) {
        for (const JobEntry *job : a.m_jobs.inState(state)) {
            if (!sameCharges(a.m_admission.chargesOf(*job), b.m_admission.chargesOf(*b.m_jobs.find(job->id))))
                return "jobs." + job->id.text() + ".charges";
        }
    }
    if (a.m_segments.occupied() != b.m_segments.occupied())
        return "segments";
    if (!a.m_totalsChanged && !equal(a.m_totals, b.m_totals))
        return "totals";
    return differenceOfOrders(a.m_jobs, b.m_jobs);
}

} // namespace junban::engine
