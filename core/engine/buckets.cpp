#include "core/engine/buckets.h"

#include "core/limits/bucketkey.h"

#include <QCryptographicHash>
#include <algorithm>

namespace junban::engine {

namespace {

constexpr quint8 bucketVersion = 1;
constexpr auto idle_look_ms = static_cast<qint64>(limits::bucket_idle_s_max * 1000);

// The field of a bucket, and the beginning of the fields of its parts.
QByteArray fieldOf(const Bucket &bucket)
{
    return QCryptographicHash::hash(bucket.identity, QCryptographicHash::Sha1);
}
constexpr qsizetype field_bytes = 20;

QByteArray packed(const Bucket &bucket)
{
    Packer packer(bucketVersion);
    packer(bucket.identity, bucket.text, bucket.wouldHold, bucket.limiter->hasState());
    if (bucket.limiter->hasState())
        bucket.limiter->pack(packer);
    return packer.bytes();
}

} // namespace

QByteArray constraintKey(int number)
{
    return "c:" + QByteArray::number(number);
}

Buckets::Buckets(const qint64 &now_ms, Writes &writes)
    : m_now_ms(now_ms)
    , m_writes(writes)
{
    ActiveConstraint &none = m_constraints[0];
    none.kind = &holdsAll;
    none.parameters = std::make_shared<const Parameters>(PauseParameters());
}

Buckets::~Buckets() = default;

ActiveConstraint &Buckets::put(int number, const Constraint &constraint, qint64 savedAt_ms)
{
    ActiveConstraint &active = m_constraints[number];
    active.number = number;
    active.savedAt_ms = savedAt_ms;
    active.value = constraint;
    active.kind = limiterKind(constraint.kind());
    active.parameters = std::make_shared<const Parameters>(constraint.parameters);
    m_numbers[constraint.id] = number;
    for (auto &[identity, bucket] : active.buckets) {
        giveParameters(bucket);
        countLack(bucket);
    }
    return active;
}

// Jobs that no new matcher has read yet may still carry its buckets.
void Buckets::retire(int number)
{
    const auto found = m_constraints.find(number);
    if (found == m_constraints.end())
        return;
    ActiveConstraint &constraint = found->second;
    if (const auto own = m_numbers.find(constraint.value.id); own != m_numbers.end() && own->second == number)
        m_numbers.erase(own);
    if (std::any_of(constraint.buckets.begin(), constraint.buckets.end(), [](const auto &each) { return each.second.stored; }))
        m_writes.removeKey(constraintKey(number));
    for (auto &[identity, bucket] : constraint.buckets)
        bucket.stored = false;
    for (auto next = constraint.buckets.begin(); next != constraint.buckets.end();) {
        Bucket &bucket = (next++)->second;
        if (bucket.lanes == 0 && bucket.running == 0)
            forget(bucket);
    }
    constraint.retired = true;
    m_reopened.erase(&constraint);
    if (constraint.buckets.empty())
        m_constraints.erase(found);
}

ActiveConstraint *Buckets::find(int number)
{
    const auto found = m_constraints.find(number);
    return found == m_constraints.end() || found->second.retired ? nullptr : &found->second;
}

ActiveConstraint *Buckets::find(const QByteArray &id)
{
    const auto number = m_numbers.find(id);
    return number == m_numbers.end() ? nullptr : find(number->second);
}

Bucket &Buckets::bucket(ActiveConstraint &constraint, const QByteArray &identity)
{
    const auto known = constraint.buckets.find(identity);
    return known != constraint.buckets.end() ? known->second : bucket(constraint, identity, bucketkey::text(identity));
}

Bucket &Buckets::bucket(ActiveConstraint &constraint, const QByteArray &identity, const QByteArray &text)
{
    const auto [place, isNew] = constraint.buckets.try_emplace(identity);
    Bucket &bucket = place->second;
    if (isNew) {
        bucket.constraint = &constraint;
        bucket.identity = identity;
        bucket.text = text;
        bucket.limiter = constraint.kind->make(text);
        giveParameters(bucket);
    }
    return bucket;
}

void Buckets::giveParameters(Bucket &bucket)
{
    const ActiveConstraint &constraint = *bucket.constraint;
    const QList<Override> &overrides = constraint.value.overrides;
    const bool own = std::any_of(overrides.begin(), overrides.end(), [&](const Override &each) { return each.key == bucket.text; });
    bucket.limiter->setParameters(
        own ? std::make_shared<const Parameters>(constraint.value.parametersFor(bucket.text)) : constraint.parameters);
}

Admitted Buckets::admits(const Bucket &bucket, qint64 cost) const
{
    const ConstraintMode mode = bucket.constraint->value.mode;
    if (mode == ConstraintMode::Off)
        return {};
    const Verdict verdict = bucket.limiter->admits(question(bucket, cost));
    const bool observed = !verdict.admits && mode == ConstraintMode::Observe;
    return {verdict.admits || observed, observed, verdict.admits ? 0 : verdict.opensAt_ms, verdict.admits ? 0 : verdict.ofAllKeys};
}

Admitted Buckets::holdsBack(const Bucket &bucket, qint64 cost) const
{
    const Admitted now = admits(bucket, cost);
    const bool paces = now.admits && !now.observed && bucket.constraint->value.mode == ConstraintMode::Enforce
        && bucket.limiter->paces(question(bucket, cost), bucket.ready);
    return paces ? Admitted{false, false, m_now_ms, 0} : now;
}

void Buckets::charge(Charge &charge)
{
    addRunning(charge);
    charge.counted = charge.bucket->limiter->charge(charge.cost, m_now_ms);
    noteChange(*charge.bucket);
}

void Buckets::uncharge(const Charge &charge, qint64 startedAt_ms, AttemptEnd how, qint64 retryAfter_ms)
{
    Bucket &bucket = *charge.bucket;
    bucket.limiter->uncharge({charge.cost, startedAt_ms, charge.counted, how, retryAfter_ms, m_now_ms});
    noteChange(bucket);
    --bucket.running;
    use(bucket, -charge.cost);
    released(bucket);
}

qint64 Buckets::trip(Bucket &bucket, std::optional<qint64> openFor_ms)
{
    const qint64 until_ms = bucket.limiter->breaker()->trip(openFor_ms, m_now_ms);
    noteChange(bucket);
    released(bucket);
    return until_ms;
}

void Buckets::reset(Bucket &bucket)
{
    bucket.limiter->breaker()->reset();
    noteChange(bucket);
}

void Buckets::addRunning(const Charge &charge)
{
    ++charge.bucket->running;
    use(*charge.bucket, charge.cost);
}

void Buckets::noteWouldHold(Bucket &bucket)
{
    ++bucket.wouldHold;
    changed(bucket);
}

Question Buckets::question(const Bucket &bucket, qint64 cost) const
{
    const ActiveConstraint &constraint = *bucket.constraint;
    return {cost, bucket.used, constraint.used, constraint.lacking - bucket.lacks, m_now_ms};
}

void Buckets::use(Bucket &bucket, qint64 cost)
{
    bucket.used += cost;
    if (!bucket.constraint->kind->shares)
        return;
    bucket.constraint->used += cost;
    if (cost < 0)
        m_reopened.insert(bucket.constraint);
    countLack(bucket);
}

void Buckets::countReady(Bucket &bucket, qint64 by)
{
    bucket.ready += by;
    countLack(bucket);
}

void Buckets::countLack(Bucket &bucket)
{
    ActiveConstraint &constraint = *bucket.constraint;
    if (!constraint.kind->shares)
        return;
    const qint64 lacks = bucket.limiter->lacks(bucket.used, bucket.ready);
    const qint64 before = std::exchange(bucket.lacks, lacks);
    constraint.lacking += lacks - before;
    if (lacks < before)
        m_reopened.insert(&constraint);
}

ActiveConstraint *Buckets::nextReopened()
{
    if (m_reopened.empty())
        return nullptr;
    ActiveConstraint *constraint = *m_reopened.begin();
    m_reopened.erase(m_reopened.begin());
    return constraint;
}

void Buckets::released(Bucket &bucket)
{
    if (bucket.lanes > 0 || bucket.running > 0 || bucket.idleAt_ms > 0)
        return;
    bucket.idleAt_ms = m_now_ms;
    m_idle.insert({bucket.idleAt_ms, &bucket});
}

void Buckets::wakeAt(Bucket &bucket, qint64 at_ms)
{
    if (bucket.wakesAt_ms > 0 && bucket.wakesAt_ms <= at_ms)
        return;
    if (bucket.wakesAt_ms > 0)
        m_wakes.erase({bucket.wakesAt_ms, &bucket});
    bucket.wakesAt_ms = at_ms;
    m_wakes.insert({at_ms, &bucket});
}

Bucket *Buckets::nextAwake()
{
    if (m_wakes.empty() || m_wakes.begin()->first > m_now_ms)
        return nullptr;
    Bucket *bucket = m_wakes.begin()->second;
    m_wakes.erase(m_wakes.begin());
    bucket->wakesAt_ms = 0;
    return bucket;
}

void Buckets::forgetIdle(bool &more)
{
    for (int looked = 0; !m_idle.empty() && m_idle.begin()->first <= m_now_ms; ++looked) {
        if (looked == limits::script_items_max) {
            more = true;
            return;
        }
        Bucket &bucket = *m_idle.begin()->second;
        m_idle.erase(m_idle.begin());
        bucket.idleAt_ms = 0;
        if (bucket.lanes > 0 || bucket.running > 0)
            continue;
        const qint64 matters_ms = bucket.constraint->retired ? 0 : bucket.limiter->matters_ms(m_now_ms);
        if (matters_ms > m_now_ms) {
            bucket.idleAt_ms = std::min(matters_ms, m_now_ms + idle_look_ms);
            m_idle.insert({bucket.idleAt_ms, &bucket});
        } else {
            forget(bucket);
        }
    }
}

// Precondition: no lane and no running job has it.
void Buckets::forget(Bucket &bucket)
{
    ActiveConstraint &constraint = *bucket.constraint;
    if (bucket.stored) {
        for (const LimiterPart &part : bucket.limiter->allParts())
            m_writes.removeField(constraintKey(constraint.number), fieldOf(bucket) + '.' + QByteArray::number(part.number));
        m_writes.removeField(constraintKey(constraint.number), fieldOf(bucket));
    }
    if (bucket.wakesAt_ms > 0)
        m_wakes.erase({bucket.wakesAt_ms, &bucket});
    if (bucket.idleAt_ms > 0)
        m_idle.erase({bucket.idleAt_ms, &bucket});
    std::erase(m_changed, &bucket);
    constraint.buckets.erase(QByteArray(bucket.identity));
    if (constraint.retired && constraint.buckets.empty()) {
        m_reopened.erase(&constraint);
        m_constraints.erase(constraint.number);
    }
}

void Buckets::noteChange(Bucket &bucket)
{
    if (bucket.limiter->takeChanged())
        changed(bucket);
}

void Buckets::changed(Bucket &bucket)
{
    if (!std::exchange(bucket.changed, true))
        m_changed.push_back(&bucket);
}

void Buckets::writeChanges()
{
    for (Bucket *bucket : m_changed)
        write(*bucket);
    m_changed.clear();
}

void Buckets::write(Bucket &bucket)
{
    bucket.changed = false;
    if (bucket.constraint->retired)
        return;
    const QByteArray key = constraintKey(bucket.constraint->number), field = fieldOf(bucket);
    m_writes.setField(key, field, packed(bucket));
    bucket.stored = true;
    for (const LimiterPart &part : bucket.limiter->takeParts()) {
        const QByteArray itsField = field + '.' + QByteArray::number(part.number);
        if (part.value)
            m_writes.setField(key, itsField, *part.value);
        else
            m_writes.removeField(key, itsField);
    }
}

QByteArray Buckets::load(ActiveConstraint &constraint, const QList<Stored::Field> &fields)
{
    std::map<QByteArray, Bucket *> known;
    for (const Stored::Field &each : fields) {
        if (each.field.size() != field_bytes)
            continue;
        Unpacker unpacker(each.value);
        QByteArray identity, text;
        qint64 wouldHold = 0;
        bool hasState = false;
        unpacker(identity, text, wouldHold, hasState);
        Bucket &its = bucket(constraint, identity, text);
        its.wouldHold = wouldHold;
        if (hasState)
            its.limiter->unpack(unpacker);
        if (unpacker.version() != bucketVersion || !unpacker.complete() || fieldOf(its) != each.field)
            return each.field.toHex();
        its.stored = true;
        known[each.field] = &its;
        released(its);
    }
    for (const Stored::Field &each : fields) {
        if (each.field.size() == field_bytes)
            continue;
        const auto its = known.find(each.field.left(field_bytes));
        bool ok = each.field.size() > field_bytes + 1 && each.field[field_bytes] == '.';
        const quint32 number = ok ? each.field.mid(field_bytes + 1).toUInt(&ok) : 0;
        if (!ok || its == known.end() || !its->second->limiter->readPart(number, each.value))
            return each.field.toHex();
    }
    return {};
}

QByteArray differenceOfBuckets(const Buckets &a, const Buckets &b)
{
    for (const auto &[number, constraint] : a.m_constraints) {
        const ActiveConstraint *other = b.find(number);
        if (constraint.retired)
            continue;
        if (!other || !(other->value == constraint.value))
            return "constraints." + QByteArray::number(number);
        for (const auto &[identity, bucket] : constraint.buckets) {
            const auto its = other->buckets.find(identity);
            const QByteArray place = "buckets." + QByteArray::number(number) + '.' + bucket.text;
            const bool idle = bucket.running == 0 && !bucket.stored; // its lanes are not read yet, where it was loaded
            if (its == other->buckets.end()) {
                if (idle)
                    continue;
                return place;
            }
            const Bucket &there = its->second;
            if (bucket.used != there.used || bucket.running != there.running || bucket.text != there.text)
                return place + ".used";
            if (bucket.stored != there.stored || packed(bucket) != packed(there))
                return place + ".state";
            if (!(bucket.limiter->allParts() == there.limiter->allParts()))
                return place + ".parts";
        }
    }
    for (const auto &[number, constraint] : b.m_constraints) {
        if (!a.find(number) && !constraint.retired)
            return "constraints." + QByteArray::number(number);
    }
    return {};
}

} // namespace junban::engine
