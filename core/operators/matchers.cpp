#include "core/operators/matchers.h"

#include "core/base/reasons/matchers.h"
#include "core/base/reasons/operators.h"
#include "core/limits/bucketkey.h"

#include <algorithm>
#include <utility>

namespace junban {

Matchers::Matchers(MatcherStore &store) : m_store(store) {}

Matchers::~Matchers() = default;

Reading Matchers::read(const JobSpec &spec) const
{
    const Classification classification = m_set->classify(spec, spec.pusher, m_evaluation);
    return {carried(classification), classification.set};
}

QByteArray Matchers::matcherOf(int constraint) const
{
    const JobMatcher *matcher = m_set->matcherOf(m_ids.value(constraint));
    return matcher ? matcher->id : QByteArray();
}

QList<CarriedBucket> Matchers::carried(const Classification &classification) const
{
    QList<CarriedBucket> buckets;
    for (const BucketHit &hit : classification.buckets)
        buckets.append({m_numbers.value(hit.constraint), bucketkey::text(hit.key), int(hit.amount), hit.key});
    if (classification.tooMany)
        buckets = {{0, {}, 1}}; // constraint 0 admits no job (packBuckets())
    for (const QByteArray &id : classification.closed.first(std::min(classification.closed.size(), qsizetype(limits::held_by_max))))
        buckets.append({0, id, 1, QByteArray("closed\0", 7) + id});
    return buckets.size() > limits::job_buckets_max ? buckets.last(limits::held_by_max) : buckets;
}

QList<const JobMatcher *> Matchers::closed() const
{
    QList<const JobMatcher *> closed;
    for (const auto &compiled : m_set->matchers()) {
        if (compiled->closed())
            closed.append(&compiled->matcher());
    }
    return closed;
}

const JobMatcher *Matchers::closedBy(int constraint, const QByteArray &key) const
{
    const auto compiled = constraint == 0 && !key.isEmpty() ? m_set->matcher(key) : nullptr;
    return compiled && compiled->closed() ? &compiled->matcher() : nullptr;
}

bool Matchers::isOfAnother(const QByteArray &constraint, const QByteArray &matcher) const
{
    const JobMatcher *owner = m_set->matcherOf(constraint);
    return owner && owner->id != matcher;
}

const JobMatcher *Matchers::matcher(const QByteArray &id) const
{
    const auto compiled = m_set->matcher(id);
    return compiled ? &compiled->matcher() : nullptr;
}

Matchers::Place Matchers::constraint(const QByteArray &id) const
{
    return {m_set->matcherOf(id), m_set->constraint(id), m_numbers.value(id)};
}

QList<QByteArray> Matchers::constraintIds() const
{
    QList<QByteArray> ids = m_numbers.keys();
    std::sort(ids.begin(), ids.end());
    return ids;
}

Error Matchers::noConstraint(const QByteArray &id) const
{
    QByteArrayList its;
    if (const JobMatcher *named = matcher(id)) {
        for (const Constraint &constraint : named->constraints)
            its.append(constraint.id);
    }
    return its.isEmpty() ? reasons::constraintIdUnknown(id) : reasons::constraintIdOfMatcher(id, its);
}

void Matchers::refresh(Callback<Done> callback)
{
    if (m_loading) {
        m_next.append(std::move(callback));
        return;
    }
    m_loading = true;
    m_waiting.append(std::move(callback));
    load(std::make_shared<Loading>());
}

void Matchers::load(std::shared_ptr<Loading> loading)
{
    const bool first = loading->page.matchers.isEmpty();
    const QByteArray after = first ? QByteArray() : loading->page.matchers.last().matcher.id;
    m_store.list(after, first && !m_forgotten ? m_version : -1,
        [this, loading, first, alive = std::weak_ptr(m_life)](const Result<MatcherStore::Page> &page) {
            if (alive.expired())
                return;
            if (!page.ok()) {
                loaded(page.error());
                return;
            }
            if (!first && page->version != loading->page.version) { // a matcher was saved between two pages
                loading->page = {};
                if (--loading->tries > 0)
                    load(loading);
                else
                    loaded(reasons::matchersNeverStill());
                return;
            }
            loading->page.version = page->version;
            loading->page.epoch = page->epoch;
            loading->page.matchers += page->matchers;
            if (!page->end)
                load(loading);
            else
                mend(loading, 0);
        });
}

// Of a record that is so damaged that it has no expression, the last revision that can be read says which jobs the matcher holds.
void Matchers::mend(std::shared_ptr<Loading> loading, qsizetype from)
{
    QList<KeptMatcher> &all = loading->page.matchers;
    while (from < all.size() && (all[from].matcher.unreadable.isEmpty() || !all[from].matcher.expression.isEmpty()))
        ++from;
    if (from == all.size()) {
        loaded(take(loading->page));
        return;
    }
    m_store.history(all[from].matcher.id,
        [this, loading, from, alive = std::weak_ptr(m_life)](const Result<MatcherStore::History> &history) {
            if (alive.expired())
                return;
            JobMatcher &matcher = loading->page.matchers[from].matcher;
            const QList<JobMatcher> revisions = history.ok() ? history->revisions : QList<JobMatcher>();
            const auto known = std::find_if(revisions.begin(), revisions.end(), [](const JobMatcher &revision) {
                return CompiledMatcher::compile(revision, cel::Mode::Kept).matcher && !revision.expression.isEmpty();
            });
            if (known != revisions.end()) {
                const JobMatcher damaged = std::exchange(matcher, *known);
                matcher.constraints.clear(); // their present values are not known
                matcher.unreadable = damaged.unreadable;
                matcher.revision = std::max(damaged.revision, history->last);
                if (damaged.editedAt_ms > 0)
                    matcher.editedAt_ms = damaged.editedAt_ms;
            } else {
                matcher.unreadable = reasons::matcherWithoutRevision(matcher.unreadable);
            }
            mend(loading, from + 1);
        });
}

// A record that has a constraint of another matcher was not written by a master.
void Matchers::closeIfTaken(JobMatcher &matcher, QHash<QByteArray, QByteArray> &owners)
{
    for (const Constraint &constraint : std::as_const(matcher.constraints)) {
        const QByteArray owner = owners.value(constraint.id, matcher.id);
        if (owner != matcher.id) {
            matcher.unreadable = reasons::matcherConstraintTaken(constraint.id, owner);
            matcher.constraints.clear();
            return;
        }
    }
    for (const Constraint &constraint : std::as_const(matcher.constraints))
        owners.insert(constraint.id, matcher.id);
}

Result<Done> Matchers::take(const MatcherStore::Page &page)
{
    if (page.version == m_version && page.matchers.isEmpty()) {
        m_epoch = page.epoch;
        return Done{};
    }
    QList<std::shared_ptr<const CompiledMatcher>> compiled;
    QHash<QByteArray, int> numbers;
    QHash<QByteArray, QByteArray> owners; // of constraints
    for (KeptMatcher kept : page.matchers) {
        closeIfTaken(kept.matcher, owners);
        const std::shared_ptr<const CompiledMatcher> before = m_set->matcher(kept.matcher.id);
        std::shared_ptr<const CompiledMatcher> matcher = before;
        if (!matcher || m_forgotten || !(matcher->matcher() == kept.matcher))
            matcher = CompiledMatcher::compileStored(kept.matcher);
        if (matcher->closed() && (!before || !(before->matcher().unreadable == matcher->matcher().unreadable)))
            qWarning("matchers: '%s' cannot be read any more and holds its jobs: %s", kept.matcher.id.constData(),
                matcher->matcher().unreadable.text.constData());
        if (!matcher->matcher().constraints.isEmpty() || !matcher->closed())
            numbers.insert(kept.numbers);
        compiled.append(std::move(matcher));
    }
    m_forgotten = false;
    return put(std::move(compiled), std::move(numbers), page.version, page.epoch);
}

Result<Done> Matchers::put(QList<std::shared_ptr<const CompiledMatcher>> compiled, QHash<QByteArray, int> numbers, qint64 version,
                           qint64 epoch)
{
    const Result<std::shared_ptr<const MatcherSet>> set = MatcherSet::make(std::move(compiled));
    if (!set.ok())
        return reasons::storedMatchersContradict(set.error().reason);
    m_set = *set;
    m_numbers = std::move(numbers);
    m_ids.clear();
    for (auto each = m_numbers.cbegin(); each != m_numbers.cend(); ++each)
        m_ids.insert(each.value(), each.key());
    m_version = version;
    m_epoch = epoch;
    return Done{};
}

void Matchers::adopt(const QByteArray &id, const MatcherStore::Saved &saved)
{
    if (m_loading || saved.version != m_version + 1)
        return;
    QList<std::shared_ptr<const CompiledMatcher>> compiled = m_set->matchers();
    QHash<QByteArray, int> numbers = m_numbers;
    if (const JobMatcher *before = matcher(id)) {
        for (const Constraint &constraint : before->constraints)
            numbers.remove(constraint.id);
        compiled.removeOne(m_set->matcher(id));
    }
    if (!saved.kept.matcher.id.isEmpty()) {
        compiled.append(CompiledMatcher::compileStored(saved.kept.matcher));
        numbers.insert(saved.kept.numbers);
    }
    (void)put(std::move(compiled), std::move(numbers), saved.version, saved.epoch); // after an error the next load says what is wrong
}

void Matchers::loaded(const Result<Done> &result)
{
    if (!result.ok() && result.error().code == ErrorCode::Internal)
        qCritical("matchers: %s", result.error().message().constData());
    m_loading = false;
    const QList<Callback<Done>> told = std::exchange(m_waiting, std::exchange(m_next, {}));
    if (!m_waiting.isEmpty()) {
        m_loading = true;
        load(std::make_shared<Loading>());
    }
    for (const Callback<Done> &callback : told)
        callback(result);
}

} // namespace junban
