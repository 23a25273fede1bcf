#include "core/limits/matcherset.h"

#include "core/base/reasons/matchers.h"
#include "core/limits.h"
#include "core/limits/bucketkey.h"
#include "core/limits/jobvariables.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace junban {

namespace {

// The cost or weight of a job: a whole number from 1. Smaller numbers and other values count as 1.
qint64 amountFrom(const cel::Value &value, qint64 max)
{
    const double number = value.isNumber() ? std::ceil(value.asDouble()) : 1;
    if (!(number >= 1)) // a NaN too
        return 1;
    return number >= double(max) ? max : qint64(number);
}

// Whether an argument has parts that an expression can choose from.
bool hasParts(const QByteArray &argument)
{
    const std::optional<payload::Token> head = payload::Reader(argument).next();
    return head && (head->type == payload::Type::Map || head->type == payload::Type::Array);
}

// Whether there is no such value. What is there and makes no key, as a list, exempts nobody: pushers would choose to be exempt. In an
// argument without parts there is nothing.
bool isAbsent(const cel::Value &value, bool parts)
{
    if (!value.isError())
        return false;
    const cel::Cause cause = value.cause();
    return cause == cel::Cause::NoSuchField || cause == cel::Cause::NoSuchKey || cause == cel::Cause::IndexOutOfRange
        || (cause == cel::Cause::WrongType && !parts);
}

bool exempted(const QList<QByteArray> &exempts, const QByteArray &matcher, const QByteArray &constraint)
{
    return exempts.contains(matcher) || exempts.contains(constraint);
}

template<typename T>
void replace(std::optional<T> &with, const std::optional<T> &other)
{
    if (!with)
        with = other;
}

// Fills the fields that are still empty; the caller goes from the highest rank down.
void fill(SetParameters &set, const SetParameters &from)
{
    replace(set.priority, from.priority);
    replace(set.timeout_ms, from.timeout_ms);
    replace(set.maxRetry, from.maxRetry);
    replace(set.backoff, from.backoff);
}

// Notes the matcher that is about to fill these fields.
void noteSetter(Classification &result, const SetParameters &from, const JobMatcher &matcher)
{
    if (from.priority && !result.set.priority)
        result.setBy.priority = &matcher;
    if (from.timeout_ms && !result.set.timeout_ms)
        result.setBy.timeout = &matcher;
    if (from.maxRetry && !result.set.maxRetry)
        result.setBy.maxRetry = &matcher;
}

template<typename T>
bool differ(const std::optional<T> &a, const std::optional<T> &b)
{
    return a && b && *a != *b;
}

bool conflict(const SetParameters &a, const SetParameters &b)
{
    return differ(a.priority, b.priority) || differ(a.timeout_ms, b.timeout_ms) || differ(a.maxRetry, b.maxRetry)
        || differ(a.backoff, b.backoff);
}

} // namespace

JobSpec asPushed(JobSpec spec)
{
    if (const std::optional<Settable> pushed = std::exchange(spec.pushed, {})) {
        spec.priority = pushed->priority;
        spec.timeout_ms = pushed->timeout_ms;
        spec.maxRetry = pushed->maxRetry;
        spec.backoff = pushed->backoff;
    }
    return spec;
}

JobSpec withSet(JobSpec spec, const SetParameters &set)
{
    spec = asPushed(std::move(spec));
    const Settable pushed{spec.priority, spec.timeout_ms, spec.maxRetry, spec.backoff};
    spec.priority = set.priority.value_or(spec.priority);
    spec.timeout_ms = set.timeout_ms.value_or(spec.timeout_ms);
    spec.maxRetry = set.maxRetry.value_or(spec.maxRetry);
    spec.backoff = set.backoff.value_or(spec.backoff);
    if (!(pushed == Settable{spec.priority, spec.timeout_ms, spec.maxRetry, spec.backoff}))
        spec.pushed = pushed;
    return spec;
}

Result<std::shared_ptr<const MatcherSet>> MatcherSet::make(QList<std::shared_ptr<const CompiledMatcher>> matchers)
{
    auto set = std::make_shared<MatcherSet>();
    std::sort(matchers.begin(), matchers.end(), [](const auto &a, const auto &b) { return a->matcher().id < b->matcher().id; });
    set->m_matchers = std::move(matchers);
    for (qsizetype i = 0; i < set->m_matchers.size(); ++i) {
        const JobMatcher &matcher = set->m_matchers[i]->matcher();
        if (i > 0 && set->m_matchers[i - 1]->matcher().id == matcher.id)
            return reasons::matcherIdTwice("id", matcher.id);
        for (qsizetype at = 0; at < matcher.constraints.size(); ++at) {
            const QByteArray &id = matcher.constraints[at].id;
            if (set->m_constraints.contains(id))
                return reasons::constraintIdTwice("constraints[" + QByteArray::number(at) + "].id", id);
            set->m_constraints.insert(id, {i, at});
        }
        set->index(i);
    }
    return std::shared_ptr<const MatcherSet>(set);
}

void MatcherSet::index(qsizetype at)
{
    const cel::NameSet &names = m_matchers[at]->names();
    if (names.isAny()) {
        m_rest.append(at);
        return;
    }
    for (const QByteArray &name : names.names())
        m_byName[name].append(at);
    for (const QByteArray &prefix : names.prefixes()) {
        m_byPrefix[prefix].append(at);
        if (!m_prefixLengths.contains(prefix.size()))
            m_prefixLengths.append(prefix.size());
    }
}

QList<qsizetype> MatcherSet::candidates(const QByteArray &name) const
{
    QList<qsizetype> result = m_rest;
    const auto named = m_byName.constFind(name);
    if (named != m_byName.constEnd())
        result += *named;
    for (const qsizetype length : m_prefixLengths) {
        if (length > name.size())
            continue;
        const auto prefixed = m_byPrefix.constFind(name.first(length));
        if (prefixed != m_byPrefix.constEnd())
            result += *prefixed;
    }
    // A matcher may be listed under several prefixes, but no two of them cover one name; so each comes once.
    std::sort(result.begin(), result.end());
    return result;
}

std::shared_ptr<const CompiledMatcher> MatcherSet::matcher(QByteArrayView id) const
{
    const auto found = std::lower_bound(m_matchers.begin(), m_matchers.end(), id,
        [](const auto &matcher, QByteArrayView wanted) { return QByteArrayView(matcher->matcher().id) < wanted; });
    return found != m_matchers.end() && (*found)->matcher().id == id ? *found : nullptr;
}

const Constraint *MatcherSet::constraint(const QByteArray &id) const
{
    const auto place = m_constraints.constFind(id);
    return place == m_constraints.constEnd() ? nullptr : &m_matchers[place->matcher]->matcher().constraints[place->constraint];
}

const JobMatcher *MatcherSet::matcherOf(const QByteArray &constraint) const
{
    const auto place = m_constraints.constFind(constraint);
    return place == m_constraints.constEnd() ? nullptr : &m_matchers[place->matcher]->matcher();
}

void MatcherSet::hits(const CompiledMatcher &compiled, const cel::Bindings &bindings, bool parts, cel::Evaluation &evaluation,
    QList<BucketHit> &into) const
{
    const QList<Constraint> &constraints = compiled.matcher().constraints;
    for (qsizetype i = 0; i < constraints.size(); ++i) {
        const Constraint &constraint = constraints[i];
        if (kindOf(constraint.kind()).by == Kind::By::Never)
            continue;
        const CompiledMatcher::Programs &programs = compiled.programs(i);
        QList<QByteArray> elements;
        bool left = false;
        for (const auto &program : programs.by) {
            const cel::Value value = evaluation.evaluate(*program, bindings);
            const auto element = bucketkey::element(value);
            left = left || (isAbsent(value, parts) && constraint.onMissing == OnMissing::Exempt);
            elements.append(element.value_or(bucketkey::missing()));
        }
        if (left)
            continue;
        BucketHit hit{constraint.id, constraint.kind(), constraint.mode, bucketkey::key({elements.constData(), size_t(elements.size())})};
        if (programs.amount)
            hit.amount = amountFrom(evaluation.evaluate(*programs.amount, bindings), qint64(kindOf(constraint.kind()).amount->max));
        else if (const Amount *amount = amountOf(constraint.parameters))
            hit.amount = amount->number;
        if (amountOf(constraint.parameters) && !constraint.overrides.isEmpty()) {
            const Parameters own = constraint.parametersFor(bucketkey::text(hit.key));
            if (amountOf(own)->expression.isEmpty())
                hit.amount = amountOf(own)->number;
        }
        into.append(hit);
    }
}

Classification MatcherSet::classify(const JobSpec &spec, QByteArrayView pusher, cel::Evaluation &evaluation) const
{
    Classification result;
    const QList<qsizetype> indexes = candidates(spec.name);
    if (indexes.isEmpty())
        return result;
    const cel::SpecBindings bindings(spec, pusher);
    QList<const CompiledMatcher *> matched;
    QList<QByteArray> exempts;
    for (const qsizetype at : indexes) {
        const CompiledMatcher &compiled = *m_matchers[at];
        const cel::Value value = evaluation.evaluate(compiled.predicate(), bindings);
        if (compiled.closed()) {
            if (!value.isFalse())
                result.closed.append(compiled.matcher().id);
        } else if (value.isTrue()) {
            matched.append(&compiled);
            result.matchers.append(compiled.matcher().id);
            exempts += compiled.matcher().exempts;
        } else if (!value.isFalse()) {
            result.faults.append({compiled.matcher().id, value.isError() ? value.cause() : cel::Cause::WrongType});
        }
    }
    // From the highest rank down; within a rank by id, though ties that matter cannot be saved.
    QList<const CompiledMatcher *> byRank = matched;
    std::stable_sort(byRank.begin(), byRank.end(), [](const auto *a, const auto *b) { return a->matcher().rank > b->matcher().rank; });
    const bool parts = hasParts(spec.argument);
    bool fairFound = false;
    for (const CompiledMatcher *compiled : std::as_const(byRank)) {
        const JobMatcher &matcher = compiled->matcher();
        QList<BucketHit> hit;
        hits(*compiled, bindings, parts, evaluation, hit);
        for (const BucketHit &bucket : std::as_const(hit)) {
            const bool fair = bucket.kind == ConstraintKind::Fair && bucket.mode == ConstraintMode::Enforce;
            if (exempted(exempts, matcher.id, bucket.constraint) || (fair && fairFound))
                continue;
            fairFound = fairFound || fair;
            result.buckets.append(bucket);
        }
        for (const Constraint &constraint : matcher.constraints) {
            const auto *set = std::get_if<SetParameters>(&constraint.parameters);
            if (!set || constraint.mode != ConstraintMode::Enforce || exempted(exempts, matcher.id, constraint.id))
                continue;
            noteSetter(result, *set, matcher);
            fill(result.set, *set);
        }
    }
    std::sort(result.buckets.begin(), result.buckets.end(),
        [](const BucketHit &a, const BucketHit &b) { return a.constraint < b.constraint; });
    result.tooMany = result.buckets.size() > limits::job_buckets_max;
    if (result.tooMany)
        result.buckets.resize(limits::job_buckets_max);
    return result;
}

QList<SetTie> setTies(const MatcherSet &set, const CompiledMatcher &matcher)
{
    QList<SetTie> ties;
    TieSearch search;
    const auto compare = [&](const CompiledMatcher &other) {
        if (matcher.names().intersected(other.names()).isNone())
            return;
        const bool own = &other == &matcher;
        const QList<QByteArray> exempts = own ? matcher.matcher().exempts : matcher.matcher().exempts + other.matcher().exempts;
        const auto wins = [&](const JobMatcher &of, const Constraint &constraint) {
            return constraint.mode == ConstraintMode::Enforce && !exempted(exempts, of.id, constraint.id);
        };
        bool searched = false;
        std::optional<TieExample> example;
        const QList<Constraint> &theirs = other.matcher().constraints;
        for (const Constraint &mine : matcher.matcher().constraints) {
            const auto *first = std::get_if<SetParameters>(&mine.parameters);
            for (auto their = own ? theirs.begin() + (&mine - &theirs.front()) + 1 : theirs.begin(); their != theirs.end(); ++their) {
                const auto *second = std::get_if<SetParameters>(&their->parameters);
                if (!first || !second || !conflict(*first, *second) || !wins(matcher.matcher(), mine) || !wins(other.matcher(), *their))
                    continue;
                if (!searched)
                    example = search.find(matcher, other);
                searched = true;
                ties.append({mine.id, their->id, own, example});
            }
        }
    };
    compare(matcher);
    for (const auto &other : set.matchers()) {
        if (!other->closed() && other->matcher().id != matcher.matcher().id && other->matcher().rank == matcher.matcher().rank)
            compare(*other);
    }
    return ties;
}

} // namespace junban
